/* SPDX-License-Identifier: MIT */
/*
 * The way of packets from an SM's port to their home slice, through the mirror of the other partition, and what follows there.
 */
#include "sim/memory/state.h"

/* Where a packet of an SM is served: home, and whether in the other partition. */
static uint32_t home_of(const Memory *memory, const Node *node, Request *request, uint64_t line,
			bool *far)
{
	const AccessKind kind = (AccessKind)request->kind;
	bool away;
	const uint32_t slice = line_served(memory, node, kind, line, &away);

	request->far |= away;
	request->near |= !away;
	*far = kind >= ACCESS_ATOMIC && away;
	return slice;
}

/* A packet takes its turn at a port. */
static Tick enter_port(Memory *memory, uint32_t port, const Packet *packet, Tick now)
{
	SlicePort *intake = &memory->ports[port].intake;
	const Tick from = MAX(intake->free, now);
	const Tick in = slice_enter(intake, &memory->slice_timing, packet, now);

	if (G_UNLIKELY(memory->observer) && memory->observer->port)
		memory->observer->port(memory->observer, port, from, intake->free);
	return in;
}

/* Its home takes it on. Loads have a way of their own. */
static void take_on(Memory *memory, Flying *flying, Tick now)
{
	if (flying->kind != ACCESS_LOAD)
		now = enter_port(memory, flying->slice * 2 + flying->far, &flying->packet, now);
	if (flying->is_watched)
		__builtin_prefetch(flying->request);
	events_post(&memory->events, &flying->event, EVENT_READY, now);
}

/* At its home's port from `now` on, which may be later than what happens: it may come by the mirror. */
static void enter(Memory *memory, Flying *flying, Tick now)
{
	if (slice_turn_waits(memory, flying))
		flying->event.at = now;
	else
		take_on(memory, flying, now);
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
	flying->miss = request->miss;
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

	if (G_UNLIKELY(memory->tlb) && translation_stands_aside(memory, node, now))
		return;
	slice = home_of(memory, node, request, packet->line, &far);
	port = &memory->ports[slice * 2 + far];
	if (port_has_to_wait(memory, node, port, packet))
		return;
	port_take_room(memory, node, port, packet);
	flying = flying_new(memory);
	flying->packet = *packet;
	flying->event.sm = node->event.sm;
	flying->kind = request->kind;
	flying->replies = request->kind == ACCESS_LOAD || request->result;
	flying->tries = request->tries;
	set_owner(flying, request);
	flying->slice = (uint16_t)slice;
	flying->far = far;
	flying->dram = flying->waited = false;
	memory->counters.packets += packet->n_rounds;
	memory->counters.far_packets += far ? packet->n_rounds : 0;
	if (request->kind >= ACCESS_ATOMIC)
		memory->counters.sent_lanes += packet_lanes(packet);
	link_send(&node->link, &memory->link_timing, request->kind, packet, now);
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

void memory_watch(Memory *memory, Observer *observer)
{
	memory->observer = observer && observer->slice ? observer : NULL;
}

/* --- What happens --- */

static void watch(const Memory *memory, uint32_t slice, bool atomic, Tick from)
{
	const Tick until = memory->slices[slice].free;

	if (until > from)
		memory->observer->slice(memory->observer, slice, atomic, from, until);
}

static void mirror(Memory *memory, Flying *flying)
{
	uint32_t m = mirror_of(memory, flying->slice);
	/* All that an SM sends enters by its own partition. */
	Tick in = enter_port(memory, m * 2, &flying->packet, flying->event.at);

	const Tick free = memory->slices[m].free;
	const Tick forwarded =
		slice_forward(&memory->slices[m], &memory->slice_timing, &flying->packet, in);

	memory->slices[m].busy += MAX(memory->slices[m].free, MAX(free, in)) - MAX(free, in);
	if (G_UNLIKELY(memory->observer))
		watch(memory, m, false, MAX(free, in));
	enter(memory, flying, forwarded);
}

/* Lanes that its slice has merged are those of the instruction's site. */
static G_NO_INLINE void note_merged(Memory *memory, const Flying *flying, uint64_t n_lanes)
{
	const uint64_t id = flying->is_alone ? flying->id : flying->request->id;

	if (memory->merged_by_site)
		memory->merged_by_site[id >> MEMORY_ID_SITE] += n_lanes;
}

static void ready(Memory *memory, Flying *flying)
{
	Slice *slice = &memory->slices[flying->slice];
	const uint64_t merged = slice->merged_lanes;
	const Tick from = MAX(slice->free, flying->event.at);
	const Packet *packet = &flying->packet;
	const SliceTiming *timing =
		flying->replies ? &memory->result_timing : &memory->slice_timing;
	Tick first, done = slice_serve(slice, timing, (AccessKind)flying->kind, packet,
				       flying->event.sm, flying->event.at, &first);

	flying->last = done - first;
	slice->busy += MAX(slice->free, from) - from;
	slice->busy_atomics +=
		flying->kind >= ACCESS_ATOMIC ? MAX(slice->free, from) - from : 0;
	if (G_UNLIKELY(slice->merged_lanes > merged))
		note_merged(memory, flying, slice->merged_lanes - merged);
	if (!flying->is_alone)
		__builtin_prefetch(flying->request, 1);
	if (flying->is_watched)
		flying->request->served(flying->request->served_data, packet, done);
	memory->counters.sectors += (uint64_t)packet_sectors(packet) * packet->n_rounds;
	events_post(&memory->events, &flying->event, EVENT_DONE, done);
}

static G_NO_INLINE void ready_watched(Memory *memory, Flying *flying)
{
	const Tick from = MAX(memory->slices[flying->slice].free, flying->event.at);

	ready(memory, flying);
	watch(memory, flying->slice, flying->kind >= ACCESS_ATOMIC, from);
}

static void done(Memory *memory, Flying *flying)
{
	const bool is_written = memory->residency && flying->kind == ACCESS_STORE;
	Flying *next = flying->waited ? NULL : slice_turn_ends(memory, flying);
	Tick now = flying->event.at;

	if (next)
		take_on(memory, next, MAX(now, next->event.at));
	if (G_UNLIKELY(is_written) && !flying->waited) {
		now = line_bring(memory, flying);
		if (now > flying->event.at) {
			flying->waited = true;
			events_post(&memory->events, &flying->event, EVENT_DONE, now);
			return;
		}
	}
	queue_leave(memory, flying);
	port_make_room(memory, flying);
	if (!is_written)
		now = line_bring(memory, flying);
	if (!flying->far || !flying->replies)
		route_leave(memory, flying, now);
	else if (now > flying->event.at)
		events_post(&memory->events, &flying->event, EVENT_BACK, now);
	else
		route_back(memory, flying);
}

void memory_happen(Memory *memory, Event *event)
{
	Flying *flying = (Flying *)event;

	switch (event->kind) {
	case EVENT_SEND:
		send(memory, (Node *)event, event->at);
		break;
	case EVENT_TRANSLATED:
		translation_comes(memory, flying);
		break;
	case EVENT_ENTER:
		enter(memory, flying, event->at);
		break;
	case EVENT_MIRROR:
		mirror(memory, flying);
		break;
	case EVENT_READY:
		if (G_UNLIKELY(memory->observer))
			ready_watched(memory, flying);
		else
			ready(memory, flying);
		break;
	case EVENT_DONE:
		done(memory, flying);
		break;
	case EVENT_BACK:
		route_back(memory, flying);
		break;
	case EVENT_RECEIVE:
		route_receive(memory, flying);
		break;
	}
}
