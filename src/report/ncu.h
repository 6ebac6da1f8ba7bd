/* SPDX-License-Identifier: MIT */
/*
 * Tables of Nsight Compute: what `ncu --csv` prints, as its page `raw` (a column for each counter, units in a row of their own) or
 * in the long form ("Metric Name", "Metric Value"), with other lines about it. Who may include it: report and cli.
 */
#ifndef ATOMSIM_REPORT_NCU_H
#define ATOMSIM_REPORT_NCU_H

#include <glib.h>
#include <cjson/cJSON.h>

#include "base/json-shape.h"

typedef struct NcuTable NcuTable;

/* Whether a text has the header of such a table. */
gboolean ncu_is(const char *text);

/* Errors: ATOMSIM_ERROR_INPUT, with file and line. */
NcuTable *ncu_parse(const char *path, const char *text, gsize length, GError **error);
void ncu_free(NcuTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(NcuTable, ncu_free)

/* The field of reports that is compared with a counter; NULL: there is none. */
const struct Field *ncu_field(const char *counter);

/* A kernel's name without parameters, templates and namespaces: "f" of "void at::native::(anonymous namespace)::f<int>(float *)".
   g_free. */
char *ncu_short_name(const char *name);

/* What was counted of one kernel's launches. */
typedef struct {
	char *kernel;	 /* as the table has it */
	guint n, launch; /* so many launches; of them this one, from 1; 0: the median of all */
	GHashTable *
		counts; /* counter that reports have -> double *: of gpu__time in us, else in units of one */
	GPtrArray *others; /* names of other counters */
} NcuKernel;

void ncu_kernel_free(NcuKernel *kernel);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(NcuKernel, ncu_kernel_free)

/* Those of a kernel, its parameters, templates and namespaces left aside; NULL: the only one there is. launch: from 1, or 0 for each
   counter's median, of two in the middle the lower. Errors: ATOMSIM_ERROR_INPUT. */
NcuKernel *ncu_kernel(const NcuTable *table, const char *name, guint launch, GError **error);

/* --- Beside a report, which diff_check found good (ncu-diff.c) --- */

/* For people. g_free. */
char *ncu_diff_text(const cJSON *report, const NcuKernel *kernel);
#define NCU_DIFF_COLUMNS "trace,counter,key,measured,simulated,difference_percent"
/* A row for each counter that both have, the header first if asked for. g_free. */
char *ncu_diff_csv(const cJSON *report, const NcuKernel *kernel, gboolean with_header);
extern const Shape ncu_diff_shape;
/* For programs: the trace's name, the kernel, the counters that both have, those that one alone has, the report's expected error, and
   whether the measurement is within it. cJSON_Delete. */
cJSON *ncu_diff_object(const cJSON *report, const NcuKernel *kernel);
/* The same on a line. g_free. */
char *ncu_diff_json(const cJSON *report, const NcuKernel *kernel);

/* --- Judged, from such an object (ncu-judge.c) --- */

/* By how many per cent of what was measured the simulation is off: of the counter that a report's expected error is of, or where one of
   both has not that, of the time. FALSE: neither has both. *counter: which. */
gboolean ncu_off(const cJSON *object, const char **counter, double *percent);
/* Whether the counter of the expected error is within its 90th percentile; NULL: what there is does not say, and *why does. */
const cJSON *ncu_within(const cJSON *object, char **why);
/* Adds the expected error of a report (NULL: an old one that has none), and whether the measurement is within it. */
void ncu_add_judgement(cJSON *object, const cJSON *expected_error);
void ncu_append_judgement(GString *text, const cJSON *object);

/* How many times faster a change has made it, as measured and as simulated: two such objects. FALSE: no counter is in both. */
gboolean ncu_add_change(cJSON *object, const cJSON *before);
void ncu_append_change(GString *text, const cJSON *object);

#endif
