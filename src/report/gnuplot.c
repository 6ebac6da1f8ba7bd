/* SPDX-License-Identifier: MIT */
#include "report/gnuplot.h"

#include <errno.h>
#include <stdio.h>

#include "base/error.h"
#include "report/format.h"

char *gnuplot_quote(const char *text)
{
	g_autofree char *printable = format_name(text, 120);
	g_auto(GStrv) parts = g_strsplit(printable, "'", -1);
	g_autofree char *doubled = g_strjoinv("''", parts);

	return g_strdup_printf("'%s'", doubled);
}

gboolean gnuplot_write_file(const char *path, const char *text, GError **error)
{
	FILE *file = fopen(path, "w");
	gboolean written = file != NULL && fputs(text, file) != EOF;

	/* Closing writes what is left, so it can fail as well. */
	if (file != NULL && fclose(file) != 0)
		written = FALSE;
	if (!written)
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_IO, "%s: cannot write: %s",
			    path, g_strerror(errno));
	return written;
}

gboolean gnuplot_run(const char *folder, const char *script, const char *gp, GError **error)
{
	g_autofree char *argument = g_strconcat("./", script, NULL);
	char *argv[] = {(char *)"gnuplot", argument, NULL};
	g_autofree char *talk = NULL;
	g_autoptr(GError) cause = NULL;
	int status = 0;

	if (!g_spawn_sync(folder, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL,
			  NULL, NULL, NULL, &talk, &status, &cause)) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_IO,
			    "cannot run gnuplot (%s); install it, or draw %s elsewhere: the "
			    "script and "
			    "its data are complete",
			    cause->message, gp);
		return FALSE;
	}
	if (!g_spawn_check_wait_status(status, &cause)) {
		g_strchomp(talk);
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_IO,
			    "%s: gnuplot failed: %s%s%s", gp, cause->message,
			    *talk != '\0' ? "\n" : "", talk);
		return FALSE;
	}
	return TRUE;
}
