/* SPDX-License-Identifier: MIT */
/*
 * The operations of a gap, one at a time: model/issue.h says what is modelled.
 */
#include "base/names.h"
#include "sim/exec.h"
#include "sim/fetch.h"

/* An access that no lane takes part in goes through the load/store unit like others. Returns when its warp goes on. */
static Cycle empty_access(Sm *sm, Cycle now)
{
	Cycle start =
		shared_begin_other(&sm->shared, now, sm->machine->issue->empty_access_cycles);

	shared_end_other(&sm->shared, start, 1);
	return MAX(now + fetch_access_stall(sm), sm->shared.queued_at);
}

void exec_code(Sm *sm, uint32_t slot, Cycle now)
{
	Scoreboard *board = &sm->scoreboard;
	Warp *warp = &sm->warps[slot];
	const IssueOperation *operation = warp->operation;
	/* What was measured of an atomic's loop ends behind the join of its lanes. */
	bool in_loop = warp->after_loop && operation->class == CODE_JOIN;
	uint32_t stall = in_loop ? 0 : operation->stall;
	Cycle ready = sm->machine->shared.queue > 0 && operation->empty_access
			      ? empty_access(sm, now)
			      : now + MAX(stall, sm->machine->sm.issue_cycles);

	warp->in_record = true;
	warp->after_loop = in_loop;
	scoreboard_issue(board, slot, sm->shared.port, operation, now);
	exec_observe(sm, slot, code_class_names[operation->class], now, now, ready, 0);
	exec_book(sm, now, now, ready, 0, STATE_ARITHMETIC);
	sm->progress_at = now;
	if (operation == warp->last_operation) {
		fetch_next(sm, slot, ready);
		return;
	}
	warp->operation = ++operation;
	scoreboard_want(board, slot, operation);
	if (!scoreboard_settled(board, slot, operation, ready)) {
		Cycle next = ready;

		ready = fetch_wait_for_values(sm, slot, next);
		if (G_UNLIKELY(ready == NEVER))
			return;
		warp->record_since += ready - next; /* which is not this record's */
	}
	warp->since = ready;
	wheel_add(&sm->wheel, slot, ready);
}
