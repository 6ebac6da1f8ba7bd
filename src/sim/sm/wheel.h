/* SPDX-License-Identifier: MIT */
/*
 * When each of an SM's warps is due: a timing wheel of warp masks.
 *
 * At most one event a warp is pending, so a slot of the wheel is a mask of warps, and everything
 * is constant time. The order of events is total: by cycle, within a cycle by the scheduler's
 * choice. Who may include it: sim.
 */
#ifndef ATOMSIM_SIM_SM_WHEEL_H
#define ATOMSIM_SIM_SM_WHEEL_H

#include <glib.h>

#include "model/issue/scheduler.h"
#include "model/shared/shared.h"

#define WHEEL_SLOTS 2048
#define WHEEL_WORDS (WHEEL_SLOTS / 64)

typedef struct {
	Cycle now;     /* no event is due before */
	uint64_t *due; /* WHEEL_SLOTS: warps due at the one cycle of now .. now+2047 */
	uint64_t used[WHEEL_WORDS]; /* bit s: due[s] is not 0 */
	uint64_t far;		    /* warps due later than the wheel reaches */
	Cycle far_first;	    /* the first of them, or earlier; NEVER if none */
	Cycle far_at[MAX_WARP_SLOTS];
} Wheel;

/* Nothing is due. wheel_open makes the room that wheel_add needs, wheel_clear frees it. */
void wheel_init(Wheel *wheel);
void wheel_open(Wheel *wheel);
void wheel_clear(Wheel *wheel);

/* Forgets all that is due, and goes on from `now`. */
void wheel_empty(Wheel *wheel, Cycle now);

/* Brings the far warps that the wheel now reaches onto it. */
void wheel_bring_near(Wheel *wheel);

/* wheel_first where none is due in the 64 cycles from wheel->now on. */
Cycle wheel_first_later(const Wheel *wheel);

/* The three below run once for each executed instruction, hence inline. */

/* Warp `slot`, which has no event pending, is due at `cycle` (>= wheel->now). */
static inline void wheel_add(Wheel *wheel, uint32_t slot, Cycle cycle)
{
	uint32_t s = cycle % WHEEL_SLOTS;

	if (G_UNLIKELY(cycle - wheel->now >= WHEEL_SLOTS)) {
		wheel->far |= UINT64_C(1) << slot;
		wheel->far_at[slot] = cycle;
		wheel->far_first = MIN(wheel->far_first, cycle);
		return;
	}
	wheel->due[s] |= UINT64_C(1) << slot;
	wheel->used[s / 64] |= UINT64_C(1) << s % 64;
}

/* Cycle of the first event; NEVER if there is none. */
static inline Cycle wheel_first(const Wheel *wheel)
{
	const uint32_t s = wheel->now % WHEEL_SLOTS, word = s / 64;
	/* The next 64 cycles, where it nearly always is. */
	const uint64_t near = wheel->used[word] >> s % 64 |
			      wheel->used[(word + 1) % WHEEL_WORDS] << 1 << (63 - s % 64);

	if (G_UNLIKELY(!near))
		return wheel_first_later(wheel);
	return wheel->now + (uint32_t)__builtin_ctzll(near);
}

/* Those that are due before `limit`, as far as the wheel reaches. */
static inline uint64_t wheel_due_before(const Wheel *wheel, Cycle limit)
{
	const Cycle end = MIN(limit, wheel->now + WHEEL_SLOTS);
	uint64_t due = 0;

	for (Cycle at = wheel->now; at < end; at = (at / 64 + 1) * 64) {
		uint64_t used = wheel->used[at % WHEEL_SLOTS / 64] & UINT64_MAX << at % 64;

		if (at / 64 == end / 64)
			used &= (UINT64_C(1) << end % 64) - 1;
		for (; used; used &= used - 1)
			due |= wheel->due[at % WHEEL_SLOTS / 64 * 64 +
					  (uint32_t)__builtin_ctzll(used)];
	}
	return due;
}

/* Moves on to `cycle` (now or later, no event before it) and takes the warps due then. */
static inline uint64_t wheel_take(Wheel *wheel, Cycle cycle)
{
	uint32_t s = cycle % WHEEL_SLOTS;
	uint64_t due;

	wheel->now = cycle;
	if (G_UNLIKELY(wheel->far_first < cycle + WHEEL_SLOTS))
		wheel_bring_near(wheel);
	due = wheel->due[s];
	wheel->due[s] = 0;
	wheel->used[s / 64] &= ~(UINT64_C(1) << s % 64);
	return due;
}

#endif
