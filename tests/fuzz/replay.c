/* SPDX-License-Identifier: MIT */
/*
 * Stands in for libFuzzer where there is none: hands each file of a corpus to a fuzz target once,
 * and prints TAP. As replay-NAME it replays tests/fuzz/corpus-NAME; or the files and folders given.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static guint n_replayed;

static void replay_file(const char *path)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *text = NULL;
	g_autofree char *name = g_path_get_basename(path);
	gsize length = 0;

	if (!g_file_get_contents(path, &text, &length, &error)) {
		printf("Bail out! %s\n", error->message);
		exit(1);
	}
	/* A copy of its own size, so that a sanitizer sees a read past the end. */
	g_autofree uint8_t *data = g_memdup2(text, length);
	LLVMFuzzerTestOneInput(data, length);
	printf("ok %u - %s is taken without a crash\n", ++n_replayed, name);
	fflush(stdout);
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void replay(const char *path)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	GDir *folder = g_dir_open(path, 0, NULL);
	const char *name = NULL;

	if (!folder) {
		replay_file(path);
		return;
	}
	while ((name = g_dir_read_name(folder)))
		g_ptr_array_add(names, g_build_filename(path, name, NULL));
	g_dir_close(folder);
	g_ptr_array_sort(names, compare_names);
	for (guint i = 0; i < names->len; i++)
		replay_file(names->pdata[i]);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		replay(argv[i]);
	if (argc == 1) {
		g_autofree char *program = g_path_get_basename(argv[0]);
		g_autofree char *corpus =
			g_strconcat("corpus-", strrchr(program, '-') + 1, NULL);
		g_autofree char *path =
			g_build_filename(g_getenv("SOURCE") ? g_getenv("SOURCE") : ".", "tests",
					 "fuzz", corpus, NULL);
		replay(path);
	}
	printf("1..%u\n", n_replayed);
	return n_replayed ? 0 : 1;
}
