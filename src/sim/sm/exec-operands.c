/* SPDX-License-Identifier: MIT */
/*
 * What mechanisms of atomics on shared memory ask of an instruction: its operands, and in the order of another run what it came to.
 */
#include "sim/sm/exec.h"

/*
 * Whether the instruction adds 1 to each lane's word and nobody wants the old value. Where the trace has data flow its
 * instruction says so: one that adds 1 has no operand (ATOMS.POPC.INC), every other has a register for it (ATOMS.ADD),
 * whatever the register holds. Else the values do; without these it is taken for one.
 */
static bool is_increment(const Sm *sm, const Record *record)
{
	const SiteFlow *flow =
		sm->scoreboard.dataflow ? scoreboard_site(&sm->scoreboard, record->site) : NULL;
	bool ones = atomic_may_increment(record->operation, record->result) &&
		    !(flow && flow->n_data > 0);

	for (uint32_t i = 0; ones && record->has_values && i < record->n_lanes; i++)
		ones = record->value[i] == 1;
	return ones;
}

/* Of an addition of 0, by the lanes' ranks. */
static LaneMask same_of(const Record *record)
{
	/* A floating-point number's sign does not count: 0 and -0 are added alike. */
	const uint64_t sign = record->type == TYPE_F32	 ? UINT64_C(1) << 31
			      : record->type == TYPE_F64 ? UINT64_C(1) << 63
							 : 0;
	const bool known = record->has_values && record->operation == OPERATION_ADD;
	LaneMask same = 0;

	for (uint32_t i = 0; known && i < record->n_lanes; i++)
		same |= (LaneMask) !(record->value[i] & ~sign) << i;
	return same;
}

/* What the mechanism wants to know of the operands. */
void exec_atomic_operands(const Sm *sm, Warp *warp)
{
	if (warp->instance->mechanism->wants == WANTS_INCREMENT)
		warp->atomic.increment = is_increment(sm, &warp->record);
	else
		warp->atomic.same = same_of(&warp->record);
}

const LaneMask *exec_atomic_kept(Sm *sm, uint32_t slot, LaneMask *winners)
{
	return !sm->warps[slot].atomic.tries_lock && turns_swap(sm->turns, slot, winners)
		       ? winners
		       : NULL;
}

void exec_atomic_note(const Sm *sm, uint32_t slot, const Step *step)
{
	const Warp *warp = &sm->warps[slot];

	if (step->winners | step->failed)
		warp_order_swapped(
			run_order_of(sm->context->note_order, warp->block->index, warp->index),
			step->winners);
}
