/* SPDX-License-Identifier: MIT */
/*
 * Files that are written, by one rule for all of them. A file appears under its name when it is
 * whole and on the disk; until then it is in the same folder under a name that nobody can foresee,
 * and that goes on failure and when a signal ends the program (cli_handle_signals). What a program that asked for it
 * (output_guard) overwrites only when it is told to: a file that it has read, and a file of another
 * kind than the one to write. Who may include it: all but sim and model.
 */
#ifndef ATOMSIM_BASE_OUTPUT_H
#define ATOMSIM_BASE_OUTPUT_H

#include <glib.h>

/* How the temporary names begin. After SIGKILL such a file may be left. */
#define OUTPUT_TEMPORARY ".atomsim-"

/* What is looked at of a file that is there already. */
#define OUTPUT_MARK_BYTES 4096

/* A kind of file, and how one is known: the first OUTPUT_MARK_BYTES have one of the marks. */
typedef struct OutputKind {
	const char *name;	    /* "a trace" */
	const char *const marks[8]; /* NULL-terminated */
} OutputKind;

/* From now on inputs and files of other kinds are not overwritten. For a program of one user, once. */
void output_guard(void);
/* But now they are: --force. */
void output_force(void);

/* Before the work, once for each output, so that a long work need not end in a refusal: that `path` can
   be written, that the rule lets it, and that no other output planned is the same file. Errors:
   ATOMSIM_ERROR_IO, ATOMSIM_ERROR_USAGE. */
gboolean output_plan(const char *path, const OutputKind *kind, GError **error);

typedef struct Output Output;

/* A link is followed to the file that it names; devices and pipes are written into. A file that is
   there keeps its mode. Errors: ATOMSIM_ERROR_IO; ATOMSIM_ERROR_USAGE as above. */
Output *output_open(const char *path, const OutputKind *kind, GError **error);

/* A failure is kept, and comes out of output_commit. */
void output_write(Output *output, const void *bytes, gsize length);

/* Brings the file to the disk and gives it its name. Frees the output, on errors, too. */
gboolean output_commit(Output *output, GError **error);

/* Frees it, and nothing has been written. */
void output_abandon(Output *output);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Output, output_abandon)

/* All of it in one call. */
gboolean output_write_file(const char *path, const OutputKind *kind, const char *text,
			   gsize length, GError **error);

/* A private folder for files that shall not stay; has no folders in it. Errors: ATOMSIM_ERROR_IO. */
char *output_folder_new(const char *purpose, GError **error);
/* Removes it with what is in it. */
void output_folder_remove(char *folder);

/* Removes what is not finished and all private folders. May be called by a signal handler, as the
   last thing that the process does. */
void output_clean_up(void);

#endif
