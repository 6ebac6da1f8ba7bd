/* SPDX-License-Identifier: MIT */
/* What ncu counted of a kernel beside what a report has for it. */
#include "base/json.h"
#include "report/ncu.h"

#include "base/csv-cell.h"
#include "report/diff.h"
#include "report/fields.h"
#include "report/format.h"
#include "report/report.h"

#define WIDTH 80

const Field *ncu_field(const char *counter)
{
	for (guint i = 0; i < n_report_fields; i++)
		if (g_strcmp0(report_fields[i].counter, counter) == 0)
			return &report_fields[i];
	return NULL;
}

typedef struct {
	const Field *field;
	double measured, simulated;
} Row;

/* The counters that both have: of Row. The names of those that one alone has go to the lists. g_array_unref. */
static GArray *rows_of(const cJSON *report, const NcuKernel *kernel, GPtrArray *not_simulated,
		       GPtrArray *not_measured)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(Row));

	for (guint i = 0; i < n_report_fields; i++) {
		const Field *field = &report_fields[i];
		const double *measured =
			field->counter ? g_hash_table_lookup(kernel->counts, field->counter)
				       : NULL;
		const cJSON *item = field->counter ? diff_item(report, field->path) : NULL;
		gboolean simulated = cJSON_IsNumber(item) || cJSON_IsRaw(item);

		if (measured != NULL && simulated) {
			const Row row = {field, *measured, diff_number(report, field->path)};

			g_array_append_val(rows, row);
		} else if (measured != NULL) {
			g_ptr_array_add(not_simulated, (char *)field->counter);
		} else if (simulated) {
			g_ptr_array_add(not_measured, (char *)field->counter);
		}
	}
	for (guint i = 0; i < kernel->others->len; i++)
		g_ptr_array_add(not_simulated, g_ptr_array_index(kernel->others, i));
	return rows;
}

/* Per cent of what was measured; of nothing there is none. */
static gboolean difference(const Row *row, double *percent)
{
	if (row->measured > 0)
		*percent = 100 * (row->simulated / row->measured - 1);
	return row->measured > 0;
}

static char *figure(const Row *row, double value)
{
	return row->field->type == FIELD_NUMBER
		       ? g_strdup_printf("%.2f %s", value, row->field->unit)
		       : format_count_short(value < 0x1p64 ? (uint64_t)value : UINT64_MAX);
}

static void append_row(GString *text, const Row *row)
{
	g_autofree char *measured = figure(row, row->measured);
	g_autofree char *simulated = figure(row, row->simulated);
	double percent = 0;

	g_string_append_printf(text, "%-50s %10s %10s", row->field->counter, measured,
			       simulated);
	if (difference(row, &percent))
		g_string_append_printf(text, " %+6.1f %%", percent);
	g_string_append_c(text, '\n');
}

static void append_names(GString *text, const char *words, const GPtrArray *names)
{
	g_autoptr(GString) list = g_string_new(words);
	g_autofree char *line = NULL;

	for (guint i = 0; i < names->len; i++)
		g_string_append_printf(list, "%s%s", i > 0 ? ", " : "",
				       (char *)g_ptr_array_index(names, i));
	line = format_name(list->str, WIDTH);
	if (names->len > 0)
		g_string_append_printf(text, "%s\n", line);
}

/* "the median of 5 launches" g_free. */
static char *which(const NcuKernel *kernel)
{
	if (kernel->launch > 0)
		return g_strdup_printf("launch %u of %u", kernel->launch, kernel->n);
	return kernel->n > 1 ? g_strdup_printf("median of %u launches", kernel->n)
			     : g_strdup("1 launch");
}

char *ncu_diff_text(const cJSON *report, const NcuKernel *kernel)
{
	g_autoptr(GPtrArray) not_simulated = g_ptr_array_new(),
			     not_measured = g_ptr_array_new();
	g_autoptr(GArray) rows = rows_of(report, kernel, not_simulated, not_measured);
	const char *trace = cJSON_GetStringValue(diff_item(report, "trace.name"));
	g_autofree char *name = format_name(kernel->kernel, 50);
	g_autofree char *simulated = format_path(trace, 50);
	g_autofree char *launches = which(kernel);
	GString *text = g_string_new(NULL);
	g_autoptr(cJSON) object = NULL;

	g_string_append_printf(text, "Measured   %s, %s\nSimulated  %s\n\n", name, launches,
			       simulated);
	g_string_append_printf(text, "%-50s %10s %10s %8s\n", "counter", "measured",
			       "simulated", "differs");
	for (guint i = 0; i < rows->len; i++)
		append_row(text, &g_array_index(rows, Row, i));
	append_names(text, "Not in the report: ", not_simulated);
	append_names(text, "Not measured: ", not_measured);
	object = ncu_diff_object(report, kernel);
	ncu_append_judgement(text, object);
	return g_string_free(text, FALSE);
}

char *ncu_diff_csv(const cJSON *report, const NcuKernel *kernel, gboolean with_header)
{
	g_autoptr(GPtrArray) not_simulated = g_ptr_array_new(),
			     not_measured = g_ptr_array_new();
	g_autoptr(GArray) rows = rows_of(report, kernel, not_simulated, not_measured);
	const char *trace = cJSON_GetStringValue(diff_item(report, "trace.name"));
	GString *text = g_string_new(with_header ? NCU_DIFF_COLUMNS "\n" : NULL);

	for (guint i = 0; i < rows->len; i++) {
		const Row *row = &g_array_index(rows, Row, i);
		double percent = 0;

		csv_append_cell(text, trace ? trace : "");
		g_string_append_printf(text, ",%s,%s,%.10g,%.10g,", row->field->counter,
				       row->field->path, row->measured, row->simulated);
		if (difference(row, &percent))
			g_string_append_printf(text, "%.3f", percent);
		g_string_append_c(text, '\n');
	}
	return g_string_free(text, FALSE);
}

static void add_names(cJSON *object, const char *key, const GPtrArray *names)
{
	cJSON *list = cJSON_AddArrayToObject(object, key);

	for (guint i = 0; i < names->len; i++)
		cJSON_AddItemToArray(list, cJSON_CreateString(g_ptr_array_index(names, i)));
}

/* clang-format off */
static const ShapeRow shape_rows[] = {
	{.path = "trace?", .type = "string", .doc = "of the report"},
	{.path = "kernel", .type = "string", .doc = "as ncu or nsys names it"},
	{.path = "launches", .type = "count", .doc = "of that kernel in the table"},
	{.path = "launch?", .type = "count", .doc = "the one that it is about; left out: figures are medians of all"},
	{.path = "counters", .type = "[object]", .doc = "of ncu that the report has, too"},
	{.path = "counters[].counter", .type = "string", .doc = "its name"},
	{.path = "counters[].key", .type = "string", .doc = "path of the report"},
	{.path = "counters[].measured", .type = "number", .doc = "on the GPU"},
	{.path = "counters[].simulated", .type = "number", .doc = "by the report"},
	{.path = "counters[].difference_percent?", .type = "number", .doc = "of the simulated figure from the measured one, where that is not 0"},
	{.path = "not_in_the_report", .type = "[string]", .doc = "counters that were measured alone"},
	{.path = "not_measured", .type = "[string]", .doc = "counters that the report has alone"},
	{.path = "expected_error?", .type = "object|null", .doc = "of the report, as run has it"},
	{.path = "expected_error.class?", .type = "string|null", .doc = "as run has it"},
	{.path = "expected_error.launches?", .type = "count|null", .doc = "as run has it"},
	{.path = "expected_error.median?", .type = "number|null", .doc = "as run has it"},
	{.path = "expected_error.p90?", .type = "number|null", .doc = "as run has it"},
	{.path = "expected_error.none?", .type = "string|null", .doc = "as run has it"},
	{.path = "within_expected_error", .type = "boolean|null", .doc = "whether the cycles are no further off than the 90th percentile; null where no error is known"},
	{.path = "change?", .type = "object", .doc = "of verify --before: what a change gained"},
	{.path = "change.counter", .type = "string", .doc = "by which"},
	{.path = "change.measured_before", .type = "number", .doc = "before the change"},
	{.path = "change.simulated_before", .type = "number", .doc = "before the change"},
	{.path = "change.measured_gain", .type = "number", .doc = "before over now"},
	{.path = "change.simulated_gain", .type = "number", .doc = "before over now"},
};
/* clang-format on */

const Shape ncu_diff_shape = {
	.name = "verify",
	.version = 1,
	.title = "What atomsim verify --format json says, and atomsim diff of a report and a "
		 "table of ncu",
	.rows = shape_rows,
	.n_rows = G_N_ELEMENTS(shape_rows),
};

cJSON *ncu_diff_object(const cJSON *report, const NcuKernel *kernel)
{
	g_autoptr(GPtrArray) not_simulated = g_ptr_array_new(),
			     not_measured = g_ptr_array_new();
	g_autoptr(GArray) rows = rows_of(report, kernel, not_simulated, not_measured);
	const char *trace = cJSON_GetStringValue(diff_item(report, "trace.name"));
	cJSON *object = shape_object(&ncu_diff_shape), *list;

	if (trace != NULL)
		cJSON_AddStringToObject(object, "trace", trace);
	cJSON_AddStringToObject(object, "kernel", kernel->kernel);
	cJSON_AddNumberToObject(object, "launches", kernel->n);
	if (kernel->launch > 0)
		cJSON_AddNumberToObject(object, "launch", kernel->launch);
	list = cJSON_AddArrayToObject(object, "counters");
	for (guint i = 0; i < rows->len; i++) {
		const Row *row = &g_array_index(rows, Row, i);
		cJSON *item = cJSON_CreateObject();
		double percent = 0;

		cJSON_AddStringToObject(item, "counter", row->field->counter);
		cJSON_AddStringToObject(item, "key", row->field->path);
		cJSON_AddNumberToObject(item, "measured", row->measured);
		cJSON_AddNumberToObject(item, "simulated", row->simulated);
		if (difference(row, &percent))
			cJSON_AddNumberToObject(item, "difference_percent", percent);
		cJSON_AddItemToArray(list, item);
	}
	add_names(object, "not_in_the_report", not_simulated);
	add_names(object, "not_measured", not_measured);
	ncu_add_judgement(object, diff_item(report, "expected_error"));
	return object;
}

char *ncu_diff_json(const cJSON *report, const NcuKernel *kernel)
{
	return report_json_take(ncu_diff_object(report, kernel));
}
