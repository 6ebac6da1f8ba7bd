/* SPDX-License-Identifier: MIT */
#include "capture/convert/walk-internal.h"

#include <string.h>

#include "base/words.h"

#define MAX_CALLS 16 /* calls within calls that are followed */

/* Lanes that go together. */
typedef struct {
	uint32_t mask;	  /* 0: the group is gone */
	int at;		  /* instruction that comes next */
	bool waits;	  /* at a join or a sync of the warp, which it has executed */
	uint32_t expects; /* lanes that it waits for, itself included */
	guint last_step;  /* its last step's number + 1, 0 if none */
} Group;

typedef struct {
	WalkMap *map;
	const GPtrArray *events;
	uint64_t function_pc;
	GArray *steps;
	WalkCounts *counts;
	guint due;	/* the event that comes next */
	uint32_t alive; /* lanes that have not ended */
	Group groups[TRACE_MAX_LANES];
	guint next_event
		[TRACE_MAX_LANES];	 /* of each lane; the number of events if it has none */
	int next_index[TRACE_MAX_LANES]; /* its instruction, -1 */
	/* Of each lane's last attempt in a retry loop: word and lanes. */
	uint64_t tried_word[TRACE_MAX_LANES];
	uint32_t tried_lanes[TRACE_MAX_LANES];
	uint32_t joins[SASS_N_BARRIERS][TRACE_MAX_LANES]; /* lanes that each will join with */
	int returns[TRACE_MAX_LANES][MAX_CALLS];
	guint n_calls[TRACE_MAX_LANES];
} Walk;

static const RawEvent *event_at(const Walk *walk, guint number)
{
	return g_ptr_array_index(walk->events, number);
}

static int index_of(const Walk *walk, guint number)
{
	return sass_find(walk->map->function, event_at(walk, number)->pc - walk->function_pc);
}

static void add_step(Walk *walk, Group *group, const RawEvent *event, uint32_t mask, bool taken)
{
	WalkStep step = {.event = event,
			 .index = group->at,
			 .mask = mask,
			 .taken = taken,
			 .follows = group->last_step == walk->steps->len};

	g_array_append_val(walk->steps, step);
	group->last_step = walk->steps->len;
}

/* ---- Groups */

static Group *free_group(Walk *walk)
{
	for (int i = 0; i < TRACE_MAX_LANES; i++)
		if (!walk->groups[i].mask)
			return &walk->groups[i];
	g_assert_not_reached(); /* a group has a lane of its own */
}

/* Takes lanes out of a group, to a group of their own. */
static Group *split(Walk *walk, Group *group, uint32_t mask)
{
	Group *other = free_group(walk);

	*other = *group;
	other->mask = mask;
	group->mask &= ~mask;
	return other;
}

/* Lets groups that wait at `at` go on, as one. */
static void release(Walk *walk, int at, uint32_t mask)
{
	Group *first = NULL;

	for (int i = 0; i < TRACE_MAX_LANES; i++) {
		Group *group = &walk->groups[i];

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

/* Releases all groups whose lanes are there. */
static void release_complete(Walk *walk)
{
	for (int i = 0; i < TRACE_MAX_LANES; i++) {
		Group *group = &walk->groups[i];
		uint32_t there = 0;

		if (!group->mask || !group->waits)
			continue;
		for (int k = 0; k < TRACE_MAX_LANES; k++)
			if (walk->groups[k].mask && walk->groups[k].waits &&
			    walk->groups[k].at == group->at)
				there |= walk->groups[k].mask;
		if (!(group->expects & walk->alive & ~there))
			release(walk, group->at, group->expects);
	}
}

/* The group has come to where lanes wait for each other. */
static void wait_for(Walk *walk, Group *group, uint32_t expects)
{
	group->waits = true;
	group->expects = expects | group->mask;
	release_complete(walk);
}

/* ---- Ways */

/* Instructions until the lane's next event, if it goes on at `at`. */
static int way_of(Walk *walk, int lane, int at)
{
	int to = walk->next_index[lane];

	return to < 0 || at < 0 || at >= walk->map->n ? WALK_NO_WAY
						      : walk_distances(walk->map, to)[at];
}

static uint64_t word_of(const RawEvent *event, int lane)
{
	return raw_address(event, event + 1,
			   (guint)__builtin_popcount(event->mask & ((1u << lane) - 1)));
}

/* Whether the lane's next event is another attempt of the retry loop: of the same word, by lanes that
   all were in the last. */
static bool is_retry(const Walk *walk, int lane, const SassLoop *loop)
{
	const RawEvent *event;

	if (walk->next_index[lane] != loop->load)
		return false;
	event = event_at(walk, walk->next_event[lane]);
	return !(event->mask & ~walk->tried_lanes[lane]) && event->kind == RAW_SHARED &&
	       word_of(event, lane) == walk->tried_word[lane];
}

/* 1: the lane takes the branch back of a retry loop, 0: it leaves the loop, -1: it is no such
   branch. */
static int way_in_loop(const Walk *walk, const Group *group, int lane)
{
	const SassFunction *function = walk->map->function;
	const SassInstruction *instruction = sass_instruction(function, group->at);
	const SassLoop *loop =
		instruction->loop >= 0
			? &g_array_index(function->loops, SassLoop, instruction->loop)
			: NULL;

	return !loop || loop->branch != group->at ? -1 : is_retry(walk, lane, loop);
}

static void note_attempt(Walk *walk, const RawEvent *event, int at)
{
	const SassFunction *function = walk->map->function;
	int loop = sass_instruction(function, at)->loop;

	if (loop < 0 || g_array_index(function->loops, SassLoop, loop).load != at ||
	    event->kind != RAW_SHARED)
		return;
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (event->mask >> lane & 1) {
			walk->tried_word[lane] = word_of(event, lane);
			walk->tried_lanes[lane] = event->mask;
		}
}

/* The lanes that take the branch. */
static uint32_t taken_lanes(Walk *walk, const Group *group, const SassInstruction *instruction)
{
	uint32_t taken = 0;
	bool guessed = false;

	if (!instruction->conditional)
		return group->mask;
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++) {
		if (!(group->mask >> lane & 1))
			continue;

		int there = way_of(walk, lane, instruction->target);
		int here = way_of(walk, lane, group->at + 1);

		bool open = there != WALK_NO_WAY && here != WALK_NO_WAY;
		int known = open ? way_in_loop(walk, group, lane) : -1;

		taken |= (uint32_t)(known >= 0 ? known : there < here) << lane;
		guessed |= open && known < 0;
	}
	walk->counts->guesses += guessed;
	return taken;
}

static void branch(Walk *walk, Group *group, const SassInstruction *instruction)
{
	uint32_t taken = taken_lanes(walk, group, instruction);
	Group *other;

	add_step(walk, group, NULL, group->mask, taken != 0);
	if (taken == group->mask) {
		group->at = instruction->target;
		return;
	}
	group->at++;
	if (taken) {
		other = split(walk, group, taken);
		other->at = instruction->target;
	}
}

/* A branch to one of several places, or where the text does not say. */
static void branch_somewhere(Walk *walk, Group *group)
{
	g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(int));
	uint32_t left = group->mask;

	sass_successors(walk->map->function, group->at, places);
	add_step(walk, group, NULL, group->mask, true);
	for (guint i = 0; i < places->len; i++) {
		int place = g_array_index(places, int, i);
		uint32_t lanes = 0;

		for (int lane = 0; lane < TRACE_MAX_LANES; lane++) {
			bool best =
				left >> lane & 1 && way_of(walk, lane, place) != WALK_NO_WAY;

			for (guint k = 0; best && k < places->len; k++)
				best = way_of(walk, lane, place) <=
				       way_of(walk, lane, g_array_index(places, int, k));
			lanes |= (uint32_t)best << lane;
		}
		left &= ~lanes;
		if (lanes)
			(lanes == group->mask ? group : split(walk, group, lanes))->at = place;
	}
	if (left)
		group->at = -1;
}

/* All lanes of a group have called from one place. */
static void come_back(Walk *walk, Group *group)
{
	int at = -1;

	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (group->mask >> lane & 1 && walk->n_calls[lane] > 0)
			at = walk->returns[lane][--walk->n_calls[lane]];
	group->at = at;
}

static void call(Walk *walk, Group *group, const SassInstruction *instruction)
{
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (group->mask >> lane & 1 && walk->n_calls[lane] < MAX_CALLS)
			walk->returns[lane][walk->n_calls[lane]++] = group->at + 1;
	if (instruction->target < 0)
		come_back(walk, group); /* what is called is not in the text */
	else
		group->at = instruction->target;
}

/* Goes on behind an instruction that the whole group has executed and recorded. */
static void go_on(Walk *walk, Group *group, const SassInstruction *instruction,
		  const RawEvent *event)
{
	switch (instruction->flow) {
	case SASS_CALL:
		call(walk, group, instruction);
		break;
	case SASS_RETURN:
		come_back(walk, group);
		break;
	case SASS_SPLIT:
		for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
			if (group->mask >> lane & 1)
				walk->joins[instruction->barrier][lane] = group->mask;
		group->at++;
		break;
	case SASS_JOIN:
		wait_for(walk, group,
			 walk->joins[instruction->barrier][__builtin_ctz(group->mask)]);
		break;
	case SASS_EXIT:
		walk->alive &= ~group->mask;
		group->mask = 0;
		release_complete(walk);
		break;
	default:
		if (event && event->kind == RAW_SYNCWARP)
			wait_for(walk, group, event->detail);
		else
			group->at++;
	}
}

/* Executes one instruction that makes no event now. */
static void execute(Walk *walk, Group *group)
{
	const SassInstruction *instruction = sass_instruction(walk->map->function, group->at);

	if (walk_is_wall(walk->map, group->at)) {
		/* Its guard holds for none of the lanes. */
		add_step(walk, group, NULL, group->mask, false);
		group->at++;
	} else if (instruction->flow == SASS_BRANCH) {
		branch(walk, group, instruction);
	} else if (instruction->flow == SASS_INDIRECT ||
		   (instruction->flow == SASS_RETURN &&
		    walk->n_calls[__builtin_ctz(group->mask)] == 0)) {
		branch_somewhere(walk, group);
	} else {
		add_step(walk, group, NULL, group->mask,
			 instruction->flow == SASS_CALL || instruction->flow == SASS_RETURN);
		go_on(walk, group, instruction, NULL);
	}
}

/* Whether the group may go on before the event that is due: not past an event of its own. */
static bool is_free(Walk *walk, const Group *group)
{
	if (group->waits || group->at < 0)
		return false;
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (group->mask >> lane & 1 && (way_of(walk, lane, group->at) == WALK_NO_WAY ||
						(walk_is_wall(walk->map, group->at) &&
						 walk->next_index[lane] == group->at)))
			return false;
	return true;
}

/* Brings on those that a group waits for, or those that these wait for: a step of one. *asked: groups
   that were looked at. False if none of them can go on. */
static bool help(Walk *walk, const Group *waiting, uint32_t *asked)
{
	for (int i = 0; i < TRACE_MAX_LANES; i++) {
		Group *group = &walk->groups[i];

		if (!(group->mask & waiting->expects) || *asked >> i & 1)
			continue;
		*asked |= 1u << i;
		if (is_free(walk, group)) {
			execute(walk, group);
			return true;
		}
		if (group->waits && help(walk, group, asked))
			return true;
	}
	return false;
}

/* ---- Events */

static void find_next_event(Walk *walk, int lane, guint from)
{
	while (from < walk->events->len && !(event_at(walk, from)->mask >> lane & 1))
		from++;
	walk->next_event[lane] = from;
	walk->next_index[lane] = from < walk->events->len ? index_of(walk, from) : -1;
}

/* One group of the lanes at the instruction, wherever they were. */
static Group *gather(Walk *walk, uint32_t mask, int at)
{
	Group *gathered = NULL;

	for (int i = 0; i < TRACE_MAX_LANES; i++) {
		Group *group = &walk->groups[i];
		uint32_t part = group->mask & mask;

		if (!part || group == gathered)
			continue;
		if (part != group->mask)
			group = split(walk, group, part);
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

/* A group with lanes of the event that is not there yet; NULL if there is none. */
static Group *find_late(Walk *walk, uint32_t mask, int at)
{
	for (int i = 0; i < TRACE_MAX_LANES; i++)
		if (walk->groups[i].mask & mask &&
		    (walk->groups[i].at != at || walk->groups[i].waits))
			return &walk->groups[i];
	return NULL;
}

/* Whether a group's lanes of the event can still get there. */
static bool can_come(Walk *walk, const Group *group, uint32_t mask)
{
	if (group->at < 0)
		return false;
	/* The wait itself is executed; what comes behind it decides. */
	return way_of(walk, __builtin_ctz(group->mask & mask), group->at + group->waits) !=
	       WALK_NO_WAY;
}

/* Brings the lanes to the instruction of the event that is due, and together. */
static void bring(Walk *walk, uint32_t mask, int at)
{
	Group *late;
	uint32_t asked;

	while ((late = find_late(walk, mask, at))) {
		if (!can_come(walk, late, mask)) {
			walk->counts->unresolved++;
			gather(walk, mask, at);
			return;
		}
		asked = 0;
		if (!late->waits)
			execute(walk, late);
		else if (!help(walk, late, &asked))
			/* Those that it waits for went on without it, as the events tell. */
			release(walk, late->at, late->expects);
	}
}

/* The group that has all these lanes and others; NULL if none has. */
static Group *find_together(Walk *walk, uint32_t mask)
{
	for (int i = 0; i < TRACE_MAX_LANES; i++)
		if ((walk->groups[i].mask & mask) == mask && walk->groups[i].mask != mask)
			return &walk->groups[i];
	return NULL;
}

static bool falls_through(const SassInstruction *instruction)
{
	return instruction->flow == SASS_NEXT;
}

static void take_event(Walk *walk)
{
	const RawEvent *event = event_at(walk, walk->due);
	int at = index_of(walk, walk->due);
	uint32_t mask = event->mask & walk->alive;
	const SassInstruction *instruction;
	Group *group;

	if (at < 0 || !mask) {
		WalkStep step = {.event = event, .index = -1, .mask = event->mask};

		g_array_append_val(walk->steps, step);
		walk->counts->unresolved++;
		return;
	}
	bring(walk, mask, at);
	note_attempt(walk, event, at);
	instruction = sass_instruction(walk->map->function, at);
	group = instruction->conditional ? find_together(walk, mask) : NULL;
	if (!group) {
		group = gather(walk, mask, at);
		add_step(walk, group, event, group->mask, !falls_through(instruction));
		go_on(walk, group, instruction, event);
		return;
	}
	/* The group executes it, also its lanes for which the guard does not hold. */
	add_step(walk, group, event, group->mask, !falls_through(instruction));
	if (falls_through(instruction)) {
		group->at++;
		return;
	}

	Group *part = split(walk, group, mask);

	group->at++;
	go_on(walk, part, instruction, event);
}

void walk_warp(WalkMap *map, const GPtrArray *events, uint32_t entered, uint64_t function_pc,
	       GArray *steps, WalkCounts *counts)
{
	g_autofree Walk *walk = g_new0(Walk, 1);

	*walk = (Walk){.map = map,
		       .events = events,
		       .function_pc = function_pc,
		       .steps = steps,
		       .counts = counts,
		       .alive = entered};
	if (map->n == 0)
		return;
	walk->groups[0].mask = entered;
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		find_next_event(walk, lane, entered >> lane & 1 ? 0 : events->len);
	for (walk->due = 0; walk->due < events->len; walk->due++) {
		take_event(walk);
		for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
			if (event_at(walk, walk->due)->mask >> lane & 1)
				find_next_event(walk, lane, walk->due + 1);
	}
}
