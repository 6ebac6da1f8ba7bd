/* SPDX-License-Identifier: MIT */
/*
 * Files that are read. A program that asks for it (output_guard) has each remembered, so that none
 * of them is overwritten. Who may include it: all but sim and model.
 */
#ifndef ATOMSIM_BASE_INPUT_H
#define ATOMSIM_BASE_INPUT_H

#include <sys/stat.h>

#include <glib.h>

/*
 * Reads a whole file of up to `limit` bytes; a pipe or terminal will do, other devices not. The text ends in a NUL that is not
 * counted. `what` is what the file should have been, for the message about one that is larger: "a
 * table of measurements". Errors: ATOMSIM_ERROR_IO, "PATH: cannot read: REASON"; ATOMSIM_ERROR_INPUT
 * for one above the limit. g_free.
 */
gboolean input_read(const char *path, gsize limit, const char *what, char **text, gsize *length,
		    GError **error);

/* The same of a file that is open, which `path` said; it stays open. */
gboolean input_read_open(int fd, const char *path, gsize limit, const char *what, char **text,
			 gsize *length, GError **error);

/* Remembers an open file for what `path` said. For those who read otherwise. */
void input_remember(int fd, const char *path);

/* The path under which a file has been read, or NULL. g_free. */
char *input_find(const struct stat *status);

/* From now on files are remembered. */
void input_remember_all(void);

#endif
