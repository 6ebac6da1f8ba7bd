/* SPDX-License-Identifier: MIT */
/* What a page quotes: a trace names files, and is anybody's. */
#include "report/html/html.h"
#include "report/lines.h"

#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

typedef struct {
	char *folder;
	cJSON *metadata;
	GPtrArray *costly; /* of ReportLine */
	RunReport report;
	GPtrArray *left_out;
	cJSON *sources; /* what the page would hold */
} Fixture;

static void setup(Fixture *fixture, gconstpointer data)
{
	(void)data;
	fixture->folder = g_dir_make_tmp("atomsim-test-XXXXXX", NULL);
	g_assert_nonnull(fixture->folder);
	fixture->metadata = cJSON_CreateObject();
	cJSON_AddArrayToObject(fixture->metadata, "sites");
	fixture->report = (RunReport){.metadata = fixture->metadata};
	fixture->costly = g_ptr_array_new_with_free_func(g_free);
	fixture->left_out = g_ptr_array_new_with_free_func(g_free);
}

/* The folder with one folder in it, kernels/. */
static void remove_all(const char *path)
{
	g_autoptr(GDir) names = g_dir_open(path, 0, NULL);
	const char *name;

	while (names && (name = g_dir_read_name(names))) {
		g_autofree char *within = g_build_filename(path, name, NULL);

		if (!g_file_test(within, G_FILE_TEST_IS_SYMLINK) &&
		    g_file_test(within, G_FILE_TEST_IS_DIR))
			remove_all(within);
		else
			g_assert_cmpint(g_unlink(within), ==, 0);
	}
	g_rmdir(path);
}

static void teardown(Fixture *fixture, gconstpointer data)
{
	(void)data;
	remove_all(fixture->folder);
	g_free(fixture->folder);
	cJSON_Delete(fixture->metadata);
	cJSON_Delete(fixture->sources);
	g_ptr_array_unref(fixture->left_out);
	g_ptr_array_unref(fixture->costly);
}

/* A costly site at line 2 of what the trace calls `file`. */
static void add_site(Fixture *fixture, const char *file)
{
	cJSON *sites = cJSON_GetObjectItemCaseSensitive(fixture->metadata, "sites");
	cJSON *site = cJSON_CreateObject();
	ReportLine *line = g_new0(ReportLine, 1);

	cJSON_AddStringToObject(site, "file", file);
	cJSON_AddNumberToObject(site, "line", 2);
	cJSON_AddItemToArray(sites, site);
	line->file = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(site, "file"));
	line->line = 2;
	g_ptr_array_add(fixture->costly, line);
}

static char *path_in(const Fixture *fixture, const char *name)
{
	return g_build_filename(fixture->folder, name, NULL);
}

static void add_file(const Fixture *fixture, const char *name)
{
	g_autofree char *path = path_in(fixture, name);
	g_autofree char *folder = g_path_get_dirname(path);

	g_mkdir_with_parents(folder, 0777);
	g_assert_true(g_file_set_contents(path, "first\nsecond\nthird\n", -1, NULL));
}

static void add_link(const Fixture *fixture, const char *target, const char *name)
{
	g_autofree char *path = path_in(fixture, name);

	g_assert_cmpint(symlink(target, path), ==, 0);
}

/* The names that the page would quote, or does not although they are there, with spaces between. g_free. */
static char *quoted(Fixture *fixture)
{
	GString *names = g_string_new(NULL);
	const cJSON *source;

	cJSON_Delete(fixture->sources);
	g_ptr_array_set_size(fixture->left_out, 0);
	fixture->sources = html_sources(&fixture->report, fixture->costly, fixture->folder,
					fixture->left_out);
	cJSON_ArrayForEach(source, fixture->sources) g_string_append_printf(
		names, "%s ",
		cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(source, "name")));
	return g_string_free(names, FALSE);
}

static char *left_out(const Fixture *fixture)
{
	GString *names = g_string_new(NULL);

	for (guint i = 0; i < fixture->left_out->len; i++) {
		const char *line = g_ptr_array_index(fixture->left_out, i);

		g_string_append_len(names, line, strchr(line, ':') - line);
		g_string_append_c(names, ' ');
	}
	return g_string_free(names, FALSE);
}

static void expect(Fixture *fixture, const char *names, const char *others)
{
	g_autofree char *found = quoted(fixture);
	g_autofree char *not_found = left_out(fixture);

	g_assert_cmpstr(found, ==, names);
	g_assert_cmpstr(not_found, ==, others);
}

static void test_sources_are_quoted(Fixture *fixture, gconstpointer data)
{
	static const char *const names[] = {"a.cu",  "b.cuh", "c.c",   "d.cc", "e.cpp",
					    "f.cxx", "g.h",   "i.hpp", "j.hh", "k.inl"};

	(void)data;
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		add_site(fixture, names[i]);
		add_file(fixture, names[i]);
	}
	expect(fixture, "a.cu b.cuh c.c d.cc e.cpp f.cxx g.h i.hpp j.hh k.inl ", "");
}

static void test_kernels_and_folders(Fixture *fixture, gconstpointer data)
{
	(void)data;
	add_file(fixture, "kernels/a.cu");
	add_file(fixture, "kernels/b.txt");
	add_file(fixture, "c.py");
	add_site(fixture, "a.cu");
	add_site(fixture, "b.txt");
	add_site(fixture, "/home/else/where/../c.py");
	add_site(fixture, "not-there.cu");
	add_site(fixture, "");
	add_site(fixture, "..");
	expect(fixture, "a.cu /home/else/where/../c.py ", "b.txt ");
}

static void test_other_files_are_not(Fixture *fixture, gconstpointer data)
{
	static const char *const names[] = {"secret.env", ".netrc", ".hidden.cu", "notes",
					    "id_rsa",	  "a.cu~",  "a.CU.bak",	  "c."};

	(void)data;
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		add_site(fixture, names[i]);
		add_file(fixture, names[i]);
	}
	expect(fixture, "", "secret.env .netrc .hidden.cu notes id_rsa a.cu~ a.CU.bak c. ");
}

static void test_links_and_devices_are_not(Fixture *fixture, gconstpointer data)
{
	g_autofree char *fifo = path_in(fixture, "fifo.cu");

	(void)data;
	add_file(fixture, "real.cu");
	add_link(fixture, "real.cu", "link.cu");
	add_link(fixture, "/dev/zero", "zero.cu");
	add_link(fixture, "nowhere", "dangling.cu");
	g_assert_cmpint(mkfifo(fifo, 0600), ==, 0);
	add_site(fixture, "link.cu");
	add_site(fixture, "zero.cu");
	add_site(fixture, "dangling.cu");
	add_site(fixture, "fifo.cu");
	add_site(fixture, "real.cu");
	expect(fixture, "real.cu ", "link.cu zero.cu dangling.cu fifo.cu ");
}

/* A link in the place of the folder would be any folder of the reader's. */
static void test_linked_kernels_are_not(Fixture *fixture, gconstpointer data)
{
	(void)data;
	add_file(fixture, "other/a.cu");
	add_link(fixture, "other", "kernels");
	add_site(fixture, "a.cu");
	expect(fixture, "", "a.cu ");
}

static void test_another_version_is_not(Fixture *fixture, gconstpointer data)
{
	g_autofree char *path = path_in(fixture, "a.cu");

	(void)data;
	add_site(fixture, "a.cu");
	g_assert_true(g_file_set_contents(path, "first", -1, NULL));
	expect(fixture, "", "a.cu ");
	g_assert_true(g_file_set_contents(path, "\xff\n\xff\n", -1, NULL));
	expect(fixture, "", "a.cu ");
}

#define ADD(name, function) g_test_add("/html/" name, Fixture, NULL, setup, function, teardown)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD("sources beside the trace are quoted", test_sources_are_quoted);
	ADD("those in kernels are quoted, by their base name", test_kernels_and_folders);
	ADD("files that are no sources are not quoted", test_other_files_are_not);
	ADD("links, pipes and devices are not quoted", test_links_and_devices_are_not);
	ADD("a linked folder is not looked into", test_linked_kernels_are_not);
	ADD("another version of a source is not quoted", test_another_version_is_not);
	return g_test_run();
}
