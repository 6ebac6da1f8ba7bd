/* SPDX-License-Identifier: MIT */
/*
 * Files that are read. A program that asks for it (overwrite_guard) has each remembered, so that none
 * of them is overwritten. Who may include it: all but sim and model.
 */
#ifndef ATOMSIM_BASE_INPUT_H
#define ATOMSIM_BASE_INPUT_H

#include <sys/stat.h>

#include <glib.h>

/*
 * Opens a file for reading, and remembers it. A pipe or terminal will do; other devices, many of which have no
 * end, will not. `what` is what it should be, for messages: "a table of measurements". -1 and
 * ATOMSIM_ERROR_IO, "PATH: cannot read: REASON". close.
 */
int input_open(const char *path, const char *what, GError **error);

/* The same of a file that somebody else put where it is looked for: a regular file, and no pipe to wait at. */
int input_open_file(const char *path, const char *what, GError **error);

/*
 * Reads a whole file of up to `limit` bytes that input_open opens. The text ends in a NUL that is not
 * counted. `what` is what the file should have been, for the message about one that is larger: "a
 * table of measurements". Errors: ATOMSIM_ERROR_IO, "PATH: cannot read: REASON"; ATOMSIM_ERROR_INPUT
 * for one above the limit. g_free.
 */
gboolean input_read(const char *path, gsize limit, const char *what, char **text, gsize *length,
		    GError **error);

/* The same of one that input_open_file opens. */
gboolean input_read_file(const char *path, gsize limit, const char *what, char **text,
			 gsize *length, GError **error);

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
