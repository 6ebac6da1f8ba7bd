/* SPDX-License-Identifier: MIT */
/*
 * What an SM sends but loads: stores, and atomics. The network takes in so much of it (network.network_flits), and each slice a few
 * rounds of each SM's atomics besides (network.slice_rounds); the rest waits in the SM, which is busy as long as some does, though its warps
 * have ended; and while there is no more room for that (network.queue_flits) warps wait with their accesses to global memory.
 * measurements/h200/ends.csv, ends-few.csv and ends-random.csv.
 */
#include "sim/memory/state.h"

static bool is_counted(AccessKind kind, bool tries)
{
	return kind != ACCESS_LOAD && !tries;
}

/* Flits of them that the slice has no place for. */
static uint32_t beyond(const Memory *memory, const Backlog *backlog)
{
	const uint32_t places = memory->network->slice_rounds;

	if (backlog->rounds <= places)
		return 0;
	return (uint64_t)backlog->flits * (backlog->rounds - places) / backlog->rounds;
}

/* Until when the SM's port would be sending it, with what came before, if nothing held it up on the way. */
static void push(const Memory *memory, Node *node, const MemoryAccess *access,
		 const Packet *packet)
{
	node->pushed = MAX(node->pushed, access->issue * TICKS_PER_CYCLE) +
		       packet->n_rounds * packet->flits * memory->link_timing.flit;
}

void queue_enter(const Memory *memory, Node *node, const MemoryAccess *access,
		 const Packet *packets, uint32_t n)
{
	for (uint32_t i = 0; is_counted(access->kind, access->tries) && i < n; i++) {
		const uint32_t flits = packets[i].n_rounds * packets[i].flits;
		bool away;
		Backlog *backlog;

		push(memory, node, access, &packets[i]);
		if (access->kind == ACCESS_STORE) {
			node->n_unserved += flits;
			continue;
		}
		backlog = &node->backlogs[line_served(memory, node, access->kind,
						      packets[i].line, &away)];

		node->n_unserved -= beyond(memory, backlog);
		backlog->flits += flits;
		backlog->rounds += packets[i].n_rounds;
		node->n_unserved += beyond(memory, backlog);
	}
}

static void post_room(Memory *memory, const Node *node, Tick at)
{
	const MemoryReply reply = {
		.at = (at + TICKS_PER_CYCLE - 1) / TICKS_PER_CYCLE,
		.sm = node->event.sm,
		.room = true,
	};

	g_array_append_val(memory->replies, reply);
}

void queue_leave(Memory *memory, const Flying *flying)
{
	const uint32_t most = memory->network->network_flits;
	Node *node = &memory->nodes[flying->event.sm];
	Backlog *backlog = &node->backlogs[flying->slice];
	const uint32_t flits = flying->packet.n_rounds * flying->packet.flits;
	const bool waited = node->n_unserved > most;

	if (!is_counted((AccessKind)flying->kind, flying->tries))
		return;
	if (flying->kind == ACCESS_STORE) {
		node->n_unserved -= flits;
	} else {
		node->n_unserved -= beyond(memory, backlog);
		backlog->flits -= flits;
		backlog->rounds -= flying->packet.n_rounds;
		node->n_unserved += beyond(memory, backlog);
	}
	if (waited && node->n_unserved <= most)
		node->left_at = flying->event.at;
	if (node->n_for_room == 0 || memory_is_full(memory, flying->event.sm))
		return;
	/* One goes on at a time, as what it sends may fill the queue again; all, if nothing is left that would let others go on. */
	for (uint32_t n = node->n_unserved > most ? 1 : node->n_for_room; n > 0; n--)
		post_room(memory, node, flying->event.at);
}

bool memory_is_full(const Memory *memory, uint32_t sm)
{
	return memory->nodes[sm].n_unserved >
	       memory->network->network_flits + memory->network->queue_flits;
}

void memory_wait_for_room(Memory *memory, uint32_t sm)
{
	memory->nodes[sm].n_for_room++;
}

void memory_end_wait_for_room(Memory *memory, uint32_t sm)
{
	g_assert(memory->nodes[sm].n_for_room > 0);
	memory->nodes[sm].n_for_room--;
}

Cycle memory_left_at(const Memory *memory, uint32_t sm)
{
	const Node *node = &memory->nodes[sm];
	const Cycle left = node->left_at / TICKS_PER_CYCLE;
	const Tick room = memory->network->network_flits * memory->link_timing.flit;
	/* What is served then could have been so much earlier, had it not waited. */
	const Cycle served = left - MIN(left, memory->network->one_way_cycles);

	/* What finds a place at its slice has to get there. */
	return MAX(served, (node->pushed - MIN(node->pushed, room)) / TICKS_PER_CYCLE);
}
