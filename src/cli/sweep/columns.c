/* SPDX-License-Identifier: MIT */
/* --columns of sweeps: which there are, and the table with those that were chosen. */
#include <string.h>

#include "base/csv-columns.h"
#include "base/json.h"
#include "base/output.h"
#include "cli/columns.h"
#include "cli/sweep/sweep.h"
#include "explore/sweep/results.h"
#include "explore/sweep/seal.h"
#include "report/report.h"

/* The header of the table of such lines. Takes `line`. g_free. */
static char *header_of(cJSON *line)
{
	g_autoptr(GString) text = g_string_new(NULL);

	cJSON_DeleteItemFromObjectCaseSensitive(line, SEAL_SWEEP);
	cJSON_DeleteItemFromObjectCaseSensitive(line, SEAL_MEMBER);
	sweep_row(text, line, TRUE);
	cJSON_Delete(line);
	return g_strndup(text->str, strcspn(text->str, "\n"));
}

char *sweep_columns(const Sweep *sweep)
{
	g_autofree SimResult *result = g_new0(SimResult, 1);
	/* Of a point that did nothing. */
	const SweepPoint point = {.sweep = sweep,
				  .input = g_ptr_array_index(sweep->inputs, 0),
				  .config = sweep->config,
				  .result = result};

	return header_of(sweep_result(&point));
}

char *sweep_columns_found(const char *folder)
{
	g_autofree char *path = g_build_filename(folder, SWEEP_RESULTS, NULL);
	g_autofree char *text = NULL;
	cJSON *line = NULL;

	if (g_file_test(path, G_FILE_TEST_IS_REGULAR) &&
	    g_file_get_contents(path, &text, NULL, NULL)) {
		text[strcspn(text, "\n")] = '\0';
		line = json_parse(text);
	}
	/* What is wrong with it is for others to say. */
	return line != NULL ? header_of(line) : g_strdup("point,status,problem");
}

gboolean sweep_choose_columns(const char *words, const char *header, gboolean is_csv,
			      const char *folder, CsvColumns **columns, GError **error)
{
	g_autofree char *table = folder ? g_build_filename(folder, SWEEP_TABLE, NULL) : NULL;
	g_autofree char *any = report_csv_columns();
	g_autofree char *all = g_strconcat("point,status,problem,varied.*,", any, NULL);

	return cli_columns(NULL, is_csv, all, table, columns, error) &&
	       cli_columns(words, is_csv, header, NULL, columns, error);
}

gboolean sweep_narrow(const char *folder, CsvColumns *columns, GError **error)
{
	static const OutputKind kind = {"the table of a sweep", {"point,status,"}};
	g_autofree char *path = g_build_filename(folder, SWEEP_TABLE, NULL);
	g_autofree char *text = NULL;

	if (columns == NULL)
		return TRUE;
	if (!g_file_get_contents(path, &text, NULL, error))
		return FALSE;
	text = cli_columns_of(columns, g_steal_pointer(&text));
	return output_write_file(path, &kind, text, strlen(text), error);
}
