/* SPDX-License-Identifier: MIT */
#include "sim/sm/wheel.h"

#include <glib.h>
#include <string.h>

void wheel_init(Wheel *wheel)
{
	memset(wheel, 0, sizeof *wheel);
	wheel->far_first = NEVER;
}

void wheel_open(Wheel *wheel)
{
	wheel->due = g_new0(uint64_t, WHEEL_SLOTS);
}

void wheel_clear(Wheel *wheel)
{
	g_clear_pointer(&wheel->due, g_free);
}

void wheel_empty(Wheel *wheel, Cycle now)
{
	uint64_t *due = wheel->due;

	wheel_init(wheel);
	wheel->now = now;
	wheel->due = memset(due, 0, WHEEL_SLOTS * sizeof *due);
}

void wheel_bring_near(Wheel *wheel)
{
	uint64_t far = wheel->far;

	wheel->far = 0;
	wheel->far_first = NEVER;
	for (; far; far &= far - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(far);

		wheel_add(wheel, slot, wheel->far_at[slot]);
	}
}

Cycle wheel_first_later(const Wheel *wheel)
{
	const uint32_t now = wheel->now % WHEEL_SLOTS;

	/* The words after this one, then around to this one's lower bits. */
	for (uint32_t i = 1; i <= WHEEL_WORDS; i++) {
		const uint32_t word = (now / 64 + i) % WHEEL_WORDS;
		uint32_t slot;

		if (!wheel->used[word])
			continue;
		slot = word * 64 + (uint32_t)__builtin_ctzll(wheel->used[word]);
		return wheel->now + (slot - now) % WHEEL_SLOTS;
	}
	return wheel->far_first;
}
