/* SPDX-License-Identifier: MIT */
/*
 * What the memory that SMs share consists of: their ends of the network, the slices and their ports, what is under way.
 * Who may include it: sim/memory-*.
 */
#ifndef ATOMSIM_SIM_MEMORY_STATE_H
#define ATOMSIM_SIM_MEMORY_STATE_H

#include <glib.h>

#include "model/dram.h"
#include "model/link.h"
#include "model/slice-map.h"
#include "model/slice.h"
#include "sim/memory-events.h"
#include "sim/memory.h"

#define REQUEST_CLASSES 7 /* of requests with up to 1, 2, 4, .. COALESCE_MAX_PACKETS packets */

/* A warp access on its way. One of a packet, as most are, takes a line of the simulating processor's cache. */
typedef struct Request Request;
struct Request {
	Request *next;
	Tick at; /* it is at the SM's port; once packets have come back: the last of them was there */
	MemoryServed served;
	void *served_data;
	uint64_t id;
	uint8_t kind; /* AccessKind */
	bool result, cached;
	bool near, far; /* what has been sent lies in the SM's own partition, in the other */
	uint8_t n_packets, n_sent, n_left;
	Packet packets[];
};

/* A packet on its way: a line of the cache too, which says all that is needed before the packet comes back. */
typedef struct {
	Event event; /* first: events are cast */
	Request *request;
	Packet packet;
	Tick last;	/* its last round was served so long after the first */
	uint16_t slice; /* of all: its home */
	uint8_t kind;	/* AccessKind */
	bool far;
	bool brought; /* a load whose line comes from the other partition */
	bool replies; /* has a result, or data */
	bool is_watched;
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
	Request *asked, *asked_last; /* in this window, by the SM's thread, */
	uint32_t n_asked;	     /* so many */
	Request *spare[REQUEST_CLASSES];
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
	uint8_t *has_asked; /* of each: in this window; set by the SM's thread */
	Tick *groups;	    /* when the way out of each is free, */
	Tick *groups_in;    /* and the way in */
	int32_t *distance;  /* of each group from each slice, in cycles from the mean */
	Flying *spare;
	Arena *arena;
	GArray *replies; /* MemoryReply */
	uint32_t n_taken;
	MemoryCounters counters;
	EventWheel events;
};

/* --- sim/memory-requests.c: room for what is under way --- */

/* With room for so many packets; nothing of it is set. From the SM's thread, or between two windows. */
Request *request_new(Memory *memory, Node *node, uint32_t n_packets);
void request_free(Node *node, Request *request);
Flying *flying_new(Memory *memory);
void flying_free(Memory *memory, Flying *flying);

/* --- sim/memory-ways.c: what happens to it --- */

void memory_happen(Memory *memory, Event *event);

#endif
