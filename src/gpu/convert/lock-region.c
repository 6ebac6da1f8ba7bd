/* SPDX-License-Identifier: MIT */
#include "gpu/convert/internal.h"

bool lock_region_is_try(const Launch *launch, const WalkStep *step)
{
	return step->event && step->index >= 0 && launch->locks[step->index] &&
	       convert_can_lock(step->event);
}

uint64_t lock_region_word(const RawEvent *event, int lane)
{
	return raw_address(event, event + 1,
			   (guint)__builtin_popcount(event->mask & ((1u << lane) - 1)));
}

/* Lanes of an attempt. False if that is no plain spin lock. */
static bool try_lock(LockRegion *region, const WalkStep *step, guint i)
{
	region->drifts |=
		region->waiting && step->event->mask & region->lanes & ~region->waiting;
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++) {
		uint32_t bit = 1u << lane;

		if (!(step->event->mask & bit))
			continue;
		if (region->waiting & bit &&
		    lock_region_word(step->event, lane) != region->word[lane])
			return false;
		region->word[lane] = lock_region_word(step->event, lane);
		region->tried[lane] = i;
	}
	region->lanes |= step->event->mask;
	region->waiting |= step->event->mask;
	region->n_attempts++;
	return true;
}

/* Whether the step gives back the locks of all its lanes. */
static bool releases(const LockRegion *region, const WalkStep *step)
{
	const RawEvent *event = step->event;

	if (!event || step->index < 0 || (event->mask & ~region->waiting) ||
	    !convert_gives_lock_back(sass_instruction(region->launch->function, step->index),
				     event))
		return false;
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (event->mask >> lane & 1 &&
		    lock_region_word(event, lane) != region->word[lane])
			return false;
	return true;
}

static void release(LockRegion *region, uint32_t mask)
{
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (mask >> lane & 1) {
			if (!region->got[lane])
				region->got[lane] = g_array_new(FALSE, FALSE, sizeof(guint));
			g_array_append_val(region->got[lane], region->tried[lane]);
			region->n_taken[lane]++;
		}
	region->waiting &= ~mask;
}

static bool is_even(const LockRegion *region)
{
	guint n = region->n_taken[__builtin_ctz(region->lanes)];

	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (region->lanes >> lane & 1 && region->n_taken[lane] != n)
			return false;
	return true;
}

bool lock_region_find(LockRegion *region)
{
	bool found = false;

	for (guint i = region->first; i < region->steps->len; i++) {
		const WalkStep *step = lock_region_step(region, i);
		bool is_end = step->event && (step->event->kind == RAW_EXIT ||
					      step->event->kind == RAW_BARRIER);

		if (lock_region_is_try(region->launch, step)) {
			if (!try_lock(region, step, i))
				return false;
		} else if (releases(region, step)) {
			release(region, step->event->mask);
			if (region->waiting)
				continue;
			region->end = i + 1;
			found = true;
			if (!region->drifts || is_even(region))
				return true;
		} else if (is_end && step->event->mask & region->lanes) {
			/* A lane that waits for ever, or ends with a lock, had no such lock; those that
			   are done may go on while others wait. */
			if (!region->waiting)
				return found;
			if (step->event->mask & region->waiting)
				return false;
		}
	}
	return false;
}

void lock_region_clear(LockRegion *region)
{
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (region->got[lane])
			g_array_unref(region->got[lane]);
}
