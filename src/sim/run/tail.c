/* SPDX-License-Identifier: MIT */
/*
 * With nothing left to deal each SM that shares no memory runs to its end, whatever the others do. One after the other,
 * so that only as many hold decoded records as there are threads; but for the last ones, which threads take in turns, a
 * slice of whichever is furthest behind: else a thread that is through would wait for one that has begun a whole SM.
 */
#include "sim/run/run-state.h"

#define SLICE_CYCLES	  (1u << 14) /* of an SM in turns: about a millisecond */
#define IN_TURNS_A_THREAD 2	     /* so that whoever looks for the next one finds it */

typedef struct {
	Run *run;
	uint32_t first; /* of equal.leaders[]: from here on they are run in turns */
	GMutex mutex;	/* of what follows */
	bool *taken;	/* of the leaders in turns: a thread is at it, or it has ended */
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
		run_tell_here(run);
		return true;
	}
	sm_end(sm);
	if (sm->status == SIM_OK)
		sm_finish(sm);
	return false;
}

/* Of the SMs that are run in turns and wait for a thread the one that is furthest behind; NULL: there is none. */
static Sm *furthest_behind(const Tail *end, uint32_t *place)
{
	const EqualSms *equal = &end->run->equal;
	Sm *behind = NULL;

	for (uint32_t k = end->first; k < equal->n_leaders; k++) {
		Sm *sm = &end->run->sms[equal->leaders[k]];

		if (end->taken[k - end->first] ||
		    (behind && behind->wheel.now <= sm->wheel.now))
			continue;
		behind = sm;
		*place = k - end->first;
	}
	return behind;
}

/* A thread's part of those in turns. */
static void take_turns(Tail *end)
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
		take_turns(end);
	else
		while (run_slice(end->run, &end->run->sms[end->run->equal.leaders[k]],
				 EPOCH_CYCLES))
			;
}

void run_tail(Run *run, ThreadPool *pool)
{
	const uint32_t n_threads = thread_pool_threads(pool), n = run->equal.n_leaders;
	const uint32_t n_in_turns = n_threads > 1 ? MIN(n, IN_TURNS_A_THREAD * n_threads) : 0;
	Tail end = {.run = run, .first = n - n_in_turns, .taken = g_new0(bool, n_in_turns)};

	g_mutex_init(&end.mutex);
	thread_pool_do(pool, end.first + MIN(n_in_turns, n_threads), do_piece, &end);
	g_mutex_clear(&end.mutex);
	g_free(end.taken);
}
