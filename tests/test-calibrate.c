/* SPDX-License-Identifier: MIT */
/* Fits to the published points of the GTX 580, from starts that are wrong on purpose. */
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/error.h"
#include "validate/frame/calibrate.h"

#define T_BASE	   "atomic.lock_bits.t_base_cycles"
#define T_POSITION "atomic.lock_bits.t_position_cycles"
#define T_BANK	   "shared.conflict_latency_cycles"

static char *published;	 /* cycles as published */
static char *algorithm1; /* the same patterns with the cycles of Algorithm 1 */

/* A file of its own. g_free, after g_unlink. */
static char *write_file(const char *text)
{
	char *path = NULL;
	g_autoptr(GError) error = NULL;
	int file = g_file_open_tmp("atomsim-calibrate-XXXXXX", &path, &error);

	g_assert_no_error(error);
	g_close(file, NULL);
	g_file_set_contents(path, text, -1, &error);
	g_assert_no_error(error);
	return path;
}

/* The published file with its second column of cycles in the place of the first. */
static char *write_algorithm1(void)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *text = NULL;
	g_autoptr(GString) changed = NULL;

	g_file_get_contents(published, &text, NULL, &error);
	g_assert_no_error(error);
	changed = g_string_new(text);
	g_assert_cmpuint(
		g_string_replace(changed, "cycles,cycles_algorithm1,", "other,cycles,", 1), ==,
		1);
	return write_file(changed->str);
}

/* A GPU with no more than the points need, which is simulated sooner. */
static Config *start_from(const char *const *settings)
{
	static const char *const small[] = {"sm.count=1", "shared.bytes=8320", NULL};
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) fermi = config_load("fermi.json", small, &error);
	Config *config;

	g_assert_no_error(error);
	config = config_with(fermi, settings, &error);
	g_assert_no_error(error);
	return config;
}

static Calibration *fit(const char *const *settings, const char *const *paths, const char *file)
{
	g_autoptr(Config) config = start_from(settings);
	g_autoptr(GError) error = NULL;
	const char *const files[] = {file, NULL};
	Calibration *calibration = calibrate(config, paths, files, NULL, NULL, &error);

	g_assert_no_error(error);
	return calibration;
}

static gboolean remove_file(gpointer path, guint n_evaluations)
{
	g_assert_cmpint(g_unlink(path), ==, n_evaluations == 1 ? 0 : -1);
	return TRUE;
}

/* It is gone after the first evaluation. */
static void test_a_file_is_read_once(void)
{
	static const char *const start[] = {T_BASE "=107", NULL}, *const keys[] = {T_BASE,
										   NULL};
	g_autoptr(Config) config = start_from(start);
	g_autofree char *file = write_file("cycles,addresses\n108,0 1 2\n228,0 0\n");
	const char *const files[] = {file, NULL};
	g_autoptr(GError) error = NULL;
	g_autoptr(Calibration) found =
		calibrate(config, keys, files, remove_file, file, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(found->keys[0].fitted, ==, 108);
}

static const char *const three_keys[] = {T_BASE, T_POSITION, T_BANK, NULL};

static const char *const wrong_starts[][4] = {
	{T_BASE "=200", T_POSITION "=210", T_BANK "=5", NULL},
	{T_BASE "=80", T_POSITION "=1000", T_BANK "=100", NULL},
};

static void test_wrong_starts_find_algorithm_1_again(void)
{
	for (guint i = 0; i < G_N_ELEMENTS(wrong_starts); i++) {
		g_autoptr(Calibration) found = fit(wrong_starts[i], three_keys, algorithm1);

		g_assert_cmpuint(found->n_points, ==, 69);
		g_assert_cmpfloat(found->before.rms, >, 0.1);
		g_assert_cmpfloat(found->after.max, ==, 0);
		g_assert_cmpuint(found->keys[0].fitted, ==, 108);
		g_assert_cmpuint(found->keys[1].fitted, ==, 120);
		g_assert_cmpuint(found->keys[2].fitted, ==, 32);
		for (guint k = 0; k < 3; k++) {
			g_assert_true(found->keys[k].determined);
			g_assert_cmpuint(found->keys[k].lowest, ==, found->keys[k].fitted);
			g_assert_cmpuint(found->keys[k].highest, ==, found->keys[k].fitted);
		}
	}
}

static void test_a_wrong_start_comes_near_the_published_cycles(void)
{
	g_autoptr(Calibration) found = fit(wrong_starts[0], three_keys, published);

	g_assert_cmpfloat(found->after.rms, <, found->before.rms);
	g_assert_cmpfloat(found->after.max, <=, 0.02);
	g_assert_cmpuint(found->keys[0].fitted, ==, 108);
	g_assert_cmpuint(found->keys[1].fitted, ==, 120);
	g_assert_cmpuint(found->keys[2].fitted, ==, 34);
}

static void test_a_key_that_changes_nothing_is_not_determined(void)
{
	static const char *const paths[] = {"global.latency_cycles", T_BANK, NULL};
	static const char *const settings[] = {T_BANK "=20", NULL};
	g_autoptr(Calibration) found = fit(settings, paths, algorithm1);

	g_assert_false(found->keys[0].determined);
	g_assert_cmpuint(found->keys[0].fitted, ==, found->keys[0].start);
	g_assert_cmpuint(found->keys[0].lowest, <=, found->keys[0].fitted / 2);
	g_assert_cmpuint(found->keys[0].highest, >=, 2 * found->keys[0].fitted);
	g_assert_true(found->keys[1].determined);
	g_assert_cmpuint(found->keys[1].fitted, ==, 32);
}

/* What a range says holds: in it the error is within a tenth, just outside it is not. */
static void test_a_range_ends_where_the_error_has_grown_by_a_tenth(void)
{
	static const char *const paths[] = {T_POSITION, NULL};
	static const char *const settings[] = {T_POSITION "=200", T_BANK "=40", NULL};
	g_autoptr(Calibration) found = fit(settings, paths, published);
	const CalibratedKey *key = &found->keys[0];
	const struct {
		guint64 value;
		gboolean within;
	} cases[] = {{key->lowest, TRUE},
		     {key->lowest - 1, FALSE},
		     {key->highest, TRUE},
		     {key->highest + 1, FALSE}};

	g_assert_cmpuint(key->lowest, <, key->fitted);
	g_assert_cmpuint(key->highest, >, key->fitted);
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *setting =
			g_strdup_printf(T_POSITION "=%" G_GUINT64_FORMAT, cases[i].value);
		const char *const fixed[] = {setting, T_BANK "=40", NULL};
		static const char *const other[] = {"global.latency_cycles", NULL};
		g_autoptr(Calibration) at = fit(fixed, other, published);

		g_assert_cmpint(at->before.rms <= 1.1 * found->after.rms, ==, cases[i].within);
	}
}

/* Two lanes on one word cost t_base + t_position: each is sharp alone, and neither together. */
static void test_a_range_counts_what_other_keys_make_up_for(void)
{
	static const char *const one[] = {T_BASE, NULL};
	static const char *const two[] = {T_BASE, T_POSITION, NULL};
	g_autofree char *path = write_file("pattern,cycles,addresses\nposition/2,228,5 5\n");
	g_autoptr(Calibration) alone = fit(NULL, one, path);
	g_autoptr(Calibration) both = fit(NULL, two, path);

	g_assert_cmpuint(alone->keys[0].lowest, ==, 108);
	g_assert_cmpuint(alone->keys[0].highest, ==, 108);
	for (guint i = 0; i < 2; i++)
		g_assert_cmpuint(both->keys[i].highest - both->keys[i].lowest, >=, 10);
	g_unlink(path);
}

static void test_the_written_config_is_the_fitted_machine(void)
{
	static const char *const settings[] = {T_BASE "=90", "atomic.locks=2048", "sm.count=1",
					       "shared.bytes=8320", NULL};
	static const char *const paths[] = {T_BASE, NULL};
	const char *const files[] = {algorithm1, NULL};
	const CalibrationOrigin origin = {.extends = "fermi.json",
					  .date = "2026-11-20",
					  .settings = settings,
					  .files = files};
	g_autoptr(Calibration) found = fit(settings, paths, algorithm1);
	g_autoptr(GError) error = NULL;
	g_autofree char *text = calibration_config(found, &origin, &error);
	g_autofree char *fitted = config_to_json(found->config);
	g_autofree char *loaded = NULL;
	g_autoptr(Config) config = NULL;
	cJSON *root, *calibration;

	g_assert_no_error(error);
	config = config_load_text("fitted.json", text, strlen(text), NULL, &error);
	g_assert_no_error(error);
	loaded = config_to_json(config);
	g_assert_cmpstr(loaded, ==, fitted);
	root = cJSON_Parse(text);
	calibration =
		cJSON_GetObjectItem(cJSON_GetObjectItem(root, "provenance"), "calibration");
	g_assert_cmpstr(cJSON_GetStringValue(cJSON_GetObjectItem(calibration, "date")), ==,
			"2026-11-20");
	g_assert_cmpint(cJSON_GetArraySize(cJSON_GetObjectItem(calibration, "files")), ==, 1);
	g_assert_cmpint(cJSON_GetArraySize(cJSON_GetObjectItem(root, "atomic")), ==, 2);
	cJSON_Delete(root);
}

static void test_what_cannot_be_fitted_is_refused(void)
{
	static const struct {
		const char *paths[3], *message;
	} cases[] = {
		{{"atomic.lock_bits.t_base_cycle", NULL},
		 "did you mean /atomic/lock_bits/t_base_cycles?"},
		{{"sm.scheduler", NULL},
		 "cannot fit 'sm.scheduler': sm.scheduler is no number"},
		{{T_BASE, T_BASE, NULL}, "cannot fit '" T_BASE "': it is named twice"},
	};
	const char *const files[] = {published, NULL};
	const char *const none[] = {"nowhere.csv", NULL};
	static const char *const good[] = {T_BASE, NULL};
	g_autoptr(Config) config = start_from(NULL);
	g_autoptr(GError) missing = NULL;

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;

		g_assert_null(calibrate(config, cases[i].paths, files, NULL, NULL, &error));
		g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE);
		g_assert_nonnull(strstr(error->message, cases[i].message));
	}
	g_assert_null(calibrate(config, good, none, NULL, NULL, &missing));
	g_assert_error(missing, ATOMSIM_ERROR, ATOMSIM_ERROR_IO);
}

static gboolean stop_at_10(gpointer data, guint n_evaluations)
{
	*(guint *)data = n_evaluations;
	return n_evaluations < 10;
}

static void test_a_fit_can_be_interrupted(void)
{
	g_autoptr(Config) config = start_from(wrong_starts[0]);
	const char *const files[] = {published, NULL};
	g_autoptr(GError) error = NULL;
	guint n_evaluations = 0;

	g_assert_null(calibrate(config, three_keys, files, stop_at_10, &n_evaluations, &error));
	g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_RUN);
	g_assert_cmpuint(n_evaluations, ==, 10);
}

int main(int argc, char **argv)
{
	const char *source = g_getenv("SOURCE");
	int status;

	g_test_init(&argc, &argv, NULL);
	published = g_build_filename(source ? source : ".", "measurements/gtx580/published.csv",
				     NULL);
	algorithm1 = write_algorithm1();
	g_test_add_func("/calibrate/a file is read once", test_a_file_is_read_once);
	g_test_add_func("/calibrate/wrong starts find Algorithm 1 again",
			test_wrong_starts_find_algorithm_1_again);
	g_test_add_func("/calibrate/a wrong start comes near the published cycles",
			test_a_wrong_start_comes_near_the_published_cycles);
	g_test_add_func("/calibrate/a key that changes nothing is not determined",
			test_a_key_that_changes_nothing_is_not_determined);
	g_test_add_func("/calibrate/a range ends where the error has grown by a tenth",
			test_a_range_ends_where_the_error_has_grown_by_a_tenth);
	g_test_add_func("/calibrate/a range counts what other keys make up for",
			test_a_range_counts_what_other_keys_make_up_for);
	g_test_add_func("/calibrate/the written config is the fitted machine",
			test_the_written_config_is_the_fitted_machine);
	g_test_add_func("/calibrate/what cannot be fitted is refused",
			test_what_cannot_be_fitted_is_refused);
	g_test_add_func("/calibrate/a fit can be interrupted", test_a_fit_can_be_interrupted);
	status = g_test_run();
	g_unlink(algorithm1);
	g_free(algorithm1);
	g_free(published);
	return status;
}
