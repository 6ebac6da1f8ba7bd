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
#include "model/mechanism.h"
#include "model/winner.h"

#define MAX_LINE_BYTES 65536 /* far more than the lanes of a warp */

enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };

static const char *const formats[] = {"text", "json", "csv"};

typedef struct {
	const Machine *machine;
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

static void print_text(const Job *job, const Pattern *pattern)
{
	const ClosedForm *result = &pattern->result;
	uint64_t sum = 0;

	printf("%s on %s, %u lanes: %" G_GUINT64_FORMAT " cycles\n",
	       job->machine->atomic.mechanism->has_locks ? "Algorithm 1"
							 : job->machine->atomic.mechanism->name,
	       job->machine->name, pattern->lanes.n_words, result->cycles);
	printf("  %" G_GUINT64_FORMAT " base + %" G_GUINT64_FORMAT
	       " lock conflicts + %" G_GUINT64_FORMAT " bank conflicts; ",
	       result->base_cycles, result->lock_cycles, result->bank_cycles);
	if (job->machine->atomic.mechanism->has_locks)
		printf("%u locks, ", job->machine->atomic.locks);
	printf("%u banks\n\n", job->machine->shared.banks);
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
	Pattern pattern;

	if (!pattern_parse(text, where, &pattern, error))
		return FALSE;
	job->machine->atomic.mechanism->closed_form(
		&job->machine->atomic, &job->machine->shared, pattern.lanes.words,
		pattern.lanes.n_words, winner_salt(job->seed, 0, 0, 0), &pattern.result);
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

static CliStatus run(int argc, char **argv)
{
	g_autofree char *config_name = NULL, *addresses = NULL, *path = NULL, *format = NULL;
	g_auto(GStrv) settings = NULL;
	g_auto(LawOptions) law = {0};
	gint64 seed = 0;
	const GOptionEntry entries[] = {
		OPTION_CONFIG(&config_name),
		OPTION_SET(&settings),
		{"addresses", 0, 0, G_OPTION_ARG_STRING, &addresses,
		 "Word address of each lane: \"0 1024 - 2\"; - is an idle lane", "LIST"},
		{"addresses-file", 0, 0, G_OPTION_ARG_FILENAME, &path,
		 "The same, a pattern a line; - for standard input", "FILE"},
		OPTION_FORMAT(&format,
			      "text (default), json (with a file: one object a line) or csv"),
		OPTION_SEED(&seed),
		LAW_ENTRIES(law),
		OPTION_END,
	};
	g_autoptr(GOptionContext) context = cli_options(&command_model, entries);
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = NULL;
	CliStatus status;

	if (!cli_parse(context, &argc, &argv, &status))
		return status;
	Job job = {.seed = seed, .many = path != NULL};
	if (law_wanted(&law)) {
		if (config_name || settings || addresses || path)
			g_set_error(
				&error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
				"--law stands alone: without --config, --set and addresses");
		else if (cli_choice("format", format, formats, G_N_ELEMENTS(formats),
				    &job.format, &error))
			law_print(&law, job.format, &error);
		return error ? cli_fail(error) : CLI_GOOD;
	}
	if (!config_name || !addresses == !path) {
		g_set_error(
			&error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			"model needs --config and either --addresses or --addresses-file, or "
			"--law");
		return cli_fail(error);
	}
	if (!cli_choice("format", format, formats, G_N_ELEMENTS(formats), &job.format,
			&error) ||
	    !cli_check_numbers(seed, 0, &error))
		return cli_fail(error);
	config = config_load(config_name, (const char *const *)settings, &error);
	if (!config)
		return cli_fail(error);
	job.machine = config_machine(config);
	if (!job.machine->atomic.mechanism->closed_form) {
		g_set_error(&error, ATOMSIM_ERROR, ATOMSIM_ERROR_CONFIG,
			    "model: atomic.mechanism = %s has no closed form; a trace of one "
			    "warp shows what it costs ('atomsim gen pattern')",
			    job.machine->atomic.mechanism->name);
		return cli_fail(error);
	}

	if (job.format == FORMAT_CSV)
		printf("cycles,base_cycles,lock_cycles,bank_cycles,rounds,addresses\n");
	if (path ? !model_file(&job, path, &error)
		 : !model_pattern(&job, addresses, "--addresses", &error))
		return cli_fail(error);
	return CLI_GOOD;
}

const Command command_model = {
	.name = "model",
	.synopsis = "[OPTION]... --config CONFIG --addresses LIST | --law LAW",
	.summary = "Work out one warp's atomic in closed form, step by step",
	.run = run,
};
