/* SPDX-License-Identifier: MIT */
#include "model/shared.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

void bank_table_init(BankTable *table, const SharedParameters *parameters)
{
	Hash hash;

	hash_build(&parameters->bank_hash, parameters->banks, &hash);
	table->n_words = parameters->bytes / 4;
	table->bank_of = hash_tabulate(&hash, table->n_words);
}

void bank_table_clear(BankTable *table)
{
	g_clear_pointer(&table->bank_of, g_free);
}

void shared_init(SharedMemory *shared, const SharedParameters *parameters,
		 const BankTable *table)
{
	memset(shared, 0, sizeof *shared);
	shared->parameters = parameters;
	shared->table = table;
	shared->stamps = g_new0(uint32_t, table->n_words);
	shared->failures = g_new0(uint64_t, table->n_words);
}

void shared_clear(SharedMemory *shared)
{
	g_clear_pointer(&shared->stamps, g_free);
	g_clear_pointer(&shared->failures, g_free);
}

uint32_t shared_next_serial(SharedMemory *shared)
{
	if (++shared->serial == 1u << (32 - STAMP_SHIFT)) {
		/* The stamps of old accesses would read as new. */
		memset(shared->stamps, 0, shared->table->n_words * sizeof *shared->stamps);
		shared->serial = 1;
	}
	return shared->serial;
}

uint32_t shared_degree(SharedMemory *shared, const uint32_t *words, uint32_t n,
		       uint32_t *worst_bank)
{
	uint8_t in_bank[SHARED_MAX_BANKS] = {0};
	uint32_t serial = shared_next_serial(shared);
	uint32_t degree = 0;

	*worst_bank = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t bank;

		if (shared->stamps[words[i]] >> STAMP_SHIFT == serial)
			continue;
		shared->stamps[words[i]] = serial << STAMP_SHIFT;
		bank = shared->table->bank_of[words[i]];
		if (++in_bank[bank] > degree) {
			degree = in_bank[bank];
			*worst_bank = bank;
		}
	}
	return shared->parameters->conflict_free ? 1 : degree;
}

/* When an access issued at `now` is in the queue: its scheduler's port and a place must be free. */
static Cycle enter_queue(SharedMemory *shared, Cycle now, uint32_t port_times)
{
	const SharedParameters *p = shared->parameters;
	Cycle *port_free_at = &shared->port_free_at[shared->port];
	Cycle entered =
		MAX(now, MAX(*port_free_at, shared->queue_left_at[shared->queue_place]));

	shared->queued_at = *port_free_at = entered + (Cycle)p->port_cycles * port_times;
	return entered;
}

/* Ports bring passes to the banks more slowly than the banks take them. A port that is late leaves the
   banks to the others, so it does not move free_at. */
static Cycle leave_queue(SharedMemory *shared, Cycle start, uint32_t passes,
			 uint32_t bank_times)
{
	const SharedParameters *p = shared->parameters;
	Cycle *lanes_free_at = &shared->lanes_free_at[shared->port];

	start = MAX(start, *lanes_free_at);
	*lanes_free_at = start + (Cycle)passes * p->port_pass_cycles * bank_times;
	shared->queue_left_at[shared->queue_place] = start + p->queue_cycles;
	shared->queue_place = shared->queue_place + 1 < p->queue ? shared->queue_place + 1 : 0;
	return start;
}

Cycle shared_access(SharedMemory *shared, Cycle now, uint32_t passes, uint32_t worst_bank)
{
	return shared_access_slow(shared, now, passes, worst_bank, 1, 1);
}

Cycle shared_access_slow(SharedMemory *shared, Cycle now, uint32_t passes, uint32_t worst_bank,
			 uint32_t bank_times, uint32_t port_times)
{
	const bool ports = shared->parameters->queue > 0;
	Cycle start = shared_start(shared, ports ? enter_queue(shared, now, port_times) : now);
	Cycle busy = (Cycle)passes * shared->parameters->pass_cycles * bank_times;

	shared->free_at = start + busy;
	shared->counters.accesses++;
	shared->counters.passes += passes;
	shared->counters.busy_cycles += busy;
	shared->counters.degree[MIN(passes, DEGREE_BINS - 1)]++;
	if (passes > 1) {
		shared->counters.conflict_passes += passes - 1;
		shared->bank_conflict_passes[worst_bank] += passes - 1;
		shared->bank_conflicts[worst_bank]++;
	}
	return ports ? leave_queue(shared, start, passes, bank_times) : start;
}
