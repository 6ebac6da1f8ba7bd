/* SPDX-License-Identifier: MIT */
/*
 * Fast-forward over failed attempts, so that cost follows work and not waiting.
 *
 * Warps that spin on a lock whose holder waits for memory, or that fail on locks which nobody gives
 * back, issue instruction after instruction to no effect, and soon the same ones again and again. When
 * an SM has not got on for a while, its situation is written down: all that its future depends on, times as
 * what is left of them. Once it comes back, after a period, the same happens once more each period, until
 * a time that is known: the first at which a warp is due that took no part, or at which the watchdog ends
 * the run. So one period's counts are taken, and whole periods are added up to then. What a run counts and
 * when it ends is what it would be without.
 *
 * Not run through: an observed run, for every instruction is shown; locks in global memory, for SMs share
 * them; lanes that draw a winner among them
 * in each round anew (atomic.lock_bits.winner = random). Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_SM_FAST_FORWARD_H
#define ATOMSIM_SIM_SM_FAST_FORWARD_H

#include <glib.h>

#include "sim/sm/sm.h"

/* An SM that has not got on for so long is looked at. */
#define FAST_FORWARD_AFTER_CYCLES 2048

/* An attempt of the warp in `slot` has failed at `now`: sets sm->pause if the SM's situation is worth a look. */
void fast_forward_tried(Sm *sm, uint32_t slot, Cycle now);
/* Between two events, the next of which is at `now`: looks, and runs through whole periods that end by
   `limit` at the latest. Returns when the next event is. */
Cycle fast_forward(Sm *sm, Cycle now, Cycle limit);
/* Until when nothing but failed attempts is known to happen; 0: not known. */
Cycle fast_forward_until(const Sm *sm);
/* A warp that waited for something from outside is due at `at`. */
void fast_forward_woken(Sm *sm, Cycle at);
void fast_forward_clear(Sm *sm);

/* Whether nothing got on for sim.watchdog_cycles before `now`, since `since` at least, and no warp is about to
   get on by itself. */
bool watchdog_bites(const Sm *sm, Cycle since, Cycle now);

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
