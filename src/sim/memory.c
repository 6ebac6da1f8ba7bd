/* SPDX-License-Identifier: MIT */
#include "sim/memory.h"

#include <glib.h>
#include <string.h>

#include "model/dram.h"
#include "model/link.h"
#include "model/slice-map.h"
#include "model/slice.h"
#include "sim/wheel.h"

#define EVENT_SLOTS 4096 /* cycles that the wheel reaches ahead */

typedef enum {
	EVENT_SEND,    /* an SM's port is free for its next packet */
	EVENT_ENTER,   /* a packet is at its home's port */
	EVENT_MIRROR,  /* a packet is at the slice that passes it on */
	EVENT_READY,   /* has passed its slice's port */
	EVENT_DONE,    /* has been served */
	EVENT_BACK,    /* its result is at the slice that passes it on */
	EVENT_RECEIVE, /* its result is at the SM */
} EventKind;

typedef struct Event Event;
struct Event {
	Event *next;
	Tick at;
	EventKind kind;
};

/* A warp access on its way. */
typedef struct Request Request;
struct Request {
	Request *next;
	Tick arrival; /* at the SM's port */
	Tick complete;
	uint32_t id;
	AccessKind kind;
	bool result;
	MemoryServed served;
	void *served_data;
	uint32_t n_packets, n_sent, n_left;
	Packet packets[];
};

/* A packet on its way. */
typedef struct {
	Event event; /* first: events are cast */
	Request *request;
	Packet packet;
	uint32_t sm;
	uint32_t slice; /* of all: its home */
	Tick last;	/* its last round was served so long after the first */
	bool far;
	bool brought; /* a load whose line comes from the other partition */
} Flying;

/* The SM's end. */
typedef struct Node Node;
struct Node {
	Event event; /* first */
	Node *next;  /* waits for the same port */
	Link link;
	SmPlace place;
	bool busy;		     /* an event is pending, or it waits */
	Request *first, *last;	     /* what has not left yet */
	Request *asked, *asked_last; /* in this window, by the SM's thread */
	Request *spare;		     /* by number of packets: freed ones */
	GArray *replies;	     /* MemoryReply */
	uint32_t n_taken;
};

typedef struct {
	Tick free;
	uint32_t n_packets;
	Node *first, *last; /* wait for a place */
} Port;

struct Memory {
	const NetworkParameters *network;
	const L2Parameters *l2;
	SliceTiming slice_timing;
	LinkTiming link_timing;
	Dram dram;
	uint64_t copies;   /* share of the lines that both partitions hold, for loads */
	uint32_t n_slices; /* of all partitions */
	Slice *slices;
	Port *ports; /* two a slice: for packets of its own partition, of the other */
	uint32_t n_nodes;
	Node *nodes;
	Tick *groups; /* when the way of each is free */
	Flying *spare;
	GPtrArray *chunks; /* of Flying */
	MemoryCounters counters;

	Cycle now; /* no event is before */
	uint64_t n_events;
	Event *slots[EVENT_SLOTS], *ends[EVENT_SLOTS];
};

/* --- Events --- */

static void post(Memory *memory, Event *event, EventKind kind, Tick at)
{
	Cycle cycle = MAX(at / TICKS_PER_CYCLE, memory->now);
	uint32_t s;

	/* What is too far away is looked at again at the wheel's end. */
	cycle = MIN(cycle, memory->now + EVENT_SLOTS - 1);
	s = cycle % EVENT_SLOTS;
	event->at = at;
	event->kind = kind;
	event->next = NULL;
	if (memory->slots[s])
		memory->ends[s]->next = event;
	else
		memory->slots[s] = event;
	memory->ends[s] = event;
	memory->n_events++;
}

#define CHUNK 1024

static Flying *flying_new(Memory *memory)
{
	Flying *flying = memory->spare;

	if (!flying) {
		Flying *chunk = g_new(Flying, CHUNK);

		g_ptr_array_add(memory->chunks, chunk);
		for (uint32_t i = 0; i < CHUNK; i++) {
			chunk[i].event.next = i + 1 < CHUNK ? &chunk[i + 1].event : NULL;
			chunk[i].request = NULL;
		}
		flying = chunk;
	}
	memory->spare = (Flying *)flying->event.next;
	return flying;
}

static void flying_free(Memory *memory, Flying *flying)
{
	flying->request = NULL;
	flying->event.next = (Event *)memory->spare;
	memory->spare = flying;
}

/* --- The ways --- */

static void complete(Memory *memory, Flying *flying, Tick at)
{
	Request *request = flying->request;
	Node *node = &memory->nodes[flying->sm];

	request->complete = MAX(request->complete, at);
	if (--request->n_left == 0) {
		MemoryReply reply = {.at = (request->complete + TICKS_PER_CYCLE - 1) /
					   TICKS_PER_CYCLE,
				     .id = request->id};

		g_array_append_val(node->replies, reply);
		g_free(request);
	}
	flying_free(memory, flying);
}

/* Where a packet of an SM is served: home, and whether in the other partition. */
static uint32_t home_of(const Memory *memory, const Node *node, AccessKind kind, uint64_t line,
			bool *far)
{
	SlicePlace place = slice_place(memory->l2, line);

	*far = kind >= ACCESS_ATOMIC && place.partition != node->place.partition;
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

/* A packet takes its turn at its home's port. */
static void enter(Memory *memory, Flying *flying, Tick now)
{
	Port *port = &memory->ports[flying->slice * 2 + flying->far];
	bool load = flying->request->kind == ACCESS_LOAD; /* has a way of its own */
	Tick round = load ? 0 : flying->packet.flits * memory->slice_timing.port_flit;
	Tick start = load ? now : MAX(port->free, now);

	if (!load)
		port->free = start + flying->packet.n_rounds * round;
	post(memory, &flying->event, EVENT_READY, start + round);
}

/* Of a port, that a packet with all its rounds takes: no more than half. */
static uint32_t places(const Memory *memory, const Packet *packet)
{
	return MIN(packet->n_rounds, MAX(memory->l2->port_packets / 2, 1));
}

static void send(Memory *memory, Node *node, Tick now)
{
	Request *request = node->first;
	const Packet *packet = &request->packets[request->n_sent];
	Flying *flying;
	Port *port;
	uint32_t sm = (uint32_t)(node - memory->nodes), slice;
	Tick *group = &memory->groups[node->place.group];
	Tick left, at;
	bool far;

	slice = home_of(memory, node, request->kind, packet->line, &far);
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
	flying->sm = sm;
	flying->slice = slice;
	flying->far = far;
	flying->brought =
		request->kind == ACCESS_LOAD && is_brought(memory, node, packet->line);
	memory->counters.packets += packet->n_rounds;
	memory->counters.far_packets += far ? packet->n_rounds : 0;
	left = link_send(&node->link, &memory->link_timing, request->kind, packet,
			 request->n_sent == 0 ? request->n_packets : 0, now);
	at = request->kind == ACCESS_LOAD ? now : MAX(*group, now);
	if (request->kind != ACCESS_LOAD)
		*group = at + packet->n_rounds * packet->flits * memory->link_timing.group_flit;
	left = MAX(left, at);
	if (far)
		post(memory, &flying->event, EVENT_MIRROR, at);
	else if (at > now)
		post(memory, &flying->event, EVENT_ENTER, at);
	else
		enter(memory, flying, at);
	if (++request->n_sent == request->n_packets)
		node->first = request->next;
	node->busy = node->first != NULL;
	if (node->busy)
		post(memory, &node->event, EVENT_SEND, MAX(left, node->first->arrival));
}

/* --- What happens --- */

static uint32_t mirror_of(const Memory *memory, const Flying *flying)
{
	return (flying->slice + memory->l2->slices) % memory->n_slices;
}

static void mirror(Memory *memory, Flying *flying)
{
	Slice *slice = &memory->slices[mirror_of(memory, flying)];

	enter(memory, flying,
	      slice_forward(slice, &memory->slice_timing, &flying->packet, flying->event.at));
}

static void ready(Memory *memory, Flying *flying)
{
	Slice *slice = &memory->slices[flying->slice];
	const Packet *packet = &flying->packet;
	Tick first, done = slice_serve(slice, &memory->slice_timing, flying->request->kind,
				       packet, flying->event.at, &first);

	flying->last = done - first;
	if (flying->request->served)
		flying->request->served(flying->request->served_data, packet, done);
	memory->counters.sectors +=
		(uint64_t)__builtin_popcount(packet->sectors) * packet->n_rounds;
	post(memory, &flying->event, EVENT_DONE, done);
}

/* The result of a packet, or the word that it is done, leaves for its SM. */
static void leave(Memory *memory, Flying *flying, Tick now)
{
	const NetworkParameters *network = memory->network;
	const Request *request = flying->request;
	int64_t cycles = (int64_t)(request->kind == ACCESS_LOAD ? network->load_cycles
								: network->atomic_cycles) -
			 network->one_way_cycles +
			 slice_distance(memory->nodes[flying->sm].place.group, flying->slice,
					network->spread_cycles) +
			 (flying->far || flying->brought ? network->far_cycles : 0);
	Tick back = now + (Tick)MAX(cycles, 0) * TICKS_PER_CYCLE;

	if (request->kind == ACCESS_LOAD || request->result)
		post(memory, &flying->event, EVENT_RECEIVE, MAX(back - flying->last, now));
	else
		complete(memory, flying, back);
}

static void done(Memory *memory, Flying *flying)
{
	const Request *request = flying->request;
	const Packet *packet = &flying->packet;
	Port *port = &memory->ports[flying->slice * 2 + flying->far];
	Node *waiting = port->first;
	Tick now = flying->event.at;

	port->n_packets -= places(memory, packet);
	if (waiting && port->n_packets < memory->l2->port_packets) {
		port->first = waiting->next;
		post(memory, &waiting->event, EVENT_SEND, MAX(now, waiting->link.out_free));
	}
	if (!dram_holds(&memory->dram, packet->line)) {
		now = dram_fetch(&memory->dram, request->kind, now);
		memory->counters.missed_sectors +=
			(uint64_t)__builtin_popcount(packet->sectors);
	}
	if (flying->far && request->result)
		post(memory, &flying->event, EVENT_BACK, now);
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

static void happen(Memory *memory, Event *event)
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
			 link_receive(&memory->nodes[flying->sm].link, &memory->link_timing,
				      flying->request->kind, &flying->packet, event->at,
				      flying->last));
		break;
	}
}

/* --- The outside --- */

void memory_access(Memory *memory, const MemoryAccess *access)
{
	Node *node = &memory->nodes[access->sm];
	Packet packets[COALESCE_MAX_PACKETS];
	uint32_t n = coalesce(access->kind, access->width, access->n_lanes, access->addresses,
			      packets);
	Request *request = g_malloc(sizeof *request + n * sizeof *packets);

	*request = (Request){
		.arrival = (access->issue + memory->network->one_way_cycles) * TICKS_PER_CYCLE,
		.id = access->id,
		.kind = access->kind,
		.result = access->result,
		.served = access->served,
		.served_data = access->served_data,
		.n_packets = n,
		.n_left = n,
	};
	memcpy(request->packets, packets, n * sizeof *packets);
	if (node->asked)
		node->asked_last->next = request;
	else
		node->asked = request;
	node->asked_last = request;
}

bool memory_reply(Memory *memory, uint32_t sm, MemoryReply *reply)
{
	Node *node = &memory->nodes[sm];

	if (node->n_taken == node->replies->len) {
		g_array_set_size(node->replies, 0);
		node->n_taken = 0;
		return false;
	}
	*reply = g_array_index(node->replies, MemoryReply, node->n_taken++);
	return true;
}

/* What SMs have asked for joins what waits to leave. */
static void collect(Memory *memory)
{
	for (uint32_t i = 0; i < memory->n_nodes; i++) {
		Node *node = &memory->nodes[i];

		if (!node->asked)
			continue;
		if (node->first)
			node->last->next = node->asked;
		else
			node->first = node->asked;
		node->last = node->asked_last;
		for (const Request *r = node->asked; r; r = r->next)
			memory->counters.accesses++;
		node->asked = NULL;
		if (!node->busy) {
			node->busy = true;
			post(memory, &node->event, EVENT_SEND,
			     MAX(node->link.out_free, node->first->arrival));
		}
	}
}

void memory_serve(Memory *memory, Cycle limit)
{
	limit += memory->network->one_way_cycles;
	for (; memory->now < limit; memory->now++) {
		uint32_t s = memory->now % EVENT_SLOTS;
		Event *event;

		if (!memory->n_events) {
			memory->now = limit;
			break;
		}
		while ((event = memory->slots[s])) {
			memory->slots[s] = event->next;
			memory->n_events--;
			if (event->at / TICKS_PER_CYCLE > memory->now)
				post(memory, event, event->kind, event->at);
			else
				happen(memory, event);
		}
	}
}

Cycle memory_next(Memory *memory)
{
	Cycle next = memory->now;

	collect(memory);
	if (!memory->n_events)
		return NEVER;
	while (!memory->slots[next % EVENT_SLOTS])
		next++;
	return next;
}

const MemoryCounters *memory_counters(const Memory *memory)
{
	return &memory->counters;
}

Memory *memory_new(const L2Parameters *l2, const NetworkParameters *network,
		   const DramParameters *dram, uint32_t clock_mhz, uint32_t n_sms,
		   uint64_t footprint_bytes)
{
	Memory *memory = g_new0(Memory, 1);

	memory->network = network;
	memory->l2 = l2;
	memory->slice_timing = slice_timing(l2, clock_mhz);
	memory->link_timing = link_timing(network);
	memory->copies = memory_share(l2->copies_kib, footprint_bytes);
	dram_init(&memory->dram, dram, footprint_bytes);
	memory->n_slices = l2->partitions * l2->slices;
	memory->slices = g_new(Slice, memory->n_slices);
	for (uint32_t i = 0; i < memory->n_slices; i++)
		slice_init(&memory->slices[i]);
	memory->ports = g_new0(Port, memory->n_slices * 2);
	memory->chunks = g_ptr_array_new_with_free_func(g_free);
	memory->n_nodes = n_sms;
	memory->nodes = g_new0(Node, n_sms);
	memory->groups = g_new0(Tick, n_sms + 1);
	for (uint32_t i = 0; i < n_sms; i++) {
		memory->nodes[i].place = slice_sm_place(l2, network->group_sms, i);
		memory->nodes[i].replies = g_array_new(FALSE, FALSE, sizeof(MemoryReply));
	}
	return memory;
}

static void free_requests(Request *request)
{
	while (request) {
		Request *next = request->next;

		g_free(request);
		request = next;
	}
}

/* Those of which a packet is under way, in a run that did not reach its end. What has packets that have
   not left yet is in a node's list too, and its n_left counts them. */
static void free_flying(const Memory *memory)
{
	for (guint c = 0; c < memory->chunks->len; c++) {
		Flying *chunk = memory->chunks->pdata[c];

		for (uint32_t i = 0; i < CHUNK; i++)
			if (chunk[i].request && --chunk[i].request->n_left == 0)
				g_free(chunk[i].request);
	}
}

void memory_free(Memory *memory)
{
	free_flying(memory);
	for (uint32_t i = 0; i < memory->n_nodes; i++) {
		free_requests(memory->nodes[i].first);
		free_requests(memory->nodes[i].asked);
		g_array_unref(memory->nodes[i].replies);
	}
	g_ptr_array_unref(memory->chunks);
	g_free(memory->nodes);
	g_free(memory->groups);
	g_free(memory->ports);
	g_free(memory->slices);
	g_free(memory);
}
