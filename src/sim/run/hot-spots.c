/* SPDX-License-Identifier: MIT */
#include "sim/run/hot-spots.h"

#include <glib.h>

#include "sim/sm/residency.h"

/* What a spot cost: failed lanes and further passes each take the hardware about one more round. */
static uint64_t cost(const HotSpot *spot)
{
	return spot->failures + spot->passes;
}

/* Puts a spot into a table of the HOT_SPOTS costliest. Spots come in order of their number. */
static void offer(HotSpot *table, uint32_t *n, const HotSpot *spot)
{
	uint32_t at = *n;

	if (cost(spot) == 0)
		return;
	while (at > 0 && cost(&table[at - 1]) < cost(spot))
		at--;
	if (at == HOT_SPOTS)
		return;
	*n = MIN(*n + 1, HOT_SPOTS);
	for (uint32_t i = *n - 1; i > at; i--)
		table[i] = table[i - 1];
	table[at] = *spot;
}

/* Whether any atomic took a lock bit; the tries of spin locks are exchanges, which atomic.mechanism carries out. */
static bool took_locks(const RunContext *context, const SimResult *result)
{
	const AtomicParameters *atomic = &context->machine->atomic;
	bool took = result->statistics.records[RECORD_LOCK] > 0 && atomic->mechanism->has_locks;

	if (!atomic_has_lock_bits(atomic)) /* none, or a lock is its word */
		return false;
	for (uint32_t use = 0; use < N_ATOMIC_USES; use++)
		took |= result->atomic_uses >> use & 1 &&
			mechanism_of_use(atomic, use)->has_locks;
	return took;
}

/* Shared memory that each block takes, with what is reserved; 0: blocks differ. */
static uint32_t bytes_of_blocks(const RunContext *context)
{
	BlockInfo first, info;

	context->source->block_info(context->source, 0, &first);
	for (uint64_t block = 1; block < context->source->n_blocks; block++) {
		context->source->block_info(context->source, block, &info);
		if (info.shared_bytes != first.shared_bytes)
			return 0;
	}
	return residency_bytes(&context->machine->shared, &first);
}

/* The word of its block, where blocks of one size are side by side. */
static uint32_t word_of_block(const RunContext *context, uint32_t block_bytes, uint32_t word)
{
	const uint32_t reserved = context->machine->shared.reserved_bytes / 4;
	const uint32_t words = block_bytes / 4;
	uint32_t place;

	if (words == 0)
		return UINT32_MAX;
	place = word % words;
	return place >= reserved ? place - reserved : UINT32_MAX;
}

/* A lock's failures are those of its words. */
static void collect_words_and_locks(const Sm *sms, const uint32_t *n_equal, uint32_t n_sms,
				    SimResult *result)
{
	const RunContext *context = sms[0].context;
	const uint32_t n_words = context->banks.n_words;
	g_autofree uint64_t *of_lock = g_new0(uint64_t, context->lock_map.n_locks);
	g_autofree uint64_t *of_word = g_new0(uint64_t, n_words);
	const bool with_locks = context->lock_map.lock_of && took_locks(context, result);
	uint32_t block_bytes = 0;

	for (uint32_t i = 0; i < n_sms; i++)
		for (uint32_t word = 0; sms[i].failures && word < n_words; word++)
			of_word[word] += sms[i].failures[word] * n_equal[i];
	for (uint32_t word = 0; word < n_words; word++) {
		HotSpot spot = {.id = word, .failures = of_word[word]};

		if (!spot.failures) /* most words have none, and there are many */
			continue;
		if (with_locks)
			of_lock[context->lock_map.lock_of[word]] += spot.failures;
		/* Not before there is one: blocks may be many. */
		if (result->n_addresses == 0)
			block_bytes = bytes_of_blocks(context);
		spot.block_word = word_of_block(context, block_bytes, word);
		offer(result->addresses, &result->n_addresses, &spot);
	}
	for (uint32_t lock = 0; lock < context->lock_map.n_locks; lock++) {
		HotSpot spot = {.id = lock, .failures = of_lock[lock]};

		if (!spot.failures)
			continue;
		offer(result->locks, &result->n_locks, &spot);
	}
}

void collect_hot_spots(const Sm *sms, const uint32_t *n_equal, uint32_t n_sms,
		       SimResult *result)
{
	const RunContext *context = sms[0].context;

	collect_words_and_locks(sms, n_equal, n_sms, result);
	for (uint32_t bank = 0; bank < context->machine->shared.banks; bank++) {
		HotSpot spot = {.id = bank};

		for (uint32_t i = 0; i < n_sms; i++) {
			spot.passes += sms[i].shared.bank_conflict_passes[bank] * n_equal[i];
			spot.accesses += sms[i].shared.bank_conflicts[bank] * n_equal[i];
		}
		offer(result->banks, &result->n_banks, &spot);
	}
}

void collect_sites(const Sm *sms, const uint32_t *n_equal, uint32_t n_sms, HotSpot *sites)
{
	const uint64_t *merged = sms[0].context->merged_by_site;

	for (uint32_t site = 0; site <= sms[0].context->n_sites; site++) {
		HotSpot *spot = &sites[site];

		*spot = (HotSpot){.id = site};
		for (uint32_t i = 0; i < n_sms; i++) {
			spot->cycles += sms[i].sites[site].cycles * n_equal[i];
			spot->failures += sms[i].sites[site].failures * n_equal[i];
			spot->passes += sms[i].sites[site].passes * n_equal[i];
			spot->lane_operations +=
				sms[i].sites[site].lane_operations * n_equal[i];
			spot->local_segments += sms[i].sites[site].local_segments * n_equal[i];
			if (sms[i].combined_sites)
				combine_counters_add(&spot->combined,
						     &sms[i].combined_sites[site], n_equal[i]);
		}
		if (merged)
			spot->combined.slice_merged = merged[site];
	}
}
