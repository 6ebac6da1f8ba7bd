/* SPDX-License-Identifier: MIT */
#include "validate/frame/validate-generated.h"

#include "replay/replay.h"
#include "workloads/workload.h"

typedef struct {
	const char *workload;
	char **settings;
} GeneratedProgram;

void generated_row_runs(MeasuredRow *row, const char *workload, char **settings)
{
	GeneratedProgram *program = g_new(GeneratedProgram, 1);

	*program = (GeneratedProgram){workload, settings};
	row->program = program;
}

static void free_program(MeasuredRow *row)
{
	GeneratedProgram *program = (GeneratedProgram *)row->program;

	if (program == NULL)
		return;
	g_strfreev(program->settings);
	g_free(program);
}

/* A SimulateRow: the cycles of its program. */
static void simulate(const Machine *machine, const char *place, MeasuredRow *row)
{
	const GeneratedProgram *program = row->program;
	const Workload *workload = workload_find(program->workload, &row->error);
	g_autoptr(GBytes) bytes =
		workload ? workload_generate_bytes(workload,
						   (const char *const *)program->settings,
						   &row->error)
			 : NULL;
	g_autoptr(TraceReader) reader =
		bytes ? trace_open_bytes(place, bytes, &row->error) : NULL;
	const Replay replay = {
		.machine = machine, .reader = reader, .name = place, .n_threads = 1};
	g_auto(ReplayResult) result = {0};

	if (reader != NULL && replay_run(&replay, &result, &row->error))
		row->simulated = (double)result.run.statistics.cycles;
	else if (bytes == NULL)
		g_prefix_error(&row->error, "%s: ", place);
}

gboolean generated_rows_add(Validation *validation, const Machine *machine,
			    const CsvTable *table, const char *const *names, guint n_columns,
			    GeneratedReadRow read_row, GError **error)
{
	g_autoptr(GArray) rows = measured_rows_new(table);
	guint columns[GENERATED_MAX_COLUMNS];
	gboolean good;

	g_assert(n_columns <= G_N_ELEMENTS(columns));
	good = csv_require_all(table, names, n_columns, columns, error) &&
	       measured_rows_need_slices(machine, table, error);
	for (guint i = 0; good && i < rows->len; i++)
		good = read_row(table, i, columns, &g_array_index(rows, MeasuredRow, i), error);
	good = good && measured_rows_add(validation, machine, table, rows, simulate, error);
	for (guint i = 0; i < rows->len; i++)
		free_program(&g_array_index(rows, MeasuredRow, i));
	return good;
}
