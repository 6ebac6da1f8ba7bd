/* SPDX-License-Identifier: MIT */
/* Fast-forward over failed attempts changes nothing: random spin-lock programs, watched and not. An observer sees
   every instruction, so an observed run is the slow way. */
#include <glib.h>
#include <string.h>

#include "config/config.h"
#include "list-source.h"
#include "model/atomic/cas-loop.h"
#include "replay/replay.h"
#include "shipped.h"

#define N_BLOCK_WORDS 256
#define N_LOCKS	      3 /* the first words of a block */

typedef struct {
	Observer observer;
	uint64_t n_instructions;
} Watcher;

static void instruction(Observer *observer, const Instruction *instruction)
{
	(void)instruction;
	((Watcher *)observer)->n_instructions++;
}

#define N_SITES 2

static SimStatus run(const Machine *machine, ListSource *list, uint32_t n_threads,
		     Observer *observer, SimResult *result, HotSpot *sites)
{
	SimRequest request = {
		.machine = machine,
		.source = &list->source,
		.seed = 7,
		.n_threads = n_threads,
		.n_sites = N_SITES,
		.sites = sites,
		.observer = observer,
	};

	return sim_run(&request, result);
}

static void hold_spots_equal(const HotSpot *a, uint32_t n_a, const HotSpot *b, uint32_t n_b)
{
	g_assert_cmpmem(a, n_a * sizeof *a, b, n_b * sizeof *b);
}

/* Runs both ways. Returns the instructions that the slow way issued. */
static uint64_t hold_against_slow_way(const Machine *machine, ListSource *list, SimResult *fast)
{
	Watcher watcher = {{.instruction = instruction}, 0};
	HotSpot of_slow[N_SITES + 1], of_fast[N_SITES + 1];
	SimResult slow;

	run(machine, list, 1, &watcher.observer, &slow, of_slow);
	run(machine, list, 2, NULL, fast, of_fast);
	g_assert_cmpint(slow.status, ==, fast->status);
	g_assert_cmpuint(slow.failed_cycle, ==, fast->failed_cycle);
	g_assert_cmpuint(slow.block, ==, fast->block);
	g_assert_cmpuint(slow.warp, ==, fast->warp);
	g_assert_cmpuint(slow.waiting, ==, fast->waiting);
	g_assert_cmpuint(slow.n_blocked_warps, ==, fast->n_blocked_warps);
	for (uint32_t i = 0; i < slow.n_blocked_warps; i++) {
		g_assert_cmpuint(slow.blocked_warps[i].since_cycle, ==,
				 fast->blocked_warps[i].since_cycle);
		g_assert_cmpuint(slow.blocked_warps[i].word, ==, fast->blocked_warps[i].word);
	}
	/* An SM that fails stops the others where they are, which depends on when they are told. */
	if (slow.status != SIM_OK && machine->sm.count > 1)
		return watcher.n_instructions;
	g_assert_cmpmem(&slow.statistics, sizeof slow.statistics, &fast->statistics,
			sizeof fast->statistics);
	hold_spots_equal(slow.addresses, slow.n_addresses, fast->addresses, fast->n_addresses);
	hold_spots_equal(slow.locks, slow.n_locks, fast->locks, fast->n_locks);
	hold_spots_equal(slow.banks, slow.n_banks, fast->banks, fast->n_banks);
	hold_spots_equal(of_slow, N_SITES + 1, of_fast, N_SITES + 1);
	return watcher.n_instructions;
}

/* --- Programs --- */

static uint32_t below(GRand *rand, uint32_t n)
{
	return (uint32_t)g_rand_int_range(rand, 0, (gint32)n);
}

static void append_access(GRand *rand, RecordKind kind, ListSource *list, uint64_t block,
			  uint32_t warp)
{
	Record access = {.kind = kind,
			 .count = 1 + below(rand, 4),
			 .site = 1,
			 .n_lanes = 32,
			 .mask = lanes_below(32),
			 .width = 4,
			 .bytes = 128};

	if (list->source.kernel.n_buffers > 0) {
		access.buffer = 1;
		access.offset = 128 * (uint64_t)below(rand, 1000);
		for (uint32_t i = 0; i < 32; i++)
			access.address[i] = 4 * i;
	}
	list_source_append(list, block, warp, &access);
}

/* What a warp does with a lock, and without. */
static void append_work(GRand *rand, ListSource *list, uint64_t block, uint32_t warp)
{
	Record alu = list_plain(RECORD_ALU, 1 + below(rand, 40)), atom, use;
	uint32_t words[32], n = 1 + below(rand, 32);

	switch (below(rand, 6)) {
	case 0:
		list_source_append(list, block, warp, &alu);
		return;
	case 1:
		for (uint32_t i = 0; i < n; i++)
			words[i] = N_LOCKS + below(rand, 8);
		atom = list_record(RECORD_ATOM, words, n);
		list_source_append(list, block, warp, &atom);
		return;
	case 2:
		append_access(rand, RECORD_STG, list, block, warp);
		return;
	case 3:
		words[0] = N_LOCKS;
		use = list_record(RECORD_LDS, words, 1);
		list_source_append(list, block, warp, &use);
		return;
	default:
		append_access(rand, RECORD_LDG, list, block, warp);
	}
}

static void append_section(GRand *rand, ListSource *list, uint64_t block, uint32_t warp)
{
	uint32_t words[N_LOCKS] = {0, 1, 2}, n = below(rand, 4) ? 1 : 1 + below(rand, N_LOCKS);
	const uint32_t first = below(rand, N_LOCKS);
	Record lock, unlock;

	for (uint32_t i = 0; i < n; i++)
		words[i] = (first + i) % N_LOCKS;
	lock = list_record(RECORD_LOCK, words, n);
	unlock = list_record(RECORD_UNLOCK, words, n);
	list_source_append(list, block, warp, &lock);
	/* Sections of lanes: all that is in them is theirs. */
	for (uint32_t i = 1 + below(rand, 3); i > 0 && !list->source.kernel.lock_sections; i--)
		append_work(rand, list, block, warp);
	if (list->source.kernel.lock_sections) {
		Record load = {.kind = RECORD_LDG,
			       .count = 2,
			       .n_lanes = (uint8_t)n,
			       .mask = lanes_below(n),
			       .bytes = n * 4};

		list_source_append(list, block, warp, &load);
	}
	list_source_append(list, block, warp, &unlock);
}

static ListSource *spin_lock_program(GRand *rand, uint64_t n_blocks, uint32_t n_warps)
{
	static const uint64_t buffer_bytes[] = {1 << 20};
	ListSource *list = list_source_new(n_blocks, n_warps, N_BLOCK_WORDS * 4);

	list->source.kernel.lock_sections = below(rand, 2);
	if (below(rand, 2) && !list->source.kernel.lock_sections) {
		list->source.kernel.n_buffers = 1;
		list->source.kernel.buffer_bytes = buffer_bytes;
	}
	for (uint64_t block = 0; block < n_blocks; block++)
		for (uint32_t warp = 0; warp < n_warps; warp++)
			for (uint32_t n = 1 + below(rand, 3); n > 0; n--) {
				append_section(rand, list, block, warp);
				if (below(rand, 2))
					append_work(rand, list, block, warp);
			}
	return list;
}

static Machine any_machine(GRand *rand, const Scheduler *scheduler)
{
	static const uint32_t latencies[] = {600, 20000, 100000};
	static const uint64_t patience[] = {3000, 50000, 10000000};
	static const Mechanism *const exchanges[] = {&mechanism_lock_bits, &mechanism_lock_bits,
						     &mechanism_native, &mechanism_cas_loop,
						     &mechanism_none};
	static const char *const hashes[] = {"mod", "xor", "mul"};
	Machine machine = below(rand, 2) ? list_fermi() : list_hopper();
	CasLoopParameters *swaps = (CasLoopParameters *)machine.atomic.own[MECHANISM_cas_loop];

	if (!machine.sm.scoreboard) {
		list_lock_bits(&machine)->winner = (WinnerRule)below(rand, N_WINNER_RULES);
		list_lock_bits(&machine)->hold_cycles = below(rand, 2) ? below(rand, 300) : 0;
		list_lock_bits(&machine)->retry.who =
			below(rand, 3) ? RETRY_ALL : (Retry)below(rand, N_RETRIES);
		list_lock_bits(&machine)->retry.back_off_cycles =
			below(rand, 4) ? 0 : below(rand, 100);
		list_lock_bits(&machine)->ports = below(rand, 4) ? 0 : 1 + below(rand, 4);
		swaps->retry.who = (Retry)below(rand, N_RETRIES);
		swaps->retry.back_off_cycles = below(rand, 3) ? 0 : below(rand, 100);
		machine.atomic.locks = 1u << below(rand, 6);
		list_lock_bits(&machine)->table =
			below(rand, 3) ? LOCK_TABLE_BITS : LOCK_TABLE_CAM;
		list_lock_bits(&machine)->cam_entries = 1 + below(rand, 6);
		machine.shared.conflict_latency_cycles = 1 + below(rand, 60);
	}
	machine.atomic.mechanism = exchanges[below(rand, G_N_ELEMENTS(exchanges))];
	if (machine.atomic.mechanism == &mechanism_lock_bits)
		machine.atomic.lock_hash.name = hashes[below(rand, G_N_ELEMENTS(hashes))];
	machine.sm.scheduler = scheduler;
	machine.sm.count = 1 + below(rand, 3);
	machine.sm.max_blocks = 1 + below(rand, 2);
	machine.sm.schedulers = 1 + below(rand, 2);
	machine.global.latency_cycles = latencies[below(rand, G_N_ELEMENTS(latencies))];
	machine.global.model = below(rand, 2) ? GLOBAL_SLICES : GLOBAL_FLAT;
	machine.sim.watchdog_cycles = patience[below(rand, G_N_ELEMENTS(patience))];
	return machine;
}

static void tries_run_through_count_as_tries_made(gconstpointer scheduler)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(11);
	uint32_t n_done = 0;

	for (int trial = 0; trial < 150 / (int)test_share(); trial++) {
		const uint32_t n_blocks = 1 + below(rand, 4), n_warps = 1 + below(rand, 12);
		g_autoptr(ListSource) list = spin_lock_program(rand, n_blocks, n_warps);
		Machine machine = any_machine(rand, scheduler);
		SimResult result;

		hold_against_slow_way(&machine, list, &result);
		n_done += result.status == SIM_OK;
	}
	g_assert_cmpuint(n_done, >, 75 / test_share());
}

/* --- Turns --- */

/* A run that keeps the order of another looks whose turn it is in each cycle if it is observed, else only when that may have
   changed. */
static void hold_turns_against_slow_way(const Machine *machine, ListSource *list,
					const RunOrder *order, RunOrderKind kind)
{
	Watcher watcher = {{.instruction = instruction}, 0};
	HotSpot of_slow[N_SITES + 1], of_fast[N_SITES + 1];
	SimResult slow, fast;
	SimRequest request = {.machine = machine,
			      .source = &list->source,
			      .seed = 7,
			      .n_threads = 1,
			      .n_sites = N_SITES,
			      .sites = of_slow,
			      .observer = &watcher.observer,
			      .all_sms = true,
			      .keep_order = order,
			      .order = kind};

	sim_run(&request, &slow);
	request.observer = NULL;
	request.sites = of_fast;
	request.n_threads = 2;
	sim_run(&request, &fast);
	g_assert_cmpint(slow.status, ==, fast.status);
	g_assert_cmpuint(slow.failed_cycle, ==, fast.failed_cycle);
	if (slow.status != SIM_OK && machine->sm.count > 1)
		return;
	g_assert_cmpmem(&slow.statistics, sizeof slow.statistics, &fast.statistics,
			sizeof fast.statistics);
	hold_spots_equal(of_slow, N_SITES + 1, of_fast, N_SITES + 1);
}

static void turns_waited_for_count_as_turns_looked_for(gconstpointer scheduler)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(12);
	uint32_t n_done = 0;

	for (int trial = 0; trial < 100 / (int)test_share(); trial++) {
		const uint32_t n_blocks = 1 + below(rand, 4), n_warps = 1 + below(rand, 12);
		g_autoptr(ListSource) list = spin_lock_program(rand, n_blocks, n_warps);
		Machine machine = any_machine(rand, scheduler);
		RunOrder *order = run_order_new(&list->source);
		SimResult result;
		SimRequest request = {.machine = &machine,
				      .source = &list->source,
				      .seed = 7,
				      .n_threads = 1,
				      .note_order = order,
				      .all_sms = true};

		if (sim_run(&request, &result) == SIM_OK) {
			const Machine without =
				machine_with_ideal(&machine, below(rand, N_IDEALS));

			hold_turns_against_slow_way(&without, list, order,
						    ORDER_KEPT + trial % 3);
			n_done++;
		}
		run_order_free(order);
	}
	g_assert_cmpuint(n_done, >, 50 / test_share());
}

/* --- Waits of known length --- */

/* Warps that want one lock, whose holder loads. */
static ListSource *loads_under_a_lock(uint32_t n_warps, bool sections)
{
	ListSource *list = list_source_new(1, n_warps, 64);
	const uint32_t word = 3;
	const Record lock = list_record(RECORD_LOCK, &word, 1),
		     unlock = list_record(RECORD_UNLOCK, &word, 1),
		     load = {.kind = RECORD_LDG,
			     .count = 1,
			     .n_lanes = 1,
			     .mask = 1,
			     .bytes = 4};

	list->source.kernel.lock_sections = sections;
	for (uint32_t warp = 0; warp < n_warps; warp++) {
		list_source_append(list, 0, warp, &lock);
		list_source_append(list, 0, warp, &load);
		list_source_append(list, 0, warp, &unlock);
	}
	return list;
}

static bool go_on(void *data, uint64_t blocks_done, uint64_t n_blocks)
{
	(void)blocks_done;
	(void)n_blocks;
	return ++*(uint32_t *)data < 3;
}

/* A billion cycles of tries by each of seven warps: minutes, one by one. Ends none of them as a livelock. */
static void a_long_wait_for_memory_costs_no_time_and_is_no_livelock(void)
{
	for (int sections = 0; sections < 2; sections++) {
		g_autoptr(ListSource) list = loads_under_a_lock(8, sections);
		Machine machine = list_fermi();
		SimResult result;
		uint32_t n_asked = 0;
		SimRequest request = {.machine = &machine,
				      .source = &list->source,
				      .n_threads = 1,
				      .progress = go_on,
				      .progress_data = &n_asked};

		machine.global.latency_cycles = 1000000000;
		machine.sim.watchdog_cycles = 100000;
		g_assert_cmpint(run(&machine, list, 1, NULL, &result, NULL), ==, SIM_OK);
		g_assert_cmpuint(result.statistics.cycles, >, UINT64_C(8000000000));
		g_assert_cmpuint(result.statistics.spin_attempts, >, 50000000);
		g_assert_cmpuint(result.statistics.spin_locks.successes, ==,
				 result.statistics.spin_attempts);
		g_assert_cmpint(sim_run(&request, &result), ==, SIM_INTERRUPTED);
		g_assert_cmpuint(result.blocks_done, ==, 0);
	}
}

/* The greedy scheduler serves a warp that spins, and never the one that holds the lock. */
static void a_starved_holder_is_a_livelock_found_at_once(void)
{
	g_autoptr(ListSource) list = loads_under_a_lock(2, false);
	Machine machine = list_fermi();
	SimResult result, later;

	machine.sm.scheduler = &scheduler_gty;
	machine.sm.schedulers = 1;
	machine.atomic.mechanism = &mechanism_none;
	machine.shared.store_cycles = machine.sm.issue_cycles; /* ready again at once */
	machine.shared.pass_cycles = machine.sm.issue_cycles;
	machine.sim.watchdog_cycles = 50000;
	hold_against_slow_way(&machine, list, &result);
	g_assert_cmpint(result.status, ==, SIM_LIVELOCK);
	g_assert_cmpstr(result.blocked_warps[0].state, ==, "spin lock");
	machine.sim.watchdog_cycles = UINT64_C(1) << 40;
	g_assert_cmpint(run(&machine, list, 1, NULL, &later, NULL), ==, SIM_LIVELOCK);
	g_assert_cmpuint(later.failed_cycle, >, machine.sim.watchdog_cycles);
}

/* As in test-engine.c, with more patience. */
static void lanes_that_fail_for_ever_are_a_livelock_found_at_once(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 32, 64);
	Machine machine = list_fermi();
	uint32_t words[32] = {0};
	Record record = list_record(RECORD_ATOM, words, 32);
	SimResult result;

	for (uint32_t warp = 0; warp < 32; warp++)
		for (int i = 0; i < 20; i++)
			list_source_append(list, 0, warp, &record);
	machine.sm.scheduler = &scheduler_gto;
	machine.sim.watchdog_cycles = 100000;
	hold_against_slow_way(&machine, list, &result);
	g_assert_cmpint(result.status, ==, SIM_LIVELOCK);
	machine.sim.watchdog_cycles = UINT64_C(1) << 40;
	g_assert_cmpint(run(&machine, list, 1, NULL, &result, NULL), ==, SIM_LIVELOCK);
	g_assert_cmpuint(result.failed_cycle, >, machine.sim.watchdog_cycles);
}

/* The holder waits at a barrier that the others, who want its lock, never reach. */
static void a_lock_held_at_a_barrier_is_a_livelock_found_at_once(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 4, 64);
	Machine machine = list_fermi();
	const uint32_t word = 3;
	const Record lock = list_record(RECORD_LOCK, &word, 1),
		     unlock = list_record(RECORD_UNLOCK, &word, 1),
		     bar = list_plain(RECORD_BAR, 0);
	SimResult result;

	list->source.kernel.lock_sections = true;
	for (uint32_t warp = 0; warp < 4; warp++) {
		list_source_append(list, 0, warp, &lock);
		list_source_append(list, 0, warp, &bar);
		list_source_append(list, 0, warp, &unlock);
	}
	machine.sim.watchdog_cycles = 30000;
	hold_against_slow_way(&machine, list, &result);
	g_assert_cmpint(result.status, ==, SIM_LIVELOCK);
	machine.sim.watchdog_cycles = UINT64_C(1) << 40;
	g_assert_cmpint(run(&machine, list, 1, NULL, &result, NULL), ==, SIM_LIVELOCK);
}

/* What a warp has waited for memory is booked when the answer comes, for a time that is still to come: nothing that happens
   again in each period. */
static void an_answer_from_memory_is_no_part_of_a_period(void)
{
	static const char *const slow[] = {"network.ingress_bank_conflict_mcycles=10000000",
					   "paths.complete_sector_mclk=5000000"};
	g_autoptr(GError) error = NULL;
	g_autofree char *path =
		g_build_filename(g_getenv("SOURCE"), "traces", "kmeans-lock.bin", NULL);
	g_autoptr(TraceReader) reader = trace_open(path, &error);

	g_assert_no_error(error);
	for (guint i = 0; i < G_N_ELEMENTS(slow); i++) {
		const char *const settings[] = {slow[i], NULL};
		g_autoptr(Config) config = config_load("hd5870.json", settings, &error);
		Watcher watcher = {{.instruction = instruction}, 0};
		g_auto(ReplayResult) fast = {0};
		g_auto(ReplayResult) each = {0};
		Replay request = {.reader = reader, .name = path, .n_threads = 1};

		g_assert_no_error(error);
		request.machine = config_machine(config);
		replay_run(&request, &fast, &error);
		g_assert_no_error(error);
		request.observer = &watcher.observer;
		replay_run(&request, &each, &error);
		g_assert_no_error(error);
		g_assert_cmpmem(&fast.run.statistics, sizeof fast.run.statistics,
				&each.run.statistics, sizeof each.run.statistics);
	}
}

/* A swap that will be written later is written later by as much as is run through. */
static void a_swap_under_way_is_put_off(void)
{
	for (uint32_t i = 0; i < 6 * 12; i++) {
		g_autofree char *write =
			g_strdup_printf("atomic.cas_loop.write_cycles=%u", 1 + i % 12 * 8);
		g_autofree char *latency =
			g_strdup_printf("global.latency_cycles=%u", 5000 + i % 12 * 26);
		const char *const settings[] = {"atomic.mechanism=cas-loop", write, latency,
						NULL};
		g_autoptr(ListSource) list = loads_under_a_lock(2 + i / 12, i % 2);
		Machine machine = list_machine(settings);
		SimResult result;

		machine.sm.scheduler = schedulers[i % 4];
		hold_against_slow_way(&machine, list, &result);
		g_assert_cmpint(result.status, ==, SIM_OK);
	}
}

/* When the answer to a store is known, some time before it is there, depends on what others do: a warp that uses what it has loaded
   does not wait for it. */
static void a_store_is_not_waited_for_with_results(void)
{
	static const char *const settings[] = {"sm.count=1", NULL};
	static const uint64_t buffer_bytes[] = {1 << 20};
	static const uint32_t word = 3;
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = config_load("hd5870.json", settings, &error);
	const Record lock = list_record(RECORD_LOCK, &word, 1),
		     unlock = list_record(RECORD_UNLOCK, &word, 1),
		     use = list_record(RECORD_LDS, &word, 1),
		     load = {.kind = RECORD_LDG,
			     .count = 1,
			     .n_lanes = 1,
			     .mask = 1,
			     .width = 4,
			     .bytes = 4,
			     .buffer = 1};
	Record store = load;

	g_assert_no_error(error);
	store.kind = RECORD_STG;
	for (uint32_t i = 0; i < 20 * 12; i++) {
		const Record before = list_plain(RECORD_ALU, 1 + i / 20),
			     between = list_plain(RECORD_ALU, 1 + i % 20);
		const Record *const section[] = {&lock,	 &before,  &load, &use,
						 &store, &between, &use,  &unlock};
		g_autoptr(ListSource) list = list_source_new(1, 2, 64);
		SimResult result;

		list->source.kernel.n_buffers = 1;
		list->source.kernel.buffer_bytes = buffer_bytes;
		/* So all accesses go the slow path, and answers are known long before. */
		list->source.kernel.global_atomics = KERNEL_HAS;
		for (uint32_t warp = 0; warp < 2; warp++)
			for (guint k = 0; k < G_N_ELEMENTS(section); k++)
				list_source_append(list, 0, warp, section[k]);
		hold_against_slow_way(config_machine(config), list, &result);
		g_assert_cmpint(result.status, ==, SIM_OK);
		/* Two loads, one after the other, and the last store. */
		g_assert_cmpuint(result.statistics.cycles, <,
				 3 * config_machine(config)->paths->complete_cycles + 2000);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (const Scheduler *const *s = schedulers; *s; s++) {
		g_autofree char *path = g_strdup_printf(
			"/fast-forward/tries skipped count as tries made (%s)", (*s)->name);

		g_autofree char *turns = g_strdup_printf(
			"/fast-forward/turns waited for count as turns looked for (%s)",
			(*s)->name);

		g_test_add_data_func(path, *s, tries_run_through_count_as_tries_made);
		g_test_add_data_func(turns, *s, turns_waited_for_count_as_turns_looked_for);
	}
#define TEST(function, sentence) g_test_add_func("/fast-forward/" sentence, function)
	TEST(an_answer_from_memory_is_no_part_of_a_period,
	     "an answer from memory is no part of a period");
	TEST(a_store_is_not_waited_for_with_results, "a store is not waited for with results");
	TEST(a_swap_under_way_is_put_off, "a swap under way is put off");
	TEST(a_long_wait_for_memory_costs_no_time_and_is_no_livelock,
	     "a long wait for memory costs no time and is no livelock");
	TEST(a_starved_holder_is_a_livelock_found_at_once,
	     "a starved holder is a livelock, found at once");
	TEST(lanes_that_fail_for_ever_are_a_livelock_found_at_once,
	     "lanes that fail for ever are a livelock, found at once");
	TEST(a_lock_held_at_a_barrier_is_a_livelock_found_at_once,
	     "a lock held at a barrier is a livelock, found at once");
	return g_test_run();
}
