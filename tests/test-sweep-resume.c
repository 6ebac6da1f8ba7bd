/* SPDX-License-Identifier: MIT */
/* Where a sweep goes on: what it reads of what was done. Counted, as time depends on what else runs. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "explore/sweep/folder.h"
#include "explore/sweep/seal.h"

#define N_POINTS 100000
#define N_LEFT	 10 /* points that were not done: each ten thousandth */

static guint64 n_allocated; /* by cJSON: something for each value of what it parses */

static void *count_and_allocate(size_t size)
{
	n_allocated++;
	return malloc(size);
}

static gboolean is_left(guint point)
{
	return point % (N_POINTS / N_LEFT) == 7;
}

/* Lines as a journal has them, of all points but those that are left. */
static GString *lines_of(const char *identity)
{
	GString *lines = g_string_new(NULL);

	for (guint point = 0; point < N_POINTS; point++) {
		char *line;

		if (is_left(point))
			continue;
		line = seal_line(
			g_strdup_printf("{\"point\":%u,\"status\":\"complete\",\"counts"
					"\":[%u,0,[1,2,3],{\"a\":[4,5,6,7,8,9]}]}\n",
					point + 1, point),
			identity);
		g_string_append(lines, line);
		g_free(line);
	}
	return lines;
}

/* Bytes that this process has asked the kernel for, or 0 where nothing says it. */
static guint64 bytes_read(void)
{
	g_autofree char *text = NULL;

	if (!g_file_get_contents("/proc/self/io", &text, NULL, NULL) ||
	    !g_str_has_prefix(text, "rchar: "))
		return 0;
	return g_ascii_strtoull(text + strlen("rchar: "), NULL, 10);
}

static SweepFolder *open_folder(const char *path, const cJSON *manifest, gboolean resume)
{
	const SweepShard all = {1, 1};
	g_autoptr(GError) error = NULL;
	SweepFolder *folder = sweep_folder_open(path, manifest, &all, N_POINTS, resume, &error);

	g_assert_no_error(error);
	return folder;
}

static void remove_folder(const char *path)
{
	static const char *const names[] = {SWEEP_MANIFEST, SWEEP_JOURNAL, SWEEP_LOCK};

	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *name = g_build_filename(path, names[i], NULL);

		g_unlink(name);
	}
	g_assert_cmpint(g_rmdir(path), ==, 0);
}

/* What was done is read once, and no line of it is parsed, before the first point of a sweep that is nearly done. */
static void test_resume_of_100000_points_reads_them_once(void)
{
	g_autofree char *path = g_dir_make_tmp("atomsim-resume-XXXXXX", NULL);
	cJSON *manifest = cJSON_Parse("{\"trace\":\"a.bin\",\"counts\":[\"cycles\"]}");
	SweepFolder *folder = open_folder(path, manifest, FALSE);
	GString *lines = lines_of(sweep_folder_identity(folder));
	g_autoptr(GError) error = NULL;
	guint64 before, n_read;
	guint n_missing = 0;

	g_assert_true(sweep_folder_append(folder, lines->str, lines->len, &error));
	g_assert_no_error(error);
	sweep_folder_close(folder);

	n_allocated = 0;
	before = bytes_read();
	folder = open_folder(path, manifest, TRUE);
	n_read = bytes_read() - before;
	for (guint point = 0; point < N_POINTS; point++) {
		g_assert(sweep_folder_has(folder, point) != is_left(point));
		n_missing += is_left(point);
	}
	g_assert_cmpuint(n_missing, ==, N_LEFT);
	g_test_message("%" G_GUINT64_FORMAT
		       " bytes read of a journal of %zu, %" G_GUINT64_FORMAT " values parsed",
		       n_read, lines->len, n_allocated);
	g_assert_cmpuint(n_allocated, <, 100);
	if (before > 0)
		g_assert_cmpuint(n_read, <, lines->len + lines->len / 10);
	sweep_folder_close(folder);
	remove_folder(path);
	g_string_free(lines, TRUE);
	cJSON_Delete(manifest);
}

int main(int argc, char **argv)
{
	cJSON_Hooks hooks = {count_and_allocate, free};

	g_test_init(&argc, &argv, NULL);
	cJSON_InitHooks(&hooks);
	g_test_add_func("/sweep-resume/100,000 points are read once and none is parsed",
			test_resume_of_100000_points_reads_them_once);
	return g_test_run();
}
