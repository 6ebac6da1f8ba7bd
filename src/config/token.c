/* SPDX-License-Identifier: MIT */
#include "config/scan.h"

#include "base/json.h"

#include <math.h>
#include <string.h>

#include <cjson/cJSON.h>

#define NUMBER_MAX_BYTES 60 /* cJSON reads no more than 63 */
#define ALLOWED		 "; allowed: a number such as 12, -0.5 or 2e3"

/* Four hexadecimal digits, or -1. */
static int hex4(const char *text)
{
	int value = 0;

	for (int i = 0; i < 4; i++) {
		if (!g_ascii_isxdigit(text[i]))
			return -1;
		value = value * 16 + g_ascii_xdigit_value(text[i]);
	}
	return value;
}

/* `text` is at the backslash of \uXXXX; *length becomes that of the escape, or of the pair. */
static const char *unicode_escape(const char *text, gsize *length)
{
	int unit = hex4(text + 2), low = -1;

	*length = 6;
	if (unit < 0)
		return "\\u needs four hexadecimal digits";
	if (unit == 0)
		return "\\u0000 cannot be in a string";
	if (unit < 0xd800 || unit >= 0xe000)
		return NULL;
	*length = 12;
	if (unit < 0xdc00 && text[6] == '\\' && text[7] == 'u')
		low = hex4(text + 8);
	return low >= 0xdc00 && low < 0xe000 ? NULL : "\\u names half of a surrogate pair";
}

const char *token_string(const char *text, gsize *length)
{
	const char *problem = NULL;
	gsize escape = 0;

	for (*length = 1; text[*length] != '"'; *length += escape) {
		char c = text[*length];

		escape = 1;
		if (c == '\0' || c == '\n')
			return "a string lacks its closing quote";
		if ((guchar)c < 0x20)
			return "a control character in a string";
		if (c != '\\')
			continue;
		c = text[*length + 1];
		escape = 2;
		if (c == 'u')
			problem = unicode_escape(text + *length, &escape);
		else if (!c || !strchr("\"\\/bfnrt", c))
			problem = "an unknown escape in a string";
		if (problem)
			return problem;
	}
	++*length;
	return NULL;
}

static const char *skip_digits(const char *text)
{
	while (g_ascii_isdigit(*text))
		text++;
	return text;
}

const char *token_number(const char *text, gsize *length)
{
	const char *c = text + (*text == '-');

	*length = 0;
	while (text[*length] &&
	       (g_ascii_isalnum(text[*length]) || strchr("+-._", text[*length])))
		++*length;
	if (*c == '0' && g_ascii_isdigit(c[1]))
		return "a number cannot start with 0" ALLOWED;
	if (!g_ascii_isdigit(*c))
		return "not a number" ALLOWED;
	c = skip_digits(c);
	if (*c == '.') {
		if (!g_ascii_isdigit(*++c))
			return "not a number: no digit after the point" ALLOWED;
		c = skip_digits(c);
	}
	if (*c == 'e' || *c == 'E') {
		c += c[1] == '+' || c[1] == '-' ? 2 : 1;
		if (!g_ascii_isdigit(*c))
			return "not a number: no digit in the exponent" ALLOWED;
		c = skip_digits(c);
	}
	if (c != text + *length)
		return "not a number" ALLOWED;
	if (*length > NUMBER_MAX_BYTES)
		return "a number of too many digits; allowed: up to " G_STRINGIFY(
			NUMBER_MAX_BYTES);
	return isfinite(g_ascii_strtod(text, NULL))
		       ? NULL
		       : "too large for a number; allowed: up to 1.7976931348623157e308";
}

gsize token_word(const char *text)
{
	static const char *const words[] = {"true", "false", "null"};

	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		if (g_str_has_prefix(text, words[i]) &&
		    !g_ascii_isalnum(text[strlen(words[i])]))
			return strlen(words[i]);
	return 0;
}

char *token_unquote(const char *quoted, gsize length)
{
	g_autofree char *raw = NULL;
	g_autoptr(cJSON) name = NULL;

	if (memchr(quoted, '\\', length) == NULL)
		return g_strndup(quoted + 1, length - 2);
	raw = g_strndup(quoted, length);
	name = cJSON_Parse(raw);
	g_assert(cJSON_IsString(name));
	return g_strdup(name->valuestring);
}
