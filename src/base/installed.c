/* SPDX-License-Identifier: MIT */
#include "base/installed.h"

#include <string.h>

/* Where this code was loaded from: the program, or the library in somebody else's. NULL: nobody says. */
static char *read_own_file(void)
{
	g_autofree char *maps = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents("/proc/self/maps", &maps, NULL, NULL))
		return NULL;
	lines = g_strsplit(maps, "\n", -1);
	for (guint i = 0; lines[i]; i++) {
		const char *path = strchr(lines[i], '/');
		char *end = NULL;
		guint64 first = g_ascii_strtoull(lines[i], &end, 16);
		guint64 behind = *end == '-' ? g_ascii_strtoull(end + 1, NULL, 16) : 0;

		if (path && first <= (guintptr)read_own_file &&
		    (guintptr)read_own_file < behind)
			return g_strdup(path);
	}
	return NULL;
}

static void *keep_own_file(void *data)
{
	(void)data;
	return read_own_file();
}

/* The same, read once: a config asks for it each time that it is loaded, and the list of all that is mapped is long. No
   g_once_init_enter: it allocates under the lock that what GLib says of a failure takes. */
static const char *find_own_file(void)
{
	static GOnce once = G_ONCE_INIT;

	return g_once(&once, keep_own_file, NULL);
}

/* The folder of the checkout that our own file was built in: a program in it or in its build folder, a library in the .libs
   there. NULL: it was not. */
static char *find_checkout(void)
{
	static const char *const ways[] = {".", ".."};
	const char *own = find_own_file();
	g_autofree char *folder = own ? g_path_get_dirname(own) : NULL;

	if (folder && g_str_has_suffix(folder, "/.libs"))
		folder[strlen(folder) - strlen("/.libs")] = '\0';
	for (guint i = 0; folder && i < G_N_ELEMENTS(ways); i++) {
		g_autofree char *place = g_canonicalize_filename(ways[i], folder);
		g_autofree char *mark =
			g_build_filename(place, "src", "base", "installed.c", NULL);

		if (g_file_test(mark, G_FILE_TEST_IS_REGULAR))
			return g_steal_pointer(&place);
	}
	return NULL;
}

/* Of an installation that was moved or made elsewhere than configured: the folder of data that lies as far from our own
   file as configure was given. NULL: our file does not lie as installed. */
static char *find_beside(void)
{
	const char *own = find_own_file();
	g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *folder = own ? g_path_get_dirname(own) : NULL;
	g_auto(GStrv) from =
		g_strsplit(g_strcmp0(own, program) ? ATOMSIM_LIBDIR : ATOMSIM_BINDIR, "/", -1);
	g_auto(GStrv) to = g_strsplit(ATOMSIM_PKGDATADIR, "/", -1);
	g_autofree char *up = NULL, *down = NULL, *end = NULL;
	guint same = 0;

	while (from[same] && to[same] && g_str_equal(from[same], to[same]))
		same++;
	up = g_strjoinv("/", from + same);
	down = g_strjoinv("/", to + same);
	end = g_strconcat(*up ? "/" : "", up, NULL);
	if (!folder || !g_str_has_suffix(folder, end))
		return NULL;
	folder[strlen(folder) - strlen(end)] = '\0';
	return g_build_filename(*folder ? folder : "/", down, NULL);
}

char **installed_folders(const char *kind, const char *source, const char *variable)
{
	GPtrArray *folders = g_ptr_array_new();
	const char *list = g_getenv(variable);
	g_auto(GStrv) parts = g_strsplit(list ? list : "", G_SEARCHPATH_SEPARATOR_S, -1);
	g_autofree char *checkout = find_checkout(), *beside = find_beside();

	for (guint i = 0; parts[i]; i++)
		if (*parts[i])
			g_ptr_array_add(folders, g_strdup(parts[i]));
	if (checkout)
		g_ptr_array_add(folders, g_build_filename(checkout, source, NULL));
	if (beside && !g_str_equal(beside, ATOMSIM_PKGDATADIR))
		g_ptr_array_add(folders, g_build_filename(beside, kind, NULL));
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
