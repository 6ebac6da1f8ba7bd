/* SPDX-License-Identifier: MIT */
#include "validate/frame/validate-rows.h"

#include <string.h>

#include "base/error.h"
#include "validate/frame/metric-runs.h"

enum { ID, WORKLOAD, PARAMS, METRIC, VALUE, UNIT, RELATION, TOLERANCE, N_NEEDED };

static const char *const names[N_NEEDED] = {"id",    "workload", "params",   "metric",
					    "value", "unit",	 "relation", "tolerance"};

#define CYCLES "cycles"

typedef enum { TIME, SPEEDUP, SPEEDUP_AVERAGE, SPEEDUP_MAXIMUM, TIME_RATIO, N_METRICS } Metric;

static const char *const metrics[N_METRICS] = {"time", "speedup", "speedup_average",
					       "speedup_maximum", "time_ratio"};

typedef enum { EQUAL, GREATER, LESS, N_RELATIONS } Relation;

static const char *const relations[N_RELATIONS] = {"eq", "gt", "lt"};

static const struct {
	const char *name;
	double us;
} units[] = {{"us", 1}, {"ms", 1e3}, {"s", 1e6}};

typedef struct {
	const CsvTable *table;
	guint columns[N_NEEDED];
	int reference, held_back, group;
	MetricRuns *runs;
} Metrics;

static const char *cell(const Metrics *m, guint row, guint column)
{
	return csv_cell(m->table, row, m->columns[column]);
}

static gboolean set_cell_problem(const Metrics *m, guint row, guint column, const char *allowed,
				 GError **error)
{
	return csv_fail_cell(m->table, row, m->columns[column], error,
			     "found '%s'; allowed: %s", cell(m, row, column), allowed);
}

/* Place of a word in a list of n, n if it is not there. */
static guint find(const char *word, const char *const *list, guint n)
{
	guint i = 0;

	while (i < n && strcmp(word, list[i]) != 0)
		i++;
	return i;
}

/* The row that this one is compared with. */
static gboolean find_reference(const Metrics *m, guint row, guint *found, GError **error)
{
	const char *id = m->reference < 0 ? "" : csv_cell(m->table, row, (guint)m->reference);

	for (guint i = 0; i < csv_rows(m->table); i++)
		if (*id != '\0' && strcmp(cell(m, i, ID), id) == 0) {
			*found = i;
			return TRUE;
		}
	return csv_fail_cell(m->table, row, m->columns[METRIC], error,
			     "'%s' needs a row to compare with; found reference '%s'; allowed: "
			     "the id of a row",
			     cell(m, row, METRIC), id);
}

/* An error of a run gets its place. */
static gboolean run(const Metrics *m, guint row, const char *parameters, MetricTime *time,
		    GError **error)
{
	GError *why = NULL;

	if (metric_run(m->runs, cell(m, row, WORKLOAD), parameters, time, &why))
		return TRUE;
	g_prefix_error(&why, "%s:%u: ", csv_path(m->table), csv_line(m->table, row));
	g_propagate_error(error, why);
	return FALSE;
}

/* Time of a run in the row's unit. */
static gboolean in_unit(const Metrics *m, guint row, const MetricTime *time, double *value,
			GError **error)
{
	const char *unit = cell(m, row, UNIT);

	if (strcmp(unit, CYCLES) == 0) {
		*value = time->cycles;
		return TRUE;
	}
	for (guint i = 0; i < G_N_ELEMENTS(units); i++)
		if (strcmp(unit, units[i].name) == 0) {
			*value = time->time_us / units[i].us;
			return TRUE;
		}
	return set_cell_problem(m, row, UNIT, "cycles, us, ms, s", error);
}

/* The figure of one of the runs that a row names. */
static gboolean figure(const Metrics *m, guint row, Metric metric, const char *own,
		       double *value, GError **error)
{
	g_autofree char *other = NULL;
	GError *why = NULL;
	MetricTime time, base;
	guint reference = 0;

	if (!run(m, row, own, &time, error))
		return FALSE;
	if (metric == TIME)
		return in_unit(m, row, &time, value, error);
	if (!find_reference(m, row, &reference, error))
		return FALSE;
	other = metric_fill(cell(m, reference, PARAMS), own, &why);
	if (other == NULL) {
		g_prefix_error(&why, "%s:%u: ", csv_path(m->table),
			       csv_line(m->table, reference));
		g_propagate_error(error, why);
		return FALSE;
	}
	if (!run(m, reference, other, &base, error))
		return FALSE;
	/* Where the paper counts cycles, launches are not in them. */
	if (strcmp(cell(m, reference, UNIT), CYCLES) == 0)
		*value = base.cycles / time.cycles;
	else
		*value = base.time_us / time.time_us;
	if (metric == TIME_RATIO)
		*value = 1 / *value;
	return TRUE;
}

/* Of the figures of all its runs: their mean or greatest, or the one that is nearest to breaking the relation. */
static gboolean simulate(const Metrics *m, guint row, Metric metric, Relation relation,
			 double *value, GError **error)
{
	GError *why = NULL;
	g_autoptr(GPtrArray) all = metric_expand(cell(m, row, PARAMS), &why);
	double sum = 0, least = G_MAXDOUBLE, greatest = 0;

	if (all == NULL) {
		g_prefix_error(&why, "%s:%u: params: ", csv_path(m->table),
			       csv_line(m->table, row));
		g_propagate_error(error, why);
		return FALSE;
	}
	for (guint i = 0; i < all->len; i++) {
		double one = 0;

		if (!figure(m, row, metric, g_ptr_array_index(all, i), &one, error))
			return FALSE;
		sum += one;
		least = MIN(least, one);
		greatest = MAX(greatest, one);
	}
	if (metric == SPEEDUP_MAXIMUM || (metric != SPEEDUP_AVERAGE && relation == LESS))
		*value = greatest;
	else if (metric != SPEEDUP_AVERAGE && relation == GREATER)
		*value = least;
	else
		*value = sum / all->len;
	return TRUE;
}

/* What the row allows, and whether the point is within. Without a tolerance it is only shown. */
static gboolean judge(const Metrics *m, guint row, Relation relation, ValidationPoint *point,
		      GError **error)
{
	double value = point->measured_cycles, found = point->simulated_cycles, t = 0;

	point->unit = g_strdup(cell(m, row, UNIT));
	if (*cell(m, row, TOLERANCE) == '\0')
		return TRUE;
	if (!csv_number(m->table, row, m->columns[TOLERANCE], 0, &t, error))
		return FALSE;
	if (relation == EQUAL)
		point->allowed =
			g_strdup_printf("%.4g .. %.4g", value / (1 + t), value * (1 + t));
	else
		point->allowed = g_strdup_printf("%s %.4g",
						 relation == GREATER ? "over" : "under", value);
	point->verdict =
		(relation == EQUAL     ? found >= value / (1 + t) && found <= value * (1 + t)
		 : relation == GREATER ? found > value
				       : found < value)
			? VERDICT_HOLDS
			: VERDICT_MISSES;
	/* What is only ordered is right or wrong by no amount. */
	if (relation != EQUAL && point->verdict == VERDICT_HOLDS)
		point->error = 0;
	return TRUE;
}

static gboolean add_row(Validation *validation, const Metrics *m, guint row, GError **error)
{
	guint metric = find(cell(m, row, METRIC), metrics, N_METRICS);
	guint relation = find(cell(m, row, RELATION), relations, N_RELATIONS);
	g_autofree char *pattern = NULL;
	double published, simulated, held = 0;
	ValidationPoint *point;

	/* What no run gives, and rows that others are compared with. */
	if (*cell(m, row, WORKLOAD) == '\0' || *cell(m, row, VALUE) == '\0' ||
	    metric == N_METRICS) {
		validate_pass_over(validation, csv_path(m->table), csv_line(m->table, row),
				   "no workload, value and metric that a run gives");
		return TRUE;
	}
	if (relation == N_RELATIONS)
		return set_cell_problem(m, row, RELATION, "eq, gt, lt", error);
	if (!csv_number(m->table, row, m->columns[VALUE], VALIDATE_LEAST_CYCLES, &published,
			error) ||
	    (m->held_back >= 0 &&
	     !csv_number(m->table, row, (guint)m->held_back, 0, &held, error)) ||
	    !simulate(m, row, (Metric)metric, (Relation)relation, &simulated, error))
		return FALSE;
	pattern = g_strconcat(m->group < 0 ? "-" : csv_cell(m->table, row, (guint)m->group),
			      "/", cell(m, row, ID), NULL);
	point = validate_point_add(validation, csv_path(m->table), csv_line(m->table, row),
				   VALIDATE_PUBLISHED, pattern, published, simulated);
	point->held_back = held != 0;
	return judge(m, row, (Relation)relation, point, error);
}

gboolean validate_add_metrics(Validation *validation, const Machine *machine,
			      const CsvTable *table, GError **error)
{
	g_autoptr(MetricRuns) runs = metric_runs_new(machine, validation->n_threads);
	Metrics m = {.table = table,
		     .reference = csv_column(table, "reference"),
		     .held_back = csv_column(table, "held_back"),
		     .group = csv_column(table, "group"),
		     .runs = runs};
	const guint before = validation->points->len;

	if (!csv_require_all(table, names, N_NEEDED, m.columns, error))
		return FALSE;
	for (guint row = 0; row < csv_rows(table); row++) {
		if (validation->progress &&
		    !validation->progress(validation->progress_data, row, csv_rows(table)))
			return atomsim_fail(error, ATOMSIM_ERROR_RUN, "validate: interrupted");
		if (!add_row(validation, &m, row, error))
			return FALSE;
	}
	if (validation->points->len > before || csv_rows(table) == 0)
		return TRUE;
	return atomsim_fail(
		error, ATOMSIM_ERROR_INPUT,
		"%s: none of its %u rows has a workload, a value and a metric that a "
		"run gives, such as time or speedup",
		csv_path(table), csv_rows(table));
}
