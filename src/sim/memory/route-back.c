/* SPDX-License-Identifier: MIT */
/* The way of results, and of the word that a packet is done, from a slice to the SM. */
#include "sim/memory/state.h"

static void post_reply(Memory *memory, MemoryReply reply, Tick at)
{
	reply.at = (at + TICKS_PER_CYCLE - 1) / TICKS_PER_CYCLE;
	g_array_append_val(memory->replies, reply);
}

/* One of several packets has come back, or one that was watched. */
static void complete_one(Memory *memory, const Flying *flying, Tick at)
{
	Request *request = flying->request;
	const uint32_t sm = flying->event.sm;

	if (at >= request->at) {
		request->at = at;
		request->dram = flying->dram;
	}
	if (--request->n_left > 0)
		return;
	post_reply(memory,
		   (MemoryReply){
			   .id = request->id,
			   .sm = sm,
			   .miss = request->miss,
			   .near = request->near && !request->cached,
			   .far = request->far && !request->cached,
			   .dram = request->dram,
		   },
		   request->at);
	request_free(&memory->nodes[sm], request);
}

static void complete(Memory *memory, Flying *flying, Tick at)
{
	if (flying->is_alone)
		post_reply(memory,
			   (MemoryReply){
				   .id = flying->id,
				   .sm = flying->event.sm,
				   .miss = flying->miss,
				   .near = flying->near_reply,
				   .far = flying->far_reply,
				   .dram = flying->dram,
			   },
			   at);
	else
		complete_one(memory, flying, at);
	flying_free(memory, flying);
}

static int32_t distance(const Memory *memory, const Flying *flying)
{
	return memory->distance[memory->nodes[flying->event.sm].place.group * memory->n_slices +
				flying->slice];
}

/* The ingress that the SMs of a group share. */
static Tick pass_group(Memory *memory, const Flying *flying, Tick at)
{
	return link_group_receive(
		&memory->groups_in[memory->nodes[flying->event.sm].place.group],
		&memory->link_timing, &flying->packet, at);
}

void route_leave(Memory *memory, Flying *flying, Tick now)
{
	const NetworkParameters *network = memory->network;
	int64_t cycles = (int64_t)(flying->kind == ACCESS_LOAD ? network->load_cycles
							       : network->atomic_cycles) -
			 network->one_way_cycles + distance(memory, flying) +
			 (flying->far && flying->replies ? network->far_cycles : 0);
	const Tick back = now + (Tick)MAX(cycles, 0) * TICKS_PER_CYCLE;

	if (flying->replies)
		events_post(&memory->events, &flying->event, EVENT_RECEIVE,
			    MAX(back - flying->last, now));
	else
		complete(memory, flying, back);
}

void route_back(Memory *memory, Flying *flying)
{
	Tick *link = &memory->links[slice_link(memory->l2, flying->packet.line)];

	route_leave(
		memory, flying,
		slice_cross(link, &memory->slice_timing, &flying->packet, flying->event.at));
}

void route_receive(Memory *memory, Flying *flying)
{
	Tick at = flying->event.at;

	/* Its turn, when it is there: what left later and came a shorter way has gone before it. */
	if (flying->kind == ACCESS_LOAD)
		at = pass_group(memory, flying, at);
	complete(memory, flying,
		 link_receive(&memory->nodes[flying->event.sm].link, &memory->link_timing,
			      (AccessKind)flying->kind, &flying->packet, at, flying->last));
}
