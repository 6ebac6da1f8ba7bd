/* SPDX-License-Identifier: MIT */
/* atomsim explain: one atomic of a few warps, round by round, on a screen that fits a projector. */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/error.h"
#include "base/lanes.h"
#include "cli/cli.h"
#include "cli/option.h"
#include "cli/explain.h"
#include "config/config.h"
#include "report/report.h"
#include "base/names.h"

static const OutputKind explanation_kind = {"an explanation",
					    {"lanes that try: ", "\"explained_cycles\""}};

/* --- Text --- */

/* The letters that occur. */
static void append_key(GString *text, const Explanation *explanation)
{
	bool occurs[N_LANE_FATES] = {false};

	for (guint i = 0; i < explanation->rounds->len; i++)
		for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
			occurs[g_array_index(explanation->rounds, ExplainRound, i)
				       .lanes[lane]
				       .fate] = true;
	g_string_append_c(text, '\n');
	for (guint i = 0; i < N_LANE_FATES; i++)
		if (occurs[i])
			g_string_append_printf(text, "  %c  %s\n", lane_fate_letters[i],
					       lane_fate_words[i]);
}

/* A line of 32 letters for each round of all warps, in the order in which they begin. */
static void append_grid(GString *text, const Explanation *explanation, bool many)
{
	g_string_append_printf(text, "\n%6s %5s  %-13s %-32s  lasts\n", many ? "warp" : "",
			       "round", "cycles", "0...4...8...12..16..20..24..28..");
	for (guint i = 0; i < explanation->rounds->len; i++) {
		const ExplainRound *round =
			&g_array_index(explanation->rounds, ExplainRound, i);
		g_autofree char *span = g_strdup_printf(
			"%" G_GUINT64_FORMAT "..%" G_GUINT64_FORMAT, round->begin, round->end);
		char letters[TRACE_MAX_LANES + 1] = "";

		for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
			letters[lane] = lane_fate_letters[round->lanes[lane].fate];
		if (many)
			g_string_append_printf(text, "%6u", round->warp);
		else
			g_string_append(text, "      ");
		g_string_append_printf(text, " %5u  %-13s %s  %6" G_GUINT64_FORMAT "\n",
				       round->number + 1, span, letters,
				       round->end - round->begin);
	}
}

static void append_lane(GString *text, const Explanation *explanation, const ExplainWarp *warp,
			const ExplainRound *round, guint lane)
{
	const LaneOutcome *outcome = &round->lanes[lane];
	g_autofree char *lock = explanation->mechanism->has_locks
					? g_strdup_printf(", lock %u", warp->lock[lane])
					: g_strdup("");

	g_string_append_printf(text, "  lane %2u  word %u%s, bank %u: ", lane, warp->word[lane],
			       lock, warp->bank[lane]);
	switch (outcome->fate) {
	case FATE_WINS:
		g_string_append(text, "wins");
		break;
	case FATE_POSITION:
		g_string_append_printf(text, "loses to lane %d: the same word",
				       outcome->by_lane);
		break;
	case FATE_ALIAS:
		g_string_append_printf(text, "loses to lane %d: word %u has the same lock",
				       outcome->by_lane, warp->word[outcome->by_lane]);
		break;
	case FATE_BANK:
		g_string_append_printf(text, "loses to lane %d: word %u is in the same bank",
				       outcome->by_lane, warp->word[outcome->by_lane]);
		break;
	default:
		g_string_append_printf(text, "loses: %s", lane_fate_words[outcome->fate]);
		if (outcome->by_warp >= 0)
			g_string_append_printf(text, " (warp %d)", outcome->by_warp);
	}
	g_string_append_c(text, '\n');
}

static void append_round(GString *text, const ExplainRequest *request,
			 const Explanation *explanation, const ExplainRound *round)
{
	const ExplainWarp *warp = &request->warps[round->warp];

	g_string_append_printf(text, "\nRound %u", round->number + 1);
	if (request->n_warps > 1)
		g_string_append_printf(text, " of warp %u", round->warp);
	g_string_append_printf(text,
			       ", cycles %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
			       ": lanes that try: %d, that win: %d\n",
			       round->begin, round->end, __builtin_popcount(round->tried),
			       __builtin_popcount(round->won));
	for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (round->tried >> lane & 1)
			append_lane(text, explanation, warp, round, lane);
	g_string_append(text, "  costs ");
	for (guint i = 0; i < round->n_instructions; i++) {
		const RoundInstruction *instruction = &round->instructions[i];

		g_string_append_printf(text, "%s%s %" G_GUINT64_FORMAT, i > 0 ? ", " : "",
				       instruction->name,
				       instruction->ready - instruction->start);
		if (instruction->passes > 1)
			g_string_append_printf(text, " (%u passes)", instruction->passes);
	}
	g_string_append_c(text, '\n');
}

static char *to_text(const ExplainRequest *request, const Explanation *explanation)
{
	GString *text = g_string_new(NULL);

	g_string_append_printf(
		text,
		"%s%s%s of %u warp%s on a simulated %s, by %s: %" G_GUINT64_FORMAT " cycles\n",
		request->lock ? "spin lock" : operation_names[request->operation],
		request->lock ? "" : ".", request->lock ? "" : value_type_names[request->type],
		request->n_warps, request->n_warps == 1 ? "" : "s", request->machine->name,
		explanation->mechanism->name, explanation->cycles);
	append_grid(text, explanation, request->n_warps > 1);
	append_key(text, explanation);
	for (guint i = 0; i < explanation->rounds->len; i++)
		append_round(text, request, explanation,
			     &g_array_index(explanation->rounds, ExplainRound, i));
	return g_string_free(text, FALSE);
}

/* --- JSON --- */

static cJSON *lane_object(const ExplainWarp *warp, const ExplainRound *round, guint lane,
			  bool has_locks)
{
	const LaneOutcome *outcome = &round->lanes[lane];
	cJSON *object = cJSON_CreateObject();

	cJSON_AddNumberToObject(object, "lane", lane);
	cJSON_AddNumberToObject(object, "word", warp->word[lane]);
	cJSON_AddNumberToObject(object, "bank", warp->bank[lane]);
	if (has_locks)
		cJSON_AddNumberToObject(object, "lock", warp->lock[lane]);
	cJSON_AddStringToObject(object, "fate", lane_fate_names[outcome->fate]);
	if (outcome->by_lane >= 0)
		cJSON_AddNumberToObject(object, "by_lane", outcome->by_lane);
	if (outcome->by_warp >= 0)
		cJSON_AddNumberToObject(object, "by_warp", outcome->by_warp);
	return object;
}

static cJSON *round_object(const ExplainRequest *request, const ExplainRound *round,
			   bool has_locks)
{
	cJSON *object = cJSON_CreateObject();
	cJSON *lanes, *instructions;

	cJSON_AddNumberToObject(object, "warp", round->warp);
	cJSON_AddNumberToObject(object, "round", round->number + 1);
	cJSON_AddNumberToObject(object, "begin_cycle", (double)round->begin);
	cJSON_AddNumberToObject(object, "end_cycle", (double)round->end);
	instructions = cJSON_AddArrayToObject(object, "instructions");
	for (guint i = 0; i < round->n_instructions; i++) {
		const RoundInstruction *instruction = &round->instructions[i];
		cJSON *row = cJSON_CreateObject();

		cJSON_AddStringToObject(row, "name", instruction->name);
		cJSON_AddNumberToObject(row, "start_cycle", (double)instruction->start);
		cJSON_AddNumberToObject(row, "ready_cycle", (double)instruction->ready);
		cJSON_AddNumberToObject(row, "passes", instruction->passes);
		cJSON_AddItemToArray(instructions, row);
	}
	lanes = cJSON_AddArrayToObject(object, "lanes");
	for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (round->tried >> lane & 1)
			cJSON_AddItemToArray(lanes, lane_object(&request->warps[round->warp],
								round, lane, has_locks));
	return object;
}

cJSON *explanation_to_cjson(const ExplainRequest *request, const Explanation *explanation)
{
	cJSON *object = cJSON_CreateObject();
	cJSON *rounds;

	cJSON_AddStringToObject(object, "machine", request->machine->name);
	cJSON_AddStringToObject(object, "mechanism", explanation->mechanism->name);
	cJSON_AddStringToObject(object, "operation", operation_names[request->operation]);
	cJSON_AddStringToObject(object, "type", value_type_names[request->type]);
	cJSON_AddNumberToObject(object, "warps", request->n_warps);
	cJSON_AddNumberToObject(object, "explained_cycles", (double)explanation->cycles);
	rounds = cJSON_AddArrayToObject(object, "rounds");
	for (guint i = 0; i < explanation->rounds->len; i++)
		cJSON_AddItemToArray(rounds, round_object(request,
							  &g_array_index(explanation->rounds,
									 ExplainRound, i),
							  explanation->mechanism->has_locks));
	return object;
}

static char *to_json(const ExplainRequest *request, const Explanation *explanation)
{
	cJSON *object = explanation_to_cjson(request, explanation);
	char *text = report_json_text(object);

	cJSON_Delete(object);
	return text;
}

/* --- The command --- */

typedef struct {
	char *config, *format, *output, *operation, *type;
	char **settings, **addresses;
	gint64 seed;
	gboolean result, lock;
} ExplainOptions;

static void options_clear(ExplainOptions *options)
{
	g_free(options->config);
	g_free(options->format);
	g_free(options->output);
	g_free(options->operation);
	g_free(options->type);
	g_strfreev(options->settings);
	g_strfreev(options->addresses);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ExplainOptions, options_clear)

/* The lanes of one warp, "5 5 1029 - 9"; - is an idle lane. */
static gboolean read_warp(const char *text, ExplainWarp *warp, GError **error)
{
	LanesFault fault;
	Lanes lanes;

	switch (lanes_read(text, " ,\t\r\n", TRACE_MAX_LANES, UINT32_MAX, &lanes, &fault)) {
	case LANES_TOO_MANY:
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "--addresses: more than %d addresses; a warp has %d lanes",
			    TRACE_MAX_LANES, TRACE_MAX_LANES);
		return FALSE;
	case LANES_NO_NUMBER:
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "--addresses: lane %u: '%s' found; allowed: 0 to %u, or - for an "
			    "idle lane",
			    fault.lane, fault.found, UINT32_MAX);
		return FALSE;
	case LANES_NONE:
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
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
			if (request->n_warps == EXPLAIN_MAX_WARPS) {
				g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
					    "--addresses: more than %d warps",
					    EXPLAIN_MAX_WARPS);
				return FALSE;
			}
			if (!read_warp(warps[k], &request->warps[request->n_warps++], error))
				return FALSE;
		}
	}
	if (request->n_warps > 0)
		return TRUE;
	g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "explain: no --addresses; for example: --addresses \"5 5 1029 -\"");
	return FALSE;
}

static gboolean read_request(const ExplainOptions *options, ExplainRequest *request,
			     guint *format, GError **error)
{
	guint operation, type;

	if (!cli_choice("format", options->format, cli_text_or_json, N_TEXT_OR_JSON, format,
			error) ||
	    !cli_choice("operation", options->operation, operation_names, N_OPERATIONS,
			&operation, error) ||
	    !cli_choice("type", options->type, value_type_names, N_VALUE_TYPES, &type, error) ||
	    !cli_check_numbers(options->seed, 0, error) ||
	    !read_warps(options->addresses, request, error))
		return FALSE;
	if (options->config == NULL) {
		g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
				    "explain: no --config; for example: --config fermi.json");
		return FALSE;
	}
	request->operation = (Operation)operation;
	request->type = (ValueType)type;
	request->result = options->result;
	request->lock = options->lock;
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
	text = format == 0 ? to_text(request, &explanation) : to_json(request, &explanation);
	return cli_write_output(options->output, &explanation_kind, text, strlen(text), error);
}

static CliStatus run(int argc, char **argv)
{
	g_auto(ExplainOptions) options = {0};
	const GOptionEntry entries[] = {
		OPTION_CONFIG(&options.config),
		OPTION_SET(&options.settings),
		{"addresses", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.addresses,
		 "Word of each lane, - for an idle one: \"0 1024 - 2\"; once for each warp, or "
		 "warps between semicolons",
		 "LIST"},
		{"operation", 0, 0, G_OPTION_ARG_STRING, &options.operation,
		 "Of the atomic: add (default), inc, ..., cas", "NAME"},
		{"type", 0, 0, G_OPTION_ARG_STRING, &options.type,
		 "Of the words: u32 (default), s32, f32, u64, s64, f64", "NAME"},
		{"lock", 0, 0, G_OPTION_ARG_NONE, &options.lock,
		 "No atomic: the words are spin locks that a warp takes, holds for a moment, "
		 "and "
		 "releases; those of a warp are different",
		 NULL},
		{"result", 0, 0, G_OPTION_ARG_NONE, &options.result,
		 "The program uses the old values", NULL},
		OPTION_FORMAT(&options.format, "text (default) or json"),
		OPTION_OUTPUT(&options.output),
		OPTION_SEED(&options.seed),
		OPTION_END,
	};
	g_autoptr(GOptionContext) context = cli_options(&command_explain, entries);
	g_autoptr(GError) error = NULL;
	CliStatus status;

	if (!cli_parse(context, &argc, &argv, &status))
		return status;
	if (!cli_check_output(options.output, &explanation_kind, options.config, NULL,
			      &error) ||
	    !explain_it(&options, &error))
		return cli_fail(error);
	return CLI_GOOD;
}

const Command command_explain = {
	.name = "explain",
	.synopsis = "[OPTION]... --config CONFIG --addresses LIST...",
	.summary = "Show an atomic round by round: who won, who lost to whom and why",
	.run = run,
};
