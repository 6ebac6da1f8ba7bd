/* SPDX-License-Identifier: MIT */
#include "cli/complete.h"

#include <stdio.h>
#include <string.h>

#include "base/installed.h"
#include "base/names.h"
#include "cli/schemas.h"
#include "config/config.h"
#include "config/keys.h"
#include "model/atomic/mechanism.h"
#include "model/shared/hash.h"
#include "report/report.h"
#include "trace/find.h"
#include "transform/what-if.h"
#include "workloads/workload.h"

static const char *word; /* to complete */

void offer_for(const char *to_complete)
{
	word = to_complete;
}

void offer(const char *before, const char *name, const char *after, const char *what)
{
	g_autofree char *whole = g_strconcat(before, name, after, NULL);

	if (g_str_has_prefix(whole, word))
		printf("%s%s%s\n", whole, what ? "\t" : "", what ? what : "");
}

/* --- Values --- */

static void offer_installed(GPtrArray *names, const char *suffix)
{
	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];
		const gsize more = g_str_has_suffix(name, suffix) ? strlen(suffix) : 0;
		g_autofree char *bare = g_strndup(name, strlen(name) - more);

		offer("", bare, "", NULL);
	}
	g_ptr_array_unref(names);
}

static void offer_configs(void)
{
	offer_installed(config_names(), ".json");
	offer_installed(config_matching("designs/*"), ".json");
}

void offer_traces(void)
{
	g_auto(GStrv) folders = trace_search_path();

	offer_installed(installed_names(folders, ".bin"), ".bin");
}

static void offer_hashes(const char *before)
{
	for (const HashKind *kind = hash_kinds; kind->name; kind++)
		offer(before, kind->name, "", kind->summary);
}

/* "KEY=", or where it is there already, its values. */
static void offer_settings(void)
{
	const char *equals = strchr(word, '=');
	g_autofree char *path = g_strndup(word, equals ? (gsize)(equals - word) : 0);
	g_autofree char *before = g_strconcat(path, "=", NULL);
	const Key *key = equals ? key_find(path) : NULL;

	for (guint i = 0; !equals && i < key_count(); i++)
		offer("", key_at(i)->path, "=", key_at(i)->doc);
	for (guint i = 0; key && key->names && key_name(key->names, i); i++)
		offer(before, key_name(key->names, i), "", NULL);
	if (key && key->type == KEY_HASH)
		offer_hashes(before);
}

/* Of a list with commas the last. */
static void offer_in_list(const char *names)
{
	const char *comma = strrchr(word, ',');
	g_autofree char *before = g_strndup(word, comma ? (gsize)(comma - word) + 1 : 0);
	g_auto(GStrv) each = g_strsplit(names, ",", -1);

	for (guint i = 0; each[i]; i++)
		offer(before, each[i], "", NULL);
}

static void offer_columns(void)
{
	g_autofree char *names = report_csv_columns();

	offer_in_list(names);
}

static void offer_keys(void)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (guint i = 0; i < key_count(); i++)
		g_string_append_printf(names, "%s%s", i > 0 ? "," : "", key_at(i)->path);
	offer_in_list(names->str);
}

/* With the one that is for mechanisms: names of these. */
static void offer_changes(void)
{
	for (guint i = 0; what_if_change_name(i); i++)
		offer("", what_if_change_name(i), "=", NULL);
	for (guint i = 0; mechanisms[i]; i++)
		if (g_str_has_prefix(word, "mechanism="))
			offer("mechanism=", mechanisms[i]->name, "", mechanisms[i]->summary);
}

void offer_workloads(void)
{
	for (guint i = 0; workloads[i]; i++)
		offer("", workloads[i]->name, "", workloads[i]->summary);
}

static void offer_hash_names(void)
{
	offer_hashes("");
}

static void offer_operations(void)
{
	for (guint i = 0; i < N_OPERATIONS; i++)
		offer("", operation_names[i], "", NULL);
}

static void offer_types(void)
{
	for (guint i = 0; i < N_SCALAR_TYPES; i++)
		offer("", value_type_names[i], "", NULL);
}

static void offer_schemas(void)
{
	for (guint i = 0; schemas[i]; i++)
		offer("", schemas[i]->name, "", schemas[i]->title);
}

static const struct {
	const char *option;
	void (*offer)(void);
} values[] = {
	{"config", offer_configs}, {"set", offer_settings},    {"vary", offer_settings},
	{"fit", offer_keys},	   {"what-if", offer_changes}, {"columns", offer_columns},
	{"gen", offer_workloads},  {"hash", offer_hash_names}, {"operation", offer_operations},
	{"type", offer_types},	   {"schema", offer_schemas},  {"base", offer_configs},
};

/* The words that an option's help names of these. */
void offer_named(const char *help)
{
	static const char *const words[] = {
		"text", "json",	 "csv",	   "markdown", "yes",	 "no",	 "auto", "bank",
		"lock", "both",	 "slurm",  "parallel", "ncu",	 "nsys", "c",	 "verilog",
		"load", "store", "atomic", "expected", "always", "never"};
	g_auto(GStrv) named = g_strsplit_set(help, " ,;:()", -1);

	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		if (g_strv_contains((const char *const *)named, words[i]))
			offer("", words[i], "", NULL);
}

void offer_value(const GOptionEntry *entry)
{
	for (guint i = 0; i < G_N_ELEMENTS(values); i++)
		if (strcmp(values[i].option, entry->long_name) == 0) {
			values[i].offer();
			return;
		}
	if (entry->arg == G_OPTION_ARG_STRING)
		offer_named(entry->description);
}
