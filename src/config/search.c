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

char **config_search_path(void)
{
	return installed_folders("configs", "configs", "ATOMSIM_CONFIG_PATH");
}

static gboolean is_file(const char *path)
{
	/* Not IS_REGULAR: a pipe is named and refused, not passed over. */
	return g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_DIR);
}

static char *find_exactly(const char *name, const char *folder)
{
	g_autofree char *path = folder && !g_path_is_absolute(name) && !g_str_equal(folder, ".")
					? g_build_filename(folder, name, NULL)
					: g_strdup(name);
	g_auto(GStrv) folders = NULL;

	if (is_file(path))
		return g_steal_pointer(&path);
	folders = config_search_path();
	return installed_find(folders, name, "");
}

char *config_find(const char *name, const char *folder)
{
	g_autofree char *longer = g_strconcat(name, ".json", NULL);
	char *path = find_exactly(name, folder);

	return path ? path : find_exactly(longer, folder);
}

char *config_not_found(const char *name)
{
	g_auto(GStrv) folders = config_search_path();
	g_autofree char *places = g_strjoinv(", ", folders);
	g_autoptr(GPtrArray) names = NULL;
	g_autofree char *short_name = g_str_has_suffix(name, ".json")
					      ? g_strndup(name, strlen(name) - strlen(".json"))
					      : g_strdup(name);
	g_autofree char *list = NULL;
	const char *similar = NULL;

	if (g_file_test(name, G_FILE_TEST_IS_DIR))
		return g_strdup_printf("%s: found a folder; allowed: a config file", name);
	if (strchr(name, '/'))
		return g_strdup_printf("%s: no such file", name);
	names = installed_short_names(folders, ".json");
	similar = atomsim_suggest(short_name, (const char *const *)names->pdata);
	if (similar)
		return g_strdup_printf("%s: no such config here or in %s; did you mean %s?",
				       name, places, similar);
	list = g_strjoinv(", ", (char **)names->pdata);
	return g_strdup_printf("%s: no such config here or in %s; there are: %s", name, places,
			       *list ? list : "none");
}

gboolean config_read(const char *path, char **text, gsize *length, GError **error)
{
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

gboolean config_is_installed(const char *path, const char *text, gsize length)
{
	g_autofree char *name = g_path_get_basename(path);
	g_auto(GStrv) folders = config_search_path();
	g_autofree char *installed = installed_find(folders, name, "");
	g_autofree char *other = NULL;
	gsize other_length;

	if (!installed || strcmp(installed, path) == 0)
		return installed != NULL;
	return g_file_get_contents(installed, &other, &other_length, NULL) &&
	       other_length == length && memcmp(other, text, length) == 0;
}
