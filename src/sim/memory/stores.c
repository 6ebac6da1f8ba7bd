/* SPDX-License-Identifier: MIT */
/*
 * Stores that leave an SM together: one joins another of the same line that is among the next to leave.
 *
 * Seen in measurements/h200/l2/l2-patterns.csv, stores of all lanes by 32 warps, each to four lines again and again: an SM
 * that stores to 1 or 8 lines is never held up by its egress, one that stores to 64 sends 58 % of what egress without
 * this would, one that stores to 128 80 %, and no less where slices hold it up: some 26 lines wait where others can join them.
 * Who joins whom is looked at when a window of the run ends, which the config alone decides.
 * Not modelled: stores of several lines, words that somebody else's loads wait for, stores of the other partition's SMs.
 */
#include "base/spread.h"
#include "sim/memory/state.h"

static uint32_t entry_of(uint64_t line)
{
	return spread_key(line) >> 56;
}

G_STATIC_ASSERT(STORE_ENTRIES == 256);

static bool may_join(const Request *request)
{
	return request->kind == ACCESS_STORE && request->n_packets == 1 && !request->served;
}

void stores_count(Memory *memory, Node *node, const Request *request)
{
	if (memory->network->store_accesses == 0 || !may_join(request))
		return;
	node->n_stores[entry_of(request->packets[0].line)]++;
	node->n_stores_asked++;
}

void stores_left(Memory *memory, Node *node, const Request *request)
{
	if (memory->network->store_accesses > 0 && may_join(request))
		node->n_stores[entry_of(request->packets[0].line)]--;
}

/* Whether another store of its line may wait, too. */
static bool may_meet(const Node *node, const Request *request)
{
	return may_join(request) && node->n_stores[entry_of(request->packets[0].line)] > 1;
}

static bool is_same_line(const Request *a, const Request *b)
{
	return may_join(a) && a->packets[0].line == b->packets[0].line;
}

/* The one behind `before` leaves with `first`, and takes no room of its own behind `at`. */
static void join(Memory *memory, Node *node, Request *first, Request *before, Tick at)
{
	Request *request = before->next;
	Packet *packet = &first->packets[0];
	const Packet *with = &request->packets[0];

	before->next = request->next;
	if (node->last == request)
		node->last = before;
	packet->sectors |= with->sectors;
	packet->full |= with->full;
	packet->both |= with->both;
	packet->n_lanes = MAX(packet->n_lanes, with->n_lanes);
	packet->flits = (uint8_t)(1 + packet_sectors(packet));
	stores_left(memory, node, request);
	memory_post_room(memory, node->event.sm, request->n_flits, at + 1);
	/* With those that have joined it. */
	request->next = request->joined;
	request->joined = NULL;
	while (request) {
		Request *next = request->next;

		request->next = first->joined;
		first->joined = request;
		request = next;
	}
}

/* One of its line that is among the next to leave, and waits still when it comes, as far as is known; or NULL. */
static Request *find_waiting(const Memory *memory, const Node *node, const Request *request)
{
	Tick leaves = node->link.out_free;
	Request *at = node->first;

	for (uint32_t i = 0; i < memory->network->store_accesses && at != request; i++) {
		const Packet *packet = &at->packets[0];

		leaves = MAX(leaves, at->at);
		if ((leaves > request->at || node->waits) && is_same_line(at, request))
			return at;
		leaves += (Tick)at->n_packets * packet->n_rounds * packet->flits *
			  memory->link_timing.flit;
		at = at->next;
	}
	return NULL;
}

void stores_collect(Memory *memory, Node *node, Request *before)
{
	if (node->n_stores_asked == 0)
		return;
	node->n_stores_asked = 0;
	while (before->next) {
		Request *request = before->next, *first = NULL;

		if (may_meet(node, request))
			first = find_waiting(memory, node, request);
		if (first)
			join(memory, node, first, before, request->at);
		else
			before = request;
	}
}

void stores_gather(Memory *memory, Node *node, Tick now)
{
	Request *first = node->first, *before = first;

	if (memory->network->store_accesses == 0 || !may_meet(node, first))
		return;
	for (uint32_t i = 0; i < memory->network->store_accesses; i++) {
		Request *next = before->next;

		if (!next || next->at > now)
			return;
		if (is_same_line(next, first))
			join(memory, node, first, before, now);
		else
			before = next;
	}
}
