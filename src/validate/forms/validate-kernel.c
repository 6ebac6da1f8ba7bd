/* SPDX-License-Identifier: MIT */
#include "validate/forms/validate-kernel.h"

#include "replay/launch-time.h"
#include "replay/replay.h"
#include "validate/frame/launch-columns.h"

/* What a row says where its trace is. */
typedef struct {
	const CsvTable *table;
	guint row;
	const char *pattern;
} Row;

static gboolean replay(const Machine *machine, const char *path, ReplayResult *result,
		       GError **error)
{
	g_autoptr(TraceReader) reader = trace_open(path, error);
	const Replay replay = {.machine = machine, .reader = reader, .n_threads = 1};

	return reader != NULL && replay_run(&replay, result, error);
}

/* Adds a point for a column that is there; what is not above 0 has no relative error. */
static gboolean add_point(Validation *validation, const Row *row, const char *column,
			  const char *operation, uint64_t simulated, GError **error)
{
	gint number = csv_column(row->table, column);
	gint held_back = csv_column(row->table, "held_back");
	double measured, held = 0;
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
	validate_point_add(validation, csv_path(row->table), csv_line(row->table, row->row),
			   operation, row->pattern, measured, (double)simulated)
		->held_back = held != 0;
	return TRUE;
}

/* Blocks of one SM, alone on it. */
static gboolean add_kernel(Validation *validation, const Machine *machine, const Row *row,
			   const char *file, GError **error)
{
	g_auto(ReplayResult) result = {0};

	return replay(machine, file, &result, error) &&
	       add_point(validation, row, "cycles", VALIDATE_KERNEL,
			 result.run.statistics.busy_cycles, error);
}

/* A whole launch on the whole GPU, and what its counters counted: how long the busiest SM was busy, which
   begins before its blocks do and ends behind them, but not with what they have sent. */
static gboolean add_launch(Validation *validation, const Machine *machine, const Row *row,
			   const char *file, GError **error)
{
	g_auto(ReplayResult) result = {0};
	const Statistics *statistics = &result.run.statistics;

	return replay(machine, file, &result, error) &&
	       add_point(validation, row, "cycles_active", VALIDATE_LAUNCH,
			 launch_busy_cycles(machine, statistics), error) &&
	       add_point(validation, row, "instructions", VALIDATE_INSTRUCTIONS,
			 statistics->warp_instructions, error) &&
	       add_point(validation, row, "shared_conflicts", VALIDATE_CONFLICTS,
			 statistics->shared.conflict_passes, error);
}

static gboolean add_row(Validation *validation, const Machine *machine,
			const LaunchState *state, gboolean is_launch, const Row *row,
			const char *file, GError **error)
{
	const Machine found = machine_in_state(machine, state);

	return (is_launch ? add_launch : add_kernel)(validation, &found, row, file, error);
}

gboolean validate_add_kernels(Validation *validation, const Machine *machine,
			      const CsvTable *table, GError **error)
{
	const char *path = csv_path(table);
	g_autofree char *folder =
		g_str_has_suffix(path, ".csv") ? g_strndup(path, strlen(path) - 4) : NULL;
	gboolean launches = csv_column(table, "cycles_active") >= 0;
	guint trace = 0, program = 0, cycles = 0;

	if (!csv_require(table, "trace", &trace, error) ||
	    !csv_require(table, "program", &program, error) ||
	    !csv_require(table, launches ? "cycles_active" : "cycles", &cycles, error))
		return FALSE;
	for (guint i = 0; i < csv_rows(table); i++) {
		const char *name = csv_cell(table, i, trace);
		g_autofree char *base = g_strconcat(name, ".bin", NULL);
		g_autofree char *file = g_build_filename(folder ? folder : "", base, NULL);
		g_autofree char *pattern =
			g_strconcat(csv_cell(table, i, program), "/", name, NULL);
		const Row row = {table, i, pattern};
		LaunchState state = launch_measured(machine);
		double measured;

		if (!csv_number(table, i, cycles, VALIDATE_LEAST_CYCLES, &measured, error) ||
		    !launch_columns_read(table, i, &state, error))
			return FALSE;
		/* A kernel whose path depends on time is measured, but its trace says little. */
		if (!g_file_test(file, G_FILE_TEST_EXISTS)) {
			validate_pass_over(validation, path, csv_line(table, i),
					   "no trace of that name in the folder next to it");
			continue;
		}
		if (!add_row(validation, machine, &state, launches, &row, file, error))
			return FALSE;
	}
	return TRUE;
}
