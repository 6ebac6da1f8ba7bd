/* SPDX-License-Identifier: MIT */
/* Any bytes as a sweep file, and what it asks for as a plan. */
#include "fuzz-tools.h"

#include <string.h>

#include "explore/sweep/file.h"

/* How many axes are settings: all but the config's own and those of what-ifs. */
static guint count_settings(const SweepPlan *plan)
{
	guint n = 0;

	for (guint i = 0; i < plan->axes->len; i++) {
		const SweepAxis *axis = g_ptr_array_index(plan->axes, i);

		n += strcmp(axis->key, SWEEP_CONFIG_AXIS) != 0 && !sweep_axis_is_what_if(axis);
	}
	return n;
}

static void try_plan(SweepWords *words)
{
	SweepMode mode = words->zip	     ? SWEEP_ZIP
			 : words->sample > 0 ? SWEEP_SAMPLE
					     : SWEEP_PRODUCT;
	g_autoptr(GError) error = NULL;
	g_autoptr(SweepPlan) plan =
		sweep_plan_new(g_ptr_array_ref(words->axes), mode, (guint64)words->sample,
			       (guint64)words->seed, &error);

	fuzz_check_error(plan != NULL, error);
	for (guint i = 0; plan != NULL && i < MIN(plan->n_combinations, 3); i++) {
		g_autofree char *text = sweep_plan_describe(plan, plan->n_combinations - 1 - i);
		g_auto(GStrv) settings = sweep_plan_settings(plan, i, FALSE);

		g_assert(g_strv_length(settings) == count_settings(plan));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int file;
	g_autofree char *path = fuzz_file(data, size, &file);
	g_auto(SweepWords) words = {0};
	g_autoptr(GError) error = NULL;
	gboolean good;

	sweep_words_init(&words);
	good = sweep_file_read(path, &words, &error);
	close(file);
	fuzz_check_error(good, error);
	if (good)
		try_plan(&words);
	return 0;
}
