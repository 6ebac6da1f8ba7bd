/* SPDX-License-Identifier: MIT */
#include "cli/diff-ncu.h"

#include <string.h>

#include "base/input.h"
#include "cli/diff-reports.h"
#include "report/diff.h"
#include "report/ncu.h"

#define MAX_BYTES (1u << 30)

gboolean diff_ncu_is(const char *path)
{
	g_autofree char *text = NULL;
	gsize length;

	return g_file_test(path, G_FILE_TEST_IS_REGULAR) &&
	       input_read(path, MAX_BYTES, "a table of ncu", &text, &length, NULL) &&
	       strlen(text) == length && ncu_is(text);
}

static gboolean append(GString *text, const cJSON *report, const NcuTable *table, guint launch,
		       const char *format, GError **error)
{
	const char *name = cJSON_GetStringValue(diff_item(report, "trace.kernel"));
	g_autoptr(NcuKernel) kernel = ncu_kernel(table, name, launch, error);
	g_autofree char *part = NULL;

	if (kernel == NULL)
		return FALSE;
	if (g_strcmp0(format, "json") == 0)
		part = ncu_diff_json(report, kernel);
	else if (g_strcmp0(format, "csv") == 0)
		part = ncu_diff_csv(report, kernel, text->len == 0);
	else
		part = ncu_diff_text(report, kernel);
	if (text->len > 0 && (format == NULL || strcmp(format, "text") == 0))
		g_string_append_c(text, '\n');
	g_string_append(text, part);
	return TRUE;
}

char *diff_ncu(const char *reports, const char *path, guint launch, const char *format,
	       GError **error)
{
	g_autoptr(GPtrArray) list = diff_reports_read(reports, error);
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(NcuTable) table = NULL;
	g_autofree char *rows = NULL;
	gsize length;

	if (list == NULL ||
	    !input_read(path, MAX_BYTES, "a table of ncu", &rows, &length, error))
		return NULL;
	table = ncu_parse(path, rows, length, error);
	if (table == NULL)
		return NULL;
	for (guint i = 0; i < list->len; i++)
		if (!append(text, g_ptr_array_index(list, i), table, launch, format, error))
			return NULL;
	return g_strdup(text->str);
}
