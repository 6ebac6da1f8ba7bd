/* SPDX-License-Identifier: MIT */
#include "sim/locks/yields.h"

bool lock_rounds_part(Section *section, LaneMask goes_on)
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
uint32_t lock_rounds_yields(Section *section, LaneMask through)
{
	bool first = !section->parted &&
		     __builtin_popcountll(through) <= __builtin_popcountll(section->trying);

	section->parted = true;
	return first ? 2 : 1;
}

/* Lanes are out of the loop around a lock, and the others back at its begin: the warp parts. */
static void leave_loop(Warp *warp)
{
	Section *section = warp->section;

	section->yields = lock_rounds_yields(section, section->running);
	lock_rounds_part(section, section->running);
	section->running = 0;
	section_select(&section->lock, section->trying);
	section_copy(&warp->record, &section->lock);
	section->phase = LOCK_YIELD;
	warp->spinning = true;
}

bool lock_rounds_arrive(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	Section *section = warp->section;
	const LaneMask tried = section->trying;
	bool elsewhere;

	if (section->run == RUN_OUT) {
		leave_loop(warp);
		return true;
	}
	if (!section_want(section, warp->stream))
		sm_fail(sm, SIM_SOURCE_FAILED, warp, NULL, now);
	if (!section->trying) {
		g_assert(section_is_over(section) || sm->status != SIM_OK);
		return false;
	}
	section_copy(&warp->record, &section->lock);
	/* Lanes that have come no further, as their next lock cannot be tried with the others', are no progress. */
	if (section->out || !tried)
		warp->spinning_since = now;
	else
		warp->spinning = true;
	elsewhere = (section->trying | section->waiting) != lock_rounds_lanes(sm);
	section->parted = tried || elsewhere;
	section->yields = section->ahead[0] || elsewhere;
	section->phase = section->yields ? LOCK_YIELD : LOCK_TRY;
	return true;
}
