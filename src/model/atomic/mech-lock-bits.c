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
 * - Ideals: bank_conflicts, LK and UL take a pass each. same_word, all lanes that try the word which gets a lock win
 *   with it, and so do those of other warps while it is held for that word. lock_aliases, each word has a lock of its own
 *   (model/shared/locks.h).
 * Of designs that Fermi is not (retry, back_off_cycles, ports, table): retry.c, lock-bits-waits.c.
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
#include <glib.h>

#include "model/atomic/algorithm1.h"
#include "model/atomic/lock-bits-tries.h"

enum { PHASE_LK, PHASE_OPERATION, PHASE_UL, PHASE_BRANCH };

/* Counts an LK of n_tried lanes, of which n_failed will try again. */
static inline void count_tries(AtomicUnit *unit, uint32_t n_tried, uint32_t n_failed)
{
	unit->counters->rounds++;
	unit->counters->attempts += n_tried;
	unit->counters->retries += n_failed;
	unit->counters->successes += n_tried - n_failed;
}

static void load_and_lock(LockBits *bits, AtomicUnit *unit, Atomic *atomic, Sorted *sorted,
			  Cycle now, Step *step)
{
	/* Known before its passes are. */
	Cycle start = shared_start(unit->shared, now);
	uint32_t passes;

	if (atomic->round == 0)
		atomic_begin(unit, atomic);
	lock_bits_try(bits, unit, atomic, sorted, start);
	if (unit->shared->ideals->bank_conflicts)
		sorted->read_passes = sorted->write_passes = 1;
	passes = sorted->read_passes;
	shared_access_at(unit->shared, now, start, passes, sorted->worst_read_bank);
	step->name = "LK";
	step->start = start;
	step->passes = passes;
	step->failed = sorted->n_failed;
	if (G_UNLIKELY(bits->waits))
		step->waiting = atomic->pending & ~sorted->words_pending;
	step->bank_cycles = unit->shared->bank_cycles;
	step->ready = start + bits->parameters->lk_cycles + step->bank_cycles;
	count_tries(unit, sorted->n_tried, sorted->n_failed);
	sorted->n_tried = sorted->n_failed;
}

static void store_and_unlock(LockBits *bits, AtomicUnit *unit, Atomic *atomic, Sorted *sorted,
			     Cycle now, Step *step)
{
	const LockBitsParameters *p = bits->parameters;
	uint32_t passes = sorted->write_passes;

	step->start = shared_access(unit->shared, now, passes, sorted->worst_write_bank);
	step->passes = passes;
	step->bank_cycles = unit->shared->bank_cycles;
	/* The branch that follows takes its issue slot out of t_base. */
	step->ready =
		step->start + step->bank_cycles + lock_bits_ul_cycles(p, unit->issue_cycles);
	step->winners = sorted->winners;
	lock_bits_release(bits, unit, atomic, sorted);
}

/* Of the branch back to LK. */
static uint32_t branch_cycles(const LockBits *bits, const AtomicUnit *unit)
{
	const LockBitsParameters *p = bits->parameters;

	return unit->issue_cycles + p->t_position_cycles - p->t_base_cycles;
}

/* Back to LK: lanes are left. */
static void next_round(Atomic *atomic, bool round_failed)
{
	atomic->round++;
	atomic->phase = PHASE_LK;
	atomic->round_failed = round_failed;
}

/* All that is left of a round that nobody won: operation and UL predicated off, and the branch. */
static Silent lost_round(const LockBits *bits, const AtomicUnit *unit, bool retry)
{
	const uint32_t issue = unit->issue_cycles;

	return silent_before(
		issue, retry,
		silent_before(issue, retry, silent_before(branch_cycles(bits, unit), true, 0)));
}

/* After LK: the operation, or, if nobody won, all that is left of the round, predicated off. */
static const SilentRun *run_on(const LockBits *bits, Atomic *atomic, const Sorted *sorted)
{
	const bool retry = atomic->round > 0;

	if (sorted->winners) {
		atomic->phase = PHASE_UL;
		atomic->round_failed = false;
		return &bits->operation[retry];
	}
	next_round(atomic, true);
	return &bits->lost[retry];
}

/* LK of a round after one that nobody won: what `sorted` has of that one holds for this one. */
static bool lose(AtomicUnit *unit, void *state, Atomic *atomic, Cycle now, LostRound *lost)
{
	LockBits *bits = state;
	SharedMemory *shared = unit->shared;
	const Sorted *sorted = bits->sorted[atomic->slot];
	Cycle start;

	start = shared_start(shared, now);
	if (!lock_bits_lose(bits, unit, atomic, sorted, start))
		return false;
	shared_access_at(shared, now, start, sorted->read_passes, sorted->worst_read_bank);
	count_tries(unit, sorted->n_tried, sorted->n_tried);
	atomic->round++;
	lost->start = start;
	lost->bank_cycles = shared->bank_cycles;
	lost->ready = start + bits->parameters->lk_cycles + lost->bank_cycles;
	lost->failed = sorted->n_tried;
	lost->silent = &bits->lost[true];
	return true;
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
		if (!bits->tells_all)
			step->silent = run_on(bits, atomic, sorted);
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
		if (bits->tells_all)
			return;
		if (atomic->pending) {
			next_round(atomic, false);
			step->silent = &bits->back;
		} else if (atomic->may_trail) {
			step->silent = &bits->on[step->retry];
			atomic->round++;
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
		next_round(atomic, false);
		step->ready = now + branch_cycles(bits, unit);
		if (bits->waits)
			step->ready = retry_next(bits->waits, unit, atomic,
						 sorted->winners != 0, step->ready);
		step->parked = step->ready == NEVER;
		step->retry = true;
	}
}

static void know_silent(LockBits *bits, const AtomicUnit *unit)
{
	const uint32_t issue = unit->issue_cycles;

	for (uint32_t retry = 0; retry < 2; retry++) {
		bits->operation[retry] = silent_run(
			silent_before(bits->parameters->operation_cycles, retry, 0), issue);
		bits->lost[retry] = silent_run(lost_round(bits, unit, retry), issue);
		bits->on[retry] =
			silent_run(silent_before(issue, retry, 0) | SILENT_TRAILS, issue);
	}
	bits->back = silent_run(silent_before(branch_cycles(bits, unit), true, 0), issue);
}

static void *new (const AtomicUnit *unit)
{
	const LockBitsParameters *p = unit->parameters->own[MECHANISM_lock_bits];
	LockBits *bits = g_new0(LockBits, 1);

	lock_bits_init(bits, unit);
	bits->tells_all = unit->watched || bits->waits ||
			  unit->issue_cycles > SILENT_MAX_CYCLES ||
			  p->operation_cycles > SILENT_MAX_CYCLES ||
			  unit->issue_cycles + p->t_position_cycles - p->t_base_cycles >
				  SILENT_MAX_CYCLES;
	if (!bits->tells_all)
		know_silent(bits, unit);
	return bits;
}

static void free_state(void *state)
{
	lock_bits_clear(state);
	g_free(state);
}

static void settle(AtomicUnit *unit, const void *state, const Atomic *atomic)
{
	const LockBits *bits = state;
	const uint64_t n_tries = atomic->round + (atomic->phase != PHASE_LK);
	const LaneMask winners = bits->sorted[atomic->slot]->winners;

	if (bits->waits) /* counts each at once */
		return;
	/* Winners' tries were counted when they won. */
	for (LaneMask left = atomic->pending & ~winners; left; left &= left - 1)
		unit->shared->failures[atomic->word[__builtin_ctzll(left)]] += n_tries;
}

/* winner_salt. */
static bool by_block(const void *own)
{
	const LockBitsParameters *p = own;

	return p->winner == WINNER_RANDOM || p->retry.back_off_cycles > 0;
}

static uint32_t cam_entries(const void *own)
{
	return lock_bits_cam_entries(own);
}

static void closed_form(const AtomicParameters *parameters, const SharedParameters *shared,
			const Ideals *ideals, const ClosedFormAtomic *atomic,
			ClosedForm *result)
{
	algorithm1(parameters, shared, ideals, atomic->words, atomic->n_lanes, atomic->salt,
		   result);
}

const Mechanism mechanism_lock_bits = {
	.name = "lock-bits",
	.summary = "Fermi: load-and-lock, store-and-unlock, retried until every lane has won",
	.keys = {"atomic.lock_bits", "Mechanism lock-bits", lock_bits_keys, N_LOCK_BITS_KEYS,
		 sizeof(LockBitsParameters), NULL},
	.rules = lock_bits_rules,
	.n_rules = N_LOCK_BITS_RULES,
	.costs = lock_bits_costs,
	.n_costs = N_LOCK_BITS_COSTS,
	.has_locks = true,
	.cam_entries = cam_entries,
	.by_block = by_block,
	.new = new,
	.free = free_state,
	.step = step,
	.lose = lose,
	.waits = lock_bits_waits,
	.n_held = lock_bits_n_held,
	.settle = settle,
	.snapshot = lock_bits_snapshot,
	.shift = lock_bits_shift,
	.closed_form = closed_form,
};
