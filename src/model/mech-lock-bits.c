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

/* Bits set: without the instruction, which not every machine has, the compiler calls a library. */
static inline uint32_t count(uint32_t lanes)
{
#ifdef __POPCNT__
	return (uint32_t)__builtin_popcount(lanes);
#else
	lanes -= lanes >> 1 & 0x55555555;
	lanes = (lanes & 0x33333333) + (lanes >> 2 & 0x33333333);
	return ((lanes + (lanes >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
#endif
}

/* What Atomic's pointers show when lane, word and lock have one number. */
static const uint8_t own_number[TRACE_MAX_LANES] = {
	0,  1,	2,  3,	4,  5,	6,  7,	8,  9,	10, 11, 12, 13, 14, 15,
	16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
};
#define BIT8(n)                                                                                \
	1u << (n), 2u << (n), 4u << (n), 8u << (n), 16u << (n), 32u << (n), 64u << (n),        \
		128u << (n)
static const uint32_t own_lane[TRACE_MAX_LANES] = {BIT8(0), BIT8(8), BIT8(16), BIT8(24)};

/*
 * The usual case: every lane has a lock, and so a word, of its own, and a bank of its own. One loop
 * finds that out, and which locks are free at `start`, without a branch for a lane. False if two
 * lanes share a lock.
 */
static bool lanes_are_distinct(AtomicUnit *unit, Atomic *atomic, Cycle start)
{
	const uint16_t *lock_of = unit->lock_map->lock_of;
	const uint16_t *bank_of = unit->shared->table->bank_of;
	LockEntry *locks = unit->locks;
	const uint32_t n = atomic->n_lanes;
	const uint32_t stamp = shared_next_serial(unit->shared) << STAMP_SHIFT;
	uint32_t shared_lock = 0, free = 0;
	uint64_t banks = 0, shared_bank = 0;

	for (uint32_t lane = 0; lane < n; lane++) {
		uint32_t word = atomic->word[lane];
		uint64_t bank = UINT64_C(1) << bank_of[word];
		uint32_t number = lock_of[word];
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
	atomic->words = atomic->word;
	atomic->word_lanes = atomic->lock_lanes = own_lane;
	atomic->word_of = atomic->lock_of = own_number;
	atomic->n_words = atomic->n_locks = n;
	atomic->free = free;
	atomic->read_passes = shared_bank ? 0 : 1;
	return true;
}

/* Of the given locks of the atomic, those that an attempt at cycle `start` finds free. */
static uint32_t free_locks(const AtomicUnit *unit, const Atomic *atomic, uint32_t locks,
			   Cycle start)
{
	uint32_t free = 0;

	for (uint32_t left = locks; left; left &= left - 1) {
		uint32_t l = (uint32_t)__builtin_ctz(left);

		free |= (uint32_t)(unit->locks[atomic->lock[l]].free_at <= start) << l;
	}
	return free;
}

static void sort_lanes(AtomicUnit *unit, Atomic *atomic)
{
	const uint16_t *lock_of = unit->lock_map->lock_of;
	uint32_t *stamps = unit->shared->stamps;
	const uint32_t serial = shared_next_serial(unit->shared);
	uint32_t n_words = 0, n_locks = 0;

	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		uint32_t word = atomic->word[lane], bit = 1u << lane, w = stamps[word], l;
		LockEntry *lock;

		if (w >> STAMP_SHIFT == serial) {
			w &= (1u << STAMP_SHIFT) - 1;
			atomic->sorted.word_of[lane] = (uint8_t)w;
			atomic->sorted.word_lanes[w] |= bit;
			atomic->sorted.lock_lanes[atomic->sorted.lock_of[w]] |= bit;
			continue;
		}
		stamps[word] = serial << STAMP_SHIFT | n_words;
		atomic->sorted.words[n_words] = word;
		atomic->sorted.word_of[lane] = (uint8_t)n_words;
		atomic->sorted.word_lanes[n_words] = bit;
		lock = &unit->locks[lock_of[word]];
		if (lock->stamp >> STAMP_SHIFT == serial) {
			l = lock->stamp & ((1u << STAMP_SHIFT) - 1);
			atomic->sorted.lock_lanes[l] |= bit;
		} else {
			l = n_locks++;
			lock->stamp = serial << STAMP_SHIFT | l;
			atomic->lock[l] = lock_of[word];
			atomic->sorted.lock_lanes[l] = bit;
		}
		atomic->sorted.lock_of[n_words++] = (uint8_t)l;
	}
	atomic->n_words = n_words;
	atomic->n_locks = n_locks;
	atomic->words = atomic->sorted.words;
	atomic->word_lanes = atomic->sorted.word_lanes;
	atomic->lock_lanes = atomic->sorted.lock_lanes;
	atomic->word_of = atomic->sorted.word_of;
	atomic->lock_of = atomic->sorted.lock_of;
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
	if (!lanes_are_distinct(unit, atomic, start)) {
		sort_lanes(unit, atomic);
		atomic->free =
			free_locks(unit, atomic, UINT32_MAX >> (32 - atomic->n_locks), start);
	}
	atomic->words_pending = UINT32_MAX >> (32 - atomic->n_words);
	atomic->locks_pending = UINT32_MAX >> (32 - atomic->n_locks);
	if (!atomic->read_passes)
		atomic->read_passes = passes_of(unit, atomic, atomic->words_pending);
}

/* Counts the lanes that found their lock taken, by what its holder wants. */
static void count_failures(AtomicUnit *unit, const Atomic *atomic, uint32_t failed)
{
	enum { ALIAS = 1, INTER = 2 };
	uint64_t n_by_cause[4] = {0};

	for (uint32_t left = atomic->words_pending; left; left &= left - 1) {
		uint32_t w = (uint32_t)__builtin_ctz(left), word = atomic->words[w];
		uint32_t taken = unit->locks[atomic->lock[atomic->lock_of[w]]].taken;
		uint32_t n = count(atomic->word_lanes[w] & failed);

		unit->shared->failures[word] += n;
		n_by_cause[(taken >> LOCK_SLOT_BITS != word ? ALIAS : 0) +
			   (taken % (1u << LOCK_SLOT_BITS) != atomic->warp ? INTER : 0)] += n;
	}
	unit->counters.failures.intra_position += n_by_cause[0];
	unit->counters.failures.intra_alias += n_by_cause[ALIAS];
	unit->counters.failures.inter_position += n_by_cause[INTER];
	unit->counters.failures.inter_alias += n_by_cause[INTER + ALIAS];
}

/* Every pending lane gets its lock, each a lock of its own: the usual case, made short. */
static void take_all(AtomicUnit *unit, Atomic *atomic)
{
	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		LockEntry *lock = &unit->locks[atomic->lock[lane]];

		lock->free_at = LOCK_HELD;
		lock->taken = atomic->word[lane] << LOCK_SLOT_BITS | atomic->warp;
	}
	atomic->won = atomic->winners = atomic->pending;
}

/* Every pending lane tries its lock; atomic->free says which are free. Returns the winners' words. */
static uint32_t try_locks(AtomicUnit *unit, Atomic *atomic)
{
	const WinnerRule rule = unit->parameters->winner;
	LockEntry *locks = unit->locks;
	uint32_t winners = 0, won_words = 0;

	for (uint32_t left = atomic->free; left; left &= left - 1) {
		uint32_t l = (uint32_t)__builtin_ctz(left), lock = atomic->lock[l];
		uint32_t tried = atomic->lock_lanes[l] & atomic->pending;
		uint32_t lane = rule == WINNER_LOWEST ? (uint32_t)__builtin_ctz(tried)
						      : winner_pick(rule, tried, atomic->round,
								    lock, atomic->salt);

		locks[lock].free_at = LOCK_HELD;
		locks[lock].taken = atomic->word[lane] << LOCK_SLOT_BITS | atomic->warp;
		winners |= 1u << lane;
		won_words |= 1u << atomic->word_of[lane];
	}
	atomic->won = atomic->free;
	atomic->winners = winners;
	if (winners != atomic->pending)
		count_failures(unit, atomic, atomic->pending & ~winners);
	return won_words;
}

static void load_and_lock(AtomicUnit *unit, Atomic *atomic, Cycle now, Step *step)
{
	/* Known before its passes are: the unit serves in order. */
	Cycle start = shared_start(unit->shared, now);
	uint32_t n_tried, passes, won_words;

	if (atomic->round == 0) {
		begin(unit, atomic, start);
	} else {
		atomic->free = free_locks(unit, atomic, atomic->locks_pending, start);
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

	n_tried = count(atomic->pending);
	if (atomic->lock_of == own_number && atomic->free == atomic->pending &&
	    !atomic->round) {
		take_all(unit, atomic);
		won_words = atomic->winners;
	} else {
		won_words = try_locks(unit, atomic);
	}
	if (passes == 1 || won_words == atomic->words_pending)
		atomic->write_passes = passes;
	else
		atomic->write_passes = won_words ? passes_of(unit, atomic, won_words) : 1;
	step->failed = n_tried - count(atomic->winners);
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
