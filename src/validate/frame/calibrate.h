/* SPDX-License-Identifier: MIT */
/*
 * Which values of some keys fit measurements best? Who may include it: cli and tests.
 *
 * The fit is the least root mean square of the relative errors that validate.h gives. NLopt's Sbplx
 * (Rowan's subplex) finds the neighbourhood; a search over whole numbers ends it, so that the result is
 * a config that can be. Depends on the config, the keys and the files alone.
 */
#ifndef ATOMSIM_VALIDATE_FRAME_CALIBRATE_H
#define ATOMSIM_VALIDATE_FRAME_CALIBRATE_H

#include <glib.h>

#include "config/config.h"

#define CALIBRATE_MAX_KEYS 16

/* Of relative errors. */
typedef struct {
	double rms; /* root mean square */
	double median, max;
} FitError;

typedef struct {
	const char *path; /* constant */
	guint64 start, fitted;
	/* Values between which the error stays within a tenth of the best when the other keys are
	   fitted again; what the config does not allow ends the range too. */
	guint64 lowest, highest;
	/* Whether that range is smaller than the value itself. */
	gboolean determined;
	/* No value of it changes the error: nothing in the points asks for it. */
	gboolean idle;
	/* What it stopped at, as "<= atomic.lock_bits.t_position_cycles": the points might want it beyond. NULL: nothing, or it
	   is idle. */
	char *bound;
} CalibratedKey;

typedef struct {
	guint n_keys;
	CalibratedKey keys[CALIBRATE_MAX_KEYS];
	guint n_points;
	guint n_evaluations; /* of different configs */
	FitError before, after;
	Config *config; /* with the fitted values */
} Calibration;

/* Called after each evaluation; returning FALSE interrupts. */
typedef gboolean (*CalibrateProgress)(gpointer data, guint n_evaluations);

/*
 * Fits the keys (NULL-terminated, 1 .. CALIBRATE_MAX_KEYS) of a config, whose values are where the
 * search begins, to the points of all files. Errors: ATOMSIM_ERROR_USAGE: a key that is unknown, no
 * number or named twice; those of validate_add_file; ATOMSIM_ERROR_RUN when interrupted.
 */
Calibration *calibrate(const Config *config, const char *const *paths, const char *const *files,
		       CalibrateProgress progress, gpointer data, GError **error);
void calibration_free(Calibration *calibration);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Calibration, calibration_free)

/* What else the written config says. */
typedef struct {
	const char *extends;	     /* the config that was fitted, as the new one finds it */
	const char *date;	     /* ISO 8601 */
	const char *const *settings; /* "key=value" laid over it before, or NULL: kept */
	const char *const *files;    /* of measurements */
} CalibrationOrigin;

/* The config file: it extends the first, and its provenance says how it was fitted. g_free. Errors:
   ATOMSIM_ERROR_IO. */
char *calibration_config(const Calibration *calibration, const CalibrationOrigin *origin,
			 GError **error);

#endif
