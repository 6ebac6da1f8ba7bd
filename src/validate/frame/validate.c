/* SPDX-License-Identifier: MIT */
#include "validate/frame/validate.h"

#include <math.h>
#include <string.h>

/* --- Points --- */

static void point_free(gpointer data)
{
	ValidationPoint *point = data;

	g_free(point->file);
	g_free(point->pattern);
	g_free(point->family);
	g_free(point->unit);
	g_free(point->allowed);
	g_free(point);
}

static void passed_free(gpointer data)
{
	PassedOver *passed = data;

	g_free(passed->file);
	g_free(passed);
}

Validation *validation_new(void)
{
	Validation *validation = g_new0(Validation, 1);

	validation->points = g_ptr_array_new_with_free_func(point_free);
	validation->passed = g_ptr_array_new_with_free_func(passed_free);
	return validation;
}

void validation_free(Validation *validation)
{
	g_ptr_array_unref(validation->points);
	g_ptr_array_unref(validation->passed);
	g_free(validation);
}

ValidationPoint *validate_point_add(Validation *validation, const char *file, guint line,
				    const char *operation, const char *pattern,
				    double measured_cycles, double simulated_cycles)
{
	ValidationPoint *point = g_new0(ValidationPoint, 1);

	point->file = g_strdup(file);
	point->line = line;
	point->operation = operation;
	point->pattern = g_strdup(pattern);
	point->family = g_strndup(pattern, strcspn(pattern, "/"));
	point->measured_cycles = measured_cycles;
	point->simulated_cycles = simulated_cycles;
	point->error = (simulated_cycles - measured_cycles) / measured_cycles;
	g_ptr_array_add(validation->points, point);
	return point;
}

void validate_pass_over(Validation *validation, const char *file, guint line, const char *why)
{
	PassedOver *passed;

	for (guint i = 0; i < validation->passed->len; i++) {
		passed = g_ptr_array_index(validation->passed, i);
		if (strcmp(passed->file, file) == 0 && strcmp(passed->why, why) == 0) {
			passed->rows++;
			return;
		}
	}
	passed = g_new(PassedOver, 1);
	*passed = (PassedOver){g_strdup(file), line, 1, why};
	g_ptr_array_add(validation->passed, passed);
}

/* --- Summaries --- */

static int compare_doubles(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static gboolean belongs(const ValidationPoint *point, const char *operation, const char *family)
{
	return (operation == NULL || strcmp(point->operation, operation) == 0) &&
	       (family == NULL || strcmp(point->family, family) == 0);
}

static ErrorSummary summarise(const GPtrArray *points, const char *operation,
			      const char *family, gboolean held_back_only)
{
	g_autoptr(GArray) errors = g_array_new(FALSE, FALSE, sizeof(double));
	ErrorSummary summary = {0};
	const double *sorted;
	guint n;

	for (guint i = 0; i < points->len; i++) {
		const ValidationPoint *point = g_ptr_array_index(points, i);
		double size = fabs(point->error);

		if (belongs(point, operation, family) && (point->held_back || !held_back_only))
			g_array_append_val(errors, size);
	}
	n = errors->len;
	if (n == 0)
		return summary;
	g_array_sort(errors, compare_doubles);
	sorted = (const double *)(void *)errors->data;
	summary.points = n;
	for (guint i = 0; i < n; i++)
		summary.mean_relative_error += sorted[i] / n;
	summary.median_relative_error = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
	summary.p90_relative_error = sorted[(9 * n + 9) / 10 - 1];
	summary.max_relative_error = sorted[n - 1];
	return summary;
}

ErrorSummary validate_summarise(const GPtrArray *points, const char *operation,
				const char *family)
{
	return summarise(points, operation, family, FALSE);
}

ErrorSummary validate_summarise_held_back(const GPtrArray *points, const char *operation)
{
	return summarise(points, operation, NULL, TRUE);
}

#define RANKED_RATIO 1.05 /* nearer than that, measured points are taken for equal */

static void rank_pair(const ValidationPoint *a, const ValidationPoint *b, Ranking *ranking)
{
	const ValidationPoint *fast = a->measured_cycles < b->measured_cycles ? a : b;
	const ValidationPoint *slow = fast == a ? b : a;

	if (strcmp(a->family, b->family) != 0 ||
	    slow->measured_cycles <= fast->measured_cycles * RANKED_RATIO)
		return;
	ranking->pairs++;
	ranking->right += fast->simulated_cycles < slow->simulated_cycles;
}

Ranking validate_rank(const GPtrArray *points, const char *operation)
{
	Ranking ranking = {0, 0};

	for (guint i = 0; i < points->len; i++)
		for (guint j = 0; j < i; j++) {
			const ValidationPoint *a = g_ptr_array_index(points, i);
			const ValidationPoint *b = g_ptr_array_index(points, j);

			if (strcmp(a->operation, operation) == 0 &&
			    strcmp(b->operation, operation) == 0)
				rank_pair(a, b, &ranking);
		}
	return ranking;
}

/* The different names that `name` finds in the points, in the order of the first of each. */
static const char **names_of(const GPtrArray *points,
			     const char *(*name)(const ValidationPoint *point))
{
	GPtrArray *names = g_ptr_array_new();

	for (guint i = 0; i < points->len; i++) {
		const char *found = name(g_ptr_array_index(points, i));

		if (!g_ptr_array_find_with_equal_func(names, found, g_str_equal, NULL))
			g_ptr_array_add(names, (gpointer)found);
	}
	g_ptr_array_add(names, NULL);
	return (const char **)g_ptr_array_free(names, FALSE);
}

static const char *family_of(const ValidationPoint *point)
{
	return point->family;
}

static const char *operation_of(const ValidationPoint *point)
{
	return point->operation;
}

const char **validate_families(const GPtrArray *points)
{
	return names_of(points, family_of);
}

const char **validate_operations(const GPtrArray *points)
{
	return names_of(points, operation_of);
}

/* g_ptr_array_sort is a stable merge sort, so ties keep the order of the points. */
static int compare_errors(gconstpointer a, gconstpointer b)
{
	double x = fabs((*(const ValidationPoint *const *)a)->error);
	double y = fabs((*(const ValidationPoint *const *)b)->error);

	return x > y ? -1 : x < y;
}

GPtrArray *validate_worst(const GPtrArray *points)
{
	GPtrArray *worst = g_ptr_array_new();

	for (guint i = 0; i < points->len; i++)
		g_ptr_array_add(worst, g_ptr_array_index(points, i));
	g_ptr_array_sort(worst, compare_errors);
	return worst;
}
