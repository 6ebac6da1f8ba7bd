/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include <math.h>
#include <string.h>

#define EXACT	     0x1p53
#define EXACT_DIGITS 16 /* of 0x1p53; a number with fewer is below it */

void json_end_without_memory(void)
{
	cJSON_Hooks hooks = {g_malloc, g_free};

	cJSON_InitHooks(&hooks);
}

/* The first of some characters at or after `at`, or the text's end; strings are skipped. */
static const char *find_outside(const char *at, const char *characters)
{
	gboolean in_string = FALSE;

	for (; *at != '\0'; at++) {
		if (in_string && *at == '\\' && at[1] != '\0')
			at++;
		else if (*at == '"')
			in_string = !in_string;
		else if (!in_string && strchr(characters, *at) != NULL)
			break;
	}
	return at;
}

/* Numbers are in the text in the order in which a walk through the items meets them. */
static void keep_digits(cJSON *item, const char **at)
{
	for (; item != NULL; item = item->next) {
		gsize length;

		keep_digits(item->child, at);
		if (!cJSON_IsNumber(item))
			continue;
		*at = find_outside(*at, "-0123456789");
		length = strspn(*at, "-+.eE0123456789");
		/* With a point or an exponent it is no whole number. */
		if (fabs(item->valuedouble) >= EXACT && strcspn(*at, ".eE") >= length) {
			g_autofree char *digits = g_strndup(*at, length);
			cJSON *raw = cJSON_CreateRaw(digits);

			item->type = cJSON_Raw | (item->type & cJSON_StringIsConst);
			item->valuestring = raw->valuestring;
			raw->valuestring = NULL;
			cJSON_Delete(raw);
		}
		*at += length;
	}
}

/* Whether so many digits in a row are anywhere: most texts have none, and are not walked through. */
static gboolean has_long_number(const char *text)
{
	guint n = 0;

	for (; *text != '\0' && n < EXACT_DIGITS; text++)
		n = g_ascii_isdigit(*text) ? n + 1 : 0;
	return n == EXACT_DIGITS;
}

void json_keep_digits(cJSON *root, const char *text)
{
	if (has_long_number(text))
		keep_digits(root, &text);
}

cJSON *json_parse(const char *text)
{
	/* cJSON takes any bytes in a string, and would print them. */
	cJSON *root =
		g_utf8_validate(text, -1, NULL) ? cJSON_ParseWithOpts(text, NULL, TRUE) : NULL;

	json_keep_digits(root, text);
	return root;
}

gboolean json_uint64(const cJSON *item, guint64 *value)
{
	double number = cJSON_IsNumber(item) ? item->valuedouble : -1;

	if (cJSON_IsRaw(item))
		return g_ascii_string_to_unsigned(item->valuestring, 10, 0, G_MAXUINT64, value,
						  NULL);
	if (!(number >= 0 && number < EXACT && floor(number) == number))
		return FALSE;
	*value = (guint64)number;
	return TRUE;
}

gsize json_count(const char *text)
{
	gsize n = 1;

	for (text = find_outside(text, ",[{"); *text != '\0';
	     text = find_outside(text + 1, ",[{"))
		n++;
	return n;
}

gboolean json_whole(const cJSON *item, guint64 min, guint64 max, guint64 *number)
{
	/* 2^53 and 2^53 + 1 are the same double: the bounds are compared as doubles. */
	if (!cJSON_IsNumber(item) || item->valuedouble < (double)min ||
	    item->valuedouble > (double)max || floor(item->valuedouble) != item->valuedouble)
		return FALSE;
	*number = (guint64)item->valuedouble;
	return TRUE;
}

char *json_line(const cJSON *item)
{
	char *printed = cJSON_PrintUnformatted(item), *text = g_strdup(printed);

	cJSON_free(printed);
	return text;
}

/* Takes the tree. */
static char *print_with(cJSON *root, const char *end)
{
	char *printed = cJSON_Print(root), *text = g_strconcat(printed, end, NULL);

	cJSON_free(printed);
	cJSON_Delete(root);
	return text;
}

char *json_text(cJSON *root)
{
	return print_with(root, "");
}

char *json_page(cJSON *root)
{
	return print_with(root, "\n");
}
