/* SPDX-License-Identifier: MIT */
/*
 * Mechanism `lock-bits`: passes of an LK or UL where the lock array has a number of ports (key ports).
 *
 * Row i of the array lies beside bank i modulo the number of banks. A pass of LK or UL serves as many different locks of such a lock bank
 * as it has ports. With a lock bit beside its word, as Fermi's hash has it, one port is never short. A CAM's parts are searched for as many
 * words in a pass: one part for all words, or one beside each bank, of which one port is never short.
 */
#include <glib.h>
#include <string.h>

#include "model/atomic/lock-bits-tries.h"

static bool has_lock(const LockBits *bits, const Atomic *atomic, LaneMask lanes, uint32_t lock)
{
	while (lanes &&
	       lock_bits_lock_of(bits, atomic, (uint32_t)__builtin_ctzll(lanes)) != lock)
		lanes &= lanes - 1;
	return lanes != 0;
}

/* The first of the lanes that wants what this lane wants. */
static uint32_t first_of_word(const Atomic *atomic, LaneMask lanes, uint32_t lane)
{
	while (lanes && atomic->word[__builtin_ctzll(lanes)] != atomic->word[lane])
		lanes &= lanes - 1;
	return lanes ? (uint32_t)__builtin_ctzll(lanes) : atomic->n_lanes;
}

uint32_t lock_ports_count_passes(const LockBits *bits, const AtomicUnit *unit,
				 const Atomic *atomic, Sorted *sorted, LaneMask lanes,
				 uint8_t *worst_bank)
{
	const uint32_t ports = bits->parameters->ports, n_banks = unit->shared->table->n_banks;
	uint8_t words[SHARED_MAX_BANKS] = {0}, locks[SHARED_MAX_BANKS] = {0};
	LaneMask counted = 0; /* a lane of each lock */
	uint32_t most = 0;    /* passes << 8 | bank */

	for (uint32_t i = 0; i < atomic->n_lanes; i++) {
		const uint32_t lane = first_of_word(atomic, lanes, i);
		uint32_t lock, bank, part, pass;

		if (lane == atomic->n_lanes || first_of_word(atomic, UINT64_MAX, i) != i)
			continue;
		lock = lock_bits_lock_of(bits, atomic, lane);
		bank = unit->shared->table->bank_of[atomic->word[lane]];
		part = lock_bits_part(bits->parameters->table, lock, bank, n_banks);
		if (!has_lock(bits, atomic, counted, lock))
			locks[part]++;
		counted |= UINT64_C(1) << lane;
		pass = words[bank]++;
		if (ports > 0)
			pass = MAX(pass, (locks[part] - 1u) / ports);
		sorted->words[lane] =
			(WantedWord){(uint16_t)lock, (uint8_t)bank, (uint8_t)pass};
		/* Of two the one of the higher number, as in Fermi's own way. */
		most = MAX(most, (pass + 1) << 8 | (pass + 1 > words[bank] ? part : bank));
	}
	*worst_bank = (uint8_t)most;
	return most >> 8;
}

bool lock_ports_bind(const LockBits *bits, const AtomicUnit *unit)
{
	const BankTable *table = unit->shared->table;
	uint16_t bank_of[SHARED_MAX_BANKS];

	/* With as many parts as locks, each has one lock. */
	if (bits->parameters->ports == 0 ||
	    (!bits->cam && bits->map->n_locks <= table->n_banks))
		return false;
	memset(bank_of, 0xff, sizeof bank_of);
	/* If a part has the locks of one bank's words alone, each pass of the bank asks it for one. */
	for (uint32_t word = 0; word < table->n_words; word++) {
		const uint16_t bank = table->bank_of[word];
		const uint32_t part =
			lock_bits_part(bits->parameters->table, bits->map->lock_of[word], bank,
				       table->n_banks);

		if (bank_of[part] != UINT16_MAX && bank_of[part] != bank)
			return true;
		bank_of[part] = bank;
	}
	return false;
}
