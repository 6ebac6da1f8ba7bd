/* SPDX-License-Identifier: MIT */
/* What runs on a config may say of their own error: of measured launches, by class. */
#include "cli/validate/validate.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "config/expected.h"

/* The errors of one class, relative, each at least 0. */
typedef struct {
	const char *name;
	GArray *errors; /* double, in order */
} Class;

static void class_clear(gpointer data)
{
	g_array_unref(((Class *)data)->errors);
}

static gint compare(gconstpointer a, gconstpointer b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static gint compare_classes(gconstpointer a, gconstpointer b)
{
	return strcmp(((const Class *)a)->name, ((const Class *)b)->name);
}

static GArray *errors_of(GArray *classes, const char *name)
{
	Class added = {.name = name};

	for (guint i = 0; i < classes->len; i++) {
		const Class *class = &g_array_index(classes, Class, i);

		if (strcmp(class->name, name) == 0)
			return class->errors;
	}
	added.errors = g_array_new(FALSE, FALSE, sizeof(double));
	g_array_append_val(classes, added);
	return added.errors;
}

/* Launches of the whole GPU: measured by the GPU's counters, or by the clocks of its SMs. */
static gboolean is_launch(const ValidationPoint *point)
{
	return point->launch_class != NULL && (strcmp(point->operation, VALIDATE_LAUNCH) == 0 ||
					       strcmp(point->operation, VALIDATE_KERNEL) == 0);
}

static GArray *classes_new(const GPtrArray *points)
{
	GArray *classes = g_array_new(FALSE, FALSE, sizeof(Class));

	g_array_set_clear_func(classes, class_clear);
	for (guint i = 0; i < points->len; i++) {
		const ValidationPoint *point = g_ptr_array_index(points, i);
		const double error = fabs(point->error);

		if (is_launch(point))
			g_array_append_val(errors_of(classes, point->launch_class), error);
	}
	for (guint i = 0; i < classes->len; i++)
		g_array_sort(g_array_index(classes, Class, i).errors, compare);
	g_array_sort(classes, compare_classes);
	return classes;
}

/* To whole per cents, up. */
static double up(double error)
{
	return ceil(100 * error - 1e-9) / 100;
}

static double median_of(const GArray *errors)
{
	const guint half = errors->len / 2;
	const double above = g_array_index(errors, double, half);

	return errors->len % 2 ? above : (above + g_array_index(errors, double, half - 1)) / 2;
}

/*
 * What another launch of the kind is within nine times in ten: the (n + 1) * 0.9th error, rounded up (split conformal prediction). Fewer
 * than nine launches have no such one: for them, if errors are distributed exponentially and only these are known of their mean,
 * n * mean * (10^(1/n) - 1). measurements/expected-errors.awk does the same.
 */
static double high_of(const GArray *errors)
{
	const guint n = errors->len, rank = (9 * (n + 1) + 9) / 10;
	double sum = 0;

	if (rank <= n)
		return g_array_index(errors, double, rank - 1);
	for (guint i = 0; i < n; i++)
		sum += g_array_index(errors, double, i);
	return sum * (pow(10, 1.0 / n) - 1);
}

#define LEAST_LAUNCHES 5 /* of a class that says anything */

static void add_class(cJSON *launches, const Class *class)
{
	cJSON *object = cJSON_CreateObject();

	cJSON_AddStringToObject(object, "what", class->name);
	cJSON_AddNumberToObject(object, "points", class->errors->len);
	cJSON_AddNumberToObject(object, "median", up(median_of(class->errors)));
	cJSON_AddNumberToObject(object, "p90", up(high_of(class->errors)));
	cJSON_AddItemToArray(launches, object);
}

char *validate_expected(const GPtrArray *points, const Machine *machine, GError **error)
{
	g_autoptr(GArray) classes = classes_new(points);
	g_autofree char *checksum = expected_checksum(machine);
	g_autoptr(cJSON) root = cJSON_CreateObject();
	cJSON *launches;

	cJSON_AddStringToObject(
		root, "description",
		"Written by atomsim validate --expected-errors: how far off launches were on "
		"the config of that checksum, by class. points were measured; median and p90 "
		"(90th percentile) are relative. Changes were not measured.");
	cJSON_AddStringToObject(root, "config", checksum);
	launches = cJSON_AddArrayToObject(root, "launches");
	for (guint i = 0; i < classes->len; i++)
		if (g_array_index(classes, Class, i).errors->len >= LEAST_LAUNCHES)
			add_class(launches, &g_array_index(classes, Class, i));
	cJSON_AddArrayToObject(root, "changes");
	if (cJSON_GetArraySize(launches) > 0)
		return json_page(g_steal_pointer(&root));
	atomsim_fail(error, ATOMSIM_ERROR_INPUT,
		     "--expected-errors: no class of launches has %d of them; launches "
		     "are in launches.csv, which the step kernels of atomsim measure makes",
		     LEAST_LAUNCHES);
	return NULL;
}
