/* SPDX-License-Identifier: MIT */
/* atomsim model: the configured mechanism in closed form, step by step, without the simulator; or a published
   law (law.c). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "cli/cli.h"
#include "cli/model/law.h"
#include "cli/option.h"
#include "config/config.h"
#include "base/error.h"
#include "base/input.h"
#include "base/lanes.h"
#include "base/names.h"
#include "model/mechanism.h"
#include "model/winner.h"

#define MAX_LINE_BYTES 65536 /* far more than the lanes of a warp */

enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };

static const char *const formats[] = {"text", "json", "csv"};

typedef struct {
	const Machine *machine;
	const Mechanism *mechanism; /* that carries the atomic out; has a closed form */
	Operation operation;
	ValueType type;
	gboolean result;
	guint64 seed;
	guint format;  /* of those above */
	gboolean many; /* patterns come from a file: JSON is then one object a line */
} Job;

typedef struct {
	Lanes lanes;
	guint n_written; /* lanes up to the last one written, idle ones included */
	ClosedForm result;
} Pattern;

/* Reads "0 1024 - 2": word addresses of 1 to 32 lanes. `where` begins the error's message. */
static gboolean pattern_parse(const char *text, const char *where, Pattern *pattern,
			      GError **error)
{
	LanesFault fault;

	switch (lanes_read(text, " ,\t\r", TRACE_MAX_LANES, UINT32_MAX, &pattern->lanes,
			   &fault)) {
	case LANES_TOO_MANY:
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "%s: more than %d addresses; a warp has %d lanes", where,
			    TRACE_MAX_LANES, TRACE_MAX_LANES);
		return FALSE;
	case LANES_NO_NUMBER:
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "%s: '%s' is no word address; allowed: 0 to %u, or - for an idle "
			    "lane",
			    where, fault.found, UINT32_MAX);
		return FALSE;
	case LANES_NONE:
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "%s: no address; allowed: 1 to %d word addresses", where,
			    TRACE_MAX_LANES);
		return FALSE;
	case LANES_GOOD:
		break;
	}
	pattern->n_written = fault.lane;
	return TRUE;
}

static bool is_active(const Pattern *pattern, guint lane)
{
	return pattern->lanes.mask >> lane & 1;
}

/* The closed form knows the active lanes alone, by rank: bit 0 is the lowest of them. */
static uint32_t lanes_of_ranks(const Pattern *pattern, LaneMask ranks)
{
	uint32_t lanes = 0;

	for (guint lane = 0, rank = 0; lane < pattern->n_written; lane++)
		if (is_active(pattern, lane))
			lanes |= (uint32_t)(ranks >> rank++ & 1) << lane;
	return lanes;
}

/* "0,2-31": the lanes of a mask. */
static char *lanes_to_text(uint32_t lanes)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint first = 0; first < 32; first++) {
		guint last = first;

		if (!(lanes >> first & 1))
			continue;
		while (last < 31 && lanes >> (last + 1) & 1)
			last++;
		g_string_append_printf(text, "%s%u", text->len ? "," : "", first);
		if (last > first)
			g_string_append_printf(text, "-%u", last);
		first = last;
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static const char *plural(guint64 n)
{
	return n == 1 ? "" : "s";
}

static void print_text(const Job *job, const Pattern *pattern)
{
	g_autofree char *words = cli_atomic_words(job->operation, job->type, job->result);
	const ClosedForm *result = &pattern->result;
	const Machine *machine = job->machine;
	uint64_t sum = 0;

	printf("%s, %u lane%s on %s, by %s: %" G_GUINT64_FORMAT " cycle%s\n", words,
	       pattern->lanes.n_words, plural(pattern->lanes.n_words), job->machine->name,
	       job->mechanism->has_locks ? "Algorithm 1" : job->mechanism->name, result->cycles,
	       plural(result->cycles));
	printf("  %" G_GUINT64_FORMAT " base + %" G_GUINT64_FORMAT
	       " lock conflicts + %" G_GUINT64_FORMAT " bank conflicts; ",
	       result->base_cycles, result->lock_cycles, result->bank_cycles);
	if (job->mechanism->has_locks)
		printf("%u lock%s, ", machine->atomic.locks, plural(machine->atomic.locks));
	printf("%u bank%s\n\n", machine->shared.banks, plural(machine->shared.banks));
	printf("round  tried  winners  read_degree  write_degree  base_cycles  bank_cycles    "
	       "sum  "
	       "winning lanes\n");
	for (uint32_t i = 0; i < result->n_rounds; i++) {
		const ClosedFormRound *round = &result->rounds[i];
		g_autofree char *winners =
			lanes_to_text(lanes_of_ranks(pattern, round->winners));

		sum += round->base_cycles + round->bank_cycles;
		printf("%5u  %5d  %7d  %11u  %12u  %11u  %11u  %5" G_GUINT64_FORMAT "  %s\n",
		       i + 1, __builtin_popcountll(round->tried),
		       __builtin_popcountll(round->winners), round->read_degree,
		       round->write_degree, round->base_cycles, round->bank_cycles, sum,
		       winners);
	}
	if (job->many)
		printf("\n");
}

static void add_lanes(cJSON *object, const char *name, uint32_t lanes)
{
	cJSON *array = cJSON_AddArrayToObject(object, name);

	for (guint i = 0; i < 32; i++)
		if (lanes >> i & 1)
			cJSON_AddItemToArray(array, cJSON_CreateNumber(i));
}

static void print_json(const Job *job, const Pattern *pattern)
{
	const ClosedForm *result = &pattern->result;
	cJSON *root = cJSON_CreateObject();

	cJSON_AddStringToObject(root, "mechanism", job->mechanism->name);
	cJSON_AddStringToObject(root, "operation", operation_names[job->operation]);
	cJSON_AddStringToObject(root, "type", value_type_names[job->type]);
	cJSON_AddBoolToObject(root, "result", job->result);
	cJSON_AddNumberToObject(root, "cycles", result->cycles);
	cJSON_AddNumberToObject(root, "base_cycles", result->base_cycles);
	cJSON_AddNumberToObject(root, "lock_cycles", result->lock_cycles);
	cJSON_AddNumberToObject(root, "bank_cycles", result->bank_cycles);
	cJSON *rounds = cJSON_AddArrayToObject(root, "rounds");
	for (uint32_t i = 0; i < result->n_rounds; i++) {
		const ClosedFormRound *round = &result->rounds[i];
		cJSON *object = cJSON_CreateObject();

		add_lanes(object, "tried", lanes_of_ranks(pattern, round->tried));
		add_lanes(object, "winners", lanes_of_ranks(pattern, round->winners));
		cJSON_AddNumberToObject(object, "read_degree", round->read_degree);
		cJSON_AddNumberToObject(object, "write_degree", round->write_degree);
		cJSON_AddNumberToObject(object, "base_cycles", round->base_cycles);
		cJSON_AddNumberToObject(object, "bank_cycles", round->bank_cycles);
		cJSON_AddItemToArray(rounds, object);
	}
	cJSON *addresses = cJSON_AddArrayToObject(root, "addresses");
	for (guint lane = 0, rank = 0; lane < pattern->n_written; lane++)
		cJSON_AddItemToArray(addresses,
				     is_active(pattern, lane)
					     ? cJSON_CreateNumber(pattern->lanes.words[rank++])
					     : cJSON_CreateNull());

	char *text = job->many ? cJSON_PrintUnformatted(root) : cJSON_Print(root);
	printf("%s\n", text);
	free(text);
	cJSON_Delete(root);
}

static void print_csv(const Pattern *pattern)
{
	const ClosedForm *result = &pattern->result;

	printf("%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT
	       ",%" G_GUINT64_FORMAT ",%u,",
	       result->cycles, result->base_cycles, result->lock_cycles, result->bank_cycles,
	       result->n_rounds);
	for (guint lane = 0, rank = 0; lane < pattern->n_written; lane++)
		if (is_active(pattern, lane))
			printf("%s%u", lane ? " " : "", pattern->lanes.words[rank++]);
		else
			printf("%s-", lane ? " " : "");
	printf("\n");
}

static gboolean model_pattern(const Job *job, const char *text, const char *where,
			      GError **error)
{
	const Machine *machine = job->machine;
	uint32_t words[MAX_LANES];
	ClosedFormAtomic atomic = {.operation = job->operation,
				   .type = job->type,
				   .result = job->result,
				   .words = words,
				   .salt = winner_salt(job->seed, 0, 0, 0)};
	Pattern pattern;

	if (!pattern_parse(text, where, &pattern, error))
		return FALSE;
	/* A block's words lie behind what the system has. */
	for (guint i = 0; i < pattern.lanes.n_words; i++)
		words[i] = pattern.lanes.words[i] + machine->shared.reserved_bytes / 4;
	atomic.n_lanes = pattern.lanes.n_words;
	job->mechanism->closed_form(&machine->atomic, &machine->shared, &atomic,
				    &pattern.result);
	if (job->format == FORMAT_TEXT)
		print_text(job, &pattern);
	else if (job->format == FORMAT_JSON)
		print_json(job, &pattern);
	else
		print_csv(&pattern);
	return TRUE;
}

/* A pattern a line; blank lines and those that begin with # say nothing. */
static gboolean model_lines(const Job *job, FILE *file, const char *path, GError **error)
{
	g_autofree char *line = g_malloc(MAX_LINE_BYTES);

	for (guint number = 1; fgets(line, MAX_LINE_BYTES, file) != NULL; number++) {
		g_autofree char *where = g_strdup_printf("%s:%u", path, number);

		if (strchr(line, '\n') == NULL && !feof(file))
			return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
					    "%s: a line of %d bytes or more, or with a NUL, "
					    "found; allowed: text, a pattern a line",
					    where, MAX_LINE_BYTES);
		g_strchomp(line);
		if (line[0] && line[0] != '#' && !model_pattern(job, line, where, error))
			return FALSE;
	}
	return !ferror(file) || atomsim_fail(error, ATOMSIM_ERROR_IO, "%s: cannot read: %s",
					     path, g_strerror(errno));
}

static gboolean model_file(const Job *job, const char *path, GError **error)
{
	FILE *file = stdin;
	gboolean good;
	int fd;

	if (strcmp(path, "-") == 0)
		return model_lines(job, file, path, error);
	fd = input_open(path, "patterns", error);
	if (fd < 0)
		return FALSE;
	file = fdopen(fd, "r");
	if (file == NULL) {
		atomsim_fail(error, ATOMSIM_ERROR_IO, "%s: cannot read: %s", path,
			     g_strerror(errno));
		close(fd);
		return FALSE;
	}
	good = model_lines(job, file, path, error);
	fclose(file);
	return good;
}

typedef struct {
	char *config, *addresses, *path, *format;
	char **settings;
	AtomicOptions atomic;
	LawOptions law;
	gint64 seed;
} ModelOptions;

static void options_clear(ModelOptions *options)
{
	g_free(options->config);
	g_free(options->addresses);
	g_free(options->path);
	g_free(options->format);
	g_strfreev(options->settings);
	cli_atomic_clear(&options->atomic);
	law_options_clear(&options->law);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ModelOptions, options_clear)

static gboolean check_options(const ModelOptions *options, Job *job, GError **error)
{
	const char *problem = NULL;

	if (law_wanted(&options->law)) {
		if (options->config || options->settings || options->addresses ||
		    options->path || options->atomic.operation || options->atomic.type ||
		    options->atomic.result)
			problem = "--law stands alone: without --config, --set, addresses and "
				  "what an atomic is";
	} else if (!options->config || !options->addresses == !options->path) {
		problem = "model needs --config and either --addresses or --addresses-file, or "
			  "--law";
	}
	if (problem)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "%s", problem);
	job->seed = (guint64)options->seed;
	job->many = options->path != NULL;
	job->result = options->atomic.result;
	return cli_choice("format", options->format, formats, G_N_ELEMENTS(formats),
			  &job->format, error) &&
	       cli_read_atomic(&options->atomic, &job->operation, &job->type, error) &&
	       cli_check_numbers(options->seed, 0, error);
}

static gboolean find_mechanism(Job *job, GError **error)
{
	const AtomicParameters *atomic = &job->machine->atomic;
	const uint32_t way = atomic_way_number(job->operation, job->type);

	job->mechanism = mechanism_of_way(atomic, way);
	if (job->mechanism->closed_form)
		return TRUE;
	g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_CONFIG,
		    "model: %s = %s has no closed form; 'atomsim explain' shows what it costs",
		    atomic_way_key(atomic, way), job->mechanism->name);
	return FALSE;
}

static gboolean model(const ModelOptions *options, GError **error)
{
	g_autoptr(Config) config = NULL;
	Job job = {0};

	if (!check_options(options, &job, error))
		return FALSE;
	if (law_wanted(&options->law))
		return law_print(&options->law, job.format, error);
	config = config_load(options->config, (const char *const *)options->settings, error);
	if (config == NULL)
		return FALSE;
	job.machine = config_machine(config);
	if (!find_mechanism(&job, error))
		return FALSE;
	if (job.format == FORMAT_CSV)
		printf("cycles,base_cycles,lock_cycles,bank_cycles,rounds,addresses\n");
	return options->path ? model_file(&job, options->path, error)
			     : model_pattern(&job, options->addresses, "--addresses", error);
}

static CliStatus run(int argc, char **argv)
{
	g_auto(ModelOptions) options = {0};
	const GOptionEntry entries[] = {
		OPTION_CONFIG(&options.config),
		OPTION_SET(&options.settings),
		{"addresses", 0, 0, G_OPTION_ARG_STRING, &options.addresses,
		 "Word address of each lane: \"0 1024 - 2\"; - is an idle lane", "LIST"},
		{"addresses-file", 0, 0, G_OPTION_ARG_FILENAME, &options.path,
		 "The same, a pattern a line; - for standard input", "FILE"},
		OPTION_ATOMIC(&options.atomic),
		OPTION_FORMAT(&options.format,
			      "text (default), json (with a file: one object a line) or csv"),
		OPTION_SEED(&options.seed),
		LAW_ENTRIES(options.law),
		OPTION_END,
	};
	g_autoptr(GOptionContext) context = cli_options(&command_model, entries);
	g_autoptr(GError) error = NULL;
	CliStatus status;

	if (!cli_parse(context, &argc, &argv, &status))
		return status;
	return model(&options, &error) ? CLI_GOOD : cli_fail(error);
}

const Command command_model = {
	.name = "model",
	.synopsis = "[OPTION]... --config CONFIG --addresses LIST | --law LAW",
	.summary = "Work out one warp's atomic in closed form, step by step",
	.run = run,
};
