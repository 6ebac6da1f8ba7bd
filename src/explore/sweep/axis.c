/* SPDX-License-Identifier: MIT */
/* The syntax of --vary. */
#include "explore/sweep/sweep.h"

#include <string.h>

#include "base/error.h"

SweepAxis *sweep_axis_new(const char *key)
{
	SweepAxis *axis = g_new0(SweepAxis, 1);

	axis->key = g_strdup(key);
	axis->values = g_new0(char *, 1);
	return axis;
}

void sweep_axis_free(SweepAxis *axis)
{
	if (axis == NULL)
		return;
	g_free(axis->key);
	g_strfreev(axis->values);
	g_free(axis);
}

void sweep_axis_add_value(SweepAxis *axis, const char *value)
{
	guint n = axis->n_values;

	/* The room doubles, for a range can have many values. */
	if ((n & (n + 1)) == 0)
		axis->values = g_renew(char *, axis->values, 2 * (n + 1));
	axis->values[n] = g_strdup(value);
	axis->values[n + 1] = NULL;
	axis->n_values++;
}

/* Whole digits up to `end`. */
static gboolean parse_number(const char *text, gsize length, guint64 *number)
{
	g_autofree char *digits = g_strndup(text, length);

	return g_ascii_string_to_unsigned(digits, 10, 0, G_MAXINT64, number, NULL);
}

/* A range begins with digits and two dots; all else, paths such as ../a.pgm too, is a value. */
static gboolean is_range(const char *item)
{
	gsize digits = strspn(item, "0123456789");

	return digits > 0 && strncmp(item + digits, "..", 2) == 0;
}

static gboolean add_range(SweepAxis *axis, const char *item, GError **error)
{
	const char *to = strstr(item, "..") + 2;
	const char *colon = strchr(to, ':');
	gsize to_length = colon != NULL ? (gsize)(colon - to) : strlen(to);
	char sign = colon != NULL ? colon[1] : '+';
	guint64 first, last, step = 1;

	if (!parse_number(item, (gsize)(to - 2 - item), &first) ||
	    !parse_number(to, to_length, &last) || (sign != '+' && sign != '*') ||
	    (colon != NULL && !parse_number(colon + 2, strlen(colon + 2), &step)))
		return atomsim_fail(
			error, ATOMSIM_ERROR_USAGE,
			"'%s' found; allowed: FROM..TO, FROM..TO:+STEP, FROM..TO:*FACTOR",
			item);
	if (first > last)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "'%s' is empty: %" G_GUINT64_FORMAT
				    " is above %" G_GUINT64_FORMAT,
				    item, first, last);
	if ((sign == '+' && step == 0) || (sign == '*' && (step < 2 || first == 0)))
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "'%s' never ends", item);
	for (guint64 number = first;;) {
		char text[24];

		if (axis->n_values >= SWEEP_MAX_POINTS)
			return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "more than %d values",
					    SWEEP_MAX_POINTS);
		g_snprintf(text, sizeof(text), "%" G_GUINT64_FORMAT, number);
		sweep_axis_add_value(axis, text);
		/* Compared without a sum or product that could overflow. */
		if (sign == '+' ? last - number < step : last / number < step)
			return TRUE;
		number = sign == '+' ? number + step : number * step;
	}
}

/* The end of the item that starts at `text`: a comma that no bracket or quote holds. */
static const char *item_end(const char *text)
{
	gboolean quoted = FALSE;
	int depth = 0;

	for (; *text != '\0'; text++) {
		if (quoted && *text == '\\' && text[1] != '\0')
			text++;
		else if (*text == '"')
			quoted = !quoted;
		else if (!quoted && (*text == '{' || *text == '['))
			depth++;
		else if (!quoted && (*text == '}' || *text == ']'))
			depth--;
		else if (!quoted && depth <= 0 && *text == ',')
			break;
	}
	return text;
}

gboolean sweep_axis_add(SweepAxis *axis, const char *values, GError **error)
{
	for (const char *start = values;; start++) {
		const char *end = item_end(start);
		g_autofree char *item = g_strndup(start, (gsize)(end - start));

		if (*item == '\0')
			return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
					    "'%s' has an empty value", values);
		if (is_range(item)) {
			if (!add_range(axis, item, error))
				return FALSE;
		} else {
			sweep_axis_add_value(axis, item);
		}
		if (*end == '\0')
			return TRUE;
		start = end;
	}
}

SweepAxis *sweep_axis_parse(const char *text, GError **error)
{
	const char *equals = strchr(text, '=');
	g_autofree char *key = equals != NULL ? g_strndup(text, (gsize)(equals - text)) : NULL;
	g_autoptr(SweepAxis) axis = NULL;

	if (key == NULL || *key == '\0') {
		atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			     "--vary %s; allowed: KEY=VALUES, such as atomic.locks=64..4096:*2",
			     text);
		return NULL;
	}
	axis = sweep_axis_new(key);
	if (!sweep_axis_add(axis, equals + 1, error)) {
		g_prefix_error(error, "--vary %s: ", key);
		return NULL;
	}
	return g_steal_pointer(&axis);
}

gboolean sweep_axis_is_what_if(const SweepAxis *axis)
{
	return g_str_has_prefix(axis->key, SWEEP_WHAT_IF);
}
