/* SPDX-License-Identifier: MIT */
/*
 * What `make check` says of the source folder, for a test that is run by itself: linked into every unit test. The folder is looked
 * for from the program's upwards, as the build folder lies in it; of another SOURCE says where it is.
 */
#include <glib.h>

/* g_free; NULL: there is none. */
static char *find_source(void)
{
	g_autofree char *at = g_file_read_link("/proc/self/exe", NULL);

	while (at && !g_str_equal(at, "/")) {
		g_autofree char *folder = g_path_get_dirname(at);
		g_autofree char *mark =
			g_build_filename(folder, "tests", "environment.c", NULL);

		if (g_file_test(mark, G_FILE_TEST_IS_REGULAR))
			return g_steal_pointer(&folder);
		g_free(at);
		at = g_steal_pointer(&folder);
	}
	return NULL;
}

static void set_folder(const char *variable, const char *source, const char *name)
{
	g_autofree char *folder = g_build_filename(source, name, NULL);

	g_setenv(variable, folder, FALSE);
}

__attribute__((constructor)) static void complete_environment(void)
{
	const char *given = g_getenv("SOURCE");
	g_autofree char *source = given ? g_strdup(given) : find_source();

	if (!source) {
		g_printerr(
			"# no source folder above this program; allowed: SOURCE=FOLDER in the "
			"environment\n");
		return;
	}
	g_setenv("SOURCE", source, FALSE);
	set_folder("ATOMSIM_CONFIG_PATH", source, "configs");
	set_folder("ATOMSIM_TRACE_PATH", source, "traces");
	set_folder("ATOMSIM_FORM_PATH", source, "measurements/forms");
}
