/* SPDX-License-Identifier: MIT */
/*
 * Files that are written. A file appears under its name when it is whole and on the disk; until then it is in the
 * same folder under a name that nobody can foresee, and that goes on failure and when a signal ends the program
 * (cli_handle_signals). What may be overwritten base/overwrite.h says. Who may include it: all but sim and model.
 */
#ifndef ATOMSIM_BASE_OUTPUT_H
#define ATOMSIM_BASE_OUTPUT_H

#include <glib.h>

#include "base/overwrite.h"

/* How the temporary names begin. After SIGKILL such a file may be left. */
#define OUTPUT_TEMPORARY ".atomsim-"

typedef struct Output Output;

/* A link is followed to the file that it names; devices and pipes are written into. A file that is
   there keeps its mode. Errors: ATOMSIM_ERROR_IO; ATOMSIM_ERROR_USAGE as above. */
Output *output_open(const char *path, const OutputKind *kind, GError **error);

/* A failure is kept, and comes out of output_commit. */
void output_write(Output *output, const void *bytes, gsize length);

/* Whether bytes that were written may be written over: not those of devices and pipes. */
gboolean output_can_write_at(const Output *output);
/* Writes over bytes; then goes on at the end. Failures as above. */
void output_write_at(Output *output, gsize offset, const void *bytes, gsize length);

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
