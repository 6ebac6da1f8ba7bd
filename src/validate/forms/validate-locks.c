/* SPDX-License-Identifier: MIT */
#include "validate/forms/validate-locks.h"

#include "validate/frame/validate-cells.h"
#include "validate/frame/validate-generated.h"

#define MAX_POINTS     (1u << 24)
#define MAX_DIMENSIONS 8192
#define MAX_CLUSTERS   65536

enum { KERNEL, POINTS, DIMENSIONS, CLUSTERS, CYCLES, N_COLUMNS };

static const char *const names[N_COLUMNS] = {"kernel", "n", "d", "k", "cycles"};

/* What a block may have on an H200: the sums of all clusters lie in shared memory at once, where they fit. */
#define SHARED_BYTES "232448"

/* The measured program as the workload's settings: blocks of 1,024 threads, all of which write back, two fences of the device
   under each lock in global memory, of the block in shared memory, one at each warp's end, and the code as
   traces/kernels/update.cu is compiled (docs/how-right.md, "Locks", tells why). */
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
	settings = g_new0(char *, 10);
	settings[0] = g_strconcat("algorithm=", csv_cell(table, row, columns[KERNEL]), NULL);
	settings[1] = g_strdup_printf("points=%u", number[POINTS]);
	settings[2] = g_strdup_printf("dimensions=%u", number[DIMENSIONS]);
	settings[3] = g_strdup_printf("clusters=%u", number[CLUSTERS]);
	settings[4] = g_strdup("write-back=all");
	settings[5] = g_strdup("fences=two");
	settings[6] = g_strdup("dataflow=yes");
	settings[7] = g_strdup("shared-bytes=" SHARED_BYTES);
	settings[8] = g_strdup("end=fence");
	return settings;
}

static gboolean read_row(const CsvTable *table, guint i, const guint *columns, MeasuredRow *row,
			 GError **error)
{
	char **settings = settings_of(table, i, columns, error);

	if (settings == NULL)
		return FALSE;
	generated_row_runs(row, "kmeans-update", settings);
	if (!csv_number(table, i, columns[CYCLES], VALIDATE_LEAST_CYCLES, &row->measured,
			error))
		return FALSE;
	row->operation = VALIDATE_KERNEL;
	row->pattern = g_strdup_printf("n %s d %s k %s/%s", csv_cell(table, i, columns[POINTS]),
				       csv_cell(table, i, columns[DIMENSIONS]),
				       csv_cell(table, i, columns[CLUSTERS]),
				       csv_cell(table, i, columns[KERNEL]));
	return TRUE;
}

gboolean validate_add_locks(Validation *validation, const Machine *machine,
			    const CsvTable *table, GError **error)
{
	return generated_rows_add(validation, machine, table, names, N_COLUMNS, read_row,
				  error);
}
