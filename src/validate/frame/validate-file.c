/* SPDX-License-Identifier: MIT */
/* Files of measured points: which shape they have, and each row simulated. */
#include "validate/frame/validate.h"

#include "base/error.h"
#include "validate/frame/form.h"
#include "validate/frame/validate-rows.h"

typedef enum { SHAPE_FORM, SHAPE_KERNELS, SHAPE_METRICS } Shape;

struct MeasuredFile {
	CsvTable *table;
	Shape shape;
	FormTable *forms; /* SHAPE_FORM */
};

#define USUAL_FORM "atomic" /* of files that name none: a single atomic each row */

static Shape shape_of(const CsvTable *table)
{
	if (csv_column(table, "form") >= 0)
		return SHAPE_FORM;
	return csv_column(table, "metric") >= 0	 ? SHAPE_METRICS
	       : csv_column(table, "trace") >= 0 ? SHAPE_KERNELS
						 : SHAPE_FORM;
}

/* A file without a form that is nothing else needs a column of single atomics at least. */
static gboolean has_a_form(const CsvTable *table)
{
	return csv_column(table, "form") >= 0 || csv_column(table, "addresses") >= 0 ||
	       (csv_column(table, "pattern") >= 0 && csv_column(table, "cycles") >= 0);
}

MeasuredFile *measured_file_read(const char *path, GError **error)
{
	g_autoptr(MeasuredFile) file = g_new0(MeasuredFile, 1);

	file->table = csv_read(path, error);
	if (file->table == NULL)
		return NULL;
	file->shape = shape_of(file->table);
	if (file->shape == SHAPE_FORM && !has_a_form(file->table)) {
		atomsim_fail(
			error, ATOMSIM_ERROR_INPUT,
			"%s:1: no replay for a file with these columns; allowed: "
			"a column form (docs/reference/trace-text.md), cycles and addresses, a "
			"trace's name, or metric",
			path);
		return NULL;
	}
	if (file->shape == SHAPE_METRICS && launch_columns_are(file->table)) {
		atomsim_fail(
			error, ATOMSIM_ERROR_INPUT,
			"%s:1: found columns launch.*; allowed: in files of kernels, launches "
			"and forms",
			path);
		return NULL;
	}
	if (file->shape == SHAPE_FORM)
		file->forms = form_table_read(file->table, USUAL_FORM, error);
	return file->shape != SHAPE_FORM || file->forms ? g_steal_pointer(&file) : NULL;
}

void measured_file_free(MeasuredFile *file)
{
	g_clear_pointer(&file->forms, form_table_free);
	g_clear_pointer(&file->table, csv_free);
	g_free(file);
}

const char *measured_file_path(const MeasuredFile *file)
{
	return csv_path(file->table);
}

guint measured_file_rows(const MeasuredFile *file, gboolean sampled)
{
	guint n = 0;

	for (guint i = 0; i < csv_rows(file->table); i++)
		n += !sampled || file->shape != SHAPE_FORM || sample_has(file->table, i);
	return n;
}

gboolean validate_add(Validation *validation, const Machine *machine, const MeasuredFile *file,
		      GError **error)
{
	switch (file->shape) {
	case SHAPE_KERNELS:
		return validate_add_kernels(validation, machine, file->table, error);
	case SHAPE_METRICS:
		return validate_add_metrics(validation, machine, file->table, error);
	case SHAPE_FORM:
		break;
	}
	return form_table_add(validation, machine, file->table, file->forms, error);
}

gboolean validate_add_file(Validation *validation, const Machine *machine, const char *path,
			   GError **error)
{
	g_autoptr(MeasuredFile) file = measured_file_read(path, error);

	return file != NULL && validate_add(validation, machine, file, error);
}
