/* SPDX-License-Identifier: MIT */
/* The error of one config, computed once for the same values. */
#include <math.h>

#include "base/error.h"
#include "validate/frame/calibrate-internal.h"
#include "validate/frame/validate.h"

/* "key=value", ... g_strfreev. */
static char **settings_of(const Fit *fit, const Values values)
{
	char **settings = g_new0(char *, fit->n + 1);

	for (guint i = 0; i < fit->n; i++)
		settings[i] = g_strdup_printf("%s=%" G_GUINT64_FORMAT, fit->keys[i].path,
					      values[i] * fit->keys[i].multiple);
	return settings;
}

Config *fit_config(const Fit *fit, const Values values, GError **error)
{
	g_auto(GStrv) settings = settings_of(fit, values);

	return config_with(fit->config, (const char *const *)settings, error);
}

GPtrArray *fit_points(const Fit *fit, const Config *config, GError **error)
{
	g_autoptr(Validation) validation = validation_new();

	for (guint i = 0; i < fit->files->len; i++)
		if (!validate_add(validation, config_machine(config),
				  g_ptr_array_index(fit->files, i), error))
			return NULL;
	if (validation->points->len > 0)
		return g_ptr_array_ref(validation->points);
	atomsim_fail(error, ATOMSIM_ERROR_INPUT, "%s: no points: a header without rows",
		     measured_file_path(g_ptr_array_index(fit->files, 0)));
	return NULL;
}

double fit_rms(const GPtrArray *points)
{
	double sum = 0;

	for (guint i = 0; i < points->len; i++) {
		const ValidationPoint *point = g_ptr_array_index(points, i);

		sum += point->error * point->error;
	}
	return sqrt(sum / points->len);
}

static double compute_error(Fit *fit, const Values values)
{
	g_autoptr(GError) problem = NULL;
	g_autoptr(Config) config = fit_config(fit, values, &problem);
	g_autoptr(GPtrArray) points = config ? fit_points(fit, config, &problem) : NULL;

	if (points) {
		fit->n_points = points->len;
		return fit_rms(points);
	}
	if (g_hash_table_size(fit->known) == 0)
		fit->error = g_steal_pointer(&problem);
	return FIT_IMPOSSIBLE;
}

double fit_error(Fit *fit, const Values values)
{
	g_auto(GStrv) settings = settings_of(fit, values);
	g_autofree char *name = g_strjoinv(" ", settings);
	const double *known = g_hash_table_lookup(fit->known, name);
	double error;

	if (known || fit->interrupted)
		return known ? *known : FIT_IMPOSSIBLE;
	error = compute_error(fit, values);
	g_hash_table_insert(fit->known, g_steal_pointer(&name),
			    g_memdup2(&error, sizeof(error)));
	if (fit->progress && !fit->progress(fit->data, g_hash_table_size(fit->known))) {
		fit->interrupted = TRUE;
		if (fit->optimiser)
			nlopt_force_stop(fit->optimiser);
	}
	return error;
}
