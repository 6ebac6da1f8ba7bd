/* SPDX-License-Identifier: MIT */
#include "validate/frame/calibrate.h"

#include <string.h>

#include "base/error.h"
#include "validate/frame/calibrate-internal.h"
#include "validate/frame/validate.h"

static gboolean take_keys(Fit *fit, const char *const *paths, GError **error)
{
	for (; paths[fit->n]; fit->n++) {
		const char *path = paths[fit->n];
		g_autoptr(GError) problem = NULL;
		gboolean twice = FALSE;

		if (fit->n == CALIBRATE_MAX_KEYS)
			return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
					    "more than %d keys to fit", CALIBRATE_MAX_KEYS);
		for (guint i = 0; i < fit->n; i++)
			twice |= strcmp(paths[i], path) == 0;
		if (!twice && config_number(fit->config, path, &fit->keys[fit->n], &problem))
			continue;
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "cannot fit '%s': %s", path,
				    twice ? "it is named twice" : problem->message);
	}
	return TRUE;
}

static FitError sum_up(const GPtrArray *points)
{
	ErrorSummary summary = validate_summarise(points, NULL, NULL);

	return (FitError){.rms = fit_rms(points),
			  .median = summary.median_relative_error,
			  .max = summary.max_relative_error};
}

static gboolean measure(const Fit *fit, const Values values, FitError *fit_error,
			Config **config, GError **error)
{
	g_autoptr(Config) fitted = fit_config(fit, values, error);
	g_autoptr(GPtrArray) points = fitted ? fit_points(fit, fitted, error) : NULL;

	if (!points)
		return FALSE;
	*fit_error = sum_up(points);
	if (config)
		*config = g_steal_pointer(&fitted);
	return TRUE;
}

/* Values are the start, then the fit. */
static gboolean run(Fit *fit, Values values, Calibration *calibration, GError **error)
{
	Values start;
	double best;

	memcpy(start, values, sizeof(start));
	if (!fit_search(fit, values, &best)) {
		g_propagate_error(error, g_steal_pointer(&fit->error));
		return FALSE;
	}
	for (guint i = 0; i < fit->n; i++) {
		CalibratedKey *key = &calibration->keys[i];

		*key = (CalibratedKey){.path = fit->keys[i].path,
				       .start = fit->keys[i].value,
				       .fitted = values[i] * fit->keys[i].multiple};
		fit_determine(fit, values, i, best, key);
		calibration->n_keys = i + 1;
		if (!key->idle)
			key->bound = fit_bound(fit, values, i);
	}
	if (fit->interrupted)
		return atomsim_fail(error, ATOMSIM_ERROR_RUN, "interrupted");
	calibration->n_points = fit->n_points;
	calibration->n_evaluations = g_hash_table_size(fit->known);
	return measure(fit, start, &calibration->before, NULL, error) &&
	       measure(fit, values, &calibration->after, &calibration->config, error);
}

Calibration *calibrate(const Config *config, const char *const *paths, const char *const *files,
		       CalibrateProgress progress, gpointer data, GError **error)
{
	g_autoptr(Calibration) calibration = g_new0(Calibration, 1);
	g_autoptr(GPtrArray) read =
		g_ptr_array_new_with_free_func((GDestroyNotify)measured_file_free);
	Fit fit = {.config = config, .files = read, .progress = progress, .data = data};
	Values values = {0};
	gboolean good;

	g_assert(paths[0] && files[0]);
	if (!take_keys(&fit, paths, error))
		return NULL;
	for (guint i = 0; files[i]; i++) {
		MeasuredFile *file = measured_file_read(files[i], error);

		if (file == NULL)
			return NULL;
		g_ptr_array_add(read, file);
	}
	for (guint i = 0; i < fit.n; i++)
		values[i] = fit.keys[i].value / fit.keys[i].multiple;
	fit.known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	good = run(&fit, values, calibration, error);
	g_hash_table_unref(fit.known);
	return good ? g_steal_pointer(&calibration) : NULL;
}

void calibration_free(Calibration *calibration)
{
	if (!calibration)
		return;
	config_free(calibration->config);
	for (guint i = 0; i < calibration->n_keys; i++)
		g_free(calibration->keys[i].bound);
	g_free(calibration);
}
