/* SPDX-License-Identifier: MIT */
#include "cli/columns.h"

#include "base/error.h"
#include "base/overwrite.h"
#include "cli/cli.h"

gboolean cli_columns(const char *words, gboolean is_csv, const char *header, const char *output,
		     CsvColumns **columns, GError **error)
{
	g_auto(GStrv) known = g_strsplit(header, ",", -1);

	if (is_csv && !cli_is_stdout(output) &&
	    csv_columns_are_of(output, (const char *const *)known))
		overwrite_allow(output);
	if (words == NULL)
		return TRUE;
	if (!is_csv)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--columns is for tables; allowed: with --format csv");
	*columns = csv_columns_new(words, (const char *const *)known, error);
	return *columns != NULL;
}

char *cli_columns_of(CsvColumns *columns, char *text)
{
	GString *chosen;

	if (columns == NULL || text == NULL)
		return text;
	chosen = g_string_new(text);
	g_free(text);
	csv_columns_take(columns, chosen);
	return g_string_free(chosen, FALSE);
}
