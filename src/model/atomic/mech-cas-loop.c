/* SPDX-License-Identifier: MIT */
/*
 * Mechanism `cas-loop`: float and 64-bit operations of current GPUs, a loop of compare-and-swaps.
 *
 *	loop:	LDS	R, [A]			read the word
 *		FADD	S, R, v			the operation
 *		ATOMS.CAST.SPIN	T, [A], R, S	store S if the word still is R
 *		ISETP, BRA loop			lanes that failed go back
 *
 * Of 64 bits integers take two instructions to add, and the comparison two.
 *
 * Every rule is from our measurements of an H200 (measurements/h200; docs/validation/shared-atomics.md shows how well
 * each holds). A round is one iteration of the loop.
 * - LDS: passes of the different words, like any load; each further pass conflict_latency_cycles, 2.
 * - The swap lets one lane of each bank through, same word or not, the lowest that tries; one pass,
 *   at a compare-and-swap's pace. The others fail. With it the rounds of all 2,466 patterns of
 *   warp-latency.csv come out right, and with the highest lane they do not.
 * - Between warps nothing is locked: the swap fails if another warp has written the word since it was
 *   read (warp-throughput.csv: 32 words of distance cost nothing, the same words 13 times as much). What a swap
 *   stores is found by loads write_cycles after its start, so a warp fails that is up to 35 cycles behind another, 28
 *   of them from the load's issue to the swap's (swap-steps.csv).
 * - A failed round takes 82 cycles, load to load, one of which all lanes are done 92 (swap-steps.csv, warp-latency.csv).
 * - The branch. All lanes done: exit. All that tried failed: retry, the warp stays in one
 *   piece. Else the warp splits and the larger part runs first (pos/16 to pos/17: 38 cycles less when
 *   those who retry are as many as those who are done); then the retry's load comes split
 *   later. After a split at which more lanes went on than back (leave cycles more), the next
 *   split costs switch, the first time, and retry from then on. What the hardware does
 *   there is not published; these five cycle counts fit all patterns within a cycle of 100 to 4,000.
 * - 64-bit: the half warps go one after the other through 16 banks of double words, each with a lane a bank, and of
 *   one word in both halves the first half's lane wins; wide_operation and wide a round more, and halves if
 *   both halves take part. The median error is 0.8 %, the largest 4.4 %. The swap's registers are five, which take their
 *   time at the port, so what it stores is found as much later: a load 44 cycles behind another warp's still fails,
 *   one 55 behind does not (swap-wide.csv).
 * - Ideals: bank_conflicts, LDS takes a pass a group of lanes, and the swap lets one lane of each word through. same_word, it
 *   lets all lanes of the word through that the first lane of each bank has, and no write makes a swap fail.
 * Assumed: all words of an access are read at its first pass; of two swaps the one that is issued first is decided
 * first, even if the other reaches the banks before it.
 * - A swap compares values: one that leaves the word as it was, by adding 0, makes no other warp's fail (swap-order.csv:
 *   8 warps that all add 0 to a word need 1.0 rounds a success, 4 others beside 4 such as many as 4 alone; lanes
 *   of one warp wait for each other all the same). Known where the trace has the operands.
 * - An update (OPERATION_UPDATE) is such a loop in a program's own code, with ATOMS.CAS: its load is a record of its own, and what
 *   a lane found in a swap that failed is what it compares with next. The swap takes the lanes of a bank by turns, of one word, too, and
 *   the first of each word may succeed (cas-loops.csv: 8 warps on one word take 290 cycles a success, of the compiler's loop 90).
 * Not modelled: a word that others have changed and changed back.
 * Of designs that GPUs are not (retry, back_off_cycles): retry.c, cas-loop-reserve.c.
 */
#include <glib.h>

#include "model/atomic/cas-loop.h"

enum { PHASE_LOAD, PHASE_CARRY, PHASE_OPERATION, PHASE_SWAP, PHASE_COMPARE, PHASE_BRANCH };

/* Different words in the worst bank, of these lanes. */
static uint32_t degree(AtomicUnit *unit, const Atomic *atomic, CasLoopWarp *loop,
		       LaneMask lanes)
{
	uint32_t *stamps = unit->shared->stamps;
	const uint32_t stamp = shared_next_serial(unit->shared) << STAMP_SHIFT;
	uint8_t in_bank[SHARED_MAX_BANKS] = {0};
	uint32_t most = 0;

	for (LaneMask left = lanes; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left), word = atomic->word[lane],
			 bank;

		if (stamps[word] == stamp)
			continue;
		stamps[word] = stamp;
		bank = cas_loop_bank_of(unit, atomic, lane);
		if (++in_bank[bank] > most) {
			most = in_bank[bank];
			loop->worst_bank = unit->shared->table->bank_of[word];
		}
	}
	return unit->shared->ideals->bank_conflicts ? MIN(most, 1) : most;
}

static void load(AtomicUnit *unit, const Atomic *atomic, CasLoopWarp *loop, Cycle now,
		 Step *step)
{
	const SharedParameters *shared = unit->shared->parameters;
	SharedPasses passes = {.n_groups = 1, .passes = 1, .group_passes = {1}, .registers = 1};

	if (cas_loop_is_wide(atomic)) {
		passes.n_groups = passes.passes = 0;
		for (uint32_t g = 0; g < CAS_LOOP_N_GROUPS; g++) {
			uint32_t n = degree(unit, atomic, loop, cas_loop_group(loop->reads, g));

			if (n > 0)
				passes.group_passes[passes.n_groups++] = n;
			passes.passes += n;
		}
	} else {
		passes.passes = degree(unit, atomic, loop, loop->reads);
		passes.group_passes[0] = passes.passes;
	}
	passes.worst_bank = loop->worst_bank;
	step->name = "LDS";
	step->passes = passes.passes;
	step->start = shared_access_groups_slow(unit->shared, now, &passes, 1);
	loop->read_at = step->start;
	step->bank_cycles = unit->shared->bank_cycles;
	step->ready = step->start + shared->load_cycles + step->bank_cycles;
	unit->counters->rounds++;
}

/* Instructions that compare what the swap has brought. */
static uint32_t n_comparisons(const Atomic *atomic)
{
	return 1 + cas_loop_is_wide(atomic);
}

/* From the swap's result to the retry's load, where some lanes are not done. */
static uint32_t back_cycles(const CasLoopParameters *p, CasLoopWarp *loop, LaneMask back)
{
	uint32_t cycles = p->retry_cycles;

	if (!loop->winners)
		return cycles;
	cycles = p->diverged_retry_cycles;
	if (loop->left_first) {
		cycles = loop->switched ? p->minority_retry_cycles
					: p->minority_first_retry_cycles;
		loop->switched = true;
	}
	loop->left_first = __builtin_popcountll(loop->winners) > __builtin_popcountll(back);
	return cycles + (loop->left_first ? p->majority_exit_cycles : 0);
}

static void branch(const CasLoop *cas, AtomicUnit *unit, Atomic *atomic, CasLoopWarp *loop,
		   Cycle now, Step *step)
{
	const CasLoopParameters *p = cas->parameters;
	const LaneMask back = atomic->pending & ~loop->winners;
	const uint32_t compared = loop->compared * unit->issue_cycles;
	uint32_t cycles =
		unit->issue_cycles - 1 + (cas_loop_is_wide(atomic) ? p->cas_64bit_cycles : 0);

	step->name = "BRA";
	step->retry = back != 0;
	step->done = !back;
	cycles += back ? back_cycles(p, loop, back) : p->exit_cycles;
	step->ready = now + MAX(unit->issue_cycles, cycles - MIN(cycles, compared));
	atomic->round++;
	if (back)
		atomic->pending = back;
	else
		atomic_end(unit, atomic);
	if (G_UNLIKELY(cas->waits != NULL) && back)
		cas_loop_wait(cas, unit, atomic, loop, step);
}

static bool has_carry(const Atomic *atomic)
{
	return atomic->type == TYPE_U64 || atomic->type == TYPE_S64;
}

/* Of the last instruction of the operation, of all together as operation_cycles says. */
static uint32_t operation_cycles(const CasLoopParameters *p, const AtomicUnit *unit,
				 const Atomic *atomic)
{
	uint32_t all = p->operation_cycles +
		       (cas_loop_is_wide(atomic) ? p->operation_64bit_cycles : 0);
	uint32_t before = has_carry(atomic) ? unit->issue_cycles : 0;

	return MAX(unit->issue_cycles, all - MIN(all, before));
}

static void begin(CasLoop *cas, AtomicUnit *unit, Atomic *atomic, CasLoopWarp *loop, Cycle now)
{
	const uint32_t load_cycles = unit->shared->parameters->load_cycles;

	atomic_begin(unit, atomic);
	loop->worst_bank = 0;
	loop->left_first = loop->switched = false;
	loop->tries = 0;
	loop->read_at = now - MIN(now, load_cycles);
	if (cas->waits)
		retry_begin(cas->waits, atomic->slot);
}

/* The first instruction of the operation. */
static void operate_first(const CasLoop *cas, const AtomicUnit *unit, Atomic *atomic, Cycle now,
			  Step *step)
{
	step->name = "OP";
	step->ready =
		now + (has_carry(atomic) ? unit->issue_cycles
					 : operation_cycles(cas->parameters, unit, atomic));
	atomic->phase = has_carry(atomic) ? PHASE_OPERATION : PHASE_SWAP;
}

static void step(AtomicUnit *unit, void *state, Atomic *atomic, Cycle now, Step *step)
{
	CasLoop *cas = state;
	CasLoopWarp *loop = &cas->loops[atomic->slot];

	*step = (Step){.start = now, .retry = atomic->round > 0};
	switch (atomic->phase) {
	case PHASE_LOAD:
		if (atomic->round == 0)
			begin(cas, unit, atomic, loop, now);
		loop->compared = 0;
		loop->winners = 0;
		if (cas_loop_has_loaded(cas, atomic)) {
			loop->reads = loop->tries = atomic->pending;
			unit->counters->rounds++;
			operate_first(cas, unit, atomic, now, step);
			break;
		}
		if (cas_loop_reserves(cas))
			step->failed = cas_loop_reserve(cas, unit, atomic, loop, now);
		else
			loop->reads = loop->tries = atomic->pending;
		step->waiting = atomic->pending & ~loop->reads;
		load(unit, atomic, loop, now, step);
		if (!loop->tries)
			atomic->phase = PHASE_BRANCH;
		else
			atomic->phase = has_carry(atomic) ? PHASE_CARRY : PHASE_OPERATION;
		break;
	case PHASE_CARRY:
		step->name = "OP";
		step->ready = now + unit->issue_cycles;
		atomic->phase = PHASE_OPERATION;
		break;
	case PHASE_OPERATION:
		step->name = "OP";
		step->ready = now + operation_cycles(cas->parameters, unit, atomic);
		atomic->phase = PHASE_SWAP;
		break;
	case PHASE_SWAP:
		cas_loop_swap(cas, unit, atomic, loop, now, step);
		atomic->phase = PHASE_COMPARE;
		break;
	case PHASE_COMPARE:
		step->name = "SET";
		step->ready = now + unit->issue_cycles;
		if (++loop->compared == n_comparisons(atomic))
			atomic->phase = PHASE_BRANCH;
		break;
	default:
		branch(cas, unit, atomic, loop, now, step);
		atomic->phase = PHASE_LOAD;
	}
}

static void *new (const AtomicUnit *unit)
{
	CasLoop *cas = g_new0(CasLoop, 1);

	cas->parameters = unit->parameters->own[MECHANISM_cas_loop];
	cas->n_words = unit->shared->table->n_words;
	cas->written_at = g_new0(Cycle, cas->n_words);
	cas_loop_waits_init(cas, unit);
	return cas;
}

static void free_state(void *state)
{
	CasLoop *cas = state;

	g_clear_pointer(&cas->waits, retry_waits_free);
	g_free(cas->free_at);
	g_free(cas->written_at);
	g_free(cas);
}

const Mechanism mechanism_cas_loop = {
	.name = "cas-loop",
	.wants = WANTS_SAME,
	.summary =
		"float and 64-bit today: load, operate, compare-and-swap, retried until done",
	.keys = {"atomic.cas_loop", "Mechanism cas-loop", cas_loop_keys, N_CAS_LOOP_KEYS,
		 sizeof(CasLoopParameters), NULL},
	.rules = cas_loop_rules,
	.n_rules = N_CAS_LOOP_RULES,
	.costs = cas_loop_costs,
	.n_costs = N_CAS_LOOP_COSTS,
	.by_block = cas_loop_by_block,
	.new = new,
	.free = free_state,
	.step = step,
	.n_held = cas_loop_n_held,
	.snapshot = cas_loop_snapshot,
	.shift = cas_loop_shift,
};
