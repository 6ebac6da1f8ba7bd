/* SPDX-License-Identifier: MIT */
/* Files of measured points: which shape they have, and each row simulated. */
#include "validate/frame/validate.h"

#include "base/error.h"
#include "validate/frame/form.h"
#include "validate/forms/validate-blocks.h"
#include "validate/frame/launch-columns.h"
#include "validate/frame/validate-cells.h"
#include "validate/forms/validate-global.h"
#include "validate/forms/validate-kernel.h"
#include "validate/frame/validate-metric.h"
#include "validate/forms/validate-patterns.h"
#include "validate/forms/validate-shares.h"

typedef enum {
	SHAPE_ATOMICS,
	SHAPE_CHAINS,
	SHAPE_CASES,
	SHAPE_REPEATS,
	SHAPE_GLOBAL,
	SHAPE_KERNELS,
	SHAPE_METRICS,
	SHAPE_PATTERNS,
	SHAPE_SHARES,
} Shape;

struct MeasuredFile {
	CsvTable *table;
	FormTable *forms; /* NULL: its shape says what its rows are */
	Shape shape;
	GHashTable *patterns; /* that the rows of cases and of repeats name */
};

/* What the row calls its pattern, family before a slash, or its line in a file without such a
   column. */
static char *pattern_of(const CsvTable *table, guint row)
{
	int column = csv_column(table, "pattern");

	return column >= 0 ? g_strdup(csv_cell(table, row, (guint)column))
			   : g_strdup_printf("-/line %u", csv_line(table, row));
}

/* --- One atomic of one warp --- */

static gboolean add_atomics(Validation *validation, const Machine *machine,
			    const CsvTable *table, GError **error)
{
	guint cycles = 0, addresses = 0;

	if (!csv_require(table, "cycles", &cycles, error) ||
	    !csv_require(table, "addresses", &addresses, error))
		return FALSE;
	for (guint row = 0; row < csv_rows(table); row++) {
		g_autofree char *place = measured_place(table, row);
		g_autofree char *pattern = pattern_of(table, row);
		double measured, simulated;
		Lanes lanes;

		if (!csv_number(table, row, cycles, VALIDATE_LEAST_CYCLES, &measured, error) ||
		    !measured_addresses(table, row, addresses, &lanes, error) ||
		    !benchmark_atomic(machine, &lanes, place, &simulated, error))
			return FALSE;
		validate_point_add(validation, csv_path(table), csv_line(table, row), "atomic",
				   pattern, measured, simulated);
	}
	return TRUE;
}

/* --- Chains of one warp --- */

static gboolean add_chains(Validation *validation, const Machine *machine,
			   const CsvTable *table, GError **error)
{
	guint addresses = 0;

	if (!csv_require(table, "addresses", &addresses, error))
		return FALSE;
	for (guint row = 0; row < csv_rows(table); row++) {
		g_autofree char *place = measured_place(table, row);
		g_autofree char *pattern = pattern_of(table, row);
		Lanes lanes;

		if (!measured_addresses(table, row, addresses, &lanes, error))
			return FALSE;
		for (const BenchmarkOperation *o = benchmark_operations; o->name; o++) {
			int column = csv_column(table, o->name);
			double measured, simulated;

			if (column < 0)
				continue;
			if (!csv_number(table, row, (guint)column, VALIDATE_LEAST_CYCLES,
					&measured, error) ||
			    !benchmark_chain(machine, o, &lanes, place, &simulated, error))
				return FALSE;
			validate_point_add(validation, csv_path(table), csv_line(table, row),
					   o->name, pattern, measured, simulated);
		}
	}
	return TRUE;
}

static gboolean has_chains(const CsvTable *table)
{
	for (const BenchmarkOperation *o = benchmark_operations; o->name; o++)
		if (csv_column(table, o->name) >= 0)
			return TRUE;
	return FALSE;
}

/* --- Files --- */

static Shape shape_of(const CsvTable *table)
{
	if (csv_column(table, "metric") >= 0)
		return SHAPE_METRICS;
	if (csv_column(table, "trace") >= 0)
		return SHAPE_KERNELS;
	if (csv_column(table, "case") >= 0 && csv_column(table, "distribution") >= 0)
		return SHAPE_CASES;
	if (csv_column(table, "atomics_per_thread") >= 0)
		return SHAPE_GLOBAL;
	if (validate_is_patterns(table))
		return SHAPE_PATTERNS;
	if (validate_is_shares(table))
		return SHAPE_SHARES;
	if (csv_column(table, "iterations") >= 0)
		return SHAPE_REPEATS;
	return csv_column(table, "cycles") < 0 && has_chains(table) ? SHAPE_CHAINS
								    : SHAPE_ATOMICS;
}

/* Of what shape_of finds nothing else, single atomics need a column of theirs at least. */
static gboolean has_a_shape(const CsvTable *table)
{
	return shape_of(table) != SHAPE_ATOMICS || csv_column(table, "addresses") >= 0 ||
	       (csv_column(table, "pattern") >= 0 && csv_column(table, "cycles") >= 0);
}

/* Whether rows are replayed in the state that a column says. */
static gboolean takes_launch(Shape shape)
{
	switch (shape) {
	case SHAPE_ATOMICS:
	case SHAPE_CHAINS:
	case SHAPE_CASES:
	case SHAPE_REPEATS:
	case SHAPE_METRICS:
		return FALSE;
	default:
		return TRUE;
	}
}

MeasuredFile *measured_file_read(const char *path, GError **error)
{
	g_autoptr(MeasuredFile) file = g_new0(MeasuredFile, 1);

	file->table = csv_read(path, error);
	if (file->table == NULL)
		return NULL;
	if (csv_column(file->table, "form") >= 0) {
		file->forms = form_table_read(file->table, error);
		return file->forms ? g_steal_pointer(&file) : NULL;
	}
	if (!has_a_shape(file->table)) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT,
			    "%s:1: no replay for a file with these columns; allowed: "
			    "a column form (docs/trace-text.md), cycles and addresses, a "
			    "trace's name, or those of a file of "
			    "measurements that docs/how-right.md names",
			    path);
		return NULL;
	}
	file->shape = shape_of(file->table);
	if (launch_columns_are(file->table) && !takes_launch(file->shape)) {
		g_set_error(
			error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT,
			"%s:1: found columns launch.*; allowed: in files of kernels, launches, "
			"loads and forms",
			path);
		return NULL;
	}
	if (file->shape == SHAPE_CASES)
		file->patterns = validate_case_patterns(file->table, error);
	else if (file->shape == SHAPE_REPEATS)
		file->patterns = validate_named_patterns(file->table, error);
	else
		return g_steal_pointer(&file);
	return file->patterns != NULL ? g_steal_pointer(&file) : NULL;
}

void measured_file_free(MeasuredFile *file)
{
	g_clear_pointer(&file->forms, form_table_free);
	g_clear_pointer(&file->table, csv_free);
	g_clear_pointer(&file->patterns, g_hash_table_unref);
	g_free(file);
}

const char *measured_file_path(const MeasuredFile *file)
{
	return csv_path(file->table);
}

gboolean validate_add(Validation *validation, const Machine *machine, const MeasuredFile *file,
		      GError **error)
{
	if (file->forms != NULL)
		return form_table_add(validation, machine, file->table, file->forms, error);
	switch (file->shape) {
	case SHAPE_KERNELS:
		return validate_add_kernels(validation, machine, file->table, error);
	case SHAPE_METRICS:
		return validate_add_metrics(validation, machine, file->table, error);
	case SHAPE_CASES:
		return validate_add_cases(validation, machine, file->table, file->patterns,
					  error);
	case SHAPE_REPEATS:
		return validate_add_repeats(validation, machine, file->table, file->patterns,
					    error);
	case SHAPE_GLOBAL:
		return validate_add_global(validation, machine, file->table, error);
	case SHAPE_PATTERNS:
		return validate_add_patterns(validation, machine, file->table, error);
	case SHAPE_SHARES:
		return validate_add_shares(validation, machine, file->table, error);
	case SHAPE_CHAINS:
		return add_chains(validation, machine, file->table, error);
	case SHAPE_ATOMICS:
		break;
	}
	return add_atomics(validation, machine, file->table, error);
}

gboolean validate_add_file(Validation *validation, const Machine *machine, const char *path,
			   GError **error)
{
	g_autoptr(MeasuredFile) file = measured_file_read(path, error);

	return file != NULL && validate_add(validation, machine, file, error);
}
