/* SPDX-License-Identifier: MIT */
/*
 * The operations of a gap, one at a time: model/issue/issue.h says what is modelled.
 */
#include "base/names.h"
#include "sim/sm/exec.h"
#include "sim/sm/fetch.h"

/* What goes through the load/store unit like accesses: one that no lane takes part in, an exchange between lanes, a read
   of an index. Returns when its warp goes on; *late: how long it waits there. Books what of the former is queue, and takes it off the
   arithmetic that all operations are booked as. */
static Cycle through_unit(Sm *sm, const IssueOperation *operation, Cycle now, Cycle *late)
{
	const uint32_t port = operation->empty_access
				      ? sm->machine->issue->predicated_off_access_cycles
				      : operation->busy;
	const Cycle start = shared_begin_other(&sm->shared, now, port);
	Cycle free;

	shared_end_other(&sm->shared, start, operation->lsu, 1);
	*late = start - port - now;
	free = now + (operation->empty_access ? fetch_access_stall(sm)
					      : sm->machine->sm.issue_cycles);
	if (sm->shared.queued_at <= free)
		return free;
	sm_book_queue(sm, free, sm->shared.queued_at, STATE_QUEUE);
	sm->statistics.warp_cycles[STATE_ARITHMETIC] -= sm->shared.queued_at - free;
	return sm->shared.queued_at;
}

/* What goes to textures or surfaces. Its result is late; where it has none, its warp waits for its turn, which this returns. */
static Cycle through_textures(Sm *sm, const IssueOperation *operation, Cycle now, Cycle *late)
{
	*late = scoreboard_turn(&sm->scoreboard.texture_free, operation, now);
	if (operation->n_writes > 0)
		return 0;
	sm->statistics.warp_cycles[STATE_GLOBAL_QUEUE] += *late;
	sm->statistics.warp_cycles[STATE_ARITHMETIC] -= *late;
	return *late;
}

/* The warp's next operation is ready at `ready` but for what it reads. Returns when it has that; NEVER: nobody knows yet,
   and the warp is parked. */
static inline Cycle have_values(Sm *sm, uint32_t slot, const IssueOperation *operation,
				Cycle ready)
{
	const Scoreboard *board = &sm->scoreboard;
	Result wait = {ready, 0, DELAY_ALL(STATE_ARITHMETIC)};
	Cycle at;

	scoreboard_operation_at(board, slot, operation, &wait);
	if (wait.at == ready && scoreboard_has_line(board, slot, operation, ready))
		return ready;
	at = fetch_wait_out(sm, slot, ready, &wait);
	if (G_LIKELY(at != NEVER))
		sm->warps[slot].record_since += at - ready; /* which is not this record's */
	return at;
}

void exec_code(Sm *sm, uint32_t slot, Cycle now)
{
	Scoreboard *board = &sm->scoreboard;
	Warp *warp = &sm->warps[slot];
	const IssueOperation *operation = warp->operation;
	/* What was measured of an atomic's loop ends behind the join of its lanes. */
	bool in_loop = warp->after_loop && operation->class == CODE_JOIN;
	uint32_t stall = in_loop ? 0 : operation->stall;
	Cycle late = 0, queued = 0, ready = now + MAX(stall, sm->machine->sm.issue_cycles);

	if (operation->lsu > 0 && sm->machine->shared.queue > 0)
		ready = through_unit(sm, operation, now, &late);
	else if (operation->class == CODE_SYNC && operation->sm_busy > 0)
		queued = scoreboard_turn(&board->sync_free, operation, now);
	else if (operation->class == CODE_LOOKUP)
		late = scoreboard_lookup_late(board, operation, now);
	else if (code_is_texture(operation->class))
		ready += through_textures(sm, operation, now, &late);
	ready += queued;
	if (code_is_taken(operation->class))
		ready = code_cache_jump(&board->code, slot, operation, ready);
	if (operation != warp->last_operation)
		ready = code_cache_fetch(&board->code, slot, operation + 1, ready);

	warp->in_record = true;
	warp->after_loop = in_loop;
	scoreboard_issue(board, slot, sm->shared.port, operation, now, late);
	exec_observe(sm, slot, code_class_names[operation->class], now, now, ready, 0);
	/* As exec_book has it: its issue is booked with all others. */
	sm->statistics.warp_cycles[STATE_ARITHMETIC] +=
		ready - now - sm->machine->sm.issue_cycles - queued;
	sm->statistics.warp_cycles[STATE_READY] += queued;
	sm->progress_at = now;
	if (operation == warp->last_operation) {
		fetch_next(sm, slot, ready);
		return;
	}
	warp->operation = ++operation;
	scoreboard_want(board, slot, operation);
	ready = have_values(sm, slot, operation, ready);
	if (G_UNLIKELY(ready == NEVER))
		return;
	warp->since = ready;
	wheel_add(&sm->wheel, slot, ready);
}
