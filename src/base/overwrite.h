/* SPDX-License-Identifier: MIT */
/*
 * Whether a file may be written that is there already. What a program that asked for it (overwrite_guard) overwrites only
 * when the user says so: a file that it has read, and a file of another kind than the one to write. Who may include it: as base/output.h.
 */
#ifndef ATOMSIM_BASE_OVERWRITE_H
#define ATOMSIM_BASE_OVERWRITE_H

#include <glib.h>

/* What is looked at of a file that is there already. */
#define OVERWRITE_MARK_BYTES 4096

/* A kind of file, and how one is known: the first OVERWRITE_MARK_BYTES have one of the marks. */
typedef struct OutputKind {
	const char *name;	    /* "a trace" */
	const char *const marks[8]; /* NULL-terminated */
} OutputKind;

/* From now on inputs and files of other kinds are not overwritten. For a program of one user, once. */
void overwrite_guard(void);
/* But now they are: --force. */
void overwrite_force(void);

/* The caller has seen that the file is of the kind to write, though it has no mark of it. */
void overwrite_allow(const char *path);

/* Whether the rule lets the file be replaced by one of this kind. Errors: ATOMSIM_ERROR_USAGE. */
gboolean overwrite_check(const char *path, const OutputKind *kind, GError **error);

/* Before the work, once for each output, so that a long work need not end in a refusal: that `path` can
   be written, that the rule lets it, and that no other output planned is the same file. Errors:
   ATOMSIM_ERROR_IO, ATOMSIM_ERROR_USAGE. */
gboolean overwrite_plan(const char *path, const OutputKind *kind, GError **error);

#endif
