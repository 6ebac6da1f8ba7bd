/* SPDX-License-Identifier: MIT */
/* What commands share: where their output goes. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/input.h"
#include "config/search.h"

/* That stdout is lost has been said. */
static gboolean reported;

static gboolean write_stdout(const char *text, gsize length, GError **error)
{
	if (fwrite(text, 1, length, stdout) == length && fflush(stdout) == 0)
		return TRUE;
	reported = TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_IO, "standard output: cannot write: %s",
			    g_strerror(errno));
}

gboolean cli_is_stdout(const char *path)
{
	return path == NULL || strcmp(path, "-") == 0;
}

gboolean cli_write_output(const char *path, const OutputKind *kind, const char *text,
			  gsize length, GError **error)
{
	if (cli_is_stdout(path)) {
		g_autofree char *colored = cli_color(text);

		return write_stdout(colored ? colored : text,
				    colored ? strlen(colored) : length, error);
	}
	return output_write_file(path, kind, text, length, error);
}

/* It will be read, but not yet. */
static void remember(const char *path)
{
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;

	if (fd < 0)
		return;
	input_remember(fd, path);
	close(fd);
}

gboolean cli_check_output(const char *output, const OutputKind *kind, const char *config,
			  char *const *inputs, GError **error)
{
	g_autofree char *path = config ? config_find(config, NULL) : NULL;

	remember(path);
	for (guint i = 0; inputs && inputs[i]; i++)
		remember(inputs[i]);
	return cli_is_stdout(output) || overwrite_plan(output, kind, error);
}

static void check_stdout(void)
{
	if (reported || (fflush(stdout) == 0 && !ferror(stdout)))
		return;
	g_printerr("atomsim: standard output: cannot write: %s\n", g_strerror(errno));
	_exit(CLI_FAILED);
}

void cli_check_stdout_at_exit(void)
{
	atexit(check_stdout);
}
