/* SPDX-License-Identifier: MIT */
#include "sim/sm/exec.h"
#include "sim/sm/fetch.h"

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
		sm_count_record(sm, record);
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
		.shared = &sm->shared,
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
	instruction.tried = tried & ~step->waiting;
	instruction.round = round;
	instruction.failed = step->failed;
	instruction.passes = step->passes;
	observer->instruction(observer, &instruction);
}
