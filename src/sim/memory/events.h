/* SPDX-License-Identifier: MIT */
/*
 * What is to happen in the memory that SMs share, by cycle: a wheel whose slots are lists, of many pointers an entry.
 *
 * Events of one cycle happen in the order in which they were posted. Who may include it: sim/memory-*.
 */
#ifndef ATOMSIM_SIM_MEMORY_EVENTS_H
#define ATOMSIM_SIM_MEMORY_EVENTS_H

#include <glib.h>
#include <stdbool.h>

#include "model/memory/memory-parameters.h"
#include "sim/run/arena.h"
#include "sim/sm/wheel.h"

#define EVENT_SLOTS 4096 /* cycles that the wheel reaches ahead */

typedef enum {
	EVENT_SEND,	  /* an SM's port is free for its next packet */
	EVENT_TRANSLATED, /* an access that is not at its SM's port has its translations */
	EVENT_ENTER,	  /* a packet is at its home's port */
	EVENT_MIRROR,	  /* a packet is at the slice that passes it on */
	EVENT_READY,	  /* has passed its slice's port */
	EVENT_DONE,	  /* has been served */
	EVENT_BACK,	  /* its data have come, for a result of the other partition */
	EVENT_RECEIVE,	  /* its result is at the SM, data at the ingress of its group */
} EventKind;

/* The first member of what it happens to. */
typedef struct {
	Tick at;
	EventKind kind;
	uint32_t sm; /* whose it is: set by its owner */
} Event;

#define CHUNK_BYTES  128 /* a chunk begins at a multiple of that */
#define CHUNK_EVENTS (CHUNK_BYTES / sizeof(void *) - 1)
#define EVENTS_AHEAD                                                                           \
	4 /* an event is asked for that many before it happens: it is in no cache by then */

typedef struct EventChunk EventChunk;
struct EventChunk {
	EventChunk *next;
	Event *events[CHUNK_EVENTS]; /* its end is the chunk's */
};

G_STATIC_ASSERT(sizeof(EventChunk) == CHUNK_BYTES);

/* The events of a cycle, in chunks: where the first is, and where the next one to come is to be; the end of a chunk: in
   another one. Both NULL: there is none. */
typedef struct {
	Event **first, **end;
} EventSlot;

typedef struct {
	Cycle now; /* no event is before */
	uint64_t n_events;
	Arena *arena;
	EventChunk *spare;
	EventSlot slots[EVENT_SLOTS];
} EventWheel;

/* Another chunk for a slot whose last one is full, or that has none. */
void events_extend(EventWheel *wheel, EventSlot *slot);
/* All of the slot's first chunk has been taken. */
void events_leave_chunk(EventWheel *wheel, EventSlot *slot);

static inline bool events_at_end(Event *const *at)
{
	return (uintptr_t)at % CHUNK_BYTES == 0;
}

/* All three run for each step of each packet, hence inline. */

/* *event, which is not posted, is to happen at `at`; if that is past, in the cycle that is now. */
static inline void events_post(EventWheel *wheel, Event *event, EventKind kind, Tick at)
{
	Cycle cycle = MAX(at / TICKS_PER_CYCLE, wheel->now);
	EventSlot *slot;

	/* What is too far away is looked at again at the wheel's end. */
	cycle = MIN(cycle, wheel->now + EVENT_SLOTS - 1);
	slot = &wheel->slots[cycle % EVENT_SLOTS];
	event->at = at;
	event->kind = kind;
	if (events_at_end(slot->end))
		events_extend(wheel, slot);
	*slot->end++ = event;
	wheel->n_events++;
}

/* Cycle of the first event, or one in which it is moved on; NEVER: there is none. */
static inline Cycle events_first(const EventWheel *wheel)
{
	Cycle first = wheel->now;

	if (!wheel->n_events)
		return NEVER;
	while (!wheel->slots[first % EVENT_SLOTS].first)
		first++;
	return first;
}

/* Takes the next event of a cycle before `limit`; NULL: there is none, and it is `limit` now. */
static inline Event *events_take(EventWheel *wheel, Cycle limit)
{
	for (; wheel->n_events && wheel->now < limit; wheel->now++) {
		EventSlot *slot = &wheel->slots[wheel->now % EVENT_SLOTS];

		while (slot->first) {
			Event **first = slot->first++, *event = *first;

			/* Behind the end is what was there before, or NULL. */
			if ((uintptr_t)first % CHUNK_BYTES <
			    CHUNK_BYTES - EVENTS_AHEAD * sizeof *first)
				__builtin_prefetch(first[EVENTS_AHEAD], 1);
			if (slot->first == slot->end || events_at_end(slot->first))
				events_leave_chunk(wheel, slot);
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
