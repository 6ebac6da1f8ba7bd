/* SPDX-License-Identifier: MIT */
/*
 * Traces of other tools. An importer is one const Importer at the end of its file and a word in
 * IMPORTERS. Who may include it: cli, tests and the importers.
 */
#ifndef ATOMSIM_TRACE_IMPORTER_H
#define ATOMSIM_TRACE_IMPORTER_H

#include <glib.h>

#include "trace/writer.h"

/* What an import counted. */
typedef struct {
	guint64 n_blocks;
	guint64 n_instructions; /* warp instructions in the other tool's trace */
	guint64 n_unknown; /* of them, those that the importer does not know: recorded as arithmetic */
	guint64 n_dropped; /* of them, those that no record says: they became "unknown" */
} ImportCounts;

/* Called now and then; returning FALSE interrupts. function NULL: none. */
typedef struct {
	gboolean (*function)(gpointer data, guint64 bytes_read, guint64 bytes);
	gpointer data;
} ImportProgress;

typedef struct {
	const char *name;
	const char *summary; /* one line, no full stop */
	/* Whether the file or folder looks like one. */
	gboolean (*accepts)(const char *path);
	/* The files that each become one trace: a NULL-terminated list, or NULL and *error. Of a kernel's file: it alone, by
	   the same path. */
	char **(*files)(const char *path, GError **error);
	/* What a file's trace is called without its suffix. g_free. */
	char *(*stem)(const char *file);
	/* Writes all blocks of a file. Returns the metadata (g_free), or NULL and *error. */
	char *(*import)(const char *file, TraceWriter *writer, ImportCounts *counts,
			const ImportProgress *progress, GError **error);
} Importer;

#define IMPORTERS(X) X(accelsim)

#define X(name) extern const Importer importer_##name;
IMPORTERS(X)
#undef X

extern const Importer *const importers[]; /* NULL-terminated */

/* One trace that was written. */
typedef struct {
	char *path;
	ImportCounts counts;
} ImportedTrace;

/*
 * Converts a file or a folder. `format` is an importer's name, or NULL for the first that accepts
 * the input. A kernel's file becomes the file `output`, or OUTPUT/NAME.bin if that is a folder or ends in '/'; the kernels of a
 * folder or a list, be it one, become OUTPUT/NAME.bin in a folder, which is made if it is not there. Returns ImportedTraces
 * (g_ptr_array_unref), or NULL: ATOMSIM_ERROR_IO; ATOMSIM_ERROR_INPUT, which names file and line;
 * ATOMSIM_ERROR_USAGE for a format that there is not. Traces that were complete before stay.
 */
GPtrArray *import_traces(const char *input, const char *output, const char *format,
			 const ImportProgress *progress, GError **error);

#endif
