/* SPDX-License-Identifier: MIT */
#include "model/cost.h"

#include <glib.h>

uint32_t cost_word_index_bits(const SharedParameters *shared)
{
	return cost_index_bits(shared->bytes / 4);
}

uint64_t cost_hash_gates(const CostWeights *weights, const Hash *hash, uint32_t n_bits)
{
	const uint32_t gates = hash_gates(hash, n_bits);

	/* A multiplication or a division, by a constant of as many bits as the result's. */
	return gates != UINT32_MAX ? gates
				   : (uint64_t)weights->product_gates * n_bits *
					     MAX(1, cost_index_bits(hash->size));
}

static uint64_t bits_of(const CostWeights *weights, const CostPart *part)
{
	uint64_t storage =
		part->bits * 1000 + part->tag_bits * (uint64_t)weights->tag_bit_mbits;

	for (uint32_t i = 0; i < weights->port_power; i++)
		storage *= MAX(part->ports, 1);
	return (part->units * (storage + part->gates * weights->gate_mbits) + 500) / 1000;
}

static uint32_t add_rows(const CostMachine *machine, const CostRow *rows, uint32_t n_rows,
			 CostLine *lines, uint32_t n)
{
	for (uint32_t i = 0; i < n_rows; i++) {
		CostLine line = {.row = &rows[i]};

		rows[i].count(machine, &line.part);
		line.part.ports = MAX(line.part.ports, 1);
		line.bits = bits_of(machine->weights, &line.part);
		if (line.part.units == 0 ||
		    line.part.bits + line.part.tag_bits + line.part.gates == 0)
			continue;
		g_assert(n < COST_MAX_LINES);
		lines[n++] = line;
	}
	return n;
}

uint32_t cost_lines(const CostMachine *machine, CostLine lines[COST_MAX_LINES])
{
	static const CostRow *const parts[] = {
#define X(name) &cost_part_##name,
		COST_PARTS(X)
#undef X
	};
	uint32_t n = 0;

	for (uint32_t i = 0; i < G_N_ELEMENTS(parts); i++)
		n = add_rows(machine, parts[i], 1, lines, n);
	for (uint32_t i = 0; i < N_MECHANISMS; i++)
		if (mechanism_in_use(machine->atomic, mechanisms[i]))
			n = add_rows(machine, mechanisms[i]->costs, mechanisms[i]->n_costs,
				     lines, n);
	for (uint32_t i = 0; i < N_GLOBAL_MECHANISMS; i++)
		if (global_mechanism_in_use(machine->global, global_mechanisms[i]))
			n = add_rows(machine, global_mechanisms[i]->costs,
				     global_mechanisms[i]->n_costs, lines, n);
	for (uint32_t i = 0; i < N_COMBINERS; i++)
		for (uint32_t space = 0; space < N_MEMORY_SPACES; space++)
			if (combiners[i]->costs[space] &&
			    combiners[i]->is_on(machine->combine[space][i]))
				n = add_rows(machine, combiners[i]->costs[space], 1, lines, n);
	return n;
}

uint64_t cost_total(const CostMachine *machine)
{
	CostLine lines[COST_MAX_LINES];
	const uint32_t n = cost_lines(machine, lines);
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += lines[i].bits;
	return sum;
}
