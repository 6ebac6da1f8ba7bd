/* SPDX-License-Identifier: MIT */
#include "sim/sm/exec.h"
#include "sim/sm/fetch.h"

Execute *const exec_of_kind[N_RECORD_KINDS] = {
	[RECORD_EXIT] = exec_exit,	 [RECORD_ALU] = exec_arithmetic,
	[RECORD_LDS] = exec_shared,	 [RECORD_STS] = exec_shared,
	[RECORD_ATOM] = exec_atomic,	 [RECORD_LDG] = exec_global,
	[RECORD_STG] = exec_global,	 [RECORD_ATOMG] = exec_global,
	[RECORD_BAR] = exec_barrier,	 [RECORD_LOCK] = exec_lock,
	[RECORD_UNLOCK] = exec_unlock,	 [RECORD_UNKNOWN] = exec_arithmetic,
	[RECORD_CODE] = exec_code,	 [RECORD_SHFL] = exec_arithmetic,
	[RECORD_VOTE] = exec_arithmetic, [RECORD_FENCE] = exec_fence,
};

void exec_begin_record(Sm *sm, Warp *warp, Cycle now)
{
	const Record *record = &warp->record;

	if (warp_locks_run(&warp->locks, RUN_INSIDE) && record->kind == RECORD_EXIT)
		sm_fail(sm, SIM_BAD_RECORD, warp, "the end within a critical section", now);
	/* All lanes end together. */
	g_assert(record->kind != RECORD_EXIT || sm->status != SIM_OK ||
		 !warp_locks_in_section(&warp->locks) ||
		 warp_locks_run(&warp->locks, RUN_TOGETHER));
	if (!warp_locks_in_section(
		    &warp->locks)) /* else when it was read: a round can pass it over */
		fetch_count(sm, record);
}

void exec_book_queue(Sm *sm, Cycle from, Cycle until, WarpState state)
{
	const Cycle further = shared_further_cycles(&sm->shared, from, until);

	sm->statistics.warp_cycles[STATE_BANK] += further;
	sm->statistics.warp_cycles[state] += until - from - further;
}

static Instruction describe(const Sm *sm, uint32_t slot, const char *name, Cycle now,
			    Cycle start, Cycle ready)
{
	const Warp *warp = &sm->warps[slot];

	return (Instruction){
		.sm = sm->id,
		.slot = slot,
		.block = warp->block->index,
		.warp = warp->index,
		.record = &warp->record,
		.name = name,
		.issue = now,
		.start = start,
		.ready = ready,
		.done = ready,
		.base_word = warp->block->base_bytes / 4,
	};
}

void exec_notify(const Sm *sm, uint32_t slot, const char *name, Cycle now, Cycle start,
		 Cycle ready, uint32_t passes)
{
	Observer *observer = sm->context->observer;
	Instruction instruction = describe(sm, slot, name, now, start, ready);

	instruction.passes = passes;
	observer->instruction(observer, &instruction);
}

void exec_notify_step(const Sm *sm, uint32_t slot, Cycle now, const Step *step, LaneMask tried,
		      uint32_t round, Cycle done)
{
	Observer *observer = sm->context->observer;
	Instruction instruction = describe(sm, slot, step->name, now, step->start, step->ready);

	instruction.done = done;
	instruction.winners = step->winners;
	instruction.tried = tried;
	instruction.round = round;
	instruction.failed = step->failed;
	instruction.passes = step->passes;
	observer->instruction(observer, &instruction);
}
