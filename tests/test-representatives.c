/* SPDX-License-Identifier: MIT */
/* SMs that do what another does are simulated once, and nobody can tell from the result. */
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "base/error.h"
#include "random-program.h"
#include "replay/replay.h"
#include "sim/run/run-state.h"
#include "sim/run/run.h"
#include "trace/writer.h"

/* Blocks of a few kinds, those of a kind equal. */
typedef struct {
	RecordSource source;
	ListSource *list; /* a block for each kind */
	uint32_t n_kinds, kind[64];
	uint32_t more_bytes; /* of shared memory that a kind needs than the kind before it */
	uint64_t fails_at;   /* block that cannot be opened */
} Kinds;

static void block_info(RecordSource *base, uint64_t block, BlockInfo *info)
{
	const Kinds *kinds = (const Kinds *)base;

	kinds->list->source.block_info(&kinds->list->source, kinds->kind[block], info);
	info->block_id = block;
	info->shared_bytes += kinds->kind[block] * kinds->more_bytes;
}

static WarpStream *open_warp(RecordSource *base, uint64_t block, uint32_t warp)
{
	const Kinds *kinds = (const Kinds *)base;

	if (block == kinds->fails_at)
		return NULL;
	return kinds->list->source.open_warp(&kinds->list->source, kinds->kind[block], warp);
}

static uint64_t same_block(RecordSource *base, uint64_t block, BlockEquality equality)
{
	const Kinds *kinds = (const Kinds *)base;

	(void)equality;
	return block == kinds->fails_at ? 1000 : kinds->kind[block];
}

static uint32_t below(GRand *rand, uint32_t n)
{
	return (uint32_t)g_rand_int_range(rand, 0, (gint32)n);
}

static void kinds_open(Kinds *kinds, ListSource *list, uint32_t n_blocks)
{
	*kinds = (Kinds){
		.source = {.n_blocks = n_blocks,
			   .block_info = block_info,
			   .open_warp = open_warp,
			   .same_block = same_block,
			   .kernel = list->source.kernel},
		.list = list,
		.n_kinds = (uint32_t)list->source.n_blocks,
		.fails_at = UINT64_MAX,
	};
}

/* Most blocks are of kind 0, or all of those of a stretch. */
static void choose_kinds(GRand *rand, Kinds *kinds)
{
	const uint32_t rare = 1 + below(rand, 12);
	uint32_t kind = 0;

	for (uint32_t b = 0; b < kinds->source.n_blocks; b++) {
		if (below(rand, rare) == 0)
			kind = below(rand, kinds->n_kinds);
		else if (below(rand, 3) == 0)
			kind = 0;
		kinds->kind[b] = kind;
	}
}

static SimStatus run(const Machine *machine, const Kinds *kinds, bool all_sms,
		     uint32_t n_threads, SimResult *result)
{
	SimRequest request = {
		.machine = machine,
		.source = (RecordSource *)&kinds->source,
		.seed = 5,
		.n_threads = n_threads,
		.n_sites = PROGRAM_SITES,
		.all_sms = all_sms,
	};

	return sim_run(&request, result);
}

/* How often what happened. */
typedef struct {
	guint followed, all_followed, none_followed, failed;
} Seen;

/* What lies between the fields of what waits is whatever the compiler leaves there. */
static void clear_padding(SimResult *result)
{
	const size_t gap = offsetof(BlockedWarp, has_holder) + sizeof(bool),
		     end = offsetof(BlockedWarp, holder_warp) + sizeof(uint32_t);

	for (int i = 0; i < MAX_BLOCKED_WARPS; i++) {
		char *blocked = (char *)&result->blocked_warps[i];

		memset(blocked + gap, 0, offsetof(BlockedWarp, holder_block) - gap);
		memset(blocked + end, 0, sizeof(BlockedWarp) - end);
	}
}

/* Runs both ways, and holds every byte of one result against the other's but how many were simulated. */
static void hold_against_all(const Machine *machine, const Kinds *kinds, uint32_t n_threads,
			     Seen *seen)
{
	SimResult each, once;
	uint32_t simulated;

	run(machine, kinds, true, 1, &each);
	run(machine, kinds, false, n_threads, &once);
	g_assert_cmpuint(each.sms_simulated, ==, each.n_sms);
	simulated = once.sms_simulated;
	seen->followed += simulated < once.n_sms;
	seen->all_followed += simulated == 1 && once.n_sms > 1;
	seen->none_followed += simulated == once.n_sms;
	seen->failed += once.status != SIM_OK;
	once.sms_simulated = each.sms_simulated;
	g_assert_cmpint(once.status, ==, each.status);
	g_assert_cmpmem(&once.statistics, sizeof once.statistics, &each.statistics,
			sizeof each.statistics);
	clear_padding(&once);
	clear_padding(&each);
	g_assert_cmpmem(&once, sizeof once, &each, sizeof each);
}

static Machine random_machine(GRand *rand, const Mechanism *mechanism,
			      const Scheduler *scheduler)
{
	g_autofree char *of_mechanism = g_strdup_printf("atomic.mechanism=%s", mechanism->name);
	g_autofree char *of_scheduler = g_strdup_printf("sm.scheduler=%s", scheduler->name);
	const char *const settings[] = {of_mechanism, of_scheduler, NULL};
	Machine machine = list_machine(settings);

	machine.sm.count = 2 + below(rand, 6);
	machine.sm.max_blocks = 1 + below(rand, 3);
	machine.sm.dispatch_cycles = below(rand, 2) ? 1 + below(rand, 400) : 0;
	machine.sm.block_start_cycles = below(rand, 50);
	return machine;
}

static void equal_sms_count_as_if_each_were_simulated(gconstpointer data)
{
	const Scheduler *scheduler = data;
	g_autoptr(GRand) rand = g_rand_new_with_seed(31);
	Seen seen = {0};

	for (const Mechanism *const *m = mechanisms; *m; m++)
		for (int trial = 0; trial < 20; trial++) {
			/* One after the other: compilers differ in the order of arguments. */
			const uint32_t second = 1 + below(rand, 6), first = 1 + below(rand, 3);
			g_autoptr(ListSource) list = random_program(rand, first, second, 32);
			Machine machine = random_machine(rand, *m, scheduler);
			Kinds kinds;

			kinds_open(&kinds, list, 1 + below(rand, 40));
			kinds.more_bytes = below(rand, 2) ? below(rand, 30000) : 0;
			choose_kinds(rand, &kinds);
			hold_against_all(&machine, &kinds, 1 + below(rand, 3), &seen);
		}
	g_assert_cmpuint(seen.followed - seen.all_followed, >, 10);
	g_assert_cmpuint(seen.all_followed, >, 10);
	g_assert_cmpuint(seen.none_followed, >, 10);
}

/* A program that cannot end: one warp holds a lock at a barrier that the others do not reach, or waits at
   one that nobody else comes to. */
static void append_trap(ListSource *list, uint32_t block, bool livelock)
{
	const uint32_t word = 3;
	const Record lock = list_record(RECORD_LOCK, &word, 1),
		     unlock = list_record(RECORD_UNLOCK, &word, 1),
		     bar = {.kind = RECORD_BAR,
			    .barrier = 1,
			    .count = livelock ? 0 : 64 /* of more */};

	for (uint32_t warp = 0; warp < (livelock ? list->n_warps : 1); warp++) {
		if (livelock)
			list_source_append(list, block, warp, &lock);
		list_source_append(list, block, warp, &bar);
		if (livelock)
			list_source_append(list, block, warp, &unlock);
	}
}

static void what_fails_fails_in_the_same_place(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(32);
	guint statuses[SIM_TOO_LONG + 1] = {0};
	Seen seen = {0};

	for (int trial = 0; trial < 80; trial++) {
		g_autoptr(ListSource) list = random_program(rand, 3, 3 + below(rand, 3), 32);
		Machine machine = random_machine(rand, &mechanism_lock_bits, &scheduler_lrr);
		SimResult result;
		Kinds kinds;

		machine.sim.watchdog_cycles = 20000;
		list->source.kernel.lock_sections = true;
		kinds_open(&kinds, list, 2 + below(rand, 40));
		choose_kinds(rand, &kinds);
		switch (trial % 4) {
		case 0:
			kinds.more_bytes = 40000; /* the last kind fits nowhere */
			break;
		case 1:
			kinds.fails_at = below(rand, (uint32_t)kinds.source.n_blocks);
			break;
		default:
			append_trap(list, 2, trial % 4 == 2);
		}
		hold_against_all(&machine, &kinds, 1 + below(rand, 3), &seen);
		run(&machine, &kinds, false, 1, &result);
		statuses[result.status]++;
	}
	g_assert_cmpuint(seen.followed, >, 30);
	g_assert_cmpuint(statuses[SIM_TOO_LARGE], >, 5);
	g_assert_cmpuint(statuses[SIM_SOURCE_FAILED], >, 5);
	g_assert_cmpuint(statuses[SIM_LIVELOCK], >, 5);
	g_assert_cmpuint(statuses[SIM_DEADLOCK], >, 5);
}

typedef struct {
	uint64_t n_blocks, n_calls, stop_at;
} Progress;

static bool told(void *data, uint64_t blocks_done, uint64_t n_blocks)
{
	Progress *progress = data;

	g_assert_cmpuint(blocks_done, <=, n_blocks);
	progress->n_blocks = blocks_done;
	return ++progress->n_calls != progress->stop_at;
}

static void progress_counts_all_blocks_and_can_stop_a_run(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(33);
	guint interrupted = 0;

	for (int trial = 0; trial < 60; trial++) {
		g_autoptr(ListSource) list = random_program(rand, 2, 3, 32);
		Machine machine = random_machine(rand, &mechanism_native, &scheduler_lrr);
		Progress progress = {.stop_at = trial % 6};
		SimResult result;
		Kinds kinds;
		SimRequest request = {.machine = &machine,
				      .source = &kinds.source,
				      .n_threads = 1,
				      .n_sites = PROGRAM_SITES,
				      .progress = told,
				      .progress_data = &progress};

		kinds_open(&kinds, list, 64);
		choose_kinds(rand, &kinds);
		if (sim_run(&request, &result) == SIM_INTERRUPTED) {
			interrupted++;
			continue;
		}
		g_assert_cmpint(result.status, ==, SIM_OK);
		g_assert_cmpuint(result.blocks_done, ==, 64);
		g_assert_cmpuint(progress.n_blocks, <=, 64);
	}
	g_assert_cmpuint(interrupted, >, 20);
}

static void ignore(Observer *observer, const Instruction *instruction)
{
	(void)observer, (void)instruction;
}

static void each_sm_is_simulated_where_it_matters_which_one_it_is(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(34);
	g_autoptr(ListSource) list = random_program(rand, 1, 2, 32);
	Machine machine = list_fermi();
	Observer observer = {.instruction = ignore};
	SimResult result;
	Kinds kinds;
	SimRequest request = {.machine = &machine,
			      .source = &kinds.source,
			      .n_threads = 1,
			      .n_sites = PROGRAM_SITES};

	kinds_open(&kinds, list, 8);
	g_assert_cmpint(sim_run(&request, &result), ==, SIM_OK);
	g_assert_cmpuint(result.n_sms, ==, 8);
	g_assert_cmpuint(result.sms_simulated, ==, 1);
	request.observer = &observer;
	g_assert_cmpint(sim_run(&request, &result), ==, SIM_OK);
	g_assert_cmpuint(result.sms_simulated, ==, 8);
	request.observer = NULL;
	list_lock_bits(&machine)->winner = WINNER_RANDOM;
	g_assert_cmpint(sim_run(&request, &result), ==, SIM_OK);
	g_assert_cmpuint(result.sms_simulated, ==, 8);
}

/* In a run SMs that were equal so far are free at the same time, so this is asked of equal-sms.c alone. */
static void blocks_that_start_at_other_times_are_not_equal(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 1, 64);
	const Machine machine = list_fermi();
	Kinds kinds;
	SimRequest request = {.machine = &machine, .source = &kinds.source};
	Run run = {.request = &request,
		   .n_sms = 3,
		   .context = {.machine = &machine, .source = &kinds.source}};

	kinds_open(&kinds, list, 3);
	representatives_init(&run);
	representatives_dispatched(&run, 0, 0, 24, 0);
	representatives_dispatched(&run, 1, 1, 24, 0);
	representatives_dispatched(&run, 2, 2, 48, 0);
	representatives_part(&run, NULL, 0);
	g_assert_cmpuint(run.equal.representative[1], ==, 0);
	g_assert_cmpuint(run.equal.representative[2], ==, 2);
	representatives_clear(&run);
}

/* --- What a trace knows of its blocks --- */

/* Block b is of kind b % n_kinds. */
static GBytes *trace_of_kinds(uint32_t n_blocks, uint32_t n_kinds, uint32_t n_records)
{
	TraceWriter *writer = trace_writer_new_memory();

	for (uint32_t b = 0; b < n_blocks; b++) {
		g_autoptr(GRand) rand = g_rand_new_with_seed(b % n_kinds);
		trace_writer_begin_block(writer, b, 2, 1024);

		for (uint32_t i = 0; i < n_records; i++) {
			uint32_t words[32];
			Record record;

			for (uint32_t lane = 0; lane < 32; lane++)
				words[lane] = below(rand, 256);
			record = list_record(RECORD_ATOM, words, 32);
			trace_writer_append(writer, b, i % 2, &record);
		}
		trace_writer_end_block(writer, b);
	}
	return trace_writer_finish_bytes(writer, "{\"format\":1}");
}

static void hold_same(TraceReader *reader, uint32_t n_kinds, BlockEquality equality)
{
	RecordSource *source = trace_source(reader);

	for (uint64_t a = 0; a < source->n_blocks; a++)
		for (uint64_t b = 0; b < source->n_blocks; b++)
			g_assert_cmpint(source->same_block(source, a, equality) ==
						source->same_block(source, b, equality),
					==, a % n_kinds == b % n_kinds);
}

static void a_trace_knows_equal_blocks_by_their_bytes(void)
{
	g_autofree char *folder = g_dir_make_tmp("atomsim-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(folder, "long.bin", NULL);

	/* Small ones are stored once, those that are too large for that each. */
	for (int big = 0; big < 2; big++) {
		g_autoptr(GBytes) bytes = trace_of_kinds(12, 5, big ? 40000 : 20);
		g_autoptr(TraceReader) in_memory = trace_open_bytes("a.bin", bytes, NULL);
		g_autoptr(TraceReader) in_file = NULL;
		g_autoptr(GError) error = NULL;
		gsize n_bytes;
		const char *data = g_bytes_get_data(bytes, &n_bytes);

		g_assert_cmpint(n_bytes > 1 << 20, ==, big); /* not read whole */
		g_assert_cmpuint(trace_version(in_memory), ==, big ? 1 : 3);
		hold_same(in_memory, 5, EQUAL_RECORDS);
		g_assert_true(g_file_set_contents(path, data, (gssize)n_bytes, &error));
		in_file = trace_open(path, &error);
		g_assert_no_error(error);
		hold_same(in_file, 5, EQUAL_RECORDS);
	}
	g_remove(path);
	g_rmdir(folder);
}

#define BUFFER_BYTES 1048576

/* An access to a buffer: what it asks for from one source of chance, where from another. */
static Record global_access(GRand *rand, GRand *places)
{
	static const RecordKind kinds[] = {RECORD_LDG, RECORD_STG, RECORD_ATOMG};
	const uint32_t n = 1 + below(rand, 32), step = 4u << below(rand, 6);
	uint32_t words[32] = {0};
	Record record = list_record(kinds[below(rand, 3)], words, n);

	record.buffer = 1;
	record.result = below(rand, 2);
	record.offset = (uint64_t)below(places, BUFFER_BYTES / 2 / 128) * 128;
	for (uint32_t lane = 0; lane < n; lane++)
		record.address[lane] = lane * step;
	if (below(places, 40) == 0)
		record.offset += 64; /* perhaps more segments */
	return record;
}

/* Block b is of kind b % n_kinds, and goes to places of its own. */
static GBytes *trace_of_places(GRand *places, uint32_t n_blocks, uint32_t n_kinds,
			       uint32_t seed, bool locks)
{
	TraceWriter *writer = trace_writer_new_memory();

	trace_writer_set_version_2(writer, 32);
	for (uint32_t b = 0; b < n_blocks; b++) {
		g_autoptr(GRand) rand = g_rand_new_with_seed(seed + b % n_kinds);
		const uint32_t word = 0;
		const Record lock = list_record(RECORD_LOCK, &word, 1),
			     unlock = list_record(RECORD_UNLOCK, &word, 1),
			     arithmetic = list_plain(RECORD_ALU, 1 + b % n_kinds);

		trace_writer_begin_block(writer, b, 1, 1024);
		/* A shape for each kind. */
		for (uint32_t i = 0; i < 20 + b % n_kinds; i++) {
			const Record record = global_access(rand, places);

			trace_writer_append(writer, b, 0, &record);
			if (locks && i == 3)
				trace_writer_append(writer, b, 0, &lock);
			trace_writer_append(writer, b, 0, &arithmetic);
			if (locks && i == 3)
				trace_writer_append(writer, b, 0, &unlock);
		}
		trace_writer_end_block(writer, b);
	}
	return trace_writer_finish_bytes(writer,
					 "{\"format\":2,\"buffers\":[{\"bytes\":1048576}]}");
}

/* How many SMs are simulated of such a trace; the result is that of all. */
static uint32_t simulated_of(GBytes *bytes, const Machine *machine)
{
	g_autoptr(TraceReader) reader = trace_open_bytes("places.bin", bytes, NULL);
	SimResult results[2];
	uint32_t simulated;

	for (int all_sms = 0; all_sms < 2; all_sms++) {
		SimRequest request = {.machine = machine,
				      .source = trace_source(reader),
				      .n_threads = 1,
				      .all_sms = all_sms};

		g_assert_cmpint(sim_run(&request, &results[all_sms]), ==, SIM_OK);
	}
	simulated = results[0].sms_simulated;
	results[0].sms_simulated = results[1].sms_simulated;
	g_assert_cmpmem(&results[0], sizeof results[0], &results[1], sizeof results[1]);
	return simulated;
}

static void places_in_global_memory_matter_where_somebody_asks_for_them(void)
{
	g_autoptr(GRand) places = g_rand_new_with_seed(35);
	guint fewer = 0, more = 0;

	for (uint32_t trial = 0; trial < 40; trial++) {
		g_autoptr(GBytes) bytes = trace_of_places(places, 8, 2, trial, false);
		g_autoptr(GBytes) locked = trace_of_places(places, 8, 2, trial, true);
		Machine machine = list_fermi();
		uint32_t n = simulated_of(bytes, &machine);

		g_assert_cmpuint(n, >=, 2);
		fewer += n < 8;
		more += n > 2;
		g_assert_cmpuint(simulated_of(locked, &machine), ==, 8);
		machine.global.l1_bytes = 16384;
		machine.global.l1_ways = 4;
		machine.global.l1_cycles = 40;
		g_assert_cmpuint(simulated_of(bytes, &machine), ==, 8);
	}

	g_assert_cmpuint(fewer, >, 5);
	g_assert_cmpuint(more, >, 5);
}

/* The error of a replay, NULL: there was none. g_free. */
static char *error_of(GBytes *bytes, const Machine *machine, bool all_sms)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(TraceReader) reader = trace_open_bytes("damaged.bin", bytes, &error);
	g_auto(ReplayResult) result = {0};
	const Replay replay = {
		.machine = machine, .reader = reader, .n_threads = 1, .all_sms = all_sms};

	if (reader && replay_run(&replay, &result, &error))
		return NULL;
	return g_strdup(error->message);
}

/* A byte that is damaged is found, though the block is equal to another but for it. */
static void damage_is_found_in_whatever_block_it_is(void)
{
	g_autoptr(GBytes) good = trace_of_kinds(4, 1, 12);
	const Machine machine = list_fermi();
	guint found = 0;
	gsize n_bytes;
	const char *data = g_bytes_get_data(good, &n_bytes);

	for (gsize at = 16; at < n_bytes; at += 7) {
		char *copy = g_memdup2(data, n_bytes);
		g_autoptr(GBytes) bytes = g_bytes_new_take(copy, n_bytes);
		g_autofree char *each = NULL, *once = NULL;

		copy[at] ^= 4;
		each = error_of(bytes, &machine, true);
		once = error_of(bytes, &machine, false);
		g_assert_cmpstr(each, ==, once);
		found += each != NULL;
	}
	g_assert_cmpuint(found, >, n_bytes / 7 - 10);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (const Scheduler *const *s = schedulers; *s; s++) {
		g_autofree char *path = g_strdup_printf(
			"/equal-sms/equal SMs count as if each were simulated (%s)",
			(*s)->name);

		g_test_add_data_func(path, *s, equal_sms_count_as_if_each_were_simulated);
	}
#define TEST(function, sentence) g_test_add_func("/representatives/" sentence, function)
	TEST(blocks_that_start_at_other_times_are_not_equal,
	     "blocks that start at other times are not equal");
	TEST(what_fails_fails_in_the_same_place, "what fails fails in the same place");
	TEST(progress_counts_all_blocks_and_can_stop_a_run,
	     "progress counts all blocks and can stop a run");
	TEST(each_sm_is_simulated_where_it_matters_which_one_it_is,
	     "each SM is simulated where it matters which one it is");
	TEST(a_trace_knows_equal_blocks_by_their_bytes,
	     "a trace knows equal blocks by their bytes");
	TEST(places_in_global_memory_matter_where_somebody_asks_for_them,
	     "places in global memory matter where somebody asks for them");
	TEST(damage_is_found_in_whatever_block_it_is,
	     "damage is found in whatever block it is");
	return g_test_run();
}
