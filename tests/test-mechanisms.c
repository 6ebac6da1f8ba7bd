/* SPDX-License-Identifier: MIT */
/* The mechanisms of current GPUs, rule by rule; measurements hold them together in test-validate.c. */
#include <glib.h>

#include "list-source.h"
#include "sim/run/run.h"

#define N_WORDS 4096u

static void run(const Machine *machine, ListSource *list, SimResult *result)
{
	SimRequest request = {
		.machine = machine, .source = &list->source, .n_threads = 1, .n_sites = 0};

	g_assert_cmpint(sim_run(&request, result), ==, SIM_OK);
}

/* Lanes 0 .. n-1 on words a distance apart, the others on words of their own in other banks. */
static Record strided(RecordKind kind, uint32_t n, uint32_t distance)
{
	uint32_t words[32];

	for (uint32_t i = 0; i < 32; i++)
		words[i] = i < n ? i * distance : i;
	return list_record(kind, words, 32);
}

/* Cycles of one record of one warp, its result needed. */
static uint64_t cycles_of(const Machine *machine, const Record *record, SimResult *result)
{
	g_autoptr(ListSource) list = list_source_new(1, 1, N_WORDS * 4);
	Record use = list_plain(RECORD_ALU, 1);

	list_source_append(list, 0, 0, record);
	list_source_append(list, 0, 0, &use);
	run(machine, list, result);
	return result->statistics.cycles - machine->sm.alu_latency_cycles -
	       machine->sm.issue_cycles;
}

static void an_integer_atomic_costs_its_most_lanes_in_one_bank(void)
{
	Machine machine = list_hopper();

	for (uint32_t n = 1; n <= 32; n++)
		for (uint32_t distance = 0; distance <= 64; distance += 32) {
			Record record = strided(RECORD_ATOM, n, distance);
			SimResult result;

			record.result = true;
			g_assert_cmpuint(cycles_of(&machine, &record, &result), ==,
					 27 + 2 * (n - 1));
			g_assert_cmpuint(result.statistics.shared.passes, ==, n);
			g_assert_cmpuint(result.statistics.atomics.retries, ==, 0);
		}
}

static void a_compare_and_swap_takes_twice_as_long_a_pass(void)
{
	Machine machine = list_hopper();

	for (uint32_t n = 1; n <= 32; n++) {
		Record record = strided(RECORD_ATOM, n, 0);
		SimResult result;

		record.operation = OPERATION_CAS;
		record.result = true;
		g_assert_cmpuint(cycles_of(&machine, &record, &result), ==, 31 + 4 * (n - 1));
	}
}

static uint64_t passes_of_add(const Machine *machine, bool has_values, uint64_t value, bool ret)
{
	Record record = strided(RECORD_ATOM, 32, 0);
	SimResult result;

	record.has_values = has_values;
	record.result = ret;
	for (int i = 0; i < 32; i++)
		record.value[i] = value;
	cycles_of(machine, &record, &result);
	return result.statistics.shared.passes;
}

static void increments_without_result_merge_the_lanes_of_a_word(void)
{
	Machine machine = list_hopper();

	g_assert_cmpuint(passes_of_add(&machine, true, 1, false), ==, 1);
	g_assert_cmpuint(passes_of_add(&machine, false, 0, false), ==, 1);
	g_assert_cmpuint(passes_of_add(&machine, true, 2, false), ==, 32);
	g_assert_cmpuint(passes_of_add(&machine, true, 1, true), ==, 32);
	machine = list_hopper_with("atomic.native.merge_increments=0");
	g_assert_cmpuint(passes_of_add(&machine, true, 1, false), ==, 32);
}

static uint64_t cycles_of_float(uint32_t n, uint32_t distance, uint64_t *n_rounds)
{
	Machine machine = list_hopper();
	Record record = strided(RECORD_ATOM, n, distance);
	SimResult result;
	uint64_t cycles;

	record.type = TYPE_F32;
	cycles = cycles_of(&machine, &record, &result);
	*n_rounds = result.statistics.atomics.rounds;
	return cycles;
}

static void a_float_add_lets_one_lane_of_each_bank_through_a_round(void)
{
	uint64_t n_rounds, before = 0;

	for (uint32_t n = 1; n <= 32; n++) {
		uint64_t cycles = cycles_of_float(n, 0, &n_rounds);

		g_assert_cmpuint(n_rounds, ==, n);
		/* measurements/h200/warp-latency.csv, fadd_noret, pos/n */
		if (n == 1)
			g_assert_cmpuint(cycles, ==, 92);
		else if (n == 2)
			g_assert_cmpuint(cycles, ==, 190);
		else if (n == 3)
			g_assert_cmpuint(cycles, ==, 320);
		else
			g_assert_cmpuint(cycles - before, ==, n == 17 ? 57 : 95);
		before = cycles;
		/* Other words of the bank: as many rounds, and their loads conflict. */
		g_assert_cmpuint(cycles_of_float(n, 32, &n_rounds), ==, cycles + n * (n - 1));
		g_assert_cmpuint(n_rounds, ==, n);
	}
}

static uint64_t retries_of_two_warps(uint32_t second_word)
{
	g_autoptr(ListSource) list = list_source_new(1, 2, N_WORDS * 4);
	Machine machine = list_hopper();
	SimResult result;

	for (uint32_t warp = 0; warp < 2; warp++) {
		uint32_t word = warp ? second_word : 0;
		Record record = list_record(RECORD_ATOM, &word, 1);

		record.type = TYPE_F32;
		list_source_append(list, 0, warp, &record);
	}
	run(&machine, list, &result);
	g_assert_cmpuint(result.statistics.atomics.failures.inter_alias, ==, 0);
	return result.statistics.atomics.failures.inter_position;
}

static void float_adds_of_two_warps_collide_on_one_word_only(void)
{
	g_assert_cmpuint(retries_of_two_warps(0), ==, 1);
	g_assert_cmpuint(retries_of_two_warps(32), ==, 0);
}

static void sixty_four_bits_go_by_half_warps_and_double_words(void)
{
	Machine machine = list_hopper();
	uint32_t words[32];
	Record record;
	SimResult result;

	for (uint32_t i = 0; i < 32; i++)
		words[i] = 2 * i; /* 64 words: each of 16 double banks once a half */
	record = list_record(RECORD_ATOM, words, 32);
	record.type = TYPE_U64;
	record.width = 8;
	cycles_of(&machine, &record, &result);
	g_assert_cmpuint(result.statistics.atomics.rounds, ==, 1);
	for (uint32_t i = 0; i < 32; i++)
		record.address[i] = 0;
	cycles_of(&machine, &record, &result);
	g_assert_cmpuint(result.statistics.atomics.rounds, ==, 32);
}

/* ATOMS.CAS takes all lanes: of each word one succeeds, also where words share a bank. */
static void an_update_swaps_every_word_in_a_round(void)
{
	Machine machine = list_hopper();

	for (uint32_t n = 1; n <= 32; n++)
		for (uint32_t distance = 0; distance <= 32; distance += 32) {
			Record record = strided(RECORD_ATOM, n, distance);
			SimResult result;
			uint64_t passes = 0;

			record.operation = OPERATION_UPDATE;
			cycles_of(&machine, &record, &result);
			g_assert_cmpuint(result.statistics.atomics.rounds, ==,
					 distance ? 1 : n);
			g_assert_cmpuint(result.statistics.atomics.retries, ==,
					 distance ? 0 : n * (n - 1) / 2);
			for (uint32_t left = n; left > 0; left = distance ? 0 : left - 1)
				passes += left;
			g_assert_cmpuint(result.statistics.shared.passes, ==, passes);
		}
}

static void assert_way(const Machine *machine, Operation operation, ValueType type,
		       const Mechanism *mechanism)
{
	SharedMemory shared;
	BankTable banks;
	AtomicUnit unit = {.parameters = &machine->atomic, .shared = &shared};

	bank_table_init(&banks, &machine->shared, machine->shared.bytes / 4);
	shared_init(&shared, &machine->shared, &machine->ideal, &banks);
	atomic_unit_init(&unit);
	g_assert_true(atomic_instance(&unit, operation, type)->mechanism == mechanism);
	atomic_unit_clear(&unit);
	shared_clear(&shared);
	bank_table_clear(&banks);
}

static void operation_and_type_pick_the_mechanism(void)
{
	Machine machine = list_hopper();

	assert_way(&machine, OPERATION_ADD, TYPE_U32, &mechanism_native);
	assert_way(&machine, OPERATION_MAX, TYPE_S32, &mechanism_native);
	assert_way(&machine, OPERATION_ADD, TYPE_F32, &mechanism_cas_loop);
	assert_way(&machine, OPERATION_ADD, TYPE_F64, &mechanism_cas_loop);
	assert_way(&machine, OPERATION_ADD, TYPE_U64, &mechanism_cas_loop);
	assert_way(&machine, OPERATION_EXCH, TYPE_F32, &mechanism_native);
	assert_way(&machine, OPERATION_CAS, TYPE_U64, &mechanism_native);
	machine.atomic.mechanism_f32 = NULL;
	assert_way(&machine, OPERATION_ADD, TYPE_F32, &mechanism_native);
}

/* A mechanism that is on no list: the first atomic of an SM parks until a second one is done. */
typedef struct {
	bool parked;
	uint32_t slot;
} Turnstile;

static void *turnstile_new(const AtomicUnit *unit)
{
	(void)unit;
	return g_new0(Turnstile, 1);
}

static void turnstile_step(AtomicUnit *unit, void *state, Atomic *atomic, Cycle now, Step *step)
{
	Turnstile *turnstile = state;

	*step = (Step){.name = "TURN", .start = now, .ready = now + 10};
	if (atomic->phase++ == 0) {
		atomic_begin(unit, atomic);
		if (atomic->warp == 0) {
			*turnstile = (Turnstile){true, atomic->slot};
			step->parked = true;
			return;
		}
	}
	step->winners = atomic->pending;
	step->done = true;
	unit->counters->attempts += atomic->n_lanes;
	unit->counters->successes += atomic->n_lanes;
	if (turnstile->parked && turnstile->slot != atomic->slot) {
		turnstile->parked = false;
		unit->wake(unit->sm, turnstile->slot, now + 5000);
	}
	atomic_end(unit, atomic);
}

static const Mechanism mechanism_turnstile = {
	.name = "turnstile",
	.new = turnstile_new,
	.free = g_free,
	.step = turnstile_step,
};

static void a_parked_warp_goes_on_when_it_is_woken_and_its_wait_is_counted(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 2, 64);
	Machine machine = list_fermi();
	uint32_t word = 5;
	Record record = list_record(RECORD_ATOM, &word, 1);
	SimRequest request = {.machine = &machine, .source = &list->source, .n_threads = 1};
	SimResult result;
	uint64_t sum = 0;

	machine.atomic.mechanism = &mechanism_turnstile;
	list_source_append(list, 0, 0, &record);
	list_source_append(list, 0, 1, &record);
	g_assert_cmpint(sim_run(&request, &result), ==, SIM_OK);
	/* Both begin at 0; the wake, the last step and the exit. */
	g_assert_cmpuint(result.statistics.cycles, ==, 5000 + 10 + 2);
	g_assert_cmpuint(result.statistics.atomics.successes, ==, 2);
	g_assert_cmpuint(result.statistics.warp_cycles[STATE_RETRY], ==, 5000 - 2);
	for (int i = 0; i < N_WARP_STATES; i++)
		sum += result.statistics.warp_cycles[i];
	g_assert_cmpuint(sum, ==, result.statistics.resident_warp_cycles);
}

static void a_parked_warp_that_nobody_wakes_is_a_deadlock(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 1, 64);
	Machine machine = list_fermi();
	uint32_t word = 5;
	Record record = list_record(RECORD_ATOM, &word, 1);
	SimRequest request = {.machine = &machine, .source = &list->source, .n_threads = 1};
	SimResult result;

	machine.atomic.mechanism = &mechanism_turnstile;
	list_source_append(list, 0, 0, &record);
	g_assert_cmpint(sim_run(&request, &result), ==, SIM_DEADLOCK);
	g_assert_cmpuint(result.n_blocked_warps, ==, 1);
	g_assert_cmpstr(result.blocked_warps[0].state, ==, "atomic");
}

static uint64_t cycles_of_many(const Machine *machine, RecordKind kind, int n, bool use)
{
	g_autoptr(ListSource) list = list_source_new(1, 1, N_WORDS * 4);
	Record record = strided(kind, 1, 0), alu = list_plain(RECORD_ALU, 1);
	SimResult result;

	for (int i = 0; i < n; i++)
		list_source_append(list, 0, 0, &record);
	if (use)
		list_source_append(list, 0, 0, &alu);
	run(machine, list, &result);
	return result.statistics.cycles;
}

static void a_warp_runs_ahead_of_its_results_until_arithmetic(void)
{
	Machine machine = list_hopper();
	uint64_t exit = machine.sm.issue_cycles;

	/* Eight loads 4 cycles apart; the last one's result is 23 later. */
	g_assert_cmpuint(cycles_of_many(&machine, RECORD_LDS, 8, true), ==, 28 + 23 + 5 + exit);
	/* Nobody waits for a store. */
	g_assert_cmpuint(cycles_of_many(&machine, RECORD_STS, 8, true), ==, 32 + 5 + exit);
	machine.sm.scoreboard = 0;
	g_assert_cmpuint(cycles_of_many(&machine, RECORD_LDS, 8, true), ==, 8 * 23 + 5 + exit);
}

static void a_full_queue_holds_the_warp_up(void)
{
	Machine machine = list_hopper();
	g_autoptr(ListSource) list = list_source_new(1, 1, N_WORDS * 4);
	Record store = strided(RECORD_STS, 8, 32);
	SimResult result;

	/* warp-latency.csv, st: the last of 32 waits until 13 have gone, 16 cycles each. */
	for (int i = 0; i < 32; i++)
		list_source_append(list, 0, 0, &store);
	run(&machine, list, &result);
	g_assert_cmpuint(result.statistics.busy_cycles, ==, 13 * 16 + 10 + 4 + 1);
	/* The kernel is over when the banks have served them all: 32 passes each, behind the port. */
	g_assert_cmpuint(result.statistics.cycles, >=, 32 * 16);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(function, sentence) g_test_add_func("/mechanisms/" sentence, function)
	TEST(an_integer_atomic_costs_its_most_lanes_in_one_bank,
	     "an integer atomic costs its most lanes in one bank");
	TEST(a_compare_and_swap_takes_twice_as_long_a_pass,
	     "a compare-and-swap takes twice as long a pass");
	TEST(increments_without_result_merge_the_lanes_of_a_word,
	     "increments without result merge the lanes of a word");
	TEST(a_float_add_lets_one_lane_of_each_bank_through_a_round,
	     "a float add lets one lane of each bank through a round");
	TEST(float_adds_of_two_warps_collide_on_one_word_only,
	     "float adds of two warps collide on one word only");
	TEST(sixty_four_bits_go_by_half_warps_and_double_words,
	     "64 bits go by half warps and double words");
	TEST(an_update_swaps_every_word_in_a_round, "an update swaps every word in a round");
	TEST(operation_and_type_pick_the_mechanism, "operation and type pick the mechanism");
	TEST(a_parked_warp_goes_on_when_it_is_woken_and_its_wait_is_counted,
	     "a parked warp goes on when it is woken, and its wait is counted");
	TEST(a_parked_warp_that_nobody_wakes_is_a_deadlock,
	     "a parked warp that nobody wakes is a deadlock");
	TEST(a_warp_runs_ahead_of_its_results_until_arithmetic,
	     "a warp runs ahead of its results until arithmetic");
	TEST(a_full_queue_holds_the_warp_up, "a full queue holds the warp up");
	return g_test_run();
}
