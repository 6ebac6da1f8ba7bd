/* SPDX-License-Identifier: MIT */
/* The laws that the table of statistics states, held against replays of shipped traces. */
#include <string.h>

#include "config/config.h"
#include "laws-units.h"
#include "laws.h"
#include "random-program.h"
#include "replay/replay.h"
#include "report/fields.h"
#include "report/lines.h"
#include "sim/run/run.h"
#include "shipped.h"

static Config *load(const char *name)
{
	g_autoptr(GError) error = NULL;
	Config *config = config_load(name, NULL, &error);

	g_assert_no_error(error);
	return config;
}

/* A law that does not hold fails the test. */
static void must_hold(char *problem, const char *what, const char *config_name)
{
	if (problem == NULL)
		return;
	g_test_message("%s on %s: %s", what, config_name, problem);
	g_test_fail();
	g_free(problem);
}

/* A line with atomics lists one. */
static bool lists_atomic(const ReportLine *line)
{
	for (guint i = 0; i < line->instructions->len; i++)
		if (g_str_has_prefix(line->instructions->pdata[i], "ATOM"))
			return true;
	return line->lane_operations == 0;
}

/* The lines of the tables add up to the run, too, if there are any, and none of it is left to warps that come to none. Returns whether
   there are. */
static bool hold_lines(const RunReport *report, const char *what, const char *config_name)
{
	const Statistics *statistics = &report->result->statistics;
	g_autoptr(GPtrArray) lines = report_lines(report);
	ReportLine sum = {0};

	for (guint i = 0; i < lines->len; i++) {
		const ReportLine *line = lines->pdata[i];

		sum.cycles += line->cycles;
		sum.passes += line->passes;
		sum.lane_operations += line->lane_operations;
		g_assert_cmpuint(strlen(line->label), >, 0);
		if (g_str_equal(line->label, LINE_NONE) || !lists_atomic(line)) {
			g_test_message("%s on %s: %s", what, config_name, line->label);
			g_test_fail();
		}
	}
	if (lines->len == 0)
		return false;
	if (sum.cycles != statistics->resident_warp_cycles ||
	    sum.passes != statistics->shared.conflict_passes ||
	    sum.lane_operations != statistics->atomics.lane_operations) {
		g_test_message("%s on %s: its lines do not add up", what, config_name);
		g_test_fail();
	}
	return true;
}

/* Returns whether the trace has lines. */
static bool hold_laws_of(const char *config_name, const char *trace)
{
	g_autoptr(Config) config = load(config_name);
	g_autoptr(TraceReader) reader = trace_open(trace, NULL);
	g_auto(ReplayResult) result = {0};
	const Replay replay = {.machine = config_machine(config),
			       .reader = reader,
			       .n_threads = 1,
			       .baseline = true,
			       .sites = true};
	g_autoptr(RunReport) report = NULL;
	TraceSummary summary = {0};

	g_assert_nonnull(reader);
	for (uint64_t block = 0; block < trace_source(reader)->n_blocks; block++)
		g_assert_true(trace_summary_add(&summary, reader, block, NULL));
	g_assert_true(replay_run(&replay, &result, NULL));
	g_assert_true(result.has_baseline);
	must_hold(laws_broken(&result.run, result.sites), trace, config_name);
	must_hold(laws_broken(&result.baseline, NULL), trace, config_name);
	must_hold(laws_not_of_trace(&result.run, &summary,
				    trace_source(reader)->kernel.dataflow != NULL),
		  trace, config_name);
	must_hold(laws_too_short(replay.machine, &result.run), trace, config_name);
	report = report_new(config, config_name, &replay, &result, NULL);
	return hold_lines(report, trace, config_name);
}

/* Of every shipped trace. */
static void test_laws(gconstpointer config_name)
{
	g_autofree char *folder = g_build_filename(g_getenv("SOURCE"), "traces", NULL);
	g_autoptr(GDir) traces = g_dir_open(folder, 0, NULL);
	const char *name;
	guint n = 0;

	while ((name = g_dir_read_name(traces)) != NULL)
		if (g_str_has_suffix(name, ".bin"))
			n += hold_laws_of(config_name, name);
	g_assert_cmpuint(n, >, 20);
}

static void replay_shipped(const char *config_name, const char *trace, ReplayResult *result)
{
	g_autoptr(Config) config = load(config_name);
	g_autoptr(TraceReader) reader = trace_open(trace, NULL);
	const Replay replay = {
		.machine = config_machine(config), .reader = reader, .n_threads = 1};

	g_assert_nonnull(reader);
	g_assert_true(replay_run(&replay, result, NULL));
}

/* Loads of 32 passes delay what uses them and all that is behind them in the load/store unit: more of the time than anything that warps wait
   for, but the memory of an HD 5870, which is far (network.load_cycles 1,500), and ends of warps that it draws apart. With a word of padding none does. */
static void test_conflicts_are_named(gconstpointer config_name)
{
	g_auto(ReplayResult) plain = {0}, padded = {0};
	const bool is_far = g_str_equal(config_name, "hd5870");
	const uint64_t *cycles;

	replay_shipped(config_name, "transpose.bin", &plain);
	replay_shipped(config_name, "transpose-padded.bin", &padded);
	cycles = plain.run.statistics.warp_cycles;
	for (guint state = 0; state < N_WARP_STATES; state++)
		if (state != STATE_BANK && state != STATE_READY &&
		    !(is_far && (state_is_global((WarpState)state) || state == STATE_DONE)))
			g_assert_cmpuint(cycles[STATE_BANK], >, cycles[state]);
	g_assert_cmpuint(padded.run.statistics.warp_cycles[STATE_BANK], ==, 0);
}

/* What the programs of a test have had. */
typedef struct {
	guint atomics[N_SHARED_TYPES][2]; /* without and with result */
	guint kinds[N_RECORD_KINDS];
} Seen;

static void look_at(const ListSource *list, Seen *seen)
{
	for (uint64_t i = 0; i < list->source.n_blocks * list->n_warps; i++)
		for (guint k = 0; k < list->warps[i]->len; k++) {
			const Record *record = &g_array_index(list->warps[i], Record, k);

			seen->kinds[record->kind]++;
			if (record->kind == RECORD_ATOM)
				seen->atomics[record->type][record->result]++;
		}
}

static void test_laws_of_random_programs(gconstpointer config_name)
{
	static const RecordKind kinds[] = {RECORD_LDS,	RECORD_STS,   RECORD_LDG,  RECORD_STG,
					   RECORD_ATOM, RECORD_ATOMG, RECORD_LOCK, RECORD_BAR};
	g_autoptr(Config) config = load(config_name);
	g_autoptr(GRand) rand = g_rand_new_with_seed(9);
	Seen seen = {0};

	for (int trial = 0; trial < 20; trial++) {
		g_autoptr(ListSource) list = random_program(rand, 5, 6, 32);
		g_autoptr(GArray) sites = g_array_new(FALSE, FALSE, sizeof(HotSpot));
		SimRequest request = {.machine = config_machine(config),
				      .source = &list->source,
				      .n_threads = 1,
				      .n_sites = PROGRAM_SITES};
		SimResult result;

		look_at(list, &seen);
		g_array_set_size(sites, PROGRAM_SITES + 1);
		request.sites = (HotSpot *)(gpointer)sites->data;
		sim_run(&request, &result);
		g_assert_cmpint(result.status, ==, SIM_OK);
		must_hold(laws_broken(&result, sites), "a random program", config_name);
		must_hold(laws_too_short(request.machine, &result), "a random program",
			  config_name);
	}
	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
		g_assert_cmpuint(seen.kinds[kinds[i]], >, 0);
	for (guint type = 0; type < N_SHARED_TYPES; type++)
		for (guint result = 0; result < 2; result++)
			g_assert_cmpuint(seen.atomics[type][result], >, 0);
}

/* A check says that a result is wrong, and that it is right without the change. */
static void must_be_seen(char *problem)
{
	g_assert_nonnull(problem);
	g_free(problem);
}

/* A law that does not hold is found out, whichever counter is wrong. */
static void test_a_broken_law_is_seen(void)
{
	SimResult good = {0};
	guint n_laws = 0;

	g_assert_null(laws_broken(&good, NULL));
	for (guint i = 0; i < n_report_fields; i++) {
		const Field *field = &report_fields[i];
		SimResult bad = good;

		if (field->law == NULL || strstr(field->law, "[].") != NULL)
			continue;
		n_laws++;
		*(uint64_t *)(void *)((char *)&bad.statistics + field->offset) += 1;
		g_assert_true(laws_hold(field->law, &good.statistics));
		/* One more of what is at least something else breaks no law. */
		g_assert_cmpint(laws_hold(field->law, &bad.statistics), ==,
				strstr(field->law, " >= ") != NULL &&
					g_str_has_prefix(field->law, field->path));
		must_be_seen(laws_broken(&bad, NULL));
	}
	g_assert_cmpuint(n_laws, >=, 8);
	good.statistics.records[RECORD_ATOM] = 1;
	g_assert_false(
		laws_hold("atomics.warp_instructions >= records.atom", &good.statistics));
	g_assert_true(laws_hold("locks_set_at_end = 0", &good.statistics));
	g_assert_true(laws_hold("records.* = 1", &good.statistics));
	g_assert_false(laws_hold("records.* = records.atom + 1", &good.statistics));
}

/* The same of what each instruction cost. */
static void test_broken_laws_of_sites_are_seen(void)
{
	g_autoptr(GArray) sites = g_array_new(FALSE, TRUE, sizeof(HotSpot));
	uint64_t *const costs[] = {
		&g_array_index(g_array_set_size(sites, 2), HotSpot, 1).cycles,
		&g_array_index(sites, HotSpot, 1).failures,
		&g_array_index(sites, HotSpot, 0).passes,
		&g_array_index(sites, HotSpot, 1).lane_operations};
	const SimResult good = {0};

	g_assert_null(laws_broken(&good, sites));
	for (guint i = 0; i < G_N_ELEMENTS(costs); i++) {
		*costs[i] = 1;
		must_be_seen(laws_broken(&good, sites));
		*costs[i] = 0;
	}
}

/* The same of what one list, the trace, the machine, another run say. */
static void test_other_broken_laws_are_seen(void)
{
	g_autoptr(Config) config = load("fermi");
	const Machine *machine = config_machine(config);
	SimResult result = {.n_sms = 2, .statistics.cycles = 100}, other = result;
	TraceSummary summary = {0};

	g_assert_null(laws_too_short(machine, &result));
	result.statistics.shared.bank_busy_cycles = 200;
	g_assert_null(laws_too_short(machine, &result));
	result.statistics.shared.bank_busy_cycles = 201;
	must_be_seen(laws_too_short(machine, &result));
	must_be_seen(laws_differ(&result, &other));
	result = other;
	g_assert_null(laws_differ(&result, &other));
	result.n_banks = 1;
	must_be_seen(laws_differ(&result, &other));
	must_be_seen(laws_broken(&(SimResult){.n_banks = 1, .banks = {{.passes = 1}}}, NULL));
	must_be_seen(laws_broken(&(SimResult){.statistics.shared.degree = {[3] = 1}}, NULL));
	g_assert_null(laws_not_of_trace(&other, &summary, FALSE));
	summary.n_records = 1;
	must_be_seen(laws_not_of_trace(&other, &summary, TRUE));
	summary.records[RECORD_LDG] = 1;
	must_be_seen(laws_not_of_trace(&other, &summary, FALSE));
	g_assert_null(laws_not_of_trace(&other, &summary, TRUE));
	summary.records[RECORD_STG] = 1;
	must_be_seen(laws_not_of_trace(&other, &summary, TRUE));
	result.statistics.cycles = 99;
	must_be_seen(laws_faster_with_contention(&result, &other));
	g_assert_null(laws_faster_with_contention(&other, &result));
}

/* One unit that works for longer than the run is seen, though all of its kind together would have had the time. */
static void test_a_unit_beyond_the_end_is_seen(void)
{
	g_autoptr(Config) config = load("h200");
	const Machine *machine = config_machine(config);
	const uint64_t slots = 100 * machine->sm.schedulers / machine->sm.issue_cycles;
	SimResult result = {.n_sms = 2, .statistics.cycles = 100};
	uint64_t *issued = &result.statistics.warp_cycles[STATE_ISSUE];

	for (guint kind = 0; kind < 3; kind++) {
		UnitsWatch *watch = units_watch_new(machine);
		Observer *seen = units_watch_observer(watch);

		*issued = 0;
		for (uint64_t i = 0; kind == 0 && i < slots; i++)
			seen->issue(seen, 1, i);
		*issued += kind == 0 ? slots * machine->sm.issue_cycles : 0;
		if (kind == 1)
			seen->slice(seen, 3, TRUE, 0, 100 * TICKS_PER_CYCLE);
		if (kind == 2)
			seen->port(seen, 3, 0, 100 * TICKS_PER_CYCLE);
		g_assert_null(units_too_short(watch, &result));
		result.statistics.cycles--;
		g_assert_null(laws_too_short(machine, &result));
		must_be_seen(units_too_short(watch, &result));
		result.statistics.cycles++;
		*issued += 1;
		must_be_seen(units_too_short(watch, &result)); /* not what was counted */
		units_watch_free(watch);
	}
}

int main(int argc, char **argv)
{
	g_auto(GStrv) machines = shipped_configs();

	g_test_init(&argc, &argv, NULL);
	for (guint i = 0; machines[i] != NULL; i++) {
		g_autofree char *shipped = g_strdup_printf("/laws/hold on %s", machines[i]);
		g_autofree char *random =
			g_strdup_printf("/laws/hold for random programs on %s", machines[i]);
		g_autofree char *conflicts =
			g_strdup_printf("/laws/bank conflicts are named on %s", machines[i]);

		g_test_add_data_func(shipped, machines[i], test_laws);
		g_test_add_data_func(random, machines[i], test_laws_of_random_programs);
		g_test_add_data_func(conflicts, machines[i], test_conflicts_are_named);
	}
	g_test_add_func("/laws/a broken law is seen", test_a_broken_law_is_seen);
	g_test_add_func("/laws/a unit that works beyond the end is seen",
			test_a_unit_beyond_the_end_is_seen);
	g_test_add_func("/laws/broken laws of sites are seen",
			test_broken_laws_of_sites_are_seen);
	g_test_add_func("/laws/other broken laws are seen", test_other_broken_laws_are_seen);
	return g_test_run();
}
