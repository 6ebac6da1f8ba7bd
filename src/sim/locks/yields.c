/* SPDX-License-Identifier: MIT */
#include "sim/locks/yields.h"

bool yields_choose(Section *section, LaneMask goes_on)
{
	LaneMask held = section->last & section->trying ? goes_on & section->last : 0;

	if (section->waiting) {
		section->ahead[0] = goes_on ? goes_on : section->waiting;
		section->ahead[1] = goes_on ? section->waiting : 0;
		section->waiting = 0;
	} else if (held && held != goes_on) {
		section->ahead[0] = goes_on & ~held;
		section->waiting = held;
	} else {
		section->ahead[0] = goes_on;
	}
	return section->ahead[0] != 0;
}

/* The larger part of a warp goes first: that of the others has to be left once more. */
uint32_t yields_count(Section *section, LaneMask through)
{
	bool first = !section->diverged &&
		     __builtin_popcountll(through) <= __builtin_popcountll(section->trying);

	section->diverged = true;
	return first ? 2 : 1;
}
