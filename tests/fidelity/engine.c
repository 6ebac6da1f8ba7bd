/* SPDX-License-Identifier: MIT */
/*
 * The event-driven engine against Algorithm 1: random patterns of all families on random machines,
 * one warp alone, every single latency compared. `make check` does some thousand patterns by runs
 * of their own; this does a million, a thousand in a run, which an observer takes apart.
 * usage: engine N-PATTERNS     prints patterns,machines,mismatches; exits 1 at a mismatch
 */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../list-source.h"
#include "../random-words.h"
#include "model/atomic/algorithm1.h"
#include "sim/run/run.h"

#define N_WORDS	    8192u /* of the warp's block: 32 KiB */
#define N_PER_RUN   1000
#define N_FERMI_OF  2 /* every second machine is Fermi with another winner rule */
#define SEED	    2013
#define MAX_REPORTS 10

typedef struct {
	Observer observer;
	const Machine *machine;
	uint32_t n_atomics;
	gboolean in_atomic; /* one is in flight */
	uint32_t pending;   /* its lanes still to do */
	Cycle begin;
	uint64_t n_checked, n_mismatches;
} Checker;

static void compare(Checker *checker, const Instruction *instruction)
{
	uint32_t words[TRACE_MAX_LANES];
	const Record *record = instruction->record;
	Cycle found = instruction->ready - checker->begin;
	ClosedForm expected;

	for (uint32_t i = 0; i < record->n_lanes; i++)
		words[i] = instruction->base_word + record->address[i] / 4;
	algorithm1(&checker->machine->atomic, &checker->machine->shared,
		   &checker->machine->ideal, words, record->n_lanes,
		   winner_salt(SEED, 0, 0, checker->n_atomics), &expected);
	checker->n_atomics++;
	checker->n_checked++;
	if (found == expected.cycles)
		return;
	if (checker->n_mismatches++ < MAX_REPORTS)
		fprintf(stderr, "engine: %u lanes from word %u: %u cycles found, %u expected\n",
			record->n_lanes, words[0], (unsigned)found, (unsigned)expected.cycles);
}

/* An atomic ends with the branch behind the store of its last lanes. */
static void on_instruction(Observer *base, const Instruction *instruction)
{
	Checker *checker = (Checker *)base;

	if (instruction->record->kind != RECORD_ATOM)
		return;
	if (!checker->in_atomic) {
		checker->in_atomic = TRUE;
		checker->begin = instruction->issue;
		checker->pending = UINT32_MAX >> (32 - instruction->record->n_lanes);
	}
	checker->pending &= ~instruction->winners;
	if (checker->pending == 0 && strcmp(instruction->name, "BRA") == 0) {
		compare(checker, instruction);
		checker->in_atomic = FALSE;
	}
}

static HashSpec random_hash(GRand *rand, uint32_t n_bits)
{
	static const char *const names[] = {"mod", "xor", "ipoly", "matrix"};
	HashSpec hash = {.name = names[g_rand_int_range(rand, 0, 4)]};

	if (g_str_equal(hash.name, "matrix")) {
		hash.n_rows = n_bits;
		for (uint32_t i = 0; i < n_bits; i++)
			hash.rows[i] = 1u << i | (g_rand_int(rand) & 0x1fff);
	}
	return hash;
}

static Machine random_machine(GRand *rand)
{
	uint32_t lock_bits = (uint32_t)g_rand_int_range(rand, 3, 13);
	uint32_t bank_bits = (uint32_t)g_rand_int_range(rand, 2, 7);
	Machine machine = list_fermi();

	list_lock_bits(&machine)->winner =
		(WinnerRule)g_rand_int_range(rand, 0, N_WINNER_RULES);
	if (g_rand_int_range(rand, 0, N_FERMI_OF) == 0)
		return machine;
	machine.atomic.locks = 1u << lock_bits;
	machine.shared.banks = 1u << bank_bits;
	machine.atomic.lock_hash = random_hash(rand, lock_bits);
	machine.shared.bank_hash = random_hash(rand, bank_bits);
	list_lock_bits(&machine)->lk_cycles = (uint32_t)g_rand_int_range(rand, 2, 70);
	machine.sm.schedulers = (uint32_t)g_rand_int_range(rand, 1, 5);
	machine.sm.scheduler = schedulers[g_rand_int_range(rand, 0, 3)];
	return machine;
}

static void check_run(GRand *rand, Checker *checker)
{
	g_autoptr(ListSource) list = list_source_new(1, 1, N_WORDS * 4);
	Machine machine = random_machine(rand);
	SimRequest request = {.machine = &machine,
			      .source = &list->source,
			      .seed = SEED,
			      .n_threads = 1,
			      .observer = &checker->observer};
	uint64_t goal = checker->n_checked + N_PER_RUN;
	SimResult result;

	for (int i = 0; i < N_PER_RUN; i++) {
		uint32_t words[TRACE_MAX_LANES];
		uint32_t n = i % 3 ? TRACE_MAX_LANES : (uint32_t)g_rand_int_range(rand, 1, 33);
		Record record;

		random_words(rand, i % N_PATTERN_FAMILIES, N_WORDS, words, n);
		record = list_record(RECORD_ATOM, words, n);
		list_source_append(list, 0, 0, &record);
	}
	checker->machine = &machine;
	checker->n_atomics = 0;
	sim_run(&request, &result);
	g_assert_cmpint(result.status, ==, SIM_OK);
	g_assert_cmpuint(checker->n_checked, ==, goal);
}

int main(int argc, char **argv)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(SEED);
	Checker checker = {.observer = {.instruction = on_instruction}};
	long n_patterns = argc == 2 ? strtol(argv[1], NULL, 10) : 0;

	if (n_patterns <= 0) {
		fprintf(stderr, "usage: engine N-PATTERNS\n");
		return 2;
	}
	while (checker.n_checked < (uint64_t)n_patterns)
		check_run(rand, &checker);
	printf("patterns,machines,mismatches\n%lu,%lu,%lu\n", (unsigned long)checker.n_checked,
	       (unsigned long)checker.n_checked / N_PER_RUN,
	       (unsigned long)checker.n_mismatches);
	return checker.n_mismatches > 0;
}
