/* SPDX-License-Identifier: MIT */
/*
 * The ways of packets: from an SM's port to their home slice, through the mirror of the other partition, and back.
 */
#include "sim/memory-state.h"

static void complete(Memory *memory, Flying *flying, Tick at)
{
	Request *request = flying->request;
	Node *node = &memory->nodes[flying->event.sm];

	request->at = MAX(request->at, at);
	if (--request->n_left == 0) {
		MemoryReply reply = {
			.at = (request->at + TICKS_PER_CYCLE - 1) / TICKS_PER_CYCLE,
			.id = request->id,
			.sm = flying->event.sm,
			.near = request->near && !request->cached,
			.far = request->far && !request->cached,
		};

		g_array_append_val(memory->replies, reply);
		request_free(node, request);
	}
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

/* Whether a load has to bring a line of the other partition into this one. */
static bool is_brought(const Memory *memory, const Node *node, uint64_t line)
{
	/* The time of what is not in the L2 knows no sides. */
	return !memory_holds(memory->copies, line) && dram_holds(&memory->dram, line) &&
	       slice_place(memory->l2, line).partition != node->place.partition;
}

/* A packet takes its turn at a slice's port: returns when its first round is through. */
static Tick pass_port(const Memory *memory, Port *port, const Packet *packet, Tick now)
{
	Tick round = packet->flits * memory->slice_timing.port_flit;
	Tick start = MAX(port->free, now);

	port->free = start + packet->n_rounds * round;
	return start + round;
}

/* The same at its home's. Loads have a way of their own. */
static void enter(Memory *memory, Flying *flying, Tick now)
{
	Port *port = &memory->ports[flying->slice * 2 + flying->far];

	if (flying->kind != ACCESS_LOAD)
		now = pass_port(memory, port, &flying->packet, now);
	if (flying->is_watched)
		__builtin_prefetch(flying->request);
	events_post(&memory->events, &flying->event, EVENT_READY, now);
}

/* Of a port, that a packet with all its rounds takes: no more than half. */
static uint32_t places(const Memory *memory, const Packet *packet)
{
	return MIN(packet->n_rounds, MAX(memory->l2->port_packets / 2, 1));
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
	if (port->n_packets >= memory->l2->port_packets) {
		if (port->first)
			port->last->next = node;
		else
			port->first = node;
		port->last = node;
		node->next = NULL;
		return;
	}
	port->n_packets += places(memory, packet);
	flying = flying_new(memory);
	flying->request = request;
	flying->packet = *packet;
	flying->event.sm = node->event.sm;
	flying->kind = request->kind;
	flying->replies = request->kind == ACCESS_LOAD || request->result;
	flying->is_watched = request->served != NULL;
	flying->slice = (uint16_t)slice;
	flying->far = far;
	flying->brought =
		request->kind == ACCESS_LOAD && is_brought(memory, node, packet->line);
	memory->counters.packets += packet->n_rounds;
	memory->counters.far_packets += far ? packet->n_rounds : 0;
	left = link_send(&node->link, &memory->link_timing, request->kind, packet,
			 request->n_sent == 0 ? request->n_packets : 0, now);
	at = request->kind == ACCESS_LOAD ? now
					  : link_group_send(&memory->groups[node->place.group],
							    &memory->link_timing, packet, now);
	left = MAX(left, at);
	if (far)
		events_post(&memory->events, &flying->event, EVENT_MIRROR, at);
	else if (at > now)
		events_post(&memory->events, &flying->event, EVENT_ENTER, at);
	else
		enter(memory, flying, at);
	if (++request->n_sent == request->n_packets) {
		node->first = request->next;
		__builtin_prefetch(node->first);
	} else {
		__builtin_prefetch(&request->packets[request->n_sent + PACKETS_A_LINE]);
	}
	node->busy = node->first != NULL;
	if (node->busy)
		events_post(&memory->events, &node->event, EVENT_SEND,
			    node->first->n_sent ? left : MAX(left, node->first->at));
}

/* --- What happens --- */

static uint32_t mirror_of(const Memory *memory, const Flying *flying)
{
	return (flying->slice + memory->l2->slices) % memory->n_slices;
}

static void mirror(Memory *memory, Flying *flying)
{
	uint32_t m = mirror_of(memory, flying);
	/* All that an SM sends enters by its own partition. */
	Tick in = pass_port(memory, &memory->ports[m * 2], &flying->packet, flying->event.at);

	enter(memory, flying,
	      slice_forward(&memory->slices[m], &memory->slice_timing, &flying->packet, in));
}

static void ready(Memory *memory, Flying *flying)
{
	Slice *slice = &memory->slices[flying->slice];
	const Packet *packet = &flying->packet;
	Tick first, done = slice_serve(slice, &memory->slice_timing, (AccessKind)flying->kind,
				       packet, flying->event.at, &first);

	flying->last = done - first;
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

/* The result of a packet, or the word that it is done, leaves for its SM. */
static void leave(Memory *memory, Flying *flying, Tick now)
{
	const NetworkParameters *network = memory->network;
	int64_t cycles =
		(int64_t)(flying->kind == ACCESS_LOAD ? network->load_cycles
						      : network->atomic_cycles) -
		network->one_way_cycles + distance(memory, flying) +
		((flying->far && flying->replies) || flying->brought ? network->far_cycles : 0);
	Tick back = now + (Tick)MAX(cycles, 0) * TICKS_PER_CYCLE;

	if (flying->kind == ACCESS_LOAD)
		back = link_group_receive(
			&memory->groups_in[memory->nodes[flying->event.sm].place.group],
			&memory->link_timing, &flying->packet, back);
	if (flying->replies)
		events_post(&memory->events, &flying->event, EVENT_RECEIVE,
			    MAX(back - flying->last, now));
	else
		complete(memory, flying, back);
}

static void done(Memory *memory, Flying *flying)
{
	const Packet *packet = &flying->packet;
	Port *port = &memory->ports[flying->slice * 2 + flying->far];
	Node *waiting = port->first;
	Tick now = flying->event.at;

	port->n_packets -= places(memory, packet);
	if (waiting && port->n_packets < memory->l2->port_packets) {
		port->first = waiting->next;
		events_post(&memory->events, &waiting->event, EVENT_SEND,
			    MAX(now, waiting->link.out_free));
	}
	if (!dram_holds(&memory->dram, packet->line)) {
		now = dram_fetch(&memory->dram, (AccessKind)flying->kind, now);
		memory->counters.missed_sectors += (uint64_t)packet_sectors(packet);
	}
	if (flying->far && flying->replies)
		events_post(&memory->events, &flying->event, EVENT_BACK, now);
	else
		leave(memory, flying, now);
}

/* A result of the other partition passes through. */
static void back(Memory *memory, Flying *flying)
{
	Slice *slice = &memory->slices[mirror_of(memory, flying)];

	leave(memory, flying,
	      slice_forward_reply(slice, &memory->slice_timing, &flying->packet,
				  flying->event.at));
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
		complete(memory, flying,
			 link_receive(&memory->nodes[flying->event.sm].link,
				      &memory->link_timing, (AccessKind)flying->kind,
				      &flying->packet, event->at, flying->last));
		break;
	}
}
