/* SPDX-License-Identifier: MIT */
/*
 * Fast-forward over failed attempts, so that cost follows work and not waiting.
 *
 * Warps that spin on a lock whose holder waits for memory, or that fail on lock bits that nobody releases, issue the
 * same instructions again and again without effect. When an SM has made no progress for a while, its state is
 * recorded: all that its future depends on, times relative to now. Once the state recurs, after a period, the same
 * happens in each further period, until a time that is known: the first at which a warp is due that took no part, or at
 * which the watchdog ends the run. So the counts of one period are taken, whole periods are skipped up to then, and their
 * counts added. What a run counts and when it ends is what it would be without fast-forward.
 *
 * Not skipped: an observed run, for every instruction is shown; one whose order is noted, or kept from another; locks in global memory, for SMs share them; a winner rule
 * that draws lots each round (atomic.lock_bits.winner = random). Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_SM_FAST_FORWARD_H
#define ATOMSIM_SIM_SM_FAST_FORWARD_H

#include <glib.h>

#include "sim/sm/sm.h"

/* The state of an SM without progress for so long is recorded. */
#define FAST_FORWARD_AFTER_CYCLES 2048

/* An attempt of the warp in `slot` has failed at `now`: sets sm->pause if the SM's state is to be compared. */
void fast_forward_tried(Sm *sm, uint32_t slot, Cycle now);
/* Between two events, the next of which is at `now`: records or compares the state, and skips whole periods that end by
   `limit` at the latest. Returns when the next event is. */
Cycle fast_forward(Sm *sm, Cycle now, Cycle limit);
/* Until when nothing but failed attempts is known to happen; 0: not known. */
Cycle fast_forward_until(const Sm *sm);
/* A warp that waited for something from outside the SM is due at `at`. */
void fast_forward_woken(Sm *sm, Cycle at);
void fast_forward_clear(Sm *sm);

/* Whether no warp made progress for sim.watchdog_cycles before `now`, since `since` at least, and none is about to by
   itself. */
bool watchdog_bites(const Sm *sm, Cycle since, Cycle now);

/* When a warp that runs began what it is at, from which it holds the watchdog off for sim.watchdog_cycles. */
Cycle watchdog_began(const Warp *warp);

/* The attempts of the warp in `slot` have failed at `now`, and ever since `since`: fails if that has gone on for too long. */
static inline void fast_forward_failed(Sm *sm, uint32_t slot, Cycle since, Cycle now)
{
	/* Before that neither has anything to do. */
	if (G_LIKELY(now <= sm->progress_at + MIN(sm->machine->sim.watchdog_cycles,
						  FAST_FORWARD_AFTER_CYCLES)))
		return;
	if (watchdog_bites(sm, since, now))
		sm_fail(sm, SIM_LIVELOCK, &sm->warps[slot], NULL, now);
	fast_forward_tried(sm, slot, now);
}

#endif
