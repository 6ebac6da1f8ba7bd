/* SPDX-License-Identifier: MIT */
/*
 * What is to happen in the memory that SMs share, by cycle: a wheel whose slots are lists.
 *
 * Events of one cycle happen in the order in which they were posted. Who may include it: sim/memory-*.
 */
#ifndef ATOMSIM_SIM_MEMORY_EVENTS_H
#define ATOMSIM_SIM_MEMORY_EVENTS_H

#include <stdbool.h>

#include "model/memory-parameters.h"
#include "model/shared.h"

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

/* The first member of what it happens to. */
typedef struct Event Event;
struct Event {
	Event *next;
	Tick at;
	EventKind kind;
};

typedef struct {
	Cycle now; /* no event is before */
	uint64_t n_events;
	Event *slots[EVENT_SLOTS], *ends[EVENT_SLOTS];
} EventWheel;

/* *event, which is not posted, is to happen at `at`; if that is past, in the cycle that is now. */
void events_post(EventWheel *wheel, Event *event, EventKind kind, Tick at);
/* Cycle of the first event, or one in which it is moved on; NEVER: there is none. */
Cycle events_first(const EventWheel *wheel);
/* Takes the next event of a cycle before `limit`; NULL: there is none, and it is `limit` now. */
Event *events_take(EventWheel *wheel, Cycle limit);

#endif
