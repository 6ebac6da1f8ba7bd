/* SPDX-License-Identifier: MIT */
/*
 * atomsim gen: makes a trace without a GPU. Its options are the workload's own rows, so they are only
 * taken apart here and checked there; a sweep gives the same parameters without a command line.
 */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "base/error.h"
#include "base/text.h"
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

static CliStatus print_workloads(void)
{
	g_autoptr(GString) text =
		g_string_new("Usage: atomsim gen WORKLOAD [--KEY VALUE]... -o FILE\n"
			     "Make a trace without a GPU. The same parameters and seed give "
			     "the same bytes.\n"
			     "\n"
			     "Workloads:\n");

	for (guint i = 0; workloads[i]; i++)
		g_string_append_printf(text, "  %-18s %s\n", workloads[i]->name,
				       workloads[i]->summary);
	g_string_append(text,
			"\n"
			"Options:\n"
			"  -o, --output=FILE  Write the trace to FILE\n"
			"  --force            Overwrite inputs and files of other kinds\n"
			"  -h, --help         Show this help, or that of a workload, and exit\n"
			"\n"
			"'atomsim gen WORKLOAD --help' shows the options of a workload.\n");
	cli_help_examples(text, command_gen.examples);
	fputs(text->str, stdout);
	return CLI_GOOD;
}

static void append_options(GString *text, const WorkloadOption *options)
{
	for (const WorkloadOption *option = options; option->name; option++) {
		g_autofree char *allowed = workload_option_allowed(option);

		g_string_append_printf(text, "  --%s\n        ", option->name);
		text_wrap(text, option->doc, 8, WIDTH);
		g_string_append(text, "\n        ");
		text_wrap(text, allowed, 8, WIDTH);
		if (option->default_value)
			g_string_append_printf(text, "; default %s", option->default_value);
		else if (option->required)
			g_string_append(text, "; required");
		g_string_append_c(text, '\n');
	}
}

static CliStatus print_workload(const Workload *workload)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *summary = g_strdup_printf("Make a trace: %s.", workload->summary);
	/* Line ends of a description are those of its source, but for paragraphs. */
	g_auto(GStrv) paragraphs = g_strsplit(workload->description, "\n\n", -1);

	g_string_append_printf(text, "Usage: atomsim gen %s [--KEY VALUE]... -o FILE\n",
			       workload->name);
	text_wrap(text, summary, 0, WIDTH);
	g_string_append_c(text, '\n');
	for (guint i = 0; paragraphs[i]; i++) {
		g_string_append_c(text, '\n');
		text_wrap(text, g_strdelimit(paragraphs[i], "\n", ' '), 0, WIDTH);
		g_string_append_c(text, '\n');
	}
	g_string_append(text, "\nOptions:\n");
	append_options(text, workload->options);
	append_options(text, workload_common_options);
	g_string_append(text, "  -o, --output\n"
			      "        write the trace to FILE\n"
			      "  --force\n"
			      "        overwrite inputs and files of other kinds\n"
			      "  -h, --help\n"
			      "        show this help and exit\n");
	fputs(text->str, stdout);
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
	.run = run,
};
