/* SPDX-License-Identifier: MIT */
/*
 * A run: SMs run side by side, their counters put together.
 *
 * A block comes into the room that another has left (deal.c) dispatch_cycles later at the earliest. That delay is also
 * what lets SMs run independently, and so on several threads, without a result that depends on them: what
 * an SM frees before `limit` cannot receive a block before `limit` as long as limit is no later than
 * dispatch_cycles after the first event of any SM.
 */
#include "sim/run.h"

#include <string.h>

#include "model/slice-map.h"
#include "sim/blocks.h"
#include "sim/hot-spots.h"
#include "sim/run-state.h"
#include "sim/waiters.h"

#define EPOCH_CYCLES (1u << 20) /* how often an SM on its way to the end tells of it */

void run_advance(Run *run, Sm *sm, Cycle limit)
{
	uint64_t before = sm->blocks_done;

	sm_run_until(sm, limit);
	if (sm->blocks_done == before)
		return;
	run->asked[sm->id].n_warps = 0;
	g_atomic_int_add(&run->blocks_done, (gint)(sm->blocks_done - before));
}

static void run_sm(void *data, uint32_t i)
{
	Run *run = data;

	run_advance(run, &run->sms[i], run->limit);
}

/* Of all SMs, but for what changes nothing. */
static Cycle first_event(Run *run)
{
	Cycle first = NEVER;

	for (uint32_t i = 0; i < run->n_sms; i++)
		first = MIN(first, sm_next_change(&run->sms[i]));
	return first;
}

SimStatus run_failure(const Run *run, SimResult *result)
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

/* Tells how far the run is; from its own thread only. Notes an interruption. */
static void tell(Run *run)
{
	const SimRequest *request = run->request;

	if (request->progress &&
	    !request->progress(request->progress_data,
			       (uint64_t)g_atomic_int_get(&run->blocks_done),
			       request->source->n_blocks))
		g_atomic_int_set(&run->interrupted, 1);
}

SimStatus run_tell_epoch(Run *run, uint64_t epoch)
{
	if (epoch % PROGRESS_EPOCHS == 0)
		tell(run);
	return g_atomic_int_get(&run->interrupted) ? SIM_INTERRUPTED : SIM_OK;
}

/* While blocks are left to deal: all SMs, a window at a time. */
static SimStatus run_dealing(Run *run, ThreadPool *pool, SimResult *result)
{
	const uint32_t window = MAX(run->context.machine->sm.dispatch_cycles, 1);
	SimStatus status = SIM_OK;
	Cycle now = 0;

	for (uint64_t epoch = 0; status == SIM_OK; epoch++) {
		if (!run_deal(run, now, result))
			return SIM_TOO_LARGE;
		if (run->next_block == run->context.source->n_blocks)
			return SIM_OK;
		now = first_event(run);
		for (uint32_t i = 0; now == NEVER && i < run->n_sms; i++)
			sm_end(&run->sms[i]); /* no room will come */
		run->limit = now = now == NEVER ? NEVER : now + window;
		thread_pool_do(pool, run->n_sms, run_sm, run);
		status = run_failure(run, result);
		if (status == SIM_OK)
			status = run_tell_epoch(run, epoch);
	}
	return status;
}

/* With nothing left to deal an SM runs to its end before the next one starts, so that only as many
   hold decoded records as there are threads. */
static void run_sm_to_end(void *data, uint32_t i)
{
	Run *run = data;
	Sm *sm = &run->sms[i];
	Cycle next = 0;

	while (sm->status == SIM_OK && (next = sm_next_change(sm)) != NEVER &&
	       !g_atomic_int_get(&run->interrupted)) {
		run_advance(run, sm, next + EPOCH_CYCLES);
		if (g_thread_self() == run->thread)
			tell(run);
	}
	if (sm->status == SIM_OK && next == NEVER)
		sm_end(sm);
	if (sm->status == SIM_OK && next == NEVER)
		sm_finish(sm);
}

static SimStatus run_blocks(Run *run, SimResult *result)
{
	const SimRequest *request = run->request;
	ThreadPool *pool =
		thread_pool_new(MIN(request->observer ? 1 : request->n_threads, run->n_sms));
	SimStatus status = run->context.memory ? run_windows(run, pool, result)
					       : run_dealing(run, pool, result);

	if (status == SIM_OK && !run->context.memory) {
		thread_pool_do(pool, run->n_sms, run_sm_to_end, run);
		status = run_failure(run, result);
		if (status == SIM_OK && g_atomic_int_get(&run->interrupted))
			status = SIM_INTERRUPTED;
	}
	thread_pool_free(pool);
	return status;
}

static void collect_memory(Run *run, SimResult *result)
{
	const GlobalAtomics *atomics = &run->context.global_atomics;
	Statistics *statistics = &result->statistics;

	statistics->memory = *memory_counters(run->context.memory);
	statistics->memory.complete_accesses =
		run->context.complete_path ? statistics->memory.accesses : 0;
	if (result->status == SIM_OK)
		statistics->cycles = global_atomics_finish(atomics, statistics->cycles);
	global_atomics_count(atomics, &statistics->memory);
}

static void collect(Run *run, SimResult *result)
{
	for (uint32_t i = 0; i < run->n_sms; i++) {
		sm_finish(&run->sms[i]);
		statistics_add(&result->statistics, &run->sms[i].statistics);
	}
	result->blocks_done = result->statistics.blocks;
	if (run->context.memory)
		collect_memory(run, result);
	collect_hot_spots(run->sms, run->n_sms, result);
}

/* Where each buffer begins if all lie one behind the other, in lines of the first cache. */
static uint64_t *first_lines(const KernelInfo *kernel)
{
	uint64_t *first = g_new0(uint64_t, kernel->n_buffers + 1);

	for (uint32_t b = 0; b < kernel->n_buffers; b++)
		first[b + 1] = first[b] + kernel->buffer_bytes[b] / L1_LINE_BYTES + 1;
	return first;
}

#define BUFFER_ALIGNMENT (UINT64_C(2) << 20) /* of allocations: cudaMalloc's large pages */

/* Whether the memory itself carries out atomics of this kernel, on a machine where that means the slow path. */
static bool takes_complete_path(const Machine *machine, RecordSource *source)
{
	return machine->paths->rule == PATHS_KERNEL_HAS_ATOMIC &&
	       machine->global_atomic.mechanism->by_memory && global_atomics_in(source);
}

/* The memory that SMs share, where the machine has one and the trace says addresses. */
static void open_memory(Run *run)
{
	RunContext *context = &run->context;
	const KernelInfo *kernel = &context->source->kernel;
	const Machine *machine = context->machine;
	uint64_t end = 0, footprint = 0;

	if (machine->global.model != GLOBAL_SLICES || kernel->n_buffers == 0)
		return;
	context->buffer_base = g_new(uint64_t, kernel->n_buffers);
	for (uint32_t i = 0; i < kernel->n_buffers; i++) {
		context->buffer_base[i] = end;
		end += (kernel->buffer_bytes[i] + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT *
		       BUFFER_ALIGNMENT;
		footprint += kernel->buffer_bytes[i];
	}
	context->global_locks = global_locks_new();
	if (kernel->dataflow)
		context->polls =
			polls_new(context->source, context->buffer_base, machine->issue);
	run->l2 = *machine->l2;
	run->network = *machine->network;
	context->complete_path = takes_complete_path(machine, context->source);
	if (context->complete_path)
		paths_take_complete(machine->paths, &run->l2, &run->network);
	context->memory = memory_new(&run->l2, &run->network, machine->dram, machine->clock_mhz,
				     run->n_sms, footprint, context->arena);
	global_atomics_open(&context->global_atomics, machine, context->source, end);
}

/* The mechanisms that records name: which those are. config has seen that the machine has them. */
static uint32_t *places(const Machine *machine, const KernelInfo *kernel)
{
	GArray *named = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (uint32_t k = 0; kernel->mechanisms && kernel->mechanisms[k]; k++) {
		uint32_t place = mechanism_place(mechanism_find(kernel->mechanisms[k]));

		g_assert(machine->atomic.named >> place & 1);
		g_array_append_val(named, place);
	}
	return (uint32_t *)(void *)g_array_free(named, named->len == 0);
}

/* Of the lines of constants: the SMs that get blocks, group by group, and as many schedulers of each as have warps when
   all blocks have been dealt that fit. */
static void share_lines(RunContext *context, uint32_t n_sms)
{
	const Machine *machine = context->machine;
	RecordSource *source = context->source;
	const uint64_t n_blocks = (source->n_blocks + n_sms - 1) / n_sms;
	g_autoptr(GArray) n_of_group = g_array_new(FALSE, TRUE, sizeof(uint32_t));
	BlockInfo info = {0};

	if (!source->kernel.dataflow || machine->issue->constant_request_cycles == 0)
		return;
	if (source->n_blocks > 0)
		source->block_info(source, 0, &info);
	context->line_schedulers =
		(uint32_t)MIN(machine->sm.schedulers, MAX(n_blocks * info.n_warps, 1));
	context->line_sms = g_new(uint32_t, n_sms);
	for (uint32_t i = 0; i < n_sms; i++) {
		const uint32_t group =
			slice_sm_gpc(machine->l2, machine->network->group_sms, n_sms, i);

		if (group >= n_of_group->len)
			g_array_set_size(n_of_group, group + 1);
		g_array_index(n_of_group, uint32_t, group)++;
		context->line_sms[i] = group;
	}
	for (uint32_t i = 0; i < n_sms; i++)
		context->line_sms[i] =
			g_array_index(n_of_group, uint32_t, context->line_sms[i]);
}

SimStatus sim_run(const SimRequest *request, SimResult *result)
{
	const Machine *machine = request->machine;
	Run run = {
		.request = request,
		.thread = g_thread_self(),
		.context = {.machine = machine,
			    .source = request->source,
			    .observer = request->observer,
			    .seed = request->seed,
			    .n_sites = request->n_sites},
		.n_sms = (uint32_t)MIN(machine->sm.count, MAX(request->source->n_blocks, 1)),
	};

	Arena arena;

	memset(result, 0, sizeof *result);
	arena_init(&arena);
	run.context.arena = &arena;
	for (uint32_t i = 0; i < N_SIM_LIMITS; i++)
		result->limits[i].refused = UINT64_MAX;
	run.context.first_line = first_lines(&request->source->kernel);
	run.context.named = places(machine, &request->source->kernel);
	bank_table_init(&run.context.banks, &machine->shared,
			blocks_reach(machine, request->source, run.n_sms) / 4);
	if (atomic_has_locks(&machine->atomic))
		lock_map_init(&run.context.locks, &machine->atomic.lock_hash,
			      machine->atomic.locks, run.context.banks.n_words);
	issue_table_init(&run.context.issue_table, request->source->kernel.dataflow,
			 machine->issue);
	share_lines(&run.context, run.n_sms);
	open_memory(&run);
	run.sms = arena_take(&arena, run.n_sms * sizeof *run.sms);
	memset(run.sms, 0, run.n_sms * sizeof *run.sms);
	run.n_dealt = g_new0(uint32_t, run.n_sms);
	run.asked = g_new0(RoomAnswer, run.n_sms);
	run.with_room = g_new(uint32_t, run.n_sms);
	for (uint32_t i = 0; i < run.n_sms; i++)
		sm_init(&run.sms[i], &run.context, i);

	result->status = run_blocks(&run, result);
	collect(&run, result);

	for (uint32_t i = 0; i < run.n_sms; i++)
		sm_clear(&run.sms[i]);
	g_free(run.n_dealt);
	g_free(run.asked);
	g_free(run.with_room);
	if (run.context.memory)
		memory_free(run.context.memory);
	global_locks_free(run.context.global_locks);
	polls_free(run.context.polls);
	global_atomics_close(&run.context.global_atomics);
	g_free(run.context.buffer_base);
	g_free(run.context.line_sms);
	issue_table_clear(&run.context.issue_table);
	lock_map_clear(&run.context.locks);
	bank_table_clear(&run.context.banks);
	g_free(run.context.first_line);
	g_free(run.context.named);
	arena_clear(&arena);
	return result->status;
}
