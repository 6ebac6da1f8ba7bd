/* SPDX-License-Identifier: MIT */
#include "explore/measured/validate-kernel.h"

#include "replay/replay.h"

/* The block's cycles: replayed alone on its SM, as it was measured. */
static gboolean replay(const Machine *machine, const char *path, double *cycles, GError **error)
{
	g_autoptr(TraceReader) reader = trace_open(path, error);
	const Replay replay = {.machine = machine, .reader = reader, .n_threads = 1};
	g_auto(ReplayResult) result = {0};

	if (reader == NULL || !replay_run(&replay, &result, error))
		return FALSE;
	*cycles = (double)result.run.statistics.cycles;
	return TRUE;
}

gboolean validate_add_kernels(GPtrArray *points, const Machine *machine, const CsvTable *table,
			      GError **error)
{
	const char *path = csv_path(table);
	g_autofree char *folder =
		g_str_has_suffix(path, ".csv") ? g_strndup(path, strlen(path) - 4) : NULL;
	guint trace = 0, program = 0, cycles = 0;

	if (!csv_require(table, "trace", &trace, error) ||
	    !csv_require(table, "program", &program, error) ||
	    !csv_require(table, "cycles", &cycles, error))
		return FALSE;
	for (guint row = 0; row < csv_rows(table); row++) {
		const char *name = csv_cell(table, row, trace);
		g_autofree char *base = g_strconcat(name, ".bin", NULL);
		g_autofree char *file = g_build_filename(folder ? folder : "", base, NULL);
		g_autofree char *pattern =
			g_strconcat(csv_cell(table, row, program), "/", name, NULL);
		double measured, simulated;

		if (!csv_number(table, row, cycles, VALIDATE_LEAST_CYCLES, &measured, error))
			return FALSE;
		/* A kernel whose path depends on time is measured, but its trace says little. */
		if (!g_file_test(file, G_FILE_TEST_EXISTS))
			continue;
		if (!replay(machine, file, &simulated, error))
			return FALSE;
		validate_point_add(points, path, csv_line(table, row), VALIDATE_KERNEL, pattern,
				   measured, simulated);
	}
	return TRUE;
}
