/* SPDX-License-Identifier: MIT */
#include "sim/wheel.h"

#include <glib.h>
#include <string.h>

void wheel_init(Wheel *wheel)
{
	memset(wheel, 0, sizeof *wheel);
	wheel->far_first = NEVER;
}

void wheel_add(Wheel *wheel, uint32_t slot, Cycle cycle)
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
	wheel->used_words |= 1u << s / 64;
}

/* Brings the far warps that the wheel now reaches onto it. */
static void bring_near(Wheel *wheel)
{
	uint64_t far = wheel->far;

	wheel->far = 0;
	wheel->far_first = NEVER;
	for (; far; far &= far - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(far);

		wheel_add(wheel, slot, wheel->far_at[slot]);
	}
}

Cycle wheel_first(Wheel *wheel)
{
	uint32_t now = wheel->now % WHEEL_SLOTS, word = now / 64, words;
	uint64_t here = wheel->used[word] & (UINT64_MAX << now % 64);
	uint32_t slot;

	if (here) {
		slot = word * 64 + (uint32_t)__builtin_ctzll(here);
		return wheel->now + (slot - now);
	}
	if (!wheel->used_words)
		return wheel->far_first;
	/* The words after this one, then around to this one's lower bits. */
	words = word + 1 < 32 ? wheel->used_words & (UINT32_MAX << (word + 1)) : 0;
	word = (uint32_t)__builtin_ctz(words ? words : wheel->used_words);
	slot = word * 64 + (uint32_t)__builtin_ctzll(wheel->used[word]);
	return wheel->now + (slot - now) % WHEEL_SLOTS;
}

uint64_t wheel_take(Wheel *wheel, Cycle cycle)
{
	uint32_t s = cycle % WHEEL_SLOTS;
	uint64_t due;

	wheel->now = cycle;
	if (G_UNLIKELY(wheel->far_first < cycle + WHEEL_SLOTS))
		bring_near(wheel);
	due = wheel->due[s];
	if (due) {
		wheel->due[s] = 0;
		wheel->used[s / 64] &= ~(UINT64_C(1) << s % 64);
		if (!wheel->used[s / 64])
			wheel->used_words &= ~(1u << s / 64);
	}
	return due;
}
