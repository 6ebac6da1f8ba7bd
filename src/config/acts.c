/* SPDX-License-Identifier: MIT */
#include "config/acts.h"

#include <string.h>

#include "base/names.h"
#include "config/value.h"

/* --- What a run has had --- */

/* Operations of the trace's gaps, each class a bit. */
static uint64_t had_code(const Dataflow *dataflow)
{
	uint64_t had = 0;

	for (uint32_t i = 0; dataflow != NULL && i < dataflow->n_gaps; i++)
		for (uint32_t k = 0; k < dataflow->gaps[i].n_operations; k++)
			had |= KEY_ACTS_CODE(dataflow->gaps[i].operations[k].class);
	return had;
}

static bool had_to_wait_for_room(const SimResult *result)
{
	for (guint i = 0; i < N_SIM_LIMITS; i++)
		if (result->limits[i].refused != UINT64_MAX)
			return true;
	return false;
}

/* What a mechanism brings with it. */
static uint64_t had_mechanism(const Mechanism *mechanism)
{
	return KEY_ACTS_MECHANISM(mechanism_place(mechanism)) |
	       (mechanism->has_locks ? KEY_ACTS_LOCK_BITS : 0) |
	       (mechanism->as_store ? KEY_ACTS_STORE : 0);
}

/* Of atomics on shared memory. The tries of spin locks are exchanges. */
static uint64_t had_atomics(const AtomicParameters *atomic, const SimResult *result)
{
	const uint32_t ways =
		result->atomic_ways |
		(result->statistics.records[RECORD_LOCK] > 0 ? 1u << ATOMIC_WAY_PLAIN : 0);
	uint64_t had = 0;

	G_STATIC_ASSERT(N_MECHANISMS <= 8 && N_GLOBAL_MECHANISMS <= 6);
	for (uint32_t w = 0; w < N_ATOMIC_WAYS; w++) {
		if (!(ways >> w & 1))
			continue;
		had |= had_mechanism(mechanism_of_way(atomic, w));
		if (w == ATOMIC_WAY_F32)
			had |= KEY_ACTS_ATOMIC_F32;
		if (w == ATOMIC_WAY_64BIT)
			had |= KEY_ACTS_ATOMIC_64BIT;
		if (w == ATOMIC_WAY_PLAIN || (w == ATOMIC_WAY_F32 && !atomic->mechanism_f32) ||
		    (w == ATOMIC_WAY_64BIT && !atomic->mechanism_64bit))
			had |= KEY_ACTS_ATOMIC_PLAIN;
	}
	return had;
}

/* Of atomics on global memory. A mechanism that knows the whole grid acts on kernels that have one, executed or
   not, and so does what chooses a kernel's path; locks are tried by the way of an exchange. */
static uint64_t had_global_atomics(const GlobalAtomicParameters *atomic,
				   const KernelInfo *kernel, const SimResult *result)
{
	const uint64_t *records = result->statistics.records;
	const bool in_kernel = records[RECORD_ATOMG] + records[RECORD_LOCK] > 0 ||
			       kernel->global_atomics == KERNEL_HAS;
	uint64_t had = in_kernel ? KEY_ACTS_GLOBAL_ATOMIC : 0;

	for (uint32_t w = 0; w < N_GLOBAL_WAYS; w++)
		if (result->global_ways >> w & 1 || (w == GLOBAL_WAY_PLAIN && in_kernel))
			had |= KEY_ACTS_GLOBAL_MECHANISM(
				global_mechanism_index(global_mechanism_of_way(atomic, w)));
	for (uint32_t m = 0; m < N_GLOBAL_MECHANISMS; m++)
		if (in_kernel && global_mechanisms[m]->new_common)
			had |= KEY_ACTS_GLOBAL_MECHANISM(m);
	return had;
}

KeyRun key_run(const Machine *machine, const KernelInfo *kernel, const SimResult *result)
{
	const Statistics *s = &result->statistics;
	const uint64_t n_global =
		s->records[RECORD_LDG] + s->records[RECORD_STG] + s->records[RECORD_ATOMG];
	const bool locks = s->records[RECORD_LOCK] > 0;
	const bool flow = kernel->dataflow != NULL;
	const struct {
		bool there;
		uint64_t bit;
	} facts[] = {
		{s->warp_cycles[STATE_READY] > 0, KEY_ACTS_CHOICE},
		{had_to_wait_for_room(result), KEY_ACTS_ROOM},
		{locks, KEY_ACTS_SPIN_LOCK},
		{n_global > 0 || s->memory.accesses > 0 ||
			 s->fences[SCOPE_DEVICE] + s->fences[SCOPE_SYSTEM] > 0,
		 KEY_ACTS_ANY_GLOBAL},
		{s->records[RECORD_BAR] > 0, KEY_ACTS_BARRIER},
		{s->records[RECORD_LDS] > 0, KEY_ACTS_LOAD},
		/* Where the trace says what waits for what, only a barrier waits for a store. */
		{(!flow || (s->records[RECORD_BAR] > 0 && machine->shared.queue == 0)) &&
			 (s->records[RECORD_STS] > 0 || locks),
		 KEY_ACTS_STORE},
		{s->records[RECORD_ATOM] > 0 || locks, KEY_ACTS_ATOMIC},
		{s->atomics.retries + s->spin_locks.retries > 0, KEY_ACTS_FAILURE},
		{kernel->lock_sections && locks, KEY_ACTS_SECTION},
		{s->fences[SCOPE_BLOCK] > 0, KEY_ACTS_BLOCK_FENCE},
		{s->fences[SCOPE_DEVICE] + s->fences[SCOPE_SYSTEM] > 0, KEY_ACTS_DEVICE_FENCE},
		/* global.load_cycles stands for the latency then. */
		{n_global > s->memory.accesses && !(flow && machine->global.load_cycles > 0),
		 KEY_ACTS_GLOBAL},
		{s->memory.accesses > 0, KEY_ACTS_MEMORY},
		{s->records[RECORD_STG] > 0, KEY_ACTS_GLOBAL_STORE},
		{flow, KEY_ACTS_FLOW},
		{kernel->n_buffers > 0, KEY_ACTS_BUFFERS},
		{flow && machine->issue->constant_group_fill_cycles > 0, KEY_ACTS_LINES},
		{s->shared.accesses > 0, KEY_ACTS_SHARED},
	};
	KeyRun run = {machine, result,
		      had_code(kernel->dataflow) | had_atomics(&machine->atomic, result) |
			      had_global_atomics(&machine->global_atomic, kernel, result)};

	for (guint i = 0; i < G_N_ELEMENTS(facts); i++)
		run.had |= facts[i].there ? facts[i].bit : 0;
	return run;
}

/* --- What a key acts on --- */

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
	return strcmp(value, needed->names != NULL ? needed->names->name(0) : "0") != 0;
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

/* The first that is missing is told. */
static const struct {
	uint64_t bit;
	const char *words;
} reasons[] = {
	{KEY_ACTS_FLOW, "it does not say what waits for what"},
	{KEY_ACTS_CHOICE, "no scheduler had two warps to choose from"},
	{KEY_ACTS_ROOM, "no block waited for room on an SM"},
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
	{KEY_ACTS_SEQUENCE, "only --sequence, validate and calibrate count it"},
	{KEY_ACTS_MEASURED, "only validate and calibrate count it"},
	{KEY_ACTS_ATOMIC_F32, "it has no atomic arithmetic on 32-bit floats in shared memory"},
	{KEY_ACTS_ATOMIC_64BIT,
	 "it has no atomic arithmetic on 64-bit values in shared memory"},
	{KEY_ACTS_GLOBAL_ATOMIC, "it has no atomic on global memory"},
};

/* "atomic.mechanism_f32 is cas-loop": what carries out the atomics that there are. g_free. */
static char *mechanisms_of(const KeyRun *run)
{
	const AtomicParameters *atomic = &run->machine->atomic;
	uint32_t ways = run->result->atomic_ways;
	GString *text = g_string_new(NULL);

	if (run->had & KEY_ACTS_ATOMIC_PLAIN)
		ways |= 1u << ATOMIC_WAY_PLAIN;
	for (guint w = 0; w < N_ATOMIC_WAYS; w++) {
		const char *key = w < ATOMIC_WAY_NAMED ? atomic_way_key(atomic, w)
						       : "--what-if mechanism";

		/* Floats that have no mechanism of their own are atomic.mechanism's. */
		if (!(ways >> w & 1) ||
		    (w > ATOMIC_WAY_PLAIN && g_str_equal(key, "atomic.mechanism")))
			continue;
		g_string_append_printf(text, "%s%s is %s", text->len > 0 ? ", " : "", key,
				       mechanism_of_way(atomic, w)->name);
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
	if (bits & KEY_ACTS_LOCK_BITS)
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
