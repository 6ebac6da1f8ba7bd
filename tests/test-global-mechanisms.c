/* SPDX-License-Identifier: MIT */
/* Atomics on global memory by each mechanism, and the two paths to it, in whole runs. */
#include <glib.h>
#include <string.h>

#include "config/config.h"
#include "list-source.h"
#include "sim/run/run.h"

static const uint64_t buffer_bytes[] = {1 << 21};

/* Machines point into them: they live as long as the test. */
static GPtrArray *configs;

/* hd5870.json with a setting or two; NULL: none. */
static Machine machine_with(const char *first, const char *second)
{
	const char *const settings[] = {first, second, NULL};
	g_autoptr(GError) error = NULL;
	Config *config = config_load("hd5870.json", settings, &error);

	g_assert_no_error(error);
	g_ptr_array_add(configs, config);
	return *config_machine(config);
}

static ListSource *kernel_new(uint64_t n_blocks, uint32_t n_warps)
{
	ListSource *list = list_source_new(n_blocks, n_warps, 4);

	list->source.kernel.n_buffers = 1;
	list->source.kernel.buffer_bytes = buffer_bytes;
	list->source.kernel.warp_lanes = 64;
	return list;
}

/* Lanes 0 .. n-1; lane i at word i * stride. */
static Record global_record(RecordKind kind, uint32_t n, uint32_t stride)
{
	Record record = {.kind = (uint8_t)kind,
			 .operation = OPERATION_ADD,
			 .type = TYPE_U32,
			 .width = 4,
			 .n_lanes = (uint8_t)n,
			 .mask = lanes_below(n),
			 .buffer = 1,
			 .bytes = n * 4,
			 .count = 1};

	for (uint32_t i = 0; i < n; i++)
		record.address[i] = i * stride * 4;
	return record;
}

/* The same record by every warp. */
static ListSource *kernel_of(uint64_t n_blocks, uint32_t n_warps, const Record *record)
{
	ListSource *list = kernel_new(n_blocks, n_warps);

	for (uint64_t b = 0; b < n_blocks; b++)
		for (uint32_t w = 0; w < n_warps; w++)
			list_source_append(list, b, w, record);
	return list;
}

static SimStatus run(const Machine *machine, ListSource *list, uint32_t n_threads,
		     SimResult *result)
{
	SimRequest request = {
		.machine = machine, .source = &list->source, .n_threads = n_threads};

	return sim_run(&request, result);
}

static Statistics run_of(const Machine *machine, uint64_t n_blocks, uint32_t n_warps,
			 const Record *record)
{
	g_autoptr(ListSource) list = kernel_of(n_blocks, n_warps, record);
	SimResult result;

	g_assert_cmpint(run(machine, list, 1, &result), ==, SIM_OK);
	return result.statistics;
}

/* n lanes on one word: in each round one gets its swap through. */
static void a_loop_lets_one_lane_of_a_word_through_a_round(void)
{
	Machine machine = machine_with("global.atomic.mechanism=cas-loop", NULL);

	for (uint32_t n = 1; n <= 64; n *= 2) {
		Record record = global_record(RECORD_ATOMG, n, 0);
		Statistics statistics = run_of(&machine, 1, 1, &record);

		g_assert_cmpuint(statistics.memory.failed_lanes, ==, n * (n - 1) / 2);
		g_assert_cmpuint(statistics.memory.accesses, ==, 1 + n);
	}
}

static void a_loop_on_words_of_its_own_never_fails(void)
{
	Machine machine = machine_with("global.atomic.mechanism=cas-loop", NULL);
	Record record = global_record(RECORD_ATOMG, 64, 1);
	Statistics statistics = run_of(&machine, 1, 1, &record);

	g_assert_cmpuint(statistics.memory.failed_lanes, ==, 0);
	g_assert_cmpuint(statistics.memory.accesses, ==, 2);
}

/* Lane by lane: two warps on different SMs that read a word together cannot both swap it. */
static void loops_of_different_sms_meet_at_the_word(void)
{
	Machine machine = machine_with("global.atomic.mechanism=cas-loop", NULL);
	Record record = global_record(RECORD_ATOMG, 1, 0);

	g_assert_cmpuint(run_of(&machine, 2, 1, &record).memory.failed_lanes, ==, 1);
	/* Of n that read together n - 1 fail, then n - 2, ... */
	g_assert_cmpuint(run_of(&machine, 8, 1, &record).memory.failed_lanes, ==, 8 * 7 / 2);
}

/* A loop of the program's own, on every machine: as the other, without its load. */
static void an_update_is_a_loop_without_a_load(void)
{
	static const char *const names[] = {"l2", "cas-loop"};

	for (guint m = 0; m < G_N_ELEMENTS(names); m++) {
		g_autofree char *setting =
			g_strdup_printf("global.atomic.mechanism=%s", names[m]);
		Machine machine = machine_with(setting, NULL);

		for (uint32_t n = 1; n <= 64; n *= 2) {
			Record record = global_record(RECORD_ATOMG, n, 0);
			Statistics statistics;

			record.operation = OPERATION_UPDATE;
			statistics = run_of(&machine, 1, 1, &record);
			g_assert_cmpuint(statistics.memory.failed_lanes, ==, n * (n - 1) / 2);
			g_assert_cmpuint(statistics.memory.accesses, ==, n);
		}
	}
}

/* Lanes that left the first swap of their word to another one swap that word. */
static void one_winner_of_an_update_swaps_its_own_word(void)
{
	Machine machine = machine_with("global.atomic.mechanism=l2",
				       "global.atomic.cas_loop.retry=one-winner");
	Record record = global_record(RECORD_ATOMG, 5, 0);

	record.operation = OPERATION_UPDATE;
	record.address[3] = record.address[4] = 4;
	g_assert_cmpuint(run_of(&machine, 1, 1, &record).memory.failed_lanes, ==, 0);
}

/* Of warps that have loaded the word before another swapped it none succeeds at once; one whose load comes later does. */
static void an_update_has_seen_what_its_load_has(void)
{
	Machine machine = machine_with("global.atomic.mechanism=l2", NULL);
	Record record = global_record(RECORD_ATOMG, 1, 0);
	g_autoptr(ListSource) list = kernel_new(1, 1);
	SimResult result;

	record.operation = OPERATION_UPDATE;
	g_assert_cmpuint(run_of(&machine, 8, 1, &record).memory.failed_lanes, ==, 8 * 7 / 2);
	for (guint i = 0; i < 3; i++)
		list_source_append(list, 0, 0, &record);
	g_assert_cmpint(run(&machine, list, 1, &result), ==, SIM_OK);
	g_assert_cmpuint(result.statistics.memory.failed_lanes, ==, 0);
}

/* Also if its first swap waits for longer than a load's round trip: here a swap takes a slice for 20,000 cycles. */
static void an_update_that_waits_has_seen_what_its_load_had(void)
{
	Machine machine = machine_with("global.atomic.mechanism=l2", "l2.sector_mclk=10000000");
	Record record = global_record(RECORD_ATOMG, 1, 0);

	record.operation = OPERATION_UPDATE;
	g_assert_cmpuint(run_of(&machine, 8, 1, &record).memory.failed_lanes, ==, 8 * 7 / 2);
}

/* A warp's lanes of one word do not get in each other's way; each still needs a swap. */
static void one_winner_of_a_warp_fails_by_other_warps_alone(void)
{
	Machine machine = machine_with("global.atomic.mechanism=cas-loop",
				       "global.atomic.cas_loop.retry=one-winner");

	for (uint32_t n = 1; n <= 64; n *= 2) {
		Record record = global_record(RECORD_ATOMG, n, 0);
		Statistics statistics = run_of(&machine, 1, 1, &record);

		g_assert_cmpuint(statistics.memory.failed_lanes, ==, 0);
		g_assert_cmpuint(statistics.memory.accesses, ==, 1 + n);
		g_assert_cmpuint(statistics.memory.sent_lanes, ==, n);
		g_assert_cmpuint(run_of(&machine, 8, 1, &record).memory.failed_lanes, >=,
				 8 * 7 / 2);
	}
}

/* Who waits for a drawn time meets fewer others. */
static void back_off_saves_failures(void)
{
	Machine all = machine_with("global.atomic.mechanism=cas-loop", NULL);
	Machine waits = machine_with("global.atomic.mechanism=cas-loop",
				     "global.atomic.cas_loop.back_off_cycles=20000");
	Record record = global_record(RECORD_ATOMG, 1, 0);
	const uint64_t without = run_of(&all, 16, 1, &record).memory.failed_lanes;

	g_assert_cmpuint(without, ==, 16 * 15 / 2);
	g_assert_cmpuint(run_of(&waits, 16, 1, &record).memory.failed_lanes, <, without / 2);
	g_assert_cmpuint(run_of(&waits, 1, 1, &record).memory.failed_lanes, ==, 0);
}

/* Accesses of wait loops are not in the trace; every request is served; one round serves many. */
static void a_coordinator_serves_every_warp(void)
{
	Machine machine = machine_with("global.atomic.mechanism=coordinator", NULL);
	Record record = global_record(RECORD_ATOMG, 64, 0);
	Statistics one = run_of(&machine, 1, 1, &record),
		   many = run_of(&machine, 64, 1, &record);

	g_assert_cmpuint(one.trace_warp_instructions, ==, 2);
	g_assert_cmpuint(one.memory.wait_loop_accesses, >, 0);
	/* Two stores, those of the wait loop, one load. */
	g_assert_cmpuint(one.memory.accesses, ==, 3 + one.memory.wait_loop_accesses);
	g_assert_cmpuint(many.memory.accesses, ==, 3 * 64 + many.memory.wait_loop_accesses);
	g_assert_cmpuint(many.memory.coordinator_rounds, <, 8);
	g_assert_cmpuint(many.cycles, <, 2 * one.cycles);
}

/* Lanes on two words make two requests. */
static void words_of_a_warp_take_turns(void)
{
	Machine machine = machine_with("global.atomic.mechanism=coordinator", NULL);
	Record one = global_record(RECORD_ATOMG, 64, 0), two = one;
	Statistics on_two;

	for (uint32_t i = 0; i < 64; i++)
		two.address[i] = i % 2 * 512;
	on_two = run_of(&machine, 1, 1, &two);
	g_assert_cmpuint(on_two.memory.accesses, ==, 2 * 3 + on_two.memory.wait_loop_accesses);
	g_assert_cmpuint(on_two.cycles, >, run_of(&machine, 1, 1, &one).cycles);
}

static void refused(const char *setting, uint64_t n_blocks, const Record *record,
		    const char *problem)
{
	Machine machine = machine_with("global.atomic.mechanism=coordinator", setting);
	g_autoptr(ListSource) list = kernel_of(n_blocks, 1, record);
	SimResult result;

	g_assert_cmpint(run(&machine, list, 1, &result), ==, SIM_BAD_RECORD);
	g_assert_nonnull(strstr(result.problem, problem));
}

static void a_coordinator_says_what_it_cannot_do(void)
{
	Record record = global_record(RECORD_ATOMG, 64, 0);

	refused("global.atomic.coordinator.threads=3", 4, &record, "more warps");
	record.operation = OPERATION_MAX;
	refused(NULL, 1, &record, "only adds");
	record.operation = OPERATION_CAS;
	refused(NULL, 1, &record, "only adds");
}

static uint64_t path_of(const char *mechanism, KernelFact fact, gboolean has_atomic)
{
	Machine machine = machine_with(mechanism, NULL);
	g_autoptr(ListSource) list = kernel_new(1, 1);
	Record load = global_record(RECORD_LDG, 64, 1),
	       atomic = global_record(RECORD_ATOMG, 64, 0);
	SimResult result;

	list->source.kernel.global_atomics = fact;
	list_source_append(list, 0, 0, &load);
	if (has_atomic)
		list_source_append(list, 0, 0, &atomic);
	g_assert_cmpint(run(&machine, list, 1, &result), ==, SIM_OK);
	return result.statistics.memory.complete_accesses;
}

/* One atomic in the program, executed or not, sends all accesses the slow way; a coordinator's none. */
static void one_atomic_sends_all_accesses_the_slow_way(void)
{
	g_assert_cmpuint(path_of(NULL, KERNEL_UNKNOWN, FALSE), ==, 0);
	g_assert_cmpuint(path_of(NULL, KERNEL_UNKNOWN, TRUE), ==, 2);
	g_assert_cmpuint(path_of(NULL, KERNEL_HAS, FALSE), ==, 1);
	g_assert_cmpuint(path_of("global.atomic.mechanism=coordinator", KERNEL_HAS, TRUE), ==,
			 0);
	g_assert_cmpuint(path_of("paths.rule=one", KERNEL_HAS, TRUE), ==, 0);
}

/* All 64 lanes load one word, and store to their own, in a program with an atomic that is never executed. */
static Statistics slow_load_and_store(const char *first, const char *second)
{
	Machine machine = machine_with(first, second);
	g_autoptr(ListSource) list = kernel_new(1, 1);
	Record load = global_record(RECORD_LDG, 64, 0),
	       store = global_record(RECORD_STG, 64, 1);
	SimResult result;

	list->source.kernel.global_atomics = KERNEL_HAS;
	list_source_append(list, 0, 0, &load);
	list_source_append(list, 0, 0, &store);
	g_assert_cmpint(run(&machine, list, 1, &result), ==, SIM_OK);
	return result.statistics;
}

static void stores_can_stay_on_the_fast_path(void)
{
	Statistics all = slow_load_and_store(NULL, NULL);
	Statistics but_stores = slow_load_and_store("paths.rule=all-but-stores", NULL);

	g_assert_cmpuint(all.memory.complete_accesses, ==, 2);
	g_assert_cmpuint(but_stores.memory.complete_accesses, ==, 1);
	g_assert_cmpuint(but_stores.memory.accesses, ==, 2);
}

/* Lanes that get a result keep their word for so many turns: 64 lanes, of 10 cycles each. */
static void results_take_turns_of_their_own(void)
{
	Statistics once = slow_load_and_store("paths.result_turns=1", "l2.sector_mclk=10000");
	Statistics thrice = slow_load_and_store("paths.result_turns=3", "l2.sector_mclk=10000");

	g_assert_cmpuint(thrice.cycles, ==, once.cycles + 2 * 64 * 10);
}

/* 64 wavefronts of 8 rows copy: what the bandwidths of either path say, and a latency. */
static void each_path_moves_what_it_should(void)
{
	Machine machine = machine_with("paths.complete_cycles=1500", NULL);
	uint64_t cycles[2];

	for (int slow = 0; slow < 2; slow++) {
		g_autoptr(ListSource) list = kernel_new(140, 4);
		SimResult result;

		list->source.kernel.global_atomics = slow ? KERNEL_HAS : KERNEL_HAS_NOT;
		for (uint64_t b = 0; b < 140; b++)
			for (uint32_t w = 0; w < 4; w++)
				for (int i = 0; i < 16; i++) {
					Record row = global_record(
						i % 2 ? RECORD_STG : RECORD_LDG, 64, 1);

					row.offset =
						((uint64_t)(i / 2) * 560 + b * 4 + w) * 256;
					list_source_append(list, b, w, &row);
				}
		g_assert_cmpint(run(&machine, list, 1, &result), ==, SIM_OK);
		cycles[slow] = result.statistics.cycles;
	}
	/* 140 * 4 * 16 rows of 256 bytes at 96 and 18 GB/s of 850 MHz, within 5 % beyond the latency. */
	g_assert_cmpuint(cycles[0], >, 20312);
	g_assert_cmpuint(cycles[0], <, 20312 * 1.05 + 2 * 1500);
	g_assert_cmpuint(cycles[1], >, 108331);
	g_assert_cmpuint(cycles[1], <, 108331 * 1.05 + 2 * 1500);
}

/* The same statistics on one thread and on several. */
static void threads_do_not_matter(void)
{
	static const char *const names[] = {"l2", "cas-loop", "coordinator"};

	for (guint m = 0; m < G_N_ELEMENTS(names); m++) {
		g_autofree char *setting =
			g_strconcat("global.atomic.mechanism=", names[m], NULL);
		Machine machine = machine_with(setting, NULL);
		Record record = global_record(RECORD_ATOMG, 16, 0);
		Statistics all[2];

		for (int i = 0; i < 2; i++) {
			g_autoptr(ListSource) list = kernel_of(24, 2, &record);
			SimResult result;

			g_assert_cmpint(run(&machine, list, i ? 4 : 1, &result), ==, SIM_OK);
			all[i] = result.statistics;
		}
		g_assert_cmpmem(&all[0], sizeof all[0], &all[1], sizeof all[1]);
	}
}

int main(int argc, char **argv)
{
	int status;

	configs = g_ptr_array_new_with_free_func((GDestroyNotify)config_free);
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/global-mechanisms/a loop lets one lane of a word through a round",
			a_loop_lets_one_lane_of_a_word_through_a_round);
	g_test_add_func("/global-mechanisms/a loop on words of its own never fails",
			a_loop_on_words_of_its_own_never_fails);
	g_test_add_func("/global-mechanisms/loops of different SMs meet at the word",
			loops_of_different_sms_meet_at_the_word);
	g_test_add_func("/global-mechanisms/an update is a loop without a load",
			an_update_is_a_loop_without_a_load);
	g_test_add_func("/global-mechanisms/one winner of an update swaps its own word",
			one_winner_of_an_update_swaps_its_own_word);
	g_test_add_func("/global-mechanisms/an update has seen what its load has",
			an_update_has_seen_what_its_load_has);
	g_test_add_func("/global-mechanisms/an update that waits has seen what its load had",
			an_update_that_waits_has_seen_what_its_load_had);
	g_test_add_func("/global-mechanisms/one winner of a warp fails by other warps alone",
			one_winner_of_a_warp_fails_by_other_warps_alone);
	g_test_add_func("/global-mechanisms/back-off saves failures", back_off_saves_failures);
	g_test_add_func("/global-mechanisms/a coordinator serves every warp",
			a_coordinator_serves_every_warp);
	g_test_add_func("/global-mechanisms/words of a warp take turns",
			words_of_a_warp_take_turns);
	g_test_add_func("/global-mechanisms/a coordinator says what it cannot do",
			a_coordinator_says_what_it_cannot_do);
	g_test_add_func("/global-mechanisms/one atomic sends all accesses the slow way",
			one_atomic_sends_all_accesses_the_slow_way);
	g_test_add_func("/global-mechanisms/stores can stay on the fast path",
			stores_can_stay_on_the_fast_path);
	g_test_add_func("/global-mechanisms/results take turns of their own",
			results_take_turns_of_their_own);
	g_test_add_func("/global-mechanisms/each path moves what it should",
			each_path_moves_what_it_should);
	g_test_add_func("/global-mechanisms/threads do not matter", threads_do_not_matter);
	status = g_test_run();
	g_ptr_array_unref(configs);
	return status;
}
