/* SPDX-License-Identifier: MIT */
/* atomsim list: the tables of what can be named in a config or on the command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "cli/option.h"
#include "cli/list.h"
#include "base/error.h"
#include "base/installed.h"
#include "base/json.h"
#include "config/config.h"
#include "model/hash.h"
#include "model/mechanism.h"
#include "model/winner.h"
#include "model/scheduler.h"
#include "report/fields.h"
#include "trace/importer.h"
#include "trace/reader.h"
#include "workloads/workload.h"

static void add_row(cJSON *table, const char *name, const char *summary)
{
	cJSON *row = cJSON_CreateObject();

	cJSON_AddStringToObject(row, "name", name);
	if (summary)
		cJSON_AddStringToObject(row, "summary", summary);
	cJSON_AddItemToArray(table, row);
}

static void list_hashes(cJSON *table)
{
	for (const HashKind *kind = hash_kinds; kind->name; kind++) {
		add_row(table, kind->name, kind->summary);
		cJSON *row = cJSON_GetArrayItem(table, cJSON_GetArraySize(table) - 1);
		cJSON_AddStringToObject(row, "sizes", kind->any_size ? "any" : "powers of two");
		cJSON_AddStringToObject(row, "source", kind->source);
	}
}

static void list_schedulers(cJSON *table)
{
	for (guint i = 0; schedulers[i]; i++)
		add_row(table, schedulers[i]->name, schedulers[i]->summary);
}

static void list_mechanisms(cJSON *table)
{
	for (guint i = 0; mechanisms[i]; i++)
		add_row(table, mechanisms[i]->name, mechanisms[i]->summary);
}

static void list_global_mechanisms(cJSON *table)
{
	for (guint i = 0; global_mechanisms[i]; i++)
		add_row(table, global_mechanisms[i]->name, global_mechanisms[i]->summary);
}

static void list_winners(cJSON *table)
{
	for (guint i = 0; i < N_WINNER_RULES; i++)
		add_row(table, winner_names[i], NULL);
}

static void list_workloads(cJSON *table)
{
	for (guint i = 0; workloads[i]; i++)
		add_row(table, workloads[i]->name, workloads[i]->summary);
}

static void list_importers(cJSON *table)
{
	for (guint i = 0; importers[i]; i++)
		add_row(table, importers[i]->name, importers[i]->summary);
}

/* A config's own words about itself; NULL: it has none, or does not load. g_free. */
static char *describe_config(const char *name)
{
	g_autoptr(Config) config = config_load(name, NULL, NULL);

	return config != NULL ? g_strdup(config_machine(config)->name) : NULL;
}

static char *describe_trace(const char *name)
{
	g_autoptr(TraceReader) reader = trace_open(name, NULL);
	cJSON *metadata = reader ? json_parse(trace_metadata(reader)) : NULL;
	const char *kernel =
		cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(metadata, "kernel"));
	const char *gpu =
		cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(metadata, "gpu"));
	char *text = NULL;

	if (kernel != NULL)
		text = g_strdup_printf("%s%s%s, %" G_GUINT64_FORMAT " blocks", kernel,
				       gpu ? " on " : "", gpu ? gpu : "",
				       trace_source(reader)->n_blocks);
	cJSON_Delete(metadata);
	return text;
}

static void list_files(cJSON *table, char **folders, const char *suffix,
		       char *(*describe)(const char *name))
{
	g_autoptr(GPtrArray) names = installed_names(folders, suffix);

	for (guint i = 0; i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);
		g_autofree char *path = installed_find(folders, name, "");
		g_autofree char *summary = describe(path);

		add_row(table, name, summary);
	}
	g_strfreev(folders);
}

static void list_configs(cJSON *table)
{
	list_files(table, config_search_path(), ".json", describe_config);
}

static void list_traces(cJSON *table)
{
	list_files(table, trace_search_path(), ".bin", describe_trace);
}

static void list_statistics(cJSON *table)
{
	for (guint i = 0; i < n_report_fields; i++) {
		const Field *field = &report_fields[i];
		g_autofree char *type = report_field_type(field);
		cJSON *row = cJSON_CreateObject();

		cJSON_AddStringToObject(row, "name", field->path);
		cJSON_AddStringToObject(row, "is", type);
		cJSON_AddStringToObject(row, "unit", field->unit ? field->unit : "");
		cJSON_AddStringToObject(row, "summary", field->doc);
		cJSON_AddStringToObject(row, "law", field->law ? field->law : "");
		cJSON_AddItemToArray(table, row);
	}
}

static void list_commands(cJSON *table)
{
	for (guint i = 0; commands[i]; i++)
		add_row(table, commands[i]->name, commands[i]->summary);
}

static const struct {
	const char *name;
	const char *heading;
	void (*list)(cJSON *table);
} tables[] = {
	{"hashes", "Hashes (shared.bank_hash, atomic.lock_hash)", list_hashes},
	{"schedulers", "Schedulers (sm.scheduler)", list_schedulers},
	{"mechanisms", "Mechanisms of shared-memory atomics (atomic.mechanism)",
	 list_mechanisms},
	{"global-mechanisms", "Mechanisms of global-memory atomics (global.atomic.mechanism)",
	 list_global_mechanisms},
	{"winners", "Rules for who wins a free lock (atomic.lock_bits.winner)", list_winners},
	{"workloads", "Workloads (atomsim gen)", list_workloads},
	{"importers", "Importers (atomsim trace import)", list_importers},
	{"configs", "Configs, found by name (--config)", list_configs},
	{"traces", "Traces, found by name", list_traces},
	{"statistics", "Statistics (atomsim run --format json)", list_statistics},
	{"commands", "Commands", list_commands},
};

static gboolean check_names(char **names, GError **error)
{
	const char *known[G_N_ELEMENTS(tables) + 1] = {NULL};

	for (guint i = 0; i < G_N_ELEMENTS(tables); i++)
		known[i] = tables[i].name;
	for (guint i = 0; names && names[i]; i++) {
		if (g_strv_contains(known, names[i]))
			continue;
		const char *similar = atomsim_suggest(names[i], known);
		g_autofree char *all = g_strjoinv(", ", (char **)known);
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "list: no table '%s'%s%s%s; allowed: %s", names[i],
			    similar ? " (did you mean '" : "", similar ? similar : "",
			    similar ? "'?)" : "", all);
		return FALSE;
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

static void print_table(guint i, const cJSON *table, GString *text)
{
	const int width = longest_name(table);
	const cJSON *row = NULL;

	g_string_append_printf(text, "%s%s\n", text->len ? "\n" : "", tables[i].heading);
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

static void question_clear(HashQuestion *question)
{
	g_free(question->hash);
	g_free(question->target);
	g_free(question->format);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HashQuestion, question_clear)

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
		g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE, problem);
	return !problem;
}

static const char *const formats[] = {"text", "json", "markdown"};

static CliStatus run(int argc, char **argv)
{
	g_autofree char *format = NULL;
	g_auto(GStrv) names = NULL;
	g_auto(HashQuestion) question = {0};
	const GOptionEntry entries[] = {
		OPTION_FORMAT(&format, "text (default), json or markdown"),
		{"hash", 0, 0, G_OPTION_ARG_STRING, &question.hash,
		 "Tell about one hash: its equations, its cost, whether words and (entry, row) "
		 "are a bijection. A name, {\"matrix\": [row, ...]}, or a file of such JSON",
		 "NAME"},
		{"for", 0, 0, G_OPTION_ARG_STRING, &question.target,
		 "What the hash chooses: lock (default) or bank", "TARGET"},
		{"size", 0, 0, G_OPTION_ARG_INT64, &question.size,
		 "Locks or banks (default: a matrix's own, else 1024 or 32)", "N"},
		{"inputs", 0, 0, G_OPTION_ARG_INT64, &question.inputs,
		 "Bits of a word's index (default 14: 48 KB)", "N"},
		{"export", 0, 0, G_OPTION_ARG_STRING, &question.format,
		 "Write the hash as c, verilog or json", "LANGUAGE"},
		{G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &names, NULL, NULL},
		OPTION_END,
	};
	g_autoptr(GOptionContext) context = cli_options(&command_list, entries);
	g_autoptr(GError) error = NULL;
	g_autoptr(GString) text = g_string_new(NULL);
	CliStatus status;

	if (!cli_parse(context, &argc, &argv, &status))
		return status;
	gboolean json = g_strcmp0(format, "json") == 0;
	gboolean markdown = g_strcmp0(format, "markdown") == 0;
	if (!cli_choice("format", format, formats, G_N_ELEMENTS(formats), NULL, &error) ||
	    !check_names(names, &error) || !check_question(&question, names, format, &error))
		return cli_fail(error);
	question.json = json;
	if (question.hash)
		return list_hash(&question, &error) ? CLI_GOOD : cli_fail(error);

	cJSON *root = cJSON_CreateObject();
	for (guint i = 0; i < G_N_ELEMENTS(tables); i++) {
		if (names && !g_strv_contains((const char *const *)names, tables[i].name))
			continue;
		cJSON *table = cJSON_AddArrayToObject(root, tables[i].name);
		tables[i].list(table);
		if (markdown)
			print_markdown(table, text);
		else
			print_table(i, table, text);
	}
	if (json) {
		char *printed = cJSON_Print(root);
		printf("%s\n", printed);
		free(printed);
	} else {
		fputs(text->str, stdout);
	}
	cJSON_Delete(root);
	return CLI_GOOD;
}

const Command command_list = {
	.name = "list",
	.synopsis = "[OPTION]... [TABLE]...",
	.summary = "Print the tables of hashes, schedulers, mechanisms, workloads, statistics "
		   "and commands",
	.run = run,
};
