/* SPDX-License-Identifier: MIT */
/*
 * Mechanism `native`: the banks operate on the word themselves (integers, since Maxwell).
 *
 * One warp instruction, ATOMS; no lock, no retry, no branch. Every rule is from our measurements of
 * an H200 (measurements/h200; docs/how-right.md shows how well each holds):
 * - A bank does one lane's read-modify-write in a pass, of the same word or not: the passes are the
 *   most lanes in one bank. warp-latency.csv, iadd_ret, exch_ret, imax_ret: 2 cycles for each further
 *   lane, exact for all patterns; and nothing for a further word beside a further lane.
 * - A compare-and-swap takes twice as long in each pass (native_cas_passes): cas_ret, 4 cycles.
 * - An add of 1 without result (which a compiler makes ATOMS.POPC.INC) first counts the lanes of each
 *   word: its passes are those of a store. inc_noret. An add whose values the trace does not hold is
 *   taken for one, votes and histograms being what adds without result are for.
 * - Latency to the result: native_cycles, native_cas_cycles, and t_bank for each further pass.
 * - Nobody waits for an operation without result: iadd_noret is issued as fast as the port, and then
 *   the queue, takes it (sm.scoreboard, shared.port_cycles, shared.queue).
 * - Warps meet in the banks only: warp-throughput.csv has the same figures for shift_words 0 and 32.
 * Counted: lanes that wait for another lane of their warp are no failures; each lane succeeds at
 * its first attempt.
 * Not modelled: 64-bit exchange and compare-and-swap count the passes of their first words.
 */
#include "model/mechanism.h"

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
	return unit->shared->parameters->conflict_free ? 1 : most;
}

static void step(AtomicUnit *unit, Atomic *atomic, Cycle now, Step *step)
{
	const AtomicParameters *p = unit->parameters;
	const bool cas = atomic->operation == OPERATION_CAS;
	const bool merged = atomic->increment && p->native_merge;
	const uint32_t times = cas ? p->native_cas_passes : 1;
	uint32_t worst_bank = 0, passes;

	atomic_begin(unit, atomic);
	passes =
		merged ? shared_degree(unit->shared, atomic->word, atomic->n_lanes, &worst_bank)
		       : crowded_bank(unit, atomic, &worst_bank);
	*step = (Step){
		.name = "ATOMS", .passes = passes, .winners = atomic->pending, .done = true};
	step->start = shared_access_slow(unit->shared, now, passes, worst_bank, times, times);
	step->bank_cycles = unit->shared->bank_cycles;
	step->ready = step->start + step->bank_cycles +
		      (cas ? p->native_cas_cycles : p->native_cycles);

	unit->counters->rounds++;
	unit->counters->attempts += atomic->n_lanes;
	unit->counters->successes += atomic->n_lanes;
	atomic->round = 1;
	atomic_end(unit, atomic);
}

const Mechanism mechanism_native = {
	.name = "native",
	.summary = "integers since Maxwell: the banks operate, a lane of each bank in a pass",
	.in_flight = true,
	.step = step,
};
