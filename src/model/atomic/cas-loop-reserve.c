/* SPDX-License-Identifier: MIT */
/*
 * Mechanism `cas-loop` of designs that no GPU is known to be (retry one-winner, fifo): a load reserves its word until the swap is through.
 *
 * - A word beside which a bit is set is reserved. LDS tries the words of its lanes: of the lanes of a word that is not reserved one reserves
 *   it and goes on to the swap. Where it is reserved, one lane fails (inter_position), and who waits is as retry.c says.
 * - Who has reserved a word is the only one to write it, so that its swap fails by its bank alone. It keeps the word, and tries again.
 * - The swap frees the word from when on loads find what it has stored.
 * - A warp that has reserved nothing by its load goes to the branch: no operation, no swap.
 * Assumed: the load finds out at its issue, at no further cost; a lane fails by the load as it would by the swap, and the branch back
 * takes as long.
 * The ideal same_word lets all lanes of a word through whatever the design.
 */
#include <glib.h>

#include "model/atomic/cas-loop.h"
#include "model/cost.h"

void cas_loop_waits_init(CasLoop *cas, const AtomicUnit *unit)
{
	const RetryParameters *p = &cas->parameters->retry;
	const uint32_t n_words = unit->shared->table->n_words;

	if ((p->who == RETRY_ALL && p->back_off_cycles == 0) || unit->shared->ideals->same_word)
		return;
	cas->free_at = g_new0(Cycle, n_words);
	cas->waits = retry_waits_new(p, &(RetryLocks){n_words, NULL, cas->free_at});
}

/* A lane asked for a word that is reserved, or for which others wait. */
static void fail(AtomicUnit *unit, const Atomic *atomic, uint32_t lane)
{
	unit->shared->failures[atomic->word[lane]]++;
	unit->counters->failures.inter_position++;
	unit->counters->attempts++;
	unit->counters->retries++;
}

/* One of the lanes `of_word` asks for it; the others wait. */
static void ask(CasLoop *cas, AtomicUnit *unit, const Atomic *atomic, CasLoopWarp *loop,
		LaneMask of_word, Cycle now)
{
	const uint32_t word = atomic->word[__builtin_ctzll(of_word)];
	const uint32_t head = retry_first_of(cas->waits, atomic, of_word, word);
	const uint32_t lane = head < MAX_LANES ? head : (uint32_t)__builtin_ctzll(of_word);
	LaneMask left = of_word;

	loop->reads |= UINT64_C(1) << lane;
	if (retry_is_free(cas->waits, atomic, lane, now)) {
		cas->free_at[word] = LOCK_HELD;
		retry_won(cas->waits, atomic, lane);
		loop->tries |= UINT64_C(1) << lane;
		left &= ~loop->tries;
	} else {
		fail(unit, atomic, lane);
	}
	for (; left; left &= left - 1)
		retry_wait(cas->waits, atomic, (uint32_t)__builtin_ctzll(left));
}

uint32_t cas_loop_reserve(CasLoop *cas, AtomicUnit *unit, const Atomic *atomic,
			  CasLoopWarp *loop, Cycle now)
{
	/* What it has reserved and not written: the others of its bank went first. */
	const LaneMask kept = loop->tries & atomic->pending;
	LaneMask left = retry_may_try(cas->waits, atomic, atomic->pending & ~kept, now),
		 of_word;

	if (!left && !kept) /* nobody may: the first finds out */
		left = atomic->pending & -atomic->pending;
	loop->tries = loop->reads = kept;
	for (; left; left &= ~of_word) {
		of_word = retry_lanes_of(cas->waits, atomic, left,
					 atomic->word[__builtin_ctzll(left)]);
		ask(cas, unit, atomic, loop, of_word, now);
	}
	return (uint32_t)__builtin_popcountll(loop->reads & ~loop->tries);
}

void cas_loop_free_words(CasLoop *cas, const AtomicUnit *unit, const Atomic *atomic,
			 const CasLoopWarp *loop, Cycle at)
{
	for (LaneMask left = loop->winners; left; left &= left - 1) {
		const uint32_t word = atomic->word[__builtin_ctzll(left)];

		cas->free_at[word] = at;
		retry_freed(cas->waits, unit, word, at);
	}
}

void cas_loop_wait(const CasLoop *cas, const AtomicUnit *unit, const Atomic *atomic,
		   const CasLoopWarp *loop, Step *step)
{
	/* Who has reserved a word tries again. */
	if (cas_loop_reserves(cas) && loop->tries & atomic->pending)
		return;
	step->ready = retry_next(cas->waits, unit, atomic, loop->winners != 0, step->ready);
	step->parked = step->ready == NEVER;
}

uint32_t cas_loop_n_held(const void *state)
{
	const CasLoop *cas = state;
	uint32_t n = 0;

	for (uint32_t word = 0; cas->waits && word < cas->n_words; word++)
		n += cas->free_at[word] == LOCK_HELD;
	return n;
}

/* What a back-off draws. */
bool cas_loop_by_block(const void *own)
{
	const CasLoopParameters *p = own;

	return p->retry.back_off_cycles > 0;
}

/* --- Its hardware --- */

static const RetryParameters *parameters(const CostMachine *machine)
{
	const CasLoopParameters *p = machine->atomic->own[MECHANISM_cas_loop];

	return &p->retry;
}

static void count_cost(const CostMachine *machine, CostPart *part)
{
	part->units = (uint64_t)machine->n_sms * machine->shared->banks;
	part->gates = (uint64_t)machine->weights->compare_gates * COST_WORD_BITS;
}

static void count_reserved(const CostMachine *machine, CostPart *part)
{
	const Retry who = parameters(machine)->who;

	if (who == RETRY_ALL)
		return;
	part->units = machine->n_sms;
	part->entries = part->bits = machine->shared->bytes / 4;
	if (who == RETRY_FIFO)
		part->bits +=
			part->entries * 2 * cost_index_bits(machine->n_warps * COST_LANES);
}

static void count_lanes(const CostMachine *machine, CostPart *part)
{
	retry_count_lanes(parameters(machine), machine, machine->shared->bytes / 4, part);
}

static void count_back_off(const CostMachine *machine, CostPart *part)
{
	retry_count_back_off(parameters(machine), machine, part);
}

const CostRow cas_loop_costs[N_CAS_LOOP_COSTS] = {
	{"compare-and-swap", "per bank; gates that compare a word (cas-loop)", count_cost},
	{"reserved words",
	 "per SM; a bit next to each word of shared memory, and of fifo first and last lane of "
	 "its queue (atomic.cas_loop.retry one-winner, fifo)",
	 count_reserved},
	{"lanes waiting for words",
	 "per SM; which of its lanes wait, and for which word (atomic.cas_loop.retry)",
	 count_lanes},
	{"compare-and-swap back-off",
	 "per SM; counters of its warps (atomic.cas_loop.back_off_cycles)", count_back_off},
};
