/* SPDX-License-Identifier: MIT */
/* What commands share: errors and options. */
#include "cli/cli.h"
#include "cli/help.h"
#include "cli/option.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"

static void print_safely(const char *text)
{
	g_autofree char *safe = text_printable_lines(text);

	fputs(safe, stderr);
}

void cli_print(const char *format, ...)
{
	g_autofree char *text = NULL;
	g_autofree char *safe = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	safe = text_printable_lines(text);
	fputs(safe, stdout);
}

static char **command_line;

void cli_begin(char **argv)
{
	command_line = g_strdupv(argv);
	/* Names, cells and metadata of anybody's files are in what is said. */
	g_set_printerr_handler(print_safely);
	json_end_without_memory();
	cli_handle_signals();
	cli_check_stdout_at_exit();
	overwrite_guard();
}

void cli_print_resume(const char *more)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
		"%+,-./:=@^_";
	g_autoptr(GString) text = g_string_new("atomsim: resume with:");

	for (guint i = 0; command_line[i]; i++) {
		const char *word = command_line[i];
		g_autofree char *quoted = g_shell_quote(word);
		const gboolean is_plain = *word && strspn(word, plain) == strlen(word);

		g_string_append_printf(text, " %s", is_plain ? word : quoted);
	}
	g_printerr("%s%s%s\n", text->str, more ? " " : "", more ? more : "");
}

CliStatus cli_fail(const GError *error)
{
	g_auto(GStrv) lines = g_strsplit(error->message, "\n", -1);

	for (guint i = 0; lines[i]; i++)
		if (lines[i][0])
			g_printerr("atomsim: %s\n", lines[i]);
	if (cli_interrupted())
		return CLI_INTERRUPTED;
	return g_error_matches(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE) ? CLI_USAGE
									  : CLI_FAILED;
}

/* --- Options --- */

static gboolean help_wanted, force_wanted;
static char *color_wanted;

gboolean cli_has_output(const Command *command)
{
	const GOptionEntry *entry = command->options;

	for (; entry && entry->long_name; entry++)
		if (strcmp(entry->long_name, "output") == 0 ||
		    strcmp(entry->long_name, "plot") == 0)
			return TRUE;
	return FALSE;
}

static const GOptionEntry help_entry[] = {
	{"help", 'h', 0, G_OPTION_ARG_NONE, &help_wanted, "Show this help and exit", NULL},
	OPTION_END,
};
static const GOptionEntry force_entry[] = {
	{"force", 0, 0, G_OPTION_ARG_NONE, &force_wanted,
	 "Overwrite inputs and files of other kinds", NULL},
	OPTION_END,
};

static const GOptionEntry color_entry[] = {
	{"color", 0, 0, G_OPTION_ARG_STRING, &color_wanted,
	 "Color the text: auto (default: on a terminal, without NO_COLOR), always or never",
	 "WHEN"},
	OPTION_END,
};

static GOptionContext *new_context(const Command *command)
{
	GOptionContext *context = g_option_context_new(NULL);

	if (command->options)
		g_option_context_add_main_entries(context, command->options, NULL);
	if (cli_has_output(command))
		g_option_context_add_main_entries(context, force_entry, NULL);
	if (command->has_colors)
		g_option_context_add_main_entries(context, color_entry, NULL);
	/* Our own --help (help.c): GLib's has neither groups nor an end of lines. */
	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_add_main_entries(context, help_entry, NULL);
	return context;
}

const char *cli_word(const Command *command)
{
	return strrchr(command->name, ' ') + 1;
}

void cli_print_help(const Command *command, const char *list)
{
	g_autoptr(GString) words = g_string_new(command->commands ? "Commands:\n" : "");
	const GOptionEntry *tables[5] = {NULL};
	guint n = 0;

	for (guint i = 0; command->commands && command->commands[i]; i++)
		help_row(words, 12, cli_word(command->commands[i]),
			 command->commands[i]->summary);
	if (command->options)
		tables[n++] = command->options;
	if (cli_has_output(command))
		tables[n++] = force_entry;
	if (command->has_colors)
		tables[n++] = color_entry;
	tables[n] = help_entry;
	help_print(command, list ? list : words->str, tables);
}

/* The command's option that `word` is, with one value that the next word has or `word` itself after
   '='; NULL if it is none. */
static const GOptionEntry *find_single(const GOptionEntry *entry, const char *word,
				       gboolean *next)
{
	for (; entry && entry->long_name; entry++) {
		const char *rest = g_str_has_prefix(word, "--") ? word + 2 : "";
		gsize length = strlen(entry->long_name);

		if (entry->arg == G_OPTION_ARG_NONE || *entry->long_name == '\0')
			continue;
		if (entry->short_name && word[0] == '-' && word[1] == entry->short_name) {
			*next = word[2] == '\0';
			return entry;
		}
		if (strncmp(rest, entry->long_name, length) == 0 &&
		    (rest[length] == '\0' || rest[length] == '=')) {
			*next = rest[length] == '\0';
			return entry;
		}
	}
	return NULL;
}

/* Whether --format is text, its default. */
static gboolean writes_text(const GOptionEntry *entry)
{
	for (; entry && entry->long_name; entry++)
		if (strcmp(entry->long_name, "format") == 0) {
			const char *format = *(char **)entry->arg_data;

			return format == NULL || strcmp(format, "text") == 0;
		}
	return FALSE;
}

static gboolean is_list(const GOptionEntry *entry)
{
	return entry->arg == G_OPTION_ARG_STRING_ARRAY ||
	       entry->arg == G_OPTION_ARG_FILENAME_ARRAY;
}

/* GLib takes the last of an option's values and drops the others in silence. */
static gboolean check_repeated(const GOptionEntry *options, int argc, char **argv,
			       GError **error)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		gboolean next = FALSE;
		const GOptionEntry *entry = find_single(options, argv[i], &next);

		i += next;
		if (!entry || is_list(entry) || g_hash_table_add(seen, (gpointer)entry))
			continue;
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--%s is given twice; allowed: once", entry->long_name);
	}
	return TRUE;
}

/* The name after "Unknown option --" may be one of ours, mistyped. g_free. */
static char *similar_option(const GOptionEntry *entry, const GError *error)
{
	const char *name = strstr(error->message, "--");
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const char *similar = NULL;

	if (!g_error_matches(error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION) || !name)
		return g_strdup("");
	for (; entry && entry->long_name; entry++)
		if (*entry->long_name)
			g_ptr_array_add(names, (gpointer)entry->long_name);
	g_ptr_array_add(names, NULL);
	similar = atomsim_suggest(name + strlen("--"), (const char *const *)names->pdata);
	return similar ? g_strdup_printf("; did you mean --%s?", similar) : g_strdup("");
}

/* Texts among the values of the options: freed, and as before the command line was read. */
static void forget(const GOptionEntry *entry)
{
	for (; entry && entry->long_name; entry++)
		if (is_list(entry))
			g_clear_pointer((char ***)entry->arg_data, g_strfreev);
		else if (entry->arg == G_OPTION_ARG_STRING ||
			 entry->arg == G_OPTION_ARG_FILENAME)
			g_clear_pointer((char **)entry->arg_data, g_free);
}

static gboolean parse(const Command *command, int *argc, char ***argv, GError **error)
{
	g_autoptr(GOptionContext) context = new_context(command);

	if (!check_repeated(command->options, *argc, *argv, error) ||
	    !g_option_context_parse(context, argc, argv, error) ||
	    (command->has_colors &&
	     !cli_color_begin(color_wanted, writes_text(command->options), error)))
		return FALSE;
	if (force_wanted)
		overwrite_force();
	return help_wanted || *argc < 2 ||
	       atomsim_fail(error, ATOMSIM_ERROR_USAGE, "unexpected argument '%s'", (*argv)[1]);
}

CliStatus cli_run_options(const Command *command, int argc, char **argv)
{
	g_autofree char *program = g_strconcat("atomsim ", command->name, NULL);
	g_autoptr(GError) error = NULL;
	CliStatus status = CLI_GOOD;

	g_set_prgname(program);
	if (!parse(command, &argc, &argv, &error)) {
		g_autofree char *similar = similar_option(command->options, error);

		g_printerr("atomsim: %s%s\nTry '%s --help'\n", error->message, similar,
			   program);
		status = CLI_USAGE;
	} else if (help_wanted) {
		cli_print_help(command, NULL);
	} else {
		status = command->run(&error);
		if (error)
			status = cli_fail(error);
	}
	forget(command->options);
	return status;
}

CliStatus cli_run(const Command *command, int argc, char **argv)
{
	return command->run_words ? command->run_words(argc, argv)
				  : cli_run_options(command, argc, argv);
}
