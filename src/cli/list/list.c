/* SPDX-License-Identifier: MIT */
/* atomsim list: the tables of what can be named in a config or on the command line. */
#include "cli/list/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/option.h"
#include "cli/schemas.h"
#include "base/error.h"

/* NULL-terminated; g_free the array. */
static const char **table_names(void)
{
	GPtrArray *names = g_ptr_array_new();

	for (const ListTable *table = list_tables; table->name; table++)
		g_ptr_array_add(names, (char *)table->name);
	g_ptr_array_add(names, NULL);
	return (const char **)g_ptr_array_free(names, FALSE);
}

static gboolean check_names(char **names, GError **error)
{
	g_autofree const char **known = table_names();

	for (guint i = 0; names && names[i]; i++) {
		if (g_strv_contains(known, names[i]))
			continue;
		const char *similar = atomsim_suggest(names[i], known);
		g_autofree char *all = g_strjoinv(", ", (char **)known);
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "list: no table '%s'%s%s%s; allowed: %s", names[i],
				    similar ? " (did you mean '" : "", similar ? similar : "",
				    similar ? "'?)" : "", all);
	}
	return TRUE;
}

static int longest_name(const cJSON *table)
{
	const cJSON *row = NULL;
	size_t width = 12;

	cJSON_ArrayForEach(row, table) width =
		MAX(width, strlen(cJSON_GetStringValue(cJSON_GetObjectItem(row, "name"))));
	return (int)width;
}

static void print_table(const char *heading, const cJSON *table, GString *text)
{
	const int width = longest_name(table);
	const cJSON *row = NULL;

	g_string_append_printf(text, "%s%s\n", text->len ? "\n" : "", heading);
	cJSON_ArrayForEach(row, table)
	{
		const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(row, "name"));
		const char *summary = cJSON_GetStringValue(cJSON_GetObjectItem(row, "summary"));
		if (summary)
			g_string_append_printf(text, "  %-*s %s\n", width, name, summary);
		else
			g_string_append_printf(text, "  %s\n", name);
	}
}

/* For a page of the manual: every column, as the first row has them. */
static void print_markdown(const cJSON *table, GString *text)
{
	const cJSON *row = NULL, *cell = NULL;

	if (text->len)
		g_string_append_c(text, '\n');
	cJSON_ArrayForEach(cell, table->child)
		g_string_append_printf(text, "| %s ", cell->string);
	g_string_append(text, "|\n");
	cJSON_ArrayForEach(cell, table->child) g_string_append(text, "| --- ");
	g_string_append(text, "|\n");
	cJSON_ArrayForEach(row, table)
	{
		cJSON_ArrayForEach(cell, row)
			g_string_append_printf(text, "| %s ", cell->valuestring);
		g_string_append(text, "|\n");
	}
}

/* Options that mean nothing without --hash, and tables that mean nothing with it. */
static gboolean check_question(const HashQuestion *question, char **names, const char *format,
			       GError **error)
{
	gboolean more =
		question->target || question->format || question->size || question->inputs;
	const char *problem = NULL;

	if (!question->hash && more)
		problem = "list: --for, --size, --inputs and --export need --hash";
	else if (question->hash && names)
		problem = "list: --hash or tables, not both";
	else if (question->format && format)
		problem = "list: --export or --format, not both";
	if (problem)
		atomsim_fail(error, ATOMSIM_ERROR_USAGE, "%s", problem);
	return !problem;
}

static const char *const formats[] = {"text", "json", "markdown"};

/* What the user gave. */
static struct {
	char *format, *schema;
	char **names;
	HashQuestion question;
} given;

static const GOptionEntry entries[] = {
	OPTION_FORMAT(&given.format, "text (default), json or markdown"),
	{"hash", 0, 0, G_OPTION_ARG_STRING, &given.question.hash,
	 "Describe one hash: equations, cost, whether it is a bijection. A name, "
	 "{\"matrix\": [row, ...]}, or a file of such JSON",
	 "NAME"},
	{"for", 0, 0, G_OPTION_ARG_STRING, &given.question.target,
	 "What the hash chooses: lock (default) or bank", "TARGET"},
	{"size", 0, 0, G_OPTION_ARG_INT64, &given.question.size,
	 "Locks or banks (default: a matrix's own, else 1024 or 32)", "N"},
	{"inputs", 0, 0, G_OPTION_ARG_INT64, &given.question.inputs,
	 "Bits of a word's index (default 14: 48 KB)", "N"},
	{"export", 0, 0, G_OPTION_ARG_STRING, &given.question.format,
	 "Write the hash as c, verilog or json", "LANGUAGE"},
	{"schema", 0, 0, G_OPTION_ARG_STRING, &given.schema,
	 "Print the JSON Schema of what a command prints, a row of the table 'schemas'",
	 "NAME"},
	{G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &given.names, NULL, NULL},
	OPTION_END,
};

static CliStatus run(GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	gboolean json = g_strcmp0(given.format, "json") == 0;
	gboolean markdown = g_strcmp0(given.format, "markdown") == 0;

	if (!cli_choice("format", given.format, formats, G_N_ELEMENTS(formats), NULL, error) ||
	    !check_names(given.names, error) ||
	    !check_question(&given.question, given.names, given.format, error))
		return CLI_FAILED;
	given.question.json = json;
	if (given.schema)
		return list_schema(given.schema, error) ? CLI_GOOD : CLI_FAILED;
	if (given.question.hash)
		return list_hash(&given.question, error) ? CLI_GOOD : CLI_FAILED;

	g_autoptr(cJSON) root = shape_object(&list_shape);
	for (const ListTable *known = list_tables; known->name; known++) {
		if (given.names &&
		    !g_strv_contains((const char *const *)given.names, known->name))
			continue;
		cJSON *table = cJSON_AddArrayToObject(root, known->name);
		known->list(table);
		if (markdown)
			print_markdown(table, text);
		else
			print_table(known->heading, table, text);
	}
	if (json) {
		char *printed = cJSON_Print(root);
		printf("%s\n", printed);
		free(printed);
	} else {
		fputs(text->str, stdout);
	}
	return CLI_GOOD;
}

const Command command_list = {
	.name = "list",
	.synopsis = "[OPTION]... [TABLE]...",
	.summary = "List hashes, schedulers, mechanisms, configs, traces, workloads",
	.examples = "atomsim list configs traces\n"
		    "atomsim list --hash ipoly --size 1024 --export verilog",
	.options = entries,
	.run = run,
};
