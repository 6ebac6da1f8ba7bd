/* SPDX-License-Identifier: MIT */
/*
 * Reads a text file line by line, plain or compressed by xz (recognised by its first bytes, not by its
 * name). Memory does not grow with the file. Who may include it: importers in src/trace.
 */
#ifndef ATOMSIM_TRACE_LINES_H
#define ATOMSIM_TRACE_LINES_H

#include <glib.h>

/* Bytes of a line: far more than any tracer writes, and what bounds the memory. */
#define LINES_MAX_BYTES 65536

typedef struct LineReader LineReader;

/* Errors: ATOMSIM_ERROR_IO. */
LineReader *lines_open(const char *path, GError **error);
void lines_free(LineReader *lines);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LineReader, lines_free)

/* The next line without its end (LF or CR LF) and NUL-terminated, good until the next call. NULL at
   the end of the file, or with *error set: ATOMSIM_ERROR_IO, or ATOMSIM_ERROR_INPUT for damaged xz
   and lines of LINES_MAX_BYTES or more. */
char *lines_next(LineReader *lines, GError **error);

const char *lines_path(const LineReader *lines);
guint64 lines_number(const LineReader *lines);	   /* of the line given last, from 1 */
guint64 lines_bytes_read(const LineReader *lines); /* of the file as stored */
guint64 lines_bytes(const LineReader *lines);	   /* the file's size; 0 for a pipe */

/* Sets ATOMSIM_ERROR_INPUT "file:line: ..." and returns FALSE. */
gboolean lines_fail(const LineReader *lines, GError **error, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

#endif
