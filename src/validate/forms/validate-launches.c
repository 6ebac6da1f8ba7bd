/* SPDX-License-Identifier: MIT */
#include "validate/forms/validate-launches.h"

#include <string.h>

#include "base/error.h"
#include "validate/frame/validate-cells.h"
#include "validate/frame/validate-generated.h"

enum { PROGRAM, ARGUMENTS, CYCLES, HELD, N_COLUMNS };

static const char *const names[N_COLUMNS] = {"program", "arguments", "cycles", "held"};

/*
 * A program of traces/kernels, by its first argument, as settings of a workload: $1 is its second argument, and so on.
 * All have data flow, where the workload knows it, and fence at each warp's end, as what
 * takes the clocks does.
 */
typedef struct {
	const char *program, *form; /* NULL: any */
	const char *workload;	    /* NULL: there is none, */
	const char *text;	    /* the settings, or why */
} Form;

#define LOCKS	"locks: locks.csv has them"
#define SEVERAL "several kernels, and the time between them"
#define OTHER	"its kernel reads other words than the workload"
#define FLOW	";dataflow=yes"
#define BINS	"elements=$1;bins=$2;blocks=$3;threads=$4" FLOW
#define SUMS	"elements=$1;blocks=$2;threads=$3" FLOW
#define UPDATE	"points=$1;dimensions=$2;clusters=$3"
#define APPS	"groups=$1;group-threads=$2;lanes=32;aggregated=yes" FLOW

static const Form forms[] = {
	{"bins", "global", "private-histogram", "private=global;" BINS},
	{"bins", "block", "private-histogram", "private=block;" BINS},
	{"bins", "warp", "private-histogram", "private=warp;" BINS},
	{"bins", "aggregated", "private-histogram", "private=global;aggregated=yes;" BINS},
	{"sums", "warp", "shuffle-reduction", "level=warp;" SUMS},
	{"sums", "shared", "shuffle-reduction", "level=warp;exchange=shared;" SUMS},
	{"sums", "block", "shuffle-reduction", "level=block;" SUMS},
	{"sums", "grid", "shuffle-reduction", "level=grid;" SUMS},
	{"sums", NULL, NULL, SEVERAL},
	{"prefix", NULL, NULL, SEVERAL},
	{"update", "gm-atomic", "kmeans-update", "algorithm=gm-atomic;" UPDATE FLOW},
	{"update", "sm-atomic", "kmeans-update",
	 "algorithm=sm-atomic;write-back=all;" UPDATE FLOW},
	{"update", "gm-ct", "kmeans-update", "algorithm=gm-ct;" UPDATE},
	{"update", "gm-dt", "kmeans-update", "algorithm=gm-dt;" UPDATE},
	{"update", "sm-ct", "kmeans-update", "algorithm=sm-ct;" UPDATE},
	{"update", "sm-dt", "kmeans-update", "algorithm=sm-dt;" UPDATE},
	{"update", "kmcuda", "kmeans-update", "algorithm=kmcuda;changed=$5;" UPDATE},
	{"update", NULL, NULL, LOCKS},
	{"apps", "atomic", "apps", "application=copy;part=atomic;" APPS},
	{"apps", "copy", "apps", "application=copy;part=copy;" APPS},
	{"apps", "both", "apps", "application=copy;part=both;" APPS},
	{"apps", "micro1", "apps", "application=micro1;" APPS},
	{"apps", "micro2", "apps", "application=micro2;" APPS},
	{"apps", "scalar", "apps", "application=scalar;" APPS},
	{"apps", "matmul", "apps", "application=matmul;size=$3;" APPS},
	{"apps", NULL, NULL, OTHER},
};

static const Form *find_form(const char *program, const char *form)
{
	for (guint i = 0; i < G_N_ELEMENTS(forms); i++)
		if (strcmp(forms[i].program, program) == 0 &&
		    (forms[i].form == NULL || strcmp(forms[i].form, form) == 0))
			return &forms[i];
	return NULL;
}

/* The form's settings with the arguments in place. g_strfreev; NULL: one is missing. */
static char **settings_of(const Form *form, char **arguments)
{
	g_auto(GStrv) parts = g_strsplit(form->text, ";", -1);
	g_autoptr(GStrvBuilder) settings = g_strv_builder_new();

	for (guint i = 0; parts[i] != NULL; i++) {
		char *place = strchr(parts[i], '$');
		guint number = place ? (guint)g_ascii_digit_value(place[1]) : 0;
		g_autofree char *setting = NULL;

		if (number >= g_strv_length(arguments))
			return NULL;
		if (place != NULL)
			*place = '\0';
		setting = g_strconcat(parts[i], place ? arguments[number] : NULL, NULL);
		g_strv_builder_add(settings, setting);
	}
	g_strv_builder_add(settings, "end=fence");
	return g_strv_builder_end(settings);
}

/* Fills in the row and, where there is a workload, what it runs. */
static gboolean read_row(const CsvTable *table, guint i, const guint *columns, MeasuredRow *row,
			 GError **error)
{
	const char *program = csv_cell(table, i, columns[PROGRAM]);
	const char *cell = csv_cell(table, i, columns[ARGUMENTS]);
	g_auto(GStrv) arguments = g_strsplit(cell, " ", -1);
	const Form *form = find_form(program, arguments[0] ? arguments[0] : "");
	char **settings;
	guint held = 0;

	if (form == NULL) {
		csv_set_cell_error(
			table, i, columns[PROGRAM], error,
			"found '%s'; allowed: bins, sums, prefix, update or apps, programs "
			"of traces/kernels",
			program);
		return FALSE;
	}
	if (!csv_number(table, i, columns[CYCLES], VALIDATE_LEAST_CYCLES, &row->measured,
			error) ||
	    !measured_whole(table, i, columns[HELD], 0, 1, &held, error))
		return FALSE;
	row->held_back = held > 0;
	row->why = form->text;
	if (form->workload == NULL)
		return TRUE;
	settings = settings_of(form, arguments);
	if (settings == NULL) {
		csv_set_cell_error(table, i, columns[ARGUMENTS], error,
				   "found '%s'; allowed: the arguments as "
				   "traces/kernels/global.list has them",
				   cell);
		return FALSE;
	}
	row->operation = VALIDATE_KERNEL;
	row->pattern = g_strdup_printf("%s %s/%s", program, arguments[0],
				       cell + strlen(arguments[0]) + 1);
	generated_row_runs(row, form->workload, settings);
	return TRUE;
}

gboolean validate_is_launches(const CsvTable *table)
{
	return csv_column(table, names[PROGRAM]) >= 0 &&
	       csv_column(table, names[ARGUMENTS]) >= 0 &&
	       csv_column(table, names[CYCLES]) >= 0;
}

gboolean validate_add_launches(Validation *validation, const Machine *machine,
			       const CsvTable *table, GError **error)
{
	return generated_rows_add(validation, machine, table, names, N_COLUMNS, read_row,
				  error);
}
