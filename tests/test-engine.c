/* SPDX-License-Identifier: MIT */
/* The event-driven engine against Algorithm 1, a sequential oracle, and the laws of conservation. */
#include <glib.h>
#include <string.h>

#include "list-source.h"
#include "model/atomic/algorithm1.h"
#include "random-program.h"
#include "random-words.h"
#include "replay/launch-time.h"
#include "shipped.h"
#include "sim/run/run.h"

#define N_WORDS 8192u /* of a block in the tests: 32 KiB */

#define N_SITES 4

static void run_sites(const Machine *machine, ListSource *list, uint32_t n_threads,
		      Observer *observer, SimResult *result, HotSpot *sites)
{
	SimRequest request = {
		.machine = machine,
		.source = &list->source,
		.seed = 42,
		.n_threads = n_threads,
		.n_sites = N_SITES,
		.sites = sites,
		.observer = observer,
	};

	sim_run(&request, result);
}

static void run(const Machine *machine, ListSource *list, uint32_t n_threads,
		Observer *observer, SimResult *result)
{
	run_sites(machine, list, n_threads, observer, result, NULL);
}

static const char *random_hash(GRand *rand)
{
	guint n = 0;

	while (hash_kinds[n].name)
		n++;
	return hash_kinds[g_rand_int_range(rand, 0, (gint32)n)].name;
}

/* A table of locks: half of them bits. */
static void random_table(GRand *rand, LockBitsParameters *p, uint32_t n_banks)
{
	if (g_rand_boolean(rand))
		return;
	p->table = (LockTable)g_rand_int_range(rand, LOCK_TABLE_CAM, N_LOCK_TABLES);
	p->cam_entries = (uint32_t)g_rand_int_range(rand, 1, 50);
	if (p->table == LOCK_TABLE_BANK_CAM)
		p->cam_entries = n_banks * (uint32_t)g_rand_int_range(rand, 1, 4);
}

/* Who tries again when, what locks are kept in, and with how many ports: half of them as Fermi. */
static void random_design(GRand *rand, LockBitsParameters *p, uint32_t n_banks)
{
	if (g_rand_boolean(rand))
		return;
	p->retry.who = (Retry)g_rand_int_range(rand, 0, N_RETRIES);
	p->ports = (uint32_t)g_rand_int_range(rand, 0, 4);
	if (p->retry.who == RETRY_ALL)
		p->retry.back_off_cycles = (uint32_t)g_rand_int_range(rand, 0, 100);
	random_table(rand, p, n_banks);
}

/* A machine that differs from Fermi in what the literature leaves open and in its sizes. */
static Machine random_machine(GRand *rand)
{
	Machine machine = list_fermi();

	machine.atomic.locks = 1u << g_rand_int_range(rand, 3, 13);
	machine.shared.banks = 1u << g_rand_int_range(rand, 2, 7);
	machine.atomic.lock_hash.name = random_hash(rand);
	machine.shared.bank_hash.name = random_hash(rand);
	list_lock_bits(&machine)->winner =
		(WinnerRule)g_rand_int_range(rand, 0, N_WINNER_RULES);
	list_lock_bits(&machine)->lk_cycles = (uint32_t)g_rand_int_range(rand, 2, 70);
	random_design(rand, list_lock_bits(&machine), machine.shared.banks);
	machine.sm.schedulers = (uint32_t)g_rand_int_range(rand, 1, 5);
	machine.sm.scheduler = schedulers[g_rand_int_range(rand, 0, N_SCHEDULERS)];
	return machine;
}

/* One warp, one atomic, alone: cycles without the exit that follows. */
static void hold_against_closed_form(const Machine *machine, const uint32_t *words, uint32_t n)
{
	g_autoptr(ListSource) list = list_source_new(1, 1, N_WORDS * 4);
	Record record = list_record(RECORD_ATOM, words, n);
	const ClosedFormAtomic atomic = {.operation = record.operation,
					 .type = record.type,
					 .result = record.result,
					 .words = words,
					 .n_lanes = n,
					 .salt = winner_salt(42, 0, 0, 0)};
	ClosedForm expected;
	SimResult result;

	list_source_append(list, 0, 0, &record);
	run(machine, list, 1, NULL, &result);
	machine->atomic.mechanism->closed_form(&machine->atomic, &machine->shared,
					       &machine->ideal, &atomic, &expected);
	g_assert_cmpint(result.status, ==, SIM_OK);
	g_assert_cmpuint(result.statistics.cycles - machine->sm.issue_cycles, ==,
			 expected.cycles);
	g_assert_cmpuint(result.statistics.atomics.rounds, ==, expected.n_rounds);
	g_assert_cmpuint(result.statistics.warp_cycles[STATE_BANK], ==, expected.bank_cycles);
}

static void one_warp_alone_costs_exactly_algorithm_1_on_fermi(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);
	Machine fermi = list_fermi();
	uint32_t words[32];

	for (int trial = 0; trial < 14000 / (int)test_share(); trial++) {
		uint32_t n = trial % 3 ? 32 : (uint32_t)g_rand_int_range(rand, 1, 33);

		random_words(rand, trial % N_PATTERN_FAMILIES, N_WORDS, words, n);
		hold_against_closed_form(&fermi, words, n);
	}
}

/* Half of the machines have some of those that closed forms know. */
static void random_ideals(GRand *rand, Machine *machine)
{
	for (unsigned i = IDEAL_bank_conflicts; i <= IDEAL_lock_aliases; i++)
		if (g_rand_int_range(rand, 0, 5) == 0)
			ideals_set(&machine->ideal, i);
}

static void one_warp_alone_costs_what_each_closed_form_says(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);
	uint32_t words[32];

	for (const Mechanism *const *m = mechanisms; *m; m++)
		for (int trial = 0; (*m)->closed_form && trial < 500; trial++) {
			Machine machine = random_machine(rand);
			uint32_t n = (uint32_t)g_rand_int_range(rand, 1, 33);

			machine.atomic.mechanism = *m;
			random_ideals(rand, &machine);
			random_words(rand, trial % N_PATTERN_FAMILIES, N_WORDS, words, n);
			hold_against_closed_form(&machine, words, n);
		}
}

static void one_warp_alone_costs_exactly_algorithm_1_on_any_machine(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(2);
	uint32_t words[32];

	for (int trial = 0; trial < 7000 / (int)test_share(); trial++) {
		Machine machine = random_machine(rand);
		uint32_t n = (uint32_t)g_rand_int_range(rand, 1, 33);

		random_words(rand, trial % N_PATTERN_FAMILIES, N_WORDS, words, n);
		hold_against_closed_form(&machine, words, n);
	}
}

/* A word in each bank, whose locks lie anywhere: no lane wants another's word, so the ideal takes nothing away. */
static void words_that_nobody_shares_keep_their_ports(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(13);

	for (int trial = 0; trial < 40; trial++) {
		Machine machine = list_fermi();
		uint32_t words[32];

		for (uint32_t lane = 0; lane < 32; lane++)
			words[lane] = (uint32_t)g_rand_int_range(rand, 0, 120) * 32 + lane;
		machine.atomic.locks = 256;
		machine.atomic.lock_hash.name = "xor";
		list_lock_bits(&machine)->ports = 1;
		ideals_set(&machine.ideal, IDEAL_same_word);
		hold_against_closed_form(&machine, words, 32);
	}
}

static uint64_t sum(const uint64_t *values, size_t n)
{
	uint64_t total = 0;

	while (n--)
		total += values[n];
	return total;
}

static void check_laws(const SimResult *result, uint64_t lane_operations, uint64_t n_warps)
{
	const Statistics *s = &result->statistics;
	const AtomicCounters *a = &s->atomics;
	uint64_t failures = a->failures.intra_position + a->failures.intra_alias +
			    a->failures.inter_position + a->failures.inter_alias +
			    a->failures.full;

	g_assert_cmpint(result->status, ==, SIM_OK);
	g_assert_cmpuint(a->warp_instructions, ==, s->records[RECORD_ATOM]);
	g_assert_cmpuint(a->lane_operations, ==, lane_operations);
	g_assert_cmpuint(a->successes, ==, lane_operations);
	g_assert_cmpuint(a->attempts, ==, a->successes + failures);
	g_assert_cmpuint(a->retries, ==, failures);
	g_assert_cmpuint(sum(a->lock_degree, DEGREE_BINS), ==, a->warp_instructions);
	g_assert_cmpuint(s->shared.passes, ==, s->shared.accesses + s->shared.conflict_passes);
	g_assert_cmpuint(sum(s->shared.degree, DEGREE_BINS), ==, s->shared.accesses);
	g_assert_cmpuint(sum(s->warp_cycles, N_WARP_STATES), ==, s->resident_warp_cycles);
	g_assert_cmpuint(sum(s->records, N_RECORD_KINDS), ==, s->trace_records);
	g_assert_cmpuint(s->warps, ==, n_warps);
	g_assert_cmpuint(s->locks_set_at_end, ==, 0);
}

/* Final memory by replay: adds the lane's number + 1 where the engine says a lane's turn came. */
typedef struct {
	Observer observer;
	uint64_t *memory; /* [block * 4096 + word] */
	uint64_t lane_turns;
} Replay;

static void replay_instruction(Observer *base, const Instruction *instruction)
{
	Replay *replay = (Replay *)base;

	if (instruction->record->kind != RECORD_ATOM) /* the exchange of a spin lock */
		return;
	for (LaneMask left = instruction->winners; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left);
		uint32_t word = instruction->record->address[lane] / 4;

		replay->memory[instruction->block * 4096 + word] += lane + 1;
		replay->lane_turns++;
	}
}

static uint64_t sequential_oracle(const ListSource *list, uint64_t *memory)
{
	uint64_t lanes = 0;

	for (uint64_t block = 0; block < list->source.n_blocks; block++)
		for (uint32_t warp = 0; warp < list->n_warps; warp++) {
			const GArray *records = list->warps[block * list->n_warps + warp];

			for (guint i = 0; i < records->len; i++) {
				const Record *record = &g_array_index(records, Record, i);

				if (record->kind != RECORD_ATOM)
					continue;
				for (uint32_t lane = 0; lane < record->n_lanes; lane++)
					memory[block * 4096 + record->address[lane] / 4] +=
						lane + 1;
				lanes += record->n_lanes;
			}
		}
	return lanes;
}

/* A new plug-in is tested on the day it is listed: every hash, scheduler, mechanism, winner rule. */
static void every_combination_keeps_the_laws_and_the_final_memory(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(3);
	g_autofree uint64_t *expected = g_new(uint64_t, 5 * 4096);
	Replay replay = {.observer = {.instruction = replay_instruction},
			 .memory = g_new(uint64_t, 5 * 4096)};

	for (const Mechanism *const *m = mechanisms; *m; m++)
		for (const Scheduler *const *s = schedulers; *s; s++)
			for (const HashKind *h = hash_kinds; h->name; h++)
				for (int winner = 0; winner < N_WINNER_RULES; winner++) {
					g_autoptr(ListSource) list = random_program(
						rand, 5, 6, winner % 2 ? 32 : 64);
					Machine machine = list_fermi();
					uint32_t rows[10];
					SimResult result;

					machine.sm.count = 2;
					machine.atomic.mechanism = *m;
					if (winner % 2)
						list_run_ahead(&machine);
					if (winner / 2)
						machine.atomic.mechanism_f32 =
							machine.atomic.mechanism_64bit =
								&mechanism_cas_loop;
					list_lock_bits(&machine)->winner = (WinnerRule)winner;
					machine.sm.scheduler = *s;
					machine.atomic.lock_hash = machine.shared.bank_hash =
						(HashSpec){.name = h->name};
					for (int i = 0; i < 10; i++)
						rows[i] = 1u << i | 1u << (i + 3);
					memcpy(machine.atomic.lock_hash.rows, rows,
					       sizeof rows);
					memcpy(machine.shared.bank_hash.rows, rows,
					       sizeof rows);
					machine.atomic.lock_hash.n_rows = 10;
					machine.shared.bank_hash.n_rows = 5;
					memset(expected, 0, 5 * 4096 * sizeof *expected);
					memset(replay.memory, 0, 5 * 4096 * sizeof *expected);
					replay.lane_turns = 0;
					run(&machine, list, 1, &replay.observer, &result);
					check_laws(&result, sequential_oracle(list, expected),
						   30);
					g_assert_cmpuint(
						replay.lane_turns, ==,
						result.statistics.atomics.lane_operations);
					g_assert_cmpmem(replay.memory,
							5 * 4096 * sizeof *expected, expected,
							5 * 4096 * sizeof *expected);
				}
	g_free(replay.memory);
}

static void hold_spots_equal(const HotSpot *a, uint32_t n_a, const HotSpot *b, uint32_t n_b)
{
	g_assert_cmpuint(n_a, ==, n_b);
	for (uint32_t i = 0; i < n_a; i++) {
		g_assert_cmpuint(a[i].id, ==, b[i].id);
		g_assert_cmpuint(a[i].failures, ==, b[i].failures);
		g_assert_cmpuint(a[i].passes, ==, b[i].passes);
		g_assert_cmpuint(a[i].lane_operations, ==, b[i].lane_operations);
		g_assert_cmpuint(a[i].cycles, ==, b[i].cycles);
	}
}

static void hold_equal(const SimResult *a, const SimResult *b)
{
	g_assert_cmpint(a->status, ==, b->status);
	g_assert_cmpuint(a->blocks_done, ==, b->blocks_done);
	g_assert_cmpmem(&a->statistics, sizeof a->statistics, &b->statistics,
			sizeof b->statistics);
	hold_spots_equal(a->addresses, a->n_addresses, b->addresses, b->n_addresses);
	hold_spots_equal(a->locks, a->n_locks, b->locks, b->n_locks);
	hold_spots_equal(a->banks, a->n_banks, b->banks, b->n_banks);
}

/* The way of all designs against Fermi's own, which is another: with any number of ports, and with one beside each bank where
   a word's lock lies there. */
static void ports_that_are_never_short_change_nothing(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(11);

	for (int trial = 0; trial < 60; trial++) {
		g_autoptr(ListSource) list =
			random_program(rand, 5, 6, trial % 4 < 2 ? 32 : 64);
		Machine machine = random_machine(rand);
		LockBitsParameters *p = list_lock_bits(&machine);
		SimResult own, any;

		p->retry.who = RETRY_ALL;
		p->retry.back_off_cycles = 0;
		p->hold_cycles = trial % 3 ? 0 : 90;
		p->ports = 0;
		if (trial % 2) {
			machine.atomic.lock_hash.name = machine.shared.bank_hash.name = "mod";
			machine.atomic.locks = MAX(machine.atomic.locks, machine.shared.banks);
		}
		p->table = LOCK_TABLE_BITS;
		run(&machine, list, 1, NULL, &own);
		p->ports = trial % 2 ? 1 : MAX_LANES;
		run(&machine, list, 1, NULL, &any);
		hold_equal(&own, &any);
	}
}

/* A CAM of all words is a lock bit for each word; the more entries it has, the fewer lanes find it full, and no lane ever meets an alias. */
static void a_table_with_room_for_all_words_is_a_lock_for_each(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(14);
	uint64_t n_full = 0;

	for (int trial = 0; trial < 60; trial++) {
		g_autoptr(ListSource) list = random_program(rand, 5, 6, 32);
		Machine machine = random_machine(rand), cam;
		LockBitsParameters *p = list_lock_bits(&machine);
		SimResult bits, all, few;

		p->table = LOCK_TABLE_BITS;
		p->retry.who = (Retry)(trial % N_RETRIES);
		p->retry.back_off_cycles = trial % N_RETRIES == 0 ? (trial % 2) * 50 : 0;
		p->ports = 0;
		cam = machine;
		ideals_set(&machine.ideal, IDEAL_lock_aliases);
		run(&machine, list, 1, NULL, &bits);
		p->table = trial % 2 ? LOCK_TABLE_CAM : LOCK_TABLE_BANK_CAM;
		p->cam_entries = machine.shared.bytes / 4 * machine.shared.banks;
		run(&cam, list, 1, NULL, &all);
		all.n_locks = bits.n_locks = 0; /* of a CAM those are its words */
		hold_equal(&bits, &all);
		p->cam_entries = p->table == LOCK_TABLE_CAM ? 3 : machine.shared.banks;
		run(&cam, list, 1, NULL, &few);
		g_assert_cmpuint(few.statistics.atomics.failures.intra_alias, ==, 0);
		g_assert_cmpuint(few.statistics.atomics.failures.inter_alias, ==, 0);
		n_full += few.statistics.atomics.failures.full;
	}
	g_assert_cmpuint(n_full, >, 0);
}

/* Four words and two entries: two of the warp's words win in a round. */
static void a_full_table_makes_lanes_try_again(void)
{
	const uint32_t words[8] = {1, 2, 3, 4, 1, 2, 3, 4}, one[] = {1, 33, 65, 97};
	static const struct {
		LockTable table;
		uint32_t entries, n_full, rounds;
	} tables[] = {
		{LOCK_TABLE_CAM, 4, 0, 2},
		/* Of words 3 and 4 four lanes, and again; then two of each two. */
		{LOCK_TABLE_CAM, 2, 8, 4},
		{LOCK_TABLE_BANK_CAM, 32, 0, 2},
	};

	for (guint i = 0; i < G_N_ELEMENTS(tables); i++) {
		g_autoptr(ListSource) list = list_source_new(1, 1, 4096);
		Record record = list_record(RECORD_ATOM, words, 8);
		Machine machine = list_fermi();
		SimResult result;

		list_source_append(list, 0, 0, &record);
		list_lock_bits(&machine)->table = tables[i].table;
		list_lock_bits(&machine)->cam_entries = tables[i].entries;
		run(&machine, list, 1, NULL, &result);
		check_laws(&result, 8, 1);
		g_assert_cmpuint(result.statistics.atomics.failures.full, ==, tables[i].n_full);
		g_assert_cmpuint(result.statistics.atomics.rounds, ==, tables[i].rounds);
	}
	/* Of one bank: as many as it has entries, and without a queue of them. */
	for (Retry retry = 0; retry < N_RETRIES; retry++) {
		g_autoptr(ListSource) list = list_source_new(1, 1, 4096);
		Record record = list_record(RECORD_ATOM, one, 4);
		Machine machine = list_fermi();
		SimResult result;

		list_source_append(list, 0, 0, &record);
		list_lock_bits(&machine)->table = LOCK_TABLE_BANK_CAM;
		list_lock_bits(&machine)->cam_entries = 64;
		list_lock_bits(&machine)->retry.who = retry;
		run(&machine, list, 1, NULL, &result);
		check_laws(&result, 4, 1);
		g_assert_cmpuint(result.statistics.atomics.failures.full, ==, 2);
	}
}

static void every_design_keeps_the_laws(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(12);

	for (int trial = 0; trial < 90; trial++) {
		g_autoptr(ListSource) list = random_program(rand, 5, 6, 32);
		g_autofree uint64_t *memory = g_new0(uint64_t, 5 * 4096);
		Machine machine = random_machine(rand);
		SimResult result;

		machine.sm.count = 2;
		list_lock_bits(&machine)->retry.who = (Retry)(trial % N_RETRIES);
		if (trial % N_RETRIES != RETRY_ALL)
			list_lock_bits(&machine)->retry.back_off_cycles = 0;
		run(&machine, list, 1, NULL, &result);
		check_laws(&result, sequential_oracle(list, memory), 30);
	}
}

/* Warps in the order of their first tries, and of their turns. */
typedef struct {
	Observer observer;
	uint32_t asked[8], n_asked;
	uint32_t turns[64], n_turns;
} Queue;

static void note_turn(Observer *base, const Instruction *instruction)
{
	Queue *queue = (Queue *)base;

	if (instruction->round == 0 && strcmp(instruction->name, "LK") == 0)
		queue->asked[queue->n_asked++] = instruction->warp;
	for (LaneMask left = instruction->winners; left; left &= left - 1)
		queue->turns[queue->n_turns++] = instruction->warp;
}

/* Eight warps, each with four lanes that want one word, all of which ask at the warp's first try: in a queue all of a warp have their turns
   before any of one that asked later. */
static void a_queue_serves_in_the_order_of_asking(void)
{
	const uint32_t words[4] = {7, 7, 7, 7};
	Record record = list_record(RECORD_ATOM, words, 4);
	uint64_t attempts[N_RETRIES];

	for (Retry retry = 0; retry < N_RETRIES; retry++) {
		g_autoptr(ListSource) list = list_source_new(1, 8, 4096);
		Queue queue = {.observer = {.instruction = note_turn}};
		Machine machine = list_fermi();
		SimResult result;

		for (uint32_t warp = 0; warp < 8; warp++)
			list_source_append(list, 0, warp, &record);
		list_lock_bits(&machine)->retry.who = retry;
		run(&machine, list, 1, &queue.observer, &result);
		check_laws(&result, 32, 8);
		g_assert_cmpuint(queue.n_asked, ==, 8);
		g_assert_cmpuint(queue.n_turns, ==, 32);
		attempts[retry] = result.statistics.atomics.attempts;
		for (uint32_t i = 0; retry == RETRY_FIFO && i < 32; i++)
			g_assert_cmpuint(queue.turns[i], ==, queue.asked[i / 4]);
		/* One of a warp's lanes that want a lock tries. */
		if (retry != RETRY_ALL)
			g_assert_cmpuint(result.statistics.atomics.failures.intra_position, ==,
					 0);
	}
	g_assert_cmpuint(attempts[RETRY_FIFO], <=, 64);
	g_assert_cmpuint(attempts[RETRY_ONE_WINNER], <, attempts[RETRY_ALL]);
}

/* A warp that has lost waits longer each time, so it tries less often. */
static void backing_off_makes_fewer_tries(void)
{
	const uint32_t word = 7;
	Record record = list_record(RECORD_ATOM, &word, 1);
	uint64_t rounds[3];

	for (uint32_t i = 0; i < 3; i++) {
		g_autoptr(ListSource) list = list_source_new(1, 16, 4096);
		Machine machine = list_fermi();
		SimResult result;

		for (uint32_t warp = 0; warp < 16; warp++)
			list_source_append(list, 0, warp, &record);
		list_lock_bits(&machine)->retry.back_off_cycles = i == 0 ? 0 : 200;
		list_lock_bits(&machine)->retry.back_off_doublings = i == 1 ? 0 : 6;
		run(&machine, list, 1, NULL, &result);
		check_laws(&result, 16, 16);
		rounds[i] = result.statistics.atomics.rounds;
	}
	g_assert_cmpuint(rounds[1], <, rounds[0]);
	g_assert_cmpuint(rounds[2], <, rounds[1]);
}

/* The next atomic of a warp begins without the last one's lost rounds, and so does a block behind another. */
static void a_back_off_ends_with_its_atomic(void)
{
	const uint32_t word = 7;
	Record record = list_record(RECORD_ATOM, &word, 1);
	uint64_t cycles[2];

	for (uint32_t i = 0; i < 2; i++) {
		g_autoptr(ListSource) list = list_source_new(64, 2, 4096);
		Machine machine = list_fermi();
		SimResult result;

		for (uint32_t warp = 0; warp < 128; warp++)
			list_source_append(list, warp / 2, warp % 2, &record);
		machine.sm.count = machine.sm.max_blocks = 1;
		list_lock_bits(&machine)->retry.back_off_cycles = 64;
		list_lock_bits(&machine)->retry.back_off_doublings = i == 0 ? 0 : 6;
		run(&machine, list, 1, NULL, &result);
		check_laws(&result, 128, 128);
		cycles[i] = result.statistics.cycles;
	}
	g_assert_cmpuint(cycles[1], <, 2 * cycles[0]);
}

static void the_result_does_not_depend_on_the_number_of_threads(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(4);

	for (int trial = 0; trial < 20; trial++) {
		g_autoptr(ListSource) list = random_program(rand, 40, 9, 32);
		Machine machine = list_fermi();
		HotSpot of_one[N_SITES + 1], of_many[N_SITES + 1];
		SimResult one, many;

		machine.sm.count = 5;
		machine.sm.max_blocks = 2;
		list_lock_bits(&machine)->winner = WINNER_RANDOM;
		run_sites(&machine, list, 1, NULL, &one, of_one);
		run_sites(&machine, list, 4, NULL, &many, of_many);
		hold_equal(&one, &many);
		hold_spots_equal(of_one, N_SITES + 1, of_many, N_SITES + 1);
	}
}

static void blocks_share_the_lock_table_at_their_physical_addresses(void)
{
	/* Word 0 of the first block and word 0 of the second lie 4 KiB apart, on one lock; with 132
	   words a block they lie on different ones. */
	for (uint32_t bytes = 4096; bytes <= 4096 + 128; bytes += 128) {
		g_autoptr(ListSource) list = list_source_new(2, 1, bytes);
		Machine machine = list_fermi();
		uint32_t word = 0;
		Record record = list_record(RECORD_ATOM, &word, 1);
		SimResult result;

		machine.sm.count = 1;
		for (int i = 0; i < 50; i++) {
			list_source_append(list, 0, 0, &record);
			list_source_append(list, 1, 0, &record);
		}
		run(&machine, list, 1, NULL, &result);
		check_laws(&result, 100, 2);
		if (bytes == 4096)
			g_assert_cmpuint(result.statistics.atomics.failures.inter_alias, >, 0);
		else
			g_assert_cmpuint(result.statistics.atomics.retries, ==, 0);
	}
}

static void warps_wait_for_each_other_at_a_barrier(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 3, 0);
	Machine machine = list_fermi();
	Record work = list_plain(RECORD_ALU, 1000), bar = list_plain(RECORD_BAR, 0);
	SimResult result;

	list_source_append(list, 0, 1, &work);
	list_source_append(list, 0, 0, &bar);
	list_source_append(list, 0, 1, &bar); /* warp 2 ends without: it holds nobody up */
	run(&machine, list, 1, NULL, &result);
	check_laws(&result, 0, 3);
	g_assert_cmpuint(result.statistics.cycles, ==, 1000 * 22 + 2 + 22 + 2);
	g_assert_cmpuint(result.statistics.warp_cycles[STATE_BARRIER], >=, 1000 * 22);
}

static void blocks_wait_for_room(void)
{
	g_autoptr(ListSource) list = list_source_new(7, 2, 20000);
	Machine machine = list_fermi();
	Record work = list_plain(RECORD_ALU, 100);
	SimResult result;

	machine.sm.count = 1; /* two blocks of 20,000 bytes fit */
	for (uint64_t block = 0; block < 7; block++)
		list_source_append(list, block, 0, &work);
	run(&machine, list, 1, NULL, &result);
	check_laws(&result, 0, 14);
	g_assert_cmpuint(result.blocks_done, ==, 7);
	g_assert_cmpuint(result.statistics.cycles, >=, 4 * 2200 + 3 * 256);
	g_assert_cmpuint(result.statistics.cycles, <, 4 * 2200 + 3 * 256 + 64);
}

/* Not the last block that ended makes the room, but the one whose place is taken. */
static void a_block_starts_when_the_first_room_appeared(void)
{
	g_autoptr(ListSource) list = list_source_new(3, 1, 0);
	Machine machine = list_fermi();
	Record little = list_plain(RECORD_ALU, 10), much = list_plain(RECORD_ALU, 4000);
	SimResult result;

	machine.sm.count = 1;
	machine.sm.max_blocks = 2;
	machine.sm.dispatch_cycles = 1000000; /* both end within one window */
	list_source_append(list, 0, 0, &little);
	list_source_append(list, 1, 0, &much);
	list_source_append(list, 2, 0, &little);
	run(&machine, list, 1, NULL, &result);
	check_laws(&result, 0, 3);
	g_assert_cmpuint(result.statistics.cycles, ==, 222 + 1000000 + 222);
}

/* Blocks of one warp count and register count that an SM has room for, each scheduler with its part of the registers. */
static guint room_by_registers(const SmParameters *sm, guint registers, guint n_warps)
{
	guint each = 0, warps = 0;

	while (each < registers * 32)
		each += sm->register_allocation;
	for (guint left = sm->registers / sm->schedulers; left >= each; left -= each)
		warps += sm->schedulers;
	return MIN(MIN(warps, sm->max_warps) / n_warps, sm->max_blocks);
}

/* All blocks take equally long, and others come into their places a million cycles later: so many times as SMs fill. */
static void registers_limit_the_blocks_of_an_sm(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(31);
	guint n_limited = 0;

	for (guint trial = 0; trial < 200; trial++) {
		const guint n_warps = (guint)g_rand_int_range(rand, 1, 9);
		const guint n = (guint)g_rand_int_range(rand, 1, 60);
		const guint registers = (guint)g_rand_int_range(rand, 1, 256);
		g_autoptr(ListSource) list = list_source_new(n, n_warps, 0);
		Machine machine = list_fermi();
		Record work = list_plain(RECORD_ALU, 10);
		SimResult result;
		guint room;

		machine.sm.count = 1;
		machine.sm.schedulers = trial % 2 ? 2 : 4;
		machine.sm.register_allocation = trial % 3 ? 64 : 256;
		machine.sm.dispatch_cycles = 1000000;
		/* Half of them by what the trace says, half by a setting that it does not count against. */
		list->source.kernel.registers = trial % 4 < 2 ? registers : 255;
		machine.launch.registers = trial % 4 < 2 ? 0 : registers;
		for (guint warp = 0; warp < n * n_warps; warp++)
			list_source_append(list, warp / n_warps, warp % n_warps, &work);
		room = room_by_registers(&machine.sm, registers, n_warps);
		if (room == 0)
			continue;
		n_limited += room < MIN(machine.sm.max_warps / n_warps, machine.sm.max_blocks);
		run(&machine, list, 1, NULL, &result);
		check_laws(&result, 0, n * n_warps);
		g_assert_cmpuint(result.statistics.cycles / 1000000, ==,
				 (n + room - 1) / room - 1);
	}
	g_assert_cmpuint(n_limited, >, 50);
}

static void a_block_whose_registers_no_sm_has_is_refused(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 20, 0);
	Machine machine = list_fermi();
	SimResult result;

	for (guint registers = 0; registers <= 51; registers += 51) {
		list->source.kernel.registers = registers;
		run(&machine, list, 1, NULL, &result);
		g_assert_cmpint(result.status, ==, registers ? SIM_TOO_LARGE : SIM_OK);
	}
	g_assert_cmpstr(result.resource, ==, "registers");
	g_assert_cmpuint(result.needed, ==, 20 * 1664);
	g_assert_cmpuint(result.available, ==, 32768);
	machine.sm.registers = 0;
	run(&machine, list, 1, NULL, &result);
	g_assert_cmpint(result.status, ==, SIM_OK);
}

/* The GPU takes note of one end at a time, in their order, and only then comes another block into the room. */
static void ends_of_blocks_are_noted_one_by_one(void)
{
	const uint32_t n_sms = 4, n = 5 * 4, each = 700;
	g_autoptr(ListSource) list = list_source_new(n, 1, 0);
	Machine machine = list_fermi();
	Record work = list_plain(RECORD_ALU, 10);
	SimResult result;
	Cycle noted = 0, ends[5 * 4];

	machine.sm.count = n_sms;
	machine.launch.sms = n_sms;
	machine.sm.max_blocks = 2;
	machine.sm.block_end_mcycles = each * 1000;
	for (uint64_t block = 0; block < n; block++)
		list_source_append(list, block, 0, &work);
	run(&machine, list, 1, NULL, &result);
	check_laws(&result, 0, n);
	/* Two blocks of an SM take 222 cycles, one of them 2 longer for the other's first instruction; each later one comes 256 cycles
	   behind the note of an end. */
	for (uint32_t b = 0; b < n; b++) {
		const Cycle start = b < 2 * n_sms ? 0 : ends[b - 2 * n_sms];

		noted = MAX(noted, start + 222) + each;
		ends[b] = noted + 256;
	}
	g_assert_cmpuint(result.statistics.cycles, >=, ends[n - 1 - 2 * n_sms] + 222);
	g_assert_cmpuint(result.statistics.cycles, <, ends[n - 1 - 2 * n_sms] + 222 + 16);
	g_assert_cmpuint(result.statistics.first_block_end, ==, 222);
	machine.launch_ns = 1000;
	g_assert_cmpuint(launch_elapsed_cycles(&machine, &result.statistics), ==,
			 222 + n * each + 1544);
	machine.sm.block_end_mcycles = 0;
	g_assert_cmpuint(launch_elapsed_cycles(&machine, &result.statistics), ==,
			 result.statistics.cycles + 1544);
}

static void a_wait_for_the_own_conflicts_is_no_livelock(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 1, 4096);
	Machine machine = list_fermi();
	Record work = (Record){
		.kind = RECORD_LDG, .count = 32, .bytes = 128, .mask = 1, .n_lanes = 1};
	uint32_t words[32] = {0};
	Record record = list_record(RECORD_ATOM, words, 32);
	SimResult result;

	machine.sim.watchdog_cycles = 1000;
	machine.global.bandwidth_mb_per_s =
		500; /* the load takes far longer than the watchdog */
	list_source_append(list, 0, 0, &work);
	list_source_append(list, 0, 0, &record);
	run(&machine, list, 1, NULL, &result);
	check_laws(&result, 32, 1);
}

static void a_block_that_cannot_fit_is_named(void)
{
	g_autoptr(ListSource) wide = list_source_new(2, 49, 0),
			      large = list_source_new(2, 1, 50000);
	Machine machine = list_fermi();
	SimResult result;

	run(&machine, wide, 1, NULL, &result);
	g_assert_cmpint(result.status, ==, SIM_TOO_LARGE);
	g_assert_cmpstr(result.resource, ==, "warps");
	g_assert_cmpuint(result.needed, ==, 49);
	g_assert_cmpuint(result.available, ==, 48);
	run(&machine, large, 1, NULL, &result);
	g_assert_cmpint(result.status, ==, SIM_TOO_LARGE);
	g_assert_cmpstr(result.resource, ==, "shared bytes");
	g_assert_cmpuint(result.needed, ==, 50000);
	g_assert_cmpuint(result.available, ==, 49152);
}

static void a_spin_lock_lets_one_warp_in_at_a_time(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 8, 64);
	Machine machine = list_fermi();
	uint32_t word = 3;
	Record lock = list_record(RECORD_LOCK, &word, 1),
	       unlock = list_record(RECORD_UNLOCK, &word, 1);
	Record work = list_plain(RECORD_ALU, 100);
	SimResult result;

	for (uint32_t warp = 0; warp < 8; warp++) {
		list_source_append(list, 0, warp, &lock);
		list_source_append(list, 0, warp, &work);
		list_source_append(list, 0, warp, &unlock);
	}
	run(&machine, list, 1, NULL, &result);
	g_assert_cmpint(result.status, ==, SIM_OK);
	g_assert_cmpuint(result.statistics.cycles, >, 8 * 100 * 22);
	g_assert_cmpuint(result.statistics.records[RECORD_LOCK], ==, 8);
	g_assert_cmpuint(result.statistics.spin_attempts, >, 8);
	g_assert_cmpuint(result.statistics.spin_locks.warp_instructions, ==,
			 result.statistics.spin_attempts);
	check_laws(&result, 0, 8);
}

static void a_deadlock_ends_with_who_holds_what(void)
{
	/* Warp 0 takes 0 then 1, warp 1 takes 1 then 0, warp 2 waits at a barrier for both. */
	g_autoptr(ListSource) list = list_source_new(1, 3, 64);
	Machine machine = list_fermi();
	SimResult result;

	for (uint32_t warp = 0; warp < 2; warp++)
		for (uint32_t i = 0; i < 2; i++) {
			uint32_t word = warp ^ i;
			Record lock = list_record(RECORD_LOCK, &word, 1);

			list_source_append(list, 0, warp, &lock);
		}
	for (uint32_t warp = 0; warp < 3; warp++) {
		Record bar = list_plain(RECORD_BAR, 0);

		list_source_append(list, 0, warp, &bar);
	}
	run(&machine, list, 1, NULL, &result);
	g_assert_cmpint(result.status, ==, SIM_DEADLOCK);
	g_assert_cmpuint(result.n_blocked_warps, ==, 3);
	g_assert_cmpstr(result.blocked_warps[0].state, ==, "spin lock");
	g_assert_cmpuint(result.blocked_warps[0].word, ==, 1);
	g_assert_true(result.blocked_warps[0].has_holder);
	g_assert_cmpuint(result.blocked_warps[0].holder_warp, ==, 1);
	g_assert_cmpuint(result.blocked_warps[1].word, ==, 0);
	g_assert_cmpuint(result.blocked_warps[1].holder_warp, ==, 0);
	g_assert_cmpstr(result.blocked_warps[2].state, ==, "barrier");
}

static void a_lock_that_is_never_free_in_time_ends_as_a_livelock(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 2, 64);
	Machine machine = list_fermi();
	uint32_t word = 5;
	Record record = list_record(RECORD_ATOM, &word, 1);
	SimResult result;

	list_lock_bits(&machine)->hold_cycles = 1000000;
	machine.sim.watchdog_cycles = 10000;
	list_source_append(list, 0, 0, &record);
	list_source_append(list, 0, 1, &record);
	run(&machine, list, 1, NULL, &result);
	g_assert_cmpint(result.status, ==, SIM_LIVELOCK);
	g_assert_cmpuint(result.n_blocked_warps, ==, 1);
	g_assert_cmpstr(result.blocked_warps[0].state, ==, "lock bit");
	g_assert_cmpuint(result.blocked_warps[0].warp, ==, 1);
	g_assert_cmpuint(result.blocked_warps[0].word, ==, 5);
	g_assert_cmpuint(result.blocked_warps[0].holder_warp, ==, 0);
}

/* Greedy-then-oldest lets the oldest warps retry for ever and starves the one that holds the lock. */
static void gto_livelocks_when_enough_warps_retry_on_one_word_and_lrr_does_not(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 32, 64);
	Machine machine = list_fermi();
	uint32_t words[32] = {0};
	Record record = list_record(RECORD_ATOM, words, 32);
	SimResult result;

	machine.sim.watchdog_cycles = 100000;
	for (uint32_t warp = 0; warp < 32; warp++)
		for (int i = 0; i < 20; i++)
			list_source_append(list, 0, warp, &record);
	run(&machine, list, 1, NULL, &result);
	check_laws(&result, 32 * 20 * 32, 32);
	machine.sm.scheduler = &scheduler_gto;
	run(&machine, list, 1, NULL, &result);
	g_assert_cmpint(result.status, ==, SIM_LIVELOCK);
	g_assert_cmpuint(result.waiting, >, 1);
	g_assert_true(result.blocked_warps[0].has_holder);
	/* Lanes that are left waiting have been counted, too. */
	g_assert_cmpuint(result.n_addresses, ==, 1);
	g_assert_cmpuint(result.addresses[0].failures, ==, result.statistics.atomics.retries);
}

/* A run that is stopped midway. */
static bool stop(void *calls, uint64_t blocks_done, uint64_t n_blocks)
{
	(void)blocks_done;
	(void)n_blocks;
	return --*(int *)calls > 0;
}

static void a_run_that_is_stopped_has_counted_every_failure(void)
{
	uint64_t n_set = 0;

	for (uint32_t i = 0; i < 24; i++) {
		g_autoptr(ListSource) list = list_source_new(1, 32, 64);
		g_autoptr(GRand) rand = g_rand_new_with_seed(i);
		Machine machine = list_fermi();
		int calls = 2 + (int)(i % 3);
		SimRequest request = {.machine = &machine,
				      .source = &list->source,
				      .seed = 1,
				      .n_threads = 1,
				      .n_sites = 2,
				      .progress = stop,
				      .progress_data = &calls};
		uint64_t failures = 0;
		SimResult result;

		/* Long rounds, for it is asked once in 2^20 cycles. */
		list_lock_bits(&machine)->t_base_cycles = 20000;
		list_lock_bits(&machine)->t_position_cycles = 20000 + i;
		list_lock_bits(&machine)->operation_cycles = 10000;
		list_lock_bits(&machine)->winner = (WinnerRule)(i % N_WINNER_RULES);
		machine.atomic.locks = i % 2 ? 4 : 1024;
		for (uint32_t warp = 0; warp < 32; warp++)
			for (int k = 0; k < 40; k++) {
				uint32_t words[32];

				for (uint32_t lane = 0; lane < 32; lane++)
					words[lane] = (uint32_t)g_rand_int_range(rand, 0, 8);
				Record record = list_record(RECORD_ATOM, words, 32);
				list_source_append(list, 0, warp, &record);
			}
		sim_run(&request, &result);
		g_assert_cmpint(result.status, ==, SIM_INTERRUPTED);
		for (uint32_t a = 0; a < result.n_addresses; a++)
			failures += result.addresses[a].failures;
		g_assert_cmpuint(failures, >, 0);
		g_assert_cmpuint(failures, ==, result.statistics.atomics.retries);
		/* A bit for each of 8 words at most. */
		g_assert_cmpuint(result.statistics.locks_set_at_end, <=, 8);
		n_set += result.statistics.locks_set_at_end;
	}
	g_assert_cmpuint(n_set, >, 0);
}

static void an_unlock_without_a_lock_is_an_error(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 1, 64);
	Machine machine = list_fermi();
	uint32_t word = 5;
	Record record = list_record(RECORD_UNLOCK, &word, 1);
	SimResult result;

	list_source_append(list, 0, 0, &record);
	run(&machine, list, 1, NULL, &result);
	g_assert_cmpint(result.status, ==, SIM_BAD_RECORD);
	g_assert_nonnull(result.problem);
}

/* The paper, section 5: the number of colliding lanes does not matter between warps, the number of
   colliding warps does, far less than collisions within a warp. */
static uint64_t cycles_of_colliding_warps(uint32_t n_colliding, uint32_t n_lanes)
{
	g_autoptr(ListSource) list = list_source_new(1, 16, 49152);
	Machine machine = list_fermi();
	SimResult result;

	for (uint32_t warp = 0; warp < 16; warp++) {
		uint32_t words[32];
		Record record;

		for (uint32_t i = 0; i < 32; i++)
			words[i] = (warp < n_colliding && i < n_lanes ? 0 : warp + 1) * 32 + i;
		record = list_record(RECORD_ATOM, words, 32);
		for (int i = 0; i < 64; i++)
			list_source_append(list, 0, warp, &record);
	}
	run(&machine, list, 1, NULL, &result);
	check_laws(&result, 16 * 64 * 32, 16);
	return result.statistics.cycles;
}

static void colliding_warps_matter_and_colliding_lanes_do_not(void)
{
	uint64_t none = cycles_of_colliding_warps(0, 32);
	uint64_t one_lane = cycles_of_colliding_warps(16, 1);
	uint64_t all_lanes = cycles_of_colliding_warps(16, 32);

	g_assert_cmpuint(one_lane, >, none);
	g_assert_cmpuint(all_lanes, <=, one_lane * 5 / 4);
	g_assert_cmpuint(all_lanes * 4, >=, one_lane * 3);
}

/* An independent calendar, a byte a cycle: the first place of `length` free cycles from `from` on. */
static Cycle place(uint8_t *busy, Cycle from, uint32_t length)
{
	for (uint32_t i = 0; i < length; i++)
		if (busy[from + i]) {
			from += i + 1;
			i = UINT32_MAX; /* begin again */
		}
	memset(busy + from, 1, length);
	return from;
}

static void each_pass_takes_the_first_free_place_in_the_banks(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(6);

	for (int trial = 0; trial < 40; trial++) {
		Machine machine = list_fermi();
		g_autofree uint8_t *busy = g_new0(uint8_t, 1 << 20);
		BankTable table;
		SharedMemory shared;
		Cycle now = 0;

		machine.shared.pass_cycles = (uint32_t)g_rand_int_range(rand, 1, 6);
		machine.shared.conflict_latency_cycles =
			(uint32_t)g_rand_int_range(rand, 6, 40);
		bank_table_init(&table, &machine.shared, machine.shared.bytes / 4);
		shared_init(&shared, &machine.shared, &machine.ideal, &table);
		for (int i = 0; i < 1500; i++) {
			uint32_t passes = trial % 2 ? 1 + g_rand_int(rand) % 4
						    : 1 + g_rand_int(rand) % 32;
			Cycle first, last, start;

			now += i % 200 ? g_rand_int(rand) % (16 * machine.shared.pass_cycles)
				       : 40000 /* longer than the calendar */;
			first = last = place(busy, now, machine.shared.pass_cycles);
			for (uint32_t pass = 1; pass < passes; pass++)
				last = place(busy,
					     last + machine.shared.conflict_latency_cycles,
					     machine.shared.pass_cycles);
			g_assert_cmpuint(shared_start(&shared, now), ==, first);
			start = shared_access(&shared, now, passes, 0);
			g_assert_cmpuint(start, ==, first);
			g_assert_cmpuint(shared.bank_cycles, ==, last - first);
		}
		shared_clear(&shared);
		bank_table_clear(&table);
	}
}

/* A lone warp waits t_bank a pass; of many warps the passes go between each other. */
static void many_warps_with_conflicts_wait_for_the_banks_and_no_longer(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 32, 32 * 32 * 4);
	Machine machine = list_fermi();
	SimResult result;
	uint32_t words[32];
	Record record;

	for (uint32_t i = 0; i < 32; i++)
		words[i] = i * 32;
	record = list_record(RECORD_STS, words, 32);
	for (uint32_t warp = 0; warp < 32; warp++)
		list_source_append(list, 0, warp, &record);
	run(&machine, list, 1, NULL, &result);
	check_laws(&result, 0, 32);
	g_assert_cmpuint(result.statistics.shared.bank_busy_cycles, ==, 32 * 32 * 2);
	g_assert_cmpuint(result.statistics.cycles, >=, 32 * 32 * 2);
	g_assert_cmpuint(result.statistics.cycles, <, 32 * 32 * 2 + 36 + 64);
}

static void the_machine_without_contention_is_never_slower(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(5);

	for (int trial = 0; trial < 50; trial++) {
		g_autoptr(ListSource) list = random_program(rand, 3, 4, 32);
		Machine machine = list_fermi();
		SimResult real, ideal;

		run(&machine, list, 1, NULL, &real);
		machine = machine_with_ideals(&machine, N_CONTENTION_IDEALS);
		run(&machine, list, 1, NULL, &ideal);
		check_laws(&ideal, real.statistics.atomics.lane_operations, 12);
		g_assert_cmpuint(ideal.statistics.cycles, <=, real.statistics.cycles);
	}
}

/* Without slices the first cache holds sectors, too: what is asked for again is a hit, another sector of its line is none. */
static void loads_miss_the_sectors_that_the_first_cache_has_not(void)
{
	static const struct {
		uint32_t byte[2][2]; /* of two lanes, of two loads */
		uint64_t misses;
	} rows[] = {
		{{{0, 0}, {4, 28}}, 1},	   {{{0, 0}, {32, 0}}, 2},    {{{0, 32}, {32, 0}}, 1},
		{{{0, 32}, {64, 0}}, 2},   {{{0, 0}, {128, 128}}, 2}, {{{0, 160}, {160, 0}}, 2},
		{{{0, 160}, {128, 0}}, 3}, {{{96, 0}, {96, 32}}, 2},
	};
	static const uint64_t bytes[] = {4096};
	const char *const settings[] = {"global.l1_bytes=16384", "sm.count=1", NULL};
	const Machine machine = list_machine(settings);

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(ListSource) list = list_source_new(1, 1, 64);
		SimRequest request = {
			.machine = &machine, .source = &list->source, .n_threads = 1};
		SimResult result;

		list->source.kernel.n_buffers = 1;
		list->source.kernel.buffer_bytes = bytes;
		for (guint k = 0; k < 2; k++) {
			const uint32_t words[] = {rows[i].byte[k][0] / 4,
						  rows[i].byte[k][1] / 4};
			Record load = list_record(RECORD_LDG, words, 2);

			load.buffer = 1;
			load.count = 1;
			load.bytes = 8;
			list_source_append(list, 0, 0, &load);
		}
		sim_run(&request, &result);
		g_assert_cmpint(result.status, ==, SIM_OK);
		g_test_message("row %u", i);
		g_assert_cmpuint(result.statistics.global_segments, ==, rows[i].misses);
	}
}

/* A warp of 64 lanes on one bank: as many passes, and the histogram of degrees ends with them. */
static void degrees_are_counted_up_to_64(void)
{
	const Machine machines[] = {list_fermi(), list_hopper()};

	for (guint m = 0; m < G_N_ELEMENTS(machines); m++) {
		g_autoptr(ListSource) list = list_source_new(1, 1, 64 * 32 * 4);
		SimRequest request = {
			.machine = &machines[m], .source = &list->source, .n_threads = 1};
		uint32_t words[64];
		SimResult result;
		Record load;

		for (uint32_t i = 0; i < 64; i++)
			words[i] = 32 * i;
		load = list_record(RECORD_LDS, words, 64);
		list->source.kernel.warp_lanes = 64;
		list_source_append(list, 0, 0, &load);
		sim_run(&request, &result);
		g_assert_cmpint(result.status, ==, SIM_OK);
		g_assert_cmpuint(result.statistics.shared.degree[64], ==, 1);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(function, sentence) g_test_add_func("/engine/" sentence, function)
	TEST(one_warp_alone_costs_exactly_algorithm_1_on_fermi,
	     "one warp alone costs exactly Algorithm 1 on Fermi");
	TEST(one_warp_alone_costs_exactly_algorithm_1_on_any_machine,
	     "one warp alone costs exactly Algorithm 1 on any machine");
	TEST(one_warp_alone_costs_what_each_closed_form_says,
	     "one warp alone costs what each closed form says");
	TEST(every_combination_keeps_the_laws_and_the_final_memory,
	     "every combination keeps the laws and the final memory");
	TEST(ports_that_are_never_short_change_nothing,
	     "ports that are never short change nothing");
	TEST(every_design_keeps_the_laws, "every design keeps the laws");
	TEST(a_queue_serves_in_the_order_of_asking, "a queue serves in the order of asking");
	TEST(words_that_nobody_shares_keep_their_ports,
	     "words that nobody shares keep their ports");
	TEST(backing_off_makes_fewer_tries, "backing off makes fewer tries");
	TEST(a_back_off_ends_with_its_atomic, "a back-off ends with its atomic");
	TEST(the_result_does_not_depend_on_the_number_of_threads,
	     "the result does not depend on the number of threads");
	TEST(a_table_with_room_for_all_words_is_a_lock_for_each,
	     "a table with room for all words is a lock for each");
	TEST(a_full_table_makes_lanes_try_again, "a full table makes lanes try again");
	TEST(blocks_share_the_lock_table_at_their_physical_addresses,
	     "blocks share the lock table at their physical addresses");
	TEST(warps_wait_for_each_other_at_a_barrier, "warps wait for each other at a barrier");
	TEST(blocks_wait_for_room, "blocks wait for room");
	TEST(ends_of_blocks_are_noted_one_by_one, "ends of blocks are noted one by one");
	TEST(registers_limit_the_blocks_of_an_sm, "registers limit the blocks of an SM");
	TEST(a_block_whose_registers_no_sm_has_is_refused,
	     "a block whose registers no SM has is refused");
	TEST(a_block_starts_when_the_first_room_appeared,
	     "a block starts when the first room appeared");
	TEST(a_wait_for_the_own_conflicts_is_no_livelock,
	     "a wait for the own conflicts is no livelock");
	TEST(a_block_that_cannot_fit_is_named, "a block that cannot fit is named");
	TEST(a_spin_lock_lets_one_warp_in_at_a_time, "a spin lock lets one warp in at a time");
	TEST(a_deadlock_ends_with_who_holds_what, "a deadlock ends with who holds what");
	TEST(a_lock_that_is_never_free_in_time_ends_as_a_livelock,
	     "a lock that is never free in time ends as a livelock");
	TEST(gto_livelocks_when_enough_warps_retry_on_one_word_and_lrr_does_not,
	     "gto livelocks when enough warps retry on one word, and lrr does "
	     "not");
	TEST(a_run_that_is_stopped_has_counted_every_failure,
	     "a run that is stopped has counted every failure");
	TEST(an_unlock_without_a_lock_is_an_error, "an unlock without a lock is an error");
	TEST(colliding_warps_matter_and_colliding_lanes_do_not,
	     "colliding warps matter and colliding lanes do not");
	TEST(each_pass_takes_the_first_free_place_in_the_banks,
	     "each pass takes the first free place in the banks");
	TEST(many_warps_with_conflicts_wait_for_the_banks_and_no_longer,
	     "many warps with conflicts wait for the banks and no longer");
	TEST(the_machine_without_contention_is_never_slower,
	     "the machine without contention is never slower");
	TEST(loads_miss_the_sectors_that_the_first_cache_has_not,
	     "loads miss the sectors that the first cache has not");
	TEST(degrees_are_counted_up_to_64, "degrees are counted up to 64");
	return g_test_run();
}
