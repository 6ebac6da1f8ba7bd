/* SPDX-License-Identifier: MIT */
/*
 * What is to happen in the memory that SMs share, by cycle: a wheel whose slots are lists.
 *
 * Events of one cycle happen in the order in which they were posted. Who may include it: sim/memory-*.
 */
#ifndef ATOMSIM_SIM_MEMORY_EVENTS_H
#define ATOMSIM_SIM_MEMORY_EVENTS_H

#include <glib.h>

#include "model/memory-parameters.h"
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

/* The first member of what it happens to. */
typedef struct Event Event;
struct Event {
	Event *next;
	Tick at;
	EventKind kind;
	uint32_t sm; /* whose it is: set by its owner */
};

typedef struct {
	Cycle now; /* no event is before */
	uint64_t n_events;
	Event *slots[EVENT_SLOTS], *ends[EVENT_SLOTS];
} EventWheel;

/* All three run for each step of each packet, hence inline. */

/* *event, which is not posted, is to happen at `at`; if that is past, in the cycle that is now. */
static inline void events_post(EventWheel *wheel, Event *event, EventKind kind, Tick at)
{
	Cycle cycle = MAX(at / TICKS_PER_CYCLE, wheel->now);
	uint32_t s;

	/* What is too far away is looked at again at the wheel's end. */
	cycle = MIN(cycle, wheel->now + EVENT_SLOTS - 1);
	s = cycle % EVENT_SLOTS;
	event->at = at;
	event->kind = kind;
	event->next = NULL;
	if (wheel->slots[s])
		wheel->ends[s]->next = event;
	else
		wheel->slots[s] = event;
	wheel->ends[s] = event;
	wheel->n_events++;
}

/* Cycle of the first event, or one in which it is moved on; NEVER: there is none. */
static inline Cycle events_first(const EventWheel *wheel)
{
	Cycle first = wheel->now;

	if (!wheel->n_events)
		return NEVER;
	while (!wheel->slots[first % EVENT_SLOTS])
		first++;
	return first;
}

/* Takes the next event of a cycle before `limit`; NULL: there is none, and it is `limit` now. */
static inline Event *events_take(EventWheel *wheel, Cycle limit)
{
	for (; wheel->n_events && wheel->now < limit; wheel->now++) {
		uint32_t s = wheel->now % EVENT_SLOTS;
		Event *event;

		while ((event = wheel->slots[s])) {
			wheel->slots[s] = event->next;
			__builtin_prefetch(event->next);
			wheel->n_events--;
			if (event->at / TICKS_PER_CYCLE <= wheel->now)
				return event;
			events_post(wheel, event, event->kind, event->at);
		}
	}
	wheel->now = MAX(wheel->now, limit);
	return NULL;
}

#endif
