/* SPDX-License-Identifier: MIT */
/*
 * SMs that share a memory, a window at a time. No SM does anything before `now`, so what the memory serves until
 * one_way_cycles later depends on what it has been asked: a window is no longer than that way, nor than the
 * delay with which a block comes into the room that another has left. In a window only those SMs are looked at
 * that have something to do in it.
 */
#include "sim/memory/exec-memory.h"
#include "sim/run/run-state.h"

typedef struct {
	Run *run;
	Cycle *next;			/* of each SM: its first event, */
	Cycle *change;			/* and the first that is not known to change nothing */
	Cycle first_next, first_change; /* the first of all */
	bool looked;			/* at one since these were found */
	uint32_t *active; /* those with something to do in this window, in order, */
	uint32_t n_active;
	bool alone;  /* one thread runs them, one after the other */
	gint failed; /* atomically: one has */
} Windows;

/* After anything happened to the SM. Who calls it sets `looked`, when no thread is at work. */
static void look(Windows *windows, uint32_t i)
{
	windows->next[i] = sm_next(&windows->run->sms[i]);
	windows->change[i] = sm_next_change(&windows->run->sms[i]);
}

/* What the a-th that is active will look at; on one thread that of the next ones, while this one runs. */
static void bring(const Windows *windows, uint32_t a)
{
	const Run *run = windows->run;
	const uint32_t *next = &windows->active[a];
	const uint32_t n = windows->n_active - a;

	if (!windows->alone || a == 0)
		sm_bring_warps(&run->sms[next[0]], run->limit);
	if (windows->alone && n > 1)
		sm_bring_warps(&run->sms[next[1]], run->limit);
	if (windows->alone && n > 2)
		sm_bring_own(&run->sms[next[2]]);
	sm_bring_streams(&run->sms[next[0]], run->limit);
}

static void run_active(void *data, uint32_t a)
{
	Windows *windows = data;
	Run *run = windows->run;
	uint32_t i = windows->active[a];

	bring(windows, a);
	run_advance(run, &run->sms[i], run->limit);
	look(windows, i);
	if (run->sms[i].status != SIM_OK)
		g_atomic_int_set(&windows->failed, 1);
}

/* Blocks to SMs that have room. False: one fits no empty SM. */
static bool dispatch(Windows *windows, Cycle now, SimResult *result)
{
	Run *run = windows->run;
	uint64_t first = run->next_block;

	if (!run_dispatch(run, now, result))
		return false;
	for (uint32_t i = 0; run->next_block > first && i < run->n_sms; i++)
		if (run->sms[i].new_blocks) {
			look(windows, i);
			windows->looked = true;
		}
	return true;
}

/* Many a window has only the memory at work. */
static void find_first(Windows *windows)
{
	if (!windows->looked)
		return;
	windows->looked = false;
	windows->first_next = windows->first_change = NEVER;
	for (uint32_t i = 0; i < windows->run->n_sms; i++) {
		windows->first_next = MIN(windows->first_next, windows->next[i]);
		windows->first_change = MIN(windows->first_change, windows->change[i]);
	}
}

static void find_active(Windows *windows, Cycle limit)
{
	uint32_t n = 0;

	find_first(windows);
	for (uint32_t i = 0; windows->first_next < limit && i < windows->run->n_sms; i++) {
		windows->active[n] = i;
		n += windows->next[i] < limit;
	}
	windows->n_active = n;
}

/* An order that is kept: what other SMs have still to issue, before each access to the memory. */
static void share_turns(Run *run)
{
	Cycle first = NEVER, second = NEVER;
	uint32_t whose = 0;

	for (uint32_t i = 0; i < run->n_sms; i++) {
		Turns *turns = run->sms[i].turns;
		const Cycle turn = turns ? turns_first(turns) : NEVER;

		second = MIN(second, MAX(first, turn));
		whose = turn < first ? i : whose;
		first = MIN(first, turn);
	}
	for (uint32_t i = 0; i < run->n_sms; i++)
		if (run->sms[i].turns)
			run->sms[i].turns->others = i == whose ? second : first;
}

/* One window. False: the run is over, or has failed as *status says. */
static bool run_window(Windows *windows, ThreadPool *pool, uint32_t cycles, Cycle *now,
		       SimResult *result, SimStatus *status)
{
	Run *run = windows->run;
	Memory *memory = run->context.memory;
	MemoryReply reply;

	if (!dispatch(windows, *now, result)) {
		*status = SIM_TOO_LARGE;
		return false;
	}
	find_first(windows);
	*now = MIN(windows->first_change, memory_next(memory));
	if (*now == NEVER) {
		for (uint32_t i = 0; i < run->n_sms; i++)
			sm_end(&run->sms[i]); /* nothing will wake the warps that wait */
		*status = run_failure(run, result);
		return false;
	}
	memory_serve(memory, *now);
	while (memory_reply(memory, &reply))
		if (global_take_reply(&run->sms[reply.sm], &reply)) {
			look(windows, reply.sm);
			windows->looked = true;
		}
	run->limit = *now += cycles;
	find_active(windows, run->limit);
	if (G_UNLIKELY(run->context.order == ORDER_PACED))
		share_turns(run);
	thread_pool_do(pool, windows->n_active, run_active, windows);
	windows->looked |= windows->n_active > 0;
	*status = g_atomic_int_get(&windows->failed) ? run_failure(run, result) : SIM_OK;
	return *status == SIM_OK;
}

SimStatus run_windows(Run *run, ThreadPool *pool, SimResult *result)
{
	const Machine *machine = run->context.machine;
	const uint32_t cycles =
		MIN(machine->network->one_way_cycles, MAX(machine->sm.dispatch_cycles, 1));
	Windows windows = {
		.run = run,
		.next = g_new(Cycle, run->n_sms),
		.change = g_new(Cycle, run->n_sms),
		.active = g_new(uint32_t, run->n_sms),
		.alone = thread_pool_threads(pool) == 1,
		.looked = true,
	};
	SimStatus status = SIM_OK;
	Cycle now = 0;

	for (uint32_t i = 0; i < run->n_sms; i++)
		look(&windows, i);
	for (uint64_t window = 0;
	     status == SIM_OK && run_window(&windows, pool, cycles, &now, result, &status);
	     window++) {
		if (run->request->between_windows)
			run->request->between_windows(run->request->between_windows_data);
		status = run_report_progress(run, window);
	}
	g_free(windows.next);
	g_free(windows.change);
	g_free(windows.active);
	return status;
}
