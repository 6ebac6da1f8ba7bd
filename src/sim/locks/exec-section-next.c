/* SPDX-License-Identifier: MIT */
#include "sim/locks/exec-section.h"
#include "sim/locks/yields.h"
#include "sim/sm/fetch.h"

/* Counts what was read for a section. Lanes within a section that have not asked for its lock would never execute what they
   are there for. */
static void count_read(Sm *sm, const Warp *warp)
{
	Section *section = warp->locks.section;

	for (; section->n_counted < section->log->n_added; section->n_counted++) {
		const Record *record;

		section_keep_open(section);
		record = section_record(section, section->n_counted);
		sm_count_record(sm, record);
		if (record->kind == RECORD_LOCK)
			section->inside = record->mask;
		else if (record->n_lanes > 0 && record->mask & ~section->inside)
			sm_fail(sm, SIM_BAD_RECORD, warp,
				"lanes within a critical section that are not of its lock",
				sm->wheel.now);
		if (record->kind == RECORD_UNLOCK)
			section->inside = UINT64_MAX;
	}
}

/* Lanes are out of the loop around a lock, and the others back at its begin: the warp diverges. */
static void leave_loop(Warp *warp)
{
	Section *section = warp->locks.section;

	section->yields = yields_count(section, section->running);
	yields_choose(section, section->running);
	section->running = 0;
	section_select(&section->lock, section->trying);
	section_copy(&warp->record, &section->lock);
	section->phase = LOCK_YIELD;
	warp->locks.spinning = true;
}

/* The running lanes have come to locks, or out of the loop around one: the warp's record becomes that of all that try,
   from `now` on. False: no lane wants a lock. */
static bool arrive(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	Section *section = warp->locks.section;
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
		warp->locks.spinning_since = now;
	else
		warp->locks.spinning = true;
	elsewhere = section_diverged(sm, section->trying | section->waiting);
	section->diverged = tried || elsewhere;
	section->yields = section->ahead[0] || elsewhere;
	section->phase = section->yields ? LOCK_YIELD : LOCK_ATTEMPT;
	return true;
}

bool exec_section_next(Sm *sm, uint32_t slot, Cycle ready)
{
	Warp *warp = &sm->warps[slot];
	SectionNext next = section_next(warp->locks.section, warp->stream, &warp->record);

	count_read(sm, warp);
	if (next == SECTION_ARRIVED && !arrive(sm, slot, ready)) {
		warp->locks.in_section = false;
		return warp->stream->next(warp->stream, &warp->record) == STREAM_RECORD;
	}
	if (next == SECTION_NEVER)
		sm_fail(sm, SIM_BAD_RECORD, warp, "an unlock without the lanes of its lock",
			sm->wheel.now);
	return next == SECTION_RECORD || next == SECTION_ARRIVED;
}
