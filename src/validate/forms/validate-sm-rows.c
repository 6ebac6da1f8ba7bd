/* SPDX-License-Identifier: MIT */
#include "validate/forms/validate-sm-rows.h"

#include "base/error.h"

static void simulate(const Machine *machine, const char *place, MeasuredRow *measured)
{
	sm_benchmark(machine, measured->program, place, &measured->simulated, &measured->error);
}

gboolean sm_rows_add(Validation *validation, const Machine *machine, const CsvTable *table,
		     const SmRowForm *form, GError **error)
{
	g_autoptr(GArray) rows = measured_rows_new(table);
	g_autofree char *memory = g_malloc0(MAX(rows->len, 1) * form->row_bytes);
	guint columns[SM_ROW_MAX_COLUMNS];

	g_assert(form->n_columns <= SM_ROW_MAX_COLUMNS);
	if (!csv_require_all(table, form->columns, form->n_columns, columns, error) ||
	    !measured_rows_need_slices(machine, table, error))
		return FALSE;
	if (!sm_benchmark_has_sms(machine)) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_CONFIG,
			    "%s: names SMs by their numbers; allowed: a config whose l2.map "
			    "is a map of all sm.count",
			    csv_path(table));
		return FALSE;
	}
	for (guint i = 0; i < rows->len; i++) {
		MeasuredRow *measured = &g_array_index(rows, MeasuredRow, i);
		SmProgram *program = (SmProgram *)(void *)(memory + i * form->row_bytes);

		if (!form->read(machine, table, i, columns, program, measured, error))
			return FALSE;
		measured->program = program;
		measured->operation = program->operation->name;
	}
	return measured_rows_add(validation, machine, table, rows, simulate, error);
}

gboolean sm_rows_are(const CsvTable *table, const SmRowForm *form)
{
	for (guint c = 0; c < form->n_columns; c++)
		if (csv_column(table, form->columns[c]) < 0)
			return FALSE;
	return TRUE;
}
