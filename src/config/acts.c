/* SPDX-License-Identifier: MIT */
#include "config/acts.h"

#include <string.h>

#include "base/names.h"
#include "config/value.h"

/* The part that the key belongs to; NULL: none. */
static const KeyOwner *owner_of(const Key *key)
{
	for (guint i = 0; i < key_owner_count(); i++)
		if (key_owner_at(i)->block == key->block)
			return key_owner_at(i);
	return NULL;
}

static gboolean needs_are_met(const Key *key, const Machine *machine)
{
	const Key *needed = key->needs != NULL ? key_find(key->needs) : NULL;
	g_autofree char *value = NULL;

	if (needed == NULL)
		return TRUE;
	value = value_text(machine, needed);
	return g_strcmp0(value, needed->names != NULL ? key_name(needed->names, 0) : "0") != 0;
}

/* What of this the run has not had: 0 if it has had one. */
static uint64_t missing(uint64_t acts_on, uint64_t had)
{
	return (acts_on & had) != 0 ? 0 : acts_on;
}

static gboolean part_acts(const KeyOwner *owner, const Machine *machine, uint64_t had)
{
	return owner->in_use(machine, owner->i) && missing(owner->acts_on, had) == 0;
}

gboolean key_acts(const Key *key, const Machine *machine, uint64_t had)
{
	const KeyOwner *owner = owner_of(key);

	return (owner == NULL || part_acts(owner, machine, had)) &&
	       needs_are_met(key, machine) && missing(key->acts_on, had) == 0;
}

/* --- Why not --- */

#define NO_MEMORY "it says no address of global memory"

/* The first that is missing is named. */
static const struct {
	uint64_t bit;
	const char *words;
} reasons[] = {
	{KEY_ACTS_NEVER, "it is what hardware costs, and no run depends on it"},
	{KEY_ACTS_FLOW, "it does not say what waits for what"},
	{KEY_ACTS_CHOICE, "no scheduler had two warps to choose from"},
	{KEY_ACTS_ROOM, "no block waited for room on an SM"},
	{KEY_ACTS_REGISTERS, "it does not say how many registers a thread has"},
	{KEY_ACTS_BARRIER, "it has no barrier"},
	{KEY_ACTS_LOAD, "it does not load from shared memory"},
	{KEY_ACTS_STORE, "nothing waits for a store to shared memory"},
	{KEY_ACTS_ATOMIC, "it has no atomic on shared memory"},
	{KEY_ACTS_FAILURE, "no lane lost a lock"},
	{KEY_ACTS_SPIN_LOCK, "it has no spin lock"},
	{KEY_ACTS_ANY_GLOBAL, "it does not access global memory"},
	{KEY_ACTS_SECTION, "it has no spin lock with its section"},
	{KEY_ACTS_BLOCK_FENCE, "it has no fence of the block"},
	{KEY_ACTS_DEVICE_FENCE, "it has no fence of the device"},
	{KEY_ACTS_GLOBAL, "no access to global memory takes that"},
	{KEY_ACTS_MEMORY, "no access to global memory whose address it says"},
	{KEY_ACTS_GLOBAL_STORE, "it does not store to global memory"},
	{KEY_ACTS_BUFFERS, NO_MEMORY},
	{KEY_ACTS_LINES, "SMs share nothing that brings lines of constants"},
	{KEY_ACTS_SHARED, "it does not access shared memory"},
	{KEY_ACTS_ATOMIC_F32, "it has no atomic arithmetic on 32-bit floats in shared memory"},
	{KEY_ACTS_ATOMIC_64BIT,
	 "it has no atomic arithmetic on 64-bit values in shared memory"},
	{KEY_ACTS_GLOBAL_ATOMIC, "it has no atomic on global memory"},
};

/* "atomic.mechanism_f32 is cas-loop": what carries out the atomics that there are. g_free. */
static char *mechanisms_of(const KeyRun *run)
{
	const AtomicParameters *atomic = &run->machine->atomic;
	uint32_t uses = run->result->atomic_uses;
	GString *text = g_string_new(NULL);

	if (run->had & KEY_ACTS_ATOMIC_PLAIN)
		uses |= 1u << ATOMIC_PLAIN;
	for (guint use = 0; use < N_ATOMIC_USES; use++) {
		const char *key =
			use < ATOMIC_NAMED ? mechanism_key(atomic, use) : "--what-if mechanism";

		/* Floats that have no mechanism of their own are atomic.mechanism's. */
		if (!(uses >> use & 1) ||
		    (use > ATOMIC_PLAIN && g_str_equal(key, "atomic.mechanism")))
			continue;
		g_string_append_printf(text, "%s%s is %s", text->len > 0 ? ", " : "", key,
				       mechanism_of_use(atomic, use)->name);
	}
	return g_string_free(text, FALSE);
}

/* Why no atomic asked for something of a mechanism. */
static char *why_no_atomic(const KeyRun *run, const char *words)
{
	g_autofree char *names = mechanisms_of(run);

	return (run->had & KEY_ACTS_ATOMIC) == 0 ? g_strdup("it has no atomic on shared memory")
						 : g_strdup_printf("%s (%s)", words, names);
}

static char *why_missing(uint64_t bits, const KeyRun *run)
{
	if (bits & KEY_ACTS_LOCK_BITS && run->had & KEY_ACTS_LOCKS)
		return g_strdup("its atomics take entries of a CAM, not lock bits");
	if (bits & (KEY_ACTS_LOCK_BITS | KEY_ACTS_LOCKS))
		return why_no_atomic(run, "no atomic of it takes a lock bit");
	if (bits & KEY_ACTS_ATOMIC_PLAIN)
		return why_no_atomic(run, "its atomics have a mechanism of their own");
	for (guint class = 0; class < N_CODE_CLASSES; class ++)
		if (bits & KEY_ACTS_CODE(class) && (run->had & KEY_ACTS_FLOW) != 0)
			return g_strdup_printf("it has no instruction of class %s",
					       code_class_names[class]);
	for (guint i = 0; i < G_N_ELEMENTS(reasons); i++)
		if (bits & reasons[i].bit)
			return g_strdup(reasons[i].words);
	return g_strdup("it does not say what waits for what"); /* CODE without FLOW */
}

/* Keys that a run only compares with what a block needs. */
static char *why_same_room(const Key *key, const KeyRun *run, const Machine *other)
{
	static const struct {
		const char *path;
		SimLimitKind kind;
	} limits[] = {{"sm.max_warps", SIM_LIMIT_WARPS},
		      {"sm.max_blocks", SIM_LIMIT_BLOCKS},
		      {"shared.bytes", SIM_LIMIT_BYTES}};

	for (guint i = 0; other != NULL && i < G_N_ELEMENTS(limits); i++) {
		const SimLimit *limit = &run->result->limits[limits[i].kind];
		uint64_t value;

		if (strcmp(key->path, limits[i].path) != 0)
			continue;
		value = value_number(other, key);
		if (limit->met <= value && value < limit->refused)
			return g_strdup_printf(
				"as many blocks of it fit an SM with %" G_GUINT64_FORMAT,
				value);
	}
	return NULL;
}

/* Why the part that a key belongs to was not asked. */
static char *why_part_idle(const KeyOwner *owner, const KeyRun *run)
{
	g_autofree char *words = NULL;

	if (owner->why != NULL && !owner->in_use(run->machine, owner->i))
		return owner->why(run->machine, owner->i);
	if (owner->kind == KEY_OWNER_MECHANISM) {
		words = g_strdup_printf("no atomic of it is carried out by %s",
					mechanisms[owner->i]->name);
		return why_no_atomic(run, words);
	}
	if (owner->kind == KEY_OWNER_GLOBAL_MECHANISM)
		return g_strdup_printf("no atomic of it on global memory is carried out by %s",
				       global_mechanisms[owner->i]->name);
	return why_missing(owner->acts_on, run);
}

char *key_why_idle(const Key *key, const KeyRun *run, const Machine *other)
{
	const KeyOwner *owner = owner_of(key);

	if (owner != NULL && !part_acts(owner, run->machine, run->had))
		return why_part_idle(owner, run);
	if (!needs_are_met(key, run->machine)) {
		g_autofree char *value = value_text(run->machine, key_find(key->needs));

		return g_strdup_printf("%s is %s", key->needs, value);
	}
	if (missing(key->acts_on, run->had) != 0)
		return why_missing(key->acts_on, run);
	return why_same_room(key, run, other);
}
