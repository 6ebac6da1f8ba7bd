/* SPDX-License-Identifier: MIT */
/* Configs on disk: how they are found, and how they extend one another. */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "config/config.h"
#include "config/document.h"
#include "base/error.h"

#define FERMI "fermi.json"

/* A folder of its own for each test, made the current one. */
typedef struct {
	char *folder, *before;
} Place;

static void place_set_up(Place *place, gconstpointer data)
{
	(void)data;
	place->before = g_get_current_dir();
	place->folder = g_dir_make_tmp("test-config-XXXXXX", NULL);
	g_assert_cmpint(g_chdir(place->folder), ==, 0);
}

static void remove_folder(const char *folder)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name = NULL;

	while ((name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);

		if (g_file_test(path, G_FILE_TEST_IS_DIR) &&
		    !g_file_test(path, G_FILE_TEST_IS_SYMLINK))
			remove_folder(path);
		else
			g_unlink(path);
	}
	g_rmdir(folder);
}

static void place_tear_down(Place *place, gconstpointer data)
{
	(void)data;
	g_assert_cmpint(g_chdir(place->before), ==, 0);
	remove_folder(place->folder);
	g_free(place->folder);
	g_free(place->before);
}

static void write_file(const char *path, const char *text)
{
	g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void assert_load_fails(const char *name, AtomsimErrorCode code, const char *expected)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = config_load(name, NULL, &error);

	g_assert_null(config);
	g_assert_error(error, ATOMSIM_ERROR, (gint)code);
	g_assert_cmpstr(error->message, ==, expected);
}

static guint32 clock_of(const char *name)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = config_load(name, NULL, &error);

	g_assert_no_error(error);
	return config_machine(config)->clock_mhz;
}

static void test_names_are_searched_in_order(Place *place, gconstpointer data)
{
	g_autofree char *before = g_strdup(g_getenv("ATOMSIM_CONFIG_PATH"));

	(void)place;
	(void)data;
	g_mkdir("a", 0777);
	g_mkdir("b", 0777);
	write_file("here.json", "{\"clock_mhz\": 1}");
	write_file("a/here.json", "{\"clock_mhz\": 2}");
	write_file("a/two.json", "{\"clock_mhz\": 3}");
	write_file("b/two.json", "{\"clock_mhz\": 4}");
	write_file("b/two", "{\"clock_mhz\": 5}");
	write_file("b/last.json", "{\"clock_mhz\": 6}");
	g_setenv("ATOMSIM_CONFIG_PATH", "a::b", TRUE);
	g_assert_cmpuint(clock_of("here.json"), ==, 1);
	g_assert_cmpuint(clock_of("a/here.json"), ==, 2);
	g_assert_cmpuint(clock_of("two.json"), ==, 3);
	g_assert_cmpuint(clock_of("two"), ==, 5); /* .json is added only when nothing fits */
	g_assert_cmpuint(clock_of("last"), ==, 6);
	g_assert_cmpuint(clock_of("./here"), ==, 1);
	g_setenv("ATOMSIM_CONFIG_PATH", before ? before : "", TRUE);
}

/* A machine that is a folder: by its name, with .json or without, by a path, and from and to other configs. */
static void test_folders_are_machines(Place *place, gconstpointer data)
{
	g_autofree char *before = g_strdup(g_getenv("ATOMSIM_CONFIG_PATH"));
	g_autoptr(GPtrArray) names = NULL;
	guint one, two, three;

	(void)place;
	(void)data;
	g_mkdir("a", 0777);
	g_mkdir("a/one", 0777);
	g_mkdir("a/one.json", 0777); /* no config in it */
	g_mkdir("b", 0777);
	g_mkdir("b/one", 0777);
	g_mkdir("b/two", 0777);
	write_file("a/one/config.json", "{\"clock_mhz\": 1}");
	write_file("b/one/config.json", "{\"clock_mhz\": 2}");
	write_file("b/two/config.json", "{\"extends\": \"one\", \"sm\": {\"count\": 3}}");
	write_file("b/three.json", "{\"extends\": \"two.json\"}");
	write_file("a/two.json", "{\"clock_mhz\": 4}");
	g_setenv("ATOMSIM_CONFIG_PATH", "a:b", TRUE);
	g_assert_cmpuint(clock_of("one"), ==, 1);
	g_assert_cmpuint(clock_of("one.json"), ==, 1);
	g_assert_cmpuint(clock_of("b/one"), ==, 2);
	g_assert_cmpuint(clock_of("b/one.json"), ==, 2);
	g_assert_cmpuint(clock_of("b/two"), ==, 1);
	g_assert_cmpuint(clock_of("two"), ==, 4);
	g_assert_cmpuint(clock_of("three"), ==, 4);
	names = config_names();
	/* A program that was built in the sources' folder finds the shipped ones, too. */
	g_assert_true(g_ptr_array_find_with_equal_func(names, "one.json", g_str_equal, &one));
	g_assert_true(
		g_ptr_array_find_with_equal_func(names, "three.json", g_str_equal, &three));
	g_assert_true(g_ptr_array_find_with_equal_func(names, "two.json", g_str_equal, &two));
	g_assert_cmpuint(one, <, three);
	g_assert_cmpuint(three, <, two);
	g_setenv("ATOMSIM_CONFIG_PATH", before ? before : "", TRUE);
}

#define MAP_OF(members)                                                                        \
	"{\"line_bits\": [1], \"pages\": [[0, 1], [1, 0]], \"group_sms\": [2, 4]" members "}"
#define ONE_PARTITION                                                                          \
	"\"partitions\": 1, \"slices\": 2, \"page_slices\": 1, \"partition_mask\": 0"

/* A map in a file of its own, found from the config's folder, is the same as one in the config, and stays in it. */
static void test_maps_have_files(Place *place, gconstpointer data)
{
	g_autoptr(Config) from_file = NULL, embedded = NULL, again = NULL;
	g_autofree char *a = NULL, *b = NULL, *c = NULL;

	(void)place;
	(void)data;
	g_mkdir("g", 0777);
	write_file("g/map.json", MAP_OF(", \"description\": \"x\""));
	write_file("g/config.json", "{\"l2\": {\"map\": \"map.json\", " ONE_PARTITION "}}");
	write_file("e.json", "{\"l2\": {\"map\": " MAP_OF("") ", " ONE_PARTITION "}}");
	from_file = config_load("g", NULL, NULL);
	embedded = config_load("e.json", NULL, NULL);
	a = config_to_json(from_file);
	b = config_to_json(embedded);
	g_assert_cmpstr(a, ==, b);
	g_assert_nonnull(strstr(a, "[[0, 1], [1, 0]]"));
	write_file("whole.json", a);
	again = config_load("whole.json", NULL, NULL);
	c = config_to_json(again);
	g_assert_cmpstr(a, ==, c);
}

/* What is wrong with a map is said of its place in its own file. */
static void test_maps_are_checked(Place *place, gconstpointer data)
{
	static const struct {
		const char *text, *problem;
	} maps[] = {
		{"[1]",
		 "1:1: found an array; allowed: \"walk\", a map as an object or, in a config "
		 "file, the name of a file that has one"},
		{"{\n\"line_bits\": [1]}", "1:1: a map without pages; allowed: with it"},
		{MAP_OF(",\n \"sms\": 1"),
		 "2:9: a map has no such member; allowed: line_bits, pages, way_bits, "
		 "group_sms, "
		 "group_partition, first_sms, tpc_sms, clusters, description"},
		{"{\"line_bits\": [1],\n\"pages\": [[0, 1], [256, 0]], \"group_sms\": [2]}",
		 "2:20: pages: allowed: whole numbers from 0 to 255"},
		{"{\"line_bits\": [1],\n\"pages\": [[0, 1], [0]], \"group_sms\": [2]}",
		 "2:19: pages: has 1 slices; allowed: 2, one for each value of the 1 "
		 "line_bits"},
		{"{\"line_bits\": [1],\n\"pages\": [[0, 1], [0, 1], [0, 1]], \"group_sms\": "
		 "[2]}",
		 "2:10: pages: allowed: an array of pages, a power of two and at most 2048"},
		{"{\"line_bits\": [1],\n\"pages\": [[0, 2]], \"group_sms\": [2]}",
		 "2:10: pages: no page has slice 1, but one has 2"},
		{"{\"line_bits\": [1, 1],\n\"pages\": [[0, 1]], \"group_sms\": [2]}",
		 "1:15: line_bits: has 1 twice"},
		{MAP_OF(", \"tpc_sms\":\n4"),
		 "1:61: group_sms: allowed: multiples of tpc_sms, 4"},
		{MAP_OF(", \"first_sms\": 2"), "1:60: first_sms: found 2; allowed: a multiple "
					       "of tpc_sms below the 2 of the first "
					       "group"},
		{MAP_OF(", \"group_partition\":\n[0]"),
		 "2:1: group_partition: has 1; allowed: 2, as group_sms"},
		{MAP_OF(", \"group_partition\":\n[0, 2]"),
		 "2:5: group_partition: allowed: whole numbers from 0 to 1"},
	};

	(void)place;
	(void)data;
	write_file("c.json", "{\"l2\": {\"map\": \"map.json\", " ONE_PARTITION "}}");
	for (guint i = 0; i < G_N_ELEMENTS(maps); i++) {
		g_autofree char *problem = g_strconcat("map.json:", maps[i].problem, NULL);

		write_file("map.json", maps[i].text);
		assert_load_fails("c.json", ATOMSIM_ERROR_CONFIG, problem);
	}
	write_file("map.json", MAP_OF(""));
	write_file("c.json", "{\"l2\": {\"map\": \"map.json\", \"partitions\": 1}}");
	assert_load_fails("c.json", ATOMSIM_ERROR_CONFIG,
			  "c.json:1:16: /l2/map: l2.map is a map, l2.partitions is 1, "
			  "l2.slices is 1; allowed: as many l2.partitions and l2.slices as the "
			  "map has");
	write_file("c.json",
		   "{\"l2\": {\"map\": \"map.json\", \"page_bytes\": 256, " ONE_PARTITION "}}");
	assert_load_fails("c.json", ATOMSIM_ERROR_CONFIG,
			  "c.json:1:16: /l2/map: l2.map is a map, l2.page_bytes is 256; "
			  "allowed: line_bits of a map for lines of a page of l2.page_bytes");
	write_file("c.json", "{\"l2\": {\"map\": \"no.json\"}}");
	assert_load_fails(
		"c.json", ATOMSIM_ERROR_CONFIG,
		"c.json:1:16: /l2/map: no.json: cannot read: No such file or "
		"directory; allowed: \"walk\", a map as an object or, in a config file, "
		"the name of a file that has one");
}

static void test_missing_files_name_what_is_there(Place *place, gconstpointer data)
{
	g_autofree char *before = g_strdup(g_getenv("ATOMSIM_CONFIG_PATH"));

	(void)place;
	(void)data;
	if (g_strcmp0(g_getenv("SOURCE"), g_getenv("BUILD")) == 0) {
		g_test_skip("a build in the sources' folder, whose configs are found, too");
		return;
	}
	g_mkdir("a", 0777);
	write_file("a/fermi.json", "{}");
	g_setenv("ATOMSIM_CONFIG_PATH", ":a:", TRUE);
	assert_load_fails("fermy.json", ATOMSIM_ERROR_IO,
			  "fermy.json: no such config here or in a, " ATOMSIM_PKGDATADIR
			  "/configs; did you mean fermi?");
	assert_load_fails("nothing-like-it", ATOMSIM_ERROR_IO,
			  "nothing-like-it: no such config here or in a, " ATOMSIM_PKGDATADIR
			  "/configs; there are: fermi");
	assert_load_fails("./fermi.json", ATOMSIM_ERROR_IO, "./fermi.json: no such file");
	assert_load_fails("a", ATOMSIM_ERROR_IO,
			  "a: found a folder without config.json; allowed: a config file, or a "
			  "folder with it");
	assert_load_fails("", ATOMSIM_ERROR_IO,
			  ": no such config here or in a, " ATOMSIM_PKGDATADIR
			  "/configs; there are: fermi");
	g_setenv("ATOMSIM_CONFIG_PATH", before ? before : "", TRUE);
}

static void test_unreadable_files_are_refused(Place *place, gconstpointer data)
{
	(void)place;
	(void)data;
	write_file("c.json", "{}");
	g_chmod("c.json", 0);
	if (g_access("c.json", R_OK) == 0) {
		g_test_skip("this user may read everything");
		return;
	}
	assert_load_fails("c.json", ATOMSIM_ERROR_IO, "c.json: cannot read: Permission denied");
}

static void test_endless_files_are_refused(Place *place, gconstpointer data)
{
	g_autofree char *blanks = g_strnfill(DOCUMENT_MAX_BYTES + 1, ' ');

	(void)place;
	(void)data;
	assert_load_fails("/dev/zero", ATOMSIM_ERROR_IO,
			  "/dev/zero: not a regular file; allowed: a config file");
	write_file("long.json", blanks);
	assert_load_fails("long.json", ATOMSIM_ERROR_CONFIG,
			  "long.json:1:1: not JSON: longer than 1 MiB");
}

static void test_extends_inherits_from_the_files_own_folder(Place *place, gconstpointer data)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = NULL;

	(void)place;
	(void)data;
	g_mkdir("sub", 0777);
	write_file("base.json", "{\"clock_mhz\": 1}");
	write_file("sub/base.json",
		   "{\"name\": \"base\", \"clock_mhz\": 2, \"sm\": {\"count\": 3}}");
	write_file("sub/middle.json",
		   "{\"sm\": {\"max_blocks\": 4}, \"extends\": \"base.json\"}");
	write_file("sub/top.json", "{\"extends\": \"../sub/middle\", \"sm\": {\"count\": 5}}");
	config = config_load("sub/top.json", NULL, &error);
	g_assert_no_error(error);
	g_assert_cmpstr(config_machine(config)->name, ==, "base");
	g_assert_cmpuint(config_machine(config)->clock_mhz, ==, 2);
	g_assert_cmpuint(config_machine(config)->sm.count, ==, 5);
	g_assert_cmpuint(config_machine(config)->sm.max_blocks, ==, 4);
}

static void test_extends_reaches_the_installed_configs(Place *place, gconstpointer data)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = NULL;

	(void)place;
	(void)data;
	write_file("mine.json", "{\"extends\": \"" FERMI "\", \"atomic\": {\"locks\": 512}}");
	config = config_load("mine.json", NULL, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(config_machine(config)->atomic.locks, ==, 512);
}

static void test_extends_cycles_are_refused_with_their_chain(Place *place, gconstpointer data)
{
	(void)place;
	(void)data;
	write_file("self.json", "{\"extends\": \"self.json\"}");
	write_file("a.json", "{\"extends\": \"b.json\"}");
	write_file("b.json", "{\n\"extends\": \"./link\"}");
	g_assert_cmpint(symlink("a.json", "link"), ==, 0);
	assert_load_fails("self.json", ATOMSIM_ERROR_CONFIG,
			  "self.json:1:13: /extends: a cycle: self.json -> self.json");
	assert_load_fails("a.json", ATOMSIM_ERROR_CONFIG,
			  "b.json:2:12: /extends: a cycle: a.json -> b.json -> ./link");
}

static void test_extends_is_at_most_16_deep(Place *place, gconstpointer data)
{
	g_autoptr(GError) error = NULL;

	(void)place;
	(void)data;
	write_file("0.json", "{\"clock_mhz\": 7}");
	for (guint i = 1; i <= 16; i++) {
		g_autofree char *path = g_strdup_printf("%u.json", i);
		g_autofree char *text = g_strdup_printf("{\"extends\": \"%u.json\"}", i - 1);

		write_file(path, text);
	}
	g_assert_cmpuint(clock_of("15.json"), ==, 7);
	g_assert_null(config_load("16.json", NULL, &error));
	g_assert_cmpstr(
		error->message, ==,
		"1.json:1:13: /extends: more than 16 files deep: 16.json -> 15.json -> "
		"14.json -> 13.json -> 12.json -> 11.json -> 10.json -> 9.json -> 8.json "
		"-> 7.json -> 6.json -> 5.json -> 4.json -> 3.json -> 2.json -> 1.json -> "
		"0.json");
}

static void test_problems_in_a_base_are_reported_too(Place *place, gconstpointer data)
{
	(void)place;
	(void)data;
	write_file("base.json", "{\"clock_mhz\": 0}");
	write_file("top.json", "{\"extends\": \"base.json\", \"sm\": {\"count\": 0}}");
	write_file("lost.json", "{\"extends\": \"./no.json\", \"foo\": 1}");
	assert_load_fails(
		"top.json", ATOMSIM_ERROR_CONFIG,
		"base.json:1:15: /clock_mhz: found 0; allowed: a whole number from 1 to "
		"100000\n"
		"top.json:1:42: /sm/count: found 0; allowed: a whole number from 1 to 1024");
	assert_load_fails(
		"lost.json", ATOMSIM_ERROR_CONFIG,
		"lost.json:1:13: /extends: ./no.json: no such file\n"
		"lost.json:1:33: /foo: unknown key; 'atomsim --help-config' lists them");
}

#define ADD_FILES(name, function)                                                              \
	g_test_add(name, Place, NULL, place_set_up, function, place_tear_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD_FILES("/config-files/names-are-searched-in-order",
		  test_names_are_searched_in_order);
	ADD_FILES("/config-files/folders-are-machines", test_folders_are_machines);
	ADD_FILES("/config-files/maps-have-files", test_maps_have_files);
	ADD_FILES("/config-files/maps-are-checked", test_maps_are_checked);
	ADD_FILES("/config-files/missing-files-name-what-is-there",
		  test_missing_files_name_what_is_there);
	ADD_FILES("/config-files/unreadable-files-are-refused",
		  test_unreadable_files_are_refused);
	ADD_FILES("/config-files/endless-files-are-refused", test_endless_files_are_refused);
	ADD_FILES("/config-files/extends-inherits-from-the-files-own-folder",
		  test_extends_inherits_from_the_files_own_folder);
	ADD_FILES("/config-files/extends-reaches-the-installed-configs",
		  test_extends_reaches_the_installed_configs);
	ADD_FILES("/config-files/extends-cycles-are-refused-with-their-chain",
		  test_extends_cycles_are_refused_with_their_chain);
	ADD_FILES("/config-files/extends-is-at-most-16-deep", test_extends_is_at_most_16_deep);
	ADD_FILES("/config-files/problems-in-a-base-are-reported-too",
		  test_problems_in_a_base_are_reported_too);
	return g_test_run();
}
