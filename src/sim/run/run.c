/* SPDX-License-Identifier: MIT */
/*
 * A run: SMs run side by side, their counters put together.
 *
 * A block comes into the room that another has left (dispatch.c) dispatch_cycles later at the earliest. That delay is also
 * what lets SMs run independently, and so on several threads, without a result that depends on them: what
 * an SM frees before `limit` cannot receive a block before `limit` as long as limit is no later than
 * dispatch_cycles after the first event of any SM.
 */
#include "sim/run/run.h"

#include <string.h>

#include "sim/sm/residency.h"
#include "sim/run/hot-spots.h"
#include "sim/run/utilize.h"
#include "sim/run/ideal-machine.h"
#include "sim/run/run-state.h"

static void run_representative(void *data, uint32_t k)
{
	Run *run = data;

	run_advance(run, &run->sms[run->equal.representatives[k]], run->limit);
}

/* Of all SMs, but for what changes nothing. */
static Cycle first_event(Run *run)
{
	Cycle first = NEVER;

	for (uint32_t k = 0; k < run->equal.n_representatives; k++)
		first = MIN(first, sm_next_change(&run->sms[run->equal.representatives[k]]));
	return first;
}

/* While blocks are left to dispatch: all SMs, a window at a time. */
static SimStatus run_dispatching(Run *run, ThreadPool *pool, SimResult *result)
{
	const uint32_t cycles = MAX(run->context.machine->sm.dispatch_cycles, 1);
	SimStatus status = SIM_OK;
	Cycle now = 0;

	for (uint64_t window = 0; status == SIM_OK; window++) {
		if (!run_dispatch(run, now, result))
			return SIM_TOO_LARGE;
		representatives_part(run, pool, now);
		if (g_atomic_int_get(&run->interrupted))
			return SIM_INTERRUPTED;
		if (run->next_block == run->context.source->n_blocks)
			return SIM_OK;
		now = first_event(run);
		for (uint32_t k = 0; now == NEVER && k < run->equal.n_representatives; k++)
			sm_end(&run->sms[run->equal
						 .representatives[k]]); /* no room will come */
		run->limit = now = now == NEVER ? NEVER : now + cycles;
		thread_pool_do(pool, run->equal.n_representatives, run_representative, run);
		representatives_follow(run);
		status = run_failure(run, result);
		if (status == SIM_OK)
			status = run_report_progress(run, window);
	}
	return status;
}

static SimStatus run_blocks(Run *run, SimResult *result)
{
	const SimRequest *request = run->request;
	ThreadPool *pool =
		thread_pool_new(MIN(request->observer ? 1 : request->n_threads, run->n_sms));
	SimStatus status = run->context.memory ? run_windows(run, pool, result)
					       : run_dispatching(run, pool, result);

	if (status == SIM_OK && !run->context.memory) {
		run_tail(run, pool);
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

	statistics->memory = memory_counters(run->context.memory);
	/* Without a second path atomic units do atomics on the only one. */
	if (!run->context.complete_path)
		statistics->memory.complete_accesses = 0;
	if (result->status == SIM_OK) {
		statistics->cycles =
			MAX(statistics->cycles, memory_drained_at(run->context.memory));
		statistics->cycles = global_atomics_finish(atomics, statistics->cycles);
	}
	global_atomics_count(atomics, &statistics->memory);
}

static void collect(Run *run, SimResult *result)
{
	for (uint32_t i = 0; i < run->n_sms; i++) {
		const uint32_t representative = run->equal.representative[i]; /* i at most */

		sm_finish(&run->sms[representative]);
		statistics_add(&result->statistics, &run->sms[representative].statistics);
		result->atomic_uses |= run->sms[representative].atomic_uses;
		result->global_kinds |= run->sms[representative].global_kinds;
	}
	result->n_sms = run->n_sms;
	result->sms_simulated = run->equal.n_representatives;
	result->blocks_done = result->statistics.blocks;
	if (run->context.memory)
		collect_memory(run, result);
	collect_hot_spots(run->sms, run->equal.n_equal, run->n_sms, result);
	if (run->request->sites)
		collect_sites(run->sms, run->equal.n_equal, run->n_sms, run->request->sites);
	if (run->request->utilization)
		collect_utilization(run->sms, run->equal.n_equal, run->n_sms,
				    result->statistics.cycles, run->request->utilization);
}

/* The SMs without a block, and what is kept of each to dispatch blocks to it. */
static void open_sms(Run *run)
{
	run->sms = arena_take(run->context.arena, run->n_sms * sizeof *run->sms);
	memset(run->sms, 0, run->n_sms * sizeof *run->sms);
	run->n_dispatched = g_new0(uint32_t, run->n_sms);
	run->asked = g_new0(RoomAnswer, run->n_sms);
	run->with_room = g_new(WithRoom, run->n_sms);
	for (uint32_t i = 0; i < run->n_sms; i++)
		sm_init(&run->sms[i], &run->context, i);
	representatives_init(run);
	if (run->request->block_log)
		run->request->block_log->leads = run->equal.representative;
}

static void close_sms(Run *run)
{
	for (uint32_t i = 0; i < run->n_sms; i++)
		sm_clear(&run->sms[i]);
	representatives_clear(run);
	g_free(run->n_dispatched);
	g_free(run->asked);
	g_free(run->with_room);
}

uint64_t sim_wave_blocks(const Machine *machine, RecordSource *source)
{
	IdealMachine ideal;
	BlockInfo info;

	if (source->n_blocks == 0)
		return 1;
	source->block_info(source, 0, &info);
	return (uint64_t)residency_blocks(ideal_machine(machine, &ideal), &source->kernel,
					  &info) *
	       machine_launch_sms(machine);
}

SimStatus sim_run(const SimRequest *request, SimResult *result)
{
	IdealMachine ideal;
	const Machine *machine = ideal_machine(request->machine, &ideal);
	Arena arena;
	Run run = {
		.request = request,
		.thread = g_thread_self(),
		.context = {.machine = machine,
			    .source = request->source,
			    .observer = request->observer,
			    .block_log = request->block_log,
			    .seed = request->seed,
			    .note_order = request->note_order,
			    .keep_order = request->keep_order,
			    .order = request->keep_order ? request->order : ORDER_OWN,
			    .n_sites = request->n_sites,
			    .metered = request->utilization != NULL,
			    .arena = &arena},
		.n_sms = (uint32_t)MIN(machine_launch_sms(machine),
				       MAX(request->source->n_blocks, 1)),
	};

	memset(result, 0, sizeof *result);
	result->order = run.context.order;
	for (uint32_t i = 0; i < N_SIM_LIMITS; i++)
		result->limits[i].refused = UINT64_MAX;
	arena_init(&arena);
	run_open_context(&run);
	open_sms(&run);

	result->status = run_blocks(&run, result);
	collect(&run, result);
	if (request->block_log)
		block_log_close(request->block_log);

	close_sms(&run);
	run_close_context(&run.context);
	arena_clear(&arena);
	return result->status;
}
