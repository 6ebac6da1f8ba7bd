/* SPDX-License-Identifier: MIT */
/* Estimates of launches (docs/guide/within.md): part of the work, an interval that holds, the same for any number of threads. */
#include <string.h>

#include "base/error.h"
#include "config/config.h"
#include "gen-trace.h"
#include "gpu/capture/sample.h"
#include "replay/replay.h"
#include "trace/sample.h"
#include "trace/writer.h"

/* Launches of many waves of equal blocks, and of blocks that differ by chance. */
static const char *const launches[][3] = {
	{"h200", "launch.sms=4", "reduction dataflow=yes elements=524288 tile=256"},
	{"h200", "launch.sms=4", "private-histogram dataflow=yes blocks=1600 elements=1048576"},
	{"fermi", "atomic.mechanism=lock-bits", "transpose size=1024"},
};

/* Launches of one wave of long loops, on SMs by themselves and on SMs that share a memory. */
static const char *const loops[][3] = {
	{"fermi", "launch.sms=2",
	 "voting dataflow=yes blocks=2 warps=16 steps=600 words=256 alu=7"},
	{"h200", "launch.sms=4",
	 "global-atomics dataflow=yes threads=2048 steps=500 words=4096 order=random"},
};

static Config *machine_of(const char *const *launch)
{
	const char *const settings[] = {launch[1], NULL};
	g_autofree char *name = g_strconcat(launch[0], ".json", NULL);
	g_autoptr(GError) error = NULL;
	Config *config = config_load(name, settings, &error);

	g_assert_no_error(error);
	return config;
}

static void run(const Config *config, TraceReader *reader, Replay replay, ReplayResult *result)
{
	g_autoptr(GError) error = NULL;

	replay.machine = config_machine(config);
	replay.reader = reader;
	replay.n_threads = MAX(replay.n_threads, 1);
	replay_run(&replay, result, &error);
	g_assert_no_error(error);
}

static void test_holds(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(launches); i++) {
		g_autoptr(Config) config = machine_of(launches[i]);
		g_autoptr(TraceReader) reader = gen_trace(launches[i][2]);
		g_auto(ReplayResult) whole = {0}, part = {0};
		const Estimate *estimate = &part.estimate;

		run(config, reader, (Replay){0}, &whole);
		run(config, reader, (Replay){.within = 0.05}, &part);
		g_assert_null(estimate->whole);
		g_assert_cmpuint(estimate->n_waves, >=, 20);
		g_assert_cmpuint(estimate->low, <=, whole.run.statistics.cycles);
		g_assert_cmpuint(estimate->high, >=, whole.run.statistics.cycles);
		g_assert_cmpuint(estimate->low, <=, part.run.statistics.cycles);
		g_assert_cmpfloat((double)estimate->high, <=,
				  1.05 * (double)part.run.statistics.cycles + 1);
		/* The gain. */
		g_assert_cmpuint(3 * estimate->simulated_instructions, <,
				 whole.run.statistics.warp_instructions);
		g_assert_cmpuint(estimate->blocks, ==, part.run.statistics.blocks);
	}
}

static void assert_same(const ReplayResult *a, const ReplayResult *b)
{
	g_assert_cmpmem(&a->run.statistics, sizeof a->run.statistics, &b->run.statistics,
			sizeof b->run.statistics);
	g_assert_cmpuint(a->estimate.low, ==, b->estimate.low);
	g_assert_cmpuint(a->estimate.high, ==, b->estimate.high);
	g_assert_cmpuint(a->estimate.waves, ==, b->estimate.waves);
}

/* What loops in steady state take is not simulated. */
static void test_loops(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(loops); i++) {
		g_autoptr(Config) config = machine_of(loops[i]);
		g_autoptr(TraceReader) reader = gen_trace(loops[i][2]);
		g_auto(ReplayResult) whole = {0}, part = {0}, four = {0}, all = {0};
		const Estimate *estimate = &part.estimate;

		run(config, reader, (Replay){0}, &whole);
		run(config, reader, (Replay){.within = 0.02}, &part);
		g_assert_null(estimate->whole);
		g_assert_cmpuint(estimate->records, ==, trace_n_records(reader));
		g_assert_cmpuint(2 * estimate->records_skipped, >, estimate->records);
		g_assert_cmpuint(2 * estimate->simulated_instructions, <,
				 whole.run.statistics.warp_instructions);
		g_assert_cmpuint(estimate->low, <=, whole.run.statistics.cycles);
		g_assert_cmpuint(estimate->high, >=, whole.run.statistics.cycles);
		g_assert_cmpfloat((double)estimate->high, <=,
				  1.02 * (double)part.run.statistics.cycles + 1);
		run(config, reader, (Replay){.within = 0.02, .n_threads = 4}, &four);
		run(config, reader, (Replay){.within = 0.02, .all_sms = true}, &all);
		assert_same(&part, &four);
		assert_same(&part, &all);
		g_assert_cmpuint(estimate->records_skipped, ==, four.estimate.records_skipped);
	}
}

/* Nor does it matter which SMs do what others do. */
static void test_threads(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(launches); i++) {
		g_autoptr(Config) config = machine_of(launches[i]);
		g_autoptr(TraceReader) reader = gen_trace(launches[i][2]);
		g_auto(ReplayResult) one = {0}, four = {0}, all = {0};

		run(config, reader, (Replay){.within = 0.02}, &one);
		run(config, reader, (Replay){.within = 0.02, .n_threads = 4}, &four);
		run(config, reader, (Replay){.within = 0.02, .all_sms = true}, &all);
		assert_same(&one, &four);
		assert_same(&one, &all);
	}
}

static void test_seed(void)
{
	g_autoptr(Config) config = machine_of(launches[1]);
	g_autoptr(TraceReader) reader = gen_trace(launches[1][2]);
	g_auto(ReplayResult) one = {0}, again = {0}, other = {0};

	run(config, reader, (Replay){.within = 0.05, .seed = 1}, &one);
	run(config, reader, (Replay){.within = 0.05, .seed = 1}, &again);
	run(config, reader, (Replay){.within = 0.05, .seed = 2}, &other);
	assert_same(&one, &again);
	g_assert_cmpuint(one.run.statistics.cycles, !=, other.run.statistics.cycles);
}

/* What cannot be sampled, or not so finely, gives the whole run's bytes. */
static void assert_whole(const char *machine, const char *setting, const char *command,
			 double within, const char *why)
{
	const char *const launch[] = {machine, setting, command};
	g_autoptr(Config) config = machine_of(launch);
	g_autoptr(TraceReader) reader = gen_trace(command);
	g_auto(ReplayResult) whole = {0}, part = {0};

	run(config, reader, (Replay){.sites = true}, &whole);
	run(config, reader, (Replay){.sites = true, .within = within}, &part);
	g_assert_cmpstr(part.estimate.whole, ==, why);
	g_assert_cmpmem(&whole.run, sizeof whole.run, &part.run, sizeof part.run);
	g_assert_cmpmem(whole.sites->data, whole.sites->len * sizeof(HotSpot), part.sites->data,
			part.sites->len * sizeof(HotSpot));
	g_assert_cmpuint(part.estimate.low, ==, whole.run.statistics.cycles);
	g_assert_cmpuint(part.estimate.high, ==, whole.run.statistics.cycles);
	g_assert_cmpuint(part.estimate.simulated_instructions, >=,
			 whole.run.statistics.warp_instructions);
}

static void test_whole(void)
{
	assert_whole("h200", "launch.sms=132", "reduction dataflow=yes elements=65536", 0.02,
		     "it has few waves of blocks, and its warps no long loops");
	assert_whole("h200", "launch.sms=4", "spin-locks blocks=2 warps=2 words=16 entries=200",
		     0.02, "it has few waves of blocks, and critical sections");
	assert_whole("h200", "launch.sms=4",
		     "global-atomics dataflow=yes threads=131072 words=64 order=random", 0.001,
		     "its waves differ too much");
}

/* Whole waves: the first, the last, one of each equal part between, and the blocks after the last. */
static void test_sample(void)
{
	const uint64_t wave = 3;

	for (uint64_t n = SAMPLE_LEAST_WAVES; n <= 12; n++)
		for (uint64_t n_waves = 2 * n; n_waves < 7 * n; n_waves++) {
			const uint64_t n_blocks = n_waves * wave + 2, between = n_waves - 2;
			uint64_t n_sampled = 0;

			g_assert_true(sample_is_part(n_blocks, wave, n));
			g_assert_false(sample_is_part(n_blocks, wave, n_waves / 2 + 1));
			for (uint64_t block = 0; block < n_blocks; block++) {
				const int has = sample_has(block, n_blocks, wave, n);

				if (block < wave || block >= (n_waves - 1) * wave)
					g_assert_true(has);
				g_assert_cmpint(
					has, ==,
					sample_has(block / wave * wave, n_blocks, wave, n));
				n_sampled += has && block % wave == 0 && block < n_waves * wave;
				if (block % wave == 0 && block > 0 && block / wave <= between)
					for (uint64_t part = 1; part < n - 2; part++)
						if (block / wave == part * between / (n - 2))
							g_assert_cmpuint(n_sampled, ==,
									 part + 1);
			}
			g_assert_cmpuint(n_sampled, ==, n);
		}
}

/* What is said of a trace of blocks 0 to 10 with this in its metadata. g_free; NULL: nothing. */
static char *sample_problem(const char *sample)
{
	g_autofree char *metadata = g_strdup_printf("{\"format\":1,\"sample\":%s}", sample);
	g_autoptr(GError) error = NULL;
	g_autoptr(TraceReader) reader = NULL;
	g_autoptr(GBytes) bytes = NULL;
	g_auto(TraceSample) read = {0};
	TraceWriter *writer = trace_writer_new_memory();

	for (uint64_t block = 0; block < 11; block++) {
		trace_writer_begin_block(writer, block, 1, 0);
		trace_writer_end_block(writer, block);
	}
	bytes = trace_writer_finish_bytes(writer, metadata);
	reader = trace_open_bytes("eleven.bin", bytes, &error);
	g_assert_no_error(error);
	if (trace_sample(reader, &read, &error))
		return NULL;
	g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_TRACE);
	return g_strdup(error->message);
}

/* Of 11 blocks in waves of two, where block 10 comes after the last one. */
static void test_metadata(void)
{
	static const char *const rows[][2] = {
		{"{\"blocks\":11,\"wave_blocks\":2}", NULL},
		{"{\"blocks\":11,\"wave_blocks\":12}", "\"wave_blocks\" one of 1 to that"},
		{"{\"blocks\":11}", "\"wave_blocks\" one of 1 to that"},
		{"{\"blocks\":0,\"wave_blocks\":2}", "\"blocks\" must be a whole number"},
		{"7", "\"blocks\" must be a whole number"},
		{"{\"blocks\":12,\"wave_blocks\":2}",
		 "ends with block 10; at least 3, and block 11"},
		{"{\"blocks\":10,\"wave_blocks\":2}", "block 9, are needed"},
		{"{\"blocks\":11,\"wave_blocks\":4}", "0 waves between the first and the last"},
	};
	/* Of two blocks each: sum, least and most of the last wave. */
	static const struct {
		const char *work;
		bool good;
	} works[] = {
		{"[9,4,5]", true},
		{"[8,4,4]", true},
		{"[0,0,0]", true},
		{"[9,5,4]", false},
		{"[9,4,4]", false},
		{"[9,5,5]", false},
		{"[9,3,5]", false},
		{"[4,0,5]", false},
		{"[9,4,5,6]", false},
		{"[9,4]", false},
		{"9", false},
		{"[9,-1,10]", false},
		{"[9.5,4,5]", false},
		{"[4503599627370496,0,4503599627370496]", true},
		{"[4503599627370498,2,4503599627370496]", false},
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *problem = sample_problem(rows[i][0]);

		if (!rows[i][1])
			g_assert_cmpstr(problem, ==, NULL);
		else if (!problem || !strstr(problem, rows[i][1]))
			g_error("row %u: %s", i, problem ? problem : "(good)");
	}
	for (unsigned i = 0; i < G_N_ELEMENTS(works); i++) {
		g_autofree char *sample =
			g_strdup_printf("{\"blocks\":11,\"wave_blocks\":2,\"work\":[[2,1,1],[2,"
					"1,1],[2,1,1],[2,1,1],%s]}",
					works[i].work);
		g_autofree char *words =
			g_strdup_printf("\"work\" of wave 4 is %s;", works[i].work);
		g_autofree char *problem = sample_problem(sample);

		if (works[i].good)
			g_assert_cmpstr(problem, ==, NULL);
		else if (!problem || !strstr(problem, words))
			g_error("%s: %s", works[i].work, problem ? problem : "(good)");
	}
	/* A sum that no three blocks of a capture have. */
	g_assert_false(trace_work_is_of(&(TraceWork){UINT64_MAX, 0, UINT32_MAX}, 3));
	g_assert_true(trace_work_is_of(&(TraceWork){UINT64_MAX, 0, UINT64_MAX}, 3));

	g_autofree char *few =
		sample_problem("{\"blocks\":11,\"wave_blocks\":2,\"work\":[[2,1,1],[2,1,1]]}");
	g_autofree char *none = sample_problem("{\"blocks\":11,\"wave_blocks\":2,\"work\":3}");

	g_assert_nonnull(
		strstr(few, "\"work\" has 2 lists; it must have one for each of 5 waves"));
	g_assert_nonnull(strstr(none, "\"work\" has 0 lists"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/estimate/an interval holds the whole run's cycles", test_holds);
	g_test_add_func("/estimate/loops in steady state are skipped", test_loops);
	g_test_add_func("/estimate/threads and followers do not matter", test_threads);
	g_test_add_func("/estimate/the seed says which waves are simulated", test_seed);
	g_test_add_func("/estimate/what cannot be sampled is simulated whole", test_whole);
	g_test_add_func("/estimate/a sample has one wave of each part of the launch",
			test_sample);
	g_test_add_func("/estimate/metadata of a sample say what a launch can have",
			test_metadata);
	return g_test_run();
}
