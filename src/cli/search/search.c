/* SPDX-License-Identifier: MIT */
/* atomsim search: the best XOR hash of banks or locks for given traces. */
#include "cli/search/search.h"

#include <string.h>

#include "cli/cli.h"
#include "cli/option.h"
#include "base/error.h"
#include "report/gnuplot.h"

#define KEEP_BYTES (UINT64_C(1) << 30) /* of decompressed traces, between the runs */

typedef struct {
	char *config, *target, *format, *output, *plot;
	char **settings, **traces;
	int max_inputs, candidates, restarts, jobs;
	gboolean per_bank;
	gint64 nodes, seed, max_cost;
} SearchOptions;

static const OutputKind overlay_kind = {"a config of a search", {"\"atomsim search\""}};

static const struct {
	const char *name;
	guint n_steps;
	SearchTarget steps[SEARCH_MAX_STEPS];
} targets[] = {
	{"bank", 1, {SEARCH_BANK}},
	{"lock", 1, {SEARCH_LOCK}},
	/* Retries are the dearer: what banks are worth shows only without them. */
	{"both", 2, {SEARCH_LOCK, SEARCH_BANK}},
};

static int find_target(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(targets); i++) {
		if (g_strcmp0(targets[i].name, name) == 0)
			return (int)i;
	}
	return -1;
}

static gboolean in_range(gint64 value, gint64 minimum, gint64 maximum, const char *option,
			 GError **error)
{
	if (value >= minimum && value <= maximum)
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			    "--%s %" G_GINT64_FORMAT "; allowed: %" G_GINT64_FORMAT
			    " to %" G_GINT64_FORMAT,
			    option, value, minimum, maximum);
}

static gboolean check_plot(const char *path, GError **error)
{
	if (path == NULL || gnuplot_has_format(path))
		return path == NULL || gnuplot_check(path, error);
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "--plot %s; allowed: " GNUPLOT_FORMATS,
			    path);
}

static gboolean check_options(const SearchOptions *options, GError **error)
{
	const char *problem = NULL;

	if (!options->config)
		problem = "no --config; for example: --config fermi.json";
	else if (!options->target)
		problem = "no --target; allowed: bank, lock, both";
	else if (!options->traces)
		problem = "no trace; make one with 'atomsim gen' or 'atomsim capture'";
	if (problem)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "%s", problem);
	if (find_target(options->target) < 0)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--target %s; allowed: bank, lock, both", options->target);
	return cli_choice("format", options->format, cli_text_or_json, N_TEXT_OR_JSON, NULL,
			  error) &&
	       in_range(options->max_inputs, 0, 32, "max-inputs", error) &&
	       in_range(options->candidates, 1, 1000, "candidates", error) &&
	       in_range(options->restarts, 0, 1000000, "restarts", error) &&
	       in_range(options->nodes, 0, G_MAXINT64, "nodes", error) &&
	       in_range(options->max_cost, 0, G_MAXINT64, "max-cost", error) &&
	       in_range(options->seed, 0, UINT32_MAX, "seed", error) &&
	       in_range(options->jobs, 0, 1024, "jobs", error) &&
	       cli_check_output(options->output, &overlay_kind, options->config,
				options->traces, error) &&
	       check_plot(options->plot, error);
}

static bool on_progress(void *data, uint64_t done, uint64_t total)
{
	(void)data;
	return cli_progress("hashes", done, total);
}

static GPtrArray *open_traces(char **paths, GError **error)
{
	g_autoptr(GPtrArray) readers =
		g_ptr_array_new_with_free_func((GDestroyNotify)trace_close);

	for (guint i = 0; paths[i]; i++) {
		TraceReader *reader = trace_open(paths[i], error);

		if (!reader)
			return NULL;
		trace_keep_decoded(reader, KEEP_BYTES);
		g_ptr_array_add(readers, reader);
	}
	return g_steal_pointer(&readers);
}

/* One step after the other, each on the machine that has what those before it chose. */
static gboolean search_steps(const SearchOptions *options, const SearchRequest *request,
			     SearchReport *report, GError **error)
{
	int target = find_target(options->target);
	Machine machine = *config_machine(report->config);

	/* All before the first: a search takes its time. */
	for (guint i = 0; i < targets[target].n_steps; i++) {
		if (!search_check(&machine, targets[target].steps[i], options->per_bank, error))
			return FALSE;
	}
	for (guint i = 0; i < targets[target].n_steps; i++) {
		SearchResult *result = &report->steps[i];

		report->n_steps = i + 1;
		if (!search_run(&machine, targets[target].steps[i], request, result, error))
			return FALSE;
		*search_hash(&machine, result->target) = search_chosen(result)->spec;
	}
	return TRUE;
}

static gboolean write_report(const SearchOptions *options, const SearchReport *report,
			     GError **error)
{
	g_autofree char *text = g_strcmp0(options->format, "json") == 0 ? search_json(report)
									: search_text(report);
	g_autofree char *overlay = options->output ? search_overlay(report) : NULL;

	return (!options->plot || search_plot(report, options->plot, error)) &&
	       (!overlay || cli_write_output(options->output, &overlay_kind, overlay,
					     strlen(overlay), error)) &&
	       cli_write_output(NULL, NULL, text, strlen(text), error);
}

static gboolean search(const SearchOptions *options, GError **error)
{
	g_autoptr(Config) config =
		config_load(options->config, (const char *const *)options->settings, error);
	g_autoptr(GPtrArray) readers = config ? open_traces(options->traces, error) : NULL;
	SearchReport report = {
		.config_name = options->config,
		.config = config,
		.has_settings = options->settings != NULL,
		.traces = options->traces,
		.seed = (uint32_t)options->seed,
	};
	g_autoptr(Reasons) reasons = reasons_new();
	SearchSeen seen = {options->settings, options->traces, reasons};
	gboolean good;

	if (!readers)
		return FALSE;
	SearchRequest request = {
		.readers = (TraceReader *const *)readers->pdata,
		.n_readers = readers->len,
		.max_inputs = (uint32_t)options->max_inputs,
		.per_bank = options->per_bank,
		.max_cost = (uint64_t)options->max_cost,
		.n_candidates = (uint32_t)options->candidates,
		.n_restarts = (uint32_t)options->restarts,
		.max_nodes = (uint64_t)options->nodes,
		.seed = (uint32_t)options->seed,
		.n_threads = cli_jobs(options->jobs),
		.progress = on_progress,
		.seen = search_see,
		.seen_data = &seen,
	};
	good = search_steps(options, &request, &report, error) &&
	       write_report(options, &report, error);
	if (good)
		search_report_idle(&report, &seen);
	for (guint i = 0; i < report.n_steps; i++)
		search_result_clear(&report.steps[i]);
	return good;
}

/* What the user gave. */
static SearchOptions given = {.candidates = 4, .restarts = 32, .nodes = 20000};

static const GOptionEntry entries[] = {
	OPTION_CONFIG(&given.config),
	OPTION_SET(&given.settings),
	{"target", 0, 0, G_OPTION_ARG_STRING, &given.target,
	 "The hash to search: bank, lock, or both (locks first)", "TARGET"},
	{"per-bank", 0, 0, G_OPTION_ARG_NONE, &given.per_bank,
	 "With --target lock: separate locks for each bank", NULL},
	{"max-inputs", 0, 0, G_OPTION_ARG_INT, &given.max_inputs,
	 "Most inputs of an output bit (default: any number)", "K"},
	{"max-cost", 0, 0, G_OPTION_ARG_INT64, &given.max_cost,
	 "Most hardware cost, in bits (config --cost; default: any)", "BITS"},
	{"candidates", 0, 0, G_OPTION_ARG_INT, &given.candidates,
	 "Hashes to simulate (default 4)", "N"},
	{"restarts", 0, 0, G_OPTION_ARG_INT, &given.restarts,
	 "Random starts of the hill-climbing (default 32)", "N"},
	{"nodes", 0, 0, G_OPTION_ARG_INT64, &given.nodes,
	 "Most nodes of the branch-and-bound proof (default 20000)", "N"},
	OPTION_FORMAT(&given.format, "text (default) or json"),
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &given.output,
	 "Write a config that extends CONFIG with the best hash", "FILE"},
	{"plot", 0, 0, G_OPTION_ARG_FILENAME, &given.plot,
	 "Draw cycles over cost to FILE.svg, .pdf or .png; FILE.csv and FILE.gp are "
	 "kept",
	 "FILE"},
	{"seed", 0, 0, G_OPTION_ARG_INT64, &given.seed, "Seed of the random starts (default 0)",
	 "N"},
	OPTION_JOBS(&given.jobs),
	OPTION_OPERANDS(&given.traces),
	OPTION_END,
};

static CliStatus run(GError **error)
{
	if (!check_options(&given, error) || !search(&given, error))
		return CLI_FAILED;
	return CLI_GOOD;
}

const Command command_search = {
	.name = "search",
	.synopsis = "[OPTION]... --config CONFIG --target TARGET TRACE...",
	.summary = "Find the best XOR hash of banks or locks for traces",
	.examples = "atomsim search --config fermi --target bank transpose\n"
		    "atomsim search --config fermi --target lock -o best.json weighted",
	.options = entries,
	.run = run,
};
