/* SPDX-License-Identifier: MIT */
/* How busy units were (sim/run/utilization.h): by the counters of the run, by hand, and the same however it is run. */
#include "config/config.h"
#include "laws.h"
#include "replay/replay.h"
#include "sim/run/utilization.h"

static Config *load(const char *name)
{
	g_autoptr(GError) error = NULL;
	Config *config = config_load(name, NULL, &error);

	g_assert_no_error(error);
	return config;
}

static void run(const Machine *machine, TraceReader *reader, guint n_threads,
		Utilization *utilization, SimResult *statistics)
{
	g_auto(ReplayResult) result = {0};
	g_autoptr(GError) error = NULL;
	const Replay replay = {.machine = machine,
			       .reader = reader,
			       .n_threads = n_threads,
			       .utilization = utilization != NULL};

	replay_run(&replay, &result, &error);
	g_assert_no_error(error);
	g_assert_true(result.has_utilization == (utilization != NULL));
	if (utilization)
		*utilization = result.utilization;
	*statistics = result.run;
}

static TraceReader *open_shipped(const char *name)
{
	g_autofree char *path = g_build_filename(g_getenv("SOURCE"), "traces", name, NULL);
	g_autoptr(GError) error = NULL;
	TraceReader *reader = trace_open(path, &error);

	g_assert_no_error(error);
	return reader;
}

static void hold_laws(const char *config_name, const char *trace)
{
	g_autoptr(Config) config = load(config_name);
	g_autoptr(TraceReader) reader = open_shipped(trace);
	Utilization utilization, again;
	SimResult result, unwatched;
	g_autofree char *broken = NULL;

	run(config_machine(config), reader, 4, &utilization, &result);
	broken = laws_not_utilized(&utilization, &result);
	if (broken != NULL)
		g_error("%s on %s: %s", trace, config_name, broken);
	run(config_machine(config), reader, 2, NULL, &unwatched);
	broken = laws_differ(&result, &unwatched);
	if (broken != NULL)
		g_error("%s on %s, asked or not: %s", trace, config_name, broken);
	run(config_machine(config), reader, 1, &again, &unwatched);
	g_assert_cmpmem(&utilization, sizeof utilization, &again, sizeof again);
}

static void test_laws(void)
{
	static const char *const configs[] = {"fermi", "h200", "designs/native", "designs/fifo",
					      "hd5870"};
	static const char *const traces[] = {
		"histogram.bin",   "weighted.bin",   "bins-global.bin", "kmeans-lock.bin",
		"apps-match.bin",  "transpose.bin",  "sums-block.bin",	"torch-bincount.bin",
		"prefix-warp.bin", "scan-padded.bin"};

	for (guint c = 0; c < G_N_ELEMENTS(configs); c++)
		for (guint t = 0; t < G_N_ELEMENTS(traces); t++)
			if (!g_str_equal(configs[c], "hd5870") || t == 0)
				hold_laws(configs[c], traces[t]);
}

static UtilizedTime time_of(Meter *meter, uint64_t end)
{
	UtilizationSum *sum = utilization_sum_new();
	Utilization utilization;

	utilization_sum_add(sum, UTILIZED_ISSUE, meter, 0, 1, end, 2, 1);
	utilization_sum_end(sum, &utilization);
	g_assert_cmpuint(utilization.times[UTILIZED_L2].of, ==, 0);
	return utilization.times[UTILIZED_ISSUE];
}

/* Two schedulers of one SM for 100 of 4,000 cycles, then never. */
static void test_by_hand(void)
{
	Meter *meter = meter_new(1, METER_WIDTH);
	uint64_t busy = 0;
	UtilizedTime issue;

	g_assert_cmpuint(METER_WIDTH * METER_PARTS, ==, 8192);
	for (Cycle at = 0; at < 128; at += METER_WIDTH) {
		busy += 2 * MIN(METER_WIDTH, 100 - at);
		meter_look(meter, &busy, at, at + METER_WIDTH);
	}
	issue = time_of(meter, 4000);
	g_assert_cmpuint(issue.busy, ==, 200);
	g_assert_cmpuint(issue.of, ==, 8000);
	g_assert_cmpfloat_with_epsilon(issue.mean, 2.5, 1e-9);
	/* The hundredth is 40 cycles, of which one and a quarter parts of 32 are full. */
	g_assert_cmpfloat_with_epsilon(issue.busiest, 100, 1e-9);

	/* A later one makes parts of 64 cycles: a full one, one with 36 cycles and one with 1; then of 128, with 100 and 1. */
	busy += 2;
	meter_look(meter, &busy, 8192, 8192 + METER_WIDTH);
	issue = time_of(meter, 16000);
	g_assert_cmpuint(issue.busy, ==, 202);
	g_assert_cmpfloat_with_epsilon(issue.busiest, 100 * (64 + 36 + 0.5) / 160, 1e-9);
	g_assert_cmpfloat_with_epsilon(time_of(meter, 32000).busiest, 100 * 101 / 320.0, 1e-9);
	meter_free(meter);
}

/* What was done while nobody looked was done evenly; what is more than a part holds, behind it. */
static void test_long_looks(void)
{
	Meter *meter = meter_new(1, METER_WIDTH);
	uint64_t busy = 1000;
	UtilizedTime issue;

	meter_look(meter, &busy, 1000, 2000);
	issue = time_of(meter, 4000);
	g_assert_cmpuint(issue.busy, ==, 1000);
	g_assert_cmpfloat_with_epsilon(issue.busiest, 50, 2);
	busy += 64;
	meter_look(meter, &busy, 2016, 2016 + METER_WIDTH);
	issue = time_of(meter, 4000);
	g_assert_cmpuint(issue.busy, ==, 1064);
	g_assert_cmpfloat_with_epsilon(issue.busiest, 100 * (64 + 16 * 0.5) / 80, 2);
	meter_free(meter);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/utilization/sums are what the run has counted, and asking changes "
			"nothing",
			test_laws);
	g_test_add_func("/utilization/a hundredth of the time by hand", test_by_hand);
	g_test_add_func("/utilization/what was done while nobody looked", test_long_looks);
	return g_test_run();
}
