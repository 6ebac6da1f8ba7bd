/* SPDX-License-Identifier: MIT */
/* Who tries again when, of loops of compare-and-swaps: against brute force, a sequential oracle, and the laws. (Of lock bits:
   tests/test-engine.c.) */
#include <string.h>

#include "config/config.h"
#include "laws.h"
#include "list-source.h"
#include "model/atomic/retry.h"
#include "random-program.h"
#include "random-words.h"
#include "sim/run/run.h"

#define N_WORDS 4096u

static const char *const policies[N_RETRIES] = {"all", "one-winner", "fifo"};

static Machine machine_of(Retry who, uint32_t back_off, const char *other)
{
	g_autofree char *retry = g_strdup_printf("atomic.cas_loop.retry=%s", policies[who]);
	g_autofree char *cycles =
		g_strdup_printf("atomic.cas_loop.back_off_cycles=%u", back_off);
	const char *const settings[] = {"atomic.mechanism=cas-loop",
					"atomic.mechanism_f32=cas-loop",
					"atomic.mechanism_64bit=cas-loop",
					retry,
					cycles,
					other,
					NULL};

	return list_machine(settings);
}

static void run(const Machine *machine, ListSource *list, Observer *observer, SimResult *result)
{
	SimRequest request = {.machine = machine,
			      .source = &list->source,
			      .seed = 42,
			      .n_threads = 1,
			      .n_sites = PROGRAM_SITES,
			      .observer = observer};
	g_autofree char *broken = NULL;

	sim_run(&request, result);
	g_assert_cmpint(result->status, ==, SIM_OK);
	broken = laws_broken(result, NULL);
	g_assert_cmpstr(broken, ==, NULL);
	g_assert_cmpuint(result->statistics.locks_set_at_end, ==, 0);
}

static void run_words(const Machine *machine, const uint32_t *words, uint32_t n,
		      SimResult *result)
{
	g_autoptr(ListSource) list = list_source_new(1, 1, N_WORDS * 4);
	Record record = list_record(RECORD_ATOM, words, n);

	list_source_append(list, 0, 0, &record);
	run(machine, list, NULL, result);
}

/* Of one warp alone, where loads reserve words: each round the lowest lane of each word asks, and of each bank the lowest lane of those
   goes through. Words are of 32 banks. */
static uint32_t brute_rounds(const uint32_t *words, uint32_t n, uint32_t *n_attempts)
{
	bool done[MAX_LANES] = {false};
	uint32_t rounds = 0, n_done = 0;

	*n_attempts = 0;
	for (; n_done < n; rounds++) {
		uint32_t through[32], n_through = 0;
		bool taken[32] = {false};

		for (uint32_t i = 0; i < n; i++) {
			bool asks = !done[i];

			for (uint32_t k = 0; k < i; k++)
				asks &= done[k] || words[k] != words[i];
			*n_attempts += asks;
			if (!asks || taken[words[i] % 32])
				continue;
			taken[words[i] % 32] = true;
			through[n_through++] = i;
		}
		for (uint32_t k = 0; k < n_through; k++)
			done[through[k]] = true;
		n_done += n_through;
	}
	return rounds;
}

static void rounds_are_those_of_brute_force(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);
	uint32_t words[32];

	for (int trial = 0; trial < 1200; trial++) {
		const uint32_t n = (uint32_t)g_rand_int_range(rand, 1, 33);
		Machine machine = machine_of(trial % 2 ? RETRY_FIFO : RETRY_ONE_WINNER, 0,
					     "shared.bank_hash=mod");
		uint32_t rounds, attempts;
		SimResult result;

		random_words(rand, trial % N_PATTERN_FAMILIES, N_WORDS, words, n);
		run_words(&machine, words, n, &result);
		rounds = brute_rounds(words, n, &attempts);
		g_assert_cmpuint(result.statistics.atomics.rounds, ==, rounds);
		g_assert_cmpuint(result.statistics.atomics.attempts, ==, attempts);
		g_assert_cmpuint(result.statistics.atomics.failures.intra_position, ==, 0);
	}
}

/* A warp alone whose lanes share no word has nobody to wait for, and where all try again loses at most by its banks. */
static void lanes_that_share_no_word_cost_what_they_did(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(2);
	uint32_t words[32];

	for (int trial = 0; trial < 300; trial++) {
		const uint32_t n = (uint32_t)g_rand_int_range(rand, 1, 33);
		uint64_t cycles[N_RETRIES];

		for (uint32_t i = 0; i < n; i++)
			words[i] = i * 100 + (uint32_t)g_rand_int_range(rand, 0, 100);
		for (Retry who = 0; who < N_RETRIES; who++) {
			Machine machine = machine_of(who, 0, NULL);
			SimResult result;

			run_words(&machine, words, n, &result);
			cycles[who] = result.statistics.cycles;
		}
		g_assert_cmpuint(cycles[RETRY_ONE_WINNER], ==, cycles[RETRY_ALL]);
		g_assert_cmpuint(cycles[RETRY_FIFO], ==, cycles[RETRY_ALL]);
	}
}

/* Adds the lane's number + 1 to its word where the engine says its turn came. */
typedef struct {
	Observer observer;
	uint64_t memory[5 * PROGRAM_WORDS];
	uint32_t asked[8], n_asked; /* warps in the order of their first loads */
	uint32_t turns[64], n_turns;
} Replay;

static void replay_instruction(Observer *base, const Instruction *instruction)
{
	Replay *replay = (Replay *)base;

	if (instruction->record->kind != RECORD_ATOM) /* the exchange of a spin lock */
		return;
	if (instruction->round == 0 && strcmp(instruction->name, "LDS") == 0)
		replay->asked[replay->n_asked++ % 8] = instruction->warp;
	for (LaneMask left = instruction->winners; left; left &= left - 1) {
		const uint32_t lane = (uint32_t)__builtin_ctzll(left);

		replay->memory[instruction->block * PROGRAM_WORDS +
			       instruction->record->address[lane] / 4] += lane + 1;
		replay->turns[replay->n_turns++ % 64] = instruction->warp;
	}
}

static void add_in_order(const ListSource *list, uint64_t *memory)
{
	for (uint64_t warp = 0; warp < list->source.n_blocks * list->n_warps; warp++)
		for (guint i = 0; i < list->warps[warp]->len; i++) {
			const Record *record = &g_array_index(list->warps[warp], Record, i);

			for (uint32_t lane = 0;
			     record->kind == RECORD_ATOM && lane < record->n_lanes; lane++)
				memory[warp / list->n_warps * PROGRAM_WORDS +
				       record->address[lane] / 4] += lane + 1;
		}
}

static void every_policy_keeps_the_laws_and_the_final_memory(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(3);
	static const char *const others[] = {NULL,
					     "sm.scheduler=gty",
					     "ideal.bank_conflicts=1",
					     "shared.banks=16",
					     "ideal.same_word=1",
					     "sm.scheduler=two-level"};

	for (int trial = 0; trial < 180; trial++) {
		g_autoptr(ListSource) list =
			random_program(rand, 5, 6, trial % 4 < 2 ? 32 : 64);
		g_autofree uint64_t *memory = g_new0(uint64_t, 5 * PROGRAM_WORDS);
		g_autofree Replay *replay = g_new0(Replay, 1);
		const Retry who = (Retry)(trial % N_RETRIES);
		Machine machine =
			machine_of(who, who == RETRY_ALL ? (uint32_t)trial % 80 : 0,
				   others[(guint)trial / N_RETRIES % G_N_ELEMENTS(others)]);
		SimResult result;

		machine.sm.count = 2;
		if (trial % 8 == 0)
			list_run_ahead(&machine);
		replay->observer.instruction = replay_instruction;
		run(&machine, list, &replay->observer, &result);
		add_in_order(list, memory);
		g_assert_cmpmem(replay->memory, sizeof replay->memory, memory,
				5 * PROGRAM_WORDS * sizeof *memory);
	}
}

/* Eight warps, each with four lanes that want one word: in a queue all of a warp have their turns before any of one that asked later. */
static void a_queue_serves_in_the_order_of_asking(void)
{
	const uint32_t words[4] = {7, 7, 7, 7};
	Record record = list_record(RECORD_ATOM, words, 4);
	uint64_t attempts[N_RETRIES], cycles[N_RETRIES];

	for (Retry who = 0; who < N_RETRIES; who++) {
		g_autoptr(ListSource) list = list_source_new(1, 8, 4096);
		g_autofree Replay *replay = g_new0(Replay, 1);
		Machine machine = machine_of(who, 0, NULL);
		SimResult result;

		for (uint32_t warp = 0; warp < 8; warp++)
			list_source_append(list, 0, warp, &record);
		replay->observer.instruction = replay_instruction;
		run(&machine, list, &replay->observer, &result);
		g_assert_cmpuint(replay->n_turns, ==, 32);
		attempts[who] = result.statistics.atomics.attempts;
		cycles[who] = result.statistics.cycles;
		for (uint32_t i = 0; who == RETRY_FIFO && i < 32; i++)
			g_assert_cmpuint(replay->turns[i], ==, replay->asked[i / 4]);
	}
	g_assert_cmpuint(attempts[RETRY_FIFO], <=, 64);
	g_assert_cmpuint(attempts[RETRY_ONE_WINNER], <, attempts[RETRY_ALL]);
	g_assert_cmpuint(cycles[RETRY_FIFO], <, cycles[RETRY_ALL]);
}

/* A warp that has lost waits longer each time, so it tries less often; not beyond its atomic. */
static void backing_off_makes_fewer_tries(void)
{
	const uint32_t word = 7;
	Record record = list_record(RECORD_ATOM, &word, 1);
	uint64_t rounds[3];

	for (uint32_t i = 0; i < 3; i++) {
		g_autoptr(ListSource) list = list_source_new(1, 16, 4096);
		Machine machine =
			machine_of(RETRY_ALL, i == 0 ? 0 : 200,
				   i == 1 ? "atomic.cas_loop.back_off_doublings=0" : NULL);
		SimResult result;

		for (uint32_t warp = 0; warp < 16; warp++)
			list_source_append(list, 0, warp, &record);
		run(&machine, list, NULL, &result);
		rounds[i] = result.statistics.atomics.rounds;
	}
	g_assert_cmpuint(rounds[1], <, rounds[0]);
	g_assert_cmpuint(rounds[2], <, rounds[1]);
}

/* Who waits has no round to wait after. */
static void a_back_off_of_who_waits_is_refused(void)
{
	static const char *const sections[] = {"lock_bits", "cas_loop"};

	for (guint i = 0; i < G_N_ELEMENTS(sections); i++)
		for (Retry who = RETRY_ONE_WINNER; who < N_RETRIES; who++) {
			g_autofree char *retry = g_strdup_printf("atomic.%s.retry=%s",
								 sections[i], policies[who]);
			g_autofree char *cycles =
				g_strdup_printf("atomic.%s.back_off_cycles=9", sections[i]);
			const char *const settings[] = {i == 0 ? "atomic.mechanism=lock-bits"
							       : "atomic.mechanism=cas-loop",
							retry, cycles, NULL};
			g_autoptr(GError) error = NULL;

			g_assert_null(config_load_text("test", "{}", 2, settings, &error));
			g_assert_nonnull(strstr(error->message, "no round to wait after"));
		}
}

#define TEST(function, name) g_test_add_func("/retry/" name, function)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	TEST(rounds_are_those_of_brute_force, "rounds are those of brute force");
	TEST(lanes_that_share_no_word_cost_what_they_did,
	     "lanes that share no word cost what they did");
	TEST(every_policy_keeps_the_laws_and_the_final_memory,
	     "every policy keeps the laws and the final memory");
	TEST(a_queue_serves_in_the_order_of_asking, "a queue serves in the order of asking");
	TEST(backing_off_makes_fewer_tries, "backing off makes fewer tries");
	TEST(a_back_off_of_who_waits_is_refused, "a back-off of who waits is refused");
	return g_test_run();
}
