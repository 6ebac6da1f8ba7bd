/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <string.h>

/* It would take the name for a subtraction. */
/* clang-format off */
G_DEFINE_QUARK(atomsim-error-quark, atomsim_error)
/* clang-format on */

gboolean atomsim_fail(GError **error, AtomsimErrorCode code, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	if (error)
		*error = g_error_new_valist(ATOMSIM_ERROR, (gint)code, format, arguments);
	va_end(arguments);
	return FALSE;
}

gboolean atomsim_fail_io(GError **error, const char *path, const char *what, int reason)
{
	return atomsim_fail(error, ATOMSIM_ERROR_IO, "%s: %s: %s", path, what,
			    g_strerror(reason));
}

/* Levenshtein's distance: letters to insert, drop or change. */
static guint distance(const char *a, const char *b)
{
	gsize length = strlen(b);
	g_autofree guint *row = g_new(guint, length + 1);

	for (gsize j = 0; j <= length; j++)
		row[j] = j;
	for (gsize i = 1; a[i - 1]; i++) {
		guint diagonal = row[0];
		row[0] = i;
		for (gsize j = 1; j <= length; j++) {
			guint change = diagonal + (a[i - 1] != b[j - 1]);
			diagonal = row[j];
			row[j] = MIN(change, MIN(row[j], row[j - 1]) + 1);
		}
	}
	return row[length];
}

const char *atomsim_suggest(const char *word, const char *const *candidates)
{
	/* A third of the letters wrong is still a typing error, more is another word. Words longer
	   than any name need no search. */
	gsize letters = strlen(word);
	guint best = letters > 100 ? 0 : letters / 3 + 2;
	const char *similar = NULL;

	for (; *candidates; candidates++) {
		guint d = letters > 100 ? best : distance(word, *candidates);
		if (d < best && d < strlen(*candidates)) {
			best = d;
			similar = *candidates;
		}
	}
	return similar;
}
