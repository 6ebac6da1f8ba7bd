/* SPDX-License-Identifier: MIT */
/*
 * Traces that Accel-Sim's tracer made: a kernel's file, NAME.traceg or NAME.traceg.xz, or a folder
 * with a list of them, kernelslist.g, in the order of their launches.
 */
#include "trace/accelsim/accelsim.h"

#include <string.h>

#define LIST_NAME "kernelslist.g"

static gboolean is_list(const char *path)
{
	g_autofree char *base = g_path_get_basename(path);

	return strcmp(base, LIST_NAME) == 0;
}

static gboolean is_kernel(const char *path)
{
	return g_str_has_suffix(path, ".traceg") || g_str_has_suffix(path, ".traceg.xz");
}

static gboolean accepts(const char *path)
{
	g_autofree char *list = g_build_filename(path, LIST_NAME, NULL);

	return is_kernel(path) || is_list(path) || g_file_test(list, G_FILE_TEST_EXISTS);
}

static char *stem(const char *file)
{
	char *base = g_path_get_basename(file);

	if (g_str_has_suffix(base, ".xz"))
		base[strlen(base) - strlen(".xz")] = '\0';
	if (g_str_has_suffix(base, ".traceg"))
		base[strlen(base) - strlen(".traceg")] = '\0';
	return base;
}

/* Copies from the host are part of the list and of no kernel. */
static gboolean is_command(const char *line)
{
	return *line == '\0' || *line == '#' || g_str_has_prefix(line, "Memcpy");
}

/* A kernel of the list: it may have been compressed since. NULL and *error if it is none. */
static char *kernel_path(const LineReader *lines, const char *folder, const char *name,
			 GError **error)
{
	g_autofree char *path = g_path_is_absolute(name) ? g_strdup(name)
							 : g_build_filename(folder, name, NULL);
	g_autofree char *compressed = g_strconcat(path, ".xz", NULL);

	if (!is_kernel(name))
		lines_fail(lines, error,
			   "'%.60s' found; allowed: NAME.traceg, NAME.traceg.xz, Memcpy...",
			   name);
	else if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
		return g_steal_pointer(&path);
	else if (g_file_test(compressed, G_FILE_TEST_IS_REGULAR))
		return g_steal_pointer(&compressed);
	else
		lines_fail(lines, error, "%s is not there, or no regular file", path);
	return NULL;
}

static char **files_of_list(const char *path, GError **error)
{
	g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *folder = g_path_get_dirname(path);
	g_autoptr(LineReader) lines = lines_open(path, error);
	g_autoptr(GError) problem = NULL;
	char *line;

	while (lines && (line = lines_next(lines, &problem))) {
		char *file;

		if (is_command(g_strstrip(line)))
			continue;
		file = kernel_path(lines, folder, line, error);
		if (!file)
			return NULL;
		g_ptr_array_add(files, file);
	}
	if (!lines)
		return NULL;
	if (problem) {
		g_propagate_error(error, g_steal_pointer(&problem));
		return NULL;
	}
	if (files->len == 0) {
		lines_fail(lines, error, "the file ends here, without a kernel");
		return NULL;
	}
	g_ptr_array_add(files, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&files), FALSE);
}

static char **files(const char *path, GError **error)
{
	g_autofree char *list = g_build_filename(path, LIST_NAME, NULL);

	if (g_file_test(path, G_FILE_TEST_IS_DIR))
		return files_of_list(list, error);
	if (is_list(path))
		return files_of_list(path, error);
	return g_strsplit(path, "\n", 1);
}

const Importer importer_accelsim = {
	.name = "accel-sim",
	.summary = "Accel-Sim's tracer, versions 0 to 5: NAME.traceg, NAME.traceg.xz, a folder "
		   "with kernelslist.g",
	.accepts = accepts,
	.files = files,
	.stem = stem,
	.import = accelsim_import,
};
