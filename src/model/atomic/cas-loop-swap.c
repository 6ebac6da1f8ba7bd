/* SPDX-License-Identifier: MIT */
/*
 * Mechanism `cas-loop`: the swap, who succeeds in it, and whom the others met.
 */
#include "model/atomic/cas-loop.h"

#include <glib.h>

#define SWAP_REGISTERS	    3 /* address, the word as it was and as it shall be */
#define WIDE_SWAP_REGISTERS 5

/* With ideals: whether the swap keeps a lane waiting for those that it lets through. */
static bool has_to_wait(const AtomicUnit *unit, const Atomic *atomic, uint32_t lane,
			LaneMask let_through)
{
	const Ideals *ideals = unit->shared->ideals;
	const uint32_t bank = cas_loop_bank_of(unit, atomic, lane);

	for (LaneMask left = let_through; left; left &= left - 1) {
		const uint32_t other = (uint32_t)__builtin_ctzll(left);
		const bool same = atomic->word[other] == atomic->word[lane];

		if (same && (!ideals->same_word || atomic->tries_lock))
			return true;
		if (!same && !ideals->bank_conflicts &&
		    cas_loop_bank_of(unit, atomic, other) == bank)
			return true;
	}
	return false;
}

/* The lanes that the banks let through: one of each, the lowest. */
static LaneMask through_banks(const AtomicUnit *unit, const Atomic *atomic, LaneMask lanes)
{
	const Ideals *ideals = unit->shared->ideals;
	const bool ideal = ideals->bank_conflicts | ideals->same_word;
	uint64_t banks = 0;
	LaneMask through = 0;

	for (LaneMask left = lanes; left; left &= left - 1) {
		const uint32_t lane = (uint32_t)__builtin_ctzll(left);
		const uint64_t bank = UINT64_C(1) << cas_loop_bank_of(unit, atomic, lane);

		if (G_UNLIKELY(ideal) ? !has_to_wait(unit, atomic, lane, through)
				      : !(banks & bank))
			through |= left & -left;
		banks |= bank;
	}
	return through;
}

/* Whether another warp, or the first half of this one, has written the word since it was read. */
static bool is_written(const CasLoop *cas, const AtomicUnit *unit, const Atomic *atomic,
		       const CasLoopWarp *loop, uint32_t word)
{
	return cas->written_at[word] > loop->read_at &&
	       (!unit->shared->ideals->same_word || atomic->tries_lock);
}

/* In the order of another run: the winners that it had, too, or, where no contention is ideal, alone. */
static LaneMask as_there(const AtomicUnit *unit, LaneMask winners, LaneMask lanes)
{
	const Ideals *ideals = unit->shared->ideals;

	if (!(ideals->bank_conflicts | ideals->same_word))
		winners = 0;
	return winners | (*unit->swapped & lanes);
}

/* The lanes of `lanes` that the banks let through, and of them those that find their word as they
   read it: they write it at `at`. */
static LaneMask winners_of(CasLoop *cas, AtomicUnit *unit, const Atomic *atomic,
			   const CasLoopWarp *loop, LaneMask lanes, Cycle at,
			   LaneMask *let_through)
{
	const LaneMask through = through_banks(unit, atomic, lanes);
	LaneMask winners = 0;

	*let_through |= through;
	for (LaneMask left = through; left; left &= left - 1)
		if (!is_written(cas, unit, atomic, loop, atomic->word[__builtin_ctzll(left)]))
			winners |= left & -left;
	if (G_UNLIKELY(unit->swapped != NULL))
		winners = as_there(unit, winners, lanes);
	for (LaneMask left = winners & ~atomic->same; left; left &= left - 1) {
		Cycle *written_at = &cas->written_at[atomic->word[__builtin_ctzll(left)]];

		*written_at = MAX(*written_at, at);
	}
	return winners;
}

/* A failed lane met another warp's write, or a winner of its own warp: on its word or its bank. */
static void count_failures(const CasLoop *cas, AtomicUnit *unit, const Atomic *atomic,
			   const CasLoopWarp *loop, LaneMask let_through)
{
	for (LaneMask left = loop->tries & ~loop->winners; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left), word = atomic->word[lane];
		bool own_word = false;

		for (LaneMask won = loop->winners; won; won &= won - 1)
			own_word |= atomic->word[__builtin_ctzll(won)] == word;
		unit->shared->failures[word]++;
		if (own_word)
			unit->counters->failures.intra_position++;
		else if (is_written(cas, unit, atomic, loop, word) ||
			 (unit->swapped && let_through >> lane & 1))
			unit->counters->failures.inter_position++;
		else if (!(let_through >> lane & 1))
			unit->counters->failures.intra_alias++;
		else
			g_assert_not_reached();
	}
}

static void count_swap(const CasLoop *cas, AtomicUnit *unit, const Atomic *atomic,
		       const CasLoopWarp *loop, LaneMask let_through, Step *step)
{
	const uint32_t n_tried = (uint32_t)__builtin_popcountll(loop->tries);

	step->winners = loop->winners;
	step->failed = n_tried - (uint32_t)__builtin_popcountll(loop->winners);
	if (step->failed)
		count_failures(cas, unit, atomic, loop, let_through);
	unit->counters->attempts += n_tried;
	unit->counters->retries += step->failed;
	unit->counters->successes += n_tried - step->failed;
}

static void swap(CasLoop *cas, AtomicUnit *unit, const Atomic *atomic, CasLoopWarp *loop,
		 Cycle now, Step *step)
{
	const CasLoopParameters *p = cas->parameters;
	uint32_t n_groups = 0, write_cycles = p->write_cycles;
	LaneMask let_through = 0;
	SharedPasses passes;

	for (uint32_t g = 0; cas_loop_is_wide(atomic) && g < CAS_LOOP_N_GROUPS; g++)
		n_groups += cas_loop_group(loop->tries, g) != 0;
	step->name = "CAS";
	step->passes = MAX(n_groups, 1);
	/* The half warps go one after the other: each is an access, as an H200's counter has it (wide-accesses.csv). */
	passes = (SharedPasses){.n_groups = step->passes,
				.passes = step->passes,
				.registers = cas_loop_is_wide(atomic) ? WIDE_SWAP_REGISTERS
								      : SWAP_REGISTERS,
				.keeps_port = true,
				.worst_bank = loop->worst_bank};
	for (uint32_t g = 0; g < step->passes; g++)
		passes.group_passes[g] = 1;
	step->start = shared_access_groups_slow(unit->shared, now, &passes, p->cas_passes);
	loop->winners = 0;
	if (cas_loop_is_wide(atomic))
		write_cycles += (WIDE_SWAP_REGISTERS - SWAP_REGISTERS) *
				unit->shared->parameters->scheduler_port_register_cycles;
	if (!cas_loop_is_wide(atomic))
		loop->winners = winners_of(cas, unit, atomic, loop, loop->tries,
					   step->start + write_cycles, &let_through);
	else
		for (uint32_t g = 0; g < CAS_LOOP_N_GROUPS; g++)
			loop->winners |= winners_of(cas, unit, atomic, loop,
						    cas_loop_group(loop->tries, g),
						    step->start + write_cycles, &let_through);
	if (cas_loop_reserves(cas))
		cas_loop_free_words(cas, unit, atomic, loop, step->start + write_cycles);
	count_swap(cas, unit, atomic, loop, let_through, step);
	step->ready =
		step->start + p->cas_cycles + (n_groups > 1 ? p->both_halves_64bit_cycles : 0);
}

/* Lanes for which this one has to wait its turn: ATOMS.CAS takes the lanes of a bank one after the other, of one word, too. */
static uint32_t turns_before(const AtomicUnit *unit, const Atomic *atomic, LaneMask lanes,
			     uint32_t lane)
{
	const Ideals *ideals = unit->shared->ideals;
	const uint32_t bank = cas_loop_bank_of(unit, atomic, lane);
	uint32_t n = 0;

	for (LaneMask left = lanes & (((LaneMask)1 << lane) - 1); left; left &= left - 1) {
		const uint32_t other = (uint32_t)__builtin_ctzll(left);
		const bool same = atomic->word[other] == atomic->word[lane];

		n += cas_loop_bank_of(unit, atomic, other) == bank &&
		     !(same ? ideals->same_word && !atomic->tries_lock
			    : ideals->bank_conflicts);
	}
	return n;
}

/* Turns of the worst bank. */
static uint32_t turns_of(const AtomicUnit *unit, const Atomic *atomic, LaneMask lanes,
			 uint32_t *worst_bank)
{
	uint32_t most = 0;

	for (LaneMask left = lanes; left; left &= left - 1) {
		const uint32_t lane = (uint32_t)__builtin_ctzll(left);
		const uint32_t turns = 1 + turns_before(unit, atomic, lanes, lane);

		if (turns > most)
			*worst_bank = unit->shared->table->bank_of[atomic->word[lane]];
		most = MAX(most, turns);
	}
	return most;
}

/* Of each word the first lane, if nobody has written the word since it was seen; they write it at `at`. */
static LaneMask update_winners(CasLoop *cas, const AtomicUnit *unit, const Atomic *atomic,
			       const CasLoopWarp *loop, Cycle at)
{
	LaneMask winners = 0;

	for (LaneMask left = loop->tries; left; left &= left - 1) {
		Cycle *written_at = &cas->written_at[atomic->word[__builtin_ctzll(left)]];

		if (is_written(cas, unit, atomic, loop, atomic->word[__builtin_ctzll(left)]))
			continue;
		winners |= left & -left;
		*written_at = MAX(*written_at, at);
	}
	return G_UNLIKELY(unit->swapped != NULL) ? as_there(unit, winners, loop->tries)
						 : winners;
}

static void swap_update(CasLoop *cas, AtomicUnit *unit, const Atomic *atomic, CasLoopWarp *loop,
			Cycle now, Step *step)
{
	const CasLoopParameters *p = cas->parameters;
	const bool wide = cas_loop_is_wide(atomic);
	uint32_t worst_bank = loop->worst_bank, passes = 0;

	for (uint32_t g = 0; g < (wide ? CAS_LOOP_N_GROUPS : 1); g++)
		passes += turns_of(unit, atomic,
				   wide ? cas_loop_group(loop->tries, g) : loop->tries,
				   &worst_bank);
	step->name = "CAS";
	step->passes = passes;
	step->start = shared_access_slow(unit->shared, now, passes, worst_bank, p->cas_passes,
					 wide ? WIDE_SWAP_REGISTERS : SWAP_REGISTERS);
	step->bank_cycles = unit->shared->bank_cycles;
	loop->winners = update_winners(cas, unit, atomic, loop, step->start);
	count_swap(cas, unit, atomic, loop, loop->tries, step);
	loop->read_at = step->start;
	step->ready = step->start + step->bank_cycles + p->cas_cycles;
}

void cas_loop_swap(CasLoop *cas, AtomicUnit *unit, const Atomic *atomic, CasLoopWarp *loop,
		   Cycle now, Step *step)
{
	if (cas_loop_has_loaded(cas, atomic))
		swap_update(cas, unit, atomic, loop, now, step);
	else
		swap(cas, unit, atomic, loop, now, step);
}
