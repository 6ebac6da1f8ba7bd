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
#include <string.h>

enum { PHASE_LK, PHASE_OPERATION, PHASE_UL, PHASE_BRANCH };

/* What the pointers of an Atomic show when every lane is a word of its own. */
static const uint8_t own_number[TRACE_MAX_LANES] = {
	0,  1,	2,  3,	4,  5,	6,  7,	8,  9,	10, 11, 12, 13, 14, 15,
	16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
};
#define BITS(n) 1u << (n), 2u << (n), 4u << (n), 8u << (n)
static const uint32_t own_lane[TRACE_MAX_LANES] = {BITS(0),  BITS(4),  BITS(8),	 BITS(12),
						   BITS(16), BITS(20), BITS(24), BITS(28)};

/*
 * The usual case: every lane has a lock, and so a word, of its own. One loop finds that out, and
 * which locks are free at `start`, without a branch for a lane. False if two lanes share a lock.
 */
static bool lanes_are_distinct(AtomicUnit *unit, Atomic *atomic, Cycle start)
{
	const uint16_t *lock_of = unit->lock_map->lock_of;
	const uint16_t *bank_of = unit->shared->table->bank_of;
	LockEntry *locks = unit->locks;
	const uint32_t n = atomic->n_lanes;
	const uint32_t stamp = atomic_next_serial(unit) << STAMP_SHIFT;
	uint32_t shared_lock = 0, free = 0;
	uint64_t banks = 0, shared_bank = 0;

	for (uint32_t lane = 0; lane < n; lane++) {
		uint32_t word = atomic->word[lane], number = lock_of[word];
		uint64_t bank = UINT64_C(1) << bank_of[word];
		LockEntry *lock = &locks[number];

		atomic->lock[lane] = (uint16_t)number;
		shared_lock |= lock->stamp == stamp;
		lock->stamp = stamp;
		free |= (uint32_t)(lock->free_at <= start) << lane;
		shared_bank |= banks & bank;
		banks |= bank;
	}
	if (shared_lock)
		return false;
	memset(atomic->n_left, 1, n);
	atomic->words = atomic->word;
	atomic->word_lanes = atomic->rivals = own_lane;
	atomic->word_of = own_number;
	atomic->n_words = n;
	atomic->free = free;
	atomic->read_passes = shared_bank ? 0 : 1;
	return true;
}

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
		aliased |= seen && atomic->sorted.words[w] != word;
		atomic->sorted.words[w] = word;
		atomic->sorted.word_of[lane] = (uint8_t)w;
		atomic->sorted.word_lanes[w] =
			(seen ? atomic->sorted.word_lanes[w] : 0) | 1u << lane;
		atomic->n_left[w] = (uint8_t)((seen ? atomic->n_left[w] : 0) + 1);
		atomic->lock[w] = (uint16_t)number;
		n_words += !seen;
	}
	atomic->n_words = n_words;
	atomic->words = atomic->sorted.words;
	atomic->word_lanes = atomic->rivals = atomic->sorted.word_lanes;
	atomic->word_of = atomic->sorted.word_of;
	return !aliased;
}

/* The same where two words share a lock: the rivals of a word are the lanes of all of them. */
static void sort_aliased_lanes(AtomicUnit *unit, Atomic *atomic)
{
	const uint32_t serial = shared_next_serial(unit->shared);
	uint32_t *stamps = unit->shared->stamps;
	uint32_t n_words = 0;

	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		uint32_t word = atomic->word[lane], w = n_words;

		if (stamps[word] >> STAMP_SHIFT == serial) {
			w = stamps[word] % (1u << STAMP_SHIFT);
			atomic->sorted.word_lanes[w] |= 1u << lane;
			atomic->n_left[w]++;
		} else {
			stamps[word] = serial << STAMP_SHIFT | n_words++;
			atomic->sorted.words[w] = word;
			atomic->sorted.word_lanes[w] = 1u << lane;
			atomic->n_left[w] = 1;
			atomic->lock[w] = unit->lock_map->lock_of[word];
		}
		atomic->sorted.word_of[lane] = (uint8_t)w;
	}
	for (uint32_t w = 0; w < n_words; w++) {
		atomic->sorted.rivals[w] = 0;
		for (uint32_t v = 0; v < n_words; v++)
			if (atomic->lock[v] == atomic->lock[w])
				atomic->sorted.rivals[w] |= atomic->sorted.word_lanes[v];
	}
	atomic->n_words = n_words;
	atomic->rivals = atomic->sorted.rivals;
}

/* Of the pending words, those whose lock an attempt at cycle `start` finds free. */
static uint32_t free_words(const AtomicUnit *unit, const Atomic *atomic, Cycle start)
{
	uint32_t free = 0;

	for (uint32_t left = atomic->words_pending; left; left &= left - 1) {
		uint32_t w = (uint32_t)__builtin_ctz(left);

		free |= (uint32_t)(unit->locks[atomic->lock[w]].free_at <= start) << w;
	}
	return free;
}

/* Passes of an access to the given words of the atomic, all different: the most of one bank. */
static uint32_t passes_of(const AtomicUnit *unit, Atomic *atomic, uint32_t words)
{
	const uint16_t *bank_of = unit->shared->table->bank_of;
	uint8_t in_bank[SHARED_MAX_BANKS] = {0};
	uint32_t worst = 0; /* words << 8 | bank: one maximum without a branch for both */

	if (unit->shared->parameters->conflict_free)
		return 1;
	for (uint32_t left = words; left; left &= left - 1) {
		uint32_t bank = bank_of[atomic->words[__builtin_ctz(left)]];
		uint32_t candidate = (uint32_t)++in_bank[bank] << 8 | bank;

		worst = MAX(worst, candidate);
	}
	atomic->worst_bank = worst & 0xff;
	return worst >> 8;
}

static void begin(AtomicUnit *unit, Atomic *atomic, Cycle start)
{
	atomic_begin(unit, atomic);
	atomic->read_passes = 0;
	/* A warp's accesses are much alike: what the last one was decides what is tried first. */
	if (!atomic->was_sorted && lanes_are_distinct(unit, atomic, start)) {
		atomic->words_pending = UINT32_MAX >> (32 - atomic->n_words);
	} else {
		if (!sort_lanes(unit, atomic))
			sort_aliased_lanes(unit, atomic);
		atomic->was_sorted = atomic->n_words < atomic->n_lanes;
		atomic->words_pending = UINT32_MAX >> (32 - atomic->n_words);
		atomic->free = free_words(unit, atomic, start);
	}
	if (!atomic->read_passes)
		atomic->read_passes = passes_of(unit, atomic, atomic->words_pending);
}

/* Every lane gets its lock, each a lock of its own: the usual case, made short. */
static void take_all(AtomicUnit *unit, Atomic *atomic)
{
	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		LockEntry *lock = &unit->locks[atomic->lock[lane]];

		lock->free_at = LOCK_HELD;
		lock->taken = atomic->word[lane] << LOCK_SLOT_BITS | atomic->warp;
	}
	atomic->won = atomic->gone = atomic->winners = atomic->pending;
	atomic->n_tried = atomic->n_lanes;
	atomic->n_won = atomic->n_lanes;
}

/* Of each lock that is free, one of the lanes that try it gets it. */
static void take_free(AtomicUnit *unit, Atomic *atomic)
{
	const WinnerRule rule = unit->parameters->winner;
	uint32_t winners = 0, won = 0, gone = 0, n = 0;

	for (uint32_t left = atomic->free; left; left &= left - 1) {
		uint32_t w = (uint32_t)__builtin_ctz(left), number = atomic->lock[w];
		uint32_t tried = atomic->rivals[w] & atomic->pending;
		uint32_t lane = rule == WINNER_LOWEST ? (uint32_t)__builtin_ctz(tried)
						      : winner_pick(rule, tried, atomic->round,
								    number, atomic->salt);

		if (atomic->word_of[lane] != w)
			continue; /* the lock goes to another word */
		unit->locks[number].free_at = LOCK_HELD;
		unit->locks[number].taken = atomic->words[w] << LOCK_SLOT_BITS | atomic->warp;
		winners |= 1u << lane;
		won |= 1u << w;
		gone |= (uint32_t)(--atomic->n_left[w] == 0) << w;
		n++;
	}
	atomic->winners = winners;
	atomic->won = won;
	atomic->gone = gone;
	atomic->n_won = n;
}

/* Counts the lanes that found their lock taken, by what its holder wants. */
static void count_failures(AtomicUnit *unit, const Atomic *atomic)
{
	uint64_t n_all = 0, n_alias = 0, n_inter = 0, n_inter_alias = 0;

	for (uint32_t left = atomic->words_pending; left; left &= left - 1) {
		uint32_t w = (uint32_t)__builtin_ctz(left), word = atomic->words[w];
		uint32_t taken = unit->locks[atomic->lock[w]].taken;
		uint32_t n = atomic->n_left[w];
		uint32_t alias = taken >> LOCK_SLOT_BITS != word ? n : 0;
		bool inter = taken % (1u << LOCK_SLOT_BITS) != atomic->warp;

		unit->shared->failures[word] += n;
		n_all += n;
		n_alias += alias;
		n_inter += inter ? n : 0;
		n_inter_alias += inter ? alias : 0;
	}
	unit->counters.failures.intra_position += n_all - n_alias - (n_inter - n_inter_alias);
	unit->counters.failures.intra_alias += n_alias - n_inter_alias;
	unit->counters.failures.inter_position += n_inter - n_inter_alias;
	unit->counters.failures.inter_alias += n_inter_alias;
}

static void load_and_lock(AtomicUnit *unit, Atomic *atomic, Cycle now, Step *step)
{
	/* Known before its passes are: the unit serves in order. */
	Cycle start = shared_start(unit->shared, now);
	uint32_t passes;

	if (atomic->round == 0) {
		begin(unit, atomic, start);
		atomic->n_tried = atomic->n_lanes;
	} else {
		atomic->free = free_words(unit, atomic, start);
		atomic->n_tried -= atomic->n_won;
		unit->counters.retries += atomic->n_tried;
		/* Fewer words conflict no more, and the same words as much as before. */
		if (atomic->read_passes > 1 && atomic->winners)
			atomic->read_passes = passes_of(unit, atomic, atomic->words_pending);
	}
	passes = atomic->read_passes;
	shared_access(unit->shared, now, passes, atomic->worst_bank);
	step->name = "LK";
	step->start = start;
	step->passes = passes;
	step->bank_cycles = (passes - 1) * unit->shared->parameters->t_bank_cycles;
	step->ready = start + unit->parameters->lk_cycles + step->bank_cycles;

	if (atomic->word_of == own_number && atomic->free == atomic->words_pending &&
	    !atomic->round)
		take_all(unit, atomic);
	else
		take_free(unit, atomic);
	if (atomic->n_won < atomic->n_tried)
		count_failures(unit, atomic);
	if (passes == 1 || atomic->won == atomic->words_pending)
		atomic->write_passes = passes;
	else
		atomic->write_passes = atomic->won ? passes_of(unit, atomic, atomic->won) : 1;
	step->failed = atomic->n_tried - atomic->n_won;
	unit->counters.rounds++;
	unit->counters.attempts += atomic->n_tried;
	unit->counters.successes += atomic->n_won;
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
	step->winners = atomic->winners;
	unlocked = step->start + (Cycle)passes * shared->pass_cycles + p->hold_cycles;
	for (uint32_t left = atomic->won; left; left &= left - 1)
		unit->locks[atomic->lock[__builtin_ctz(left)]].free_at = unlocked;
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
	.step = step,
};
