/* SPDX-License-Identifier: MIT */
/* The options of atomsim sweep: checked, and laid over what a sweep file says. */

#include "cli/option.h"
#include "cli/sweep/sweep.h"
#include "base/error.h"
#include "explore/sweep/emit.h"

/* All --vary of the command line. A key twice is a slip here; that it replaces the file's is meant. */
static gboolean take_axes(SweepWords *words, char **varied, GError **error)
{
	g_autoptr(GHashTable) keys =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; varied != NULL && varied[i] != NULL; i++) {
		SweepAxis *axis = sweep_axis_parse(varied[i], error);

		if (axis == NULL)
			return FALSE;
		if (!g_hash_table_add(keys, g_strdup(axis->key))) {
			atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				     "--vary %s: given twice; list all values in one",
				     axis->key);
			sweep_axis_free(axis);
			return FALSE;
		}
		sweep_words_vary(words, axis);
	}
	return TRUE;
}

/* Operands are traces, which replace the file's; but for the words that belong to --plot. */
static void take_operands(SweepWords *words, GPtrArray *plot, const SweepOptions *options)
{
	gboolean own_traces = FALSE;

	for (guint i = 0; options->operands != NULL && options->operands[i] != NULL; i++) {
		char *word = g_strdup(options->operands[i]);

		if (options->plot != NULL && sweep_is_plot_word(word)) {
			g_ptr_array_add(plot, word);
			continue;
		}
		if (!own_traces)
			g_ptr_array_set_size(words->traces, 0);
		own_traces = TRUE;
		g_ptr_array_add(words->traces, word);
	}
}

static void take_text(char **text, const char *option)
{
	if (option == NULL)
		return;
	g_free(*text);
	*text = g_strdup(option);
}

static const char *const formats[] = {"json", "csv"};

gboolean sweep_check_options(const SweepOptions *options, GError **error)
{
	if (!cli_check_numbers(0, options->jobs, error) ||
	    !cli_choice("format", options->format, formats, G_N_ELEMENTS(formats), NULL, error))
		return FALSE;
	if (options->format != NULL && options->output != NULL)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--format is for standard output; --output has both");
	if (options->resume && options->output == NULL)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--resume needs the --output to go on with");
	if (options->emit != NULL && options->output == NULL)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--emit needs an --output for the results of its jobs");
	if (options->emit != NULL && options->columns != NULL)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--emit and --columns; allowed: --columns of atomsim sweep "
				    "merge, when the jobs have run");
	if (options->emit != NULL && !sweep_emit_find(options->emit, error))
		return FALSE;
	if (options->shards < 0 || options->shards > SWEEP_MAX_SHARDS)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "--shards %d; allowed: 1 to %d",
				    options->shards, SWEEP_MAX_SHARDS);
	return TRUE;
}

gboolean sweep_take_options(SweepWords *words, GPtrArray *plot, const SweepOptions *options,
			    GError **error)
{
	take_text(&words->config, options->config);
	take_text(&words->gen, options->gen);
	for (guint i = 0; options->settings != NULL && options->settings[i] != NULL; i++)
		g_ptr_array_add(words->settings, g_strdup(options->settings[i]));
	if (!take_axes(words, options->varied, error))
		return FALSE;
	if (options->plot != NULL)
		g_ptr_array_add(plot, g_strdup(options->plot));
	take_operands(words, plot, options);
	g_ptr_array_add(plot, NULL);
	words->zip = words->zip || options->zip;
	words->sample = options->sample != 0 ? options->sample : words->sample;
	words->seed = options->seed != 0 ? options->seed : words->seed;
	return sweep_words_check(words, NULL, error) &&
	       cli_check_numbers(words->seed, 0, error);
}
