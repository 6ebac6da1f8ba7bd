/* SPDX-License-Identifier: MIT */
#include "random-program.h"

#include "base/names.h"
#include "random-words.h"

#define LOCK_WORDS 4 /* the last words of a block */

static uint32_t below(GRand *rand, uint32_t n)
{
	return (uint32_t)g_rand_int_range(rand, 0, (gint32)n);
}

static Record access_record(GRand *rand, RecordKind kind, uint32_t warp_lanes)
{
	static const uint8_t widths[] = {4, 4, 4, 1, 2, 8, 16};
	uint32_t n = 1 + below(rand, warp_lanes), words[MAX_LANES];
	Record record;

	random_words(rand, (int)below(rand, N_PATTERN_FAMILIES), PROGRAM_WORDS, words, n);
	record = list_record(kind, words, n);
	record.width = widths[below(rand, G_N_ELEMENTS(widths))];
	for (uint32_t i = 0; i < n; i++)
		record.address[i] &= ~(record.width - 1u);
	return record;
}

static Record atomic_record(GRand *rand, uint32_t warp_lanes)
{
	Record record = access_record(rand, RECORD_ATOM, warp_lanes);

	record.type = (uint8_t)below(rand, N_SHARED_TYPES);
	record.operation = (uint8_t)below(rand, N_OPERATIONS);
	record.result = below(rand, 2);
	record.width = value_type_bytes[record.type];
	record.has_values = below(rand, 2);
	for (uint32_t i = 0; i < record.n_lanes; i++) {
		record.address[i] &= ~(record.width - 1u);
		record.value[i] = below(rand, 2);
		record.compare[i] = 0;
	}
	return record;
}

static Record global_record(GRand *rand)
{
	static const RecordKind kinds[] = {RECORD_LDG, RECORD_LDG, RECORD_STG, RECORD_ATOMG};
	/* One after the other: an initializer's calls go in the compiler's order. */
	const uint32_t n = 1 + below(rand, 32);
	const RecordKind kind = kinds[below(rand, G_N_ELEMENTS(kinds))];
	const uint32_t count = below(rand, n + 1);

	return (Record){.kind = kind,
			.count = count,
			.bytes = n * 4,
			.mask = UINT32_MAX >> (32 - n),
			.n_lanes = (uint8_t)n};
}

/* A critical section around one atomic of the lane that has the lock. */
static void append_section(GRand *rand, ListSource *list, uint64_t block, uint32_t warp)
{
	uint32_t word = PROGRAM_WORDS - 1 - below(rand, LOCK_WORDS);
	Record lock = list_record(RECORD_LOCK, &word, 1);
	Record unlock = list_record(RECORD_UNLOCK, &word, 1);
	Record atom = atomic_record(rand, list->source.kernel.warp_lanes);

	atom.mask = lock.mask;
	atom.n_lanes = lock.n_lanes;
	list_source_append(list, block, warp, &lock);
	list_source_append(list, block, warp, &atom);
	list_source_append(list, block, warp, &unlock);
}

static void append_random(GRand *rand, ListSource *list, uint64_t block, uint32_t warp)
{
	Record record;

	switch (below(rand, 9)) {
	case 0:
		record = access_record(rand, RECORD_LDS, list->source.kernel.warp_lanes);
		break;
	case 1:
		record = access_record(rand, RECORD_STS, list->source.kernel.warp_lanes);
		break;
	case 2:
		record = list_plain(RECORD_ALU, 1 + below(rand, 5));
		break;
	case 3:
		record = global_record(rand);
		break;
	case 4:
		append_section(rand, list, block, warp);
		return;
	default:
		record = atomic_record(rand, list->source.kernel.warp_lanes);
	}
	record.site = below(rand, PROGRAM_SITES);
	list_source_append(list, block, warp, &record);
}

ListSource *random_program(GRand *rand, uint64_t n_blocks, uint32_t n_warps,
			   uint32_t warp_lanes)
{
	ListSource *list = list_source_new(n_blocks, n_warps, PROGRAM_WORDS * 4);

	list->source.kernel.warp_lanes = warp_lanes;
	for (uint64_t block = 0; block < n_blocks; block++)
		for (uint32_t phase = 0; phase < 3; phase++)
			for (uint32_t warp = 0; warp < n_warps; warp++) {
				Record bar = list_plain(RECORD_BAR, 0);

				for (uint32_t n = below(rand, 5); n > 0; n--)
					append_random(rand, list, block, warp);
				if (phase < 2)
					list_source_append(list, block, warp, &bar);
			}
	return list;
}
