/* SPDX-License-Identifier: MIT */

#include "replay/expected-error.h"
#include "replay/launch-time.h"
#include "replay/replay.h"
#include "validate/frame/validate-rows.h"

/* A row, where its trace is, and what a replay of that gives. */
typedef struct {
	const CsvTable *table;
	guint row;
	char *pattern, *file;
	gboolean has_trace;
	LaunchState state;
	/* Of its run: */
	uint64_t busy_cycles, launch_busy_cycles, instructions, conflicts;
	const char *launch_class; /* constant, or NULL */
	GError *error;
} Row;

typedef struct {
	const Machine *machine;
	GArray *rows; /* Row */
} Rows;

static void row_clear(gpointer data)
{
	Row *row = data;

	g_clear_error(&row->error);
	g_free(row->pattern);
	g_free(row->file);
}

/* An EachRow. */
static void replay_row(gpointer data, guint i)
{
	const Rows *rows = data;
	Row *row = &g_array_index(rows->rows, Row, i);
	const Machine found = machine_in_state(rows->machine, &row->state);
	g_autoptr(TraceReader) reader =
		row->has_trace ? trace_open(row->file, &row->error) : NULL;
	const Replay replay = {.machine = &found, .reader = reader, .n_threads = 1};
	g_auto(ReplayResult) result = {0};
	const Statistics *statistics = &result.run.statistics;

	if (reader == NULL || !replay_run(&replay, &result, &row->error))
		return;
	row->busy_cycles = statistics->busy_cycles;
	row->launch_busy_cycles = launch_busy_cycles(&found, statistics);
	row->instructions = statistics->warp_instructions;
	row->conflicts = statistics->shared.conflict_passes;
	row->launch_class = expected_class(&found, statistics);
}

/* Adds a point for a column that is there; what is not above 0 has no relative error. */
static gboolean add_point(Validation *validation, const Row *row, const char *column,
			  const char *operation, uint64_t simulated, GError **error)
{
	gint number = csv_column(row->table, column);
	gint held_back = csv_column(row->table, "held_back");
	double measured, held = 0;
	ValidationPoint *point;

	if (number < 0)
		return TRUE;
	if (!csv_number(row->table, row->row, (guint)number, 0, &measured, error) ||
	    (held_back >= 0 &&
	     !csv_number(row->table, row->row, (guint)held_back, 0, &held, error)))
		return FALSE;
	if (measured < VALIDATE_LEAST_CYCLES) {
		validate_pass_over(validation, csv_path(row->table),
				   csv_line(row->table, row->row),
				   "a count of 0 has no relative error");
		return TRUE;
	}
	point = validate_point_add(validation, csv_path(row->table),
				   csv_line(row->table, row->row), operation, row->pattern,
				   measured, (double)simulated);
	point->held_back = held != 0;
	point->launch_class = row->launch_class;
	return TRUE;
}

/* A whole launch on the whole GPU, and what its counters counted: how long the busiest SM was busy, which
   begins before its blocks do and ends behind them, but not with what they have sent. */
static gboolean add_launch(Validation *validation, const Row *row, GError **error)
{
	return add_point(validation, row, "cycles_active", VALIDATE_LAUNCH,
			 row->launch_busy_cycles, error) &&
	       add_point(validation, row, "instructions", VALIDATE_INSTRUCTIONS,
			 row->instructions, error) &&
	       add_point(validation, row, "shared_conflicts", VALIDATE_CONFLICTS,
			 row->conflicts, error);
}

/* Blocks of one SM, alone on it, or a launch. */
static gboolean add_row(Validation *validation, Row *row, gboolean is_launch, GError **error)
{
	if (row->error != NULL) {
		g_propagate_error(error, g_steal_pointer(&row->error));
		return FALSE;
	}
	/* A kernel whose path depends on time is measured, but its trace says little. */
	if (!row->has_trace) {
		validate_pass_over(validation, csv_path(row->table),
				   csv_line(row->table, row->row),
				   "no trace of that name in the folder next to it");
		return TRUE;
	}
	return is_launch ? add_launch(validation, row, error)
			 : add_point(validation, row, "cycles", VALIDATE_KERNEL,
				     row->busy_cycles, error);
}

/* What the rows say; FALSE: one of them is wrong. */
static gboolean read_rows(const Rows *rows, const CsvTable *table, guint cycles, guint trace,
			  guint program, GError **error)
{
	const char *path = csv_path(table);
	g_autofree char *folder =
		g_str_has_suffix(path, ".csv") ? g_strndup(path, strlen(path) - 4) : NULL;

	for (guint i = 0; i < rows->rows->len; i++) {
		Row *row = &g_array_index(rows->rows, Row, i);
		const char *name = csv_cell(table, i, trace);
		g_autofree char *base = g_strconcat(name, ".bin", NULL);
		double measured;

		*row = (Row){.table = table,
			     .row = i,
			     .pattern =
				     g_strconcat(csv_cell(table, i, program), "/", name, NULL),
			     .file = g_build_filename(folder ? folder : "", base, NULL),
			     .state = launch_measured(rows->machine)};
		row->has_trace = g_file_test(row->file, G_FILE_TEST_EXISTS);
		if (!csv_number(table, i, cycles, VALIDATE_LEAST_CYCLES, &measured, error) ||
		    !launch_columns_read(table, i, &row->state, error))
			return FALSE;
	}
	return TRUE;
}

gboolean validate_add_kernels(Validation *validation, const Machine *machine,
			      const CsvTable *table, GError **error)
{
	g_autoptr(GArray) all = g_array_new(FALSE, TRUE, sizeof(Row));
	const gboolean launches = csv_column(table, "cycles_active") >= 0;
	Rows rows = {.machine = machine, .rows = all};
	guint trace = 0, program = 0, cycles = 0;

	g_array_set_clear_func(all, row_clear);
	g_array_set_size(all, csv_rows(table));
	if (!csv_require(table, "trace", &trace, error) ||
	    !csv_require(table, "program", &program, error) ||
	    !csv_require(table, launches ? "cycles_active" : "cycles", &cycles, error) ||
	    !read_rows(&rows, table, cycles, trace, program, error) ||
	    !measured_rows_each(validation, all->len, replay_row, &rows, error))
		return FALSE;
	for (guint i = 0; i < all->len; i++)
		if (!add_row(validation, &g_array_index(all, Row, i), launches, error))
			return FALSE;
	return TRUE;
}
