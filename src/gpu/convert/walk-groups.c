/* SPDX-License-Identifier: MIT */
/* Which lanes of a warp go together: they part at branches, and wait for each other at joins. */
#include "gpu/convert/walk-internal.h"

static WalkGroup *free_group(Walk *walk)
{
	for (int i = 0; i < TRACE_MAX_LANES; i++)
		if (!walk->groups[i].mask)
			return &walk->groups[i];
	g_assert_not_reached(); /* a group has a lane of its own */
}

WalkGroup *walk_split(Walk *walk, WalkGroup *group, uint32_t mask)
{
	WalkGroup *other = free_group(walk);

	*other = *group;
	other->mask = mask;
	group->mask &= ~mask;
	return other;
}

void walk_release(Walk *walk, int at, uint32_t mask)
{
	WalkGroup *first = NULL;

	for (int i = 0; i < TRACE_MAX_LANES; i++) {
		WalkGroup *group = &walk->groups[i];

		if (!(group->mask & mask) || !group->waits || group->at != at)
			continue;
		if (first) {
			first->mask |= group->mask;
			first->last_step = MAX(first->last_step, group->last_step);
			group->mask = 0;
		} else {
			first = group;
		}
	}
	if (first) {
		first->waits = false;
		first->at++;
	}
}

void walk_release_complete(Walk *walk)
{
	for (int i = 0; i < TRACE_MAX_LANES; i++) {
		WalkGroup *group = &walk->groups[i];
		uint32_t there = 0;

		if (!group->mask || !group->waits)
			continue;
		for (int k = 0; k < TRACE_MAX_LANES; k++)
			if (walk->groups[k].mask && walk->groups[k].waits &&
			    walk->groups[k].at == group->at)
				there |= walk->groups[k].mask;
		if (!(group->expects & walk->alive & ~there))
			walk_release(walk, group->at, group->expects);
	}
}

void walk_wait(Walk *walk, WalkGroup *group, uint32_t expects)
{
	group->waits = true;
	group->expects = expects | group->mask;
	walk_release_complete(walk);
}

WalkGroup *walk_gather(Walk *walk, uint32_t mask, int at)
{
	WalkGroup *gathered = NULL;

	for (int i = 0; i < TRACE_MAX_LANES; i++) {
		WalkGroup *group = &walk->groups[i];
		uint32_t part = group->mask & mask;

		if (!part || group == gathered)
			continue;
		if (part != group->mask)
			group = walk_split(walk, group, part);
		if (gathered) {
			gathered->mask |= group->mask;
			gathered->last_step = MAX(gathered->last_step, group->last_step);
			group->mask = 0;
		} else {
			gathered = group;
		}
	}
	gathered->at = at;
	gathered->waits = false;
	return gathered;
}

WalkGroup *walk_find_late(Walk *walk, uint32_t mask, int at)
{
	for (int i = 0; i < TRACE_MAX_LANES; i++)
		if (walk->groups[i].mask & mask &&
		    (walk->groups[i].at != at || walk->groups[i].waits))
			return &walk->groups[i];
	return NULL;
}

WalkGroup *walk_find_together(Walk *walk, uint32_t mask)
{
	for (int i = 0; i < TRACE_MAX_LANES; i++)
		if ((walk->groups[i].mask & mask) == mask && walk->groups[i].mask != mask)
			return &walk->groups[i];
	return NULL;
}
