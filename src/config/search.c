/* SPDX-License-Identifier: MIT */
#include "config/search.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config/config.h"
#include "config/document.h"
#include "base/error.h"
#include "base/input.h"
#include "base/installed.h"
#include "base/text.h"

#define SUFFIX	  ".json"
#define IN_FOLDER "/config.json" /* of a machine that is a folder */

/* The folders searched for names, NULL-terminated. g_strfreev. */
static char **search_path(void)
{
	return installed_folders("configs", "configs", "ATOMSIM_CONFIG_PATH");
}

static gboolean is_file(const char *path)
{
	/* Not IS_REGULAR: a pipe is named and refused, not passed over. */
	return g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_DIR);
}

/* PLACE/NAME SUFFIX, if that is a file. g_free. */
static char *find_file(const char *place, const char *name, const char *suffix)
{
	g_autofree char *file = g_strconcat(name, suffix, NULL);
	char *path = *place ? g_build_filename(place, file, NULL) : g_strdup(file);

	if (is_file(path))
		return path;
	g_free(path);
	return NULL;
}

/* The first that the name means in those places. */
static char *find_in(char **places, const char *name)
{
	const gboolean longer = g_str_has_suffix(name, SUFFIX);
	g_autofree char *stem = g_strndup(name, strlen(name) - (longer ? strlen(SUFFIX) : 0));
	char *path = NULL;

	for (guint i = 0; places[i] && !path; i++)
		path = find_file(places[i], name, "");
	for (guint i = 0; places[i] && !path && *name; i++) {
		path = find_file(places[i], name, SUFFIX);
		if (!path)
			path = find_file(places[i], name, IN_FOLDER);
		if (!path && longer)
			path = find_file(places[i], stem, IN_FOLDER);
	}
	return path;
}

char *config_find_installed(const char *name)
{
	g_auto(GStrv) folders = search_path();

	return find_in(folders, name);
}

/* Not a path that says where it begins: a name, or one in a folder, "designs/fifo". */
static gboolean is_name(const char *name)
{
	return *name != '/' && *name != '.';
}

char *config_find(const char *name, const char *folder)
{
	const gboolean elsewhere =
		folder && !g_path_is_absolute(name) && !g_str_equal(folder, ".");
	g_autoptr(GPtrArray) places = g_ptr_array_new();
	g_auto(GStrv) folders = search_path();

	if (strcmp(name, "-") == 0 && folder == NULL)
		return g_strdup(name);
	g_ptr_array_add(places, (gpointer)(elsewhere ? folder : ""));
	for (guint i = 0; folders[i] && is_name(name); i++)
		g_ptr_array_add(places, folders[i]);
	g_ptr_array_add(places, NULL);
	return find_in((char **)places->pdata, name);
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds the names of folders that are machines. */
static void add_folders(GPtrArray *names, const char *folder)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name = NULL;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *config = find_file(folder, name, IN_FOLDER);
		g_autofree char *shown = g_strconcat(name, SUFFIX, NULL);

		if (config &&
		    !g_ptr_array_find_with_equal_func(names, shown, g_str_equal, NULL))
			g_ptr_array_add(names, g_steal_pointer(&shown));
	}
}

GPtrArray *config_names(void)
{
	g_auto(GStrv) folders = search_path();
	GPtrArray *names = installed_names(folders, SUFFIX);

	for (guint i = 0; folders[i]; i++)
		add_folders(names, folders[i]);
	g_ptr_array_sort(names, compare_names);
	return names;
}

GPtrArray *config_matching(const char *pattern)
{
	g_auto(GStrv) folders = search_path();
	g_autofree char *folder = g_path_get_dirname(pattern);
	g_autofree char *name = g_path_get_basename(pattern);
	const gboolean deeper = strchr(pattern, '/') != NULL;
	g_autoptr(GPtrArray) places = g_ptr_array_new_with_free_func(g_free), names = NULL;
	GPtrArray *found = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; folders[i]; i++)
		g_ptr_array_add(places, g_build_filename(folders[i], folder, NULL));
	g_ptr_array_add(places, NULL);
	names = deeper ? installed_names((char **)places->pdata, SUFFIX) : config_names();
	g_ptr_array_sort(names, compare_names);
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *stem =
			g_strndup(names->pdata[i], strlen(names->pdata[i]) - strlen(SUFFIX));

		if (g_pattern_match_simple(name, stem) ||
		    g_pattern_match_simple(name, names->pdata[i]))
			g_ptr_array_add(found, deeper ? g_build_filename(folder, stem, NULL)
						      : g_strdup(stem));
	}
	return found;
}

char *config_not_found(const char *name)
{
	g_auto(GStrv) folders = search_path();
	g_autofree char *places = g_strjoinv(", ", folders);
	g_autoptr(GPtrArray) names = config_names();
	g_autofree char *short_name = g_str_has_suffix(name, SUFFIX)
					      ? g_strndup(name, strlen(name) - strlen(SUFFIX))
					      : g_strdup(name);
	g_autofree char *list = NULL, *shown = text_printable(name);
	const char *similar = NULL;

	if (g_file_test(name, G_FILE_TEST_IS_DIR))
		return g_strdup_printf("%s: found a folder without config.json; allowed: a "
				       "config file, or a folder with it",
				       shown);
	if (strchr(name, '/'))
		return g_strdup_printf("%s: no such file", shown);
	for (guint i = 0; i < names->len; i++)
		((char *)names->pdata[i])[strlen(names->pdata[i]) - strlen(SUFFIX)] = '\0';
	g_ptr_array_add(names, NULL);
	similar = atomsim_suggest(short_name, (const char *const *)names->pdata);
	if (similar)
		return g_strdup_printf("%s: no such config here or in %s; did you mean %s?",
				       shown, places, similar);
	list = g_strjoinv(", ", (char **)names->pdata);
	return g_strdup_printf("%s: no such config here or in %s; there are: %s", shown, places,
			       *list ? list : "none");
}

/* Read once: a config may be loaded again, with other settings. */
static gboolean read_stdin(char **text, gsize *length, GError **error)
{
	static GMutex lock;
	static char *kept;
	static gsize n_kept;
	g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);

	if (kept == NULL && !input_read_open(STDIN_FILENO, "standard input", DOCUMENT_MAX_BYTES,
					     "a config file", &kept, &n_kept, error))
		return FALSE;
	*text = g_memdup2(kept, n_kept + 1);
	*length = n_kept;
	return TRUE;
}

gboolean config_read(const char *path, char **text, gsize *length, GError **error)
{
	if (strcmp(path, "-") == 0)
		return read_stdin(text, length, error);

	int fd = input_open_file(path, "a config file", error);
	FILE *stream = fd >= 0 ? fdopen(fd, "rb") : NULL;
	int number = errno;

	if (fd < 0)
		return FALSE;
	if (stream) {
		/* One byte more than allowed: what is too long is refused with its place. */
		*text = g_malloc(DOCUMENT_MAX_BYTES + 2);
		*length = fread(*text, 1, DOCUMENT_MAX_BYTES + 1, stream);
		(*text)[*length] = '\0';
		number = ferror(stream) ? errno : 0;
		fclose(stream);
		if (number == 0)
			return TRUE;
		g_clear_pointer(text, g_free);
	} else {
		close(fd);
	}
	return atomsim_fail(error, ATOMSIM_ERROR_IO, "%s: cannot read: %s", path,
			    g_strerror(number));
}

char *config_beside(const char *path_or_name, const char *name)
{
	g_autofree char *found = config_find(path_or_name, NULL);
	const char *path = found ? found : path_or_name;
	g_autofree char *folder = g_path_get_dirname(path);
	g_autofree char *file = g_path_get_basename(path);
	char *beside = NULL;

	if (g_str_equal(file, &IN_FOLDER[1]))
		beside = g_build_filename(folder, name, NULL);
	if (beside && !is_file(beside))
		g_clear_pointer(&beside, g_free);
	return beside;
}
