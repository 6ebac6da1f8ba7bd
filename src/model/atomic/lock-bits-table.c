/* SPDX-License-Identifier: MIT */
/* Making the table of lock bits, and sorting an atomic's lanes for it. */
#include <glib.h>
#include <string.h>

#include "model/atomic/lock-bits-tries.h"

/* Starts to sort another atomic's lanes: no lock has been seen yet. Returns the new serial. */
static uint32_t next_serial(LockBits *bits)
{
	if (++bits->serial == 1u << (32 - STAMP_SHIFT)) {
		/* The stamps of old atomics would read as new. */
		for (uint32_t i = 0; i < bits->map->n_locks; i++)
			bits->stamp[i] = 0;
		bits->serial = 1;
	}
	return bits->serial;
}

/* One more lane of a word that was seen already. */
static void chain_lane(Sorted *sorted, uint8_t last[MAX_LANES], uint32_t w, uint32_t lane)
{
	if (!(sorted->shared >> w & 1))
		sorted->first[w] = last[w] = (uint8_t)w;
	sorted->shared |= UINT64_C(1) << w;
	sorted->next[last[w]] = (uint8_t)lane;
	last[w] = (uint8_t)lane;
	sorted->n_left[w]++;
}

/* Sorts the lanes by word, and chains those of a word. False, and nothing is sorted, if two words share a
   lock. Few lanes share a word, or many do in some pattern: so a branch for a lane is predicted. */
static bool chain_lanes(LockBits *bits, const BankTable *table, const Atomic *atomic,
			Sorted *sorted)
{
	const uint16_t *lock_of = bits->map->lock_of, *bank_of = table->bank_of;
	const uint32_t serial = next_serial(bits), n_lanes = atomic->n_lanes;
	uint32_t *stamps = bits->stamp;
	LaneMask repeats = 0;
	uint8_t last[MAX_LANES]; /* lane of a word so far, where lanes share it */

	sorted->shared = 0;
	memset(sorted->n_left, 1, sizeof sorted->n_left);
	memcpy(&sorted->reads, &bank_words_none, sizeof sorted->reads);
	for (uint32_t lane = 0; lane < n_lanes; lane++) {
		const uint32_t word = atomic->word[lane], number = lock_of[word];
		const uint32_t stamp = stamps[number];

		if (G_LIKELY(stamp >> STAMP_SHIFT != serial)) {
			const uint32_t bank = bank_of[word];

			stamps[number] = serial << STAMP_SHIFT | lane;
			sorted->words[lane].lock = (uint16_t)number;
			sorted->words[lane].bank = (uint8_t)bank;
			bank_words_add(&sorted->reads, bank);
		} else {
			const uint32_t w = stamp % (1u << STAMP_SHIFT);

			if (atomic->word[w] != word)
				return false;
			repeats |= UINT64_C(1) << lane;
			chain_lane(sorted, last, w, lane);
		}
	}
	sorted->words_pending = lanes_below(n_lanes) & ~repeats;
	return true;
}

/* Sorts the lanes by word. False if two words share a lock: then they are sorted by lock, rivals[] has the
   lanes of each lock, and the stamps of the locks say which one that is. */
static bool sort_lanes(LockBits *bits, const Atomic *atomic, Sorted *sorted)
{
	const uint16_t *lock_of = bits->map->lock_of;
	const uint32_t serial = next_serial(bits);
	bool aliased = false;

	sorted->words_pending = 0;
	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		uint32_t word = atomic->word[lane], number = lock_of[word];
		uint32_t *stamp = &bits->stamp[number];
		bool seen = *stamp >> STAMP_SHIFT == serial;
		uint32_t w = seen ? *stamp % (1u << STAMP_SHIFT) : lane;

		*stamp = serial << STAMP_SHIFT | w;
		aliased |= atomic->word[w] != word;
		sorted->words_pending |= UINT64_C(1) << w;
		sorted->word_of[lane] = (uint8_t)w;
		sorted->rivals[w] = (seen ? sorted->rivals[w] : 0) | UINT64_C(1) << lane;
		sorted->n_left[w] = (uint8_t)((seen ? sorted->n_left[w] : 0) + 1);
		sorted->words[w].lock = (uint16_t)number;
	}
	return !aliased;
}

/* The same where two words share a lock, after sort_lanes: the rivals of a word are the lanes of all of
   them. */
static void sort_aliased_lanes(LockBits *bits, AtomicUnit *unit, const Atomic *atomic,
			       Sorted *sorted)
{
	const uint32_t serial = shared_next_serial(unit->shared);
	uint32_t *stamps = unit->shared->stamps;
	LaneMask of_lock[MAX_LANES]; /* the lanes that try it */

	memcpy(of_lock, sorted->rivals, sizeof of_lock);
	memset(sorted->n_left, 0, sizeof sorted->n_left);
	sorted->words_pending = 0;
	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		uint32_t word = atomic->word[lane], w = stamps[word] % (1u << STAMP_SHIFT);

		if (stamps[word] >> STAMP_SHIFT != serial) {
			const uint32_t number = bits->map->lock_of[word];

			w = lane;
			stamps[word] = serial << STAMP_SHIFT | w;
			sorted->words_pending |= UINT64_C(1) << w;
			sorted->words[w].lock = (uint16_t)number;
			sorted->rivals[w] = of_lock[bits->stamp[number] % (1u << STAMP_SHIFT)];
		}
		sorted->n_left[w]++;
		sorted->word_of[lane] = (uint8_t)w;
	}
}

void lock_bits_count_reads(const BankTable *table, Sorted *sorted)
{
	const uint32_t worst = table->path->most(&sorted->reads, table->n_banks);

	sorted->read_passes = (uint16_t)(worst >> 8);
	sorted->worst_read_bank = (uint8_t)worst;
}

/* Of lanes that are not chained: the banks of their words. */
static void find_banks(const BankTable *table, const Atomic *atomic, Sorted *sorted)
{
	memcpy(&sorted->reads, &bank_words_none, sizeof sorted->reads);
	for (LaneMask left = sorted->words_pending; left; left &= left - 1) {
		const uint32_t w = (uint32_t)__builtin_ctzll(left);

		sorted->words[w].bank = (uint8_t)table->bank_of[atomic->word[w]];
		bank_words_add(&sorted->reads, sorted->words[w].bank);
	}
}

void lock_bits_sort(LockBits *bits, AtomicUnit *unit, const Atomic *atomic, Sorted *sorted)
{
	sorted->chained = bits->parameters->winner == WINNER_LOWEST &&
			  chain_lanes(bits, unit->shared->table, atomic, sorted);
	if (!sorted->chained && !sort_lanes(bits, atomic, sorted))
		sort_aliased_lanes(bits, unit, atomic, sorted);
	if (!sorted->chained)
		find_banks(unit->shared->table, atomic, sorted);
	lock_bits_count_reads(unit->shared->table, sorted);
	sorted->was_sorted = sorted->words_pending != lanes_below(atomic->n_lanes);
}

static bool are_locks_in_banks(const LockMap *map, const BankTable *table, uint32_t n_banks)
{
	g_autofree uint8_t *bank = g_new(uint8_t, map->n_locks); /* + 1; 0: not known yet */

	if (map->modulo && table->modulo && map->n_locks % n_banks == 0)
		return true;
	memset(bank, 0, map->n_locks);
	for (uint32_t word = 0; word < table->n_words; word++) {
		uint8_t *known = &bank[map->lock_of[word]];

		if (*known && *known != table->bank_of[word] + 1)
			return false;
		*known = (uint8_t)(table->bank_of[word] + 1);
	}
	return true;
}

/* Whether no two words that are used share a lock. */
static bool has_word_each(const LockMap *map, uint32_t n_words)
{
	g_autofree bool *used = g_new0(bool, map->n_locks);

	for (uint32_t word = 0; word < n_words; word++) {
		if (used[map->lock_of[word]])
			return false;
		used[map->lock_of[word]] = true;
	}
	return true;
}

void lock_bits_init(LockBits *bits, const AtomicUnit *unit)
{
	const LockBitsParameters *p = unit->parameters->own[MECHANISM_lock_bits];
	const SharedParameters *shared = unit->shared->parameters;
	const BankTable *table = unit->shared->table;

	bits->parameters = p;
	bits->map = unit->lock_map;
	bits->free_at = g_new0(Cycle, bits->map->n_locks);
	bits->taken = g_new0(uint32_t, bits->map->n_locks);
	bits->stamp = g_new0(uint32_t, bits->map->n_locks);
	if (unit->shared->ideals->same_word)
		bits->n_holders = g_new0(uint32_t, bits->map->n_locks);
	lock_cam_init(bits, unit);
	bits->ports_bind = lock_ports_bind(bits, unit);
	lock_waits_init(bits, unit);
	bits->in_order = bits->map->modulo && table->modulo;
	bits->locks_in_banks = are_locks_in_banks(bits->map, table, shared->banks);
	/* A warp's own locks are free again when its UL is over. */
	bits->others_only = shared->pass_cycles + p->hold_cycles <=
				    lock_bits_ul_cycles(p, unit->issue_cycles) &&
			    has_word_each(bits->map, table->n_words);
}

void lock_bits_clear(LockBits *bits)
{
	for (uint32_t slot = 0; slot < MAX_WARP_SLOTS; slot++)
		g_free(bits->sorted[slot]);
	g_free(bits->free_at);
	g_free(bits->taken);
	g_free(bits->stamp);
	g_free(bits->n_holders);
	g_clear_pointer(&bits->waits, retry_waits_free);
	lock_cam_clear(bits);
}
