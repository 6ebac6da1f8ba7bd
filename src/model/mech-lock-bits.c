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
 * Assumed without a key: of two schedulers that issue in one cycle, the first reaches the load/store
 * unit first.
 * Not modelled: the high word of a 64-bit value, whose bank and lock are not looked at; Kepler's unlocking store that can itself fail; ownership (the hardware tracks none
 * either).
 */
#include "model/mechanism.h"

#include <glib.h>
#include <string.h>

enum { PHASE_LK, PHASE_OPERATION, PHASE_UL, PHASE_BRANCH };

/* Sorts the lanes by word. False if two words share a lock: then the result is of no use. */
static bool sort_lanes(AtomicUnit *unit, Atomic *atomic)
{
	const uint16_t *lock_of = unit->lock_map->lock_of;
	const uint32_t serial = atomic_next_serial(unit);
	uint32_t n_words = 0;
	bool aliased = false;

	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		uint32_t word = atomic->word[lane], number = lock_of[word];
		LockEntry *lock = &unit->locks[number];
		bool seen = lock->stamp >> STAMP_SHIFT == serial;
		uint32_t w = seen ? lock->stamp % (1u << STAMP_SHIFT) : n_words;

		lock->stamp = serial << STAMP_SHIFT | w;
		aliased |= seen && atomic->words[w] != word;
		atomic->words[w] = word;
		atomic->word_of[lane] = (uint8_t)w;
		atomic->rivals[w] = (seen ? atomic->rivals[w] : 0) | 1u << lane;
		atomic->n_left[w] = (uint8_t)((seen ? atomic->n_left[w] : 0) + 1);
		atomic->lock[w] = (uint16_t)number;
		n_words += !seen;
	}
	atomic->n_words = n_words;
	return !aliased;
}

/* The same where two words share a lock: the rivals of a word are the lanes of all of them. */
static void sort_aliased_lanes(AtomicUnit *unit, Atomic *atomic)
{
	const uint32_t serial = shared_next_serial(unit->shared);
	uint32_t *stamps = unit->shared->stamps;
	uint32_t lanes[TRACE_MAX_LANES] = {0}; /* of each word */
	uint32_t n_words = 0;

	memset(atomic->n_left, 0, sizeof atomic->n_left);
	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		uint32_t word = atomic->word[lane], w = stamps[word] % (1u << STAMP_SHIFT);

		if (stamps[word] >> STAMP_SHIFT != serial) {
			w = n_words++;
			stamps[word] = serial << STAMP_SHIFT | w;
			atomic->words[w] = word;
			atomic->lock[w] = unit->lock_map->lock_of[word];
		}
		lanes[w] |= 1u << lane;
		atomic->n_left[w]++;
		atomic->word_of[lane] = (uint8_t)w;
	}
	for (uint32_t w = 0; w < n_words; w++) {
		atomic->rivals[w] = 0;
		for (uint32_t v = 0; v < n_words; v++)
			atomic->rivals[w] |= atomic->lock[v] == atomic->lock[w] ? lanes[v] : 0;
	}
	atomic->n_words = n_words;
}

static void sort(AtomicUnit *unit, Atomic *atomic)
{
	atomic->aliased = !sort_lanes(unit, atomic);
	if (atomic->aliased)
		sort_aliased_lanes(unit, atomic);
	atomic->words_pending = UINT32_MAX >> (32 - atomic->n_words);
	atomic->was_sorted = atomic->n_words < atomic->n_lanes;
}

/*
 * The usual case: every lane has a lock of its own and finds it free, and every word is in a bank of
 * its own. One loop finds that out without a branch for a lane. False, and nothing is decided, if
 * it is not so.
 */
static bool take_all(AtomicUnit *unit, Atomic *atomic, Cycle start)
{
	const uint16_t *lock_of = unit->lock_map->lock_of;
	const uint16_t *bank_of = unit->shared->table->bank_of;
	const uint32_t n = atomic->n_lanes;
	const uint32_t stamp = atomic_next_serial(unit) << STAMP_SHIFT;
	LockEntry *locks = unit->locks;
	uint32_t conflict = 0;
	uint64_t banks = 0, shared_bank = 0;

	for (uint32_t lane = 0; lane < n; lane++) {
		uint32_t word = atomic->word[lane], number = lock_of[word];
		uint64_t bank = UINT64_C(1) << bank_of[word];

		atomic->lock[lane] = (uint16_t)number;
		conflict |= (locks[number].stamp == stamp) | (locks[number].free_at > start);
		locks[number].stamp = stamp;
		shared_bank |= banks & bank;
		banks |= bank;
	}
	if (conflict || shared_bank)
		return false;
	for (uint32_t lane = 0; lane < n; lane++) {
		locks[atomic->lock[lane]].free_at = LOCK_HELD;
		locks[atomic->lock[lane]].taken =
			atomic->word[lane] << LOCK_SLOT_BITS | atomic->warp;
	}
	memset(atomic->pass_of, 0, sizeof atomic->pass_of);
	atomic->words_pending = atomic->won = atomic->gone = atomic->winners = atomic->pending;
	atomic->n_failed = 0;
	atomic->read_passes = atomic->write_passes = 1;
	return true;
}

static void count_failures(AtomicUnit *unit, Atomic *atomic, uint64_t intra_position,
			   uint64_t intra_alias, uint64_t inter_position, uint64_t inter_alias)
{
	unit->counters->failures.intra_position += intra_position;
	unit->counters->failures.intra_alias += intra_alias;
	unit->counters->failures.inter_position += inter_position;
	unit->counters->failures.inter_alias += inter_alias;
	atomic->n_failed =
		(uint32_t)(intra_position + intra_alias + inter_position + inter_alias);
}

/*
 * Every pending lane tries its lock at cycle `start`: of each free lock, one of the lanes that try it
 * gets it, and the others fail, by what its holder wants. Finds the passes of LK, for all words that
 * were tried, and of UL, for those that won. One loop without a branch for a word: which locks are
 * free is what no processor can predict.
 */
static inline G_ALWAYS_INLINE void try_locks(AtomicUnit *unit, Atomic *atomic, Cycle start,
					     const bool simple)
{
	enum { ALIAS_SHIFT = 16, INTER_SHIFT = 32 };
	const uint32_t slot = atomic->warp, pending = atomic->pending;
	const uint16_t *bank_of = unit->shared->table->bank_of;
	LockEntry *locks = unit->locks;
	uint64_t *failures = unit->shared->failures;
	uint16_t in_bank[SHARED_MAX_BANKS] = {0}; /* won words << 8 | tried words */
	uint32_t worst_read = 0, worst_write = 0; /* words << 8 | bank: one maximum for both */
	uint32_t winners = 0, won = 0, gone = 0;
	uint64_t failed = 0; /* lanes by cause: four numbers of 16 bits */

	for (uint32_t left = atomic->words_pending; left; left &= left - 1) {
		uint32_t w = (uint32_t)__builtin_ctz(left), w_bit = left & -left;
		uint32_t word = atomic->words[w], number = atomic->lock[w],
			 bank = bank_of[word];
		uint32_t tried = atomic->rivals[w] & pending, lane_bit = tried & -tried;
		LockEntry *lock = &locks[number];
		uint32_t taken = lock->taken, mine = word << LOCK_SLOT_BITS | slot;
		/* Masks, all ones or nothing. */
		uint32_t free = -(uint32_t)(lock->free_at <= start), wins = free, alias, inter,
			 n;

		alias = ~free & -(uint32_t)(taken >> LOCK_SLOT_BITS != word);
		if (!simple) { /* the winner's word is another one if words share the lock */
			uint32_t lane = winner_pick(unit->parameters->winner, tried,
						    atomic->round, number, atomic->salt);

			lane_bit = 1u << lane;
			wins &= -(uint32_t)(atomic->word_of[lane] == w);
			alias |= free & ~wins;
		}
		inter = ~free & -(uint32_t)((taken ^ slot) % (1u << LOCK_SLOT_BITS) != 0);
		n = atomic->n_left[w] + wins;

		lock->free_at |= (Cycle)(int32_t)wins; /* LOCK_HELD is all ones */
		lock->taken = taken ^ ((taken ^ mine) & wins);
		atomic->n_left[w] = (uint8_t)n;
		winners |= lane_bit & wins;
		won |= w_bit & wins;
		gone |= w_bit & -(uint32_t)(n == 0);
		failures[word] += n;
		failed += (uint64_t)n << ((alias & ALIAS_SHIFT) + (inter & INTER_SHIFT));
		n = in_bank[bank] + (1 + (wins & 1 << 8));
		in_bank[bank] = (uint16_t)n;
		atomic->pass_of[w] = (uint8_t)((n >> 8) - 1); /* of UL, if it won */
		worst_read = MAX(worst_read, (n & 0xff) << 8 | bank);
		worst_write = MAX(worst_write, (n & 0xff00) | bank);
	}
	atomic->winners = winners;
	atomic->won = won;
	atomic->gone = gone;
	atomic->read_passes = worst_read >> 8;
	atomic->write_passes = worst_write >> 8;
	atomic->worst_read_bank = worst_read & 0xff;
	atomic->worst_write_bank = worst_write & 0xff;
	count_failures(unit, atomic, failed & 0xffff, failed >> ALIAS_SHIFT & 0xffff,
		       failed >> INTER_SHIFT & 0xffff, failed >> (INTER_SHIFT + ALIAS_SHIFT));
}

static void load_and_lock(AtomicUnit *unit, Atomic *atomic, Cycle now, Step *step)
{
	/* Known before its passes are: the unit serves in order. */
	Cycle start = shared_start(unit->shared, now);
	uint32_t passes;

	if (atomic->round == 0) {
		atomic_begin(unit, atomic);
		atomic->n_tried = atomic->n_lanes;
	}
	/* A warp's accesses are much alike: what the last one was decides what is tried first. */
	if (atomic->round > 0 || atomic->was_sorted || !take_all(unit, atomic, start)) {
		if (atomic->round == 0)
			sort(unit, atomic);
		if (!atomic->aliased && unit->parameters->winner == WINNER_LOWEST)
			try_locks(unit, atomic, start, true);
		else
			try_locks(unit, atomic, start, false);
	}
	if (unit->shared->parameters->conflict_free)
		atomic->read_passes = atomic->write_passes = 1;
	passes = atomic->read_passes;
	shared_access(unit->shared, now, passes, atomic->worst_read_bank);
	step->name = "LK";
	step->start = start;
	step->passes = passes;
	step->failed = atomic->n_failed;
	step->bank_cycles = unit->shared->bank_cycles;
	step->ready = start + unit->parameters->lk_cycles + step->bank_cycles;
	unit->counters->rounds++;
	unit->counters->attempts += atomic->n_tried;
	unit->counters->retries += atomic->n_failed; /* each lane that failed tries again */
	unit->counters->successes += atomic->n_tried - atomic->n_failed;
	atomic->n_tried = atomic->n_failed;
}

static void store_and_unlock(AtomicUnit *unit, Atomic *atomic, Cycle now, Step *step)
{
	const AtomicParameters *p = unit->parameters;
	const SharedParameters *shared = unit->shared->parameters;
	uint32_t passes = atomic->write_passes;
	Cycle unlocked; /* after the word's pass */

	step->start = shared_access(unit->shared, now, passes, atomic->worst_write_bank);
	step->passes = passes;
	step->bank_cycles = unit->shared->bank_cycles;
	/* The branch that follows takes its issue slot out of t_base. */
	step->ready = step->start + step->bank_cycles + atomic_ul_cycles(unit);
	step->winners = atomic->winners;
	unlocked = shared->pass_cycles + p->hold_cycles;
	for (uint32_t left = atomic->won; left; left &= left - 1) {
		uint32_t w = (uint32_t)__builtin_ctz(left);

		unit->locks[atomic->lock[w]].free_at =
			unit->shared->pass_at[atomic->pass_of[w]] + unlocked;
	}
	atomic->pending &= ~atomic->winners;
	atomic->words_pending &= ~atomic->gone;
}

static void step(AtomicUnit *unit, Atomic *atomic, Cycle now, Step *step)
{
	const AtomicParameters *p = unit->parameters;

	*step = (Step){
		.start = now, .ready = now + unit->issue_cycles, .retry = atomic->round > 0};
	switch (atomic->phase++) {
	case PHASE_LK:
		load_and_lock(unit, atomic, now, step);
		return;
	case PHASE_OPERATION:
		step->name = "OP";
		if (atomic->winners)
			step->ready = now + p->operation_cycles;
		return;
	case PHASE_UL:
		step->name = "UL";
		if (atomic->winners)
			store_and_unlock(unit, atomic, now, step);
		return;
	default:
		step->name = "BRA";
		atomic->round++;
		atomic->phase = PHASE_LK;
		step->done = !atomic->pending;
		if (step->done) {
			atomic_end(unit, atomic);
			return;
		}
		step->ready += p->t_position_cycles - p->t_base_cycles;
		step->retry = true;
	}
}

const Mechanism mechanism_lock_bits = {
	.name = "lock-bits",
	.summary =
		"Fermi: load-and-lock, store-and-unlock, retried until every lane had its turn",
	.uncontended = &mechanism_uncontended,
	.step = step,
};
