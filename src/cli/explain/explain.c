/* SPDX-License-Identifier: MIT */
/* atomsim explain: one access of a few warps, round by round, on a screen that fits a projector, or as a picture. */
#include <string.h>

#include "answer/explanation.h"
#include "base/error.h"
#include "base/lanes.h"
#include "cli/cli.h"
#include "cli/explain/explain.h"
#include "cli/option.h"
#include "config/config.h"
#include "report/report.h"
#include "report/svg.h"

static const OutputKind explanation_kind = {"an explanation",
					    {" on a simulated ", "\"explained_cycles\""}};

typedef struct {
	char *config, *format, *output, *access, *svg;
	AtomicOptions atomic;
	char **settings, **addresses;
	gint64 seed;
	gboolean lanes;
} ExplainOptions;

/* The lanes of one warp, "5 5 1029 - 9"; - is an idle lane. */
static gboolean read_warp(const char *text, ExplainWarp *warp, GError **error)
{
	LanesFault fault;
	Lanes lanes;

	switch (lanes_read(text, " ,\t\r\n", TRACE_MAX_LANES, UINT32_MAX, &lanes, &fault)) {
	case LANES_TOO_MANY:
		atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			     "--addresses: more than %d addresses; a warp has %d lanes",
			     TRACE_MAX_LANES, TRACE_MAX_LANES);
		return FALSE;
	case LANES_NO_NUMBER:
		atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			     "--addresses: lane %u: '%s' found; allowed: 0 to %u, or - for an "
			     "idle lane",
			     fault.lane, fault.found, UINT32_MAX);
		return FALSE;
	case LANES_NONE:
		atomsim_fail(
			error, ATOMSIM_ERROR_USAGE,
			"--addresses: no address; allowed: word addresses of 1 to %d lanes",
			TRACE_MAX_LANES);
		return FALSE;
	case LANES_GOOD:
		break;
	}
	warp->mask = (uint32_t)lanes.mask;
	for (guint lane = 0, rank = 0; lane < TRACE_MAX_LANES; lane++)
		if (warp->mask >> lane & 1)
			warp->word[lane] = lanes.words[rank++];
	return TRUE;
}

/* Each --addresses is a warp; so is each part of one between semicolons. */
static gboolean read_warps(char **addresses, ExplainRequest *request, GError **error)
{
	for (guint i = 0; addresses != NULL && addresses[i] != NULL; i++) {
		g_auto(GStrv) warps = g_strsplit(addresses[i], ";", -1);

		for (guint k = 0; warps[k] != NULL; k++) {
			if (request->n_warps == EXPLAIN_MAX_WARPS)
				return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
						    "--addresses: more than %d warps",
						    EXPLAIN_MAX_WARPS);
			if (!read_warp(warps[k], &request->warps[request->n_warps++], error))
				return FALSE;
		}
	}
	if (request->n_warps > 0)
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			    "explain: no --addresses; for example: --addresses \"5 5 1029 -\"");
}

/* What the warps do, and that no option is of something else. */
static gboolean read_access(const ExplainOptions *options, ExplainRequest *request,
			    GError **error)
{
	const AtomicOptions *atomic = &options->atomic;
	guint access;

	if (!cli_choice("access", options->access, explain_access_names, N_EXPLAIN_ACCESSES,
			&access, error))
		return FALSE;
	request->access = (ExplainAccess)access;
	if (access == EXPLAIN_ATOMIC || !(atomic->operation || atomic->type || atomic->result))
		return TRUE;
	return atomsim_fail(
		error, ATOMSIM_ERROR_USAGE,
		"explain: --%s found with --access %s; allowed: with --access atomic",
		atomic->operation ? "operation"
		: atomic->type	  ? "type"
				  : "result",
		explain_access_names[access]);
}

static gboolean read_request(const ExplainOptions *options, ExplainRequest *request,
			     guint *format, GError **error)
{
	if (!cli_choice("format", options->format, cli_text_or_json, N_TEXT_OR_JSON, format,
			error) ||
	    !read_access(options, request, error) ||
	    !cli_read_atomic(&options->atomic, &request->operation, &request->type, error) ||
	    !cli_check_numbers(options->seed, 0, error) ||
	    !read_warps(options->addresses, request, error))
		return FALSE;
	if (options->config == NULL)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "explain: no --config; for example: --config fermi.json");
	request->result = options->atomic.result;
	request->seed = (guint64)options->seed;
	return TRUE;
}

static gboolean explain_it(const ExplainOptions *options, GError **error)
{
	g_autofree ExplainRequest *request = g_new0(ExplainRequest, 1);
	g_auto(Explanation) explanation = {0};
	g_autoptr(Config) config = NULL;
	g_autofree char *text = NULL;
	guint format;

	if (!read_request(options, request, &format, error))
		return FALSE;
	config = config_load(options->config, (const char *const *)options->settings, error);
	if (config == NULL)
		return FALSE;
	request->machine = config_machine(config);
	if (!explain(request, &explanation, error))
		return FALSE;
	if (options->svg) {
		g_autofree char *svg = explanation_to_svg(request, &explanation);

		if (!output_write_file(options->svg, &svg_kind, svg, strlen(svg), error))
			return FALSE;
	}
	text = format == 0 ? explanation_to_text(request, &explanation, options->lanes)
			   : report_json_take(explanation_object(request, &explanation));
	return cli_write_output(options->output, &explanation_kind, text, strlen(text), error);
}

/* What the user gave. */
static ExplainOptions given;

static const GOptionEntry entries[] = {
	OPTION_CONFIG(&given.config),
	OPTION_SET(&given.settings),
	{"addresses", 0, 0, G_OPTION_ARG_STRING_ARRAY, &given.addresses,
	 "Word address of each lane, - for an inactive one: \"0 1024 - 2\"; once for "
	 "each warp, or warps between semicolons",
	 "LIST"},
	OPTION_ATOMIC(&given.atomic),
	{"access", 0, 0, G_OPTION_ARG_STRING, &given.access,
	 "atomic (default), load, store, or lock: take the words as spin locks, hold "
	 "and release them",
	 "KIND"},
	{"lanes", 0, 0, G_OPTION_ARG_NONE, &given.lanes,
	 "Describe also each lane of each round", NULL},
	{"svg", 0, 0, G_OPTION_ARG_FILENAME, &given.svg, "Draw the rounds to FILE.svg", "FILE"},
	OPTION_FORMAT(&given.format, "text (default) or json"),
	OPTION_OUTPUT(&given.output),
	OPTION_SEED(&given.seed),
	OPTION_END,
};

static CliStatus run(GError **error)
{
	if (!cli_check_output(given.output, &explanation_kind, given.config, NULL, error) ||
	    (given.svg != NULL && !overwrite_plan(given.svg, &svg_kind, error)) ||
	    !explain_it(&given, error))
		return CLI_FAILED;
	return CLI_GOOD;
}

const Command command_explain = {
	.name = "explain",
	.synopsis = "[OPTION]... --config CONFIG --addresses LIST...",
	.summary = "Show an atomic or access round by round: winners, losers, reasons",
	.examples = "atomsim explain --config fermi --addresses \"5 5 1029 -\"\n"
		    "atomsim explain --config h200 --type f32 --addresses \"0 0 1\"",
	.options = entries,
	.run = run,
};
