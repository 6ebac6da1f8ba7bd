/* SPDX-License-Identifier: MIT */
/* Any words as options: the first line's of a sweep, all lines as settings of every workload. */
#include "fuzz-tools.h"

#include <string.h>

#include "base/text.h"
#include "explore/sweep/emit.h"
#include "explore/sweep/sweep.h"
#include "workloads/parameters.h"

static const char *array_task;

static const char *get(const char *name)
{
	return strcmp(name, "SLURM_ARRAY_TASK_ID") == 0 ? array_task : "4";
}

static void try_sweep(const char *word)
{
	g_autoptr(GError) axis_error = NULL;
	g_autoptr(GError) shard_error = NULL;
	g_autoptr(GError) slurm_error = NULL;
	g_autoptr(SweepAxis) axis = sweep_axis_parse(word, &axis_error);
	SweepShard shard = {1, 1};

	fuzz_check_error(axis != NULL, axis_error);
	g_assert(axis == NULL || axis->n_values > 0);
	fuzz_check_error(sweep_shard_parse(word, &shard, &shard_error), shard_error);
	g_assert(shard.count >= 1 && shard.index <= shard.count);
	array_task = word;
	fuzz_check_error(sweep_shard_from_slurm(get, &shard, &slurm_error), slurm_error);
}

/* A job file says in each line what it says for a harmless word: no line more. */
static void try_emit(const char *const *words)
{
	static const char *const plain[] = {"a", NULL};
	const SweepEmit emit = {plain, words, words[0], 2, 0},
			harmless = {plain, plain, "a", 2, 0};
	g_autoptr(GError) error = NULL;
	g_autofree char *text = sweep_emit("slurm", &emit, &error);
	g_autofree char *other = sweep_emit("slurm", &harmless, NULL);

	fuzz_check_error(text != NULL, error);
	if (text != NULL) {
		g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
		g_auto(GStrv) others = g_strsplit(other, "\n", -1);

		g_assert_cmpuint(g_strv_length(lines), ==, g_strv_length(others));
	}
}

static void try_workloads(const char *const *settings)
{
	for (guint i = 0; workloads[i] != NULL; i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(WorkloadParameters) parameters =
			parameters_new(workloads[i], settings, &error);

		fuzz_check_error(parameters != NULL, error);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *text = g_strndup((const char *)data, size);
	g_autofree char *safe = text_printable(text);
	g_auto(GStrv) words = g_strsplit(text, "\n", 8);

	g_assert(g_utf8_validate(safe, -1, NULL));
	for (const char *c = safe; *c != '\0'; c++)
		g_assert((guchar)*c >= 0x20 && *c != 0x7f);
	if (words[0] == NULL)
		return 0;
	try_sweep(words[0]);
	try_emit((const char *const *)words);
	try_workloads((const char *const *)words);
	return 0;
}
