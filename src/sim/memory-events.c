/* SPDX-License-Identifier: MIT */
#include "sim/memory-events.h"

#include <glib.h>

#include "sim/wheel.h"

void events_post(EventWheel *wheel, Event *event, EventKind kind, Tick at)
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

Cycle events_first(const EventWheel *wheel)
{
	Cycle first = wheel->now;

	if (!wheel->n_events)
		return NEVER;
	while (!wheel->slots[first % EVENT_SLOTS])
		first++;
	return first;
}

Event *events_take(EventWheel *wheel, Cycle limit)
{
	for (; wheel->n_events && wheel->now < limit; wheel->now++) {
		uint32_t s = wheel->now % EVENT_SLOTS;
		Event *event;

		while ((event = wheel->slots[s])) {
			wheel->slots[s] = event->next;
			wheel->n_events--;
			if (event->at / TICKS_PER_CYCLE <= wheel->now)
				return event;
			events_post(wheel, event, event->kind, event->at);
		}
	}
	wheel->now = MAX(wheel->now, limit);
	return NULL;
}
