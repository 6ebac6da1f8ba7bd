/* SPDX-License-Identifier: MIT */
/* CSV tables, the arithmetic of errors, and measured points against the model. */
#include "validate/frame/validate.h"

#include <string.h>
#include <glib/gstdio.h>

#include "config/config.h"
#include "base/error.h"
#include "base/csv-cell.h"
#include "base/csv.h"
#include "shipped.h"

/* --- CSV --- */

static void test_csv_cells_come_as_written(void)
{
	static const char text[] = "\xef\xbb\xbf"
				   "a,b\r\n"
				   "1,\"x, \"\"y\"\"\r\nz\"\r\n"
				   ",\xc3\xa4";
	g_autoptr(GError) error = NULL;
	g_autoptr(CsvTable) table = csv_parse("t.csv", text, strlen(text), &error);

	g_assert_no_error(error);
	g_assert_cmpuint(csv_rows(table), ==, 2);
	g_assert_cmpint(csv_column(table, "a"), ==, 0);
	g_assert_cmpint(csv_column(table, "b"), ==, 1);
	g_assert_cmpint(csv_column(table, "c"), ==, -1);
	g_assert_cmpstr(csv_cell(table, 0, 0), ==, "1");
	g_assert_cmpstr(csv_cell(table, 0, 1), ==, "x, \"y\"\r\nz");
	g_assert_cmpstr(csv_cell(table, 1, 0), ==, "");
	g_assert_cmpstr(csv_cell(table, 1, 1), ==, "ä");
	g_assert_cmpuint(csv_line(table, 0), ==, 2);
	g_assert_cmpuint(csv_line(table, 1), ==, 4);
}

static void test_csv_has_no_formulas(void)
{
	static const struct {
		const char *cell, *written;
	} cases[] = {
		{"=1+1", "'=1+1"},
		{"=cmd|'/c calc'!A0", "'=cmd|'/c calc'!A0"},
		{"=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\""},
		{"@SUM(A1)", "'@SUM(A1)"},
		{"+1+1", "'+1+1"},
		{"-2+3", "'-2+3"},
		{"-", "-"},
		{"-x", "'-x"},
		{"\t=1", "'\t=1"},
		{"\r=1", "\"'\r=1\""},
		{"\n=1", "\"'\n=1\""},
		{"'=1", "''=1"},
		{"'-1", "''-1"},
		{"''=1", "'''=1"},
		{"'plain'", "'plain'"},
		{"-1", "-1"},
		{"-1.5e-3", "-1.5e-3"},
		{"+.5", "+.5"},
		{"5-3", "5-3"},
		{"", ""},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GString) text = g_string_new("a,b\n");
		g_autoptr(GError) error = NULL;
		g_autoptr(CsvTable) table = NULL;

		csv_append_cell(text, cases[i].cell);
		g_assert_cmpstr(text->str + 4, ==, cases[i].written);
		g_string_append(text, ",1\n");
		table = csv_parse("t.csv", text->str, text->len, &error);
		g_assert_no_error(error);
		g_assert_cmpstr(csv_cell(table, 0, 0), ==, cases[i].cell);
	}
}

static void test_bad_csv_is_an_error_with_its_place(void)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"", "t.csv: empty; allowed: CSV that begins with a header"},
		{"a,b\n1,2,3\n", "t.csv:2: 3 cells; the header has 2"},
		{"a,b\n1\n", "t.csv:2: 1 cells; the header has 2"},
		{"a,b\n1,\"2", "t.csv:2:3: this quote is never closed"},
		{"a,b\n1,\"2\"x\n",
		 "t.csv:2:6: text after a closing quote; allowed: a comma or the line's end"},
		{"a,b\n1,2\"\n",
		 "t.csv:2:4: a quote within a cell that does not begin with one"},
		{"a,b,a\n", "t.csv:1: two columns are named 'a'"},
		{"a\n\xff\n", "t.csv: byte 2 is no UTF-8 text; allowed: a table in CSV"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(CsvTable) table =
			csv_parse("t.csv", cases[i].text, strlen(cases[i].text), &error);

		g_assert_null(table);
		g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT);
		g_assert_cmpstr(error->message, ==, cases[i].message);
	}
}

static void test_a_zero_byte_ends_no_table_silently(void)
{
	static const char text[] = "a\n1\0002\n";
	g_autoptr(GError) error = NULL;
	g_autoptr(CsvTable) table = csv_parse("t.csv", text, sizeof(text) - 1, &error);

	g_assert_null(table);
	g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT);
}

/* --- Errors summed up --- */

static void add_operation_point(Validation *validation, const char *operation,
				const char *family, double relative_error)
{
	g_autofree char *pattern = g_strconcat(family, "/1", NULL);
	ValidationPoint *point =
		validate_point_add(validation, "m.csv", 2, operation, pattern, 100, 100);

	g_assert_cmpstr(point->family, ==, family);
	point->error = relative_error; /* exactly, whatever cycles would give */
}

static void add_point(Validation *validation, const char *family, double relative_error)
{
	add_operation_point(validation, "atomic", family, relative_error);
}

static void test_summaries_follow_their_definition(void)
{
	g_autoptr(Validation) validation = validation_new();
	const GPtrArray *points = validation->points;
	ErrorSummary summary = validate_summarise(points, NULL, NULL);

	g_assert_cmpuint(summary.points, ==, 0);
	g_assert_cmpfloat(summary.max_relative_error, ==, 0);

	add_point(validation, "a", -0.5);
	summary = validate_summarise(points, NULL, NULL);
	g_assert_cmpfloat(summary.median_relative_error, ==, 0.5);
	g_assert_cmpfloat(summary.p90_relative_error, ==, 0.5);

	/* 0.25, 0.5: the median is the mean of the middle two */
	add_point(validation, "b", 0.25);
	summary = validate_summarise(points, NULL, NULL);
	g_assert_cmpfloat(summary.median_relative_error, ==, 0.375);
	g_assert_cmpfloat(summary.p90_relative_error, ==, 0.5);

	/* with 1 .. 8 in front: ten points, the ninth is the 90th percentile */
	for (guint i = 1; i <= 8; i++)
		add_point(validation, "b", i % 2 == 0 ? i : -(double)i);
	summary = validate_summarise(points, NULL, NULL);
	g_assert_cmpuint(summary.points, ==, 10);
	g_assert_cmpfloat(summary.median_relative_error, ==, 3.5);
	g_assert_cmpfloat(summary.p90_relative_error, ==, 7);
	g_assert_cmpfloat(summary.max_relative_error, ==, 8);

	/* an eleventh: ceil(9.9) = 10th */
	add_point(validation, "b", 9);
	summary = validate_summarise(points, NULL, NULL);
	g_assert_cmpfloat(summary.median_relative_error, ==, 4);
	g_assert_cmpfloat(summary.p90_relative_error, ==, 8);

	summary = validate_summarise(points, NULL, "a");
	g_assert_cmpuint(summary.points, ==, 1);
	g_assert_cmpfloat(summary.max_relative_error, ==, 0.5);
}

static void test_summaries_distinguish_operations(void)
{
	g_autoptr(Validation) validation = validation_new();
	const GPtrArray *points = validation->points;
	g_autofree const char **operations = NULL;

	add_operation_point(validation, "st", "a", 0.5);
	add_operation_point(validation, "ld", "a", 0.25);
	add_operation_point(validation, "ld", "b", 0.125);
	operations = validate_operations(points);
	g_assert_cmpstr(operations[0], ==, "st");
	g_assert_cmpstr(operations[1], ==, "ld");
	g_assert_null(operations[2]);
	g_assert_cmpfloat(validate_summarise(points, "ld", NULL).max_relative_error, ==, 0.25);
	g_assert_cmpfloat(validate_summarise(points, NULL, "a").max_relative_error, ==, 0.5);
	g_assert_cmpfloat(validate_summarise(points, "ld", "b").max_relative_error, ==, 0.125);
	g_assert_cmpuint(validate_summarise(points, "st", "b").points, ==, 0);
}

static void test_variants_are_ranked_within_their_family(void)
{
	g_autoptr(Validation) validation = validation_new();
	const GPtrArray *points = validation->points;
	Ranking ranking;

	validate_point_add(validation, "m.csv", 2, "kernel", "a/1", 100, 10);
	validate_point_add(validation, "m.csv", 3, "kernel", "a/2", 104,
			   5); /* no more than 5 % */
	validate_point_add(validation, "m.csv", 4, "kernel", "a/3", 200, 20);
	validate_point_add(validation, "m.csv", 5, "kernel", "b/1", 300,
			   1);						 /* another family */
	validate_point_add(validation, "m.csv", 6, "ld", "a/4", 400, 1); /* another operation */
	ranking = validate_rank(points, "kernel");
	g_assert_cmpuint(ranking.pairs, ==, 2);
	g_assert_cmpuint(ranking.right, ==, 2);
	validate_point_add(validation, "m.csv", 7, "kernel", "a/5", 150, 30);
	ranking = validate_rank(points, "kernel");
	g_assert_cmpuint(ranking.pairs, ==, 5);
	g_assert_cmpuint(ranking.right, ==, 4); /* 150 should have come before 200 */
}

static void test_families_and_worst_points_are_in_order(void)
{
	g_autoptr(Validation) validation = validation_new();
	const GPtrArray *points = validation->points;
	g_autoptr(GPtrArray) worst = NULL;
	g_autofree const char **families = NULL;

	add_point(validation, "z", 0.1);
	add_point(validation, "a", -0.3);
	add_point(validation, "z", 0.3);
	families = validate_families(points);
	g_assert_cmpstr(families[0], ==, "z");
	g_assert_cmpstr(families[1], ==, "a");
	g_assert_null(families[2]);
	worst = validate_worst(points);
	g_assert_true(worst->pdata[0] == points->pdata[1]); /* equal errors: the first first */
	g_assert_true(worst->pdata[1] == points->pdata[2]);
	g_assert_true(worst->pdata[2] == points->pdata[0]);
}

/* --- Points simulated --- */

static Config *load_fermi(void)
{
	g_autoptr(GError) error = NULL;
	Config *config = config_load("fermi.json", NULL, &error);

	g_assert_no_error(error);
	return config;
}

static void test_published_points_cost_what_algorithm_1_says(void)
{
	g_autoptr(Config) config = load_fermi();
	g_autofree char *path = g_build_filename(g_getenv("SOURCE"), "measurements", "gtx580",
						 "published.csv", NULL);
	g_autoptr(Validation) validation = validation_new();
	const GPtrArray *points = validation->points;
	g_autoptr(GError) error = NULL;
	g_autoptr(CsvTable) table = csv_read(path, &error);
	guint column = 0;

	g_assert_no_error(error);
	g_assert_true(csv_require(table, "cycles_algorithm1", &column, &error));
	validate_add_file(validation, config_machine(config), path, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(points->len, ==, csv_rows(table));
	g_assert_cmpuint(points->len, ==, 69);
	for (guint i = 0; i < points->len; i++) {
		const ValidationPoint *point = g_ptr_array_index(points, i);
		double algorithm1 = g_ascii_strtod(csv_cell(table, i, column), NULL);

		if (point->simulated_cycles != algorithm1)
			g_test_fail_printf("%s: %g cycles, Algorithm 1 says %g", point->pattern,
					   point->simulated_cycles, algorithm1);
		g_assert_cmpfloat_with_epsilon(
			point->error, point->simulated_cycles / point->measured_cycles - 1,
			1e-12);
	}
}

/* The targets that config and mechanisms were made for; docs/validation/shared-atomics.md has what is reached. */
static void test_the_h200_is_predicted_within_its_targets(void)
{
	static const struct {
		const char *file, *operation; /* NULL: all */
		double median, p90, max;
	} targets[] = {
		{"warp-latency.csv", "ld", 0.005, 0.005, 0.01},
		{"warp-latency.csv", "st", 0.005, 0.005, 0.01},
		{"warp-latency.csv", "iadd_ret", 0.005, 0.005, 0.01},
		{"warp-latency.csv", "iadd_noret", 0.005, 0.005, 0.01},
		{"warp-latency.csv", "inc_noret", 0.005, 0.005, 0.01},
		{"warp-latency.csv", "cas_ret", 0.005, 0.005, 0.01},
		{"warp-latency.csv", "exch_ret", 0.005, 0.005, 0.01},
		{"warp-latency.csv", "imax_ret", 0.005, 0.005, 0.01},
		{"warp-latency.csv", "fadd_ret", 0.01, 0.01, 0.01},
		{"warp-latency.csv", "fadd_noret", 0.01, 0.01, 0.01},
		{"warp-latency.csv", "u64add_ret", 0.03, 0.03, 0.05},
		{"block-cycles.csv", "ld", 0.03, 0.05, 0.2},
		{"block-cycles.csv", "st", 0.03, 0.05, 0.2},
		{"block-cycles.csv", "iadd_ret", 0.03, 0.06, 0.2},
		{"block-cycles.csv", "iadd_noret", 0.03, 0.05, 0.2},
		{"block-cycles.csv", "inc_noret", 0.03, 0.05, 0.2},
		{"block-cycles.csv", "cas_ret", 0.03, 0.07, 0.2},
		{"block-cycles.csv", "fadd_ret", 0.02, 0.06, 0.25},
		{"kernels.csv", "kernel", 0.06, 0.25, 0.4},
	};
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = config_load("h200.json", NULL, &error);
	g_autoptr(Validation) validation = NULL;
	const char *read = "";

	if (test_share() > 1) {
		g_test_skip("3,667 rows by code that the other tests run, too");
		return;
	}
	g_assert_no_error(error);
	for (guint i = 0; i < G_N_ELEMENTS(targets); i++) {
		ErrorSummary summary;

		if (strcmp(read, targets[i].file) != 0) {
			g_autofree char *path =
				g_build_filename(g_getenv("SOURCE"), "measurements", "h200",
						 targets[i].file, NULL);

			g_clear_pointer(&validation, validation_free);
			validation = validation_new();
			validate_add_file(validation, config_machine(config), path, &error);
			g_assert_no_error(error);
			read = targets[i].file;
		}
		summary = validate_summarise(validation->points, targets[i].operation, NULL);
		g_assert_cmpuint(summary.points, >=, 96);
		if (summary.median_relative_error > targets[i].median ||
		    summary.p90_relative_error > targets[i].p90 ||
		    summary.max_relative_error > targets[i].max)
			g_test_fail_printf("%s, %s: median %g, 90th percentile %g, maximum %g",
					   targets[i].file, targets[i].operation,
					   summary.median_relative_error,
					   summary.p90_relative_error,
					   summary.max_relative_error);
	}
}

/* What an SM does cycle by cycle, row by row as a little program. */
static void test_rows_of_issue_files_are_programs(void)
{
	static const struct {
		const char *file, *operation;
		guint points; /* rows that have a program */
		double median;
	} files[] = {
		{"issue-latency.csv", "issue latency", 44, 0.02},
		{"issue-throughput.csv", "issue throughput", 666, 0.10},
		{"issue-barrier.csv", "issue barrier", 69, 0.20},
		{"issue-fence.csv", "issue fence", 20, 0.15},
		{"issue-fence-block.csv", "rounds of a fence", 78, 0.65},
		{"issue-sequences.csv", "issue sequence", 66, 0.15},
		{"issue-in-flight.csv", "loads in flight", 84, 0.30},
		{"issue-burst.csv", "loads in flight", 60, 0.15},
		{"issue-guarded.csv", "issue guarded", 48, 0.10},
		{"issue-branch.csv", "issue branch", 50, 0.06},
		{"issue-blocks-barrier.csv", "barriers of blocks", 40, 0.25},
		{"issue-stores.csv", "issue stores", 56, 0.15},
		{"issue-queue.csv", "accesses back to back", 1532, 0.20},
		{"issue-merged.csv", "merged stores", 825, 0.10},
		{"issue-l1.csv", "single loads", 59, 0.10},
		{"issue-dram.csv", "hops through memory", 12, 0.10},
		{"issue-tile.csv", "tile", 12, 0.20},
		{"../ends.csv", "launches that end", 142, 0.10},
		{"../stores.csv", "launches that store", 237, 0.10},
		{"issue-order.csv", "loads behind others", 252, 0.02},
		{"issue-written.csv", "loads of what was stored", 300, 0.03},
		{"../match-any.csv", "match", 144, 0.11},
		{"issue-warp-sync.csv", "warp sync", 216, 0.01},
		{"../wide-accesses.csv", "trips through the banks", 432, 0},
		{"../rounds.csv", "rounds", 123, 0.15},
	};
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = config_load("h200.json", NULL, &error);

	g_assert_no_error(error);
	for (guint i = 0; i < G_N_ELEMENTS(files); i += test_share()) {
		g_autofree char *path = g_build_filename(g_getenv("SOURCE"), "measurements",
							 "h200", "issue", files[i].file, NULL);
		g_autoptr(Validation) validation = validation_new();
		const GPtrArray *points = validation->points;
		ErrorSummary summary;

		validate_add_file(validation, config_machine(config), path, &error);
		g_assert_no_error(error);
		g_assert_cmpuint(points->len, ==, files[i].points);
		summary = validate_summarise(points, files[i].operation, NULL);
		g_assert_cmpuint(summary.points, ==, files[i].points);
		g_assert_cmpfloat(summary.median_relative_error, <=, files[i].median);
		for (guint p = 0; p < points->len; p++) {
			const ValidationPoint *point = g_ptr_array_index(points, p);

			g_assert_cmpfloat(point->simulated_cycles, >, 0);
			g_assert_cmpfloat(point->error, <, 4);
		}
	}
}

/* One spin lock after the other. With lanes that wait for the others (sm.independent_thread_scheduling 0) the median is 11.6 %. */
static void test_chains_of_locks_are_replayed_but_for_sections_that_load(void)
{
	g_autofree char *path = g_build_filename(g_getenv("SOURCE"), "measurements", "h200",
						 "issue", "issue-lock-groups.csv", NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = config_load("h200.json", NULL, &error);
	g_autoptr(Validation) validation = validation_new();
	const PassedOver *passed;
	ErrorSummary all, few;

	g_assert_no_error(error);
	validate_add_file(validation, config_machine(config), path, &error);
	g_assert_no_error(error);
	all = validate_summarise(validation->points, "lock chain", NULL);
	g_assert_cmpuint(validation->points->len, ==, 318);
	g_assert_cmpuint(all.points, ==, 318);
	g_assert_cmpfloat(all.median_relative_error, <=, 0.07);
	g_assert_cmpfloat(all.max_relative_error, <=, 0.60);
	few = validate_summarise(validation->points, NULL, "1 warps");
	g_assert_cmpuint(few.points, ==, 33);
	g_assert_cmpfloat(few.max_relative_error, <=, 0.15);
	g_assert_cmpuint(validation->passed->len, ==, 1);
	passed = g_ptr_array_index(validation->passed, 0);
	g_assert_cmpuint(passed->rows, ==, 212);
	g_assert_cmpuint(passed->first_line, ==, 320);
}

/* Every n-th row of a measured file, from the second on, as a file in the folder: its path. g_free. */
static char *thinned(const char *name, guint n, const char *folder)
{
	g_autofree char *path =
		g_build_filename(g_getenv("SOURCE"), "measurements", "h200", name, NULL);
	g_autofree char *base = g_path_get_basename(name), *text = NULL;
	char *thin = g_build_filename(folder, base, NULL);
	g_autoptr(GString) rows = g_string_new(NULL);
	g_auto(GStrv) lines = NULL;

	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
		if (i == 0 || i % n == 2)
			g_string_append_printf(rows, "%s\n", lines[i]);
	g_assert_true(g_file_set_contents(thin, rows->str, (gssize)rows->len, NULL));
	return thin;
}

/* Chosen SMs and locks that many of them want: some rows of each file. If the model's SM i stood for the GPU's,
   wherever that is, these rows of l2-clusters.csv would have a median of 19 %. */
static void test_rows_of_chosen_sms_are_replayed(void)
{
	static const struct {
		const char *file;
		guint every, points;
		double median;
	} files[] = {
		{"l2/l2-patterns.csv", 200, 16, 0.08},
		{"l2/l2-ways.csv", 300, 4, 0.08},
		{"l2/l2-clusters.csv", 40, 17, 0.12},
		{"l2/l2-links.csv", 100, 4, 0.35},
		{"l2/l2-loads.csv", 70, 3, 0.25},
		{"l2/l2-warp-words.csv", 40, 10, 0.15},
		{"issue/issue-shares.csv", 60, 8, 0.25},
		{"issue/issue-lock-grid.csv", 40, 7, 0.25},
		{"issue/issue-fence-turns.csv", 40, 8, 0.25},
		{"global-loads-drawn.csv", 40, 6, 0.20},
		{"issue/issue-lines.csv", 20, 22, 0.35},
	};
	g_autofree char *folder = g_dir_make_tmp("atomsim-XXXXXX", NULL);
	g_autofree char *sets = g_build_filename(g_getenv("SOURCE"), "measurements", "h200",
						 "issue", "issue-shares-sets.csv", NULL);
	g_autofree char *joined = g_build_filename(folder, "issue-shares-sets.csv", NULL);
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = config_load("h200.json", NULL, &error);

	g_assert_no_error(error);
	g_assert_true(g_file_get_contents(sets, &text, NULL, NULL));
	g_assert_true(g_file_set_contents(joined, text, -1, NULL));
	for (guint i = 0; i < G_N_ELEMENTS(files); i += test_share()) {
		g_autofree char *path = thinned(files[i].file, files[i].every, folder);
		g_autoptr(Validation) validation = validation_new();
		ErrorSummary summary;

		validate_add_file(validation, config_machine(config), path, &error);
		g_unlink(path);
		g_assert_no_error(error);
		summary = validate_summarise(validation->points, NULL, NULL);
		g_test_message("%s: %u points, median %g", files[i].file, summary.points,
			       summary.median_relative_error);
		g_assert_cmpuint(summary.points, ==, files[i].points);
		g_assert_cmpfloat(summary.median_relative_error, <=, files[i].median);
	}
	g_unlink(joined);
	g_rmdir(folder);
}

/* The error of a file of that text on that config, its folder taken off. */
static char *error_on(const char *config_name, const char *text)
{
	g_autoptr(Config) config = config_load(config_name, NULL, NULL);
	g_autoptr(Validation) validation = validation_new();
	g_autoptr(GError) error = NULL;
	g_autofree char *folder = g_dir_make_tmp("atomsim-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(folder, "m.csv", NULL);
	gboolean good;

	g_assert_true(g_file_set_contents(path, text, -1, NULL));
	good = validate_add_file(validation, config_machine(config), path, &error);
	g_unlink(path);
	g_rmdir(folder);
	if (good)
		return g_strdup("none");
	g_assert_true(g_str_has_prefix(error->message, folder));
	return g_strdup(error->message + strlen(folder) + 1);
}

static void test_bad_measurements_are_errors_with_their_line(void)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"chain,address,cycles_per_link,form\nlop3,-,4,latency\nfrob,-,1,latency\n",
		 "none"},
		{"section,warps,sharing,locks,seed,cycles,form\nbare,1,own,4,0,9,lock-chain\n",
		 "none"},
		{"section,warps,sharing,locks,seed,cycles,form\nbare,1,none,4,0,9,lock-chain\n",
		 "m.csv:2: --sharing: 'none' found; allowed: shared|own"},
		{"section,warps,sharing,locks,seed,cycles,form\nbare,1,own,0,0,9,lock-chain\n",
		 "m.csv:2: locks: found '0'; allowed: a whole number from 1 to 4096"},
		{"chain,address,cycles_per_link,form\nlop3,-,x,latency\n",
		 "m.csv:2: cycles_per_link: found 'x'; allowed: a number of at least 0.001"},
		{"class,sub_cores,warps_per_sub_core,cycles_per_op_per_sub_core,form\n"
		 "lop3,5,1,2,straight\n",
		 "m.csv:2: sub_cores: found '5'; allowed: a whole number from 1 to 4"},
		{"warps,late_warp,late_by,barriers,last_leaver_after_last_arrival,form\n"
		 "2,2,0,1,9,barrier\n",
		 "m.csv:2: late_warp: found '2'; allowed: a whole number from 0 to 1"},
		{"unit,warps,lanes_with_predicate,cycles_a_copy,form\nNOP,1,-,,sequence\n",
		 "none"},
		{"op,width,wavefronts,addresses,form\nlds,8,2,0 4092,access\n", "none"},
		{"op,width,wavefronts,addresses,form\nlds,8,2,0 4096,access\n", "m.csv:2: "},
		{"op,width,wavefronts,addresses,form\nlds,3,2,0,access\n",
		 "m.csv:2: width: found '3'; allowed: 4, 8, 16"},
		{"type,warps,words,adds,data_bank_conflicts_pipe_lsu_mem_shared.sum,"
		 "cycles_active.max,form\nu16,1,1,1,1,1,additions\n",
		 "m.csv:2: type: found 'u16'; allowed: u32, f32, f64, u64"},
		{"op,width,wavefronts,addresses,form\nlds,12,2,0,access\n",
		 "m.csv:2: width: found '12'; allowed: 4, 8, 16"},
		{"access,stall,n,sub_cores,warps_per_sub_core,all_done,form\nlds32,x,1,1,1,9,"
		 "queue\n",
		 "m.csv: needs a memory side; allowed: a config with global.model \"slices\""},
		{"blocks,warps,loads_in_flight_per_warp,bits_per_lane,all_done,form\n"
		 "1,1,1,96,9,flight\n",
		 "m.csv:2: bits_per_lane: found '96'; allowed: 32, 64, 128"},
		{"pattern,cycles,addresses\nx,108,0\n", "none"},
		{"pattern,cycles,addresses\nx,108, 0\t31 \n", "none"},
		{"pattern,cycles,addresses\nx,108,- 5 - 6\n", "none"},
		{"pattern,cycles,addresses\nx,108,- -\n", "none"},
		{"pattern,addresses\nx,0\n",
		 "m.csv:1: no column 'cycles'; the columns are: pattern, addresses"},
		{"pattern,cycles,addresses\nx,1e2x,0\n",
		 "m.csv:2: cycles: found '1e2x'; allowed: a number of at least 0.001"},
		{"pattern,cycles,addresses\nx,0,0\n",
		 "m.csv:2: cycles: found '0'; allowed: a number of at least 0.001"},
		{"pattern,cycles,addresses\nx,nan,0\n",
		 "m.csv:2: cycles: found 'nan'; allowed: a number of at least 0.001"},
		{"pattern,cycles,addresses\nx,1,0\nx,1,0 -1\n", "m.csv:3: "},
		{"pattern,cycles,addresses\nx,1,0 4294967296\n", "m.csv:2: "},
		{"pattern,cycles,addresses\nx,1,\n", "none"},
		{"pattern,cycles,addresses\n"
		 "x,1,0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
		 "none"},
		{"pattern,ld,addresses,form\nx,33,0 1,chains\n", "none"},
		{"pattern,ld,addresses,form\nx,0,0 1,chains\n",
		 "m.csv:2: ld: found '0'; allowed: a number of at least 0.001"},
		{"case,distribution,warps,form\n0,x,1,block-steps\n",
		 "m.csv:1: no column 'rounds'; the columns are: "
		 "case, distribution, warps, form"},
		{"experiment,case,step,cycles\nx,y,1,1\n",
		 "m.csv:1: no replay for a file with these columns; allowed: "},
		{"pattern,cycles,addresses\nx,1,20000\n",
		 "m.csv:2: block 0 cannot run: it needs 80004 shared bytes; an SM of GeForce "
		 "GTX 580 has "
		 "49152"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *message = error_on("fermi.json", cases[i].text);

		/* The largest index is not spelled out: it is the format's to say. */
		if (!g_str_has_prefix(message, cases[i].message))
			g_test_fail_printf("%s; expected: %s", message, cases[i].message);
	}
}

static void test_bad_rows_of_chosen_sms_are_errors_with_their_line(void)
{
#define PATTERN_COLUMNS                                                                        \
	"form,experiment,op,sms,warps,rounds,warp_stride,sm_stride,bytes,pattern,cycles\n"
#define IDLE	     ".-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-"
#define GRID_COLUMNS "form,section,blocks,warps,lanes,words,groups,entries,cycles\n"
#define STREAM_COLUMNS                                                                         \
	"form,order,state,path,footprint_bytes,blocks,threads,bytes_per_lane,loads_in_flight," \
	"steps,cycles\n"
	static const struct {
		const char *text, *message;
	} cases[] = {
		{PATTERN_COLUMNS "sm-patterns,x,red_add_u32,0.131,1,4,0,0,128,0.-" IDLE
				 "/1.2" IDLE ",9\n",
		 "none"},
		{PATTERN_COLUMNS "sm-patterns,x,frob,0,1,4,0,0,128,0.1" IDLE ",9\n",
		 "m.csv:2: op: found 'frob'; allowed: red_add_u32, atom_add_u32, "},
		{PATTERN_COLUMNS "sm-patterns,x,red_add_u32,0.132,1,4,0,0,128,0.1" IDLE ",9\n",
		 "'0.132' found; allowed: numbers from 0 to 131"},
		{PATTERN_COLUMNS "sm-patterns,x,red_add_u32,3.3,1,4,0,0,128,0.1" IDLE ",9\n",
		 "sm-patterns.trace:25:8: '3.3' found"},
		{PATTERN_COLUMNS "sm-patterns,x,red_add_u32,3.,1,4,0,0,128,0.1" IDLE ",9\n",
		 "sm-patterns.trace:25:8: '3.' found"},
		{PATTERN_COLUMNS "sm-patterns,x,red_add_u32,same:0,1,4,0,0,128,0.1" IDLE ",9\n",
		 "sm-patterns.trace:25:8: 'same:0' found"},
		{PATTERN_COLUMNS "sm-patterns,x,red_add_u32,all:66,1,3,0,0,128,0.1" IDLE ",9\n",
		 "m.csv:2: rounds: found '3'; allowed: a whole number from 4 to"},
		{PATTERN_COLUMNS "sm-patterns,x,red_add_f64,other,2,4,4,0,128,0.2" IDLE ",9\n",
		 "lane 0 at byte 4 found; allowed: multiples of 8"},
		{PATTERN_COLUMNS "sm-patterns,x,red_add_f64,0,1,4,0,0,128,2.1" IDLE ",9\n",
		 "lane 1 at byte 4 found; allowed: multiples of 8"},
		{PATTERN_COLUMNS "sm-patterns,x,red_add_u32,0,1,4,0,0,128,0.1.2,9\n", "none"},
		{PATTERN_COLUMNS "sm-patterns,x,red_add_u32,0,1,4,0,0,128,,9\n", "none"},
		{GRID_COLUMNS "lock-grid,bare,2,1,32,1,1,1,9\n", "none"},
		{GRID_COLUMNS "lock-grid,bare,0,1,32,1,1,1,9\n",
		 "m.csv:2: blocks: found '0'; allowed: a whole number from 1 to"},
		{STREAM_COLUMNS "load-rounds,walk,again,ca,1024,1,32,8,2,2,9\n", "none"},
		{STREAM_COLUMNS "load-rounds,jump,again,ca,1024,1,32,8,2,2,9\n",
		 "m.csv:2: order: found 'jump'; allowed: walk, random"},
		{STREAM_COLUMNS "load-rounds,walk,warm,ca,1024,1,32,8,2,2,9\n",
		 "m.csv:2: state: found 'warm'; allowed: again, written, cold"},
		{STREAM_COLUMNS "load-rounds,walk,cold,cs,1024,1,32,8,2,2,9\n",
		 "m.csv:2: path: found 'cs'; allowed: ca, cg"},
		{STREAM_COLUMNS "load-rounds,walk,cold,cg,1024,1,32,12,2,2,9\n",
		 "m.csv:2: bytes_per_lane: found '12'; allowed: 4, 8, 16"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *message = error_on("h200.json", cases[i].text);

		/* What a text says of a row comes behind the text's path. */
		if (strstr(message, cases[i].message) == NULL)
			g_test_fail_printf("%s; expected: %s", message, cases[i].message);
	}
	g_autofree char *elsewhere = error_on("a100.json", cases[0].text);

	g_assert_cmpstr(
		elsewhere, ==,
		"m.csv: names SMs by their numbers; allowed: a config whose l2.map is a "
		"map of all sm.count");
}

/* What a launch found behind what was done with the region, by its cell. */
static const char *launch_l2_of(const char *cells)
{
	if (strstr(cells, ",again,"))
		return "warm";
	return strstr(cells, ",cold,") ? "cold" : "written";
}

/* Cycles that the H200's model gives a stream of these cells. */
static double stream_cycles(const char *cells)
{
	g_autoptr(Config) config = config_load("h200.json", NULL, NULL);
	g_autoptr(Validation) validation = validation_new();
	g_autoptr(GError) error = NULL;
	g_autofree char *folder = g_dir_make_tmp("atomsim-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(folder, "m.csv", NULL);
	g_autofree char *text = g_strconcat("launch.l2," STREAM_COLUMNS, launch_l2_of(cells),
					    ",load-rounds,", cells, ",1000\n", NULL);
	const ValidationPoint *point;

	g_assert_true(g_file_set_contents(path, text, -1, NULL));
	validate_add_file(validation, config_machine(config), path, &error);
	g_unlink(path);
	g_rmdir(folder);
	g_assert_no_error(error);
	point = g_ptr_array_index(validation->points, 0);
	return point->simulated_cycles;
}

static void test_each_column_of_a_stream_is_heard(void)
{
	/* The first takes at least so many times as long as the second. */
	static const struct {
		const char *slow, *fast;
		double times;
	} pairs[] = {
		/* what was done with the region */
		{"walk,cold,cg,4194304,8,128,4,4,32", "walk,written,cg,4194304,8,128,4,4,32",
		 1.3},
		{"random,written,cg,4194304,8,128,4,4,32",
		 "random,again,cg,4194304,8,128,4,4,32", 1.2},
		/* 16 KiB each, which the GPC has written that reads them */
		{"walk,again,cg,4194304,8,128,4,4,32", "walk,written,cg,4194304,8,128,4,4,32",
		 1},
		/* the first cache, where a walk comes by again */
		{"walk,again,cg,4096,1,32,4,1,512", "walk,again,ca,4096,1,32,4,1,512", 2},
		/* a walk through all of the region, of which random loads have found much already */
		{"walk,again,ca,65536,1,32,4,1,512", "random,again,ca,65536,1,32,4,1,512", 1.1},
		/* a region that is in the first cache, and one that comes by line by line */
		{"walk,again,ca,262144,1,32,4,1,512", "walk,again,ca,4096,1,32,4,1,512", 2},
		/* more warps, more bytes, fewer loads under way, more loads */
		{"walk,again,cg,4194304,132,1024,4,4,32", "walk,again,cg,4194304,132,32,4,4,32",
		 1.2},
		{"walk,again,cg,4194304,132,1024,4,4,32", "walk,again,cg,4194304,1,1024,4,4,32",
		 1.1},
		{"walk,again,cg,4194304,132,1024,16,4,32",
		 "walk,again,cg,4194304,132,1024,4,4,32", 1.5},
		{"walk,again,cg,4194304,1,32,4,1,64", "walk,again,cg,4194304,1,32,4,8,64", 3},
		{"walk,again,cg,4194304,1,32,4,4,64", "walk,again,cg,4194304,1,32,4,4,32", 1.9},
	};

	for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
		const double slow = stream_cycles(pairs[i].slow);
		const double fast = stream_cycles(pairs[i].fast);

		g_test_message("%s: %g, %s: %g", pairs[i].slow, slow, pairs[i].fast, fast);
		if (slow < fast * pairs[i].times)
			g_test_fail_printf("%s: %g, %s: %g; expected: %g times", pairs[i].slow,
					   slow, pairs[i].fast, fast, pairs[i].times);
	}
}

/* A warp alone, load by load, and one load, to its use: each takes the round trip and what lies between two. */
static void test_a_stream_waits_for_what_it_loads(void)
{
	static const char *const cells[] = {"walk,again,cg,4194304,1,32,4,1,64",
					    "walk,again,cg,4194304,1,32,4,1,1"};
	static const guint n_loads[] = {64, 1};
	g_autoptr(Config) config = config_load("h200.json", NULL, NULL);
	const NetworkParameters *network = config_machine(config)->network;
	const double trip = network->load_cycles + network->writeback_cycles +
			    network->writeback_nonuniform_cycles;

	for (guint i = 0; i < G_N_ELEMENTS(cells); i++) {
		const double each = stream_cycles(cells[i]) / n_loads[i];

		g_test_message("%s: %g a load, of which the trip %g", cells[i], each, trip);
		g_assert_cmpfloat(each, >, trip * 0.9);
		g_assert_cmpfloat(each, <, trip * 1.15);
	}
}

/* --- Progress --- */

typedef struct {
	guint calls, last, n, limit; /* limit: ends when so many rows are begun */
} Asked;

static gboolean ask(gpointer data, guint done, guint n)
{
	Asked *asked = data;

	g_assert_cmpuint(done, >=, asked->last);
	g_assert_cmpuint(done, <=, n);
	asked->calls++;
	asked->last = done;
	asked->n = n;
	return done < asked->limit;
}

/* Files of each shape: launches, forms, points of a warp, and figures of papers, which take long. */
static void test_progress_counts_the_rows_and_can_end_them(void)
{
	static const char *const files[][2] = {{"h200.json", "h200/counted-launches.csv"},
					       {"h200.json", "h200/match-any.csv"},
					       {"fermi.json", "gtx580/published.csv"},
					       {"hd5870.json", "hd5870/published.csv"}};

	for (guint i = 0; i < G_N_ELEMENTS(files); i++)
		for (guint all = 0; all < (i < 3 ? 2 : 1); all++) {
			g_autofree char *path = g_build_filename(
				g_getenv("SOURCE"), "measurements", files[i][1], NULL);
			g_autoptr(GError) error = NULL;
			g_autoptr(Config) config = config_load(files[i][0], NULL, &error);
			g_autoptr(MeasuredFile) file = measured_file_read(path, &error);
			g_autoptr(Validation) validation = validation_new();
			Asked asked = {.limit = all ? G_MAXUINT : 3};

			g_assert_no_error(error);
			validation->n_threads = 2;
			validation->progress = ask;
			validation->progress_data = &asked;
			validate_add(validation, config_machine(config), file, &error);
			g_assert_cmpuint(asked.n, >=, measured_file_rows(file, FALSE));
			if (!all) {
				g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_RUN);
				/* The other thread may have begun rows since. */
				g_assert_cmpuint(asked.last, >=, 3);
				continue;
			}
			g_assert_no_error(error);
			g_assert_cmpuint(asked.calls, >=, 2);
			g_assert_cmpuint(validation->points->len, >, 3);
		}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/csv/cells come as they were written", test_csv_cells_come_as_written);
	g_test_add_func("/csv/names are no formulas, and come back", test_csv_has_no_formulas);
	g_test_add_func("/csv/bad CSV is an error with its place",
			test_bad_csv_is_an_error_with_its_place);
	g_test_add_func("/csv/a zero byte does not end a table silently",
			test_a_zero_byte_ends_no_table_silently);
	g_test_add_func("/validate/progress counts the rows and can end them",
			test_progress_counts_the_rows_and_can_end_them);
	g_test_add_func("/validate/summaries follow their definition",
			test_summaries_follow_their_definition);
	g_test_add_func("/validate/summaries tell operations apart",
			test_summaries_distinguish_operations);
	g_test_add_func("/validate/the H200 is predicted within its targets",
			test_the_h200_is_predicted_within_its_targets);
	g_test_add_func("/validate/rows of issue files are programs",
			test_rows_of_issue_files_are_programs);
	g_test_add_func("/validate/chains of locks are replayed but for sections that load",
			test_chains_of_locks_are_replayed_but_for_sections_that_load);
	g_test_add_func("/validate/rows of chosen SMs are replayed",
			test_rows_of_chosen_sms_are_replayed);
	g_test_add_func("/validate/variants are ranked within their family",
			test_variants_are_ranked_within_their_family);
	g_test_add_func("/validate/families and worst points are in order",
			test_families_and_worst_points_are_in_order);
	g_test_add_func("/validate/the published points cost what Algorithm 1 says",
			test_published_points_cost_what_algorithm_1_says);
	g_test_add_func("/validate/bad measurements are errors with their line",
			test_bad_measurements_are_errors_with_their_line);
	g_test_add_func("/validate/bad rows of chosen SMs are errors with their line",
			test_bad_rows_of_chosen_sms_are_errors_with_their_line);
	g_test_add_func("/validate/each column of a stream is heard",
			test_each_column_of_a_stream_is_heard);
	g_test_add_func("/validate/a stream waits for what it loads",
			test_a_stream_waits_for_what_it_loads);
	return g_test_run();
}
