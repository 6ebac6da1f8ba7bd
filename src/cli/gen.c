/* SPDX-License-Identifier: MIT */
/*
 * atomsim gen: makes a trace without a GPU. Its options are the workload's own rows, so they are only
 * taken apart here and checked there; a sweep gives the same parameters without a command line.
 */
#include <string.h>

#include "cli/cli.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/help.h"
#include "cli/option.h"
#include "workloads/workload.h"

#define WIDTH 80 /* columns of help */

typedef struct {
	const char *workload;
	const char *output;
	GPtrArray *settings; /* "key=value"; NULL-terminated */
	gboolean help;
} Arguments;

/* Whether an argument is an option, and no value: "- 5" is a list of words, -1 a number. */
static gboolean is_option(const char *argument)
{
	return g_str_has_prefix(argument, "--") || g_str_has_prefix(argument, "-o") ||
	       strcmp(argument, "-h") == 0;
}

/* Takes the option at argv[*i]: --key=value, --key value, -o FILE, -oFILE. Every option but --help and
   --force has a value, so that none is needed to know where the workload's name is. */
static gboolean take_option(Arguments *arguments, int argc, char **argv, int *i, GError **error)
{
	const char *option = argv[*i];
	gboolean is_long = option[1] == '-';
	const char *name = option + (is_long ? 2 : 1);
	const char *equals = strchr(name, '=');
	const char *value = NULL;
	g_autofree char *key = NULL;

	if (strcmp(option, "--force") == 0) {
		overwrite_force();
		return TRUE;
	}
	if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0) {
		arguments->help = TRUE;
		return TRUE;
	}
	if (!is_long && name[0] != 'o')
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "unknown option '%s'", option);

	if (is_long && equals) {
		key = g_strndup(name, (gsize)(equals - name));
		value = equals + 1;
	} else {
		key = is_long ? g_strdup(name) : g_strdup("output");
		value = !is_long && name[1] ? name + 1 : NULL;
		if (!value && *i + 1 < argc && !is_option(argv[*i + 1]))
			value = argv[++*i];
	}
	if (!value)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "option '%s' needs a value",
				    option);

	if (strcmp(key, "output") == 0)
		arguments->output = value;
	else
		g_ptr_array_add(arguments->settings, g_strconcat(key, "=", value, NULL));
	return TRUE;
}

static gboolean take_arguments(Arguments *arguments, int argc, char **argv, GError **error)
{
	gboolean options = TRUE;

	for (int i = 1; i < argc; i++) {
		if (options && strcmp(argv[i], "--") == 0) {
			options = FALSE;
		} else if (options && argv[i][0] == '-' && argv[i][1]) {
			if (!take_option(arguments, argc, argv, &i, error))
				return FALSE;
		} else if (!arguments->workload) {
			arguments->workload = argv[i];
		} else {
			return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
					    "'%s' found after workload '%s'; allowed: options",
					    argv[i], arguments->workload);
		}
	}
	g_ptr_array_add(arguments->settings, NULL);
	return TRUE;
}

/* Of help alone. */
static const GOptionEntry entries[] = {
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, NULL, "Write the trace to FILE", "FILE"},
	OPTION_END,
};

static CliStatus print_workloads(void)
{
	g_autoptr(GString) list = g_string_new("Workloads:\n");

	for (guint i = 0; workloads[i]; i++)
		help_row(list, 18, workloads[i]->name, workloads[i]->summary);
	cli_print_help(&command_gen, list->str);
	return CLI_GOOD;
}

/* What a workload's options are called in help, by their types. */
static const char *const value_names[] = {
	[WORKLOAD_INTEGER] = "N", [WORKLOAD_HUNDREDTHS] = "NUMBER", [WORKLOAD_CHOICE] = "WORD",
	[WORKLOAD_TEXT] = "TEXT", [WORKLOAD_FILE] = "FILE",
};

/* "Bins of the histogram (1 to 65536 bins; default 256)". g_free. */
static char *describe(const WorkloadOption *option)
{
	g_autofree char *allowed = workload_option_allowed(option);
	g_auto(GStrv) words =
		g_strsplit(allowed, option->type == WORKLOAD_CHOICE ? "|" : "\n", -1);
	g_autofree char *list = g_strjoinv(", ", words);

	return g_strdup_printf("%c%s (%s%s%s)", g_ascii_toupper(option->doc[0]),
			       option->doc + 1, list,
			       option->default_value ? "; default "
			       : option->required    ? "; required"
						     : "",
			       option->default_value ? option->default_value : "");
}

/* Rows of a help text; what they name is `texts`'. */
static void add_entries(GArray *rows, GPtrArray *texts, const WorkloadOption *options)
{
	for (const WorkloadOption *option = options; option->name; option++) {
		char *description = describe(option);
		const GOptionEntry entry = {option->name,
					    0,
					    0,
					    G_OPTION_ARG_STRING,
					    NULL,
					    description,
					    value_names[option->type]};

		g_ptr_array_add(texts, description);
		g_array_append_val(rows, entry);
	}
}

static CliStatus print_workload(const Workload *workload)
{
	g_autoptr(GArray) rows = g_array_new(TRUE, TRUE, sizeof(GOptionEntry));
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GString) about = g_string_new(NULL);
	g_autofree char *name = g_strconcat("gen ", workload->name, NULL);
	g_autofree char *summary = g_strdup_printf("Make a trace: %s", workload->summary);
	g_auto(GStrv) paragraphs = g_strsplit(workload->description, "\n\n", -1);
	Command command = {
		.name = name, .synopsis = "[--KEY VALUE]... -o FILE", .summary = summary};

	for (guint i = 0; paragraphs[i]; i++) {
		g_string_append(about, i ? "\n" : "");
		text_wrap(about, paragraphs[i], 0, WIDTH);
		g_string_append_c(about, '\n');
	}
	add_entries(rows, texts, workload->options);
	add_entries(rows, texts, workload_common_options);
	g_array_append_val(rows, entries[0]);
	command.options = (const GOptionEntry *)(void *)rows->data;
	cli_print_help(&command, about->str);
	return CLI_GOOD;
}

static gboolean generate(const Workload *workload, const Arguments *arguments, GError **error)
{
	const char *const *settings = (const char *const *)arguments->settings->pdata;

	if (!arguments->output)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "no output given; allowed: -o FILE");
	if (strcmp(arguments->output, "-") == 0)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--output: '-' found; allowed: a file, "
				    "which takes its name when it is complete");

	g_autoptr(TraceWriter) writer = trace_writer_new(arguments->output, error);
	if (!writer)
		return FALSE;
	g_autofree char *metadata = workload_generate(workload, settings, writer, error);
	if (!metadata)
		return FALSE;
	return trace_writer_finish(g_steal_pointer(&writer), metadata, error);
}

static CliStatus fail(const GError *error, const char *workload)
{
	CliStatus status = cli_fail(error);

	if (status == CLI_USAGE)
		g_printerr("Try 'atomsim gen%s%s --help'\n", workload ? " " : "",
			   workload ? workload : "");
	return status;
}

static CliStatus run(int argc, char **argv)
{
	g_autoptr(GPtrArray) settings = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GError) error = NULL;
	Arguments arguments = {.settings = settings};

	if (!take_arguments(&arguments, argc, argv, &error))
		return fail(error, NULL);
	if (!arguments.workload) {
		if (arguments.help)
			return print_workloads();
		atomsim_fail(&error, ATOMSIM_ERROR_USAGE, "no workload given");
		return fail(error, NULL);
	}

	const Workload *workload = workload_find(arguments.workload, &error);
	if (!workload)
		return fail(error, NULL);
	if (arguments.help)
		return print_workload(workload);
	if (!generate(workload, &arguments, &error))
		return fail(error, workload->name);
	return CLI_GOOD;
}

const Command command_gen = {
	.name = "gen",
	.synopsis = "WORKLOAD [--KEY VALUE]... -o FILE",
	.summary = "Make a trace without a GPU",
	.examples = "atomsim gen transpose --padding 1 -o padded.bin\n"
		    "atomsim gen pattern --file indices.npy -o indices.bin",
	.options = entries,
	.run_words = run,
	.notes = "'atomsim gen WORKLOAD --help' shows the options of a workload.\n"
		 "The same parameters and seed give the same bytes.\n",
};
