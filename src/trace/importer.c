/* SPDX-License-Identifier: MIT */
#include "trace/importer.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"

const Importer *const importers[] = {
#define X(name) &importer_##name,
	IMPORTERS(X)
#undef X
		NULL,
};

static void imported_free(gpointer data)
{
	ImportedTrace *trace = data;

	g_free(trace->path);
	g_free(trace);
}

/* "accel-sim, ..." g_free. */
static char *all_names(void)
{
	GString *names = g_string_new(NULL);

	for (guint i = 0; importers[i]; i++)
		g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", importers[i]->name);
	return g_string_free(names, FALSE);
}

static const Importer *find_importer(const char *input, const char *format, GError **error)
{
	g_autofree char *names = all_names();

	for (guint i = 0; importers[i]; i++)
		if (format ? strcmp(importers[i]->name, format) == 0
			   : importers[i]->accepts(input))
			return importers[i];
	if (format)
		atomsim_fail(error, ATOMSIM_ERROR_USAGE, "no format '%s'; allowed: %s", format,
			     names);
	else if (!g_file_test(input, G_FILE_TEST_EXISTS))
		atomsim_fail(error, ATOMSIM_ERROR_IO, "%s: cannot open: %s", input,
			     g_strerror(ENOENT));
	else
		atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			     "%s: not a trace that can be imported; known formats: %s", input,
			     names);
	return NULL;
}

static gboolean make_folder(const char *path, GError **error)
{
	if (g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_DIR))
		return atomsim_fail(
			error, ATOMSIM_ERROR_IO,
			"%s: found a file; allowed: a folder, which a list of kernels becomes",
			path);
	if (g_mkdir_with_parents(path, 0777) == 0)
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_IO, "%s: cannot make the folder: %s", path,
			    g_strerror(errno));
}

/* Where a file's trace goes: a NULL-terminated list beside `files`, without duplicates. A list of kernels becomes a folder,
   however many it has: scripts know what they get. */
static char **plan_outputs(const Importer *importer, const char *input, char **files,
			   const char *output, GError **error)
{
	gboolean is_list = !g_str_equal(files[0], input) || files[1];
	gboolean folder = is_list || g_str_has_suffix(output, "/") ||
			  g_file_test(output, G_FILE_TEST_IS_DIR);
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);

	if (folder && !make_folder(output, error))
		return NULL;
	for (guint i = 0; files[i]; i++) {
		g_autofree char *stem = importer->stem(files[i]);
		g_autofree char *name = g_strconcat(stem, ".bin", NULL);
		g_autofree char *path =
			folder ? g_build_filename(output, name, NULL) : g_strdup(output);

		if (g_ptr_array_find_with_equal_func(paths, path, g_str_equal, NULL)) {
			atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				     "%s: a second kernel that would be written to %s",
				     files[i], path);
			return NULL;
		}
		g_ptr_array_add(paths, g_steal_pointer(&path));
	}
	g_ptr_array_add(paths, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&paths), FALSE);
}

static ImportedTrace *import_one(const Importer *importer, const char *file, const char *path,
				 const ImportProgress *progress, GError **error)
{
	g_autoptr(TraceWriter) writer = trace_writer_new(path, error);
	g_autofree char *metadata = NULL;
	ImportCounts counts = {0};
	ImportedTrace *trace;

	if (!writer)
		return NULL;
	metadata = importer->import(file, writer, &counts, progress, error);
	if (!metadata || !trace_writer_finish(g_steal_pointer(&writer), metadata, error))
		return NULL;
	trace = g_new0(ImportedTrace, 1);
	trace->path = g_strdup(path);
	trace->counts = counts;
	return trace;
}

GPtrArray *import_traces(const char *input, const char *output, const char *format,
			 const ImportProgress *progress, GError **error)
{
	const Importer *importer = find_importer(input, format, error);
	g_autoptr(GPtrArray) traces = g_ptr_array_new_with_free_func(imported_free);
	g_auto(GStrv) files = importer ? importer->files(input, error) : NULL;
	g_auto(GStrv) outputs =
		files ? plan_outputs(importer, input, files, output, error) : NULL;

	if (!outputs)
		return NULL;
	for (guint i = 0; files[i]; i++) {
		ImportedTrace *trace =
			import_one(importer, files[i], outputs[i], progress, error);

		if (!trace)
			return NULL;
		g_ptr_array_add(traces, trace);
	}
	return g_steal_pointer(&traces);
}
