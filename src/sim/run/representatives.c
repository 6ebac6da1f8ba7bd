/* SPDX-License-Identifier: MIT */
#include "sim/run/representatives.h"

#include <string.h>

#include "sim/sm/blocks.h"
#include "sim/sm/residency.h"
#include "sim/run/run-state.h"

/* A block that was dispatched. */
typedef struct {
	uint64_t block;
	uint64_t same; /* what stands for it and all that are equal */
	Cycle start;
	Cycle at; /* when */
} Dispatched;

static bool may_follow(const Run *run)
{
	const RunContext *context = &run->context;

	return run->n_sms > 1 && !run->request->all_sms && !context->memory &&
	       !context->observer && context->source->same_block &&
	       !atomic_by_block(&context->machine->atomic);
}

/* Without a memory that SMs share nobody asks where in a buffer an access goes, but the first cache. */
static BlockEquality equality_of(const RunContext *context)
{
	return context->source->kernel.n_buffers == 0 ||
			       residency_l1_bytes(context->machine, context->source) > 0
		       ? EQUAL_RECORDS
		       : EQUAL_BUT_PLACES;
}

static bool alike(const RunContext *context, uint32_t i, uint32_t j)
{
	const FirstUse *use = context->first_use;

	return !use || (use[i].sms == use[j].sms && use[i].code == use[j].code &&
			use[i].parameters == use[j].parameters);
}

/* The lowest SM that is like SM i before any block is dispatched. */
static uint32_t first_like(const Run *run, uint32_t i)
{
	const RunContext *context = &run->context;
	uint32_t j = 0;

	while (!alike(context, i, j))
		j++;
	return j;
}

/* From representative[]. */
static void list_representatives(Representatives *equal, uint32_t n_sms)
{
	memset(equal->n_equal, 0, n_sms * sizeof *equal->n_equal);
	equal->n_representatives = 0;
	for (uint32_t i = 0; i < n_sms; i++) {
		equal->n_equal[equal->representative[i]]++;
		if (equal->representative[i] == i)
			equal->representatives[equal->n_representatives++] = i;
	}
	equal->following = equal->n_representatives < n_sms;
}

void representatives_init(Run *run)
{
	Representatives *equal = &run->equal;
	const bool follow = may_follow(run);

	equal->representative = g_new(uint32_t, run->n_sms);
	equal->n_equal = g_new(uint32_t, run->n_sms);
	equal->representatives = g_new(uint32_t, run->n_sms);
	for (uint32_t i = 0; i < run->n_sms; i++)
		equal->representative[i] = follow ? first_like(run, i) : i;
	list_representatives(equal, run->n_sms);
	if (!equal->following)
		return;
	equal->equality = equality_of(&run->context);
	equal->dispatched = g_new(GArray *, run->n_sms);
	for (uint32_t i = 0; i < run->n_sms; i++)
		equal->dispatched[i] = g_array_new(FALSE, FALSE, sizeof(Dispatched));
	equal->n_new = g_new0(uint32_t, run->n_sms);
	equal->was = g_new(uint32_t, run->n_sms);
	equal->new_leads = g_new(uint32_t, run->n_sms);
}

void representatives_clear(Run *run)
{
	Representatives *equal = &run->equal;

	for (uint32_t i = 0; equal->dispatched && i < run->n_sms; i++)
		g_array_unref(equal->dispatched[i]);
	g_free(equal->dispatched);
	g_free(equal->n_new);
	g_free(equal->was);
	g_free(equal->new_leads);
	g_free(equal->representative);
	g_free(equal->n_equal);
	g_free(equal->representatives);
}

void representatives_dispatched(Run *run, uint32_t i, uint64_t block, Cycle start, Cycle now)
{
	RecordSource *source = run->context.source;
	Dispatched dispatched = {.block = block, .start = start, .at = now};

	if (!run->equal.following)
		return;
	dispatched.same = source->same_block(source, block, run->equal.equality);
	g_array_append_val(run->equal.dispatched[i], dispatched);
	run->equal.n_new[i]++;
}

/* The k-th block dispatched to SM i since they were last compared. */
static const Dispatched *new_one(const Representatives *equal, uint32_t i, uint32_t k)
{
	const GArray *dispatched = equal->dispatched[i];

	return &g_array_index(dispatched, Dispatched, dispatched->len - equal->n_new[i] + k);
}

/* Of two that were equal before. */
static bool still_equal(const Representatives *equal, uint32_t i, uint32_t j)
{
	if (equal->n_new[i] != equal->n_new[j])
		return false;
	for (uint32_t k = 0; k < equal->n_new[i]; k++) {
		const Dispatched *a = new_one(equal, i, k), *b = new_one(equal, j, k);

		if (a->same != b->same || a->start != b->start)
			return false;
	}
	return true;
}

static uint32_t find_representative(const Representatives *equal, uint32_t i)
{
	for (uint32_t j = equal->was[i]; j < i; j++)
		if (equal->was[j] == equal->was[i] && equal->representative[j] == j &&
		    still_equal(equal, i, j))
			return j;
	return i;
}

/* In steps, so that a run can be interrupted. False: it was, or the SM has failed. */
static bool run_to(Run *run, Sm *sm, Cycle end)
{
	Cycle limit;

	do {
		limit = sm_next_change(sm);
		limit = limit < end && end - limit > PROGRESS_CYCLES ? limit + PROGRESS_CYCLES
								     : end;
		sm_run_until(sm, limit);
		run_report_here(run);
		if (sm->status != SIM_OK || g_atomic_int_get(&run->interrupted))
			return false;
	} while (limit < end);
	return true;
}

/* Its blocks one after the other, as they were dispatched: what was dispatched later arrives later, whenever it starts. */
static void simulate_from_start(void *data, uint32_t k)
{
	Run *run = data;
	const uint32_t i = run->equal.new_leads[k];
	const GArray *dispatched = run->equal.dispatched[i];
	RecordSource *source = run->context.source;
	Sm *sm = &run->sms[i];
	Cycle now = 0;

	sm_clear(sm);
	memset(sm, 0, sizeof *sm);
	sm_init(sm, &run->context, i);
	for (guint d = 0; d < dispatched->len; d++) {
		const Dispatched *next = &g_array_index(dispatched, Dispatched, d);
		BlockInfo info;

		if (next->at > now && !run_to(run, sm, next->at))
			return;
		now = next->at;
		source->block_info(source, next->block, &info);
		blocks_dispatch(sm, next->block, &info, next->start, next->at);
	}
	run_to(run, sm, run->limit); /* the end of the last window */
}

void representatives_part(Run *run, ThreadPool *pool, Cycle now)
{
	Representatives *equal = &run->equal;
	uint32_t n_new_leads = 0;

	if (!equal->following)
		return;
	memcpy(equal->was, equal->representative, run->n_sms * sizeof *equal->was);
	for (uint32_t i = 0; i < run->n_sms; i++) {
		equal->representative[i] = find_representative(equal, i);
		if (equal->representative[i] == i && equal->was[i] != i)
			equal->new_leads[n_new_leads++] = i;
	}
	if (now > 0)
		thread_pool_do(pool, n_new_leads, simulate_from_start, run);
	for (uint32_t i = 0; i < run->n_sms; i++) {
		equal->n_new[i] = 0;
		if (equal->representative[i] == i) /* it will not be behind again */
			g_array_set_size(equal->dispatched[i], 0);
	}
	list_representatives(equal, run->n_sms);
}

void representatives_follow(Run *run)
{
	const Representatives *equal = &run->equal;

	if (!equal->following)
		return;
	for (uint32_t i = 0; i < run->n_sms; i++) {
		const Sm *representative = &run->sms[equal->representative[i]];

		if (run->sms[i].blocks_done == representative->blocks_done)
			continue;
		blocks_take_room(&run->sms[i], representative);
		run->asked[i].n_warps = 0;
	}
}
