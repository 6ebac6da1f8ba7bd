/* SPDX-License-Identifier: MIT */
/* The value that a line of derive.csv says, or why it says none. */
#include "validate/frame/derive-internal.h"

#include <string.h>

#define AGREE_PERCENT                                                                          \
	25 /* how far apart rows that say one thing may be, if the line does not tell */

gboolean derive_inherit(Derivation *derivation, char *why)
{
	g_free(derivation->why);
	derivation->why = why;
	return TRUE;
}

static gboolean read_rows(const Deriving *deriving, guint row, const CsvTable *table,
			  guint column, RowStatistic *statistic, Derivation *derivation,
			  GError **error)
{
	g_autofree char *rows = derive_expand(deriving, row, column, error);
	RowFault fault = {NULL, FALSE};

	if (rows == NULL)
		return FALSE;
	fault = row_statistic(table, rows, derive_cell(deriving, row, DERIVE_OF),
			      derive_cell(deriving, row, DERIVE_STATISTIC), statistic);
	if (fault.why && fault.in_data)
		return derive_inherit(derivation, fault.why);
	if (fault.why)
		derive_refuse(deriving, row, column, fault.why, error);
	g_free(fault.why);
	return fault.why == NULL;
}

/* Of a map: "slices", ... */
static gboolean read_map(Deriving *deriving, guint row, RowStatistic *of,
			 Derivation *derivation, GError **error)
{
	if (!deriving->map)
		deriving->map = l2_map_derive(&deriving->files);
	if (deriving->map->why)
		return derive_inherit(derivation, g_strdup(deriving->map->why));
	*of = (RowStatistic){.n = deriving->map->n_rows};
	if (!l2_map_number(deriving->map, derive_cell(deriving, row, DERIVE_OF), &of->value))
		return derive_refuse(deriving, row, DERIVE_OF,
				     "allowed of a map: " L2_MAP_NUMBERS, error);
	of->least = of->most = of->value;
	return TRUE;
}

/* The rows say one thing, and there are enough of them. */
static gboolean check_rows(const Deriving *deriving, guint row, const RowStatistic *of,
			   Derivation *derivation, GError **error)
{
	const char *statistic = derive_cell(deriving, row, DERIVE_STATISTIC);
	const gboolean extreme = !strcmp(statistic, "min") || !strcmp(statistic, "max");
	double least_rows, agree;

	if (!derive_number(deriving, row, DERIVE_LEAST_ROWS, 1, &least_rows, error) ||
	    !derive_number(deriving, row, DERIVE_AGREE, extreme ? 1e9 : AGREE_PERCENT, &agree,
			   error))
		return FALSE;
	if (of->n < least_rows)
		return derive_inherit(
			derivation, g_strdup_printf("%u rows; needed: %g", of->n, least_rows));
	if (of->apart * 100 > agree)
		return derive_inherit(
			derivation,
			g_strdup_printf("%u rows contradict each other: they are %.3g %% "
					"apart; allowed: %g %%",
					of->n, of->apart * 100, agree));
	return TRUE;
}

/* The statistic of some rows, less that of others, in the key's unit, less what keys have. */
static gboolean derive_exact(Deriving *deriving, guint row, Derivation *derivation,
			     GError **error)
{
	g_autoptr(GError) absent = NULL;
	const gboolean of_map =
		strcmp(derive_cell(deriving, row, DERIVE_STATISTIC), "map") == 0;
	const CsvTable *table =
		of_map ? NULL : derive_table(&deriving->files, derivation->file, &absent);
	RowStatistic of = {0}, minus = {0};
	double scale, less;

	if (!table && !of_map)
		return derive_inherit(derivation, g_strdup(absent->message));
	if (!(of_map ? read_map(deriving, row, &of, derivation, error)
		     : read_rows(deriving, row, table, DERIVE_ROWS, &of, derivation, error)) ||
	    (*derive_cell(deriving, row, DERIVE_MINUS) &&
	     !read_rows(deriving, row, table, DERIVE_MINUS, &minus, derivation, error)) ||
	    !derive_scale(deriving, row, &scale, error) ||
	    !derive_less(deriving, row, &less, error))
		return FALSE;
	if (derivation->why)
		return TRUE;
	derivation->n_rows = of.n + minus.n;
	derivation->least = MIN(scale * of.least, scale * of.most);
	derivation->most = MAX(scale * of.least, scale * of.most);
	derivation->exact = scale * (of.value - minus.value) - less;
	return check_rows(deriving, row, &of, derivation, error) &&
	       (!*derive_cell(deriving, row, DERIVE_MINUS) ||
		check_rows(deriving, row, &minus, derivation, error));
}

/* "2 to 64"; empty: what the key allows. */
static gboolean read_range(const Deriving *deriving, guint row, const ConfigNumber *number,
			   double *min, double *max, GError **error)
{
	g_autofree char *text = derive_expand(deriving, row, DERIVE_RANGE, error);
	char *end = text;

	*min = (double)number->min;
	*max = (double)number->max;
	if (text == NULL || *text == '\0')
		return text != NULL;
	*min = MAX(*min, g_ascii_strtod(text, &end));
	if (end > text && g_str_has_prefix(end, " to ")) {
		const char *from = end + strlen(" to ");

		*max = MIN(*max, g_ascii_strtod(from, &end));
		if (end > from && *end == '\0' && *min <= *max)
			return TRUE;
	}
	return derive_refuse(deriving, row, DERIVE_RANGE,
			     "allowed: two numbers that the key can have, as 2 to 64", error);
}

gboolean derive_line(Deriving *deriving, guint row, Derivation *derivation, GError **error)
{
	ConfigNumber number;
	double rounded, min, max;

	derivation->key = g_strdup(derive_cell(deriving, row, DERIVE_KEY));
	derivation->file = g_strdup(derive_cell(deriving, row, DERIVE_FILE));
	derivation->rows = derive_expand(deriving, row, DERIVE_ROWS, error);
	if (!derivation->rows)
		return FALSE;
	derivation->statistic =
		g_strdup_printf("%s of %s", derive_cell(deriving, row, DERIVE_STATISTIC),
				derive_cell(deriving, row, DERIVE_OF));
	if (!config_number(deriving->config, derivation->key, &number, NULL))
		return derive_refuse(deriving, row, DERIVE_KEY,
				     "allowed: a key that is a number", error);
	derivation->unit = number.unit ? number.unit : "";
	derivation->has = number.value;
	if (!read_range(deriving, row, &number, &min, &max, error) ||
	    !derive_exact(deriving, row, derivation, error) ||
	    !derive_round(deriving, row, derivation->exact, &rounded, error))
		return FALSE;
	if (derivation->why)
		return TRUE;
	if (!(rounded >= min && rounded <= max))
		return derive_inherit(derivation,
				      g_strdup_printf("it comes to %g; allowed: %.15g to "
						      "%.15g",
						      rounded, min, max));
	if ((guint64)rounded % number.multiple != 0)
		return derive_inherit(derivation,
				      g_strdup_printf("it comes to %g; allowed: a multiple of "
						      "%" G_GUINT64_FORMAT,
						      rounded, number.multiple));
	derivation->derived = (guint64)rounded;
	return TRUE;
}
