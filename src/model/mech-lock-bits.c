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
#include "model/lock-bits.h"

#include <glib.h>
#include <string.h>

#include "model/algorithm1.h"
#include "model/scheduler.h"

enum { PHASE_LK, PHASE_OPERATION, PHASE_UL, PHASE_BRANCH };

#define LOCK_HELD UINT64_MAX /* free_at of a lock that is set and whose unlock was not issued */

#define LOCK_SLOT_BITS 6 /* of 64 warp slots; 26 bits are left for a word */

/* A warp's atomic: its lanes sorted by word. The different words are numbered in the order of their
   first lane. */
typedef struct {
	bool was_sorted; /* the warp's last atomic had lanes that share a word */
	bool aliased;	 /* two of the words share a lock */
	bool run; /* the words are consecutive, the locks from lock[0] on, and all were won */
	LaneMask winners;	    /* lanes that hold their lock in this round */
	uint32_t n_tried, n_failed; /* lanes that try in this round, those in vain */
	LaneMask won;		    /* words of the winners */
	LaneMask gone;		    /* words of the winners that no other lane waits for */
	uint32_t read_passes, write_passes;
	uint32_t worst_read_bank, worst_write_bank;
	LaneMask read_words; /* those that read_passes are of; 0: other ones */
	uint32_t n_words;
	LaneMask words_pending;	    /* words with a lane still to do */
	uint32_t words[MAX_LANES];  /* index */
	LaneMask rivals[MAX_LANES]; /* lanes that try its lock */
	uint16_t lock[MAX_LANES];   /* number of its lock */
	uint8_t bank[MAX_LANES];    /* its bank */
	uint8_t n_left[MAX_LANES];  /* its lanes still to do */
	uint8_t pass_of[MAX_LANES]; /* the pass of UL that stores it: 0 .. */
	uint8_t word_of[MAX_LANES]; /* lane -> word */
} Sorted;

/* An SM's lock bits. */
typedef struct {
	const LockBitsParameters *parameters;
	const LockMap *map;
	/* The bits of the table, map->n_locks of each. The hardware does not know whose a lock is; the
	   holder kept here serves the statistics and the report of a livelock only. */
	Cycle *free_at;	 /* free to an attempt at this cycle or later */
	uint32_t *taken; /* when it was last taken: word << LOCK_SLOT_BITS | slot of the warp */
	uint32_t
		*stamp; /* serial of the last atomic that tried it, as in SharedMemory.stamps */
	bool locks_in_banks; /* all words of a lock are in one bank */
	bool in_order; /* consecutive words have consecutive locks and banks, around the end */
	uint32_t serial; /* of the atomic whose lanes are being sorted, as in SharedMemory */
	Sorted *sorted[MAX_WARP_SLOTS]; /* NULL: no warp of this slot has had an atomic */
} LockBits;

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

/* A small number for each bank. Cleared by vectors: a compiler's `rep stos` takes longer than the rest of
   a round. */
typedef uint64_t Vector __attribute__((vector_size(16)));
typedef union {
	uint16_t of[SHARED_MAX_BANKS];
	Vector vectors[SHARED_MAX_BANKS * 2 / sizeof(Vector)];
} BankCounts;

static inline void clear_banks(BankCounts *counts)
{
#pragma GCC unroll 8
	for (size_t i = 0; i < G_N_ELEMENTS(counts->vectors); i++)
		counts->vectors[i] = (Vector){0};
}

/* Sorts the lanes by word. False if two words share a lock: then they are sorted by lock, rivals[] has the
   lanes of each lock, and the stamps of the locks say which one that is. */
static bool sort_lanes(LockBits *bits, const Atomic *atomic, Sorted *sorted)
{
	const uint16_t *lock_of = bits->map->lock_of;
	const uint32_t serial = next_serial(bits);
	uint32_t n_words = 0;
	bool aliased = false;

	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		uint32_t word = atomic->word[lane], number = lock_of[word];
		uint32_t *stamp = &bits->stamp[number];
		bool seen = *stamp >> STAMP_SHIFT == serial;
		uint32_t w = seen ? *stamp % (1u << STAMP_SHIFT) : n_words;

		*stamp = serial << STAMP_SHIFT | w;
		aliased |= seen && sorted->words[w] != word;
		sorted->words[w] = word;
		sorted->word_of[lane] = (uint8_t)w;
		sorted->rivals[w] = (seen ? sorted->rivals[w] : 0) | UINT64_C(1) << lane;
		sorted->n_left[w] = (uint8_t)((seen ? sorted->n_left[w] : 0) + 1);
		sorted->lock[w] = (uint16_t)number;
		n_words += !seen;
	}
	sorted->n_words = n_words;
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
	uint32_t n_words = 0;

	memcpy(of_lock, sorted->rivals, sizeof of_lock);
	memset(sorted->n_left, 0, sizeof sorted->n_left);
	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		uint32_t word = atomic->word[lane], w = stamps[word] % (1u << STAMP_SHIFT);

		if (stamps[word] >> STAMP_SHIFT != serial) {
			const uint32_t number = bits->map->lock_of[word];

			w = n_words++;
			stamps[word] = serial << STAMP_SHIFT | w;
			sorted->words[w] = word;
			sorted->lock[w] = (uint16_t)number;
			sorted->rivals[w] = of_lock[bits->stamp[number] % (1u << STAMP_SHIFT)];
		}
		sorted->n_left[w]++;
		sorted->word_of[lane] = (uint8_t)w;
	}
	sorted->n_words = n_words;
}

static void sort(LockBits *bits, AtomicUnit *unit, const Atomic *atomic, Sorted *sorted)
{
	sorted->aliased = !sort_lanes(bits, atomic, sorted);
	if (sorted->aliased)
		sort_aliased_lanes(bits, unit, atomic, sorted);
	for (uint32_t w = 0; w < sorted->n_words; w++)
		sorted->bank[w] = (uint8_t)unit->shared->table->bank_of[sorted->words[w]];
	sorted->read_words = 0;
	sorted->words_pending = lanes_below(sorted->n_words);
	sorted->was_sorted = sorted->n_words < atomic->n_lanes;
}

static void win_all(const Atomic *atomic, Sorted *sorted)
{
	sorted->words_pending = sorted->won = sorted->gone = sorted->winners = atomic->pending;
	sorted->n_failed = 0;
	sorted->read_words = 0;
	sorted->read_passes = sorted->write_passes = 1;
}

/* The commonest case: consecutive words whose locks, consecutive as well, are all free. False, and
   nothing is decided, if it is not so. */
static bool take_run(LockBits *bits, const AtomicUnit *unit, const Atomic *atomic,
		     Sorted *sorted, Cycle start)
{
	const uint32_t n = atomic->n_lanes, first = atomic->word[0];
	const uint32_t number = bits->map->lock_of[first];

	if (!bits->in_order || n > unit->shared->parameters->banks ||
	    number + n > bits->map->n_locks ||
	    !unit->shared->table->path->take_run(atomic->word, n, &bits->free_at[number],
						 &bits->taken[number], start, LOCK_SLOT_BITS,
						 atomic->slot))
		return false;
	sorted->lock[0] = (uint16_t)number;
	sorted->run = true;
	win_all(atomic, sorted);
	return true;
}

/*
 * The usual case: every lane has a bank of its own, so a word and, where no two banks share a lock, a
 * lock of its own; and finds it free. One loop finds that out without a branch for a lane. False, and
 * nothing is decided, if it is not so.
 */
static bool take_all(LockBits *bits, const AtomicUnit *unit, const Atomic *atomic,
		     Sorted *sorted, Cycle start)
{
	const uint16_t *lock_of = bits->map->lock_of;
	const uint16_t *bank_of = unit->shared->table->bank_of;
	const uint32_t n = atomic->n_lanes;
	const Cycle *free_at = bits->free_at;
	uint32_t taken = 0;
	uint64_t banks = 0;

	if (!bits->locks_in_banks)
		return false;
	for (uint32_t lane = 0; lane < n; lane++) {
		uint32_t word = atomic->word[lane], number = lock_of[word];

		sorted->lock[lane] = (uint16_t)number;
		taken |= free_at[number] > start;
		banks |= UINT64_C(1) << bank_of[word];
	}
	if (taken || (uint32_t)__builtin_popcountll(banks) != n)
		return false;
	for (uint32_t lane = 0; lane < n; lane++) {
		const uint32_t number = sorted->lock[lane];

		bits->free_at[number] = LOCK_HELD;
		bits->taken[number] = atomic->word[lane] << LOCK_SLOT_BITS | atomic->slot;
	}
	win_all(atomic, sorted);
	return true;
}

static void count_failures(AtomicUnit *unit, Sorted *sorted, uint64_t intra_position,
			   uint64_t intra_alias, uint64_t inter_position, uint64_t inter_alias)
{
	unit->counters->failures.intra_position += intra_position;
	unit->counters->failures.intra_alias += intra_alias;
	unit->counters->failures.inter_position += inter_position;
	unit->counters->failures.inter_alias += inter_alias;
	sorted->n_failed =
		(uint32_t)(intra_position + intra_alias + inter_position + inter_alias);
}

/*
 * Every pending lane tries its lock at cycle `start`: of each free lock, one of the lanes that try it
 * gets it, and the others fail, by what its holder wants. Finds the passes of LK, for all words that
 * were tried, and of UL, for those that won. For any rule of who wins, and words that share locks.
 */
static void try_any(LockBits *bits, AtomicUnit *unit, const Atomic *atomic, Sorted *sorted,
		    Cycle start)
{
	enum { ALIAS_SHIFT = 16, INTER_SHIFT = 32 };
	const uint32_t slot = atomic->slot;
	const LaneMask pending = atomic->pending;
	const uint16_t *bank_of = unit->shared->table->bank_of;
	const uint64_t salt =
		bits->parameters->winner != WINNER_RANDOM
			? 0
			: winner_salt(unit->seed, atomic->block, atomic->warp, atomic->number);
	uint64_t *failures = unit->shared->failures;
	BankCounts in_bank;			  /* won words << 8 | tried words */
	uint32_t worst_read = 0, worst_write = 0; /* words << 8 | bank: one maximum for both */
	LaneMask winners = 0, won = 0, gone = 0;
	uint64_t failed = 0; /* lanes by cause: four numbers of 16 bits */

	clear_banks(&in_bank);
	for (LaneMask left = sorted->words_pending; left; left &= left - 1) {
		const uint32_t w = (uint32_t)__builtin_ctzll(left);
		const LaneMask w_bit = left & -left;
		uint32_t word = sorted->words[w], number = sorted->lock[w],
			 bank = bank_of[word];
		LaneMask tried = sorted->rivals[w] & pending;
		Cycle *free_at = &bits->free_at[number];
		uint32_t taken = bits->taken[number], mine = word << LOCK_SLOT_BITS | slot;
		/* Masks, all ones or nothing. */
		uint32_t free = -(uint32_t)(*free_at <= start), wins = free, alias, inter, n;

		alias = ~free & -(uint32_t)(taken >> LOCK_SLOT_BITS != word);
		/* The winner's word is another one if words share the lock. */
		uint32_t lane = winner_pick(bits->parameters->winner, tried, atomic->n_lanes,
					    atomic->round, number, salt);

		const LaneMask lane_bit = UINT64_C(1) << lane;
		wins &= -(uint32_t)(sorted->word_of[lane] == w);
		alias |= free & ~wins;
		inter = ~free & -(uint32_t)((taken ^ slot) % (1u << LOCK_SLOT_BITS) != 0);
		n = sorted->n_left[w] + wins;

		*free_at |= (Cycle)(int32_t)wins; /* LOCK_HELD is all ones */
		bits->taken[number] = taken ^ ((taken ^ mine) & wins);
		sorted->n_left[w] = (uint8_t)n;
		winners |= wins ? lane_bit : 0;
		won |= wins ? w_bit : 0;
		gone |= n == 0 ? w_bit : 0;
		failures[word] += n;
		failed += (uint64_t)n << ((alias & ALIAS_SHIFT) + (inter & INTER_SHIFT));
		n = in_bank.of[bank] + (1 + (wins & 1 << 8));
		in_bank.of[bank] = (uint16_t)n;
		sorted->pass_of[w] = (uint8_t)((n >> 8) - 1); /* of UL, if it won */
		worst_read = MAX(worst_read, (n & 0xff) << 8 | bank);
		worst_write = MAX(worst_write, (n & 0xff00) | bank);
	}
	sorted->winners = winners;
	sorted->won = won;
	sorted->gone = gone;
	sorted->read_passes = worst_read >> 8;
	sorted->write_passes = worst_write >> 8;
	sorted->worst_read_bank = worst_read & 0xff;
	sorted->worst_write_bank = worst_write & 0xff;
	count_failures(unit, sorted, failed & 0xffff, failed >> ALIAS_SHIFT & 0xffff,
		       failed >> INTER_SHIFT & 0xffff, failed >> (INTER_SHIFT + ALIAS_SHIFT));
}

/* The words of which a lane finds its lock free at `start`. Without a branch for a word: which locks
   are free is what no processor can predict. */
static LaneMask free_words(const LockBits *bits, const Sorted *sorted, Cycle start)
{
	LaneMask free = 0;

	for (LaneMask left = sorted->words_pending; left; left &= left - 1) {
		uint32_t w = (uint32_t)__builtin_ctzll(left);

		free |= (LaneMask)(bits->free_at[sorted->lock[w]] <= start) << w;
	}
	return free;
}

/* The lowest lane of each of these words takes its lock. Returns the lanes that it is taken from. */
static uint64_t take(LockBits *bits, AtomicUnit *unit, const Atomic *atomic, Sorted *sorted)
{
	uint64_t *failures = unit->shared->failures, failed = 0;
	LaneMask winners = 0, gone = 0;
	uint32_t worst = 0;
	BankCounts in_bank;

	clear_banks(&in_bank);
	for (LaneMask left = sorted->won; left; left &= left - 1) {
		uint32_t w = (uint32_t)__builtin_ctzll(left), word = sorted->words[w];
		LaneMask tried = sorted->rivals[w] & atomic->pending;
		uint32_t n = sorted->n_left[w] - 1u;
		uint32_t bank = sorted->bank[w], pass = in_bank.of[bank]++;
		const uint32_t number = sorted->lock[w];

		winners |= tried & -tried;
		gone |= (LaneMask)(n == 0) << w;
		sorted->n_left[w] = (uint8_t)n;
		sorted->pass_of[w] = (uint8_t)pass;
		worst = MAX(worst, (pass + 1) << 8 | bank);
		bits->free_at[number] = LOCK_HELD;
		bits->taken[number] = word << LOCK_SLOT_BITS | atomic->slot;
		failures[word] += n;
		failed += n;
	}
	sorted->winners = winners;
	sorted->gone = gone;
	sorted->write_passes = worst >> 8;
	sorted->worst_write_bank = worst & 0xff;
	return failed;
}

/* The same, where no two words share a lock and the lowest lane wins: step by step, because what was
   tried is often what was tried last, and often nobody wins. */
static void try_locks(LockBits *bits, AtomicUnit *unit, const Atomic *atomic, Sorted *sorted,
		      Cycle start)
{
	enum { ALIAS_SHIFT = 16, INTER_SHIFT = 32 };
	uint64_t *failures = unit->shared->failures;
	uint64_t failed = 0; /* lanes by cause: four numbers of 16 bits */

	if (sorted->read_words != sorted->words_pending) {
		const BankTable *table = unit->shared->table;
		uint32_t worst =
			table->path->most(sorted->bank, table->n_banks, sorted->words_pending);

		sorted->read_words = sorted->words_pending;
		sorted->read_passes = worst >> 8;
		sorted->worst_read_bank = worst & 0xff;
	}
	sorted->won = free_words(bits, sorted, start);
	sorted->winners = sorted->gone = sorted->write_passes = sorted->worst_write_bank = 0;
	if (sorted->won)
		failed = take(bits, unit, atomic, sorted);
	for (LaneMask left = sorted->words_pending & ~sorted->won; left; left &= left - 1) {
		uint32_t w = (uint32_t)__builtin_ctzll(left), word = sorted->words[w];
		uint32_t taken = bits->taken[sorted->lock[w]], n = sorted->n_left[w];
		uint32_t alias = taken >> LOCK_SLOT_BITS != word ? ALIAS_SHIFT : 0;
		uint32_t inter =
			taken % (1u << LOCK_SLOT_BITS) != atomic->slot ? INTER_SHIFT : 0;

		failures[word] += n;
		failed += (uint64_t)n << (alias + inter);
	}
	count_failures(unit, sorted, failed & 0xffff, failed >> ALIAS_SHIFT & 0xffff,
		       failed >> INTER_SHIFT & 0xffff, failed >> (INTER_SHIFT + ALIAS_SHIFT));
}

/* The same for a single word whose lock no other word of the warp shares. */
static void try_one(LockBits *bits, AtomicUnit *unit, const Atomic *atomic, Sorted *sorted,
		    Cycle start)
{
	const uint32_t w = (uint32_t)__builtin_ctzll(sorted->words_pending);
	const uint32_t word = sorted->words[w];
	const LaneMask tried = sorted->rivals[w] & atomic->pending;
	Cycle *free_at = &bits->free_at[sorted->lock[w]];
	uint32_t *taken = &bits->taken[sorted->lock[w]];
	const bool wins = *free_at <= start;
	bool alias = false, inter = false;
	uint32_t n = sorted->n_left[w];

	sorted->winners = sorted->won = sorted->gone = 0;
	if (wins) {
		n--;
		sorted->n_left[w] = (uint8_t)n;
		sorted->winners = tried & -tried;
		sorted->won = sorted->words_pending;
		sorted->gone = n ? 0 : sorted->words_pending;
		sorted->pass_of[w] = 0;
		*free_at = LOCK_HELD;
		*taken = word << LOCK_SLOT_BITS | atomic->slot;
	} else {
		alias = *taken >> LOCK_SLOT_BITS != word;
		inter = *taken % (1u << LOCK_SLOT_BITS) != atomic->slot;
	}
	unit->shared->failures[word] += n;
	sorted->read_words = 0;
	sorted->read_passes = 1;
	sorted->write_passes = wins;
	sorted->worst_read_bank = sorted->worst_write_bank = unit->shared->table->bank_of[word];
	count_failures(unit, sorted, alias || inter ? 0 : n, alias && !inter ? n : 0,
		       inter && !alias ? n : 0, alias && inter ? n : 0);
}

static void load_and_lock(LockBits *bits, AtomicUnit *unit, Atomic *atomic, Sorted *sorted,
			  Cycle now, Step *step)
{
	/* Known before its passes are: the unit serves in order. */
	Cycle start = shared_start(unit->shared, now);
	uint32_t passes;

	if (atomic->round == 0) {
		atomic_begin(unit, atomic);
		sorted->n_tried = atomic->n_lanes;
		sorted->run = false;
	}
	/* A warp's accesses are much alike: what the last one was decides what is tried first. */
	if (atomic->round > 0 || sorted->was_sorted ||
	    !(take_run(bits, unit, atomic, sorted, start) ||
	      take_all(bits, unit, atomic, sorted, start))) {
		if (atomic->round == 0)
			sort(bits, unit, atomic, sorted);
		if (sorted->aliased || bits->parameters->winner != WINNER_LOWEST)
			try_any(bits, unit, atomic, sorted, start);
		else if ((sorted->words_pending & (sorted->words_pending - 1)) == 0)
			try_one(bits, unit, atomic, sorted, start);
		else
			try_locks(bits, unit, atomic, sorted, start);
	}
	if (unit->shared->parameters->conflict_free)
		sorted->read_passes = sorted->write_passes = 1;
	passes = sorted->read_passes;
	shared_access(unit->shared, now, passes, sorted->worst_read_bank);
	step->name = "LK";
	step->start = start;
	step->passes = passes;
	step->failed = sorted->n_failed;
	step->bank_cycles = unit->shared->bank_cycles;
	step->ready = start + bits->parameters->lk_cycles + step->bank_cycles;
	unit->counters->rounds++;
	unit->counters->attempts += sorted->n_tried;
	unit->counters->retries += sorted->n_failed; /* each lane that failed tries again */
	unit->counters->successes += sorted->n_tried - sorted->n_failed;
	sorted->n_tried = sorted->n_failed;
}

static void store_and_unlock(LockBits *bits, AtomicUnit *unit, Atomic *atomic, Sorted *sorted,
			     Cycle now, Step *step)
{
	const LockBitsParameters *p = bits->parameters;
	const SharedParameters *shared = unit->shared->parameters;
	uint32_t passes = sorted->write_passes;
	Cycle unlocked; /* after the word's pass */

	step->start = shared_access(unit->shared, now, passes, sorted->worst_write_bank);
	step->passes = passes;
	step->bank_cycles = unit->shared->bank_cycles;
	/* The branch that follows takes its issue slot out of t_base. */
	step->ready =
		step->start + step->bank_cycles + lock_bits_ul_cycles(p, unit->issue_cycles);
	step->winners = sorted->winners;
	unlocked = shared->pass_cycles + p->hold_cycles;
	if (sorted->run) {
		Cycle *free_at = &bits->free_at[sorted->lock[0]];

		for (uint32_t lane = 0; lane < atomic->n_lanes; lane++)
			free_at[lane] = step->start + unlocked;
	} else if (passes == 1) {
		for (LaneMask left = sorted->won; left; left &= left - 1)
			bits->free_at[sorted->lock[__builtin_ctzll(left)]] =
				step->start + unlocked;
	} else {
		for (LaneMask left = sorted->won; left; left &= left - 1) {
			uint32_t w = (uint32_t)__builtin_ctzll(left);

			bits->free_at[sorted->lock[w]] =
				unit->shared->pass_at[sorted->pass_of[w]] + unlocked;
		}
	}
	atomic->pending &= ~sorted->winners;
	sorted->words_pending &= ~sorted->gone;
}

/* Back to LK: lanes are left. */
static uint32_t next_round(const LockBits *bits, const AtomicUnit *unit, Atomic *atomic)
{
	const LockBitsParameters *p = bits->parameters;

	atomic->round++;
	atomic->phase = PHASE_LK;
	return unit->issue_cycles + p->t_position_cycles - p->t_base_cycles;
}

/* After LK: the operation, or, if nobody won, all that is left of the round, predicated off. */
static void run_on(const LockBits *bits, const AtomicUnit *unit, Atomic *atomic,
		   const Sorted *sorted, Silent *silent)
{
	const bool retry = atomic->round > 0;

	if (sorted->winners) {
		silent->n = 1;
		silent->retry = retry;
		silent->cycles[0] = bits->parameters->operation_cycles;
		atomic->phase = PHASE_UL;
		return;
	}
	silent->n = 3; /* the last one first */
	silent->retry = retry ? 7 : 1;
	silent->cycles[2] = silent->cycles[1] = unit->issue_cycles;
	silent->cycles[0] = next_round(bits, unit, atomic);
}

static void step(AtomicUnit *unit, void *state, Atomic *atomic, Cycle now, Step *step)
{
	LockBits *bits = state;
	Sorted *sorted = bits->sorted[atomic->slot];

	if (G_UNLIKELY(!sorted))
		sorted = bits->sorted[atomic->slot] = g_new0(Sorted, 1);

	step_begin(step, now, now + unit->issue_cycles, atomic->round > 0);
	switch (atomic->phase++) {
	case PHASE_LK:
		load_and_lock(bits, unit, atomic, sorted, now, step);
		if (!unit->watched)
			run_on(bits, unit, atomic, sorted, &step->silent);
		return;
	case PHASE_OPERATION:
		step->name = "OP";
		if (sorted->winners)
			step->ready = now + bits->parameters->operation_cycles;
		return;
	case PHASE_UL:
		step->name = "UL";
		if (sorted->winners)
			store_and_unlock(bits, unit, atomic, sorted, now, step);
		if (!unit->watched && atomic->pending) {
			step->silent.n = step->silent.retry = 1;
			step->silent.cycles[0] = next_round(bits, unit, atomic);
		}
		return;
	default:
		step->name = "BRA";
		step->done = !atomic->pending;
		if (step->done) {
			atomic->round++;
			atomic_end(unit, atomic);
			return;
		}
		step->ready = now + next_round(bits, unit, atomic);
		step->retry = true;
	}
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

static void *new (const AtomicUnit *unit)
{
	LockBits *bits = g_new0(LockBits, 1);

	bits->parameters = unit->parameters->own[MECHANISM_lock_bits];
	bits->map = unit->lock_map;
	bits->free_at = g_new0(Cycle, bits->map->n_locks);
	bits->taken = g_new0(uint32_t, bits->map->n_locks);
	bits->stamp = g_new0(uint32_t, bits->map->n_locks);
	bits->in_order = bits->map->modulo && unit->shared->table->modulo;
	bits->locks_in_banks = are_locks_in_banks(bits->map, unit->shared->table,
						  unit->shared->parameters->banks);
	return bits;
}

static void free_state(void *state)
{
	LockBits *bits = state;

	for (uint32_t slot = 0; slot < MAX_WARP_SLOTS; slot++)
		g_free(bits->sorted[slot]);
	g_free(bits->free_at);
	g_free(bits->taken);
	g_free(bits->stamp);
	g_free(bits);
}

static bool waits(const void *state, const Atomic *atomic, Cycle now, AtomicWait *wait)
{
	const LockBits *bits = state;
	uint32_t lock;

	if (!atomic->pending)
		return false;
	wait->lane = (uint32_t)__builtin_ctzll(atomic->pending);
	lock = bits->map->lock_of[atomic->word[wait->lane]];
	wait->has_holder = bits->free_at[lock] > now;
	wait->slot = bits->taken[lock] % (1u << LOCK_SLOT_BITS);
	return true;
}

static uint32_t n_held(const void *state)
{
	const LockBits *bits = state;
	uint32_t n = 0;

	for (uint32_t i = 0; i < bits->map->n_locks; i++)
		n += bits->free_at[i] == LOCK_HELD;
	return n;
}

static void snapshot(const AtomicUnit *unit, const void *state, const Atomic *atomic, Cycle now,
		     Snapshot *snapshot)
{
	const LockBits *bits = state;
	const Sorted *sorted = bits->sorted[atomic->slot];
	const WinnerRule winner = bits->parameters->winner;

	(void)unit;
	/* Draws anew in each round among lanes that try one lock. */
	if (winner == WINNER_RANDOM && atomic->n_lanes > 1)
		snapshot_never(snapshot);
	snapshot_add(snapshot, atomic->phase);
	snapshot_add(snapshot, atomic->round > 0);
	snapshot_add(snapshot, winner == WINNER_ROTATE ? atomic->round % MAX_LANES : 0);
	snapshot_add(snapshot, atomic->pending);
	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		const uint32_t number = bits->map->lock_of[atomic->word[lane]];
		const Cycle free_at = bits->free_at[number];
		const bool held = free_at == LOCK_HELD;

		snapshot_add(snapshot, held ? LOCK_HELD : snapshot_left(free_at, now));
		snapshot_add(snapshot, free_at > now ? bits->taken[number] : 0);
	}
	/* The rest of it follows from the words. */
	snapshot_add(snapshot, sorted->winners);
	snapshot_add(snapshot, sorted->won);
	snapshot_add(snapshot, sorted->gone);
	snapshot_add(snapshot, sorted->words_pending);
	snapshot_add(snapshot, sorted->read_words);
	snapshot_add(snapshot, (uint64_t)sorted->n_tried << 32 | sorted->n_failed);
	snapshot_add(snapshot, (uint64_t)sorted->read_passes << 32 | sorted->write_passes);
	snapshot_add(snapshot,
		     (uint64_t)sorted->worst_read_bank << 32 | sorted->worst_write_bank);
	snapshot_add(snapshot, (uint32_t)sorted->run << 2 | (uint32_t)sorted->aliased << 1 |
				       sorted->was_sorted);
	snapshot_add_bytes(snapshot, sorted->n_left, sizeof sorted->n_left);
	snapshot_add_bytes(snapshot, sorted->pass_of, sizeof sorted->pass_of);
}

static void shift(void *state, const Atomic *atomic, Cycle now, Cycle by)
{
	LockBits *bits = state;

	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		Cycle *free_at = &bits->free_at[bits->map->lock_of[atomic->word[lane]]];

		if (*free_at > now && *free_at - now <= by)
			*free_at += by;
	}
}

static const char *winner_name(unsigned i)
{
	return i < N_WINNER_RULES ? winner_names[i] : NULL;
}

static const KeyNames winner_rule_names = {winner_name, NULL};

#define PATH(name)	    .path = "atomic.lock_bits." name, .formerly = "atomic." name
#define CYCLES(field, from) PATH(#field), KEY_CYCLES(LockBitsParameters, field, from)

static const Key keys[] = {
	{PATH("winner"), KEY_FIELD(KEY_CHOICE, WinnerRule, LockBitsParameters, winner),
	 .names = &winner_rule_names, .preset = "lowest", .assumption = true,
	 .acts_on = KEY_ACTS_FAILURE,
	 .doc = "Which of the lanes that try one free lock bit gets it.",
	 .source = "not published"},
	{CYCLES(t_base_cycles, 1), .preset = "108",
	 .doc = "An atomic of one warp without any conflict.", .source = KEY_PAPER ", t_base"},
	{CYCLES(t_position_cycles, 1), .preset = "120",
	 .doc = "Each further round of an atomic: t_base and the branch back.",
	 .source = KEY_PAPER ", t_position"},
	{CYCLES(lk_cycles, 1), .preset = "28", .assumption = true, .acts_on = KEY_ACTS_ATOMIC,
	 .doc = "Part of t_base: load-and-lock, until its data are there.",
	 .source = "the paper gives the sum only. A load's latency would be 52; with "
		   "operation_cycles chosen by the rule of plots/plane.sh, by which claims of "
		   "the "
		   "paper on warps hold"},
	{CYCLES(operation_cycles, 1), .preset = "18", .assumption = true,
	 .acts_on = KEY_ACTS_ATOMIC,
	 .doc = "Part of t_base: the operation. What is left of t_base is store-and-unlock and "
		"the issue of the branch.",
	 .source = "the paper gives the sum only. As lk_cycles, and no less than an addition: "
		   "18, "
		   "Volkov, GTC 2010; about 22, " KEY_GUIDE ", section 5.2.3"},
	{CYCLES(hold_cycles, 0), .preset = "0", .assumption = true, .acts_on = KEY_ACTS_ATOMIC,
	 .doc = "A lock bit stays set for this long after its unlocking store. Above 72 with "
		"the other keys as they are, a lone warp meets its own locks and costs more "
		"than Algorithm 1 says.",
	 .source = "not published"},
};

static const char *lk_problem(const AtomicParameters *atomic, const SharedParameters *shared,
			      uint32_t issue_cycles)
{
	const LockBitsParameters *p = atomic->own[MECHANISM_lock_bits];

	return outlasts(p->lk_cycles, shared, issue_cycles)
		       ? NULL
		       : "allowed: atomic.lock_bits.lk_cycles" OUTLAST;
}

static const char *operation_problem(const AtomicParameters *atomic,
				     const SharedParameters *shared, uint32_t issue_cycles)
{
	const LockBitsParameters *p = atomic->own[MECHANISM_lock_bits];

	return outlasts(p->operation_cycles, shared, issue_cycles)
		       ? NULL
		       : "allowed: atomic.lock_bits.operation_cycles" OUTLAST;
}

static const char *base_problem(const AtomicParameters *atomic, const SharedParameters *shared,
				uint32_t issue_cycles)
{
	const LockBitsParameters *p = atomic->own[MECHANISM_lock_bits];
	const uint32_t used = p->lk_cycles + p->operation_cycles + issue_cycles;

	return used < p->t_base_cycles &&
			       outlasts(p->t_base_cycles - used, shared, issue_cycles)
		       ? NULL
		       : "allowed: a rest of atomic.lock_bits.t_base_cycles, less "
			 "sm.issue_cycles for the branch," OUTLAST;
}

static const char *position_problem(const AtomicParameters *atomic,
				    const SharedParameters *shared, uint32_t issue_cycles)
{
	const LockBitsParameters *p = atomic->own[MECHANISM_lock_bits];

	(void)shared;
	(void)issue_cycles;
	return p->t_position_cycles >= p->t_base_cycles
		       ? NULL
		       : "allowed: atomic.lock_bits.t_position_cycles of at least "
			 "atomic.lock_bits.t_base_cycles";
}

const MechanismRule lock_bits_rules[N_LOCK_BITS_RULES] = {
	{{"atomic.lock_bits.lk_cycles", "sm.issue_cycles", "shared.pass_cycles"}, lk_problem},
	{{"atomic.lock_bits.operation_cycles", "sm.issue_cycles", "shared.pass_cycles"},
	 operation_problem},
	{{"atomic.lock_bits.t_base_cycles", "atomic.lock_bits.lk_cycles",
	  "atomic.lock_bits.operation_cycles", "sm.issue_cycles"},
	 base_problem},
	{{"atomic.lock_bits.t_position_cycles", "atomic.lock_bits.t_base_cycles"},
	 position_problem},
};

const Mechanism mechanism_lock_bits = {
	.name = "lock-bits",
	.summary =
		"Fermi: load-and-lock, store-and-unlock, retried until every lane had its turn",
	.keys = {"atomic.lock_bits", keys, G_N_ELEMENTS(keys), sizeof(LockBitsParameters)},
	.rules = lock_bits_rules,
	.n_rules = N_LOCK_BITS_RULES,
	.has_locks = true,
	.uncontended = &mechanism_uncontended,
	.new = new,
	.free = free_state,
	.step = step,
	.waits = waits,
	.n_held = n_held,
	.snapshot = snapshot,
	.shift = shift,
	.closed_form = algorithm1,
};
