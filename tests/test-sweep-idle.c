/* SPDX-License-Identifier: MIT */
/* What is said of keys without effect, held against every pair of points of random tables. */
#include "explore/sweep/idle.h"

#include <glib/gstdio.h>
#include <string.h>

#define MAX_AXES   3
#define MAX_POINTS 64
#define N_TABLES   4000

typedef struct {
	guint n_axes, n;
	guint values[MAX_POINTS][MAX_AXES];
	guint figures[MAX_POINTS], trace[MAX_POINTS];
	gboolean complete[MAX_POINTS];
} Points;

/* A product of a few values, of which some points may be missing or have failed; figures depend on some of the axes. */
static Points random_points(GRand *random)
{
	Points points = {.n_axes = (guint)g_rand_int_range(random, 1, MAX_AXES + 1)};
	const guint n_traces = (guint)g_rand_int_range(random, 1, 3);
	const gint holes = g_rand_boolean(random) ? 0 : 20;
	guint sizes[MAX_AXES], acts[MAX_AXES], product = 1;

	for (guint a = 0; a < points.n_axes; a++) {
		product *= sizes[a] = (guint)g_rand_int_range(random, 1, 4);
		acts[a] = (guint)g_rand_int_range(random, 0,
						  3); /* not, less than it could, all */
	}
	for (guint i = 0; i < product * n_traces; i++) {
		guint left = i % product, figures = 0;

		if (g_rand_int_range(random, 0, 100) < holes)
			continue;
		for (guint a = 0; a < points.n_axes; a++) {
			guint value = left % sizes[a];

			left /= sizes[a];
			points.values[points.n][a] = value;
			figures = 10 * figures + (acts[a] == 2	 ? value
						  : acts[a] == 1 ? value / 2
								 : 0);
		}
		points.trace[points.n] = i / product;
		points.complete[points.n] = g_rand_int_range(random, 0, 100) >= holes;
		points.figures[points.n++] = figures;
	}
	return points;
}

static char *to_table(const Points *points)
{
	GString *text = g_string_new("point,status,problem");

	for (guint a = 0; a < points->n_axes; a++)
		g_string_append_printf(text, ",varied.sm.key%u", a);
	g_string_append(text, ",trace.name,trace.sha256,cycles,config.sm.key0\n");
	for (guint i = 0; i < points->n; i++) {
		g_string_append_printf(text, "%u,%s,\"with \"\"quotes\"\", commas\"", i,
				       points->complete[i] ? "complete" : "livelock");
		for (guint a = 0; a < points->n_axes; a++)
			g_string_append_printf(text, ",\"{\"\"xor\"\":[%u,1]}\"",
					       points->values[i][a]);
		g_string_append_printf(text, ",t%u,s%u,%u,%u\n", points->trace[i],
				       points->trace[i], points->figures[i], i);
	}
	return g_string_free(text, FALSE);
}

typedef struct {
	guint pairs, same;
} Pairs;

/* Pairs of points of the trace that differ in one key alone. */
static Pairs count_pairs(const Points *points, guint trace, guint axis)
{
	Pairs pairs = {0, 0};

	for (guint i = 0; i < points->n; i++)
		for (guint k = 0; k < i; k++) {
			guint differ = 0;

			if (points->trace[i] != trace || points->trace[k] != trace ||
			    !points->complete[i] || !points->complete[k])
				continue;
			for (guint a = 0; a < points->n_axes; a++)
				differ |= (points->values[i][a] != points->values[k][a]) << a;
			if (differ != 1u << axis)
				continue;
			pairs.pairs++;
			pairs.same += points->figures[i] == points->figures[k];
		}
	return pairs;
}

static const SweepIdle *find(const GPtrArray *found, guint trace, guint axis)
{
	g_autofree char *key = g_strdup_printf("sm.key%u", axis);
	g_autofree char *name = g_strdup_printf("t%u", trace);

	for (guint i = 0; i < found->len; i++) {
		const SweepIdle *idle = found->pdata[i];

		if (g_str_equal(idle->key, key) && g_str_equal(idle->trace, name))
			return idle;
	}
	return NULL;
}

static void hold(const Points *points, const GPtrArray *found)
{
	for (guint trace = 0; trace < 2; trace++)
		for (guint axis = 0; axis < points->n_axes; axis++) {
			const Pairs pairs = count_pairs(points, trace, axis);
			const SweepIdle *idle = find(found, trace, axis);

			if (pairs.pairs > 0 && pairs.same == pairs.pairs) {
				g_assert_nonnull(idle);
				g_assert_false(idle->some);
				g_assert_nonnull(strstr(idle->words, "{\"xor\":["));
			} else if (pairs.same == 0 && points->n_axes > 1) {
				/* Together with others: only where no key varied alone. */
				g_assert_null(idle);
			} else if (idle != NULL) {
				g_assert_true(idle->some || pairs.pairs == 0);
				g_assert_cmpuint(idle->some ? pairs.same : 1, >, 0);
			}
		}
}

static void test_tables(void)
{
	g_autofree char *folder = g_dir_make_tmp("idle-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(folder, "results.csv", NULL);
	GRand *random = g_rand_new_with_seed(1);
	guint n_whole = 0, n_some = 0;

	for (guint i = 0; i < N_TABLES; i++) {
		const Points points = random_points(random);
		g_autofree char *text = to_table(&points);
		g_autoptr(GPtrArray) found = NULL;

		g_assert_true(g_file_set_contents(path, text, -1, NULL));
		found = sweep_idle_find(path);
		hold(&points, found);
		for (guint k = 0; k < found->len; k++) {
			n_some += ((SweepIdle *)found->pdata[k])->some;
			n_whole += !((SweepIdle *)found->pdata[k])->some;
		}
	}
	g_assert_cmpuint(n_some, >, N_TABLES / 20);
	g_assert_cmpuint(n_whole, >, N_TABLES / 20);
	g_rand_free(random);
	g_remove(path);
	g_rmdir(folder);
}

static void test_no_table(void)
{
	g_autoptr(GPtrArray) found = sweep_idle_find("/nowhere/results.csv");

	g_assert_cmpuint(found->len, ==, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/sweep-idle/pairs of points of random tables", test_tables);
	g_test_add_func("/sweep-idle/a table that is not there says nothing", test_no_table);
	return g_test_run();
}
