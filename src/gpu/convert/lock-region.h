/* SPDX-License-Identifier: MIT */
/*
 * Steps of a warp from the first try of a spin lock on, until all lanes that wanted one have given it back.
 * For lock.c.
 */
#ifndef ATOMSIM_GPU_CONVERT_LOCK_REGION_H
#define ATOMSIM_GPU_CONVERT_LOCK_REGION_H

#include "gpu/convert/internal.h"

typedef struct {
	Launch *launch;
	const GArray *steps;
	guint first, end;		/* steps; end is behind the last release */
	uint32_t lanes, waiting;	/* that took or take a lock; that want one now */
	bool drifts;			/* a lane came again before all were done */
	uint64_t word[TRACE_MAX_LANES]; /* address of the lock */
	guint n_taken[TRACE_MAX_LANES];
	GArray *got[TRACE_MAX_LANES]; /* guint: steps of the attempts that succeeded */
	guint tried[TRACE_MAX_LANES]; /* step of the last attempt */
	guint n_attempts;
} LockRegion;

/* Looks for the end of what begins at step `first`. False: no plain spin locks. lock_region_clear in any case. */
bool lock_region_find(LockRegion *region);
void lock_region_clear(LockRegion *region);

static inline const WalkStep *lock_region_step(const LockRegion *region, guint i)
{
	return &g_array_index(region->steps, WalkStep, i);
}

/* Whether lanes try to take locks there. */
bool lock_region_is_try(const Launch *launch, const WalkStep *step);
/* The address that the lane used, one of the event's. */
uint64_t lock_region_word(const RawEvent *event, int lane);

#endif
