/* SPDX-License-Identifier: MIT */
/*
 * What the memory that SMs share consists of: their ends of the network, the slices and their ports, what is under way.
 * Who may include it: sim/memory-*.
 */
#ifndef ATOMSIM_SIM_MEMORY_STATE_H
#define ATOMSIM_SIM_MEMORY_STATE_H

#include <glib.h>

#include "model/memory/dram.h"
#include "model/memory/link.h"
#include "model/memory/slice-map.h"
#include "model/memory/slice.h"
#include "sim/memory/by-turns.h"
#include "sim/memory/events.h"
#include "sim/memory/line-table.h"
#include "sim/memory/memory.h"
#include "sim/memory/residency.h"
#include "sim/run/utilization.h"

#define REQUEST_CLASSES 7 /* of requests with up to 1, 2, 4, .. COALESCE_MAX_PACKETS packets */

/* A warp access that has not left its SM, or of several packets on its way. One of a packet, as most are, takes a line of the
   simulating processor's cache. */
typedef struct Request Request;
struct Request {
	Request *next;
	Tick at; /* it is at the SM's port; once packets have come back: the last of them was there */
	MemoryServed served;
	void *served_data;
	uint64_t id;
	uint8_t kind; /* AccessKind */
	bool result : 1, cached : 1, tries : 1;
	bool near : 1,
		far : 1; /* what has been sent lies in the SM's own partition, in the other */
	bool dram : 1;	 /* the packet that was there at `at` has been to DRAM */
	uint8_t n_packets, n_sent, n_left;
	uint16_t miss;
	Packet packets[];
};

G_STATIC_ASSERT(sizeof(Request) + sizeof(Packet) <= 64);

/* A packet on its way: a line of the cache too, which says all that is needed before the packet comes back; of an access of this
   packet alone, which nobody watches, also what its reply says. */
typedef struct Flying Flying;
struct Flying {
	Event event; /* first: events are cast */
	union {
		Request *request;
		uint64_t id;   /* is_alone */
		Flying *spare; /* on its way no more: the next that is not */
	};
	Packet packet;
	union {
		Waiter waiter; /* at its home's port; then: */
		Tick last;     /* its last round was served so long after the first */
	};
	uint16_t slice; /* of all: its home */
	uint16_t miss;	/* is_alone: as in the reply, and so are */
	uint8_t kind;	/* AccessKind */
	bool far;
	bool replies; /* has a result, or data */
	bool is_watched, is_alone, tries;
	bool near_reply, far_reply; /* these */
	bool dram;		    /* its line was not in the L2 */
	bool waited; /* a store that DRAM has taken: it kept its place at the port until then */
	char apart[1];
};

G_STATIC_ASSERT(sizeof(Flying) == 64);

/* What an SM has under way to a slice, stores and atomics. */
typedef struct {
	uint32_t flits, rounds;
} Backlog;

/* The SM's end. */
typedef struct Node Node;
struct Node {
	Event event;   /* first */
	Waiter waiter; /* for a place at a port */
	Link link;
	SmPlace place;
	bool busy;	       /* an event is pending, or it waits */
	bool full;	       /* it waits until fewer flits of its tries are on their way, */
	uint32_t n_flits;      /* than so many */
	Backlog *backlogs;     /* of each slice, asked for and not served; */
	uint32_t n_unserved;   /* flits of them, without those that wait at their slice */
	uint32_t n_for_room;   /* warps of the SM that wait until these are fewer */
	Tick left_at;	       /* when they had last become no more than the network takes */
	Tick pushed;	       /* when the port is through with them, if not held up */
	Request *first, *last; /* what has not left yet */
	Request *asked, *asked_last; /* in this window, by the SM's thread, */
	uint32_t n_asked;	     /* so many */
	uint32_t n_atomic;	     /* of them, that atomic units do */
	Request *spare[REQUEST_CLASSES];
};

typedef struct {
	SlicePort intake;
	uint32_t n_packets;
} Port;

/* Whose turn is next at a slice. */
typedef struct {
	uint32_t n_packets; /* that it works on */
	uint32_t next_port; /* if anything waits there */
} SliceTurns;

/* Lines that an SM writes at a time where all of them write a region: a block of 1,024 threads, 16 bytes each. */
#define WRITTEN_LINES 128

struct Memory {
	const NetworkParameters *network;
	const L2Parameters *l2;
	bool merges; /* lanes of an atomic that want one word go as one */
	SliceTiming slice_timing;
	SliceTiming result_timing; /* of what gets a result */
	LinkTiming link_timing;
	Dram dram;
	Tick *channels_free; /* the DRAM's */
	uint64_t copies;     /* share of the lines that both partitions hold, for loads; */
	LineTable *
		copied; /* NULL, or those that loads of this kernel have made: (line * 2 + half) * 2 + partition */
	/* NULL, or the partition of each SM of the machine, which have written in turn before the kernel began: what an SM writes is copied in its
	   own partition, too, if its home is the other, and nowhere else (touch.csv, pages: of 64 lines behind a cudaMemset, 32 of which are far, 16 take one
	   side's SM 180 cycles more the first time, 17 the other's, the same in each launch; of what the host wrote all far ones, l2). */
	uint8_t *written_by;
	/* NULL, or when each half (line * 2 + half) that this kernel has fetched is there: of a launch that finds the L2 cold it holds no others. All have
	   room. */
	LineTable *fetched;
	Tlb *tlb;   /* NULL: translations are there */
	bool walks; /* loads and stores find all, or go by `residency`; atomics by a share */
	Residency *residency; /* NULL, or of a launch for which there is no room */
	uint32_t n_writers;
	/* As what lines are found where that differs from buffer to buffer, by address; else NULL. */
	FoundLines *found;
	uint32_t n_found;
	LaunchL2 found_all; /* else */
	Observer *observer; /* of what slices do; NULL: none */
	uint32_t n_slices;  /* of all partitions */
	Slice *slices;
	Port *ports; /* two a slice: for packets of its own partition, of the other */
	ByTurns *nodes_waiting;	  /* at each, for a place, */
	ByTurns *packets_waiting; /* for their turn */
	SliceTurns *turns;	  /* of each slice */
	uint32_t n_nodes;
	Node *nodes;
	Backlog *backlogs;  /* of the nodes: n_slices each */
	uint8_t *has_asked; /* of each: in this window; set by the SM's thread */
	uint32_t n_groups, n_egresses;
	Tick *egresses;	 /* n_egresses, CLUSTER_EGRESSES of each cluster: when each is free, */
	Tick *groups_in; /* when each group's ingress is, */
	Tick *to_slices; /* and of the way of each group to each slice */
	Tick links[MAX_LINKS]; /* between the partitions, the same */
	int32_t *distance;     /* of each group from each slice, in cycles from the mean */
	Flying *spare;
	Arena *arena;
	GArray *replies; /* MemoryReply */
	uint32_t n_taken;
	Meter **meters; /* of the slices; NULL: nobody asks how busy they are */
	Cycle looked_at, served_until;
	MemoryCounters counters;  /* without what slices count */
	uint64_t *merged_by_site; /* lanes, at slices; NULL: nobody asks */
	EventWheel events;
};

/* --- sim/memory/requests.c: room for what is under way --- */

/* With room for so many packets; nothing of it is set. From the SM's thread, or between two windows. */
Request *request_new(Memory *memory, Node *node, uint32_t n_packets);
void request_free(Node *node, Request *request);
Flying *flying_new(Memory *memory);
void flying_free(Memory *memory, Flying *flying);

/* --- sim/memory/queue.c: room in an SM for what nobody waits for --- */

/* Packets that the SM's thread asks for. */
void queue_enter(const Memory *memory, Node *node, const MemoryAccess *access,
		 const Packet *packets, uint32_t n);
/* One has been served: others can leave the SM, and warps that wait for room ask for more. */
void queue_leave(Memory *memory, const Flying *flying);

/* --- sim/memory/ports.c: room on its way --- */

/* Whether the node's next packet, for this port, has to wait; then it is sent when it need not. */
bool port_has_to_wait(const Memory *memory, Node *node, Port *port, const Packet *packet);
/* That packet takes its room, */
void port_take_room(const Memory *memory, Node *node, Port *port, const Packet *packet);
/* and has been served: who has waited for the room can send. */
void port_make_room(Memory *memory, const Flying *flying);

/* --- sim/memory/slice-turns.c: who is next at a slice --- */

/* Whether a packet that is at its slice's port has to wait for its turn. */
bool slice_turn_waits(Memory *memory, Flying *flying);
/* The slice has served a packet: the one whose turn it is, or NULL. */
Flying *slice_turn_ends(Memory *memory, const Flying *done);

/* --- sim/memory/translation.c: translations of addresses, with a TLB --- */

/* Whether the node's first access waits for one, and waits aside from now on. */
bool translation_stands_aside(Memory *memory, Node *node, Tick now);
/* It has them now, and is the node's last. */
void translation_comes(Memory *memory, Flying *flying);

/* --- sim/memory/lines.c: what the L2 holds --- */

/* Where a packet of this kind for `line` is served: its slice, and whether in the other partition. */
uint32_t line_served(const Memory *memory, const Node *node, AccessKind kind, uint64_t line,
		     bool *away);
/* When the line of a packet that has just been served is in the L2, in the partition that has served it: it comes from DRAM or from the other
   partition if it was not. */
Tick line_bring(Memory *memory, Flying *flying);

/* --- sim/memory/route-back.c: what comes back --- */

/* The result of a packet, or the word that it is done, leaves for its SM. */
void route_leave(Memory *memory, Flying *flying, Tick now);
/* The same of a result for an SM of the other partition, when it gets to the link between them. */
void route_back(Memory *memory, Flying *flying);
/* A result is at its SM, or data at the ingress of its group. */
void route_receive(Memory *memory, Flying *flying);

/* --- sim/memory/busy.c: how busy slices are, where somebody asks --- */

/* What happens from .. until - 1 is about to. */
void memory_look(Memory *memory, Cycle from, Cycle until);
void memory_busy_free(Memory *memory);

/* --- sim/memory/route.c: what happens to it --- */

void memory_happen(Memory *memory, Event *event);

#endif
