/* SPDX-License-Identifier: MIT */
#include "explore/sweep/points.h"

#include "base/error.h"
#include "replay/what-if.h"

#define PROBLEMS_SHOWN 10

SweepInput *sweep_input_new(TraceReader *reader, const char *name)
{
	SweepInput *input = g_new0(SweepInput, 1);

	input->reader = reader;
	input->name = g_strdup(name);
	input->metadata = trace_metadata_json(reader);
	return input;
}

void sweep_input_free(SweepInput *input)
{
	if (input == NULL)
		return;
	trace_close(input->reader);
	g_free(input->name);
	g_free(input);
}

guint sweep_n_points(const Sweep *sweep)
{
	return sweep->plan->n_combinations * (sweep->input_of != NULL ? 1 : sweep->inputs->len);
}

guint sweep_combination(const Sweep *sweep, guint point)
{
	return point % sweep->plan->n_combinations;
}

guint sweep_input(const Sweep *sweep, guint point)
{
	return sweep->input_of != NULL ? sweep->input_of[point]
				       : point / sweep->plan->n_combinations;
}

Config *sweep_config(const Sweep *sweep, guint combination, GError **error)
{
	g_auto(GStrv) settings = sweep_plan_settings(sweep->plan, combination, FALSE);
	g_autoptr(WhatIf) what_if = sweep_plan_what_if(sweep->plan, combination, error);
	g_autoptr(Config) config = NULL;
	const char *name = sweep_plan_config(sweep->plan, combination);
	const Config *base =
		name != NULL ? g_hash_table_lookup(sweep->configs, name) : sweep->config;

	if (what_if == NULL)
		return NULL;
	config = config_with(base, (const char *const *)settings, error);
	return config != NULL ? replay_config(config, what_if, error) : NULL;
}

gboolean sweep_check(const Sweep *sweep, GError **error)
{
	g_autoptr(GString) problems = g_string_new(NULL);
	/* Traces may be generated later. */
	guint n_points =
		sweep->inputs->len > 0 ? sweep_n_points(sweep) : sweep->plan->n_combinations;
	guint n = 0;

	for (guint i = 0; i < sweep->plan->n_combinations; i++) {
		g_autoptr(GError) problem = NULL;
		g_autoptr(Config) config = sweep_config(sweep, i, &problem);

		if (config != NULL || ++n > PROBLEMS_SHOWN)
			continue;
		g_string_append_printf(problems, "%spoint %u of %u: %s", n > 1 ? "\n" : "",
				       i + 1, n_points, problem->message);
	}
	if (n == 0)
		return TRUE;
	if (n > PROBLEMS_SHOWN)
		g_string_append_printf(problems, "\nand %u more points", n - PROBLEMS_SHOWN);
	return atomsim_fail(error, ATOMSIM_ERROR_CONFIG, "%s", problems->str);
}
