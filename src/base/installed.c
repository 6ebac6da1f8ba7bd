/* SPDX-License-Identifier: MIT */
#include "base/installed.h"

#include <string.h>

/* The folder of the checkout that the program was built in, beside or in it; NULL if it was not. */
static char *find_checkout(void)
{
	static const char *const ways[] = {".", ".."};
	g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *folder = program ? g_path_get_dirname(program) : NULL;

	for (guint i = 0; folder && i < G_N_ELEMENTS(ways); i++) {
		g_autofree char *place = g_canonicalize_filename(ways[i], folder);
		g_autofree char *mark =
			g_build_filename(place, "src", "base", "installed.c", NULL);

		if (g_file_test(mark, G_FILE_TEST_IS_REGULAR))
			return g_steal_pointer(&place);
	}
	return NULL;
}

char **installed_folders(const char *kind, const char *source, const char *variable)
{
	GPtrArray *folders = g_ptr_array_new();
	const char *list = g_getenv(variable);
	g_auto(GStrv) parts = g_strsplit(list ? list : "", G_SEARCHPATH_SEPARATOR_S, -1);
	g_autofree char *checkout = find_checkout();

	for (guint i = 0; parts[i]; i++)
		if (*parts[i])
			g_ptr_array_add(folders, g_strdup(parts[i]));
	if (checkout)
		g_ptr_array_add(folders, g_build_filename(checkout, source, NULL));
	g_ptr_array_add(folders, g_build_filename(ATOMSIM_PKGDATADIR, kind, NULL));
	g_ptr_array_add(folders, NULL);
	return (char **)g_ptr_array_free(folders, FALSE);
}

char *installed_find(char **folders, const char *name, const char *suffix)
{
	const char *const endings[] = {"", suffix};

	for (guint e = 0; !strchr(name, '/') && e < G_N_ELEMENTS(endings); e++) {
		for (guint i = 0; folders[i]; i++) {
			g_autofree char *file = g_strconcat(name, endings[e], NULL);
			g_autofree char *path = g_build_filename(folders[i], file, NULL);

			/* Not IS_REGULAR: a pipe is named and refused, not passed over. */
			if (g_file_test(path, G_FILE_TEST_EXISTS) &&
			    !g_file_test(path, G_FILE_TEST_IS_DIR))
				return g_steal_pointer(&path);
		}
	}
	return NULL;
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *installed_names(char **folders, const char *suffix)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; folders[i]; i++) {
		g_autoptr(GDir) dir = g_dir_open(folders[i], 0, NULL);
		const char *name = NULL;

		while (dir && (name = g_dir_read_name(dir)))
			if (g_str_has_suffix(name, suffix) &&
			    !g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
				g_ptr_array_add(names, g_strdup(name));
	}
	g_ptr_array_sort(names, compare_names);
	return names;
}

GPtrArray *installed_short_names(char **folders, const char *suffix)
{
	GPtrArray *names = installed_names(folders, suffix);

	for (guint i = 0; i < names->len; i++) {
		char *name = g_ptr_array_index(names, i);

		name[strlen(name) - strlen(suffix)] = '\0';
	}
	g_ptr_array_add(names, NULL);
	return names;
}
