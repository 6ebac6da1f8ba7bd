/* SPDX-License-Identifier: MIT */
/*
 * Mechanism `native`: the banks operate on the word themselves (integers, since Maxwell).
 *
 * One warp instruction, ATOMS; no lock, no retry, no branch. Every rule is from our measurements of
 * an H200 (measurements/h200; docs/validation/shared-atomics.md shows how well each holds):
 * - A bank does one lane's read-modify-write in a pass, of the same word or not: the passes are the
 *   most lanes in one bank. warp-latency.csv, iadd_ret, exch_ret, imax_ret: 2 cycles for each further
 *   lane, exact for all patterns; and nothing for a further word beside a further lane.
 * - A compare-and-swap takes twice as long in each pass (cas_passes): cas_ret, 4 cycles.
 * - An add of 1 without result (which a compiler makes ATOMS.POPC.INC) first counts the lanes of each
 *   word: its passes are those of a store. inc_noret, and shared-passes.csv, one warp: exact for all operations
 *   and patterns. The trace's data flow distinguishes it from other adds (it has no operand), else the
 *   values do; an add of which the trace holds neither is taken for one, votes and histograms being what adds
 *   without result are for.
 * - Hypothetical, off by default: the bank merges the lanes of a word for any operation that commutes and whose results nobody
 *   uses, as it does for increments (merge_operations).
 * - Latency to the result: cycles, cas_cycles, and conflict_latency_cycles for each further pass.
 * - Nobody waits for an operation without result: iadd_noret is issued as fast as the port, and then
 *   the queue, takes it (sm.scoreboard, shared.scheduler_port_cycles, shared.queue).
 * - Warps meet in the banks only: warp-throughput.csv has the same figures for shift_words 0 and 32.
 * Counted: lanes that wait for another lane of their warp are no failures; each lane succeeds at
 * its first attempt.
 * Ideal bank_conflicts: the passes are the most lanes of one word; same_word: those of a store.
 * Not modelled: with several warps the GPU counts up to half a pass more for each store, add or exchange whose lanes meet
 * in a bank or a word (shared-passes.csv, other ones each time; twice as many for a compare-and-swap and more).
 * 64-bit exchange and compare-and-swap count the passes of their first words.
 */
#include "model/atomic/combiner.h"
#include "model/atomic/mechanism.h"
#include "model/cost.h"

#include <glib.h>

typedef struct {
	uint32_t cycles;     /* issue to result, one lane a bank */
	uint32_t cas_cycles; /* the same of a compare-and-swap */
	uint32_t cas_passes; /* a lane's compare-and-swap in passes of another operation */
	uint32_t merge_increments; /* 1: adds of 1 without result merge lanes of one word; */
	uint32_t merge_operations; /* 1: so does whatever may be combined */
} Native;

/* Most lanes in one bank. */
static uint32_t crowded_bank(const AtomicUnit *unit, const Atomic *atomic, uint32_t *worst_bank)
{
	const uint16_t *bank_of = unit->shared->table->bank_of;
	uint8_t in_bank[SHARED_MAX_BANKS] = {0};
	uint32_t most = 0;

	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		uint32_t bank = bank_of[atomic->word[lane]];

		if (++in_bank[bank] > most) {
			most = in_bank[bank];
			*worst_bank = bank;
		}
	}
	return most;
}

/* Most lanes of one word. */
static uint32_t crowded_word(const uint32_t *words, uint32_t n_lanes)
{
	uint32_t most = 0;

	for (uint32_t lane = 0; lane < n_lanes; lane++) {
		uint32_t n = 0;

		for (uint32_t other = 0; other < n_lanes; other++)
			n += words[other] == words[lane];
		most = MAX(most, n);
	}
	return most;
}

/* Passes where lanes of one word do not merge. */
static uint32_t passes_of(const AtomicUnit *unit, const Atomic *atomic, uint32_t *worst_bank)
{
	const Ideals *ideals = unit->shared->ideals;

	if (ideals->same_word && !atomic->tries_lock)
		return shared_degree(unit->shared, atomic->word, atomic->n_lanes, worst_bank);
	if (ideals->bank_conflicts)
		return crowded_word(atomic->word, atomic->n_lanes);
	return crowded_bank(unit, atomic, worst_bank);
}

static uint32_t n_words(const Atomic *atomic)
{
	uint32_t n = 0;

	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		uint32_t before = 0;

		while (atomic->word[before] != atomic->word[lane])
			before++;
		n += before == lane;
	}
	return n;
}

/* Address, comparison and new value. Without data flow the port's time stands for the instructions between two
   of them, too. */
static uint32_t cas_registers(const AtomicUnit *unit)
{
	return unit->dataflow ? 3 : 4;
}

static void step(AtomicUnit *unit, void *state, Atomic *atomic, Cycle now, Step *step)
{
	const Native *p = unit->parameters->own[MECHANISM_native];
	const bool cas = atomic->operation == OPERATION_CAS;
	const bool merged =
		(atomic->increment && p->merge_increments) ||
		(p->merge_operations &&
		 combiner_refuses(atomic->operation, atomic->result) == COMBINE_MAY);
	const uint32_t times = cas ? p->cas_passes : 1;
	uint32_t worst_bank = 0, passes;

	(void)state;
	atomic_begin(unit, atomic);
	passes =
		merged ? shared_degree(unit->shared, atomic->word, atomic->n_lanes, &worst_bank)
		       : passes_of(unit, atomic, &worst_bank);
	*step = (Step){
		.name = "ATOMS", .passes = passes, .winners = atomic->pending, .done = true};
	if (merged && p->merge_operations)
		unit->bank_merged = atomic->n_lanes - n_words(atomic);
	step->start = shared_access_slow(unit->shared, now, passes, worst_bank, times,
					 cas ? cas_registers(unit) : 2);
	step->bank_cycles = unit->shared->bank_cycles;
	step->ready = step->start + step->bank_cycles + (cas ? p->cas_cycles : p->cycles);

	unit->counters->rounds++;
	unit->counters->attempts += atomic->n_lanes;
	unit->counters->successes += atomic->n_lanes;
	atomic->round = 1;
	atomic_end(unit, atomic);
}

static void closed_form(const AtomicParameters *parameters, const SharedParameters *shared,
			const Ideals *ideals, const ClosedFormAtomic *atomic,
			ClosedForm *result)
{
	const Native *p = parameters->own[MECHANISM_native];
	const bool cas = atomic->operation == OPERATION_CAS;
	uint32_t in_bank[SHARED_MAX_BANKS] = {0}, most = 0;
	Hash hash;

	hash_build(&shared->bank_hash, shared->banks, &hash);
	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		uint32_t n = ++in_bank[hash_apply(&hash, atomic->words[lane])];

		most = MAX(most, n);
	}
	if (ideals->same_word ||
	    (p->merge_operations &&
	     combiner_refuses(atomic->operation, atomic->result) == COMBINE_MAY) ||
	    (p->merge_increments && atomic_may_increment(atomic->operation, atomic->result)))
		most = closed_form_degree(shared, ideals, atomic->words, atomic->n_lanes);
	else if (ideals->bank_conflicts)
		most = crowded_word(atomic->words, atomic->n_lanes);
	closed_form_one_round(result, atomic->n_lanes, cas ? p->cas_cycles : p->cycles, most,
			      shared->conflict_latency_cycles * (cas ? p->cas_passes : 1));
}

#define CYCLES(field, was)                                                                     \
	.path = "atomic.native." #field, .formerly = was, KEY_CYCLES(Native, field, 1)
#define NUMBER(field, was, from, to)                                                           \
	.path = "atomic.native." #field, .formerly = was, KEY_NUMBER(Native, field, from, to)

static const Key keys[] = {
	{CYCLES(cycles, "atomic.native_cycles"), .default_value = "27",
	 .doc = "Latency of an atomic, from issue to result, with at most one lane a bank.",
	 .measured_on = "NVIDIA H200",
	 .source = KEY_H200 ": warp-latency.csv, iadd_ret, pos/1"},
	{CYCLES(cas_cycles, "atomic.native_cas_cycles"), .default_value = "31",
	 .doc = "Latency of a compare-and-swap, from issue to result, with at most one lane a "
		"bank.",
	 .measured_on = "NVIDIA H200", .source = KEY_H200 ": warp-latency.csv, cas_ret, pos/1"},
	{NUMBER(cas_passes, "atomic.native_cas_passes", 1, 16), .default_value = "2",
	 .doc = "Time of a pass of a compare-and-swap, in passes of other accesses.",
	 .measured_on = "NVIDIA H200", .source = KEY_H200 ": warp-latency.csv, cas_ret"},
	{NUMBER(merge_increments, "atomic.native.merge atomic.native_merge", 0, 1),
	 .default_value = "0",
	 .doc = "Merging of increments. 1: lanes that add 1 to one word, without using the "
		"result, are merged.",
	 .neutral = true, .source = "Fermi has no such instruction"},
	{NUMBER(merge_operations, NULL, 0, 1), .default_value = "0",
	 .doc = "Merging of operations. 1: lanes of one word are merged at the bank, for any "
		"operation that commutes and whose results the program does not use.",
	 .neutral = true, .source = "no GPU is known to have that but for increments"},
};

static const MechanismRule rules[] = {
	{{"atomic.native.cycles", "sm.issue_cycles", "shared.pass_cycles"}, NULL},
	{{"atomic.native.cas_cycles", "sm.issue_cycles", "shared.pass_cycles"}, NULL},
};

static void count_cost(const CostMachine *machine, CostPart *part)
{
	part->units = (uint64_t)machine->n_sms * machine->shared->banks;
	part->gates = (uint64_t)machine->weights->integer_gates * COST_WORD_BITS;
}

static void count_merge(const CostMachine *machine, CostPart *part)
{
	const Native *p = machine->atomic->own[MECHANISM_native];

	if (!p->merge_operations)
		return;
	part->units = (uint64_t)machine->n_sms * machine->shared->banks;
	part->gates =
		(COST_LANES - 1) * (uint64_t)machine->weights->integer_gates * COST_WORD_BITS;
}

static const CostRow costs[] = {
	{"integer units", "per bank; gates that do all integer atomics on a word (native)",
	 count_cost},
	{"merge, banks",
	 "per bank; a tree of 31 such units for the lanes of a word "
	 "(atomic.native.merge_operations)",
	 count_merge},
};

const Mechanism mechanism_native = {
	.name = "native",
	.summary = "integers since Maxwell: the banks operate, a lane of each bank in a pass",
	.keys = {"atomic.native", "Mechanism native", keys, G_N_ELEMENTS(keys), sizeof(Native),
		 NULL},
	.rules = rules,
	.n_rules = G_N_ELEMENTS(rules),
	.costs = costs,
	.n_costs = G_N_ELEMENTS(costs),
	.in_flight = true,
	.wants = WANTS_INCREMENT,
	.step = step,
	.closed_form = closed_form,
};
