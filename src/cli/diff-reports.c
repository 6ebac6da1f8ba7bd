/* SPDX-License-Identifier: MIT */
#include "cli/diff-reports.h"

#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/input.h"
#include "base/json.h"
#include "explore/sweep/seal.h"
#include "report/diff.h"

#define MAX_REPORT_BYTES (UINT64_C(1) << 30)

static void report_delete(gpointer report)
{
	cJSON_Delete(report);
}

GPtrArray *diff_reports_new(void)
{
	return g_ptr_array_new_with_free_func(report_delete);
}

/* That a line of a sweep is as it was written. */
static gboolean check_seal(const cJSON *report, const char *place, const char *line,
			   GError **error)
{
	g_autofree char *whole = g_strconcat(line, "\n", NULL);

	return cJSON_GetObjectItemCaseSensitive(report, SEAL_MEMBER) == NULL ||
	       seal_is_right(whole, strlen(whole)) ||
	       atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			    "%s: not as a sweep wrote it: it does not have its checksum, the "
			    "\"" SEAL_MEMBER "\" at its end; allowed: the line as it was",
			    place);
}

/* A line of the file. NULL and *error if it is no report. */
static cJSON *read_report(const char *path, guint number, const char *line, GError **error)
{
	g_autofree char *place = g_strdup_printf("%s:%u", path, number);
	cJSON *report = json_parse(line);

	if (diff_renew(report, place, error) && diff_check(report, place, error) &&
	    check_seal(report, place, line, error))
		return report;
	cJSON_Delete(report);
	return NULL;
}

GPtrArray *diff_reports_parse(const char *path, const char *text, gsize length, GError **error)
{
	g_autoptr(GPtrArray) reports = diff_reports_new();
	g_auto(GStrv) lines = NULL;

	/* What follows a NUL would be left out of the comparison. */
	if (strlen(text) < length) {
		atomsim_fail(error, ATOMSIM_ERROR_INPUT, "%s: byte %zu is NUL; allowed: text",
			     path, strlen(text));
		return NULL;
	}
	lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; lines[i] != NULL; i++) {
		cJSON *report = NULL;

		if (*lines[i] == '\0')
			continue;
		report = read_report(path, i + 1, lines[i], error);
		if (report == NULL)
			return NULL;
		g_ptr_array_add(reports, report);
	}
	return g_steal_pointer(&reports);
}

GPtrArray *diff_reports_read(const char *path, GError **error)
{
	g_autofree char *text = NULL;
	gsize length;

	if (!input_read(path, MAX_REPORT_BYTES, "reports", &text, &length, error))
		return NULL;
	return diff_reports_parse(path, text, length, error);
}
