/* SPDX-License-Identifier: MIT */
#include "shipped.h"

#include <string.h>

#define LEAST 18 /* of them: fewer are a folder not found */

/* A folder with a config.json is one config, with files that it needs; any other is looked into. */
static void add(GPtrArray *names, const char *folder, const char *prefix)
{
	g_autoptr(GDir) files = g_dir_open(folder, 0, NULL);
	const char *file;

	g_assert_nonnull(files);
	while ((file = g_dir_read_name(files)) != NULL) {
		g_autofree char *path = g_build_filename(folder, file, NULL);
		g_autofree char *below = g_strconcat(prefix, file, "/", NULL);
		g_autofree char *config = g_build_filename(path, "config.json", NULL);

		if (g_str_has_suffix(file, ".json"))
			g_ptr_array_add(names, g_strdup_printf("%s%.*s", prefix,
							       (int)strlen(file) - 5, file));
		else if (g_file_test(config, G_FILE_TEST_EXISTS))
			g_ptr_array_add(names, g_strconcat(prefix, file, NULL));
		else if (g_file_test(path, G_FILE_TEST_IS_DIR))
			add(names, path, below);
	}
}

static int compare(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **shipped_configs(void)
{
	g_autofree char *folder = g_build_filename(g_getenv("SOURCE"), "configs", NULL);
	GPtrArray *names = g_ptr_array_new();

	add(names, folder, "");
	g_assert_cmpuint(names->len, >=, LEAST);
	g_ptr_array_sort(names, compare);
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

guint test_share(void)
{
	const char *share = g_getenv("TEST_SHARE");

	return share ? (guint)MAX(g_ascii_strtoull(share, NULL, 10), 1) : 1;
}
