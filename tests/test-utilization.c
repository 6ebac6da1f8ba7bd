/* SPDX-License-Identifier: MIT */
/* How busy units were (report/utilization.h): by the counters of the run, by hand, and the same however it is run. */
#include "config/config.h"
#include "laws.h"
#include "replay/replay.h"
#include "report/utilization.h"

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
	UtilizationWatch *watch = utilization_watch_new(machine);
	g_auto(ReplayResult) result = {0};
	g_autoptr(GError) error = NULL;
	const Replay replay = {.machine = machine,
			       .reader = reader,
			       .n_threads = n_threads,
			       .observer =
				       utilization ? utilization_watch_observer(watch) : NULL};

	replay_run(&replay, &result, &error);
	g_assert_no_error(error);
	if (utilization)
		utilization_find(watch, &result.run, utilization);
	*statistics = result.run;
	utilization_watch_free(watch);
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
	Utilization utilization;
	SimResult result, unwatched;
	g_autofree char *broken = NULL;

	run(config_machine(config), reader, 4, &utilization, &result);
	broken = laws_not_utilized(&utilization, &result);
	if (broken != NULL)
		g_error("%s on %s: %s", trace, config_name, broken);
	run(config_machine(config), reader, 2, NULL, &unwatched);
	broken = laws_differ(&result, &unwatched);
	if (broken != NULL)
		g_error("%s on %s, watched or not: %s", trace, config_name, broken);
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

/* Two schedulers of one SM for 100 of 10,000 cycles, then never. */
static void test_by_hand(void)
{
	g_autoptr(Config) config = load("fermi");
	UtilizationWatch *watch = utilization_watch_new(config_machine(config));
	Observer *observer = utilization_watch_observer(watch);
	SimResult *result = g_new0(SimResult, 1);
	const UtilizedTime *issue, *banks;
	Utilization utilization;

	for (Cycle at = 0; at < 100; at += 2)
		for (guint scheduler = 0; scheduler < 2; scheduler++)
			observer->issue(observer, 0, at);
	result->n_sms = 1;
	result->statistics.cycles = 10000;
	utilization_find(watch, result, &utilization);
	issue = &utilization.times[UTILIZED_ISSUE];
	banks = &utilization.times[UTILIZED_BANKS];
	g_assert_cmpuint(issue->busy, ==, 200);
	g_assert_cmpuint(issue->of, ==, 20000);
	g_assert_cmpfloat_with_epsilon(issue->mean, 1, 1e-9);
	/* Six parts of 16 cycles are full, of the seventh 4 cycles: a quarter of the 4 cycles of it that are of the hundredth. */
	g_assert_cmpfloat_with_epsilon(issue->busiest, 97, 1e-9);
	g_assert_cmpfloat(banks->mean, ==, 0);
	g_assert_cmpfloat(banks->busiest, ==, 0);
	g_assert_cmpuint(utilization.times[UTILIZED_L2].of, ==, 0);

	/* A later one makes parts of 32 cycles, of which three are full and the fourth has 4. */
	observer->issue(observer, 0, 16 * 1024);
	result->statistics.cycles = 20000;
	utilization_find(watch, result, &utilization);
	g_assert_cmpuint(issue->busy, ==, 202);
	g_assert_cmpfloat_with_epsilon(issue->busiest,
				       100 * (192 + 64 * 0.125 + 64 * 0.03125) / 400, 1e-9);
	utilization_watch_free(watch);
	g_free(result);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/utilization/sums are what the run has counted, and watching changes "
			"nothing",
			test_laws);
	g_test_add_func("/utilization/a hundredth of the time by hand", test_by_hand);
	return g_test_run();
}
