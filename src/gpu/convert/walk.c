/* SPDX-License-Identifier: MIT */
#include "gpu/convert/walk-internal.h"

#include <string.h>

static int index_of(const Walk *walk, guint number)
{
	return sass_find_pc(walk->map->function, walk->function_pc,
			    walk_event(walk, number)->pc);
}

/* BMOV.32.CLEAR R2, B6 puts away which lanes will join, BMOV.32 B6, R2 brings it back: around a call,
   or where the registers for joins do not suffice. */
static void move_joins(Walk *walk, const WalkGroup *group, const SassInstruction *instruction)
{
	const char *text = instruction->operands;
	const char *other = strchr(text, ',');
	bool back = text[0] == 'B';
	const char *register_name = back ? other : text;
	uint32_t *joins = walk->joins[instruction->barrier], *kept;
	guint64 number;

	if (!other)
		return;
	register_name += strcspn(register_name, "R");
	number = g_ascii_strtoull(register_name + (*register_name == 'R'), NULL, 10);
	if (*register_name != 'R' || number >= G_N_ELEMENTS(walk->kept))
		return;
	kept = walk->kept[number];
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (group->mask >> lane & 1) {
			if (back)
				joins[lane] = kept[lane];
			else
				kept[lane] = joins[lane];
		}
}

/* Goes on behind an instruction that the whole group has executed and recorded. */
static void go_on(Walk *walk, WalkGroup *group, const SassInstruction *instruction,
		  const RawEvent *event)
{
	switch (instruction->flow) {
	case SASS_CALL:
		walk_call(walk, group, instruction);
		break;
	case SASS_RETURN:
		walk_come_back(walk, group);
		break;
	case SASS_SPLIT:
		for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
			if (group->mask >> lane & 1)
				walk->joins[instruction->barrier][lane] = group->mask;
		group->at++;
		break;
	case SASS_JOIN:
		walk_wait(walk, group,
			  walk->joins[instruction->barrier][__builtin_ctz(group->mask)]);
		break;
	case SASS_EXIT:
		walk->alive &= ~group->mask;
		group->mask = 0;
		walk_release_complete(walk);
		break;
	default:
		if (instruction->special == SASS_MOVE_JOINS)
			move_joins(walk, group, instruction);
		if (instruction->special == SASS_EXCLUSIVE)
			walk_part_alike(walk, group);
		else if (event && event->kind == RAW_SYNCWARP)
			walk_wait(walk, group, event->detail);
		else
			group->at++;
	}
}

/* Executes one instruction that makes no event now. */
static void execute(Walk *walk, WalkGroup *group)
{
	const SassInstruction *instruction = sass_instruction(walk->map->function, group->at);

	if (walk_is_wall(walk->map, group->at)) {
		/* Its guard holds for none of the lanes. */
		walk_add_step(walk, group, NULL, group->mask, false);
		group->at++;
	} else if (instruction->flow == SASS_BRANCH) {
		walk_branch(walk, group, instruction);
	} else if (instruction->flow == SASS_INDIRECT ||
		   (instruction->flow == SASS_RETURN &&
		    walk->n_calls[__builtin_ctz(group->mask)] == 0)) {
		walk_branch_somewhere(walk, group);
	} else {
		walk_add_step(walk, group, NULL, group->mask,
			      instruction->flow == SASS_CALL ||
				      instruction->flow == SASS_RETURN);
		go_on(walk, group, instruction, NULL);
	}
}

/* Whether the group may go on before the event that is due: not past an event of its own. */
static bool is_free(Walk *walk, const WalkGroup *group)
{
	if (group->waits || group->at < 0)
		return false;
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (group->mask >> lane & 1 &&
		    (walk_distance(walk, lane, group->at) == WALK_NO_PATH ||
		     walk->next_index[lane] == group->at))
			return false;
	return true;
}

/* Brings on those that a group waits for, or those that these wait for: a step of one. *asked: groups
   that were looked at. False if none of them can go on. */
static bool help(Walk *walk, const WalkGroup *waiting, uint32_t *asked)
{
	for (int i = 0; i < TRACE_MAX_LANES; i++) {
		WalkGroup *group = &walk->groups[i];

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
	while (from < walk->events->len && !(walk_event(walk, from)->mask >> lane & 1))
		from++;
	walk->next_event[lane] = from;
	walk->next_index[lane] = from < walk->events->len ? index_of(walk, from) : -1;
}

/* Whether a group's lanes of the event can still get there. */
static bool can_come(Walk *walk, const WalkGroup *group, uint32_t mask)
{
	if (group->at < 0)
		return false;
	/* The wait itself is executed; what comes behind it decides. */
	return walk_distance(walk, __builtin_ctz(group->mask & mask),
			     group->at + group->waits) != WALK_NO_PATH;
}

/* Steps in which all lanes, one by one, get from anywhere to any place by the shortest path. More take those that a call leads
   round and round, which no path knows of. */
static guint most_steps(const Walk *walk)
{
	return 2 * TRACE_MAX_LANES * ((guint)walk->map->n + 1);
}

/* Brings the lanes to the instruction of the event that is due, and together. */
static void bring(Walk *walk, uint32_t mask, int at)
{
	WalkGroup *late;
	uint32_t asked;
	guint n_steps = 0;

	while ((late = walk_find_late(walk, mask, at))) {
		n_steps += !walk_is_calculated(walk);
		if (!can_come(walk, late, mask) || n_steps > most_steps(walk)) {
			walk->counts->unresolved++;
			if (walk->values)
				compute_passed_over(walk->values, mask);
			walk_gather(walk, mask, at);
			return;
		}
		asked = 0;
		if (!late->waits)
			execute(walk, late);
		else if (!help(walk, late, &asked))
			/* Those that it waits for went on without it, as the events say. */
			walk_release(walk, late->at, late->expects);
	}
}

static bool falls_through(const SassInstruction *instruction)
{
	return instruction->flow == SASS_NEXT;
}

/* The lanes of a generic access may make an event each for shared and for other memory. Lanes that have come to it together with those of the event that is due, whose own event of it is the
   next one of the warp; 0: none. */
static uint32_t twin_of(Walk *walk, uint32_t mask, int at, const SassInstruction *instruction)
{
	const RawEvent *twin;
	uint32_t others;

	if (instruction->special != SASS_GENERIC || walk->due + 1 == walk->events->len ||
	    index_of(walk, walk->due + 1) != at)
		return 0;
	twin = walk_event(walk, walk->due + 1);
	others = twin->mask & walk->alive;
	for (int i = 0; i < TRACE_MAX_LANES && others; i++)
		if (walk->groups[i].at == at && !walk->groups[i].waits &&
		    !(walk->groups[i].mask & ~(mask | others)) &&
		    (walk->groups[i].mask & mask) == mask)
			return (mask & others) == 0 ? others & walk->groups[i].mask : 0;
	return 0;
}

static void take_event(Walk *walk)
{
	const RawEvent *event = walk_event(walk, walk->due);
	int at = index_of(walk, walk->due);
	uint32_t mask = event->mask & walk->alive, twin;
	const SassInstruction *instruction;
	WalkGroup *group;

	if (at < 0 || !mask) {
		WalkStep step = {.event = event, .index = -1, .mask = event->mask};

		g_array_append_val(walk->steps, step);
		walk->counts->unresolved++;
		return;
	}
	bring(walk, mask, at);
	walk_note_attempt(walk, event, at);
	instruction = sass_instruction(walk->map->function, at);
	twin = twin_of(walk, mask, at, instruction);
	if (twin) {
		group = walk_gather(walk, mask | twin, at);
		walk_add_step(walk, group, event, mask, false);
		walk->due++;
		walk_add_step(walk, group, walk_event(walk, walk->due), twin, false);
		g_array_index(walk->steps, WalkStep, walk->steps->len - 1).again = true;
		group->at++;
		return;
	}
	group = instruction->conditional ? walk_find_together(walk, mask) : NULL;
	if (!group) {
		group = walk_gather(walk, mask, at);
		walk_add_step(walk, group, event, group->mask, !falls_through(instruction));
		go_on(walk, group, instruction, event);
		return;
	}
	/* The group executes it, also its lanes for which the guard does not hold. */
	walk_add_step(walk, group, event, group->mask, !falls_through(instruction));
	if (falls_through(instruction)) {
		group->at++;
		return;
	}

	WalkGroup *part = walk_split(walk, group, mask);

	group->at++;
	go_on(walk, part, instruction, event);
}

void walk_warp(WalkMap *map, const GPtrArray *events, uint32_t entered, uint64_t function_pc,
	       ComputeWarp *values, GArray *steps, WalkCounts *counts)
{
	g_autofree Walk *walk = g_new0(Walk, 1);

	*walk = (Walk){.map = map,
		       .events = events,
		       .function_pc = function_pc,
		       .values = values,
		       .steps = steps,
		       .counts = counts,
		       .alive = entered};
	if (map->n == 0)
		return;
	walk->groups[0].mask = entered;
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		find_next_event(walk, lane, entered >> lane & 1 ? 0 : events->len);
	for (walk->due = 0; walk->due < events->len; walk->due++) {
		uint32_t lanes = walk_event(walk, walk->due)->mask;

		walk->due_step = walk->steps->len;
		take_event(walk);
		lanes |= walk_event(walk, walk->due)->mask; /* of two, perhaps */
		for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
			if (lanes >> lane & 1)
				find_next_event(walk, lane, walk->due + 1);
	}
}
