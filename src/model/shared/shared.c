/* SPDX-License-Identifier: MIT */
#include "model/shared/shared.h"

#include <glib.h>
#include <string.h>

void bank_table_init(BankTable *table, const SharedParameters *parameters, uint32_t n_words)
{
	const ConflictPath *paths[CONFLICTS_MAX_PATHS];
	Hash hash;

	conflict_paths(paths);
	table->path = paths[0];
	hash_build(&parameters->bank_hash, parameters->banks, &hash);
	table->n_words = n_words;
	table->n_banks = parameters->banks;
	table->modulo = hash_is_modulo(&hash);
	table->bank_of = hash_tabulate(&hash, table->n_words);
}

void bank_table_clear(BankTable *table)
{
	g_clear_pointer(&table->bank_of, g_free);
}

void shared_init(SharedMemory *shared, const SharedParameters *parameters, const Ideals *ideals,
		 const BankTable *table)
{
	memset(shared, 0, sizeof *shared);
	shared->parameters = parameters;
	shared->ideals = ideals;
	shared->table = table;
	shared->stamps = g_new0(uint32_t, table->n_words);
	shared->failures = g_new0(uint64_t, table->n_words);
	calendar_init(&shared->calendar);
}

void shared_clear(SharedMemory *shared)
{
	g_clear_pointer(&shared->stamps, g_free);
	g_clear_pointer(&shared->failures, g_free);
	calendar_clear(&shared->calendar);
}

/* With ports: when the queue takes an access issued at `now`. */
static Cycle queue_entry(const SharedMemory *shared, Cycle now)
{
	if (G_UNLIKELY(shared->ideals->issue == 1))
		return now;
	return MAX(now, MAX(shared->port_free_at[shared->port],
			    shared->queue_left_at[shared->queue_place]));
}

/* From when on its first pass looks for a place, once the port has handed all of it over. */
static Cycle arrival(const SharedMemory *shared, Cycle entered, uint32_t port_cycles)
{
	Cycle own;

	if (G_UNLIKELY(shared->ideals->issue == 1))
		return entered;
	own = MAX(shared->lanes_free_at[shared->port], shared->warp_free_at[shared->warp]);

	return MAX(MAX(entered, shared->through_at[shared->port]) + port_cycles, own);
}

Cycle shared_start_ports(SharedMemory *shared, Cycle now)
{
	const SharedParameters *p = shared->parameters;
	Cycle at = arrival(shared, queue_entry(shared, now), p->scheduler_port_cycles);

	calendar_sweep(&shared->calendar, now);
	return calendar_first_free(&shared->calendar, at, p->pass_cycles) -
	       p->scheduler_port_cycles;
}

/* Enters the passes of an access into the calendar, the first of them at `at`, which is free; all but n_first are by conflicts. */
static void enter_passes(SharedMemory *shared, Cycle at, uint32_t passes, uint32_t n_first,
			 uint32_t bank_times)
{
	const SharedParameters *p = shared->parameters;
	const uint32_t length = p->pass_cycles;
	const Cycle apart = MAX(length, (Cycle)p->conflict_latency_cycles * bank_times);
	Calendar *calendar = &shared->calendar;
	Cycle taken;

	if (bank_times == 1) {
		calendar_reserve(calendar, at, length);
		shared->pass_at[0] = at;
		for (uint32_t pass = 1; pass < n_first; pass++) {
			at = calendar_free_from(calendar, at + apart, length);
			calendar_reserve(calendar, at, length);
			shared->pass_at[pass] = at;
		}
		if (passes == n_first)
			return;
		if (length == 2) /* Fermi */
			calendar_enter_further(calendar, at + apart, passes - n_first, 2, apart,
					       shared->pass_at + n_first);
		else
			calendar_enter_further(calendar, at + apart, passes - n_first, length,
					       apart, shared->pass_at + n_first);
		return;
	}
	for (uint32_t pass = 0;; at = calendar_free_from(calendar, at, length)) {
		calendar_reserve(calendar, at, length);
		if (pass >= n_first)
			calendar_mark_further(calendar, at, length);
		shared->pass_at[pass] = taken = at;
		for (uint32_t i = 1; i < bank_times; i++) {
			taken = calendar_free_from(calendar, taken + length, length);
			calendar_reserve(calendar, taken, length);
			if (pass >= n_first)
				calendar_mark_further(calendar, taken, length);
		}
		if (++pass == passes)
			return;
		at = MAX(taken + length, at + apart);
	}
}

uint32_t shared_port_cycles(const SharedParameters *p, uint32_t registers)
{
	if (registers == 1 && p->scheduler_port_load_cycles > 0)
		return p->scheduler_port_load_cycles;
	return p->scheduler_port_cycles +
	       (registers > 2 ? (registers - 2) * p->scheduler_port_register_cycles : 0);
}

/*
 * Enters the passes of an access behind ports. A port hands an access over when all its registers have gone through, and takes the
 * next one when the banks have taken this one: so what arrives first is served first, whichever port's.
 * Times are as if there were no port: what follows it takes port_cycles less.
 */
static void enter_ports(SharedMemory *shared, Cycle now, const SharedPasses *access,
			uint32_t bank_times)
{
	const SharedParameters *p = shared->parameters;
	const uint32_t passes = access->passes;
	const uint32_t port_cycles = shared_port_cycles(p, access->registers);
	const Cycle entered = queue_entry(shared, now);
	Cycle start;

	calendar_sweep(&shared->calendar, now);
	shared->queued_at = entered + port_cycles;
	shared->port_free_at[shared->port] = shared->queued_at;
	shared->port_cycles += port_cycles;
	start = calendar_first_free(&shared->calendar, arrival(shared, entered, port_cycles),
				    p->pass_cycles);
	enter_passes(shared, start, passes, access->n_groups, bank_times);
	shared->through_at[shared->port] = start;
	shared->warp_free_at[shared->warp] =
		start + (Cycle)passes * p->warp_pass_cycles * bank_times;
	shared->lanes_free_at[shared->port] =
		access->keeps_port ? shared->warp_free_at[shared->warp]
				   : start + (Cycle)passes * p->pass_cycles * bank_times;
	for (uint32_t pass = 0; pass < passes; pass++)
		shared->pass_at[pass] -= port_cycles;
	shared->queue_left_at[shared->queue_place] =
		start - port_cycles + p->queue_release_cycles;
	shared->queue_place = shared->queue_place + 1 < p->queue ? shared->queue_place + 1 : 0;
}

static inline void count_conflicts(SharedMemory *shared, uint32_t passes, uint32_t bank)
{
	shared->counters.conflict_passes += passes;
	shared->bank_conflict_passes[bank] += passes;
	shared->bank_conflicts[bank]++;
}

/* Counts an access's groups by their passes. */
static void count(SharedMemory *shared, const SharedPasses *passes)
{
	SharedCounters *counters = &shared->counters;

	counters->accesses += passes->n_groups;
	counters->passes += passes->passes;
	for (uint32_t g = 0; g < passes->n_groups; g++)
		counters->degree[MIN(passes->group_passes[g], DEGREE_BINS - 1)]++;
	if (passes->passes > passes->n_groups)
		count_conflicts(shared, passes->passes - passes->n_groups, passes->worst_bank);
}

/* Fills pass_at with the passes of one access, or of one after the other. */
static void enter(SharedMemory *shared, Cycle now, const SharedPasses *passes,
		  uint32_t bank_times)
{
	const SharedParameters *p = shared->parameters;
	const uint32_t last = passes->passes - 1;

	count(shared, passes);
	shared->counters.bank_busy_cycles +=
		(Cycle)passes->passes * p->pass_cycles * bank_times;
	if (p->queue > 0)
		enter_ports(shared, now, passes, bank_times);
	else
		enter_passes(shared, shared_start(shared, now), passes->passes,
			     passes->n_groups, bank_times);
	shared->bank_cycles = (uint32_t)(shared->pass_at[last] - shared->pass_at[0]);
	shared->last_pass_at = MAX(shared->last_pass_at, shared->pass_at[last]);
	shared->conflict_cycles =
		(uint32_t)(shared->pass_at[last] - shared->pass_at[passes->n_groups - 1]);
}

Cycle shared_access_slow(SharedMemory *shared, Cycle now, uint32_t passes, uint32_t worst_bank,
			 uint32_t bank_times, uint32_t registers)
{
	const SharedPasses one = {.n_groups = 1,
				  .group_passes = {passes},
				  .passes = passes,
				  .worst_bank = worst_bank,
				  .registers = registers};

	enter(shared, now, &one, bank_times);
	return shared->pass_at[0];
}

Cycle shared_access_ports(SharedMemory *shared, Cycle now, uint32_t passes, uint32_t worst_bank)
{
	return shared_access_slow(shared, now, passes, worst_bank, 1, 0);
}

void shared_enter_conflict(SharedMemory *shared, Cycle start, uint32_t passes,
			   uint32_t worst_bank)
{
	Cycle last;

	count_conflicts(shared, passes - 1, worst_bank);
	enter_passes(shared, start, passes, 1, 1);
	last = shared->pass_at[passes - 1];
	shared->bank_cycles = shared->conflict_cycles = (uint32_t)(last - start);
	shared->last_pass_at = MAX(shared->last_pass_at, last);
}

Cycle shared_access_groups(SharedMemory *shared, Cycle now, const SharedPasses *passes)
{
	if (passes->n_groups == 1 && shared->parameters->queue == 0)
		return shared_access(shared, now, passes->passes, passes->worst_bank);
	enter(shared, now, passes, 1);
	return shared->pass_at[0];
}

Cycle shared_access_groups_slow(SharedMemory *shared, Cycle now, const SharedPasses *passes,
				uint32_t bank_times)
{
	enter(shared, now, passes, bank_times);
	return shared->pass_at[0];
}

Cycle shared_begin_other(SharedMemory *shared, Cycle now, uint32_t port_cycles)
{
	const Cycle entered = queue_entry(shared, now);

	calendar_sweep(&shared->calendar, now);
	shared->queued_at = entered + port_cycles;
	shared->port_free_at[shared->port] = shared->queued_at;
	shared->port_cycles += port_cycles;
	return calendar_first_free(&shared->calendar, arrival(shared, entered, port_cycles), 1);
}

void shared_take(SharedMemory *shared, Cycle now, Cycle start, uint32_t cycles)
{
	Cycle at = start;

	calendar_sweep(&shared->calendar, now);
	for (uint32_t i = 0; i < cycles; i++, at++) {
		at = calendar_first_free(&shared->calendar, at, 1);
		calendar_reserve(&shared->calendar, at, 1);
	}
}

void shared_end_other(SharedMemory *shared, Cycle start, uint32_t cycles, uint32_t places)
{
	const SharedParameters *p = shared->parameters;
	Cycle at = start;

	calendar_reserve(&shared->calendar, at, 1);
	for (uint32_t i = 1; i < cycles; i++) {
		at = calendar_first_free(&shared->calendar, at + 1, 1);
		calendar_reserve(&shared->calendar, at, 1);
	}
	shared->through_at[shared->port] = start;
	shared->lanes_free_at[shared->port] = at + 1;
	for (uint32_t i = 0; i < MIN(places, p->queue); i++) {
		shared->queue_left_at[shared->queue_place] = at + p->queue_release_cycles;
		shared->queue_place =
			shared->queue_place + 1 < p->queue ? shared->queue_place + 1 : 0;
	}
}
