/* SPDX-License-Identifier: MIT */
/* Reports of results made by hand: the numbers are known, so each must come out as it went in. */
#include "replay/failure.h"
#include "report/gnuplot.h"
#include "report/report.h"

#include <string.h>
#include <glib/gstdio.h>

#include "base/error.h"
#include "model/atomic/mechanism.h"
#include "report/format.h"

/* A report and all that it points to. */
typedef struct {
	Machine machine;
	SimResult result, baseline;
	Config *base, *config; /* the machine is that of base */
	cJSON *metadata;
	GArray *sites;
	RunReport report;
} Fixture;

static const char *const assumptions[] = {"atomic.lock_bits.lk_cycles = 52",
					  "atomic.lock_bits.winner = \"lowest\"", NULL};

/* The text of n reports. g_free. */
static char *write_all(const ReportFormat *format, const RunReport *reports, guint n)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < n; i++)
		format->append(text, &reports[i], i == 0);
	return g_string_free(text, FALSE);
}

static void fill_result(SimResult *result)
{
	Statistics *statistics = &result->statistics;
	static const uint64_t states[N_WARP_STATES] = {10, 20, 30, 40, 50, 60, 700, 80, 5, 5};

	result->status = SIM_OK;
	result->blocks_done = 16;
	statistics->cycles = 3088;
	statistics->blocks = 16;
	statistics->warps = 512;
	statistics->trace_records = 600;
	statistics->records[RECORD_ATOM] = 100;
	statistics->trace_warp_instructions = 1234567;
	statistics->warp_instructions = 9007199254740993; /* 2^53 + 1: no double has it */
	memcpy(statistics->warp_cycles, states, sizeof(states));
	statistics->resident_warp_cycles = 1000;
	statistics->shared =
		(SharedCounters){.accesses = 400, .passes = 500, .conflict_passes = 100};
	statistics->shared.degree[1] = 350;
	statistics->shared.degree[3] = 50;
	statistics->atomics = (AtomicCounters){.warp_instructions = 100,
					       .lane_operations = 3200,
					       .rounds = 250,
					       .attempts = 4200,
					       .retries = 1000,
					       .successes = 3200};
	statistics->atomics.lock_degree[1] = 60;
	statistics->atomics.lock_degree[7] = 40;
	statistics->atomics.failures.intra_position = 400;
	statistics->atomics.failures.intra_alias = 300;
	statistics->atomics.failures.inter_position = 200;
	statistics->atomics.failures.inter_alias = 100;
	result->n_addresses = 2;
	result->addresses[0] = (HotSpot){.id = 4711, .failures = 600};
	result->addresses[1] = (HotSpot){.id = 12, .failures = 400};
	result->n_banks = 1;
	result->banks[0] = (HotSpot){.id = 31, .passes = 100, .accesses = 400};
}

static void setup(Fixture *fixture, gconstpointer data)
{
	static const char config[] = "{\"clock_mhz\": 1544, \"shared\": {\"banks\": 4, "
				     "\"bank_hash\": {\"matrix\": [1, 2]}}, \"name\": "
				     "\"Test, \\\"GPU\\\"\"}";
	const HotSpot site = {.id = 2, .cycles = 750, .failures = 1000};
	g_autoptr(GError) error = NULL;

	(void)data;
	fixture->base = config_load("fermi.json", NULL, &error);
	g_assert_no_error(error);
	fixture->machine = *config_machine(fixture->base);
	fixture->machine.name = "Test GPU";
	fill_result(&fixture->result);
	fixture->baseline.statistics.cycles = 772;
	fixture->config = config_load_text("test.json", config, strlen(config), NULL, &error);
	g_assert_no_error(error);
	fixture->metadata = cJSON_Parse("{\"kernel\": \"histogram\", \"source\": \"capture\", "
					"\"gpu\": \"Some GPU\", \"sites\": "
					"[{\"line\": 1}, {\"pc\": \"0x10\", \"file\": "
					"\"histogram.cu\", \"line\": 42}]}");
	fixture->sites = g_array_new(FALSE, FALSE, sizeof(HotSpot));
	g_array_append_val(fixture->sites, site);
	fixture->report = (RunReport){
		.version = "1.2.3",
		.sites = fixture->sites,
		.config_name = "test.json",
		.machine = &fixture->machine,
		.config = fixture->config,
		.assumptions = assumptions,
		.trace_name = "t.bin",
		.trace_sha256 = "abc",
		.metadata = fixture->metadata,
		.trace_blocks = 16,
		.seed = 7,
		.result = &fixture->result,
		.baseline = &fixture->baseline,
		.wall_s = -1,
		.threads = 1,
	};
}

static void teardown(Fixture *fixture, gconstpointer data)
{
	(void)data;
	config_free(fixture->base);
	config_free(fixture->config);
	cJSON_Delete(fixture->metadata);
	g_array_unref(fixture->sites);
}

/* The printed value at a path of keys and list positions, "a.b.0". */
static char *value_at(const cJSON *root, const char *path)
{
	g_auto(GStrv) keys = g_strsplit(path, ".", -1);
	const cJSON *item = root;
	char *printed, *value;

	for (guint i = 0; keys[i] != NULL; i++)
		item = cJSON_IsArray(item) ? cJSON_GetArrayItem(item, atoi(keys[i]))
					   : cJSON_GetObjectItemCaseSensitive(item, keys[i]);
	if (item == NULL)
		return g_strdup("(missing)");
	printed = cJSON_PrintUnformatted(item);
	value = g_strdup(printed);
	cJSON_free(printed);
	return value;
}

static void test_json_has_the_contract(Fixture *fixture, gconstpointer data)
{
	static const struct {
		const char *path, *value;
	} expected[] = {
		{"version", "\"1.2.3\""},
		{"status", "\"complete\""},
		{"trace.name", "\"t.bin\""},
		{"trace.sha256", "\"abc\""},
		{"trace.warp_instructions", "1234567"},
		{"trace.kernel", "\"histogram\""},
		{"cycles", "3088"},
		{"time_us", "2"},
		{"warp_instructions", "9007199254740993"},
		{"atomics.warp_instructions", "100"},
		{"atomics.lane_operations", "3200"},
		{"atomics.rounds", "250"},
		{"atomics.attempts", "4200"},
		{"atomics.retries", "1000"},
		{"atomics.lock_degree",
		 "[{\"degree\":1,\"count\":60},{\"degree\":7,\"count\":40}]"},
		{"failures.intra_position", "400"},
		{"failures.intra_alias", "300"},
		{"failures.inter_position", "200"},
		{"failures.inter_alias", "100"},
		{"shared.accesses", "400"},
		{"shared.passes", "500"},
		{"shared.conflict_passes", "100"},
		{"shared.degree", "[{\"degree\":1,\"count\":350},{\"degree\":3,\"count\":50}]"},
		{"warp_cycles.lock_retry", "700"},
		{"warp_cycles.issue", "10"},
		{"resident_warp_cycles", "1000"},
		{"records.atom", "100"},
		{"contention_free.cycles", "772"},
		{"contention_free.time_us", "0.5"},
		{"contention_free.slowdown", "4"},
		{"hot_spots.addresses.0.word", "4711"},
		{"hot_spots.addresses.0.failures", "600"},
		{"hot_spots.addresses.0.passes", "(missing)"},
		{"hot_spots.banks.0.failures", "(missing)"},
		{"hot_spots.banks.0.bank", "31"},
		{"hot_spots.banks.0.passes", "100"},
		{"hot_spots.sites.0.site", "2"},
		{"hot_spots.sites.0.cycles", "750"},
		{"hot_spots.sites.0.file", "\"histogram.cu\""},
		{"hot_spots.sites.0.line", "42"},
		{"assumptions.0", "\"atomic.lock_bits.lk_cycles = 52\""},
		{"config.clock_mhz", "1544"},
		{"seed", "7"},
		{"performance", "(missing)"},
	};
	g_autofree char *text = write_all(&report_json, &fixture->report, 1);
	cJSON *root = cJSON_Parse(text);

	(void)data;
	for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
		g_autofree char *value = NULL;

		/* cJSON would round the count above 2^53: look at the text. */
		if (strcmp(expected[i].path, "warp_instructions") == 0) {
			g_assert_nonnull(
				strstr(text, "\"warp_instructions\":9007199254740993"));
			continue;
		}
		value = value_at(root, expected[i].path);
		if (strcmp(value, expected[i].value) != 0)
			g_test_fail_printf("%s is %s, not %s", expected[i].path, value,
					   expected[i].value);
	}
	cJSON_Delete(root);
}

/* The report's schema holds whatever the metadata has under those names. */
static void test_a_site_is_what_the_schema_says(Fixture *fixture, gconstpointer data)
{
	g_autofree char *text = NULL;

	(void)data;
	cJSON_Delete(fixture->metadata);
	fixture->metadata = cJSON_Parse("{\"sites\": [{}, {\"pc\": 1, \"function\": [], "
					"\"file\": null, \"line\": \"x\"}]}");
	fixture->report.metadata = fixture->metadata;
	text = write_all(&report_json, &fixture->report, 1);
	g_assert_nonnull(strstr(text, "\"sites\":[{\"site\":2,"));
	for (guint i = 0; i < 4; i++) {
		static const char *const names[] = {"\"pc\"", "\"function\"", "\"file\"",
						    "\"line\""};

		g_assert_null(strstr(text, names[i]));
	}
}

static void test_json_is_a_line_for_each_run(Fixture *fixture, gconstpointer data)
{
	RunReport reports[] = {fixture->report, fixture->report};
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	cJSON *root;

	(void)data;
	reports[1].seed = 8;
	text = write_all(&report_json, reports, 2);
	lines = g_strsplit(text, "\n", -1);
	g_assert_cmpuint(g_strv_length(lines), ==, 3);
	g_assert_cmpstr(lines[2], ==, "");
	root = cJSON_Parse(lines[1]);
	g_autofree char *seed = value_at(root, "seed");
	g_assert_cmpstr(seed, ==, "8");
	cJSON_Delete(root);
}

static void test_performance_is_there_unless_left_out(Fixture *fixture, gconstpointer data)
{
	g_autofree char *rate = NULL;
	cJSON *root;

	(void)data;
	fixture->report.wall_s = 0.5;
	root = report_object(&fixture->report);
	rate = value_at(root, "performance.warp_atomics_per_s");
	g_assert_cmpstr(rate, ==, "200");
	cJSON_Delete(root);
}

/* Splits a line of cells without line breaks in them. */
static GPtrArray *split_cells(const char *line)
{
	GPtrArray *cells = g_ptr_array_new_with_free_func(g_free);
	GString *cell = g_string_new(NULL);
	gboolean quoted = FALSE;

	for (const char *c = line; *c != '\0'; c++) {
		if (*c == '"')
			quoted = !quoted;
		else if (*c == ',' && !quoted) {
			g_ptr_array_add(cells, g_strdup(cell->str));
			g_string_truncate(cell, 0);
			continue;
		}
		g_string_append_c(cell, *c);
	}
	g_ptr_array_add(cells, g_string_free(cell, FALSE));
	return cells;
}

static void test_csv_columns_are_json_paths(Fixture *fixture, gconstpointer data)
{
	RunReport reports[] = {fixture->report, fixture->report};
	cJSON *root = report_object(&fixture->report);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	g_autoptr(GPtrArray) header = NULL, row = NULL, other = NULL;
	guint seen = 0;

	(void)data;
	reports[1].baseline = NULL;
	reports[1].metadata = NULL;
	text = write_all(&report_csv, reports, 2);
	lines = g_strsplit(text, "\n", -1);
	g_assert_cmpuint(g_strv_length(lines), ==, 4); /* header, two rows, nothing */
	header = split_cells(lines[0]);
	row = split_cells(lines[1]);
	other = split_cells(lines[2]);
	g_assert_cmpuint(header->len, ==, row->len);
	g_assert_cmpuint(header->len, ==, other->len);
	for (guint i = 0; i < header->len; i++) {
		const char *column = g_ptr_array_index(header, i);
		const char *cell = g_ptr_array_index(row, i);
		g_autofree char *value = value_at(root, column);

		if (strcmp(column, "failures.inter_alias") == 0 ||
		    strcmp(column, "cycles") == 0 ||
		    strcmp(column, "contention_free.slowdown") == 0) {
			g_assert_cmpstr(cell, ==, value);
			seen++;
		}
		if (strcmp(column, "config.shared.bank_hash") == 0) {
			g_assert_cmpstr(cell, ==, "\"{\"\"matrix\"\":[1,2]}\"");
			seen++;
		}
		if (strcmp(column, "config.name") == 0) {
			g_assert_cmpstr(cell, ==, "\"Test, \"\"GPU\"\"\"");
			seen++;
		}
		g_assert_cmpstr(value, !=, "(missing)");
	}
	g_assert_cmpuint(seen, ==, 5);
	cJSON_Delete(root);
}

/* One screen: no line above 80 columns, at most 45 lines. */
static void assert_fits_screen(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (guint i = 0; lines[i] != NULL; i++)
		if (g_utf8_strlen(lines[i], -1) > 80)
			g_test_fail_printf("%ld columns: %s", g_utf8_strlen(lines[i], -1),
					   lines[i]);
	g_assert_cmpuint(g_strv_length(lines), <=, 46); /* the last one is empty */
	g_assert_true(g_str_has_suffix(text, "\n"));
}

static void test_text_says_what_matters(Fixture *fixture, gconstpointer data)
{
	g_autofree char *text = write_all(&report_text, &fixture->report, 1);
	static const char *const said[] = {
		"t.bin on a simulated Test GPU (test.json)\n",
		"3,088 cycles = 2.00 us",
		"without contention: 772 cycles = 0.50 us",
		"slowdown from contention: 4.0x",
		"atomic retries, spin locks          70.0 %",
		"rounds per atomic: mean 2.50, maximum 7",
		"4,200 attempts by lanes: 1,000 retries",
		"same warp, same word",
		"400 accesses, 1.25 passes each",
		"4711",
		"histogram.cu:42",
		"atomic.lock_bits.lk_cycles = 52",
	};

	(void)data;
	assert_fits_screen(text);
	for (guint i = 0; i < G_N_ELEMENTS(said); i++)
		if (strstr(text, said[i]) == NULL)
			g_test_fail_printf("not said: %s", said[i]);
}

static void test_text_fits_whatever_the_numbers(Fixture *fixture, gconstpointer data)
{
	Statistics *statistics = &fixture->result.statistics;
	const uint64_t huge = UINT64_MAX / N_WARP_STATES;
	g_autofree char *text = NULL;
	g_autofree char *long_name = g_strnfill(300, 'x');
	cJSON *site;

	(void)data;
	statistics->cycles = statistics->trace_warp_instructions = UINT64_MAX;
	statistics->warps = fixture->report.trace_blocks = 1000000000;
	for (guint state = 0; state < N_WARP_STATES; state++)
		statistics->warp_cycles[state] = huge - state;
	statistics->resident_warp_cycles = UINT64_MAX;
	statistics->shared.accesses = statistics->shared.passes =
		statistics->shared.conflict_passes = UINT64_MAX / 64;
	statistics->atomics.retries = statistics->atomics.attempts = UINT64_MAX / 16;
	statistics->atomics.lane_operations = statistics->atomics.warp_instructions =
		UINT64_MAX / 32;
	statistics->atomics.failures.intra_position = statistics->atomics.failures.intra_alias =
		statistics->atomics.failures.inter_position =
			statistics->atomics.failures.inter_alias = UINT64_MAX / 64;
	for (guint i = 0; i < HOT_SPOTS; i++) {
		HotSpot spot = {.id = HASH_MAX_SIZE - 1,
				.failures = UINT64_MAX,
				.passes = UINT64_MAX,
				.lane_operations = UINT64_MAX,
				.accesses = UINT64_MAX,
				.cycles = UINT64_MAX};

		fixture->result.addresses[i] = fixture->result.locks[i] =
			fixture->result.banks[i] = spot;
		spot.id = 2;
		g_array_append_val(fixture->sites, spot);
	}
	fixture->result.n_addresses = fixture->result.n_locks = fixture->result.n_banks =
		HOT_SPOTS;
	fixture->report.trace_name = fixture->report.config_name = fixture->machine.name =
		long_name;
	cJSON_ReplaceItemInObject(fixture->metadata, "kernel", cJSON_CreateString(long_name));
	cJSON_ReplaceItemInObject(fixture->metadata, "gpu", cJSON_CreateString(long_name));
	site = cJSON_GetArrayItem(cJSON_GetObjectItem(fixture->metadata, "sites"), 1);
	cJSON_ReplaceItemInObject(site, "file", cJSON_CreateString(long_name));
	text = write_all(&report_text, &fixture->report, 1);
	assert_fits_screen(text);
}

static void test_text_of_a_trace_cannot_drive_the_terminal(Fixture *fixture, gconstpointer data)
{
	g_autofree char *text = NULL;

	(void)data;
	fixture->report.trace_name = "a\x1b[2J\r\n.bin";
	text = write_all(&report_text, &fixture->report, 1);
	g_assert_null(strchr(text, '\x1b'));
	g_assert_true(g_str_has_prefix(text, "a?[2J??.bin on "));
}

static void test_empty_runs_are_reported_as_such(Fixture *fixture, gconstpointer data)
{
	g_autofree char *text = NULL, *json = NULL, *csv = NULL;

	(void)data;
	fixture->result = (SimResult){.status = SIM_OK};
	fixture->baseline = (SimResult){.status = SIM_OK};
	fixture->report.metadata = NULL;
	fixture->report.assumptions = NULL;
	fixture->report.trace_blocks = 0;
	fixture->report.wall_s = 0;
	text = write_all(&report_text, &fixture->report, 1);
	json = write_all(&report_json, &fixture->report, 1);
	csv = write_all(&report_csv, &fixture->report, 1);
	g_assert_nonnull(strstr(text, "No warp ran"));
	g_assert_nonnull(strstr(text, "none on shared memory in this trace"));
	g_assert_nonnull(strstr(text, "no access to shared memory in this trace"));
	for (guint i = 0; i < 3; i++) {
		const char *report = i == 0 ? text : i == 1 ? json : csv;

		g_assert_false(g_regex_match_simple("\\bnan\\b", report, 0, 0));
		g_assert_null(strstr(report, "inf "));
	}
}

static void test_an_interrupted_run_says_so(Fixture *fixture, gconstpointer data)
{
	g_autofree char *text = NULL, *status = NULL;
	cJSON *root;

	(void)data;
	fixture->result.status = SIM_INTERRUPTED;
	fixture->result.blocks_done = 3;
	fixture->report.baseline = NULL;
	text = write_all(&report_text, &fixture->report, 1);
	g_assert_nonnull(strstr(text, "INTERRUPTED: of 16 blocks 3 were done"));
	root = report_object(&fixture->report);
	status = value_at(root, "status");
	g_assert_cmpstr(status, ==, "\"interrupted\"");
	cJSON_Delete(root);
}

static void test_a_block_too_large_names_need_and_limit(Fixture *fixture, gconstpointer data)
{
	g_autoptr(GError) error = NULL;

	(void)data;
	fixture->result.status = SIM_TOO_LARGE;
	fixture->result.block = 3;
	fixture->result.needed = 65536;
	fixture->result.available = 49152;
	fixture->result.resource = "shared bytes";
	replay_set_failure("t.bin", &fixture->machine, &fixture->result, NULL, &error);
	g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_RUN);
	g_assert_cmpstr(
		error->message, ==,
		"t.bin: block 3 cannot run: it needs 65536 shared bytes; an SM of Test GPU "
		"has 49152");
}

static void test_a_deadlock_names_who_holds_what(Fixture *fixture, gconstpointer data)
{
	g_autoptr(GError) error = NULL;
	SimResult *result = &fixture->result;

	(void)data;
	result->status = SIM_DEADLOCK;
	result->failed_cycle = 900;
	result->waiting = 5;
	result->n_blocked_warps = 2;
	result->blocked_warps[0] = (BlockedWarp){
		.block = 1, .sm = 2, .warp = 3, .state = "barrier", .since_cycle = 800};
	result->blocked_warps[1] = (BlockedWarp){.block = 4,
						 .sm = 5,
						 .warp = 6,
						 .state = "spin lock",
						 .since_cycle = 700,
						 .site = 8,
						 .word = 99,
						 .has_holder = true,
						 .holder_block = 1,
						 .holder_warp = 3};
	replay_set_failure("t.bin", &fixture->machine, result, NULL, &error);
	g_assert_cmpstr(
		error->message, ==,
		"t.bin: deadlock at cycle 900: 5 warps wait and nothing will wake them\n"
		"  block 1 warp 3 on SM 2: barrier since cycle 800\n"
		"  block 4 warp 6 on SM 5: spin lock since cycle 700, site 8, word 99, held by "
		"block 1 warp 3\n"
		"  and 3 more warps");
}

/* Warps that wait for what the capture could not record: no fault of the program. */
static void test_warps_that_wait_for_what_is_missing_are_no_deadlock(Fixture *fixture,
								     gconstpointer data)
{
	const SimStatus status[] = {SIM_DEADLOCK, SIM_LIVELOCK};
	cJSON *metadata = cJSON_Parse("{\"capture\":{\"bulk_instructions\":49}}");

	(void)data;
	for (guint i = 0; i < G_N_ELEMENTS(status); i++) {
		g_autoptr(GError) error = NULL;

		fixture->result.status = status[i];
		fixture->result.failed_cycle = 900;
		fixture->result.waiting = 5;
		replay_set_failure("t.bin", &fixture->machine, &fixture->result, metadata,
				   &error);
		g_assert_true(g_str_has_prefix(
			error->message,
			"t.bin: 49 bulk_instructions of the kernel are not in the trace, and "
			"at cycle 900 all 5 warps wait"));
		g_assert_null(strstr(error->message, "lock at"));
	}
	cJSON_Delete(metadata);
}

static void test_the_plot_leaves_script_and_data(Fixture *fixture, gconstpointer data)
{
	g_autofree char *folder = g_dir_make_tmp("atomsim-XXXXXX", NULL);
	g_autofree char *svg = g_build_filename(folder, "it's a plot.svg", NULL);
	g_autofree char *csv = gnuplot_sibling(svg, ".csv");
	g_autofree char *gp = gnuplot_sibling(svg, ".gp");
	g_autofree char *gnuplot = g_find_program_in_path("gnuplot");
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;

	(void)data;
	if (gnuplot != NULL) {
		report_plot(&fixture->report, svg, &error);
		g_assert_no_error(error);
		g_assert_true(g_file_test(svg, G_FILE_TEST_EXISTS));
	} else {
		g_assert_false(report_plot(&fixture->report, svg, &error));
		g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_IO);
	}
	g_assert_true(g_file_get_contents(csv, &text, NULL, NULL));
	g_assert_nonnull(strstr(text, "warp_cycles,lock_retry,6,700,70.0000\n"));
	g_assert_nonnull(strstr(text, "lock_degree,7,7,40,40.0000\n"));
	g_assert_nonnull(strstr(text, "bank_degree,3,3,50,12.5000\n"));
	g_assert_cmpint(g_unlink(gp), ==, 0);
	g_unlink(csv);
	g_unlink(svg);
	g_rmdir(folder);
}

static void test_an_empty_run_has_a_plot(Fixture *fixture, gconstpointer data)
{
	fixture->result = (SimResult){.status = SIM_OK};
	g_autofree char *folder = g_dir_make_tmp("atomsim-XXXXXX", NULL);
	g_autofree char *svg = g_build_filename(folder, "-empty.svg", NULL);
	g_autofree char *gnuplot = g_find_program_in_path("gnuplot");
	g_autoptr(GError) error = NULL;

	(void)data;
	if (gnuplot == NULL) {
		g_test_skip("gnuplot is not installed");
	} else {
		report_plot(&fixture->report, svg, &error);
		g_assert_no_error(error);
	}
	for (guint i = 0; i < 3; i++) {
		static const char *const suffixes[] = {".svg", ".gp", ".csv"};
		g_autofree char *file = gnuplot_sibling(svg, suffixes[i]);

		g_unlink(file);
	}
	g_rmdir(folder);
}

static void test_without_gnuplot_the_script_is_kept(Fixture *fixture, gconstpointer data)
{
	g_autofree char *path = g_strdup(g_getenv("PATH"));
	g_autofree char *folder = g_dir_make_tmp("atomsim-XXXXXX", NULL);
	g_autofree char *svg = g_build_filename(folder, "x.svg", NULL);
	g_autofree char *gp = gnuplot_sibling(svg, ".gp");
	g_autofree char *csv = gnuplot_sibling(svg, ".csv");
	g_autoptr(GError) error = NULL;

	(void)data;
	g_setenv("PATH", folder, TRUE);
	g_assert_false(report_plot(&fixture->report, svg, &error));
	g_setenv("PATH", path, TRUE);
	g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_IO);
	g_assert_nonnull(strstr(error->message, "gnuplot"));
	g_assert_nonnull(strstr(error->message, gp));
	g_assert_cmpint(g_unlink(gp), ==, 0);
	g_assert_cmpint(g_unlink(csv), ==, 0);
	g_rmdir(folder);
}

static void test_numbers_read_well(void)
{
	static const struct {
		uint64_t count;
		const char *whole, *brief;
	} cases[] = {
		{0, "0", "0"},
		{999, "999", "999"},
		{1000, "1,000", "1,000"},
		{999999999, "999,999,999", "999,999,999"},
		{1234567890, "1,234,567,890", "1,234 M"},
		{UINT64_MAX, "18,446,744,073,709,551,615", "18,446 P"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *whole = format_count(cases[i].count);
		g_autofree char *brief = format_count_short(cases[i].count);

		g_assert_cmpstr(whole, ==, cases[i].whole);
		g_assert_cmpstr(brief, ==, cases[i].brief);
	}
}

#define ADD(name, function)                                                                    \
	g_test_add("/report/" name, Fixture, NULL, setup, function, teardown)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD("JSON has the keys of the contract with their values", test_json_has_the_contract);
	ADD("a site is what the schema says", test_a_site_is_what_the_schema_says);
	ADD("JSON is a line for each run", test_json_is_a_line_for_each_run);
	ADD("performance is reported unless it is left out",
	    test_performance_is_there_unless_left_out);
	ADD("CSV columns are JSON paths and the same in all rows",
	    test_csv_columns_are_json_paths);
	ADD("text says what matters on one screen", test_text_says_what_matters);
	ADD("text fits the screen whatever the numbers and names",
	    test_text_fits_whatever_the_numbers);
	ADD("text from a trace cannot drive the terminal",
	    test_text_of_a_trace_cannot_drive_the_terminal);
	ADD("empty runs are reported as such", test_empty_runs_are_reported_as_such);
	ADD("an interrupted run says so", test_an_interrupted_run_says_so);
	ADD("a block that is too large names need and limit",
	    test_a_block_too_large_names_need_and_limit);
	ADD("a deadlock names who holds what", test_a_deadlock_names_who_holds_what);
	ADD("warps that wait for what is missing are no deadlock",
	    test_warps_that_wait_for_what_is_missing_are_no_deadlock);
	ADD("the plot leaves its script and data", test_the_plot_leaves_script_and_data);
	ADD("an empty run has a plot", test_an_empty_run_has_a_plot);
	ADD("without gnuplot the plot's script is kept",
	    test_without_gnuplot_the_script_is_kept);
	g_test_add_func("/report/numbers read well", test_numbers_read_well);
	return g_test_run();
}
