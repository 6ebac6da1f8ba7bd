/* SPDX-License-Identifier: MIT */
/*
 * The ways of packets: from an SM's port to their home slice, through the mirror of the other partition, and back.
 */
#include "sim/memory/state.h"

static void post_reply(Memory *memory, uint32_t sm, uint64_t id, Tick at, bool near, bool far,
		       bool dram)
{
	MemoryReply reply = {
		.at = (at + TICKS_PER_CYCLE - 1) / TICKS_PER_CYCLE,
		.id = id,
		.sm = sm,
		.near = near,
		.far = far,
		.dram = dram,
	};

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
	post_reply(memory, sm, request->id, request->at, request->near && !request->cached,
		   request->far && !request->cached, request->dram);
	request_free(&memory->nodes[sm], request);
}

static void complete(Memory *memory, Flying *flying, Tick at)
{
	if (flying->is_alone)
		post_reply(memory, flying->event.sm, flying->id, at, flying->near_reply,
			   flying->far_reply, flying->dram);
	else
		complete_one(memory, flying, at);
	flying_free(memory, flying);
}

/* Where a packet of an SM is served: home, and whether in the other partition. */
static uint32_t home_of(const Memory *memory, const Node *node, Request *request, uint64_t line,
			bool *far)
{
	const AccessKind kind = (AccessKind)request->kind;
	SlicePlace place = slice_place(memory->l2, line);
	bool away = place.partition != node->place.partition;

	request->far |= away;
	request->near |= !away;
	*far = kind >= ACCESS_ATOMIC && away;
	/* Each partition keeps a copy for loads. Stores are taken for as near. */
	if (kind < ACCESS_ATOMIC)
		place.partition = node->place.partition;
	return place.partition * memory->l2->slices + place.slice;
}

/* Whether a partition that is not a line's home has a copy for loads; from then on it has one if there was none when the kernel
   began. */
static bool is_copied(const Memory *memory, const Node *node, uint64_t line)
{
	if (!memory->copied)
		return memory_holds(memory->copies, line);
	if (memory->written_by &&
	    memory->written_by[line / WRITTEN_LINES % memory->n_writers] ==
		    node->place.partition)
		return true;
	return !g_hash_table_add(memory->copied,
				 (gpointer)(uintptr_t)(line * 2 + node->place.partition));
}

/* When this kernel has a line in the L2 of which nothing was there before; 0: nobody has asked for it. */
static Tick fetched_at(const Memory *memory, uint64_t line)
{
	return (Tick)(uintptr_t)g_hash_table_lookup(memory->fetched,
						    (gconstpointer)(uintptr_t)line);
}

static bool holds(const Memory *memory, uint64_t line)
{
	return memory->fetched ? fetched_at(memory, line) > 0 : dram_holds(&memory->dram, line);
}

/* Whether a load has to bring a line of the other partition into this one. */
static bool is_brought(const Memory *memory, const Node *node, uint64_t line)
{
	if (slice_place(memory->l2, line).partition == node->place.partition)
		return false;
	/* What comes from DRAM comes by the side where it is at home (issue-dram-lines.csv: the lines of one side take 205 cycles more). */
	return !is_copied(memory, node, line) || !holds(memory, line);
}

/* At its home's port. Loads have a way of their own. */
static void enter(Memory *memory, Flying *flying, Tick now)
{
	Port *port = &memory->ports[flying->slice * 2 + flying->far];

	if (flying->kind != ACCESS_LOAD)
		now = slice_enter(&port->intake, &memory->slice_timing, &flying->packet, now);
	if (flying->is_watched)
		__builtin_prefetch(flying->request);
	events_post(&memory->events, &flying->event, EVENT_READY, now);
}

/* Of a port, that a packet with all its rounds takes: no more than half. */
static uint32_t places(const Memory *memory, const Packet *packet)
{
	return MIN(packet->n_rounds, MAX(memory->l2->port_packets / 2, 1));
}

/* A try's with all its rounds, of which an SM has room for two at least. */
static uint32_t lock_attempt_flits(const Memory *memory, const Packet *packet)
{
	return MIN((uint32_t)packet->n_rounds * packet->flits,
		   memory->network->lock_attempt_flits / 2);
}

/* Whether the node's next packet has to wait; then it is sent when it need not. */
static bool has_to_wait(const Memory *memory, Node *node, Port *port, const Packet *packet)
{
	if (node->first->tries) {
		node->full = node->n_flits + lock_attempt_flits(memory, packet) >
			     memory->network->lock_attempt_flits;
		return node->full;
	}
	if (port->n_packets < memory->l2->port_packets)
		return false;
	if (port->first)
		port->last->next = node;
	else
		port->first = node;
	port->last = node;
	node->next = NULL;
	node->waits = true;
	return true;
}

/* It takes its room, */
static void take_room(const Memory *memory, Node *node, Port *port, const Packet *packet)
{
	if (node->first->tries)
		node->n_flits += lock_attempt_flits(memory, packet);
	else
		port->n_packets += places(memory, packet);
}

/* and has been served: who has waited for it can send. */
static void make_room(Memory *memory, const Flying *flying)
{
	Node *node = &memory->nodes[flying->event.sm];
	Port *port = &memory->ports[flying->slice * 2 + flying->far];
	Node *waiting = port->first;

	if (flying->tries) {
		node->n_flits -= lock_attempt_flits(memory, &flying->packet);
		if (node->full)
			events_post(&memory->events, &node->event, EVENT_SEND,
				    MAX(flying->event.at, node->link.out_free));
		node->full = false;
		return;
	}
	port->n_packets -= places(memory, &flying->packet);
	if (!waiting || port->n_packets >= memory->l2->port_packets)
		return;
	port->first = waiting->next;
	waiting->waits = false;
	events_post(&memory->events, &waiting->event, EVENT_SEND,
		    MAX(flying->event.at, waiting->link.out_free));
}

static uint32_t mirror_of(const Memory *memory, uint32_t slice)
{
	return (slice + memory->l2->slices) % memory->n_slices;
}

/* By the ways that SMs share to the slice where all that they send enters, one of their own partition: returns when the packet
   begins. */
static Tick pass_shared(Memory *memory, const Node *node, const Packet *packet, uint32_t slice,
			bool far, Tick now)
{
	const SmPlace *place = &node->place;
	uint32_t entry = far ? mirror_of(memory, slice) : slice;
	uint32_t egress =
		place->cluster * CLUSTER_EGRESSES + slice_egress(memory->l2, packet->line);
	Tick *to_slice = &memory->to_slices[place->group * memory->n_slices + entry];
	Tick begin =
		link_group_send(&memory->egresses[egress], &memory->link_timing, packet, now);

	begin = MAX(begin, *to_slice);
	*to_slice = begin + packet->n_rounds * memory->slice_timing.group_packet;
	return begin;
}

/* Whose packet it is. */
static void set_owner(Flying *flying, Request *request)
{
	flying->is_watched = request->served != NULL;
	flying->is_alone = request->n_packets == 1 && !request->served;
	if (!flying->is_alone) {
		flying->request = request;
		return;
	}
	flying->id = request->id;
	flying->near_reply = request->near && !request->cached;
	flying->far_reply = request->far && !request->cached;
}

/* Of a line of the cache of the processor that simulates. */
#define PACKETS_A_LINE (64 / sizeof(Packet))

static void send(Memory *memory, Node *node, Tick now)
{
	Request *request = node->first;
	const Packet *packet = &request->packets[request->n_sent];
	Flying *flying;
	Port *port;
	uint32_t slice;
	Tick left, at;
	bool far;

	slice = home_of(memory, node, request, packet->line, &far);
	port = &memory->ports[slice * 2 + far];
	if (has_to_wait(memory, node, port, packet))
		return;
	take_room(memory, node, port, packet);
	flying = flying_new(memory);
	flying->packet = *packet;
	flying->event.sm = node->event.sm;
	flying->kind = request->kind;
	flying->replies = request->kind == ACCESS_LOAD || request->result;
	flying->tries = request->tries;
	set_owner(flying, request);
	flying->slice = (uint16_t)slice;
	flying->far = far;
	flying->brought =
		request->kind == ACCESS_LOAD && is_brought(memory, node, packet->line);
	flying->late = flying->brought;
	flying->dram = false;
	memory->counters.packets += packet->n_rounds;
	memory->counters.far_packets += far ? packet->n_rounds : 0;
	link_send(&node->link, &memory->link_timing, request->kind, packet,
		  request->n_sent == 0 ? request->n_packets : 0, now);
	at = request->kind == ACCESS_LOAD ? now
					  : pass_shared(memory, node, packet, slice, far, now);
	left = MAX(node->link.out_free, at);
	if (far)
		events_post(&memory->events, &flying->event, EVENT_MIRROR, at);
	else if (at > now)
		events_post(&memory->events, &flying->event, EVENT_ENTER, at);
	else
		enter(memory, flying, at);
	if (++request->n_sent == request->n_packets) {
		/* The one behind it was asked for when this one came first. */
		node->first = request->next;
		if (node->first)
			__builtin_prefetch(node->first->next);
		if (flying->is_alone)
			request_free(node, request);
	} else {
		__builtin_prefetch(&request->packets[request->n_sent + PACKETS_A_LINE]);
	}
	node->busy = node->first != NULL;
	if (node->busy)
		events_post(&memory->events, &node->event, EVENT_SEND,
			    node->first->n_sent ? left : MAX(left, node->first->at));
}

/* --- What happens --- */

static void mirror(Memory *memory, Flying *flying)
{
	uint32_t m = mirror_of(memory, flying->slice);
	/* All that an SM sends enters by its own partition. */
	Tick in = slice_enter(&memory->ports[m * 2].intake, &memory->slice_timing,
			      &flying->packet, flying->event.at);

	enter(memory, flying,
	      slice_forward(&memory->slices[m], &memory->slice_timing, &flying->packet, in));
}

static void ready(Memory *memory, Flying *flying)
{
	Slice *slice = &memory->slices[flying->slice];
	const Packet *packet = &flying->packet;
	const SliceTiming *timing =
		flying->replies ? &memory->result_timing : &memory->slice_timing;
	Tick first, done = slice_serve(slice, timing, (AccessKind)flying->kind, packet,
				       flying->event.sm, flying->event.at, &first);

	flying->last = done - first;
	if (!flying->is_alone)
		__builtin_prefetch(flying->request, 1);
	if (flying->is_watched)
		flying->request->served(flying->request->served_data, packet, done);
	memory->counters.sectors += (uint64_t)packet_sectors(packet) * packet->n_rounds;
	events_post(&memory->events, &flying->event, EVENT_DONE, done);
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

/* The result of a packet, or the word that it is done, leaves for its SM. */
static void leave(Memory *memory, Flying *flying, Tick now)
{
	const NetworkParameters *network = memory->network;
	int64_t cycles = (int64_t)(flying->kind == ACCESS_LOAD ? network->load_cycles
							       : network->atomic_cycles) -
			 network->one_way_cycles + distance(memory, flying) +
			 (flying->far && flying->replies ? network->far_cycles : 0) +
			 (flying->brought ? network->far_load_cycles : 0);
	Tick back = now + (Tick)MAX(cycles, 0) * TICKS_PER_CYCLE;

	/* What comes from farther takes its turn when it is there, and nothing waits for it before. */
	if (flying->kind == ACCESS_LOAD && !flying->late)
		back = pass_group(memory, flying, back);
	if (flying->replies)
		events_post(&memory->events, &flying->event, EVENT_RECEIVE,
			    MAX(back - flying->last, now));
	else
		complete(memory, flying, back);
}

/* A result for an SM of the other partition. */
static void back(Memory *memory, Flying *flying)
{
	Tick *link = &memory->links[slice_link(memory->l2, flying->packet.line)];

	leave(memory, flying,
	      slice_cross(link, &memory->slice_timing, &flying->packet, flying->event.at));
}

static uint32_t home_slice(const Memory *memory, uint64_t line)
{
	const SlicePlace place = slice_place(memory->l2, line);

	return place.partition * memory->l2->slices + place.slice;
}

/* From DRAM: returns when it is there. */
static Tick fetch(Memory *memory, Flying *flying, Tick now)
{
	const Packet *packet = &flying->packet;
	const Tick there = dram_fetch(&memory->dram, (AccessKind)flying->kind, packet->line,
				      home_slice(memory, packet->line), now);

	if (memory->fetched)
		g_hash_table_insert(memory->fetched, (gpointer)(uintptr_t)packet->line,
				    (gpointer)(uintptr_t)there);
	flying->late = flying->kind == ACCESS_LOAD;
	flying->dram = true;
	memory->counters.missed_sectors += (uint64_t)packet_sectors(packet);
	return there;
}

static void done(Memory *memory, Flying *flying)
{
	const Packet *packet = &flying->packet;
	Tick now = flying->event.at;

	make_room(memory, flying);
	if (!holds(memory, packet->line)) {
		now = fetch(memory, flying, now);
	} else if (memory->fetched && fetched_at(memory, packet->line) > now) {
		now = fetched_at(memory, packet->line);
		flying->late = flying->kind == ACCESS_LOAD;
		flying->dram = true;
	}
	if (!flying->far || !flying->replies)
		leave(memory, flying, now);
	else if (now > flying->event.at)
		events_post(&memory->events, &flying->event, EVENT_BACK, now);
	else
		back(memory, flying);
}

/* A result or data are there, the latter at the group's ingress if they came from farther. */
static void receive(Memory *memory, Flying *flying)
{
	Tick at = flying->event.at;

	if (flying->late)
		at = pass_group(memory, flying, at);
	complete(memory, flying,
		 link_receive(&memory->nodes[flying->event.sm].link, &memory->link_timing,
			      (AccessKind)flying->kind, &flying->packet, at, flying->last));
}

void memory_happen(Memory *memory, Event *event)
{
	Flying *flying = (Flying *)event;

	switch (event->kind) {
	case EVENT_SEND:
		send(memory, (Node *)event, event->at);
		break;
	case EVENT_ENTER:
		enter(memory, flying, event->at);
		break;
	case EVENT_MIRROR:
		mirror(memory, flying);
		break;
	case EVENT_READY:
		ready(memory, flying);
		break;
	case EVENT_DONE:
		done(memory, flying);
		break;
	case EVENT_BACK:
		back(memory, flying);
		break;
	case EVENT_RECEIVE:
		receive(memory, flying);
		break;
	}
}
