/* SPDX-License-Identifier: MIT */
/*
 * Rows of measurements/h200/issue and others like them as little programs. A figure is what the program takes longer than
 * without what is timed.
 */
#include "validate/forms/validate-issue.h"

#include "validate/forms/issue-form.h"

static const IssueForm *form_of(const CsvTable *table)
{
	const IssueForm *const lists[] = {issue_forms_blocks, issue_forms_loads,
					  issue_forms_bursts, issue_forms_latencies,
					  issue_forms_ends,   issue_forms_lines,
					  issue_forms_fences};
	const guint lengths[] = {issue_n_forms_blocks, issue_n_forms_loads,
				 issue_n_forms_bursts, issue_n_forms_latencies,
				 issue_n_forms_ends,   issue_n_forms_lines,
				 issue_n_forms_fences};

	for (guint l = 0; l < G_N_ELEMENTS(lists); l++) {
		for (guint f = 0; f < lengths[l]; f++) {
			const IssueForm *form = &lists[l][f];
			guint n = 0;

			while (n < form->n_columns && csv_column(table, form->columns[n]) >= 0)
				n++;
			if (n == form->n_columns)
				return form;
		}
	}
	return NULL;
}

gboolean validate_is_issue(const CsvTable *table)
{
	return form_of(table) != NULL;
}

/* What `simulate` is given: a row and how to run it. */
typedef struct {
	const IssueForm *form;
	gconstpointer row;
} Job;

/* Cycles of one copy of what is timed; negative: it failed. */
static double difference(const IssueForm *form, gconstpointer row, const Machine *machine,
			 const char *place, GError **error)
{
	const double copies = form->copies ? form->copies(row) : 1;
	double without, with;

	without = issue_program_run(form->program(row, FALSE), machine, form->until_end, place,
				    error);
	if (without < 0)
		return -1;
	with = issue_program_run(form->program(row, TRUE), machine, form->until_end, place,
				 error);
	return with < 0 ? -1 : MAX(with - without, 0) / copies;
}

static void simulate(const Machine *machine, const char *place, MeasuredRow *measured)
{
	const Job *job = measured->program;
	const IssueForm *form = job->form;
	Machine own = *machine;
	double cycles = 0, around = 0;

	if (form->one_sm)
		own.sm.count = 1;
	if (form->reference) {
		gconstpointer reference = form->reference(job->row, &cycles);

		around = difference(form, reference, &own, place, &measured->error);
		if (around < 0)
			return;
		around = cycles - around;
	}
	cycles = difference(form, job->row, &own, place, &measured->error);
	if (cycles >= 0)
		measured->simulated = around + cycles;
}

gboolean validate_add_issue(Validation *validation, const Machine *machine,
			    const CsvTable *table, GError **error)
{
	const IssueForm *form = form_of(table);
	g_autoptr(GArray) rows = measured_rows_new(table);
	g_autofree Job *jobs = g_new0(Job, MAX(rows->len, 1));
	g_autofree char *memory = NULL;
	guint columns[ISSUE_MAX_COLUMNS];

	g_assert(form);
	memory = g_malloc0(MAX(rows->len, 1) * form->row_bytes);
	if ((form->on_memory_side && !measured_rows_need_slices(machine, table, error)) ||
	    !csv_require_all(table, form->columns, form->n_columns, columns, error))
		return FALSE;
	for (guint i = 0; i < rows->len; i++) {
		MeasuredRow *measured = &g_array_index(rows, MeasuredRow, i);
		gpointer row = memory + i * form->row_bytes;

		jobs[i] = (Job){form, row};
		measured->program = &jobs[i];
		if (!form->read(table, i, columns, row, measured, error))
			return FALSE;
		if (!measured->why)
			measured->operation = form->operation;
	}
	return measured_rows_add(validation, machine, table, rows, simulate, error);
}
