/* SPDX-License-Identifier: MIT */
/* atomsim model: the configured mechanism in closed form, step by step, without the simulator; or a published
   law (law.c). */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/columns.h"
#include "cli/model/law.h"
#include "cli/model/model.h"
#include "cli/option.h"
#include "config/config.h"
#include "base/error.h"
#include "base/input.h"
#include "base/names.h"
#include "explore/explain/words.h"
#include "model/atomic/combiner.h"
#include "model/atomic/mechanism.h"
#include "model/atomic/winner.h"

#define MAX_LINE_BYTES 65536 /* far more than the lanes of a warp */

static const char *const formats[] = {"text", "json", "csv"};

/* Reads "0 1024 - 2": word addresses of 1 to 32 lanes. `where` begins the error's message. */
static gboolean pattern_parse(const char *text, const char *where, ModelPattern *pattern,
			      GError **error)
{
	LanesFault fault;

	switch (lanes_read(text, " ,\t\r", TRACE_MAX_LANES, UINT32_MAX, &pattern->lanes,
			   &fault)) {
	case LANES_TOO_MANY:
		atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			     "%s: more than %d addresses; a warp has %d lanes", where,
			     TRACE_MAX_LANES, TRACE_MAX_LANES);
		return FALSE;
	case LANES_NO_NUMBER:
		atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			     "%s: '%s' is no word address; allowed: 0 to %u, or - for an idle "
			     "lane",
			     where, fault.found, UINT32_MAX);
		return FALSE;
	case LANES_NONE:
		atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			     "%s: no address; allowed: 1 to %d word addresses", where,
			     TRACE_MAX_LANES);
		return FALSE;
	case LANES_GOOD:
		break;
	}
	pattern->n_written = fault.lane;
	return TRUE;
}

/* Whether a block can have the words. */
static gboolean has_words(const ModelJob *job, const Lanes *lanes, const char *where,
			  GError **error)
{
	uint32_t last = 0;

	for (guint i = 0; i < lanes->n_words; i++)
		last = MAX(last, lanes->words[i]);
	return explain_word_bytes(job->machine, last, value_type_bytes[job->type], where,
				  error) > 0;
}

static gboolean model_pattern(const ModelJob *job, const char *text, const char *where,
			      GError **error)
{
	const Machine *machine = job->machine;
	uint32_t words[MAX_LANES];
	ClosedFormAtomic atomic = {.operation = job->operation,
				   .type = job->type,
				   .result = job->result,
				   .words = words,
				   .salt = winner_salt(job->seed, 0, 0, 0)};
	ModelPattern pattern;

	if (!pattern_parse(text, where, &pattern, error) ||
	    !has_words(job, &pattern.lanes, where, error))
		return FALSE;
	/* A block's words lie behind what the system has. */
	for (guint i = 0; i < pattern.lanes.n_words; i++)
		words[i] = pattern.lanes.words[i] + machine->shared.reserved_bytes / 4;
	atomic.n_lanes = pattern.lanes.n_words;
	job->mechanism->closed_form(&machine->atomic, &machine->shared, &machine->ideal,
				    &atomic, &pattern.result);
	model_print(job, &pattern);
	return TRUE;
}

/* A pattern a line; blank lines and those that begin with # say nothing. */
static gboolean model_lines(const ModelJob *job, FILE *file, const char *path, GError **error)
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

static gboolean model_file(const ModelJob *job, const char *path, GError **error)
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
	char *config, *addresses, *path, *format, *columns;
	char **settings;
	AtomicOptions atomic;
	LawOptions law;
	gint64 seed;
} ModelOptions;

static gboolean check_options(const ModelOptions *options, ModelJob *job, GError **error)
{
	const char *problem = NULL;

	if (law_wanted(&options->law)) {
		if (options->config || options->settings || options->addresses ||
		    options->path || options->atomic.operation || options->atomic.type ||
		    options->atomic.result)
			problem = "--law is used alone: without --config, --set, addresses and "
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

/* The closed forms are those of mechanisms, which get what a combiner leaves. */
static gboolean check_combiners(const ModelJob *job, GError **error)
{
	const CombinerParameters *own = &job->machine->combine[MEMORY_SHARED];

	for (guint c = 0; combiners[c] != NULL; c++)
		if ((*own)[c] != NULL && combiners[c]->is_on((*own)[c]) &&
		    combiner_refuses(job->operation, job->result) == COMBINE_MAY)
			return atomsim_fail(
				error, ATOMSIM_ERROR_CONFIG,
				"model: atomic.%s acts before the mechanism, and has "
				"no closed form; 'atomsim explain' shows what it costs",
				combiners[c]->name);
	return TRUE;
}

static gboolean find_mechanism(ModelJob *job, GError **error)
{
	const AtomicParameters *atomic = &job->machine->atomic;
	const uint32_t kind = atomic_kind(job->operation, job->type);

	if (!check_combiners(job, error))
		return FALSE;
	job->mechanism = mechanism_of_use(atomic, kind);
	if (job->mechanism->closed_form)
		return TRUE;
	return atomsim_fail(
		error, ATOMSIM_ERROR_CONFIG,
		"model: %s = %s has no closed form; 'atomsim explain' shows what it costs",
		mechanism_key(atomic, kind), job->mechanism->name);
}

static gboolean model(const ModelOptions *options, GError **error)
{
	const gboolean is_law = law_wanted(&options->law);
	g_autoptr(Config) config = NULL;
	g_autoptr(CsvColumns) columns = NULL;
	ModelJob job = {0};

	if (!check_options(options, &job, error) ||
	    !cli_columns(options->columns, job.format == FORMAT_CSV,
			 is_law ? LAW_COLUMNS : MODEL_COLUMNS, NULL, &columns, error))
		return FALSE;
	job.columns = columns;
	if (is_law)
		return law_print(&options->law, job.format, columns, error);
	config = config_load(options->config, (const char *const *)options->settings, error);
	if (config == NULL)
		return FALSE;
	job.machine = config_machine(config);
	if (!find_mechanism(&job, error))
		return FALSE;
	model_print_header(&job);
	return options->path ? model_file(&job, options->path, error)
			     : model_pattern(&job, options->addresses, "--addresses", error);
}

/* What the user gave. */
static ModelOptions given;

static const GOptionEntry entries[] = {
	OPTION_CONFIG(&given.config),
	OPTION_SET(&given.settings),
	{"addresses", 0, 0, G_OPTION_ARG_STRING, &given.addresses,
	 "Word address of each lane: \"0 1024 - 2\"; - is an inactive lane", "LIST"},
	{"addresses-file", 0, 0, G_OPTION_ARG_FILENAME, &given.path,
	 "Read the addresses, a pattern a line; - for standard input", "FILE"},
	OPTION_ATOMIC(&given.atomic),
	OPTION_FORMAT(&given.format,
		      "text (default), json (with a file: one object a line) or csv"),
	OPTION_COLUMNS(&given.columns),
	OPTION_SEED(&given.seed),
	LAW_ENTRIES(given.law),
	OPTION_END,
};

static CliStatus run(GError **error)
{
	return model(&given, error) ? CLI_GOOD : CLI_FAILED;
}

const Command command_model = {
	.name = "model",
	.synopsis = "[OPTION]... --config CONFIG --addresses LIST | --law LAW",
	.summary = "Compute one warp's atomic in closed form, step by step",
	.examples = "atomsim model --config fermi --addresses \"0 1024 - 2\"\n"
		    "atomsim model --law elteir --groups 1,8,32",
	.options = entries,
	.run = run,
};
