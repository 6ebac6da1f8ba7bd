/* SPDX-License-Identifier: MIT */
/*
 * Mechanism `lock-bits`: Fermi's loop of load-and-lock and store-and-unlock.
 *
 *	loop:	LDSLK	P, R, [A]	LK: read the word and try its lock bit
 *		@P op	R, R, v		the operation, lanes that won only
 *		@P STSUL [A], R		UL: store and clear the lock bit
 *		@!P BRA	loop		lanes that lost go back
 *
 * Modelled, and from where:
 * - The loop is one predicated block in lock step: winners store and unlock before losers branch
 *   back, so no divergence deadlock (Mesa nouveau's lowering; Fig 1 of Gomez-Luna et al., TPDS
 *   2013, here "the paper").
 * - LK reads the word of every lane that tries and, in parallel, tries its lock (US 8,055,856).
 *   So its bank passes are those of all lanes that try; UL's those of the winners (the paper,
 *   Algorithm 1).
 * - A free lock goes to one lane; the other lanes that map to it fail, of the same word or not
 *   (position conflict, alias).
 * - Latency of one warp: t_base for a first round, t_position for each later one, t_bank for each
 *   further pass of LK and UL (Algorithm 1). The three sum to exactly that for a lone warp.
 * - Between warps: a lock set by another warp's LK fails until its UL has passed the banks.
 * Assumed, because nothing published says it (each a key):
 * - how t_base splits into LK (lk_cycles), operation (operation_cycles) and UL with its branch
 *   (the rest); who wins (winner); how long a lock stays set after its UL (hold_cycles);
 * - a round that nobody won takes LK's latency, one issue slot for each of the predicated-off
 *   operation and UL, and the branch back.
 * Not modelled: Kepler's unlocking store that can itself fail; ownership (the hardware tracks none
 * either).
 */
#include "model/mechanism.h"

#include <glib.h>

enum { PHASE_LK, PHASE_OPERATION, PHASE_UL, PHASE_BRANCH };

/* Sorts the lanes by word and by lock: what no round changes. */
static void group_lanes(AtomicUnit *unit, Atomic *atomic)
{
	uint32_t serial = shared_next_serial(unit->shared);
	WordEntry *words = unit->shared->words;
	const uint16_t *bank_of = unit->shared->table->bank_of;
	const uint16_t *lock_of = unit->lock_map->lock_of;
	uint32_t n_words = 0, n_locks = 0;

	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		uint32_t word = atomic->word[lane], bit = 1u << lane;
		WordEntry *entry = &words[word];
		LockEntry *lock;

		entry->lane_operations++;
		if (entry->stamp == serial) {
			uint32_t w = entry->group;

			atomic->word_of[lane] = (uint8_t)w;
			atomic->word_lanes[w] |= bit;
			atomic->lock_lanes[atomic->lock_of[w]] |= bit;
			continue;
		}
		entry->stamp = serial;
		entry->group = n_words;
		atomic->word_of[lane] = (uint8_t)n_words;
		atomic->word_lanes[n_words] = bit;
		atomic->bank_of[n_words] = (uint8_t)bank_of[word];
		lock = &unit->locks[lock_of[word]];
		if (lock->stamp != serial) {
			lock->stamp = serial;
			lock->group = (uint8_t)n_locks;
			atomic->lock[n_locks] = lock_of[word];
			atomic->lock_lanes[n_locks] = bit;
			n_locks++;
		} else {
			atomic->lock_lanes[lock->group] |= bit;
		}
		atomic->lock_of[n_words] = lock->group;
		n_words++;
	}
	atomic->n_words = n_words;
	atomic->n_locks = n_locks;
	atomic->words_pending = UINT32_MAX >> (32 - n_words);
	atomic->locks_pending = UINT32_MAX >> (32 - n_locks);
}

/* Passes of an access to the given words of the atomic: all different, so a count of banks. */
static uint32_t passes_of(const AtomicUnit *unit, Atomic *atomic, uint32_t words)
{
	uint8_t in_bank[SHARED_MAX_BANKS] = {0};
	uint32_t degree = 0;

	if (unit->shared->parameters->conflict_free)
		return 1;
	for (; words; words &= words - 1) {
		uint32_t bank = atomic->bank_of[__builtin_ctz(words)];

		if (++in_bank[bank] > degree) {
			degree = in_bank[bank];
			atomic->worst_bank = bank;
		}
	}
	return degree;
}

/* Counts the lanes of `failed` that lost lock `entry`, by what its holder wants. */
static void count_failures(AtomicUnit *unit, const Atomic *atomic, LockEntry *entry,
			   uint32_t failed)
{
	uint32_t n = (uint32_t)__builtin_popcount(failed), n_position = 0;

	for (uint32_t left = failed; left;) {
		uint32_t lane = (uint32_t)__builtin_ctz(left);
		uint32_t same = failed & atomic->word_lanes[atomic->word_of[lane]];
		uint32_t n_same = (uint32_t)__builtin_popcount(same);

		unit->shared->words[atomic->word[lane]].failures += n_same;
		if (atomic->word[lane] == entry->word)
			n_position = n_same;
		left &= ~same;
	}
	entry->failures += n;
	if (entry->holder == atomic->warp) {
		unit->counters.failures.intra_position += n_position;
		unit->counters.failures.intra_alias += n - n_position;
	} else {
		unit->counters.failures.inter_position += n_position;
		unit->counters.failures.inter_alias += n - n_position;
	}
}

/* Every pending lane tries its lock at cycle `start`. Returns the words of the winners. */
static uint32_t try_locks(AtomicUnit *unit, Atomic *atomic, Cycle start)
{
	uint32_t won_words = 0;

	atomic->winners = 0;
	atomic->won = 0;
	for (uint32_t left = atomic->locks_pending; left; left &= left - 1) {
		uint32_t l = (uint32_t)__builtin_ctz(left);
		uint32_t tried = atomic->lock_lanes[l] & atomic->pending;
		LockEntry *entry = &unit->locks[atomic->lock[l]];

		if (entry->free_at <= start) {
			uint32_t lane =
				winner_pick(unit->parameters->winner, tried, atomic->round,
					    atomic->lock[l], atomic->salt);

			entry->free_at = LOCK_HELD;
			entry->word = atomic->word[lane];
			entry->holder = atomic->warp;
			atomic->winners |= 1u << lane;
			atomic->won |= 1u << l;
			won_words |= 1u << atomic->word_of[lane];
			tried &= ~(1u << lane);
		}
		if (tried)
			count_failures(unit, atomic, entry, tried);
	}
	return won_words;
}

static void load_and_lock(AtomicUnit *unit, Atomic *atomic, Cycle now, Step *step)
{
	uint32_t n_tried, passes, won_words;

	if (atomic->round == 0) {
		atomic_begin(unit, atomic);
		group_lanes(unit, atomic);
	}
	passes = atomic->round && atomic->read_passes == 1
			 ? 1 /* fewer words than before cannot conflict more */
			 : passes_of(unit, atomic, atomic->words_pending);
	atomic->read_passes = passes;
	step->name = "LK";
	step->start = shared_access(unit->shared, now, passes, atomic->worst_bank);
	step->passes = passes;
	step->bank_cycles = (passes - 1) * unit->shared->parameters->t_bank_cycles;
	step->ready = step->start + unit->parameters->lk_cycles + step->bank_cycles;

	n_tried = (uint32_t)__builtin_popcount(atomic->pending);
	won_words = try_locks(unit, atomic, step->start);
	atomic->write_passes = passes == 1 ? 1 : passes_of(unit, atomic, won_words);
	step->failed = n_tried - (uint32_t)__builtin_popcount(atomic->winners);
	unit->counters.rounds++;
	unit->counters.attempts += n_tried;
	unit->counters.retries += atomic->round ? n_tried : 0;
	unit->counters.successes += n_tried - step->failed;
}

static void store_and_unlock(AtomicUnit *unit, Atomic *atomic, Cycle now, Step *step)
{
	const AtomicParameters *p = unit->parameters;
	const SharedParameters *shared = unit->shared->parameters;
	uint32_t passes = atomic->write_passes;
	Cycle unlocked;

	step->start = shared_access(unit->shared, now, passes, atomic->worst_bank);
	step->passes = passes;
	step->bank_cycles = (passes - 1) * shared->t_bank_cycles;
	/* The branch that follows takes its issue slot out of t_base. */
	step->ready = step->start + step->bank_cycles + p->t_base_cycles - p->lk_cycles -
		      p->operation_cycles - unit->issue_cycles;
	unlocked = step->start + (Cycle)passes * shared->pass_cycles + p->hold_cycles;

	for (uint32_t left = atomic->won; left; left &= left - 1)
		unit->locks[atomic->lock[__builtin_ctz(left)]].free_at = unlocked;
	atomic->pending &= ~atomic->winners;
	step->winners = atomic->winners;
	if (!atomic->pending)
		return;
	for (uint32_t left = atomic->winners; left; left &= left - 1) {
		uint32_t word = atomic->word_of[__builtin_ctz(left)];
		uint32_t lock = atomic->lock_of[word];

		if (!(atomic->word_lanes[word] & atomic->pending))
			atomic->words_pending &= ~(1u << word);
		if (!(atomic->lock_lanes[lock] & atomic->pending))
			atomic->locks_pending &= ~(1u << lock);
	}
}

static void step(AtomicUnit *unit, Atomic *atomic, Cycle now, Step *step)
{
	const AtomicParameters *p = unit->parameters;

	*step = (Step){
		.start = now, .ready = now + unit->issue_cycles, .retry = atomic->round > 0};
	switch (atomic->phase) {
	case PHASE_LK:
		load_and_lock(unit, atomic, now, step);
		atomic->phase = PHASE_OPERATION;
		break;
	case PHASE_OPERATION:
		step->name = "OP";
		if (atomic->winners)
			step->ready = now + p->operation_cycles;
		atomic->phase = PHASE_UL;
		break;
	case PHASE_UL:
		step->name = "UL";
		if (atomic->winners)
			store_and_unlock(unit, atomic, now, step);
		atomic->phase = PHASE_BRANCH;
		break;
	default:
		step->name = "BRA";
		atomic->round++;
		atomic->phase = PHASE_LK;
		if (atomic->pending) {
			step->ready += p->t_position_cycles - p->t_base_cycles;
			step->retry = true;
		} else {
			step->done = true;
			atomic_end(unit, atomic);
		}
	}
}

const Mechanism mechanism_lock_bits = {
	.name = "lock-bits",
	.summary =
		"Fermi: load-and-lock, store-and-unlock, retried until every lane had its turn",
	.step = step,
};
