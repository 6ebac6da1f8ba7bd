/* SPDX-License-Identifier: MIT */
/* How many passes an access takes. */
#include "model/shared/shared.h"

#include <string.h>

#include "base/vectors.h"

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
	const BankTable *table = shared->table;
	const bool mask = table->modulo && (table->n_banks & (table->n_banks - 1)) == 0;
	const ConflictWords in = {
		.bank_of = table->bank_of,
		.modulo = mask ? table->n_banks : 0,
		.marks = shared->stamps,
		.mark = shared_next_serial(shared) << STAMP_SHIFT,
	};
	const uint32_t degree = table->path->passes(&in, words, n, worst_bank);

	return shared->ideals->bank_conflicts ? 1 : degree;
}

/* Whether each lane has the address of the lane whose number differs by `step`, or is alone. */
static bool shares_with(uint32_t step, const uint32_t *lane_address, LaneMask mask)
{
	for (LaneMask left = mask; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left), other = lane ^ step;

		if (mask >> other & 1 && lane_address[other] != lane_address[lane])
			return false;
	}
	return true;
}

/*
 * The groups of lanes that an access goes through the banks by, as masks in `groups`, and their
 * number; groups without an active lane are left out. width: bytes a lane, 1 .. 16; address: byte
 * address of each active lane, by rank; mask: active lanes, not 0.
 *
 * Up to 4 bytes all lanes go together. Stores: 8 bytes by 16 lanes, 16 bytes by 8. Loads: twice as
 * many lanes where each lane shares its address with its neighbour (i and i^1), or each with the
 * one after that (i and i^2), or has nobody there. Source: measurements/h200/wide-accesses.csv,
 * passes and conflicts of 540 single accesses by the GPU's own counters.
 */
static uint32_t wide_groups(bool load, uint32_t width, const uint32_t *address, LaneMask mask,
			    LaneMask *groups)
{
	uint32_t lanes = width <= 4 ? MAX_LANES : 128 / width, n = 0;
	uint32_t lane_address[MAX_LANES];

	if (width > 4 && load) {
		uint32_t rank = 0;

		for (LaneMask left = mask; left; left &= left - 1)
			lane_address[__builtin_ctzll(left)] = address[rank++];
		if (shares_with(1, lane_address, mask) || shares_with(2, lane_address, mask))
			lanes *= 2;
	}
	for (uint32_t first = 0; first < MAX_LANES; first += lanes) {
		LaneMask group = mask & (~(LaneMask)0 >> (MAX_LANES - lanes)) << first;

		if (group)
			groups[n++] = group;
	}
	return n;
}

/* Of lanes that access a word each, which. */
static void words_of(uint32_t base_bytes, const uint32_t *address, uint32_t n, uint32_t *words)
{
	FourNarrow four;
	uint32_t i = 0;

	for (; i + 4 <= n; i += 4) {
		memcpy(&four, &address[i], sizeof four);
		four = (four + base_bytes) >> 2;
		memcpy(&words[i], &four, sizeof four);
	}
	for (; i < n; i++)
		words[i] = (base_bytes + address[i]) >> 2;
}

void shared_passes(SharedMemory *shared, bool load, uint32_t width, uint32_t base_bytes,
		   const uint32_t *address, LaneMask mask, SharedPasses *passes)
{
	uint32_t words[MAX_LANES * SHARED_MAX_LANE_WORDS], rank = 0, most = 0;
	LaneMask groups[SHARED_MAX_GROUPS] = {mask};

	passes->registers = load ? 1 : 1 + (width + 3) / 4;
	passes->keeps_port = false;
	passes->worst_bank = 0;
	passes->n_groups = 1;
	passes->passes = 0;
	if (shared->parameters->split_wide_accesses)
		passes->n_groups = wide_groups(load, width, address, mask, groups);
	for (uint32_t g = 0; g < passes->n_groups; g++) {
		uint32_t n = 0, n_lanes = (uint32_t)__builtin_popcountll(groups[g]), bank;

		if (width <= 4) {
			n = n_lanes;
			words_of(base_bytes, &address[rank], n, words);
			rank += n;
		}
		for (uint32_t i = 0; width > 4 && i < n_lanes; i++, rank++)
			for (uint32_t byte = 0; byte < width; byte += 4)
				words[n++] = (base_bytes + address[rank] + byte) / 4;
		passes->group_passes[g] = shared_degree(shared, words, n, &bank);
		passes->passes += passes->group_passes[g];
		if (passes->group_passes[g] > most) {
			most = passes->group_passes[g];
			passes->worst_bank = bank;
		}
	}
}
