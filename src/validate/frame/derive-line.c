/* SPDX-License-Identifier: MIT */
/* Cells of derive.csv. */
#include "validate/frame/derive-internal.h"

#include <math.h>
#include <string.h>

const char *derive_cell(const Deriving *deriving, guint row, guint column)
{
	const int at = deriving->columns[column];

	return at < 0 ? "" : csv_cell(deriving->lines, row, (guint)at);
}

gboolean derive_refuse(const Deriving *deriving, guint row, guint column, const char *why,
		       GError **error)
{
	return csv_fail_cell(deriving->lines, row, (guint)deriving->columns[column], error,
			     "%s", why);
}

Derivation *derive_find(const Deriving *deriving, const char *key)
{
	for (guint i = 0; i < deriving->values->len; i++) {
		Derivation *d = &g_array_index(deriving->values, Derivation, i);

		if (strcmp(d->key, key) == 0)
			return d;
	}
	return NULL;
}

/* Whether a later line derives the key: its value is not known yet. */
static gboolean is_below(const Deriving *deriving, guint row, const char *key)
{
	for (guint later = row; later < csv_rows(deriving->lines); later++)
		if (strcmp(derive_cell(deriving, later, DERIVE_KEY), key) == 0)
			return TRUE;
	return FALSE;
}

/* "2 sm.count", "sm.count": a number of what a key has, as derived or else as the config has it. Errors at that cell. */
static gboolean read_value(const Deriving *deriving, guint row, guint column, const char *text,
			   double *value, GError **error)
{
	char *end = NULL;
	double times = g_ascii_strtod(text, &end);
	ConfigNumber number = {.value = 1};
	const Derivation *known;

	if (end == text)
		times = 1;
	end += strspn(end, " ");
	if (*end != '\0' && !config_number(deriving->config, end, &number, NULL))
		return derive_refuse(deriving, row, column,
				     "allowed: keys and numbers of them with + between", error);
	known = derive_find(deriving, end);
	if (!known && *end != '\0' && is_below(deriving, row, end))
		return derive_refuse(deriving, row, column,
				     "found a key that a later line derives; allowed: one that "
				     "a line above does, or none",
				     error);
	*value = times * (double)(known && !known->why ? known->derived : number.value);
	return TRUE;
}

char *derive_expand(const Deriving *deriving, guint row, guint column, GError **error)
{
	const char *at = derive_cell(deriving, row, column);
	g_autoptr(GString) text = g_string_new(NULL);
	const char *open;

	while ((open = strchr(at, '{')) != NULL && strchr(open, '}') != NULL) {
		const char *close = strchr(open, '}');
		g_autofree char *inside = g_strndup(open + 1, (gsize)(close - open) - 1);
		char number[G_ASCII_DTOSTR_BUF_SIZE];
		double value;

		if (!read_value(deriving, row, column, inside, &value, error))
			return NULL;
		g_string_append_len(text, at, open - at);
		g_string_append(text, g_ascii_dtostr(number, sizeof(number), value));
		at = close + 1;
	}
	g_string_append(text, at);
	return g_string_free(g_steal_pointer(&text), FALSE);
}

gboolean derive_less(const Deriving *deriving, guint row, double *less, GError **error)
{
	g_auto(GStrv) terms = g_strsplit(derive_cell(deriving, row, DERIVE_LESS), " + ", -1);

	*less = 0;
	for (guint i = 0; terms[i]; i++) {
		double value;

		if (!read_value(deriving, row, DERIVE_LESS, terms[i], &value, error))
			return FALSE;
		*less += value;
	}
	return TRUE;
}

/* "1000/32*2": a number, and what it is multiplied and divided by. */
gboolean derive_scale(const Deriving *deriving, guint row, double *scale, GError **error)
{
	g_autofree char *text = derive_expand(deriving, row, DERIVE_SCALE, error);
	char *at = text, *end = text;
	double number;

	if (text == NULL)
		return FALSE;
	*scale = *at ? g_ascii_strtod(at, &end) : 1;
	while (end > at && (*end == '/' || *end == '*')) {
		const gboolean divided = *end == '/';

		at = end + 1;
		number = g_ascii_strtod(at, &end);
		*scale = divided ? *scale / number : *scale * number;
	}
	if (*end != '\0' || (end == at && *text) || !isfinite(*scale))
		return derive_refuse(deriving, row, DERIVE_SCALE,
				     "allowed: a number or a quotient", error);
	return TRUE;
}

/* To a multiple of a step: "", "10", "down", "up 5". */
gboolean derive_round(const Deriving *deriving, guint row, double exact, double *rounded,
		      GError **error)
{
	const char *text = derive_cell(deriving, row, DERIVE_ROUND);
	double (*way)(double) = round;
	double step = 1;
	char *end = NULL;

	if (g_str_has_prefix(text, "down")) {
		way = floor;
		text += strlen("down");
	} else if (g_str_has_prefix(text, "up")) {
		way = ceil;
		text += strlen("up");
	}
	text += strspn(text, " ");
	if (*text != '\0')
		step = g_ascii_strtod(text, &end);
	if ((end && *end != '\0') || !(step > 0))
		return derive_refuse(deriving, row, DERIVE_ROUND,
				     "allowed: a step, and down or up in front of it", error);
	/* A value that is whole but for the last bits of a double is whole. */
	*rounded = way(round(exact / step * 1e6) / 1e6) * step;
	return TRUE;
}

gboolean derive_number(const Deriving *deriving, guint row, guint column, double otherwise,
		       double *number, GError **error)
{
	const char *text = derive_cell(deriving, row, column);
	char *end = NULL;

	*number = *text ? g_ascii_strtod(text, &end) : otherwise;
	if (!isfinite(*number) || (end && (*end != '\0' || *number < 0)))
		return derive_refuse(deriving, row, column, "allowed: a number of at least 0",
				     error);
	return TRUE;
}
