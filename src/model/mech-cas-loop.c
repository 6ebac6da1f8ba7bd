/* SPDX-License-Identifier: MIT */
/*
 * Mechanism `cas-loop`: float and 64-bit operations of current GPUs, a loop of compare-and-swaps.
 *
 *	loop:	LDS	R, [A]			read the word
 *		FADD	S, R, v			the operation
 *		ATOMS.CAST.SPIN	T, [A], R, S	store S if the word still is R
 *		ISETP, BRA loop			lanes that failed go back
 *
 * Every rule is from our measurements of an H200 (measurements/h200; docs/how-right.md shows how well
 * each holds). "Round" is one turn of the loop.
 * - LDS: passes of the different words, like any load; each further pass 2 cycles (t_bank).
 * - The swap lets one lane of each bank through, same word or not, the lowest that tries; one pass,
 *   at a compare-and-swap's pace. The others fail. With it the rounds of all 2,466 patterns of
 *   warp-latency.csv come out right, and with the highest lane they do not.
 * - Between warps nothing is locked: the swap fails if another warp has written the word since it was
 *   read (warp-throughput.csv: 32 words of distance cost nothing, the same words 13 times as much).
 * - The branch. All lanes done: loop_exit. All that tried failed: loop_retry, the warp stays in one
 *   piece. Else the warp splits and the larger part runs first (pos/16 to pos/17: 38 cycles less when
 *   those who retry are as many as those who are done); then the retry's load comes loop_split
 *   later. After a split at which more lanes went on than back (loop_leave cycles more), the next
 *   split costs loop_switch, the first time, and loop_retry from then on. What the hardware does
 *   there is not published; these five cycle counts fit all patterns within a cycle of 100 to 4,000.
 * - 64-bit: the half warps take turns at 16 banks of double words, each with a lane a bank, and of
 *   one word in both halves the first half's lane wins; loop_wide a round more, and loop_halves if
 *   both halves take part. The median error is 0.8 %, the largest 4.4 %.
 * Assumed: where in a round the word is read and swapped (the first pass of either access; from one
 * to the other shared.load_cycles and atomic.operation_cycles), found from blocks of 2 .. 32 warps.
 * Not modelled: values. A swap that another warp's write of the same value would let through
 * fails; adding 0 would do that.
 */
#include "model/mechanism.h"

#include <glib.h>

enum { PHASE_LOAD, PHASE_OPERATION, PHASE_SWAP, PHASE_BRANCH };

#define HALF 16 /* lanes */

static bool is_wide(const Atomic *atomic)
{
	return atomic->type == TYPE_U64 || atomic->type == TYPE_S64 || atomic->type == TYPE_F64;
}

/* The bank that a lane's value lies in: of words, or of double words. */
static uint32_t bank_of(const AtomicUnit *unit, const Atomic *atomic, uint32_t lane)
{
	return unit->shared->table->bank_of[atomic->word[lane]] >> is_wide(atomic);
}

/* Different words in the worst bank, of these lanes. */
static uint32_t degree(AtomicUnit *unit, Atomic *atomic, uint32_t lanes)
{
	uint32_t *stamps = unit->shared->stamps;
	const uint32_t stamp = shared_next_serial(unit->shared) << STAMP_SHIFT;
	uint8_t in_bank[SHARED_MAX_BANKS] = {0};
	uint32_t most = 0;

	for (uint32_t left = lanes; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(left), word = atomic->word[lane], bank;

		if (stamps[word] == stamp)
			continue;
		stamps[word] = stamp;
		bank = bank_of(unit, atomic, lane);
		if (++in_bank[bank] > most) {
			most = in_bank[bank];
			atomic->worst_read_bank = unit->shared->table->bank_of[word];
		}
	}
	return most;
}

static void load(AtomicUnit *unit, Atomic *atomic, Cycle now, Step *step)
{
	const SharedParameters *shared = unit->shared->parameters;
	const uint32_t lower = atomic->pending & (UINT32_MAX >> HALF);
	const uint32_t upper = atomic->pending & ~(UINT32_MAX >> HALF);
	uint32_t passes = 1;

	if (!unit->commits)
		unit->commits = g_new0(uint32_t, unit->shared->table->n_words);
	for (uint32_t left = atomic->pending; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(left);

		atomic->seen[lane] = unit->commits[atomic->word[lane]];
	}
	if (shared->conflict_free)
		passes = 1;
	else if (is_wide(atomic))
		passes = degree(unit, atomic, lower) + degree(unit, atomic, upper);
	else
		passes = degree(unit, atomic, atomic->pending);
	step->name = "LDS";
	step->passes = passes;
	step->start = shared_access(unit->shared, now, passes, atomic->worst_read_bank);
	step->bank_cycles = unit->shared->bank_cycles;
	step->ready = step->start + shared->load_cycles + step->bank_cycles;
	unit->counters->rounds++;
}

/* The lanes of `lanes` that the banks let through, and of them those that find their word as they
   read it. */
static uint32_t winners_of(AtomicUnit *unit, const Atomic *atomic, uint32_t lanes,
			   uint32_t *let_through)
{
	uint64_t banks = 0;
	uint32_t winners = 0;

	for (uint32_t left = lanes; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(left);
		uint64_t bank = UINT64_C(1) << bank_of(unit, atomic, lane);

		if (banks & bank)
			continue;
		banks |= bank;
		*let_through |= 1u << lane;
		if (unit->commits[atomic->word[lane]] == atomic->seen[lane])
			winners |= 1u << lane;
	}
	for (uint32_t left = winners; left; left &= left - 1)
		unit->commits[atomic->word[__builtin_ctz(left)]]++;
	return winners;
}

/* A failed lane met another warp's write, or a winner of its own warp: on its word or its bank. */
static void count_failures(AtomicUnit *unit, const Atomic *atomic, uint32_t let_through)
{
	for (uint32_t left = atomic->pending & ~atomic->winners; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(left), word = atomic->word[lane];
		bool own_word = false;

		for (uint32_t won = atomic->winners; won; won &= won - 1)
			own_word |= atomic->word[__builtin_ctz(won)] == word;
		unit->shared->failures[word]++;
		if (own_word)
			unit->counters->failures.intra_position++;
		else if (unit->commits[word] != atomic->seen[lane])
			unit->counters->failures.inter_position++;
		else if (!(let_through & 1u << lane))
			unit->counters->failures.intra_alias++;
		else
			g_assert_not_reached();
	}
}

static void swap(AtomicUnit *unit, Atomic *atomic, Cycle now, Step *step)
{
	const AtomicParameters *p = unit->parameters;
	const uint32_t lower = atomic->pending & (UINT32_MAX >> HALF);
	const uint32_t upper = atomic->pending & ~(UINT32_MAX >> HALF);
	const bool halves = is_wide(atomic) && lower && upper;
	uint32_t n_tried = (uint32_t)__builtin_popcount(atomic->pending), let_through = 0;

	if (unit->shared->parameters->conflict_free) {
		atomic->winners = atomic->pending;
	} else if (is_wide(atomic)) {
		atomic->winners = winners_of(unit, atomic, lower, &let_through);
		atomic->winners |= winners_of(unit, atomic, upper, &let_through);
	} else {
		atomic->winners = winners_of(unit, atomic, atomic->pending, &let_through);
	}
	step->name = "CAS";
	step->winners = atomic->winners;
	step->failed = n_tried - (uint32_t)__builtin_popcount(atomic->winners);
	if (step->failed)
		count_failures(unit, atomic, let_through);
	step->passes = halves ? 2 : 1;
	step->start = shared_access_slow(unit->shared, now, step->passes,
					 atomic->worst_read_bank, p->loop_swap_passes, 1);
	step->ready = step->start + p->native_cas_cycles + (halves ? p->loop_halves_cycles : 0);
	unit->counters->attempts += n_tried;
	unit->counters->retries += atomic->round ? n_tried : 0;
	unit->counters->successes += n_tried - step->failed;
}

static void branch(AtomicUnit *unit, Atomic *atomic, Cycle now, Step *step)
{
	const AtomicParameters *p = unit->parameters;
	const uint32_t back = atomic->pending & ~atomic->winners;

	step->name = "BRA";
	step->ready =
		now + unit->issue_cycles - 1 + (is_wide(atomic) ? p->loop_wide_cycles : 0);
	atomic->round++;
	if (!back) {
		step->ready += p->loop_exit_cycles;
		step->done = true;
		atomic_end(unit, atomic);
		return;
	}
	step->retry = true;
	if (!atomic->winners) {
		step->ready += p->loop_retry_cycles;
	} else if (!atomic->left_first) {
		step->ready += p->loop_split_cycles;
	} else {
		step->ready += atomic->switched ? p->loop_retry_cycles : p->loop_switch_cycles;
		atomic->switched = true;
	}
	if (atomic->winners) {
		atomic->left_first =
			__builtin_popcount(atomic->winners) > __builtin_popcount(back);
		step->ready += atomic->left_first ? p->loop_leave_cycles : 0;
	}
	atomic->pending = back;
}

static void step(AtomicUnit *unit, Atomic *atomic, Cycle now, Step *step)
{
	*step = (Step){.start = now, .retry = atomic->round > 0};
	switch (atomic->phase) {
	case PHASE_LOAD:
		if (atomic->round == 0) {
			atomic_begin(unit, atomic);
			atomic->worst_read_bank = 0;
			atomic->left_first = atomic->switched = false;
		}
		load(unit, atomic, now, step);
		atomic->phase = PHASE_OPERATION;
		break;
	case PHASE_OPERATION:
		step->name = "OP";
		step->ready = now + unit->parameters->operation_cycles;
		atomic->phase = PHASE_SWAP;
		break;
	case PHASE_SWAP:
		swap(unit, atomic, now, step);
		atomic->phase = PHASE_BRANCH;
		break;
	default:
		branch(unit, atomic, now, step);
		atomic->phase = PHASE_LOAD;
	}
}

const Mechanism mechanism_cas_loop = {
	.name = "cas-loop",
	.summary =
		"float and 64-bit today: load, operate, compare-and-swap, retried until done",
	.step = step,
};
