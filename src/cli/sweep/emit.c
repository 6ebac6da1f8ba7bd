/* SPDX-License-Identifier: MIT */
/* --emit: a job file with the command line in it, less what differs from shard to shard. */
#include <stdio.h>

#include "cli/sweep/sweep.h"
#include "explore/sweep/emit.h"

#define SHARDS 16 /* by default */

static void add_pair(GPtrArray *arguments, const char *option, const char *value)
{
	if (value == NULL)
		return;
	g_ptr_array_add(arguments, g_strdup(option));
	g_ptr_array_add(arguments, g_strdup(value));
}

static void add_number(GPtrArray *arguments, const char *option, gint64 value)
{
	g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, value);

	if (value != 0)
		add_pair(arguments, option, text);
}

CliStatus sweep_emit_job(const SweepOptions *options)
{
	g_autoptr(GPtrArray) arguments = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) traces = g_ptr_array_new();
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;
	SweepEmit emit = {.folder = options->output,
			  .n_shards = options->shards > 0 ? (guint)options->shards : SHARDS,
			  .n_jobs = (guint)options->jobs};

	add_pair(arguments, "--file", options->file);
	add_pair(arguments, "--config", options->config);
	for (guint i = 0; options->settings != NULL && options->settings[i] != NULL; i++)
		add_pair(arguments, "--set", options->settings[i]);
	for (guint i = 0; options->varied != NULL && options->varied[i] != NULL; i++)
		add_pair(arguments, "--vary", options->varied[i]);
	if (options->zip)
		g_ptr_array_add(arguments, g_strdup("--zip"));
	add_number(arguments, "--sample", options->sample);
	add_number(arguments, "--seed", options->seed);
	add_pair(arguments, "--gen", options->gen);
	add_number(arguments, "--jobs", options->jobs);
	g_ptr_array_add(arguments, NULL);
	for (guint i = 0; options->operands != NULL && options->operands[i] != NULL; i++)
		if (options->plot == NULL || !sweep_is_plot_word(options->operands[i]))
			g_ptr_array_add(traces, options->operands[i]);
	g_ptr_array_add(traces, NULL);
	emit.options = (const char *const *)arguments->pdata;
	emit.traces = (const char *const *)traces->pdata;
	text = sweep_emit(options->emit, &emit, &error);
	if (text == NULL)
		return cli_fail(error);
	fputs(text, stdout);
	return CLI_GOOD;
}
