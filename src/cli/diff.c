/* SPDX-License-Identifier: MIT */
/* atomsim diff: two traces on one config, traces on two configs, two reports or sweeps; a report and a table of ncu (diff-ncu.h).
   All else becomes two lists of JSON reports, which report/diff.h compares. */
#include "cli/cli.h"
#include "cli/columns.h"
#include "cli/diff-ncu.h"
#include "cli/diff-reports.h"
#include "cli/option.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "config/config.h"
#include "explore/sweep/results.h"
#include "report/diff.h"
#include "report/ncu.h"
#include "report/report.h"

typedef struct {
	char **configs, **settings, **operands, *format, *output, *fail_above, *columns_text;
	CsvColumns *columns;
	double limit; /* per cent; negative: none */
	gint64 seed;
	int jobs, launch;
} Options;

static const OutputKind diff_kind = {"a comparison",
				     {"\nB   ", "\"change_percent\"", "change_percent",
				      "Measured   ", "difference_percent"}};

/* --- Reports that were written before --- */

/* The file of an operand that holds reports: of a sweep's folder, or a file that begins as JSON. NULL if
   it is something else, and a trace then. g_free. */
static char *report_file(const char *operand)
{
	char first = '\0';
	FILE *file;

	if (g_file_test(operand, G_FILE_TEST_IS_DIR))
		return g_build_filename(operand, SWEEP_RESULTS, NULL);
	if (!g_file_test(operand, G_FILE_TEST_IS_REGULAR))
		return NULL;
	file = fopen(operand, "rb");
	if (file != NULL) {
		first = (char)fgetc(file);
		fclose(file);
	}
	return first == '{' ? g_strdup(operand) : NULL;
}

/* --- Reports that are made now --- */

static gboolean add_replay(GPtrArray *reports, const Config *config, const char *config_name,
			   const char *trace, const Options *options, GError **error)
{
	g_autoptr(TraceReader) reader = trace_open(trace, error);
	g_auto(ReplayResult) result = {0};
	g_autoptr(RunReport) report = NULL;
	const Replay replay = {
		.machine = config_machine(config),
		.reader = reader,
		.seed = (uint64_t)options->seed,
		.n_threads = cli_jobs(options->jobs),
		.baseline = true,
		.causes = WANTED_AUTO,
		.sites = true,
		.progress = cli_on_blocks,
	};

	if (reader == NULL || !replay_run(&replay, &result, error))
		return FALSE;
	if (replay_interrupted(&result)) {
		g_propagate_error(error, g_error_copy(result.baseline_error));
		return FALSE;
	}
	report = report_new(config, config_name, &replay, &result, error);
	if (report == NULL)
		return FALSE;
	g_ptr_array_add(reports, report_object(report));
	return diff_check(g_ptr_array_index(reports, reports->len - 1), trace, error);
}

/* The reports of traces (n of them) on a config. */
static GPtrArray *replay_all(const char *config_name, char **traces, guint n,
			     const Options *options, GError **error)
{
	g_autoptr(Config) config =
		config_load(config_name, (const char *const *)options->settings, error);
	g_autoptr(GPtrArray) reports = diff_reports_new();

	for (guint i = 0; config != NULL && i < n; i++)
		if (!add_replay(reports, config, config_name, traces[i], options, error))
			return NULL;
	return config != NULL ? g_steal_pointer(&reports) : NULL;
}

/* --- The command --- */

/* A and B, and what to call them. */
typedef struct {
	GPtrArray *reports[2];
	char *names[2];
} Sides;

static void sides_clear(Sides *sides)
{
	for (guint i = 0; i < 2; i++) {
		g_clear_pointer(&sides->reports[i], g_ptr_array_unref);
		g_free(sides->names[i]);
	}
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Sides, sides_clear)

static gboolean fill_sides(Sides *sides, const Options *options, GError **error)
{
	guint n_configs = options->configs ? g_strv_length(options->configs) : 0;
	guint n = options->operands ? g_strv_length(options->operands) : 0;
	g_autofree char *before = n == 2 ? report_file(options->operands[0]) : NULL;
	g_autofree char *after = n == 2 ? report_file(options->operands[1]) : NULL;

	if (n_configs == 0 && before != NULL && after != NULL) {
		for (guint i = 0; i < 2; i++) {
			sides->names[i] = g_strdup(options->operands[i]);
			sides->reports[i] = diff_reports_read(i == 0 ? before : after, error);
			if (sides->reports[i] == NULL)
				return FALSE;
		}
		return TRUE;
	}
	if (n_configs == 0 && n == 2 && !before && !after)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "diff: two traces, no --config; for example: --config h200 "
				    "(one for both, or two: of A and of B)");
	if (n_configs != 1 + (n_configs == 2) || n == 0 || (n_configs == 1 && n != 2))
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "diff: allowed: two traces and one --config, traces and "
				    "two --config, two reports of --format json, two folders "
				    "of sweeps, a report and what ncu --csv printed");
	for (guint i = 0; i < 2; i++) {
		const char *config = options->configs[n_configs == 2 ? i : 0];
		char **traces = options->operands + (n_configs == 2 ? 0 : i);

		sides->names[i] = n_configs == 2 && n > 1
					  ? g_strdup(config)
					  : g_strdup_printf("%s on %s", *traces, config);
		sides->reports[i] =
			replay_all(config, traces, n_configs == 2 ? n : 1, options, error);
		if (sides->reports[i] == NULL)
			return FALSE;
	}
	return TRUE;
}

/* CLI_FAILED, and says so, if a run became slower by more than --fail-above allows, or if of a run
   nothing can be said. */
static CliStatus judge(const GPtrArray *pairs, const DiffLeftOut *left_out,
		       const Options *options)
{
	double worst = diff_worst(pairs);
	gboolean is_slower = worst > options->limit;

	if (options->limit < 0)
		return CLI_GOOD;
	if (is_slower)
		g_printerr("atomsim: diff: B takes %.2f %% more time; allowed by --fail-above: "
			   "%g %%\n",
			   worst, options->limit);
	if (left_out->unpaired > 0)
		g_printerr("atomsim: diff: runs of A or B that have no other: %u; allowed by "
			   "--fail-above: none\n",
			   left_out->unpaired);
	if (left_out->incomplete > 0)
		g_printerr("atomsim: diff: pairs of runs of which one did not come to its "
			   "end: %u; allowed by --fail-above: none\n",
			   left_out->incomplete);
	return is_slower || left_out->unpaired > 0 || left_out->incomplete > 0 ? CLI_FAILED
									       : CLI_GOOD;
}

/* Reports and a table of ncu. */
static gboolean compare_measured(const Options *options, GError **error)
{
	g_autofree char *reports = report_file(options->operands[0]);
	g_autofree char *text = NULL;

	if (reports == NULL || options->fail_above != NULL || options->launch < 0)
		return atomsim_fail(
			error, ATOMSIM_ERROR_USAGE,
			"diff: a table of ncu; allowed with it: a report of --format "
			"json before it, --launch from 1, no --fail-above");
	text = cli_columns_of(options->columns,
			      diff_ncu(reports, options->operands[1], (guint)options->launch,
				       options->format, error));
	return text != NULL &&
	       cli_write_output(options->output, &diff_kind, text, strlen(text), error);
}

static gboolean is_measured(const Options *options)
{
	return options->configs == NULL && options->operands != NULL &&
	       g_strv_length(options->operands) == 2 && diff_ncu_is(options->operands[1]);
}

static gboolean compare(const Options *options, CliStatus *status, GError **error)
{
	g_auto(Sides) sides = {0};
	g_autoptr(GPtrArray) pairs = NULL;
	g_autofree char *text = NULL;
	DiffLeftOut left_out;

	if (is_measured(options))
		return compare_measured(options, error);
	if (options->launch != 0)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "diff: --launch; allowed: with a table of ncu");
	if (!fill_sides(&sides, options, error))
		return FALSE;
	pairs = diff_pairs(sides.reports[0], sides.reports[1], &left_out, error);
	if (pairs == NULL)
		return FALSE;
	if (g_strcmp0(options->format, "json") == 0)
		text = diff_json(pairs);
	else if (g_strcmp0(options->format, "csv") == 0)
		text = cli_columns_of(options->columns, diff_csv(pairs));
	else
		text = diff_text(pairs, (const char *const *)sides.names, &left_out);
	if (!cli_write_output(options->output, &diff_kind, text, strlen(text), error))
		return FALSE;
	*status = judge(pairs, &left_out, options);
	return TRUE;
}

static const char *const formats[] = {"text", "json", "csv"};

/* What the user gave. */
static Options given;

static const GOptionEntry entries[] = {
	{"config", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &given.configs,
	 "Machine of both traces; given twice: of A and of B", "CONFIG"},
	OPTION_SET(&given.settings),
	OPTION_FORMAT(&given.format, "text (default), json or csv"),
	OPTION_COLUMNS(&given.columns_text),
	OPTION_OUTPUT(&given.output),
	{"fail-above", 0, 0, G_OPTION_ARG_STRING, &given.fail_above,
	 "Exit with status 1 if B takes over PERCENT more time", "PERCENT"},
	{"launch", 0, 0, G_OPTION_ARG_INT, &given.launch,
	 "Use the N-th launch of an ncu table (default: the median)", "N"},
	OPTION_SEED(&given.seed),
	OPTION_JOBS(&given.jobs),
	OPTION_OPERANDS(&given.operands),
	OPTION_END,
};

static CliStatus run(GError **error)
{
	CliStatus status = CLI_GOOD;

	if (!cli_choice("format", given.format, formats, G_N_ELEMENTS(formats), NULL, error) ||
	    !cli_check_numbers(given.seed, given.jobs, error) ||
	    !cli_limit("diff", given.fail_above, "", &given.limit, error) ||
	    !cli_columns(given.columns_text, g_strcmp0(given.format, "csv") == 0,
			 is_measured(&given) ? NCU_DIFF_COLUMNS : DIFF_COLUMNS, given.output,
			 &given.columns, error) ||
	    !cli_check_output(given.output, &diff_kind, NULL, given.operands, error) ||
	    !compare(&given, &status, error))
		return CLI_FAILED;
	return status;
}

const Command command_diff = {
	.name = "diff",
	.synopsis = "[OPTION]... [--config CONFIG]... A B",
	.summary = "Compare traces, configs, reports or sweeps, or a report with ncu",
	.has_colors = TRUE,
	.examples = "atomsim diff --config h200 transpose transpose-padded\n"
		    "atomsim diff --fail-above 5 before.json after.json",
	.failure = "(--fail-above) B takes too much more time, or a run has no partner",
	.options = entries,
	.run = run,
};
