/* SPDX-License-Identifier: MIT */
/*
 * A run: blocks dealt out to SMs, SMs run side by side, their counters put together.
 *
 * Modelled: blocks go out in order, first one to each SM in turn, then to whichever SM has room
 * first (ties: the lower number), dispatch_cycles after the room appeared. That delay is also what lets
 * SMs run independently, and so on several threads, without a result that depends on them: what an
 * SM frees before `limit` cannot receive a block before `limit` as long as limit is no later than
 * dispatch_cycles after the first event of any SM.
 * Not modelled: limits on registers; several kernels at a time.
 */
#include "sim/run.h"

#include <glib.h>
#include <string.h>

#include "sim/hot-spots.h"
#include "sim/sm.h"
#include "sim/team.h"

#define EPOCH_CYCLES	(1u << 20) /* with nothing left to deal: how often progress is told */
#define PROGRESS_EPOCHS 64	   /* while dealing, an epoch is short: tell each so many */

typedef struct {
	RunContext context;
	Sm *sms;
	uint32_t n_sms;
	uint64_t next_block;
	uint64_t *room_since; /* per SM: in cycles */
	Cycle limit;
} Run;

static const char *too_large(const Run *run, const BlockInfo *info, SimResult *result)
{
	const Machine *machine = run->context.machine;
	const SharedParameters *shared = &machine->shared;

	result->needed = info->n_warps;
	result->available = machine->sm.max_warps;
	if (info->n_warps > machine->sm.max_warps)
		return "warps";
	result->needed = (uint64_t)info->shared_bytes + shared->reserved_bytes;
	result->available = shared->bytes / shared->allocation_bytes * shared->allocation_bytes;
	return "shared bytes";
}

/* The SM that takes the next block: of those with room, the one that has had it longest. */
static Sm *choose(Run *run, const BlockInfo *info)
{
	Sm *best = NULL;

	for (uint32_t i = 0; i < run->n_sms; i++)
		if (sm_fits(&run->sms[i], info) &&
		    (!best || run->room_since[i] < run->room_since[best->id]))
			best = &run->sms[i];
	return best;
}

/* Deals out blocks while there is room. At the start of the kernel everything has room since
   cycle 0, and counting the blocks dealt keeps the turns. False: a block fits no empty SM. */
static bool deal(Run *run, Cycle now, SimResult *result)
{
	const Machine *machine = run->context.machine;
	RecordSource *source = run->context.source;

	for (; run->next_block < source->n_blocks; run->next_block++) {
		BlockInfo info;
		Sm *sm;

		source->block_info(source, run->next_block, &info);
		sm = choose(run, &info);
		if (!sm) {
			for (uint32_t i = 0; i < run->n_sms; i++)
				if (run->sms[i].used_blocks)
					return true; /* room will come */
			result->block = run->next_block;
			result->resource = too_large(run, &info, result);
			return false;
		}
		if (now == 0) {
			sm_admit(sm, run->next_block, &info, 0);
			run->room_since[sm->id]++;
		} else {
			sm_admit(sm, run->next_block, &info,
				 MAX(now,
				     run->room_since[sm->id] + machine->sm.dispatch_cycles));
		}
	}
	return true;
}

static void run_sm(void *data, uint32_t i)
{
	Run *run = data;

	sm_run_until(&run->sms[i], run->limit);
}

static Cycle first_event(Run *run)
{
	Cycle first = NEVER;

	for (uint32_t i = 0; i < run->n_sms; i++)
		first = MIN(first, sm_next(&run->sms[i]));
	return first;
}

/* The failure of the lowest block, so that it does not depend on which SM was looked at first. */
static SimStatus failure(const Run *run, SimResult *result)
{
	const Sm *failed = NULL;

	for (uint32_t i = 0; i < run->n_sms; i++)
		if (run->sms[i].status != SIM_OK &&
		    (!failed || run->sms[i].failed_block < failed->failed_block))
			failed = &run->sms[i];
	if (!failed)
		return SIM_OK;
	result->block = failed->failed_block;
	result->warp = failed->failed_warp;
	result->problem = failed->problem;
	result->failed_cycle = failed->failed_cycle;
	if (failed->status == SIM_DEADLOCK || failed->status == SIM_LIVELOCK)
		collect_waiters(failed, result);
	return failed->status;
}

static uint64_t blocks_done(const Run *run)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < run->n_sms; i++)
		n += run->sms[i].blocks_done;
	return n;
}

static SimStatus run_epochs(Run *run, const SimRequest *request, SimResult *result)
{
	const uint32_t window = MAX(run->context.machine->sm.dispatch_cycles, 1);
	Team *team = team_new(MIN(request->observer ? 1 : request->n_threads, run->n_sms));
	SimStatus status = SIM_OK;
	Cycle now = 0;

	for (uint64_t epoch = 0; status == SIM_OK; epoch++) {
		Cycle first;
		bool dealing;

		if (!deal(run, now, result)) {
			status = SIM_TOO_LARGE;
			break;
		}
		dealing = run->next_block < run->context.source->n_blocks;
		first = first_event(run);
		if (first == NEVER)
			break;
		if (request->progress && (!dealing || epoch % PROGRESS_EPOCHS == 0) &&
		    !request->progress(request->progress_data, blocks_done(run),
				       run->context.source->n_blocks)) {
			status = SIM_INTERRUPTED;
			break;
		}
		run->limit = now = first + (dealing ? window : EPOCH_CYCLES);
		team_do(team, run->n_sms, run_sm, run);
		for (uint32_t i = 0; i < run->n_sms; i++)
			run->room_since[i] = run->sms[i].last_end;
		status = failure(run, result);
	}
	team_free(team);
	return status;
}

static void collect(Run *run, SimResult *result)
{
	for (uint32_t i = 0; i < run->n_sms; i++) {
		sm_finish(&run->sms[i]);
		statistics_add(&result->statistics, &run->sms[i].statistics);
	}
	result->blocks_done = blocks_done(run);
	collect_hot_spots(run->sms, run->n_sms, result);
}

SimStatus sim_run(const SimRequest *request, SimResult *result)
{
	const Machine *machine = request->machine;
	Run run = {
		.context = {.machine = machine,
			    .source = request->source,
			    .observer = request->observer,
			    .seed = request->seed,
			    .n_sites = request->n_sites},
		.n_sms = (uint32_t)MIN(machine->sm.count, MAX(request->source->n_blocks, 1)),
	};

	memset(result, 0, sizeof *result);
	bank_table_init(&run.context.banks, &machine->shared);
	lock_map_init(&run.context.locks, &machine->atomic.lock_hash, machine->atomic.locks,
		      run.context.banks.n_words);
	run.sms = g_new(Sm, run.n_sms);
	run.room_since = g_new0(uint64_t, run.n_sms);
	for (uint32_t i = 0; i < run.n_sms; i++)
		sm_init(&run.sms[i], &run.context, i);

	result->status = run_epochs(&run, request, result);
	collect(&run, result);

	for (uint32_t i = 0; i < run.n_sms; i++)
		sm_clear(&run.sms[i]);
	g_free(run.sms);
	g_free(run.room_since);
	lock_map_clear(&run.context.locks);
	bank_table_clear(&run.context.banks);
	return result->status;
}
