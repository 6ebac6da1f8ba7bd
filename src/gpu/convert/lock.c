/* SPDX-License-Identifier: MIT */
/*
 * A program's own spin locks as operations. What a capture sees is rounds: all lanes that wait try,
 * some get their locks, go through the critical section and give them back, and the others try
 * again. How many rounds there were, and who was in which, was that GPU's affair. So the rounds become
 * one `lock` with all lanes, the critical section once with the lanes of all, each with the
 * addresses that it used when it was in, and one `unlock`. Failed attempts are dropped.
 *
 * Lanes are put together by instruction and by how often each had executed it. A lane that is done may
 * go round an outer loop and want its next lock while others still wait for their first: then
 * everything until all are even again, or until a barrier or an end, is put together so.
 */

#include "gpu/convert/internal.h"

/* One step of the program, with the lanes of all rounds. */
typedef struct {
	WalkStep step; /* but for its lanes */
	StepRole role;
	uint32_t event_mask;
	uint64_t address[TRACE_MAX_LANES]; /* by lane */
} Entry;

typedef struct {
	GQueue entries;	    /* Entry */
	GHashTable *places; /* instruction and visit -> its link in the queue */
} Merge;

/* Whether what the lane did at the step led to a lock, or had none to take. *next gets the step that
   the lane goes on at: its next attempt, if this one failed. */
static bool is_kept(const LockRegion *region, int lane, guint i, guint *n_got, guint *next)
{
	const WalkStep *step = lock_region_step(region, i);

	*next = i + 1;
	if (!lock_region_is_try(region->launch, step) || !(step->event->mask >> lane & 1))
		return true;
	if (*n_got < region->n_taken[lane] &&
	    g_array_index(region->got[lane], guint, *n_got) == i) {
		(*n_got)++;
		return true;
	}
	while (*next < region->end &&
	       !(lock_region_is_try(region->launch, lock_region_step(region, *next)) &&
		 lock_region_step(region, *next)->event->mask >> lane & 1))
		(*next)++;
	return false;
}

static StepRole role_of(const LockRegion *region, const WalkStep *step, int lane, bool *holds)
{
	if (!step->event || !(step->event->mask >> lane & 1))
		return STEP_PLAIN;
	if (lock_region_is_try(region->launch, step)) {
		*holds = true;
		return STEP_LOCK;
	}
	if (*holds && lock_region_word(step->event, lane) == region->word[lane] &&
	    convert_gives_lock_back(sass_instruction(region->launch->function, step->index),
				    step->event)) {
		*holds = false;
		return STEP_UNLOCK;
	}
	return STEP_PLAIN;
}

static void add_lane(Entry *entry, const WalkStep *step, int lane)
{
	if (!step->event || !(step->event->mask >> lane & 1))
		return;
	if (!entry->step.event)
		entry->step.event = step->event;
	entry->event_mask |= 1u << lane;
	if (RAW_ADDRESS_BYTES(step->event->kind))
		entry->address[lane] = lock_region_word(step->event, lane);
}

/* The entry of a step of a lane, new ones behind the lane's last. */
static GList *find_entry(Merge *merge, GList *last, const WalkStep *step, guint visit)
{
	gint64 key = (gint64)step->index << 32 | visit;
	GList *found = g_hash_table_lookup(merge->places, &key);
	Entry *entry;

	if (found)
		return found;
	entry = g_new0(Entry, 1);
	entry->step = *step;
	entry->step.event = NULL;
	entry->step.follows = true;
	entry->step.taken = false;
	if (last) {
		g_queue_insert_after(&merge->entries, last, entry);
		found = last->next;
	} else {
		g_queue_push_head(&merge->entries, entry);
		found = merge->entries.head;
	}
	g_hash_table_insert(merge->places, g_memdup2(&key, sizeof(key)), found);
	return found;
}

static void merge_lane(LockRegion *region, Merge *merge, int lane)
{
	const SassFunction *function = region->launch->function;
	g_autofree guint *visits = g_new0(guint, function->instructions->len);
	uint64_t word = 0;
	GList *last = NULL;
	guint n_got = 0, next;
	bool holds = false;

	for (guint i = region->first; i < region->end; i = next) {
		const WalkStep *step = lock_region_step(region, i);
		Entry *before = last ? last->data : NULL;
		const SassInstruction *instruction;
		StepRole role;

		next = i + 1;
		if (!(step->mask >> lane & 1) || step->index < 0 ||
		    !is_kept(region, lane, i, &n_got, &next))
			continue;
		/* Which way this lane went. */
		instruction = before ? sass_instruction(function, before->step.index) : NULL;
		if (before && instruction->flow != SASS_NEXT &&
		    step->index != before->step.index + 1)
			before->step.taken = true;
		last = find_entry(merge, last, step, visits[step->index]++);
		if (lock_region_is_try(region->launch, step) && step->event->mask >> lane & 1)
			word = lock_region_word(step->event, lane);
		region->word[lane] = word;
		role = role_of(region, step, lane, &holds);
		if (role != STEP_PLAIN)
			((Entry *)last->data)->role = role;
		add_lane(last->data, step, lane);
	}
}

/* An event of all these lanes, like another of some of them. */
static const RawEvent *make_event(GPtrArray *made, const Entry *entry)
{
	const RawEvent *like = entry->step.event;
	guint bytes = RAW_ADDRESS_BYTES(like->kind), n = 0;
	RawEvent *event = g_malloc0(sizeof(RawEvent) + 8 * TRACE_MAX_LANES);

	*event = *like;
	event->mask = entry->event_mask;
	event->flags &= ~RAW_VALUES;
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (event->mask >> lane & 1 && bytes == 4)
			((uint32_t *)(event + 1))[n++] = (uint32_t)entry->address[lane];
		else if (event->mask >> lane & 1 && bytes == 8)
			((uint64_t *)(event + 1))[n++] = entry->address[lane];
	g_ptr_array_add(made, event);
	return event;
}

static void put(GArray *steps, GByteArray *roles, const WalkStep *step, StepRole role)
{
	guint8 byte = role;

	g_array_append_val(steps, *step);
	g_byte_array_append(roles, &byte, 1);
}

/* Appends what the region became. */
static void append_region(LockRegion *region, GPtrArray *made, GArray *steps, GByteArray *roles)
{
	Merge merge = {
		.entries = G_QUEUE_INIT,
		.places = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL)};

	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (region->lanes >> lane & 1)
			merge_lane(region, &merge, lane);
	for (GList *at = merge.entries.head; at; at = at->next) {
		Entry *entry = at->data;

		if (entry->step.event)
			entry->step.event = make_event(made, entry);
		region->launch->counts->folded_locks += entry->role == STEP_LOCK;
		region->n_attempts -= entry->role == STEP_LOCK;
		put(steps, roles, &entry->step, entry->role);
	}
	/* What lanes did meanwhile that want no lock. */
	for (guint i = region->first; i < region->end; i++)
		if (!(lock_region_step(region, i)->mask & region->lanes))
			put(steps, roles, lock_region_step(region, i), STEP_PLAIN);
	region->launch->counts->folded_events += region->n_attempts;
	g_queue_clear_full(&merge.entries, g_free);
	g_hash_table_unref(merge.places);
}

GByteArray *convert_fold_locks(Launch *launch, GPtrArray **made)
{
	GArray *steps = g_array_new(FALSE, FALSE, sizeof(WalkStep));
	GByteArray *roles = g_byte_array_new();

	*made = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < launch->steps->len;) {
		const WalkStep *step = &g_array_index(launch->steps, WalkStep, i);
		LockRegion region = {.launch = launch, .steps = launch->steps, .first = i};

		if (lock_region_is_try(launch, step) && lock_region_find(&region)) {
			append_region(&region, *made, steps, roles);
			i = region.end;
		} else {
			put(steps, roles, step, STEP_PLAIN);
			i++;
		}
		lock_region_clear(&region);
	}
	g_array_unref(launch->steps);
	launch->steps = steps;
	return roles;
}
