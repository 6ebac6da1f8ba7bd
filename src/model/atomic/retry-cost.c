/* SPDX-License-Identifier: MIT */
/*
 * The hardware of who tries again when, of any mechanism. Assumed, as nothing of it is published:
 * - one-winner: for each lane of a resident warp a bit that it waits and the number of its lock, which is compared with the lock that
 *   is set free.
 * - fifo: for each lane of a resident warp who comes next, and a bit that it waits.
 * - back_off_cycles: for each resident warp a counter of cycles and one of lost rounds, and gates that count the first down; for each
 *   SM a shift register of 16 bits to draw from.
 */
#include "model/atomic/retry.h"
#include "model/cost.h"

void retry_count_lanes(const RetryParameters *parameters, const CostMachine *machine,
		       uint32_t n_locks, CostPart *part)
{
	const uint32_t n_lanes = machine->n_warps * COST_LANES;

	if (parameters->who == RETRY_ALL)
		return;
	part->units = machine->n_sms;
	part->entries = part->bits = n_lanes;
	if (parameters->who == RETRY_FIFO)
		part->bits += part->entries * cost_index_bits(n_lanes);
	else
		part->tag_bits = part->entries * cost_index_bits(n_locks);
}

void retry_count_back_off(const RetryParameters *parameters, const CostMachine *machine,
			  CostPart *part)
{
	const uint32_t width = cost_index_bits(
		((uint64_t)parameters->back_off_cycles << parameters->back_off_doublings) + 1);

	if (parameters->back_off_cycles == 0)
		return;
	part->units = machine->n_sms;
	part->entries = machine->n_warps;
	part->bits =
		part->entries * (width + cost_index_bits(parameters->back_off_doublings + 1)) +
		16;
	/* To count down is a half subtractor: two gates a bit; to see that it is 0 one more. */
	part->gates = part->entries * width * 3;
}
