/* SPDX-License-Identifier: MIT */
/*
 * Who is next at a slice, of stores and atomics. It works on so many packets at a time (l2.slice_packets and l2.merge_packets), in the
 * order in which they come. Those beyond wait at its two ports, and are taken by turns: of the ports, and of the clusters of SMs at a port.
 *
 * Measured: measurements/h200/cas-turns.csv. Of 16 SMs whose warps try one word, those in clusters of one, two, three and four SMs are
 * served every 556, 1,108, 1,662 and 2,214 cycles, those of the other half of the L2 (four clusters of one SM) every 371: eight or twelve
 * turns of 46 cycles. Of 132 SMs those in clusters of four are served every 4,440 cycles, those of six every 6,650, however many warps try.
 * Assumed: a slice works on as many packets as have rounds that alternate (SLICE_FLOATS).
 */
#include "sim/memory/state.h"

bool slice_turn_waits(Memory *memory, Flying *flying)
{
	SliceTurns *turns = &memory->turns[flying->slice];

	if (flying->kind == ACCESS_LOAD)
		return false;
	if (turns->n_packets < memory->l2->slice_packets + memory->l2->merge_packets) {
		turns->n_packets++;
		return false;
	}
	by_turns_wait(&memory->packets_waiting[flying->slice * 2 + flying->far],
		      memory->nodes[flying->event.sm].place.cluster, &flying->waiter);
	return true;
}

Flying *slice_turn_ends(Memory *memory, const Flying *done)
{
	SliceTurns *turns = &memory->turns[done->slice];
	ByTurns *waiting = &memory->packets_waiting[done->slice * 2];

	if (done->kind == ACCESS_LOAD)
		return NULL;
	for (uint32_t i = 0; i < 2; i++) {
		const uint32_t port = turns->next_port ^ i;

		if (!waiting[port].first)
			continue;
		turns->next_port = port ^ 1;
		return WAITER_OF(Flying, by_turns_take(&waiting[port]));
	}
	turns->n_packets--;
	return NULL;
}
