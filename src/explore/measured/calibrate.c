/* SPDX-License-Identifier: MIT */
#include "explore/measured/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "explore/measured/calibrate-internal.h"
#include "explore/measured/validate.h"

static gboolean take_keys(Fit *fit, const char *const *paths, GError **error)
{
	for (; paths[fit->n]; fit->n++) {
		const char *path = paths[fit->n];
		g_autoptr(GError) problem = NULL;
		gboolean twice = FALSE;

		if (fit->n == CALIBRATE_MAX_KEYS) {
			g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
				    "more than %d keys to fit", CALIBRATE_MAX_KEYS);
			return FALSE;
		}
		for (guint i = 0; i < fit->n; i++)
			twice |= strcmp(paths[i], path) == 0;
		if (!twice && config_number(fit->config, path, &fit->keys[fit->n], &problem))
			continue;
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE, "cannot fit '%s': %s",
			    path, twice ? "it is named twice" : problem->message);
		return FALSE;
	}
	return TRUE;
}

static int compare_doubles(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static FitError sum_up(const GPtrArray *points)
{
	g_autofree double *sizes = g_new(double, points->len);
	guint n = points->len;

	for (guint i = 0; i < n; i++)
		sizes[i] = fabs(((const ValidationPoint *)g_ptr_array_index(points, i))->error);
	qsort(sizes, n, sizeof(double), compare_doubles);
	return (FitError){.rms = fit_rms(points),
			  .median = (sizes[(n - 1) / 2] + sizes[n / 2]) / 2,
			  .max = sizes[n - 1]};
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
	}
	if (fit->interrupted) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_RUN, "interrupted");
		return FALSE;
	}
	calibration->n_keys = fit->n;
	calibration->n_points = fit->n_points;
	calibration->n_evaluations = g_hash_table_size(fit->known);
	return measure(fit, start, &calibration->before, NULL, error) &&
	       measure(fit, values, &calibration->after, &calibration->config, error);
}

Calibration *calibrate(const Config *config, const char *const *paths, const char *const *files,
		       CalibrateProgress progress, gpointer data, GError **error)
{
	g_autoptr(Calibration) calibration = g_new0(Calibration, 1);
	Fit fit = {.config = config, .files = files, .progress = progress, .data = data};
	Values values = {0};
	gboolean good;

	g_assert(paths[0] && files[0]);
	if (!take_keys(&fit, paths, error))
		return NULL;
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
	g_free(calibration);
}
