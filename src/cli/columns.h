/* SPDX-License-Identifier: MIT */
/* --columns of commands that write CSV. Who may include it: commands. */
#ifndef ATOMSIM_CLI_COLUMNS_H
#define ATOMSIM_CLI_COLUMNS_H

#include "base/csv-columns.h"

/* A row of a command's GOptionEntry table. */
#define OPTION_COLUMNS(where)                                                                  \
	{                                                                                      \
		"columns", 0, 0, G_OPTION_ARG_STRING, where,                                   \
			"Of CSV: these columns alone, in this order", "NAME[,NAME]..."         \
	}

/*
 * What --columns says; words NULL: nothing, and *columns is NULL. header: the names that such a table can have, parted by commas.
 * Before cli_check_output: a file `output` (NULL: none) that is such a table with other columns may then be overwritten.
 * Errors: ATOMSIM_ERROR_USAGE, also where no CSV is written.
 */
gboolean cli_columns(const char *words, gboolean is_csv, const char *header, const char *output,
		     CsvColumns **columns, GError **error);

/* csv_columns_take of a text; takes `text`, which may be NULL. g_free. */
char *cli_columns_of(CsvColumns *columns, char *text);

#endif
