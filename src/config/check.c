/* SPDX-License-Identifier: MIT */
/* What must hold between keys, one row each. */
#include "config/layers.h"
#include "config/value.h"

#define MAX_RULE_KEYS 4

typedef struct {
	const char *keys[MAX_RULE_KEYS]; /* the first is named if all are equally old */
	/* What should be, when it is not; else NULL. */
	const char *(*problem)(const Machine *machine);
} Rule;

/*
 * A lone warp must never wait for the scheduler or the banks that it keeps busy itself, or it would
 * take longer than Algorithm 1 of Gomez-Luna et al. says. So every step of a warp must last at
 * least as long as both.
 */
static gboolean outlasts(const Machine *machine, uint32_t cycles)
{
	return cycles >= MAX(machine->sm.issue_cycles, machine->shared.pass_cycles);
}

#define OUTLAST " of at least sm.issue_cycles and shared.pass_cycles"

static const char *load_problem(const Machine *machine)
{
	return outlasts(machine, machine->shared.load_cycles)
		       ? NULL
		       : "allowed: shared.load_cycles" OUTLAST;
}

static const char *store_problem(const Machine *machine)
{
	return outlasts(machine, machine->shared.store_cycles)
		       ? NULL
		       : "allowed: shared.store_cycles" OUTLAST;
}

static const char *lk_problem(const Machine *machine)
{
	return outlasts(machine, machine->atomic.lk_cycles)
		       ? NULL
		       : "allowed: atomic.lk_cycles" OUTLAST;
}

static const char *operation_problem(const Machine *machine)
{
	return outlasts(machine, machine->atomic.operation_cycles)
		       ? NULL
		       : "allowed: atomic.operation_cycles" OUTLAST;
}

static const char *native_problem(const Machine *machine)
{
	return outlasts(machine, machine->atomic.native_cycles)
		       ? NULL
		       : "allowed: atomic.native_cycles" OUTLAST;
}

static const char *native_cas_problem(const Machine *machine)
{
	return outlasts(machine, machine->atomic.native_cas_cycles)
		       ? NULL
		       : "allowed: atomic.native_cas_cycles" OUTLAST;
}

static const char *base_problem(const Machine *machine)
{
	const AtomicParameters *atomic = &machine->atomic;
	uint32_t used_cycles = atomic->lk_cycles + atomic->operation_cycles;

	if (used_cycles < atomic->t_base_cycles &&
	    outlasts(machine, atomic->t_base_cycles - used_cycles))
		return NULL;
	return "allowed: a rest of atomic.t_base_cycles" OUTLAST;
}

static const char *position_problem(const Machine *machine)
{
	return machine->atomic.t_position_cycles >= machine->atomic.t_base_cycles
		       ? NULL
		       : "allowed: atomic.t_position_cycles of at least atomic.t_base_cycles";
}

static const char *bank_time_problem(const Machine *machine)
{
	return machine->shared.t_bank_cycles >= machine->shared.pass_cycles
		       ? NULL
		       : "allowed: shared.t_bank_cycles of at least shared.pass_cycles";
}

/* Of what hash_problem knows, the keys' own ranges leave these two. */
static const char *fit_problem(const HashSpec *spec, uint32_t size)
{
	if (!hash_problem(spec, size))
		return NULL;
	return size & (size - 1) ? "allowed: a power of two, or the hash \"mod\""
				 : "allowed: a matrix of log2 of that many rows";
}

static const char *bank_hash_problem(const Machine *machine)
{
	return fit_problem(&machine->shared.bank_hash, machine->shared.banks);
}

static const char *lock_hash_problem(const Machine *machine)
{
	return fit_problem(&machine->atomic.lock_hash, machine->atomic.locks);
}

static const char *schedulers_problem(const Machine *machine)
{
	return machine->sm.schedulers <= machine->sm.max_warps
		       ? NULL
		       : "allowed: no more sm.schedulers than sm.max_warps";
}

static const char *allocation_problem(const Machine *machine)
{
	return machine->shared.allocation_bytes <= machine->shared.bytes
		       ? NULL
		       : "allowed: shared.allocation_bytes of at most shared.bytes";
}

static const char *reserved_problem(const Machine *machine)
{
	return machine->shared.reserved_bytes < machine->shared.bytes
		       ? NULL
		       : "allowed: shared.reserved_bytes of less than shared.bytes";
}

/* A wait that is in order must not look like a livelock. */
static const char *watchdog_problem(const Machine *machine)
{
	for (guint i = 0; i < n_keys; i++) {
		if (keys[i].type == KEY_UINT32 && g_strcmp0(keys[i].unit, "cycles") == 0 &&
		    value_number(machine, &keys[i]) >= machine->sim.watchdog_cycles)
			return "allowed: more than any other key in cycles";
	}
	return NULL;
}

static const Rule rules[] = {
	{{"shared.load_cycles", "sm.issue_cycles", "shared.pass_cycles"}, load_problem},
	{{"shared.store_cycles", "sm.issue_cycles", "shared.pass_cycles"}, store_problem},
	{{"atomic.lk_cycles", "sm.issue_cycles", "shared.pass_cycles"}, lk_problem},
	{{"atomic.operation_cycles", "sm.issue_cycles", "shared.pass_cycles"},
	 operation_problem},
	{{"atomic.native_cycles", "sm.issue_cycles", "shared.pass_cycles"}, native_problem},
	{{"atomic.native_cas_cycles", "sm.issue_cycles", "shared.pass_cycles"},
	 native_cas_problem},
	{{"atomic.t_base_cycles", "atomic.lk_cycles", "atomic.operation_cycles"}, base_problem},
	{{"atomic.t_position_cycles", "atomic.t_base_cycles"}, position_problem},
	{{"shared.t_bank_cycles", "shared.pass_cycles"}, bank_time_problem},
	{{"shared.banks", "shared.bank_hash"}, bank_hash_problem},
	{{"atomic.locks", "atomic.lock_hash"}, lock_hash_problem},
	{{"sm.schedulers", "sm.max_warps"}, schedulers_problem},
	{{"shared.allocation_bytes", "shared.bytes"}, allocation_problem},
	{{"shared.reserved_bytes", "shared.bytes"}, reserved_problem},
	{{"sim.watchdog_cycles"}, watchdog_problem},
};

/* The key that was set last: most likely the one that the user got wrong. NULL: one is bad. */
static const Key *blame(const Config *config, const Rule *rule)
{
	const Key *last = NULL;

	for (guint i = 0; i < MAX_RULE_KEYS && rule->keys[i]; i++) {
		const Key *key = key_find(rule->keys[i]);

		if (config->origins[key - keys].bad)
			return NULL;
		if (!last ||
		    config->origins[key - keys].layer > config->origins[last - keys].layer)
			last = key;
	}
	return last;
}

void config_check(const Config *config, Problems *problems)
{
	for (guint r = 0; r < G_N_ELEMENTS(rules); r++) {
		const char *problem = rules[r].problem(&config->machine);
		const Key *key = problem ? blame(config, &rules[r]) : NULL;
		g_autofree char *pointer = NULL;
		g_autoptr(GString) found = NULL;

		if (!key)
			continue;
		pointer = key_pointer(key);
		found = g_string_new(NULL);
		for (guint i = 0; i < MAX_RULE_KEYS && rules[r].keys[i]; i++) {
			g_autofree char *value =
				value_text(&config->machine, key_find(rules[r].keys[i]));

			g_string_append_printf(found, "%s%s is %s", i ? ", " : "",
					       rules[r].keys[i], value);
		}
		problems_add(problems, config->origins[key - keys].place, pointer, "%s; %s",
			     found->str, problem);
	}
}
