/* SPDX-License-Identifier: MIT */
/* What commands share: errors, options, output, progress. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "config/search.h"
#include "base/error.h"

CliStatus cli_fail(const GError *error)
{
	g_auto(GStrv) lines = g_strsplit(error->message, "\n", -1);

	for (guint i = 0; lines[i]; i++)
		if (lines[i][0])
			g_printerr("atomsim: %s\n", lines[i]);
	return g_error_matches(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE) ? CLI_USAGE
									  : CLI_FAILED;
}

/* --- Options --- */

static gboolean help_wanted;

GOptionContext *cli_options(const Command *command, const GOptionEntry *entries)
{
	static const GOptionEntry help[] = {
		{"help", 'h', 0, G_OPTION_ARG_NONE, &help_wanted, "Show this help and exit",
		 NULL},
		{NULL, 0, 0, 0, NULL, NULL, NULL},
	};
	const char *operands = command->synopsis;
	GOptionContext *context = NULL;
	g_autofree char *program = g_strconcat("atomsim ", command->name, NULL);
	g_autofree char *summary = g_strconcat(command->summary, ".", NULL);

	/* GOptionContext writes "[OPTION...]" itself. */
	if (g_str_has_prefix(operands, "[OPTION]..."))
		operands += strlen("[OPTION]...");
	while (*operands == ' ')
		operands++;

	g_set_prgname(program);
	context = g_option_context_new(operands);
	g_option_context_set_summary(context, summary);
	if (entries)
		g_option_context_add_main_entries(context, entries, NULL);
	/* Our own --help: GLib's would print "[OPTION…]" in the locale's idea of an ellipsis. */
	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_add_main_entries(context, help, NULL);
	return context;
}

static void print_help(GOptionContext *context)
{
	g_autofree char *help = g_option_context_get_help(context, TRUE, NULL);
	g_autoptr(GString) text = g_string_new(help);

	g_string_replace(text, "[OPTION…]", "[OPTION]...", 0);
	g_string_replace(text, "Usage:\n  ", "Usage: ", 1);
	fputs(text->str, stdout);
}

gboolean cli_parse(GOptionContext *context, int *argc, char ***argv, CliStatus *status)
{
	g_autoptr(GError) error = NULL;
	gboolean parsed = g_option_context_parse(context, argc, argv, &error);

	if (parsed && help_wanted) {
		print_help(context);
		*status = CLI_GOOD;
		return FALSE;
	}
	if (parsed && *argc > 1) {
		g_set_error(&error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "unexpected argument '%s'", (*argv)[1]);
		parsed = FALSE;
	}
	if (!parsed) {
		g_printerr("atomsim: %s\nTry '%s --help'\n", error->message, g_get_prgname());
		*status = CLI_USAGE;
	}
	return parsed;
}

/* --- Output --- */

static gboolean write_all(FILE *file, const char *name, const char *text, gsize length,
			  GError **error)
{
	if (fwrite(text, 1, length, file) == length && fflush(file) == 0)
		return TRUE;
	g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_IO, "%s: cannot write: %s", name,
		    g_strerror(errno));
	return FALSE;
}

/* A device or a pipe: it must be written into, not replaced by a file of that name. */
static gboolean is_special(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

gboolean cli_write_output(const char *path, const char *text, gsize length, GError **error)
{
	g_autoptr(GError) problem = NULL;

	if (!path || strcmp(path, "-") == 0)
		return write_all(stdout, "standard output", text, length, error);

	if (is_special(path)) {
		FILE *file = fopen(path, "w");
		if (!file) {
			g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_IO,
				    "%s: cannot open for writing: %s", path, g_strerror(errno));
			return FALSE;
		}
		gboolean written = write_all(file, path, text, length, error);
		fclose(file);
		return written;
	}

	/* A new file takes the old one's place, which asks the folder alone for leave. */
	if (access(path, F_OK) == 0 && access(path, W_OK) != 0) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_IO, "%s: cannot write: %s",
			    path, g_strerror(errno));
		return FALSE;
	}

	/* The file that a symbolic link names is replaced, not the link. */
	g_autofree char *target = realpath(path, NULL);
	if (g_file_set_contents_full(target ? target : path, text, length,
				     G_FILE_SET_CONTENTS_CONSISTENT, 0666, &problem))
		return TRUE;
	/* GLib's sentence names a temporary file; its end is what the system said. */
	const char *reason = strrchr(problem->message, ':');
	g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_IO, "%s: cannot write%s", path,
		    reason ? reason : "");
	return FALSE;
}

static gboolean is_same_file(const char *a, const char *b)
{
	struct stat status_a, status_b;

	return stat(a, &status_a) == 0 && stat(b, &status_b) == 0 &&
	       S_ISREG(status_a.st_mode) && status_a.st_dev == status_b.st_dev &&
	       status_a.st_ino == status_b.st_ino;
}

gboolean cli_check_output(const char *output, const char *config, char *const *inputs,
			  GError **error)
{
	g_autofree char *path = config ? config_find(config, NULL) : NULL;
	const char *input = NULL;

	if (!output)
		return TRUE;
	if (path && is_same_file(output, path))
		input = path;
	for (guint i = 0; !input && inputs && inputs[i]; i++)
		if (is_same_file(output, inputs[i]))
			input = inputs[i];
	if (!input)
		return TRUE;
	g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
		    "--output %s: the same file as %s, which is read; allowed: another file",
		    output, input);
	return FALSE;
}

static void check_stdout(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return;
	g_printerr("atomsim: standard output: cannot write: %s\n", g_strerror(errno));
	_exit(CLI_FAILED);
}

void cli_check_stdout_at_exit(void)
{
	atexit(check_stdout);
}

/* --- Progress --- */

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

static void print_progress(const char *unit, guint64 done, guint64 total, double seconds)
{
	const int width = 30;
	double part = total ? (double)done / total : 0;
	int filled = part * width;
	double left = part > 0 ? seconds / part - seconds : 0;

	g_printerr("\r[%-*.*s] %3.0f %%  %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
		   " %s, %.0f s left \033[K",
		   width, filled, "##############################", 100 * part, done, total,
		   unit, left);
}

gboolean cli_progress(const char *unit, guint64 done, guint64 total)
{
	static gint64 start_us, shown_us;
	static gboolean terminal;
	gint64 now_us = g_get_monotonic_time();

	if (!start_us) {
		struct sigaction action = {.sa_handler = on_interrupt,
					   .sa_flags = SA_RESETHAND};
		sigaction(SIGINT, &action, NULL);
		start_us = now_us;
		terminal = isatty(STDERR_FILENO);
	}
	if (terminal && done == total && shown_us) {
		g_printerr("\r\033[K");
		shown_us = 0;
	} else if (terminal && done < total && now_us - start_us > G_USEC_PER_SEC &&
		   now_us - shown_us > G_USEC_PER_SEC / 10) {
		print_progress(unit, done, total, (now_us - start_us) / 1e6);
		shown_us = now_us;
	}
	return !interrupted;
}

guint cli_jobs(int jobs)
{
	return jobs > 0 ? (guint)jobs : g_get_num_processors();
}
