/* SPDX-License-Identifier: MIT */
/*
 * With no block left to dispatch each SM that shares no memory runs to its end, whatever the others do. One after the other,
 * so that only as many hold decoded records as there are threads; but for the last ones, which threads run by slices of
 * time, whichever is furthest behind: else a thread that has finished would wait for one that has begun a whole SM.
 */
#include "sim/run/run-state.h"

#define SLICE_CYCLES	    (1u << 14) /* of an SM that is run by slices: about a millisecond */
#define SLICED_SMS_A_THREAD 2	       /* so that whoever looks for the next one finds it */

typedef struct {
	Run *run;
	uint32_t first; /* of equal.representatives[]: from here on they are run by slices */
	GMutex mutex;	/* of what follows */
	bool *taken;	/* of those run by slices: a thread runs it, or it has ended */
} Tail;

/* The SM's next cycles. False: it has ended, has failed, or is to stop. */
static bool run_slice(Run *run, Sm *sm, Cycle cycles)
{
	Cycle next;

	if (sm->status != SIM_OK || g_atomic_int_get(&run->interrupted))
		return false;
	next = sm_next_change(sm);
	if (next != NEVER) {
		run_advance(run, sm, next + cycles);
		run_report_here(run);
		return true;
	}
	sm_end(sm);
	if (sm->status == SIM_OK)
		sm_finish(sm);
	return false;
}

/* Of the SMs that are run by slices and wait for a thread the one that is furthest behind; NULL: there is none. */
static Sm *furthest_behind(const Tail *end, uint32_t *place)
{
	const Representatives *equal = &end->run->equal;
	Sm *behind = NULL;

	for (uint32_t k = end->first; k < equal->n_representatives; k++) {
		Sm *sm = &end->run->sms[equal->representatives[k]];

		if (end->taken[k - end->first] ||
		    (behind && behind->wheel.now <= sm->wheel.now))
			continue;
		behind = sm;
		*place = k - end->first;
	}
	return behind;
}

/* A thread's part of those run by slices. */
static void run_slices(Tail *end)
{
	uint32_t place = 0;
	Sm *sm;

	g_mutex_lock(&end->mutex);
	while ((sm = furthest_behind(end, &place)) != NULL) {
		bool goes_on;

		end->taken[place] = true;
		g_mutex_unlock(&end->mutex);
		goes_on = run_slice(end->run, sm, SLICE_CYCLES);
		g_mutex_lock(&end->mutex);
		end->taken[place] = !goes_on;
	}
	g_mutex_unlock(&end->mutex);
}

static void do_piece(void *data, uint32_t k)
{
	Tail *end = data;

	if (k >= end->first)
		run_slices(end);
	else
		while (run_slice(end->run, &end->run->sms[end->run->equal.representatives[k]],
				 PROGRESS_CYCLES))
			;
}

void run_tail(Run *run, ThreadPool *pool)
{
	const uint32_t n_threads = thread_pool_threads(pool), n = run->equal.n_representatives;
	const uint32_t n_sliced = n_threads > 1 ? MIN(n, SLICED_SMS_A_THREAD * n_threads) : 0;
	Tail end = {.run = run, .first = n - n_sliced, .taken = g_new0(bool, n_sliced)};

	g_mutex_init(&end.mutex);
	thread_pool_do(pool, end.first + MIN(n_sliced, n_threads), do_piece, &end);
	g_mutex_clear(&end.mutex);
	g_free(end.taken);
}
