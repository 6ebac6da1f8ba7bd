/* SPDX-License-Identifier: MIT */
/* Points that share a result have the one that a run of their own gives. */
#include <string.h>

#include "config/config.h"
#include "explore/sweep/share.h"
#include "gen-trace.h"
#include "replay/replay.h"
#include "report/report.h"

#define N_POINTS 40

typedef struct {
	const char *trace;
	const char *axes[5];
	/* Of pairs of points with different values: some that share, and some that are told apart. */
	gboolean some_share, some_differ;
} Case;

static SweepPlan *plan_of(const char *const *axes, guint64 seed)
{
	GPtrArray *parsed = g_ptr_array_new_with_free_func((GDestroyNotify)sweep_axis_free);
	GError *error = NULL;
	SweepPlan *plan;

	for (guint i = 0; axes[i] != NULL; i++) {
		g_ptr_array_add(parsed, sweep_axis_parse(axes[i], &error));
		g_assert_no_error(error);
	}
	plan = sweep_plan_new(parsed, SWEEP_SAMPLE, N_POINTS, seed, &error);
	g_assert_no_error(error);
	return plan;
}

/* All that a report says of a result but its config. g_free. */
static char *text_of(const Config *config, const SimResult *result)
{
	RunReport report = {.machine = config_machine(config), .result = result, .wall_s = -1};
	cJSON *object = report_object(&report);
	char *text = cJSON_PrintUnformatted(object);

	cJSON_Delete(object);
	return text;
}

static void test_shared(gconstpointer data)
{
	const Case *c = data;
	g_autofree char *path =
		g_build_filename(g_getenv("SOURCE"), "configs/fermi.json", NULL);
	g_autoptr(SweepPlan) plan = plan_of(c->axes, 3);
	g_autoptr(GPtrArray) inputs =
		g_ptr_array_new_with_free_func((GDestroyNotify)sweep_input_free);
	g_autoptr(Config) base = config_load(path, NULL, NULL);
	const Sweep sweep = {.plan = plan, .config = base, .inputs = inputs};
	SweepInput *input = sweep_input_new(gen_trace(c->trace), "t");
	Config *configs[N_POINTS];
	ReplayResult results[N_POINTS] = {0};
	char *texts[N_POINTS];
	guint n_shared = 0, n_apart = 0;

	g_ptr_array_add(inputs, input);
	for (guint i = 0; i < N_POINTS; i++) {
		g_auto(GStrv) settings = sweep_plan_settings(plan, i, FALSE);
		g_autoptr(GError) error = NULL;
		Replay replay = {.reader = input->reader, .n_threads = 1};

		configs[i] = config_with(base, (const char *const *)settings, &error);
		g_assert_no_error(error);
		replay.machine = config_machine(configs[i]);
		replay_run(&replay, &results[i], NULL);
		texts[i] = text_of(configs[i], &results[i].run);
	}
	for (guint i = 0; i < N_POINTS; i++) {
		SweepShare *share = sweep_share_new(&sweep);

		sweep_share_add(share, i, &results[i].run);
		for (guint j = 0; j < N_POINTS; j++) {
			const SimResult *found =
				sweep_share_find(share, j, config_machine(configs[j]));
			g_autofree char *text = found ? text_of(configs[j], found) : NULL;

			if (found)
				g_assert_cmpstr(text, ==, texts[j]);
			n_shared += found && i != j;
			n_apart += !found;
		}
		sweep_share_free(share);
	}
	g_assert_true((n_shared > 0) == c->some_share);
	g_assert_true((n_apart > 0) == c->some_differ);
	for (guint i = 0; i < N_POINTS; i++) {
		config_free(configs[i]);
		replay_result_clear(&results[i]);
		g_free(texts[i]);
	}
}

/* The first points are of different classes; each class keeps its own order. */
static void test_order(void)
{
	static const char *const axes[] = {"sm.max_warps=8..47", NULL};
	g_autoptr(SweepPlan) plan = plan_of(axes, 1);
	const guint input_of[N_POINTS] = {[N_POINTS - 2] = 1, 1};
	const Sweep sweep = {.plan = plan, .input_of = input_of};
	SweepShare *share = sweep_share_new(&sweep);
	g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(guint));
	static const guint first[] = {0, N_POINTS - 2, 1, N_POINTS - 1, 2, 3};

	for (guint i = 0; i < N_POINTS; i++)
		g_array_append_val(points, i);
	sweep_share_order(share, points);
	g_assert_cmpmem(points->data, sizeof first, first, sizeof first);
	sweep_share_free(share);
}

static const Case cases[] = {
	{"voting blocks=60 warps=5 words=64 steps=3",
	 {"sm.max_warps=5..48", "sm.max_blocks=1..12", NULL},
	 TRUE,
	 TRUE},
	{"voting blocks=60 warps=2 words=1024 steps=2",
	 {"shared.bytes=8192..49152:+1024", "sm.max_blocks=4,6,8", NULL},
	 TRUE,
	 TRUE},
	{"voting blocks=8 warps=4 words=64 steps=3",
	 {"atomic.locks=64..1024:*2", "sm.barrier_cycles=1..9", NULL},
	 TRUE,
	 TRUE},
	{"transpose size=64",
	 {"atomic.locks=64..1024:*2", "atomic.mechanism=lock-bits,native,cas-loop",
	  "atomic.lock_hash=mod,xor,ipoly", NULL},
	 TRUE,
	 FALSE},
	{"transpose size=64", {"sm.barrier_cycles=1..40", NULL}, FALSE, TRUE},
};

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *name =
			g_strdup_printf("/sweep-share/same-as-a-run-of-its-own/%u", i + 1);

		g_test_add_data_func(name, &cases[i], test_shared);
	}
	g_test_add_func("/sweep-share/classes-take-turns", test_order);
	return g_test_run();
}
