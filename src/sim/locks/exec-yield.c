/* SPDX-License-Identifier: MIT */
#include "sim/locks/exec-yield.h"

#include "sim/sm/exec.h"
#include "sim/sm/fetch.h"

void exec_yield_from(Sm *sm, uint32_t slot, Cycle at, uint32_t n_yields)
{
	Warp *warp = &sm->warps[slot];
	Section *section = warp->locks.section;

	/* After a failed attempt it is that record already. */
	if (section->running) {
		section_select(&section->lock, section->trying);
		section_copy(&warp->record, &section->lock);
	}
	section->running = 0;
	section->phase = LOCK_YIELD;
	section->yields = n_yields;
	warp->locks.spinning = true;
	warp->in_record = false;
	warp->since = warp->record_since = at;
	if (sm->scoreboard.dataflow)
		scoreboard_want(&sm->scoreboard, slot, &sm->scoreboard.table->yield);
	wheel_add(&sm->wheel, slot, at);
}

/* The lanes that the warp has yielded to go on to their next lock. */
static void go_ahead(Sm *sm, uint32_t slot, Cycle ready)
{
	Warp *warp = &sm->warps[slot];
	Section *section = warp->locks.section;

	section->last = section->ahead[0];
	section_run(section, section->last, RUN_AHEAD);
	section->ahead[0] = section->ahead[1];
	section->ahead[1] = 0;
	warp->locks.spinning = false;
	fetch_next(sm, slot, ready);
}

void exec_yield(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	Cycle ready =
		now + MAX(sm->machine->issue->stall[CODE_YIELD], sm->machine->sm.issue_cycles);
	Section *section = warp->locks.section;
	bool last = --section->yields == 0;

	if (sm->scoreboard.dataflow) {
		const IssueOperation *operation = &sm->scoreboard.table->yield;

		scoreboard_issue(&sm->scoreboard, slot, sm->shared.port, operation, now, 0);
		scoreboard_want(&sm->scoreboard, slot, last ? NULL : operation);
	}
	exec_observe(sm, slot, "yield", now, now, ready, 0);
	exec_book(sm, now, now, ready, 0, STATE_RETRY);
	site_repeat(sm->sites, warp, ready - warp->record_since);
	warp->since = warp->record_since = ready;
	if (last && section->ahead[0]) {
		go_ahead(sm, slot, ready);
		return;
	}
	if (last)
		section->phase = LOCK_ATTEMPT;
	wheel_add(&sm->wheel, slot, ready);
}
