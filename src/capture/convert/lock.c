/* SPDX-License-Identifier: MIT */
/*
 * A program's own spin locks to lock and unlock. How often the recording GPU tried is its own
 * affair: an attempt is kept back until its lanes do something else, which only those do that
 * got their lock. What they do until they give it back is the critical section, once a lane.
 */
#include "capture/convert/internal.h"

static guint place_in(uint32_t mask, int lane)
{
	return (guint)__builtin_popcount(mask & ((1u << lane) - 1));
}

static bool is_lock_site(const Launch *launch, const Step *step)
{
	return launch->locks && step->index >= 0 && launch->locks[step->index] &&
	       step->event->kind == RAW_SHARED;
}

/* The lanes of `lanes`, all waiting at one instruction, have their locks. */
static void append_lock(Launch *launch, const Step *step, uint32_t lanes, int site)
{
	Warp *warp = step->warp;
	Step lock = *step;
	Record record = {.kind = RECORD_LOCK, .mask = lanes, .width = 4};
	guint n = 0;

	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (lanes >> lane & 1)
			record.address[n++] = warp->lock_word[lane];
	lock.index = site;
	convert_append(launch, &lock, &record);
	launch->counts->folded_locks++;
	warp->waiting &= ~lanes;
	warp->holding |= lanes;
}

/* Whether the lane tries again, or looks at the word until it is worth a try. */
static bool still_waits(const Launch *launch, const Step *step, int lane)
{
	uint32_t address;

	return step->event->kind == RAW_SHARED &&
	       (is_lock_site(launch, step) || step->event->flags == RAW_READ) &&
	       convert_shared_address(launch, step, place_in(step->event->mask, lane),
				      &address) &&
	       address == step->warp->lock_word[lane];
}

/* The lanes of the event that waited for a lock, and now do something else, have it. */
void convert_settle_locks(Launch *launch, const Step *step)
{
	Warp *warp = step->warp;
	uint32_t settled = 0;

	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (step->event->mask & warp->waiting & 1u << lane &&
		    !still_waits(launch, step, lane))
			settled |= 1u << lane;
	while (settled) {
		int site = warp->lock_site[__builtin_ctz(settled)];
		uint32_t together = 0;

		for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
			if (settled >> lane & 1 && warp->lock_site[lane] == site)
				together |= 1u << lane;
		append_lock(launch, step, together, site);
		settled &= ~together;
	}
}

/* An attempt. */
static void try_lock(Launch *launch, const Step *step)
{
	Warp *warp = step->warp;
	uint32_t mask = step->event->mask;

	if (mask & ~warp->waiting)
		convert_append_arithmetic(launch, step);
	else
		launch->counts->folded_events++;
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (mask >> lane & 1) {
			convert_shared_address(launch, step, place_in(mask, lane),
					       &warp->lock_word[lane]);
			warp->lock_site[lane] = step->index;
		}
	warp->waiting |= mask;
}

/* Whether all lanes write the words of the locks that they hold. */
static bool releases(const Launch *launch, const Step *step)
{
	const Warp *warp = step->warp;

	if (!step->instruction || (step->event->mask & ~warp->holding) ||
	    !convert_gives_lock_back(step->instruction, step->event))
		return false;
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++) {
		uint32_t address;

		if (step->event->mask >> lane & 1 &&
		    (!convert_shared_address(launch, step, place_in(step->event->mask, lane),
					     &address) ||
		     address != warp->lock_word[lane]))
			return false;
	}
	return true;
}

bool convert_lock(Launch *launch, const Step *step)
{
	Warp *warp = step->warp;
	uint32_t mask = step->event->mask;
	Record record = {.kind = RECORD_UNLOCK, .mask = mask, .width = 4};
	guint n = 0;

	if (is_lock_site(launch, step)) {
		try_lock(launch, step);
		return true;
	}
	if ((mask & warp->waiting) == mask && mask) {
		launch->counts->folded_events++; /* looks at the word */
		return true;
	}
	if (!releases(launch, step))
		return false;
	convert_append_arithmetic(launch, step);
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (mask >> lane & 1)
			record.address[n++] = warp->lock_word[lane];
	convert_append(launch, step, &record);
	warp->holding &= ~mask;
	return true;
}
