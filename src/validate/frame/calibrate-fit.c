/* SPDX-License-Identifier: MIT */
/* The search for the best values: roughly by NLopt, then over whole numbers. */
#include <math.h>
#include <string.h>

#include "validate/frame/calibrate-internal.h"

#define TOLERANCE    1.1 /* of the best error: what still counts as a fit */
#define LARGEST_STEP 16	 /* of the search over whole numbers */
#define MAX_SBPLX    60	 /* evaluations for each key */
#define REACH	     64	 /* times the start, or 64 if that is less: where Sbplx looks */

static double objective(unsigned n, const double *x, double *gradient, void *data)
{
	Values values = {0};

	(void)gradient; /* Sbplx asks for none */
	for (unsigned i = 0; i < n; i++)
		values[i] = (guint64)llround(x[i]);
	return fit_error(data, values);
}

/* As GLib does where it gets none: what the optimiser leaves out for that would be another result. */
static void end_without_memory(nlopt_result result)
{
	if (result == NLOPT_OUT_OF_MEMORY)
		g_error("the search for values failed to allocate memory");
}

/* Into the neighbourhood of the best: whatever Sbplx says, `values` do not get worse. */
static void search_roughly(Fit *fit, Values values)
{
	double x[CALIBRATE_MAX_KEYS], low[CALIBRATE_MAX_KEYS], high[CALIBRATE_MAX_KEYS];
	double step[CALIBRATE_MAX_KEYS], error;
	Values found = {0};

	for (guint i = 0; i < fit->n; i++) {
		const ConfigNumber *key = &fit->keys[i];

		x[i] = (double)values[i];
		low[i] = ceil((double)key->min / (double)key->multiple);
		high[i] =
			MIN((double)(key->max / key->multiple), REACH * MAX(x[i], 1.0) + REACH);
		step[i] = MAX(2, x[i] / 4);
	}
	fit->optimiser = nlopt_create(NLOPT_LN_SBPLX, fit->n);
	end_without_memory(fit->optimiser == NULL ? NLOPT_OUT_OF_MEMORY : NLOPT_SUCCESS);
	end_without_memory(nlopt_set_min_objective(fit->optimiser, objective, fit));
	end_without_memory(nlopt_set_lower_bounds(fit->optimiser, low));
	end_without_memory(nlopt_set_upper_bounds(fit->optimiser, high));
	end_without_memory(nlopt_set_initial_step(fit->optimiser, step));
	end_without_memory(nlopt_set_xtol_abs1(fit->optimiser, 0.5));
	end_without_memory(nlopt_set_stopval(fit->optimiser, 0));
	end_without_memory(nlopt_set_maxeval(fit->optimiser, (int)(MAX_SBPLX * fit->n)));
	end_without_memory(nlopt_optimize(fit->optimiser, x, &error));
	nlopt_destroy(g_steal_pointer(&fit->optimiser));
	for (guint i = 0; i < fit->n; i++)
		found[i] = (guint64)llround(x[i]);
	if (fit_error(fit, found) < fit_error(fit, values))
		memcpy(values, found, sizeof(found));
}

/* Adds to a value; FALSE if it leaves the numbers that can be. */
static gboolean move(Values values, guint i, gint64 step)
{
	if (step < 0 && values[i] < (guint64)-step)
		return FALSE;
	values[i] += (guint64)step;
	return TRUE;
}

/* Takes the move of one key, or of two at once, if it lowers the error. */
static gboolean try_move(Fit *fit, Values values, double *best, guint i, gint64 step_i, guint j,
			 gint64 step_j)
{
	Values moved;
	double error;

	memcpy(moved, values, sizeof(moved));
	if (!move(moved, i, step_i) || (i != j && !move(moved, j, step_j)))
		return FALSE;
	error = fit_error(fit, moved);
	if (error >= *best)
		return FALSE;
	*best = error;
	memcpy(values, moved, sizeof(moved));
	return TRUE;
}

/*
 * Down to whole numbers from which no step of one key, or of two against each other or together,
 * leads lower. `held` is a key that keeps its value, or n for none. Returns the error.
 */
static double search_exactly(Fit *fit, Values values, guint held)
{
	double best = fit_error(fit, values);

	for (gint64 step = LARGEST_STEP; step >= 1 && best > 0;) {
		gboolean better = FALSE;

		for (guint i = 0; i < fit->n; i++)
			for (guint j = i; j < fit->n; j++) {
				if (i == held || j == held)
					continue;
				for (unsigned signs = 0; signs < (i == j ? 2 : 4); signs++)
					while (try_move(fit, values, &best, i,
							signs & 1 ? step : -step, j,
							signs & 2 ? step : -step))
						better = TRUE;
			}
		if (!better)
			step /= 2;
	}
	return best;
}

/* A key that changes nothing keeps the value it had. */
static void keep_starts(Fit *fit, Values values, const Values start, double best)
{
	for (guint i = 0; i < fit->n; i++) {
		guint64 found = values[i];

		values[i] = start[i];
		if (fit_error(fit, values) > best)
			values[i] = found;
	}
}

gboolean fit_search(Fit *fit, Values values, double *best)
{
	Values start;

	memcpy(start, values, sizeof(start));
	fit_error(fit, values);
	if (fit->error)
		return FALSE;
	search_roughly(fit, values);
	*best = search_exactly(fit, values, fit->n);
	keep_starts(fit, values, start, *best);
	return TRUE;
}

/* --- How well a key is determined --- */

/* Whether the key can have this value when the others are fitted again. */
static gboolean still_fits(Fit *fit, const Values fitted, guint key, guint64 value,
			   double limit)
{
	Values values;

	memcpy(values, fitted, sizeof(values));
	values[key] = value;
	return fit_error(fit, values) <= limit || search_exactly(fit, values, key) <= limit;
}

/* Twice the value is far enough to know that it is not determined. */
static guint64 farthest_up(guint64 value, guint64 most)
{
	return MIN(most - value, MAX(value, 16));
}

/* The last value, going up or down from the fitted one, that still fits. */
static guint64 find_end(Fit *fit, const Values fitted, guint key, gboolean upwards,
			double limit)
{
	guint64 value = fitted[key], least = fit->keys[key].min / fit->keys[key].multiple;
	guint64 most = fit->keys[key].max / fit->keys[key].multiple, good = 0, bad = 1;

	/* Distances: doubled until one does not fit, then halved. */
	guint64 farthest = upwards ? farthest_up(value, most) : value - least;

	while (good < farthest) {
		bad = MIN(bad, farthest);
		if (!still_fits(fit, fitted, key, upwards ? value + bad : value - bad, limit))
			break;
		good = bad;
		bad *= 2;
	}
	while (good < farthest && bad - good > 1) {
		guint64 middle = good + (bad - good) / 2;

		if (still_fits(fit, fitted, key, upwards ? value + middle : value - middle,
			       limit))
			good = middle;
		else
			bad = middle;
	}
	return upwards ? value + good : value - good;
}

static gboolean has_error(Fit *fit, const Values fitted, guint i, guint64 value, double error)
{
	Values values;

	memcpy(values, fitted, sizeof(values));
	values[i] = value;
	return fit_error(fit, values) == error;
}

/* Whether the error is the same, to the last digit, wherever the key was looked at, and that is as far as can be. */
static gboolean is_idle(Fit *fit, const Values fitted, guint i, double best,
			const CalibratedKey *key)
{
	const guint64 multiple = fit->keys[i].multiple, value = fitted[i];
	const guint64 low = key->lowest / multiple, high = key->highest / multiple;
	const guint64 most = fit->keys[i].max / multiple;

	return low < high &&
	       (low == fit->keys[i].min / multiple ||
		has_error(fit, fitted, i, low - 1, FIT_IMPOSSIBLE)) &&
	       (high == value + farthest_up(value, most) ||
		has_error(fit, fitted, i, high + 1, FIT_IMPOSSIBLE)) &&
	       has_error(fit, fitted, i, low, best) && has_error(fit, fitted, i, high, best) &&
	       (value == low || has_error(fit, fitted, i, value - 1, best)) &&
	       (value == high || has_error(fit, fitted, i, value + 1, best));
}

void fit_determine(Fit *fit, const Values fitted, guint i, double best, CalibratedKey *key)
{
	guint64 multiple = fit->keys[i].multiple;
	double limit = best * TOLERANCE;

	key->lowest = multiple * find_end(fit, fitted, i, FALSE, limit);
	key->highest = multiple * find_end(fit, fitted, i, TRUE, limit);
	key->determined = key->highest - key->lowest < MAX(key->fitted, 2);
	key->idle = is_idle(fit, fitted, i, best, key);
}
