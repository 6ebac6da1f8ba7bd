/* SPDX-License-Identifier: MIT */
/* Words to points: the plan, the config, the traces; and everything checked before a point runs. */
#include <string.h>

#include "answer/sweep/sweep.h"
#include "base/error.h"
#include "workloads/workload.h"

/* What all traces together may keep decoded. */
#define DECODED_BYTES (UINT64_C(1) << 30)

#define PROBLEMS_SHOWN 10

static gboolean has_option(const WorkloadOption *options, const char *key, gsize length)
{
	for (; options->name != NULL; options++)
		if (strlen(options->name) == length && strncmp(options->name, key, length) == 0)
			return TRUE;
	return FALSE;
}

/* Whether a key, or the key of a setting, is one of the workload's options. */
static gboolean is_of(const Workload *workload, const char *key)
{
	gsize length = strcspn(key, "=");

	return workload != NULL && (has_option(workload->options, key, length) ||
				    has_option(workload_common_options, key, length));
}

/* The settings of the workload, or those of the config, NULL-terminated. g_strfreev. */
static char **pick_settings(const SweepWords *words, const Workload *workload,
			    gboolean of_workload)
{
	GPtrArray *settings = g_ptr_array_new();

	for (guint i = 0; i < words->settings->len; i++) {
		const char *setting = g_ptr_array_index(words->settings, i);

		if (is_of(workload, setting) == of_workload)
			g_ptr_array_add(settings, g_strdup(setting));
	}
	g_ptr_array_add(settings, NULL);
	return (char **)g_ptr_array_free(settings, FALSE);
}

/* --- Traces --- */

static void add_input(SweepJob *job, TraceReader *reader, const char *name)
{
	g_ptr_array_add(job->sweep.inputs, sweep_input_new(reader, name));
}

static gboolean open_traces(SweepJob *job, const SweepWords *words, GError **error)
{
	for (guint i = 0; i < words->traces->len; i++) {
		const char *path = g_ptr_array_index(words->traces, i);
		g_autofree char *name = g_path_get_basename(path);
		TraceReader *reader = trace_open(path, error);

		if (reader == NULL)
			return FALSE;
		add_input(job, reader, name);
	}
	return TRUE;
}

static TraceReader *generate(const Workload *workload, char **fixed, char **varied,
			     GError **error)
{
	g_autoptr(GPtrArray) settings = g_ptr_array_new();
	g_autoptr(GBytes) bytes = NULL;

	for (guint i = 0; fixed[i] != NULL; i++)
		g_ptr_array_add(settings, fixed[i]);
	for (guint i = 0; varied[i] != NULL; i++)
		g_ptr_array_add(settings, varied[i]);
	g_ptr_array_add(settings, NULL);
	bytes = workload_generate_bytes(workload, (const char *const *)settings->pdata, error);
	return bytes != NULL ? trace_open_bytes(workload->name, bytes, error) : NULL;
}

/* Makes each trace once, however many combinations it is for. All of them now, for only a workload
   that has run knows that its parameters go together. */
static gboolean generate_traces(SweepJob *job, const SweepWords *words,
				const Workload *workload, GError **error)
{
	g_auto(GStrv) fixed = pick_settings(words, workload, TRUE);
	g_autoptr(GHashTable) made =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GString) problems = g_string_new(NULL);
	guint n = job->plan->n_combinations, n_problems = 0;

	job->input_of = g_new0(guint, n);
	job->sweep.input_of = job->input_of;
	for (guint i = 0; i < n; i++) {
		g_auto(GStrv) varied = sweep_plan_settings(job->plan, i, TRUE);
		g_autofree char *key = g_strjoinv("\n", varied);
		g_autoptr(GError) problem = NULL;
		gpointer input = NULL;
		TraceReader *reader;

		if (g_hash_table_lookup_extended(made, key, NULL, &input)) {
			job->input_of[i] = GPOINTER_TO_UINT(input);
			continue;
		}
		job->input_of[i] = job->sweep.inputs->len;
		g_hash_table_insert(made, g_steal_pointer(&key),
				    GUINT_TO_POINTER(job->input_of[i]));
		reader = generate(workload, fixed, varied, &problem);
		if (reader != NULL)
			add_input(job, reader, workload->name);
		else if (++n_problems <= PROBLEMS_SHOWN)
			g_string_append_printf(problems, "%spoint %u of %u: %s",
					       n_problems > 1 ? "\n" : "", i + 1, n,
					       problem->message);
	}
	if (n_problems == 0)
		return TRUE;
	if (n_problems > PROBLEMS_SHOWN)
		g_string_append_printf(problems, "\nand %u more points",
				       n_problems - PROBLEMS_SHOWN);
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "%s", problems->str);
}

/* Points are counted by now: so many go into a sweep. */
static gboolean check_size(const SweepJob *job, GError **error)
{
	if (job->sweep.inputs->len <= SWEEP_MAX_POINTS / job->plan->n_combinations)
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			    "more than %d points; --sample N takes a part of them",
			    SWEEP_MAX_POINTS);
}

static void keep_decoded(SweepJob *job)
{
	for (guint i = 0; i < job->sweep.inputs->len; i++) {
		SweepInput *input = g_ptr_array_index(job->sweep.inputs, i);

		trace_keep_decoded(input->reader, DECODED_BYTES / job->sweep.inputs->len);
	}
}

/* --- All of it --- */

static gboolean make_plan(SweepJob *job, SweepWords *words, const Workload *workload,
			  GError **error)
{
	SweepMode mode = words->zip	     ? SWEEP_ZIP
			 : words->sample > 0 ? SWEEP_SAMPLE
					     : SWEEP_PRODUCT;

	for (guint i = 0; i < words->axes->len; i++) {
		SweepAxis *axis = g_ptr_array_index(words->axes, i);

		axis->of_workload = is_of(workload, axis->key);
	}
	job->plan = sweep_plan_new(g_steal_pointer(&words->axes), mode, (guint64)words->sample,
				   (guint64)words->seed, error);
	job->sweep.plan = job->plan;
	return job->plan != NULL;
}

static void free_config(gpointer config)
{
	config_free(config);
}

/* The configs that are varied, if any, each with what --set says. */
static gboolean load_configs(SweepJob *job, const char *const *settings, GError **error)
{
	for (guint i = 0; i < job->plan->n_combinations; i++) {
		const char *name = sweep_plan_config(job->plan, i);
		Config *config;

		if (name == NULL)
			return TRUE;
		if (job->sweep.configs == NULL)
			job->sweep.configs = g_hash_table_new_full(g_str_hash, g_str_equal,
								   g_free, free_config);
		if (g_hash_table_contains(job->sweep.configs, name))
			continue;
		config = config_load(name, settings, error);
		if (config == NULL)
			return FALSE;
		g_hash_table_insert(job->sweep.configs, g_strdup(name), config);
	}
	return TRUE;
}

/* Without --config the first of those that are varied stands for it. */
static Config *base_config(const SweepWords *words, const SweepAtHand *at_hand, char **settings,
			   GError **error)
{
	const char *const *laid_over = (const char *const *)settings;
	const char *name = words->config;

	if (at_hand != NULL && at_hand->config != NULL)
		return config_with(at_hand->config, laid_over, error);
	for (guint i = 0; name == NULL && i < words->axes->len; i++) {
		const SweepAxis *axis = g_ptr_array_index(words->axes, i);

		if (strcmp(axis->key, SWEEP_CONFIG_AXIS) == 0)
			name = axis->values[0];
	}
	return config_load(name, laid_over, error);
}

static void take_inputs(SweepJob *job, const SweepAtHand *at_hand)
{
	while (at_hand != NULL && at_hand->inputs->len > 0)
		g_ptr_array_add(job->sweep.inputs, g_ptr_array_steal_index(at_hand->inputs, 0));
}

gboolean sweep_job_init(SweepJob *job, SweepWords *words, const SweepAtHand *at_hand,
			gboolean check, GError **error)
{
	const Workload *workload = NULL;
	g_auto(GStrv) settings = NULL;

	*job = (SweepJob){.sweep.shard = {1, 1}, .sweep.seed = (guint64)words->seed};
	job->sweep.inputs = g_ptr_array_new_with_free_func((GDestroyNotify)sweep_input_free);
	if (words->gen != NULL) {
		workload = workload_find(words->gen, error);
		if (workload == NULL)
			return FALSE;
	}
	settings = pick_settings(words, workload, FALSE);
	job->config = base_config(words, at_hand, settings, error);
	job->sweep.config = job->config;
	job->settings = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; settings[i] != NULL; i++)
		g_ptr_array_add(job->settings, g_strdup(settings[i]));
	if (job->config == NULL || !make_plan(job, words, workload, error) ||
	    !load_configs(job, (const char *const *)settings, error))
		return FALSE;
	take_inputs(job, at_hand);
	/* Traces are made last: what is quick to check comes first. */
	if (!open_traces(job, words, error) || !check_size(job, error) ||
	    (check && !sweep_check(&job->sweep, error)) ||
	    (workload != NULL && !generate_traces(job, words, workload, error)))
		return FALSE;
	keep_decoded(job);
	return TRUE;
}

void sweep_job_clear(SweepJob *job)
{
	g_clear_pointer(&job->plan, sweep_plan_free);
	g_clear_pointer(&job->config, config_free);
	g_clear_pointer(&job->sweep.configs, g_hash_table_unref);
	g_clear_pointer(&job->sweep.inputs, g_ptr_array_unref);
	g_clear_pointer(&job->input_of, g_free);
	g_clear_pointer(&job->settings, g_ptr_array_unref);
}
