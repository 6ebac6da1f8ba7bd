/* SPDX-License-Identifier: MIT */
/* Every config that passes the checks runs: random values of random keys, within the table's ranges. */
#include <string.h>

#include "fuzz/trace-input.h"
#include "laws-units.h"
#include "laws.h"
#include "random-config.h"
#include "random-program.h"
#include "replay/ideal-runs.h"
#include "replay/replay.h"
#include "shipped.h"
#include "sim/run/run.h"

#define MAX_TELLS                                                                              \
	2000 /* a run that tells more often how far it is takes too long for a test, and is given up */

/* Of the runs with something ideal no more than one in so many takes longer in each order: of many draws 14 of 13,030, most of them with
   a cost of a million cycles drawn for what a loop does when more lanes succeed. All machines together: one alone has some 280 runs. */
#define LONGER_ONE_IN 300

static const char *const machines[] = {"h200.json", "fermi.json", "a100.json", "gtx1080.json",
				       "hd5870.json"};

/* What is run. */
typedef struct {
	RecordSource *source;
	uint32_t n_sites;
	const TraceSummary *summary; /* NULL: of no trace */
} Program;

typedef struct {
	guint legal, done, on_threads;
	guint ideal, kept,
		longer; /* with something ideal; in the run's order; longer than the run all the same */
} Counts;

static Counts together; /* of all machines */

static void must_be_null(char *problem, const char *text)
{
	if (problem != NULL)
		g_error("%s: %s", text, problem);
}

static bool tell(void *n_tells, uint64_t done, uint64_t all)
{
	(void)done;
	(void)all;
	return ++*(uint32_t *)n_tells < MAX_TELLS;
}

/* A run that comes to no end says why. FALSE: it came to none. observer: may be NULL. */
static gboolean run(const Program *program, const Machine *machine, uint32_t n_threads,
		    Observer *observer, const char *text, SimResult *result, GArray *sites)
{
	uint32_t n_tells = 0;
	Utilization busy;
	SimRequest request = {.machine = machine,
			      .source = program->source,
			      .n_threads = n_threads,
			      .n_sites = program->n_sites,
			      .utilization = &busy,
			      .observer = observer,
			      .progress = tell,
			      .progress_data = &n_tells};

	g_array_set_size(sites, program->n_sites + 1);
	request.sites = (HotSpot *)(gpointer)sites->data;
	switch (sim_run(&request, result)) {
	case SIM_OK:
		must_be_null(laws_not_utilized(&busy, result), text);
		return TRUE;
	case SIM_TOO_LARGE: /* shared memory or warps of a small SM */
	case SIM_LIVELOCK: /* gto or oldest-block, or locks that are held for long, and an impatient watchdog */
	case SIM_BAD_RECORD: /* a lock in global memory, and that is flat */
	case SIM_INTERRUPTED:
		return FALSE;
	default:
		g_error("%s: status %d", text, result->status);
	}
}

static void hold_laws(const Program *program, const Machine *machine, const SimResult *result,
		      const GArray *sites, const char *text)
{
	must_be_null(laws_broken(result, sites), text);
	must_be_null(laws_too_short(machine, result), text);
	if (program->summary != NULL)
		must_be_null(laws_not_of_trace(result, program->summary,
					       program->source->kernel.dataflow != NULL),
			     text);
}

/* Whatever is ideal, the laws hold, and the run takes no longer: but for some, which are counted. */
static void hold_ideal(const Program *program, const SimResult *run, const IdealRun *ideal,
		       const char *text, Counts *counts)
{
	const SimResult *result = &ideal->result;

	if (result->status != SIM_OK)
		return;
	counts->ideal++;
	counts->kept += result->order != ORDER_OWN;
	counts->longer += result->statistics.cycles > run->statistics.cycles;
	must_be_null(laws_broken(result, NULL), text);
	must_be_null(laws_too_short(&ideal->machine, result), text);
	if (program->summary != NULL)
		must_be_null(laws_not_of_trace(result, program->summary,
					       program->source->kernel.dataflow != NULL),
			     text);
}

/* Without contention, and without each thing that can have cost it anything. */
static void run_ideal(const Program *program, const Machine *machine, const SimResult *run,
		      const char *text, Counts *counts)
{
	uint32_t n_tells = 0;
	const SimRequest request = {.machine = machine,
				    .source = program->source,
				    .n_threads = 1,
				    .n_sites = program->n_sites,
				    .progress = tell,
				    .progress_data = &n_tells};
	IdealRuns runs = {.request = &request, .run = run};
	g_autofree IdealRun *ideal = g_new(IdealRun, N_IDEALS + 1);
	guint n = 0;

	ideal[n++].machine = machine_with_ideals(machine, N_CONTENTION_IDEALS);
	for (unsigned i = 0; i < N_IDEALS; i++)
		if (cause_applies(i, machine, run))
			ideal[n++].machine = machine_with_ideal(machine, i);
	if (ideal_runs_make(&runs, ideal, n))
		for (guint i = 0; i < n; i++)
			hold_ideal(program, run, &ideal[i], text, counts);
	ideal_runs_clear(&runs);
}

/* Watched, the run is the same, and no unit works for longer than it takes. */
static void watch_units(const Program *program, const Machine *machine, const SimResult *real,
			const char *text, GArray *sites)
{
	UnitsWatch *watch = units_watch_new(machine);
	SimResult watched;

	if (run(program, machine, 1, units_watch_observer(watch), text, &watched, sites)) {
		must_be_null(laws_differ(real, &watched), text);
		must_be_null(units_too_short(watch, &watched), text);
	}
	units_watch_free(watch);
}

static void run_any(const Program *program, const Config *config, const char *text,
		    Counts *counts)
{
	const Machine *machine = config_machine(config);
	g_autoptr(GArray) sites = g_array_new(FALSE, FALSE, sizeof(HotSpot));
	SimResult result, other;

	counts->legal++;
	if (!run(program, machine, 1, NULL, text, &result, sites))
		return;
	counts->done++;
	hold_laws(program, machine, &result, sites, text);
	/* Up to ten runs for each: of one in eight. fuzz-runs does it of all. */
	if (counts->done % 8 == 4)
		run_ideal(program, machine, &result, text, counts);
	if (counts->done % 8 == 2)
		watch_units(program, machine, &result, text, sites);
	if (counts->done % 8 == 0 && run(program, machine, 2, NULL, text, &other, sites)) {
		counts->on_threads++;
		must_be_null(laws_differ(&result, &other), text);
	}
}

static void run_random(GRand *rand, const Config *config, const char *text, Counts *counts)
{
	g_autoptr(ListSource) list = random_program(rand, 3, 4, 32);
	const Program program = {.source = &list->source, .n_sites = PROGRAM_SITES};

	run_any(&program, config, text, counts);
}

/* A trace that is an input of fuzz targets, or a file. */
static void run_trace(TraceReader *reader, const Config *config, const char *text,
		      Counts *counts)
{
	TraceSummary summary = {0};
	const Program program = {.source = trace_source(reader),
				 .n_sites = trace_n_sites(reader),
				 .summary = &summary};

	for (uint64_t block = 0; block < program.source->n_blocks; block++)
		g_assert_true(trace_summary_add(&summary, reader, block, NULL));
	run_any(&program, config, text, counts);
}

static gint by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The seeds of fuzz-runs: a little of every trace that is shipped, and of generated ones. Paths, in order. */
static GPtrArray *find_seeds(void)
{
	g_autofree char *folder =
		g_build_filename(g_getenv("SOURCE"), "tests", "fuzz", "corpus-runs", NULL);
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	GDir *dir = g_dir_open(folder, 0, NULL);
	const char *name;

	g_assert_nonnull(dir);
	while ((name = g_dir_read_name(dir)) != NULL)
		if (g_str_has_prefix(name, "cut-"))
			g_ptr_array_add(paths, g_build_filename(folder, name, NULL));
	g_dir_close(dir);
	g_ptr_array_sort(paths, by_name);
	return paths;
}

static void run_seed(const char *path, const Config *config, const char *text, Counts *counts)
{
	g_autofree char *what = g_strdup_printf("%s: %s", path, text);
	g_autofree char *data = NULL;
	g_autoptr(GBytes) bytes = NULL;
	g_autoptr(TraceReader) reader = NULL;
	gsize size;

	g_assert_true(g_file_get_contents(path, &data, &size, NULL));
	bytes = trace_input_file((const uint8_t *)data, size, input_metadata);
	g_assert_nonnull(bytes);
	reader = trace_open_bytes(path, bytes, NULL);
	g_assert_nonnull(reader);
	run_trace(reader, config, what, counts);
}

/* Keys of designs: who tries again, tables, ports, merging, buffers, mechanisms; but no times, hashes and sizes of others. */
static gboolean is_of_design(const char *path)
{
	static const char *const parts[] = {
		".retry",   ".back_off_", ".ports",   ".table",	 ".cam_",	".merge",
		".buffer.", ".mechanism", "l2.merge", ".winner", "atomic.locks"};

	for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
		if (strstr(path, parts[i]) != NULL && !g_str_has_suffix(path, "retry_cycles"))
			return TRUE;
	return FALSE;
}

static void run_legal(const char *machine, guint n, gboolean (*may_change)(const char *path),
		      Counts *counts)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(20);
	g_autoptr(GPtrArray) seeds = find_seeds();

	for (guint trial = 0; trial < n; trial++) {
		g_autofree char *text = NULL;
		g_autoptr(Config) config = random_config(rand, machine, may_change, &text);

		if (config == NULL)
			continue;
		if (trial % 2 == 0)
			run_random(rand, config, text, counts);
		else
			run_seed(g_ptr_array_index(seeds, g_rand_int(rand) % seeds->len),
				 config, text, counts);
	}
}

/* Designs put together. What is not allowed is refused, with a reason, by config_load. */
static void every_legal_design_runs(gconstpointer machine)
{
	/* Of a handful drawn half may be none that ends. */
	guint n = MAX(240 / test_share(), 12);
	Counts counts = {0};

	run_legal(machine, n, is_of_design, &counts);
	g_test_message("%u legal, %u done", counts.legal, counts.done);
	g_assert_cmpuint(counts.legal * 4, >, n);
	g_assert_cmpuint(counts.done * 2, >, counts.legal);
}

#define LEAST_DRAWN 50 /* of fewer a tenth may be none */

static void every_legal_config_runs(gconstpointer machine)
{
	guint n = 400 / test_share();
	Counts counts = {0};

	run_legal(machine, n, NULL, &counts);
	/* The test tests something: many are legal, and most of those come to their end. */
	g_test_message("%u legal, %u done, %u on two threads", counts.legal, counts.done,
		       counts.on_threads);
	g_test_message(
		"of %u with something ideal %u in the run's order, and %u longer all the same",
		counts.ideal, counts.kept, counts.longer);
	if (n >= LEAST_DRAWN) {
		g_assert_cmpuint(counts.legal * 2, >, n);
		g_assert_cmpuint(counts.done * 2, >, counts.legal);
		g_assert_cmpuint(counts.ideal * 4, >, counts.done);
		g_assert_cmpuint(counts.on_threads * 10, >, counts.done);
	}
	together.ideal += counts.ideal;
	together.longer += counts.longer;
}

/* After those of every machine. */
static void ideal_runs_are_seldom_longer(void)
{
	g_test_message("%u of %u with something ideal", together.longer, together.ideal);
	if (test_share() > 1) {
		g_test_skip("a share says too little");
		return;
	}
	g_assert_cmpuint(together.longer * LONGER_ONE_IN, <=, together.ideal);
}

/* A shipped trace on a machine with one setting, all laws held. */
static void hold_laws_with(const char *base, const char *setting, const char *trace)
{
	const char *const settings[] = {setting, NULL};
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = config_load(base, settings, &error);
	g_autoptr(TraceReader) reader = NULL;
	Counts counts = {0};

	g_assert_no_error(error);
	reader = trace_open(trace, &error);
	g_assert_no_error(error);
	run_trace(reader, config, setting, &counts);
	g_assert_cmpuint(counts.done, ==, 1);
}

/* Lanes whose answers come late, one after the other, wait in one state at a time. */
static void states_fill_the_time_of_a_slow_network(void)
{
	hold_laws_with("hd5870.json", "network.ingress_bank_conflict_mcycles=10000000",
		       "kmeans-lock.bin");
	hold_laws_with("hd5870.json", "network.ingress_packet_mcycles=10000000",
		       "kmeans-lock-dimension.bin");
	hold_laws_with("hd5870.json", "paths.complete_sector_mclk=5000000", "kmeans-lock.bin");
}

static void run_with(const char *base, const char *setting)
{
	const char *const settings[] = {setting, NULL};
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = config_load(base, settings, &error);
	g_autoptr(GRand) rand = g_rand_new_with_seed(21);
	Counts counts = {0};

	g_assert_no_error(error);
	run_random(rand, config, setting, &counts);
	g_assert_cmpuint(counts.done, ==, 1);
}

/* The arithmetic would be over before its issue is. */
static void a_latency_below_the_issue_time_is_the_issue_time(void)
{
	run_with("fermi.json", "sm.alu_latency_cycles=1");
	run_with("h200.json", "sm.issue_cycles=5");
}

/* 1,024 SMs that share one megabyte a second at 100 GHz: times in parts of a cycle would wrap. */
static void a_run_that_would_go_on_for_too_long_ends(void)
{
	const char *const settings[] = {"global.bandwidth_mb_per_s=1", "clock_mhz=100000",
					"sm.count=1024", NULL};
	g_autoptr(ListSource) list = list_source_new(1, 1, 64);
	g_autoptr(Config) config = config_load("fermi.json", settings, NULL);
	Record load = {.kind = RECORD_LDG, .count = UINT32_MAX, .mask = 1, .n_lanes = 1};
	SimRequest request = {
		.machine = config_machine(config), .source = &list->source, .n_threads = 1};
	SimResult result;

	list_source_append(list, 0, 0, &load);
	g_assert_cmpint(sim_run(&request, &result), ==, SIM_TOO_LONG);
	g_assert_cmpuint(result.statistics.cycles, <, SIM_MAX_CYCLE);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (guint i = 0; i < 2; i++) {
		g_autofree char *name = g_strdup_printf(
			"/any-config/every combination of designs runs: %s", machines[i]);

		g_test_add_data_func(name, machines[i], every_legal_design_runs);
	}
	for (guint i = 0; i < G_N_ELEMENTS(machines); i++) {
		g_autofree char *name =
			g_strdup_printf("/any-config/every legal config runs: %s", machines[i]);

		g_test_add_data_func(name, machines[i], every_legal_config_runs);
	}
	g_test_add_func("/any-config/ideal runs are seldom longer",
			ideal_runs_are_seldom_longer);
	g_test_add_func("/any-config/states fill the time of a slow network",
			states_fill_the_time_of_a_slow_network);
	g_test_add_func("/any-config/a latency below the issue time is the issue time",
			a_latency_below_the_issue_time_is_the_issue_time);
	g_test_add_func("/any-config/a run that would go on for too long ends",
			a_run_that_would_go_on_for_too_long_ends);
	return g_test_run();
}
