/* SPDX-License-Identifier: MIT */
/* What is varied and which points that makes; the command line's tests do the rest. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>

#include "base/error.h"
#include "explore/sweep/file.h"
#include "explore/sweep/sweep.h"

static char *values_of(const char *text)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(SweepAxis) axis = sweep_axis_parse(text, &error);

	if (axis == NULL)
		return g_strdup(error->message);
	g_assert_cmpuint(axis->n_values, ==, g_strv_length(axis->values));
	return g_strjoinv(" ", axis->values);
}

static void test_values(void)
{
	static const struct {
		const char *text, *values;
	} cases[] = {
		{"k=5", "5"},
		{"k=1,2,3", "1 2 3"},
		{"k=1..4", "1 2 3 4"},
		{"k=1..10:+3", "1 4 7 10"},
		{"k=1..9:+3", "1 4 7"},
		{"k=64..4096:*2", "64 128 256 512 1024 2048 4096"},
		{"k=64..4095:*4", "64 256 1024"},
		{"k=7..7", "7"},
		{"k=1,8..16:*2,3..4", "1 8 16 3 4"},
		{"k=9223372036854775806..9223372036854775807",
		 "9223372036854775806 9223372036854775807"},
		{"k=3..9223372036854775807:*3000000000", "3 9000000000"},
		{"k=mod,xor", "mod xor"},
		{"k=mod,{\"xor\":[5,9]},[1,2]", "mod {\"xor\":[5,9]} [1,2]"},
		{"k={\"a,\\\"}\":1},2", "{\"a,\\\"}\":1} 2"},
		{"k=../a.pgm,0.50,1.5", "../a.pgm 0.50 1.5"},
		{"k=a=b", "a=b"},
		{"k=3..",
		 "--vary k: '3..' found; allowed: FROM..TO, FROM..TO:+STEP, FROM..TO:*FACTOR"},
		{"k=3..4:2", "--vary k: '3..4:2' found; allowed: FROM..TO, FROM..TO:+STEP, "
			     "FROM..TO:*FACTOR"},
		{"k=3..-4", "--vary k: '3..-4' found; allowed: FROM..TO, FROM..TO:+STEP, "
			    "FROM..TO:*FACTOR"},
		{"k=3..4:+", "--vary k: '3..4:+' found; allowed: FROM..TO, FROM..TO:+STEP, "
			     "FROM..TO:*FACTOR"},
		{"k", "--vary k; allowed: KEY=VALUES, such as atomic.locks=64..4096:*2"},
		{"=1", "--vary =1; allowed: KEY=VALUES, such as atomic.locks=64..4096:*2"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *values = values_of(cases[i].text);

		g_assert_cmpstr(values, ==, cases[i].values);
	}
}

static SweepPlan *plan_of(const char *const *texts, SweepMode mode, guint64 n_samples,
			  guint64 seed)
{
	GPtrArray *axes = g_ptr_array_new_with_free_func((GDestroyNotify)sweep_axis_free);
	GError *error = NULL;
	SweepPlan *plan;

	for (guint i = 0; texts[i] != NULL; i++)
		g_ptr_array_add(axes, sweep_axis_parse(texts[i], NULL));
	plan = sweep_plan_new(axes, mode, n_samples, seed, &error);
	g_assert_no_error(error);
	return plan;
}

/* All points in their order. */
static char *points_of(const SweepPlan *plan)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < plan->n_combinations; i++) {
		g_autofree char *point = sweep_plan_describe(plan, i);

		g_string_append_printf(text, "%s\n", point);
	}
	return g_string_free(text, FALSE);
}

static void test_product(void)
{
	static const char *const texts[] = {"a=1,2", "b=x", "c=5..7", NULL};
	g_autoptr(SweepPlan) plan = plan_of(texts, SWEEP_PRODUCT, 0, 0);
	g_autofree char *points = points_of(plan);

	g_assert_cmpstr(points, ==,
			"a=1, b=x, c=5\na=1, b=x, c=6\na=1, b=x, c=7\n"
			"a=2, b=x, c=5\na=2, b=x, c=6\na=2, b=x, c=7\n");
}

static void test_zip(void)
{
	static const char *const texts[] = {"a=1,2", "b=x,y", NULL};
	g_autoptr(SweepPlan) plan = plan_of(texts, SWEEP_ZIP, 0, 0);
	g_autofree char *points = points_of(plan);

	g_assert_cmpstr(points, ==, "a=1, b=x\na=2, b=y\n");
}

static void test_sample_spreads(void)
{
	static const char *const texts[] = {"a=0..9", "b=0..29", "c=0..6", NULL};
	g_autoptr(SweepPlan) plan = plan_of(texts, SWEEP_SAMPLE, 30, 1);
	guint seen[3][30] = {{0}};

	g_assert_cmpuint(plan->n_combinations, ==, 30);
	for (guint i = 0; i < 30; i++)
		for (guint axis = 0; axis < 3; axis++)
			seen[axis][atoi(sweep_plan_value(plan, i, axis))]++;
	for (guint value = 0; value < 30; value++) {
		g_assert_cmpuint(seen[0][value], ==, value < 10 ? 3 : 0);
		g_assert_cmpuint(seen[1][value], ==, 1);
		/* 30 = 7 * 4 + 2: four or five of each. */
		if (value < 7)
			g_assert_true(seen[2][value] == 4 || seen[2][value] == 5);
	}
}

static void test_sample_is_of_its_seed(void)
{
	static const char *const texts[] = {"a=0..9", "b=0..9", NULL};
	g_autoptr(SweepPlan) plan = plan_of(texts, SWEEP_SAMPLE, 10, 1);
	g_autoptr(SweepPlan) same = plan_of(texts, SWEEP_SAMPLE, 10, 1);
	g_autoptr(SweepPlan) other = plan_of(texts, SWEEP_SAMPLE, 10, 2);
	g_autoptr(SweepPlan) high = plan_of(texts, SWEEP_SAMPLE, 10, UINT64_C(1) << 32 | 1);
	g_autofree char *points = points_of(plan);
	g_autofree char *same_points = points_of(same);
	g_autofree char *other_points = points_of(other);
	g_autofree char *high_points = points_of(high);

	g_assert_cmpstr(points, ==, same_points);
	g_assert_cmpstr(points, !=, other_points);
	g_assert_cmpstr(points, !=, high_points);
}

static void test_settings(void)
{
	static const char *const texts[] = {"a=1,2", "b=x,y", "c=3", NULL};
	g_autoptr(SweepPlan) plan = plan_of(texts, SWEEP_PRODUCT, 0, 0);
	g_auto(GStrv) config = NULL;
	g_auto(GStrv) workload = NULL;

	((SweepAxis *)g_ptr_array_index(plan->axes, 1))->of_workload = TRUE;
	config = sweep_plan_settings(plan, 3, FALSE);
	workload = sweep_plan_settings(plan, 3, TRUE);
	g_assert_cmpuint(g_strv_length(config), ==, 2);
	g_assert_cmpstr(config[0], ==, "a=2");
	g_assert_cmpstr(config[1], ==, "c=3");
	g_assert_cmpuint(g_strv_length(workload), ==, 1);
	g_assert_cmpstr(workload[0], ==, "b=y");
}

/* Every point is in exactly one of the shards first .. first + count - 1. */
static void check_partition(guint first, guint count)
{
	for (guint point = 0; point < 40; point++) {
		guint n = 0;

		for (guint i = first; i < first + count; i++) {
			const SweepShard shard = {i, count};

			n += sweep_shard_has(&shard, point);
		}
		g_assert_cmpuint(n, ==, 1);
	}
}

static void test_shards_part(void)
{
	const SweepShard first = {1, 4}, last = {4, 4};

	/* Points are counted from 1: point 1 is 1 modulo 4. */
	g_assert_true(sweep_shard_has(&first, 0) && sweep_shard_has(&first, 4));
	g_assert_true(sweep_shard_has(&last, 3));
	for (guint count = 1; count <= 17; count++) {
		check_partition(0, count);
		check_partition(1, count);
	}
}

static void test_shard_words(void)
{
	static const char *const bad[] = {"",	  "1",	   "1/",   "/2",  "3/2",    "0/0",
					  "-1/2", "1/2/3", "1/ 2", "a/b", "1/1001", NULL};
	SweepShard shard;

	g_assert_true(sweep_shard_parse("3/16", &shard, NULL));
	g_assert_cmpuint(shard.index, ==, 3);
	g_assert_cmpuint(shard.count, ==, 16);
	for (guint i = 0; bad[i] != NULL; i++) {
		g_autoptr(GError) error = NULL;

		g_assert_false(sweep_shard_parse(bad[i], &shard, &error));
		g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE);
	}
}

/* An environment for the test at hand: NAME, VALUE, ... */
static const char *const *slurm;

static const char *get(const char *name)
{
	for (guint i = 0; slurm[i] != NULL; i += 2)
		if (strcmp(slurm[i], name) == 0)
			return slurm[i + 1];
	return NULL;
}

#define ID    "SLURM_ARRAY_TASK_ID"
#define COUNT "SLURM_ARRAY_TASK_COUNT"
#define MIN_  "SLURM_ARRAY_TASK_MIN"
#define MAX_  "SLURM_ARRAY_TASK_MAX"

static void test_slurm(void)
{
	static const struct {
		const char *environment[9];
		guint index, count; /* count 0: an error */
	} cases[] = {
		{{NULL}, 1, 1},
		{{ID, "3", NULL}, 1, 1},
		{{ID, "0", COUNT, "16", MIN_, "0", MAX_, "15", NULL}, 0, 16},
		{{ID, "16", COUNT, "16", MIN_, "1", MAX_, "16", NULL}, 0, 16},
		{{ID, "103", COUNT, "4", MIN_, "100", MAX_, "103", NULL}, 3, 4},
		{{ID, "2", COUNT, "4", NULL}, 2, 4},
		{{ID, "5", COUNT, "2", MIN_, "3", MAX_, "5", NULL}, 0, 0},
		{{ID, "x", COUNT, "2", MIN_, "1", MAX_, "2", NULL}, 0, 0},
		{{ID, "1", COUNT, "0", MIN_, "1", MAX_, "0", NULL}, 0, 0},
		{{ID, "1", COUNT, "2000", MIN_, "1", MAX_, "2000", NULL}, 0, 0},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;
		SweepShard shard;
		gboolean good;

		slurm = cases[i].environment;
		good = sweep_shard_from_slurm(get, &shard, &error);
		g_assert_cmpint(good, ==, cases[i].count > 0);
		if (!good) {
			g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE);
			continue;
		}
		g_assert_cmpuint(shard.index, ==, cases[i].index);
		g_assert_cmpuint(shard.count, ==, cases[i].count);
	}
}

static void test_later_axis_wins(void)
{
	g_auto(SweepWords) words = {0};
	const SweepAxis *axis;

	sweep_words_init(&words);
	sweep_words_vary(&words, sweep_axis_parse("a=1,2", NULL));
	sweep_words_vary(&words, sweep_axis_parse("b=1", NULL));
	sweep_words_vary(&words, sweep_axis_parse("a=3", NULL));
	g_assert_cmpuint(words.axes->len, ==, 2);
	axis = g_ptr_array_index(words.axes, 1);
	g_assert_cmpstr(axis->key, ==, "a");
	g_assert_cmpstr(axis->values[0], ==, "3");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/sweep/values are lists and ranges", test_values);
	g_test_add_func("/sweep/a product's last key changes fastest", test_product);
	g_test_add_func("/sweep/zipped values go together", test_zip);
	g_test_add_func("/sweep/a sample has each value equally often", test_sample_spreads);
	g_test_add_func("/sweep/a sample depends on its seed alone",
			test_sample_is_of_its_seed);
	g_test_add_func("/sweep/settings of config and workload are told apart", test_settings);
	g_test_add_func("/sweep/every point is in one shard, from 0 or from 1",
			test_shards_part);
	g_test_add_func("/sweep/a shard is I of N", test_shard_words);
	g_test_add_func("/sweep/a task of Slurm is a shard", test_slurm);
	g_test_add_func("/sweep/of one key's values the later are taken", test_later_axis_wins);
	return g_test_run();
}
