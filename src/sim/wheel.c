/* SPDX-License-Identifier: MIT */
#include "sim/wheel.h"

#include <glib.h>
#include <string.h>

void wheel_init(Wheel *wheel)
{
	memset(wheel, 0, sizeof *wheel);
	wheel->far_first = NEVER;
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
