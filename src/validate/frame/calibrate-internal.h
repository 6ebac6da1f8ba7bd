/* SPDX-License-Identifier: MIT */
/* What calibrate.c (the API), calibrate-error.c and calibrate-fit.c (the search) share. Nobody else may include it. */
#ifndef ATOMSIM_VALIDATE_FRAME_CALIBRATE_INTERNAL_H
#define ATOMSIM_VALIDATE_FRAME_CALIBRATE_INTERNAL_H

#include <nlopt.h>

#include "validate/frame/calibrate.h"

typedef struct {
	const Config *config;
	guint n;
	ConfigNumber keys[CALIBRATE_MAX_KEYS];
	GPtrArray *files; /* of MeasuredFile */
	guint n_points;
	GHashTable *known; /* values as text to error */
	GError *error;	   /* why the start cannot be evaluated */
	gboolean interrupted;
	CalibrateProgress progress;
	gpointer data;
	nlopt_opt optimiser; /* while it runs */
} Fit;

/* Of the keys, in units of their multiples. */
typedef guint64 Values[CALIBRATE_MAX_KEYS];

/* The config with these values. g_autoptr. */
Config *fit_config(const Fit *fit, const Values values, GError **error);
/* Its points, simulated. */
GPtrArray *fit_points(const Fit *fit, const Config *config, GError **error);
/* Root mean square of the points' errors. */
double fit_rms(const GPtrArray *points);
#define FIT_IMPOSSIBLE 1e9
/* The same of a config with these values; FIT_IMPOSSIBLE if it cannot be simulated, and from an interruption on. */
double fit_error(Fit *fit, const Values values);

/* From a start to the best values; FALSE, with fit->error, if the start cannot be simulated. */
gboolean fit_search(Fit *fit, Values values, double *best);
/* What keeps key `i` from going on where the fit has left it: "<= atomic.lock_bits.t_position_cycles", ">= 0"; NULL: it could go
   either way. g_free. */
char *fit_bound(const Fit *fit, const Values fitted, guint i);
/* Fills the range of key `i`, and whether it acts. */
void fit_determine(Fit *fit, const Values fitted, guint i, double best, CalibratedKey *key);

#endif
