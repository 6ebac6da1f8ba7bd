/* SPDX-License-Identifier: MIT */
/* Where lanes go: at branches, in retry loops, in and out of functions. */
#include "gpu/convert/walk-internal.h"

/* Steps of a warp from which on it takes the shortest path: a loop whose end is not known may run for ever. A kernel of
   8 million instructions a warp is as long as a capture can be; its steps are 200 MB. */
#define MAX_STEPS_TO_EVENT (1u << 20)
#define MAX_STEPS	   (1u << 23)

/* The lanes calculate what the step says. An access without an event has no lane that passes its
   guard. */
static void compute_step(Walk *walk, const RawEvent *event, int at, uint32_t mask)
{
	bool is_known = event || walk_is_wall(walk->map, at);
	const uint32_t *loaded = event && !(event->mask & ~mask) ? raw_values(event) : NULL;

	if (walk->values)
		compute_execute(walk->values, at, mask, is_known,
				event	   ? event->mask & mask
				: is_known ? 0
					   : mask,
				loaded, event ? RAW_VALUE_BYTES(event->bytes) / 4 : 0);
}

bool walk_is_calculated(const Walk *walk)
{
	return walk->values && walk->steps->len < MAX_STEPS &&
	       walk->steps->len - walk->due_step < MAX_STEPS_TO_EVENT;
}

/* Of an attempt of a retry loop that adds. */
static guint note_addend(Walk *walk, const RawEvent *event, int at)
{
	const SassFunction *function = walk->map->function;
	int number = sass_instruction(function, at)->loop;
	const SassLoop *loop =
		number >= 0 ? &g_array_index(function->loops, SassLoop, number) : NULL;

	return loop && loop->load == at && loop->add >= 0
		       ? compute_note_addend(walk->values, at, loop->add, event->mask)
		       : 0;
}

void walk_add_step(Walk *walk, WalkGroup *group, const RawEvent *event, uint32_t mask,
		   bool taken)
{
	const SassSpecial special = sass_instruction(walk->map->function, group->at)->special;
	WalkStep step = {.event = event,
			 .index = group->at,
			 .mask = mask,
			 .taken = taken,
			 .follows = group->last_step == walk->steps->len};

	if (walk->values && special == SASS_DISTINCT)
		step.distinct =
			(uint8_t)compute_distinct(walk->values, group->at, mask, &step.value);
	if (special == SASS_EXCLUSIVE)
		step.distinct = 1;
	if (walk->values && event)
		step.noted = note_addend(walk, event, group->at);
	compute_step(walk, event, group->at, mask);
	g_array_append_val(walk->steps, step);
	group->last_step = walk->steps->len;
}

int walk_distance(Walk *walk, int lane, int at)
{
	int to = walk->next_index[lane];

	return to < 0 || at < 0 || at >= walk->map->n ? WALK_NO_PATH
						      : walk_distances(walk->map, to)[at];
}

static uint64_t word_of(const RawEvent *event, int lane)
{
	return raw_address(event, event + 1,
			   (guint)__builtin_popcount(event->mask & ((1u << lane) - 1)));
}

/* Of memory that retry loops are on. */
static bool is_of_memory(const RawEvent *event)
{
	return event->kind == RAW_SHARED || event->kind == RAW_GLOBAL;
}

/* Whether the lane's next event is another attempt of the retry loop: of the same word, by lanes that
   all were in the last. */
static bool is_retry(const Walk *walk, int lane, const SassLoop *loop)
{
	const RawEvent *event;

	if (walk->next_index[lane] != loop->load)
		return false;
	event = walk_event(walk, walk->next_event[lane]);
	return !(event->mask & ~walk->tried_lanes[lane]) && is_of_memory(event) &&
	       word_of(event, lane) == walk->tried_word[lane];
}

/* 1: the lane takes the branch back of a retry loop, 0: it leaves the loop, -1: it is no such
   branch. */
static int way_in_loop(const Walk *walk, const WalkGroup *group, int lane)
{
	const SassFunction *function = walk->map->function;
	const SassInstruction *instruction = sass_instruction(function, group->at);
	const SassLoop *loop =
		instruction->loop >= 0
			? &g_array_index(function->loops, SassLoop, instruction->loop)
			: NULL;

	return !loop || loop->branch != group->at ? -1 : is_retry(walk, lane, loop);
}

void walk_note_attempt(Walk *walk, const RawEvent *event, int at)
{
	const SassFunction *function = walk->map->function;
	int loop = sass_instruction(function, at)->loop;

	if (loop < 0 || g_array_index(function->loops, SassLoop, loop).load != at ||
	    !is_of_memory(event))
		return;
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (event->mask >> lane & 1) {
			walk->tried_word[lane] = word_of(event, lane);
			walk->tried_lanes[lane] = event->mask;
		}
}

/* The lanes that take the branch. */
static uint32_t taken_lanes(Walk *walk, const WalkGroup *group,
			    const SassInstruction *instruction)
{
	uint32_t taken = 0, open = 0, known = 0, calculated = 0;

	if (!instruction->conditional)
		return group->mask;
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++) {
		if (!(group->mask >> lane & 1))
			continue;

		int there = walk_distance(walk, lane, instruction->target);
		int here = walk_distance(walk, lane, group->at + 1);
		bool both = there != WALK_NO_PATH && here != WALK_NO_PATH;
		int in_loop = both ? way_in_loop(walk, group, lane) : -1;

		taken |= (uint32_t)(in_loop >= 0 ? in_loop : there < here) << lane;
		open |= (uint32_t)(both && in_loop < 0) << lane;
	}
	if (walk_is_calculated(walk)) {
		calculated = compute_branch(walk->values, group->at, group->mask, &known);
		walk->counts->refuted += ((calculated ^ taken) & known & ~open) != 0;
		taken = (taken & ~(open & known)) | (calculated & open & known);
		compute_learn(walk->values, group->at, group->mask & ~(open & ~known), taken);
	}
	walk->counts->guesses += (open & ~known) != 0;
	return taken;
}

void walk_branch(Walk *walk, WalkGroup *group, const SassInstruction *instruction)
{
	uint32_t taken = taken_lanes(walk, group, instruction);
	WalkGroup *other;

	walk_add_step(walk, group, NULL, group->mask, taken != 0);
	if (taken == group->mask) {
		group->at = instruction->target;
		return;
	}
	group->at++;
	if (taken) {
		other = walk_split(walk, group, taken);
		other->at = instruction->target;
	}
}

/* The instruction of the lane's next event behind the one that is due; -1 if it has none. */
static int next_behind(const Walk *walk, int lane)
{
	for (guint i = walk->due + 1; i < walk->events->len; i++)
		if (walk_event(walk, i)->mask >> lane & 1)
			return sass_find_pc(walk->map->function, walk->function_pc,
					    walk_event(walk, i)->pc);
	return -1;
}

/* Instructions from a place to another. */
static int distance_between(const Walk *walk, int from, int to)
{
	return to < 0 || from < 0 ? WALK_NO_PATH : walk_distances(walk->map, to)[from];
}

/* Puts each lane of the group to where its value says, or, if that is not known, to the one of the places from which it has
   the shortest path to its next event, next[lane]. Lanes that get nowhere have none. */
static void go_to_places(Walk *walk, WalkGroup *group, const GArray *places, const int *next)
{
	int targets[TRACE_MAX_LANES];
	uint32_t left = group->mask, known = 0, open = 0;

	if (walk_is_calculated(walk))
		known = compute_targets(walk->values, group->at, group->mask, targets);
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++) {
		guint n_open = 0;
		int best = -1;

		if (!(left >> lane & 1))
			continue;
		if (known >> lane & 1) {
			if (distance_between(walk, targets[lane], next[lane]) != WALK_NO_PATH)
				continue;
			walk->counts->refuted++;
		}
		for (guint i = 0; i < places->len; i++) {
			int place = g_array_index(places, int, i);
			int distance = distance_between(walk, place, next[lane]);

			n_open += distance != WALK_NO_PATH;
			if (distance != WALK_NO_PATH &&
			    (best < 0 || distance < distance_between(walk, best, next[lane])))
				best = place;
		}
		targets[lane] = best;
		open |= (uint32_t)(n_open > 1) << lane;
	}
	walk->counts->guesses += open != 0;
	while (left) {
		int place = targets[__builtin_ctz(left)];
		uint32_t lanes = 0;
		WalkGroup *part = group;

		for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
			lanes |= (uint32_t)(left >> lane & 1 && targets[lane] == place) << lane;
		left &= ~lanes;
		if (left)
			part = walk_split(walk, group, lanes);
		part->at = place;
		/* It is issued once for each place that lanes go to: what is left comes again (pointers-counted.csv). */
		if (left)
			walk_add_step(walk, group, NULL, left, true);
	}
}

/* WARPSYNC.EXCLUSIVE, in front of a reduction: lanes whose masks are alike go on together, up to the join that follows, and the
   other groups one after the other behind them; each is issued it for itself (measurements/h200/issue/issue-warp-reduce.csv: four
   instructions a group, by the GPU's counter). */
void walk_part_alike(Walk *walk, WalkGroup *group)
{
	uint32_t alike;

	while (walk->values &&
	       (alike = compute_alike(walk->values, group->at, group->mask)) != 0 &&
	       alike != group->mask) {
		WalkGroup *part = walk_split(walk, group, alike);

		part->at++;
		walk_add_step(walk, group, NULL, group->mask, false);
	}
	group->at++;
}

/* A branch to one of several places, or where the text does not say. */
void walk_branch_somewhere(Walk *walk, WalkGroup *group)
{
	g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(int));

	sass_successors(walk->map->function, group->at, places);
	walk_add_step(walk, group, NULL, group->mask, true);
	go_to_places(walk, group, places, walk->next_index);
}

/* All lanes of a group have called from one place. */
void walk_come_back(Walk *walk, WalkGroup *group)
{
	int at = -1;

	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (group->mask >> lane & 1 && walk->n_calls[lane] > 0)
			at = walk->returns[lane][--walk->n_calls[lane]];
	group->at = at;
}

void walk_call(Walk *walk, WalkGroup *group, const SassInstruction *instruction)
{
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (group->mask >> lane & 1 && walk->n_calls[lane] < WALK_MAX_CALLS)
			walk->returns[lane][walk->n_calls[lane]++] = group->at + 1;
	if (instruction->target >= 0) {
		group->at = instruction->target;
	} else if (instruction->by_value && walk->map->function->entries->len > 0) {
		int next[TRACE_MAX_LANES];

		for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
			next[lane] = group->mask >> lane & 1 ? next_behind(walk, lane) : -1;
		go_to_places(walk, group, walk->map->function->entries, next);
	} else {
		walk->counts->outside++;
		if (walk->values)
			compute_passed_over(walk->values, group->mask);
		walk_come_back(walk, group);
	}
}
