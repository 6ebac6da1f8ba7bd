/* SPDX-License-Identifier: MIT */
/* atomsim advise: what to change so that a trace costs less. */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/error.h"
#include "cli/advise.h"
#include "cli/cli.h"
#include "cli/option.h"
#include "report/format.h"
#include "report/report.h"

#define SHOWN 5 /* in text */

typedef struct {
	char *config, *format, *output;
	char **settings, **traces;
	gint64 seed;
	int jobs;
} AdviseOptions;

static const OutputKind advice_kind = {"advice", {" simulated ", "\"contention_free_cycles\""}};

static void options_clear(AdviseOptions *options)
{
	g_free(options->config);
	g_free(options->format);
	g_free(options->output);
	g_strfreev(options->settings);
	g_strfreev(options->traces);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AdviseOptions, options_clear)

/* --- Text --- */

static void append_costs(GString *text, const AdviceReport *report, const Advice *advice)
{
	g_autofree char *before = format_count(report->shared_bytes);
	g_autofree char *after = format_count(advice->shared_bytes);

	if (advice->shared_bytes != report->shared_bytes)
		g_string_append_printf(
			text, "      costs     shared memory of a block: %s, not %s bytes",
			after, before);
	if (advice->resident_blocks != report->resident_blocks)
		g_string_append_printf(text, "; blocks on an SM at a time: %u, not %u",
				       advice->resident_blocks, report->resident_blocks);
	if (advice->shared_bytes != report->shared_bytes)
		g_string_append_c(text, '\n');
}

static void append_advice(GString *text, const AdviceReport *report, const Advice *advice,
			  guint number)
{
	g_autofree char *cycles = format_count(advice->cycles);

	g_string_append_printf(text, "\n%3u.  %.2f times faster (%s cycles)\n", number,
			       advice->gain, cycles);
	g_string_append_printf(text, "      change    %s\n", advice->words);
	if (!advice->of_design && advice->line > 0)
		g_string_append_printf(text, "      where     line %u, bytes %u to %u\n",
				       advice->line, advice->first_byte, advice->last_byte);
	else if (!advice->of_design)
		g_string_append_printf(text, "      where     bytes %u to %u\n",
				       advice->first_byte, advice->last_byte);
	g_string_append_printf(text, "      because   %s\n", advice_cause_words[advice->cause]);
	append_costs(text, report, advice);
	g_string_append_printf(text, "      try it    %s %s\n",
			       advice->of_design ? "--set" : "--what-if", advice->change);
	if (advice->known_points > 0)
		g_string_append_printf(text,
				       "      trust     off by up to %.0f %% at the median, "
				       "%.0f %% at most, in %u "
				       "measured cases\n",
				       100 * advice->known_median, 100 * advice->known_max,
				       advice->known_points);
	else
		g_string_append(text, "      trust     no such change was measured on this "
				      "machine\n");
}

static char *to_text(const AdviceReport *report, const char *trace, const Config *config)
{
	GString *text = g_string_new(NULL);
	g_autofree char *name = format_path(trace, 40);
	g_autofree char *cycles = format_count(report->cycles);
	g_autofree char *free_cycles = format_count(report->contention_free_cycles);

	g_string_append_printf(text, "%s on a simulated %s: %s cycles, without contention %s\n",
			       name, config_machine(config)->name, cycles, free_cycles);
	if (report->nothing)
		g_string_append_printf(text, "Nothing to advise: %s.\n", report->nothing);
	for (guint i = 0; i < MIN(report->advice->len, SHOWN); i++)
		append_advice(text, report, report->advice->pdata[i], i + 1);
	if (report->refused)
		g_string_append_printf(text, "\nNot everything could be tried: %s\n",
				       report->refused);
	return g_string_free(text, FALSE);
}

/* --- JSON --- */

static cJSON *advice_object(const Advice *advice)
{
	cJSON *object = cJSON_CreateObject();
	cJSON *known;

	cJSON_AddNumberToObject(object, "gain", advice->gain);
	cJSON_AddNumberToObject(object, "cycles", (double)advice->cycles);
	cJSON_AddStringToObject(object, "cause", advice_cause_names[advice->cause]);
	cJSON_AddStringToObject(object, "words", advice->words);
	cJSON_AddStringToObject(object, advice->of_design ? "set" : "what_if", advice->change);
	if (!advice->of_design) {
		cJSON_AddNumberToObject(object, "first_byte", advice->first_byte);
		cJSON_AddNumberToObject(object, "last_byte", advice->last_byte);
	}
	if (advice->line > 0)
		cJSON_AddNumberToObject(object, "line", advice->line);
	cJSON_AddNumberToObject(object, "shared_bytes", advice->shared_bytes);
	cJSON_AddNumberToObject(object, "resident_blocks", advice->resident_blocks);
	if (advice->known_points == 0) {
		cJSON_AddNullToObject(object, "known_error");
		return object;
	}
	known = cJSON_AddObjectToObject(object, "known_error");
	cJSON_AddNumberToObject(known, "points", advice->known_points);
	cJSON_AddNumberToObject(known, "median", advice->known_median);
	cJSON_AddNumberToObject(known, "max", advice->known_max);
	return object;
}

cJSON *advice_to_cjson(const AdviceReport *report, const char *trace, const Config *config)
{
	cJSON *object = cJSON_CreateObject();
	cJSON *list;

	cJSON_AddStringToObject(object, "trace", trace);
	cJSON_AddStringToObject(object, "machine", config_machine(config)->name);
	cJSON_AddNumberToObject(object, "cycles", (double)report->cycles);
	cJSON_AddNumberToObject(object, "contention_free_cycles",
				(double)report->contention_free_cycles);
	cJSON_AddNumberToObject(object, "shared_bytes", report->shared_bytes);
	cJSON_AddNumberToObject(object, "resident_blocks", report->resident_blocks);
	cJSON_AddNumberToObject(object, "tried", report->tried);
	list = cJSON_AddArrayToObject(object, "advice");
	for (guint i = 0; i < report->advice->len; i++)
		cJSON_AddItemToArray(list, advice_object(report->advice->pdata[i]));
	if (report->nothing)
		cJSON_AddStringToObject(object, "nothing", report->nothing);
	if (report->refused)
		cJSON_AddStringToObject(object, "refused", report->refused);
	return object;
}

static char *to_json(const AdviceReport *report, const char *trace, const Config *config)
{
	cJSON *object = advice_to_cjson(report, trace, config);
	char *text = report_json_text(object);

	cJSON_Delete(object);
	return text;
}

/* --- The command --- */

static gboolean check_usage(const AdviseOptions *options, GError **error)
{
	const char *problem = NULL;

	if (options->config == NULL)
		problem = "advise: no --config; for example: --config h200.json";
	else if (options->traces == NULL || options->traces[1] != NULL)
		problem = "advise: one trace is needed";
	if (problem)
		g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE, problem);
	return problem == NULL && cli_check_numbers(options->seed, options->jobs, error) &&
	       cli_choice("format", options->format, cli_text_or_json, N_TEXT_OR_JSON, NULL,
			  error);
}

static gboolean advise_on(const AdviseOptions *options, GError **error)
{
	g_autoptr(Config) config =
		config_load(options->config, (const char *const *)options->settings, error);
	g_autoptr(TraceReader) reader = config ? trace_open(options->traces[0], error) : NULL;
	g_autofree char *name = g_path_get_basename(options->traces[0]);
	g_auto(AdviceReport) report = {0};
	g_autofree char *text = NULL;
	AdviceRequest request = {.config = config,
				 .reader = reader,
				 .seed = (guint64)options->seed,
				 .n_threads = cli_jobs(options->jobs),
				 .progress = cli_on_blocks};

	if (reader == NULL)
		return FALSE;
	trace_keep_decoded(reader, 1u << 28);
	if (!advise(&request, &report, error))
		return FALSE;
	text = g_strcmp0(options->format, "json") == 0 ? to_json(&report, name, config)
						       : to_text(&report, name, config);
	return cli_write_output(options->output, &advice_kind, text, strlen(text), error);
}

static CliStatus run(int argc, char **argv)
{
	g_auto(AdviseOptions) options = {0};
	const GOptionEntry entries[] = {
		OPTION_CONFIG(&options.config),
		OPTION_SET(&options.settings),
		OPTION_FORMAT(&options.format, "text (default) or json"),
		OPTION_OUTPUT(&options.output),
		OPTION_SEED(&options.seed),
		OPTION_JOBS(&options.jobs),
		OPTION_OPERANDS(&options.traces),
		OPTION_END,
	};
	g_autoptr(GOptionContext) context = cli_options(&command_advise, entries);
	g_autoptr(GError) error = NULL;
	CliStatus status;

	if (!cli_parse(context, &argc, &argv, &status))
		return status;
	if (!check_usage(&options, &error) ||
	    !cli_check_output(options.output, &advice_kind, options.config, options.traces,
			      &error) ||
	    !advise_on(&options, &error))
		return cli_fail(error);
	return CLI_GOOD;
}

const Command command_advise = {
	.name = "advise",
	.synopsis = "[OPTION]... --config CONFIG TRACE",
	.summary = "Say what to change so that a trace costs less",
	.run = run,
};
