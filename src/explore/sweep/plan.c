/* SPDX-License-Identifier: MIT */
/* The points of a sweep: product, zip, Latin hypercube; and how shards part them. */
#include "explore/sweep/sweep.h"

#include <string.h>

#include "base/error.h"

static const SweepAxis *axis_of(const SweepPlan *plan, guint i)
{
	return g_ptr_array_index(plan->axes, i);
}

static gboolean check_keys(const SweepPlan *plan, GError **error)
{
	for (guint i = 0; i < plan->axes->len; i++)
		for (guint j = 0; j < i; j++)
			if (strcmp(axis_of(plan, i)->key, axis_of(plan, j)->key) == 0)
				return atomsim_fail(
					error, ATOMSIM_ERROR_USAGE,
					"--vary %s: given twice; list all values in one",
					axis_of(plan, i)->key);
	return TRUE;
}

static gboolean check_zip(const SweepPlan *plan, GError **error)
{
	for (guint i = 1; i < plan->axes->len; i++)
		if (axis_of(plan, i)->n_values != axis_of(plan, 0)->n_values)
			return atomsim_fail(
				error, ATOMSIM_ERROR_USAGE,
				"--zip: %s has %u values, %s has %u; allowed: equally many",
				axis_of(plan, 0)->key, axis_of(plan, 0)->n_values,
				axis_of(plan, i)->key, axis_of(plan, i)->n_values);
	return TRUE;
}

/* Saturates far above SWEEP_MAX_POINTS. */
static guint64 product(const SweepPlan *plan)
{
	guint64 n = 1;

	for (guint i = 0; i < plan->axes->len; i++)
		n = MIN(n * axis_of(plan, i)->n_values, G_MAXUINT32);
	return n;
}

/*
 * Latin hypercube: n strata on each axis, each used once, in an order shuffled for each axis.
 * An axis of fewer values has each in equally many strata, give or take one.
 */
static void sample(SweepPlan *plan, guint64 seed)
{
	const guint32 seeds[] = {(guint32)seed, (guint32)(seed >> 32)};
	GRand *random = g_rand_new_with_seed_array(seeds, G_N_ELEMENTS(seeds));
	guint n = plan->n_combinations, n_axes = plan->axes->len;
	g_autofree guint32 *strata = g_new(guint32, n);

	plan->sampled = g_new(guint32, (gsize)n * n_axes);
	for (guint axis = 0; axis < n_axes; axis++) {
		for (guint i = 0; i < n; i++)
			strata[i] = i;
		for (guint i = n - 1; i > 0; i--) {
			guint other = (guint)g_rand_int_range(random, 0, (gint32)i + 1);
			guint32 kept = strata[i];

			strata[i] = strata[other];
			strata[other] = kept;
		}
		for (guint i = 0; i < n; i++)
			plan->sampled[(gsize)i * n_axes + axis] =
				(guint32)((guint64)strata[i] * axis_of(plan, axis)->n_values /
					  n);
	}
	g_rand_free(random);
}

SweepPlan *sweep_plan_new(GPtrArray *axes, SweepMode mode, guint64 n_samples, guint64 seed,
			  GError **error)
{
	g_autoptr(SweepPlan) plan = g_new0(SweepPlan, 1);
	guint64 n;

	plan->axes = axes;
	plan->mode = mode;
	if (axes->len == 0) {
		atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			     "nothing to vary; for example: --vary atomic.locks=64..4096:*2");
		return NULL;
	}
	if (!check_keys(plan, error) || (mode == SWEEP_ZIP && !check_zip(plan, error)))
		return NULL;
	n = mode == SWEEP_ZIP ? axis_of(plan, 0)->n_values : product(plan);
	if (mode == SWEEP_SAMPLE && (n_samples < 1 || n_samples > n)) {
		atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			     "--sample %" G_GUINT64_FORMAT "; allowed: 1 to %" G_GUINT64_FORMAT
			     ", the points of the product",
			     n_samples, n);
		return NULL;
	}
	if (mode == SWEEP_SAMPLE)
		n = n_samples;
	if (n > SWEEP_MAX_POINTS) {
		atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			     "more than %d points; --sample N takes a part of them",
			     SWEEP_MAX_POINTS);
		return NULL;
	}
	plan->n_combinations = (guint)n;
	if (mode == SWEEP_SAMPLE)
		sample(plan, seed);
	return g_steal_pointer(&plan);
}

void sweep_plan_free(SweepPlan *plan)
{
	if (plan == NULL)
		return;
	g_ptr_array_unref(plan->axes);
	g_free(plan->sampled);
	g_free(plan);
}

static guint choice(const SweepPlan *plan, guint combination, guint axis)
{
	guint faster = 1;

	if (plan->mode == SWEEP_ZIP)
		return combination;
	if (plan->mode == SWEEP_SAMPLE)
		return plan->sampled[(gsize)combination * plan->axes->len + axis];
	for (guint i = axis + 1; i < plan->axes->len; i++)
		faster *= axis_of(plan, i)->n_values;
	return combination / faster % axis_of(plan, axis)->n_values;
}

const char *sweep_plan_value(const SweepPlan *plan, guint combination, guint axis)
{
	g_assert(combination < plan->n_combinations && axis < plan->axes->len);
	return axis_of(plan, axis)->values[choice(plan, combination, axis)];
}

const char *sweep_plan_config(const SweepPlan *plan, guint combination)
{
	for (guint i = 0; i < plan->axes->len; i++)
		if (strcmp(axis_of(plan, i)->key, SWEEP_CONFIG_AXIS) == 0)
			return sweep_plan_value(plan, combination, i);
	return NULL;
}

char **sweep_plan_settings(const SweepPlan *plan, guint combination, gboolean of_workload)
{
	GPtrArray *settings = g_ptr_array_new();

	for (guint i = 0; i < plan->axes->len; i++)
		if (axis_of(plan, i)->of_workload == of_workload &&
		    !sweep_axis_is_what_if(axis_of(plan, i)) &&
		    strcmp(axis_of(plan, i)->key, SWEEP_CONFIG_AXIS) != 0)
			g_ptr_array_add(settings,
					g_strconcat(axis_of(plan, i)->key, "=",
						    sweep_plan_value(plan, combination, i),
						    NULL));
	g_ptr_array_add(settings, NULL);
	return (char **)g_ptr_array_free(settings, FALSE);
}

char *sweep_plan_describe(const SweepPlan *plan, guint combination)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < plan->axes->len; i++)
		g_string_append_printf(text, "%s%s=%s", i > 0 ? ", " : "",
				       axis_of(plan, i)->key,
				       sweep_plan_value(plan, combination, i));
	return g_string_free(text, FALSE);
}

/* --- Shards --- */

static gboolean shard_set(SweepShard *shard, guint64 index, guint64 count)
{
	if (count < 1 || count > SWEEP_MAX_SHARDS || index > count)
		return FALSE;
	shard->index = (guint)index;
	shard->count = (guint)count;
	return TRUE;
}

gboolean sweep_shard_parse(const char *text, SweepShard *shard, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(text, "/", -1);
	guint64 index, count;

	if (g_strv_length(parts) == 2 &&
	    g_ascii_string_to_unsigned(parts[0], 10, 0, SWEEP_MAX_SHARDS, &index, NULL) &&
	    g_ascii_string_to_unsigned(parts[1], 10, 1, SWEEP_MAX_SHARDS, &count, NULL) &&
	    shard_set(shard, index, count))
		return TRUE;
	return atomsim_fail(
		error, ATOMSIM_ERROR_USAGE,
		"--shard %s; allowed: I/N with N from 1 to %d and I from 0 to N (0 and N "
		"are the "
		"same shard)",
		text, SWEEP_MAX_SHARDS);
}

gboolean sweep_shard_from_slurm(const char *(*get)(const char *name), SweepShard *shard,
				GError **error)
{
	static const char *const names[] = {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT",
					    "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX"};
	guint64 numbers[G_N_ELEMENTS(names)];

	*shard = (SweepShard){1, 1};
	if (get(names[0]) == NULL || get(names[1]) == NULL)
		return TRUE;
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		const char *text = get(names[i]);

		/* Without bounds the numbers are taken to begin at 0 or 1. */
		if (text == NULL && i >= 2) {
			numbers[2] = 1;
			numbers[3] = numbers[1];
			break;
		}
		if (!g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT32, &numbers[i], NULL))
			return atomsim_fail(
				error, ATOMSIM_ERROR_USAGE,
				"%s='%s' in the environment; allowed: a whole number", names[i],
				text);
	}
	/* The numbers of a gapless array are a whole set of remainders, wherever it begins. */
	if (numbers[1] >= 1 && numbers[3] - numbers[2] + 1 == numbers[1] &&
	    shard_set(shard, numbers[0] % numbers[1], numbers[1]))
		return TRUE;
	return atomsim_fail(
		error, ATOMSIM_ERROR_USAGE,
		"this array of %" G_GUINT64_FORMAT " Slurm tasks cannot be one shard each; "
		"allowed: 1 to %d tasks, numbered without gaps; or give --shard I/N",
		numbers[1], SWEEP_MAX_SHARDS);
}

gboolean sweep_shard_has(const SweepShard *shard, guint point)
{
	return (point + 1) % shard->count == shard->index % shard->count;
}
