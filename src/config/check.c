/* SPDX-License-Identifier: MIT */
/* What must hold between keys, one row each. */
#include "config/layers.h"
#include "config/value.h"
#include "model/memory/coalesce.h"
#include "model/memory/global-mechanism.h"

#define MAX_RULE_KEYS 4

typedef struct {
	const char *keys[MAX_RULE_KEYS]; /* the first is named if all are equally old */
	/* What should be, when it is not; else NULL. Without it the first must be at least each of the others. */
	const char *(*problem)(const Machine *machine);
} Rule;

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
	for (guint i = 0; i < key_count(); i++) {
		if (key_at(i)->type == KEY_UINT32 &&
		    g_strcmp0(key_at(i)->unit, "cycles") == 0 &&
		    value_number(machine, key_at(i)) >= machine->sim.watchdog_cycles)
			return "allowed: more than any other key in cycles";
	}
	return NULL;
}

/* SMs run side by side for one way; a reply must not be due within it. */
static const char *one_way_problem(const Machine *machine)
{
	const NetworkParameters *network = machine->network;

	return network->one_way_cycles <= network->load_cycles &&
			       network->one_way_cycles <= network->atomic_cycles
		       ? NULL
		       : "allowed: network.one_way_cycles of at most network.load_cycles and "
			 "network.atomic_cycles";
}

static const char *page_problem(const Machine *machine)
{
	const L2Parameters *l2 = machine->l2;

	if (l2->page_bytes & (l2->page_bytes - 1))
		return "allowed: l2.page_bytes a power of two";
	return l2->page_slices <= l2->slices ? NULL
					     : "allowed: l2.page_slices of at most l2.slices";
}

/* A measured map is of so many. */
static const char *map_problem(const Machine *machine)
{
	const L2Parameters *l2 = machine->l2;
	const SliceMap *map = &l2->map;
	uint32_t slices = 0, partitions = 0;

	for (uint32_t i = 0; i < map->n_pages << map->n_line_bits; i++)
		slices = MAX(slices, map->slices[i] + 1u);
	for (uint32_t g = 0; g < map->n_groups; g++)
		partitions = MAX(partitions, map->group_partition[g] + 1u);
	return map->n_pages == 0 || (slices == l2->slices && partitions == l2->partitions)
		       ? NULL
		       : "allowed: as many l2.partitions and l2.slices as the map has";
}

/* Lines of a page that the map distinguishes. */
static const char *map_page_problem(const Machine *machine)
{
	const L2Parameters *l2 = machine->l2;

	for (uint32_t i = 0; i < l2->map.n_line_bits; i++)
		if (l2->page_bytes / LINE_BYTES >> l2->map.line_bits[i] < 2)
			return "allowed: line_bits of a map for lines of a page of "
			       "l2.page_bytes";
	return NULL;
}

static const char *complete_problem(const Machine *machine)
{
	return machine->paths->rule == PATHS_ONE || machine->network->one_way_cycles <=
							    machine->paths->complete_cycles
		       ? NULL
		       : "allowed: paths.complete_cycles of at least network.one_way_cycles";
}

static gboolean needs_slices(const GlobalMechanism *mechanism)
{
	return mechanism && mechanism != &global_mechanism_l2;
}

/* Flat memory has nowhere to look a word up. */
static const char *flat_atomics_problem(const Machine *machine)
{
	const GlobalAtomicParameters *atomic = &machine->global_atomic;

	return machine->global.model == GLOBAL_SLICES ||
			       !(needs_slices(atomic->mechanism) ||
				 needs_slices(atomic->mechanism_f32) ||
				 needs_slices(atomic->mechanism_64bit))
		       ? NULL
		       : "allowed: with global.model flat l2: flat memory has no slices "
			 "that find out whether a word has changed";
}

/* Nor a way to it. */
static const char *flat_paths_problem(const Machine *machine)
{
	return machine->global.model == GLOBAL_SLICES || machine->paths->rule == PATHS_ONE
		       ? NULL
		       : "allowed: with global.model flat one: flat memory has no paths to "
			 "choose from";
}

/* What is kept of atomics leaves as one access. */
static const char *kept_atomics_problem(const Machine *machine)
{
	const GlobalAtomicParameters *atomic = &machine->global_atomic;

	for (guint c = 0; c < N_COMBINERS; c++)
		if (combiners[c]->at_once &&
		    combiners[c]->is_on(machine->combine[MEMORY_GLOBAL][c]))
			for (uint32_t kind = 0; kind < N_ATOMIC_KINDS; kind++)
				if (!global_mechanism_of_kind(atomic, kind)->at_once)
					return "allowed: no such buffer, or l2: what leaves a "
					       "buffer "
					       "is one access, and a loop of compare-and-swaps "
					       "takes "
					       "several";
	return NULL;
}

/* A queue of lanes would have to be kept where the words are. */
static const char *global_retry_problem(const Machine *machine)
{
	return global_cas_loop_has_queue(&machine->global_atomic)
		       ? "allowed: all, one-winner: the L2 keeps no queue of lanes"
		       : NULL;
}

static const Rule rules[] = {
	{{"global.atomic.cas_loop.retry"}, global_retry_problem},
	{{"global.atomic.buffer.entries", "global.atomic.mechanism",
	  "global.atomic.mechanism_f32", "global.atomic.mechanism_64bit"},
	 kept_atomics_problem},
	{{"global.atomic.mechanism", "global.atomic.mechanism_f32",
	  "global.atomic.mechanism_64bit", "global.model"},
	 flat_atomics_problem},
	{{"paths.rule", "global.model"}, flat_paths_problem},
	{{"l2.map", "l2.partitions", "l2.slices"}, map_problem},
	{{"l2.map", "l2.page_bytes"}, map_page_problem},
	{{"paths.complete_cycles", "network.one_way_cycles", "paths.rule"}, complete_problem},
	{{"network.one_way_cycles", "network.load_cycles", "network.atomic_cycles"},
	 one_way_problem},
	{{"l2.page_slices", "l2.slices", "l2.page_bytes"}, page_problem},
	{{"shared.load_cycles", "sm.issue_cycles", "shared.pass_cycles"}, NULL},
	{{"shared.store_cycles", "sm.issue_cycles", "shared.pass_cycles"}, NULL},
	{{"shared.conflict_latency_cycles", "shared.pass_cycles"}, NULL},
	{{"shared.banks", "shared.bank_hash"}, bank_hash_problem},
	{{"atomic.locks", "atomic.lock_hash"}, lock_hash_problem},
	{{"sm.schedulers", "sm.max_warps"}, schedulers_problem},
	{{"shared.allocation_bytes", "shared.bytes"}, allocation_problem},
	{{"shared.reserved_bytes", "shared.bytes"}, reserved_problem},
	{{"sim.watchdog_cycles"}, watchdog_problem},
};

/* The key that was set last: most likely the one that the user got wrong. NULL: one is bad. */
static const Key *blame(const Config *config, const char *const names[MAX_RULE_KEYS])
{
	const Key *last = NULL;

	for (guint i = 0; i < MAX_RULE_KEYS && names[i]; i++) {
		const Key *key = key_find(names[i]);

		if (config->origins[key_index(key)].bad)
			return NULL;
		if (!last || config->origins[key_index(key)].layer >
				     config->origins[key_index(last)].layer)
			last = key;
	}
	return last;
}

/* Says that what the keys have is not what should be. */
static void report(const Config *config, const char *const names[MAX_RULE_KEYS],
		   const char *problem, Problems *problems)
{
	const Key *key = blame(config, names);
	g_autofree char *pointer = key ? key_pointer(key) : NULL;
	g_autoptr(GString) found = g_string_new(NULL);

	if (!key)
		return;
	for (guint i = 0; i < MAX_RULE_KEYS && names[i]; i++) {
		const Key *other = key_find(names[i]);
		g_autofree char *value = value_text(&config->machine, other);

		g_string_append_printf(found, "%s%s is %s", i ? ", " : "", names[i],
				       other->type == KEY_MAP && *value == '{' ? "a map"
									       : value);
	}
	problems_add(problems, config->origins[key_index(key)].place, pointer, "%s; %s",
		     found->str, problem);
}

/* A rule without a function. */
static void check_least(const Config *config, const char *const names[MAX_RULE_KEYS],
			Problems *problems)
{
	const uint64_t first = value_number(&config->machine, key_find(names[0]));
	g_autoptr(GString) words = g_string_new("allowed: ");
	gboolean good = TRUE;

	for (guint i = 1; i < MAX_RULE_KEYS && names[i]; i++) {
		good &= first >= value_number(&config->machine, key_find(names[i]));
		g_string_append_printf(words, "%s%s%s", i == 1 ? names[0] : "",
				       i == 1 ? " of at least " : " and ", names[i]);
	}
	if (!good)
		report(config, names, words->str, problems);
}

/* What a mechanism asks of its keys matters where it is used. */
static void check_mechanism(const Config *config, const Mechanism *mechanism,
			    Problems *problems)
{
	const Machine *machine = &config->machine;

	for (guint r = 0; r < mechanism->n_rules; r++) {
		const MechanismRule *rule = &mechanism->rules[r];
		const char *problem = NULL;

		if (rule->problem)
			problem = rule->problem(&machine->atomic, &machine->shared,
						machine->sm.issue_cycles);
		else
			check_least(config, rule->keys, problems);
		if (problem)
			report(config, rule->keys, problem, problems);
	}
}

void config_check(const Config *config, Problems *problems)
{
	for (guint r = 0; r < G_N_ELEMENTS(rules); r++) {
		const char *problem = NULL;

		if (rules[r].problem)
			problem = rules[r].problem(&config->machine);
		else
			check_least(config, rules[r].keys, problems);
		if (problem)
			report(config, rules[r].keys, problem, problems);
	}
	for (guint m = 0; mechanisms[m]; m++) {
		if (mechanism_in_use(&config->machine.atomic, mechanisms[m]))
			check_mechanism(config, mechanisms[m], problems);
	}
}
