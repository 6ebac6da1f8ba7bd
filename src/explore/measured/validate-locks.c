/* SPDX-License-Identifier: MIT */
#include "explore/measured/validate-locks.h"

#include "explore/measured/validate-cells.h"
#include "explore/measured/validate-rows.h"
#include "replay/replay.h"
#include "workloads/workload.h"

#define MAX_POINTS     (1u << 24)
#define MAX_DIMENSIONS 8192
#define MAX_CLUSTERS   65536

enum { KERNEL, POINTS, DIMENSIONS, CLUSTERS, CYCLES, N_COLUMNS };

static const char *const names[N_COLUMNS] = {"kernel", "n", "d", "k", "cycles"};

/* The measured program as the workload's settings: blocks of 1,024 threads, all of which write back, two fences of the device
   under each lock and the code as traces/kernels/update.cu is compiled (docs/how-right.md, "Locks", tells why). */
static char **settings_of(const CsvTable *table, guint row, const guint *columns,
			  GError **error)
{
	static const guint max[N_COLUMNS] = {[POINTS] = MAX_POINTS,
					     [DIMENSIONS] = MAX_DIMENSIONS,
					     [CLUSTERS] = MAX_CLUSTERS};
	guint number[N_COLUMNS];
	char **settings;

	for (guint c = POINTS; c <= CLUSTERS; c++)
		if (!measured_whole(table, row, columns[c], 1, max[c], &number[c], error))
			return NULL;
	settings = g_new0(char *, 8);
	settings[0] = g_strconcat("algorithm=", csv_cell(table, row, columns[KERNEL]), NULL);
	settings[1] = g_strdup_printf("points=%u", number[POINTS]);
	settings[2] = g_strdup_printf("dimensions=%u", number[DIMENSIONS]);
	settings[3] = g_strdup_printf("clusters=%u", number[CLUSTERS]);
	settings[4] = g_strdup("write-back=all");
	settings[5] = g_strdup("fences=device");
	settings[6] = g_strdup("dataflow=yes");
	return settings;
}

static void simulate(const Machine *machine, const char *place, MeasuredRow *row)
{
	const Workload *workload = workload_find("kmeans-update", &row->error);
	g_autoptr(GBytes) bytes =
		workload ? workload_generate_bytes(workload, (const char *const *)row->program,
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

gboolean validate_add_locks(Validation *validation, const Machine *machine,
			    const CsvTable *table, GError **error)
{
	g_autoptr(GArray) rows = measured_rows_new(table);
	g_autoptr(GPtrArray) programs =
		g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	guint columns[N_COLUMNS];

	if (!csv_require_all(table, names, N_COLUMNS, columns, error) ||
	    !measured_rows_need_slices(machine, table, error))
		return FALSE;
	for (guint i = 0; i < rows->len; i++) {
		MeasuredRow *row = &g_array_index(rows, MeasuredRow, i);
		char **settings = settings_of(table, i, columns, error);

		if (settings == NULL)
			return FALSE;
		g_ptr_array_add(programs, settings);
		if (!csv_number(table, i, columns[CYCLES], VALIDATE_LEAST_CYCLES,
				&row->measured, error))
			return FALSE;
		row->program = settings;
		row->operation = VALIDATE_KERNEL;
		row->pattern = g_strdup_printf("n %s d %s k %s/%s",
					       csv_cell(table, i, columns[POINTS]),
					       csv_cell(table, i, columns[DIMENSIONS]),
					       csv_cell(table, i, columns[CLUSTERS]),
					       csv_cell(table, i, columns[KERNEL]));
	}
	return measured_rows_add(validation, machine, table, rows, simulate, error);
}
