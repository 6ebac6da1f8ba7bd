/* SPDX-License-Identifier: MIT */
#include "config/config.h"

#include <string.h>

#include "base/json.h"
#include "config/keys.h"
#include "config/provenance.h"
#include "config/value.h"

#define MAX_HASH   24
#define NAME_WIDTH 44 /* of the longest key with its value, nearly */

static void append_detail(GString *text, const char *words, const char *detail)
{
	if (detail)
		g_string_append_printf(text, "; %s%s", words, detail);
}

static void append_entry(GString *text, const Config *config, const Provenance *entry)
{
	if (provenance_is_inherited(config, entry))
		g_string_append_printf(text, "inherited from %s, %s there: ", entry->on,
				       provenance_names[entry->kind]);
	else
		g_string_append_printf(text, "%s: ", provenance_names[entry->kind]);
	g_string_append(text, entry->source);
	append_detail(text, "rows ", entry->rows);
	append_detail(text, "", entry->statistic);
	append_detail(text, "spread ", entry->spread);
	append_detail(text, "error ", entry->error);
}

/* A map or the rows of a hash are too long for a line. g_free. */
static char *short_value(const Machine *machine, const Key *key)
{
	g_autofree char *text = key->type == KEY_MAP ? NULL : value_text(machine, key);

	return text == NULL || (key->type == KEY_HASH && strlen(text) > MAX_HASH)
		       ? g_strdup("...")
		       : g_steal_pointer(&text);
}

char *config_explain(const Config *config)
{
	g_auto(ProvenanceCounts) counts;
	g_autofree char *sums = NULL;
	GString *text = g_string_new(NULL);
	Provenance entry;

	provenance_count(config, &counts);
	sums = provenance_counts_text(&counts);
	g_string_append_printf(text, "%s: %s\n\n", config_machine(config)->name, sums);
	for (guint i = 0; i < key_count(); i++) {
		g_autofree char *value = NULL, *name = NULL;

		if (!config_provenance(config, i, &entry))
			continue;
		value = short_value(config_machine(config), key_at(i));
		name = g_strdup_printf("%s = %s", key_at(i)->path, value);
		g_string_append_printf(text, "%-*s %s", NAME_WIDTH, name,
				       provenance_counts_key(config, i) ? "" : "(no effect) ");
		append_entry(text, config, &entry);
		g_string_append_c(text, '\n');
	}
	return g_string_free(text, FALSE);
}

/* The section of a key, in which the values stand. */
static cJSON *section_at(cJSON *root, const char *path)
{
	g_auto(GStrv) names = g_strsplit(path, ".", -1);

	for (guint i = 0; names[i + 1]; i++)
		root = cJSON_GetObjectItemCaseSensitive(root, names[i]);
	return root;
}

char *config_explain_json(const Config *config)
{
	cJSON *root = config_to_cjson(config);
	Provenance entry;

	for (guint i = 0; i < key_count(); i++) {
		const char *path = key_at(i)->path, *dot = strrchr(path, '.');
		cJSON *section, *entries;

		if (!config_provenance(config, i, &entry))
			continue;
		section = section_at(root, path);
		entries = cJSON_GetObjectItemCaseSensitive(section, PROVENANCE);
		if (!entries)
			entries = cJSON_AddObjectToObject(section, PROVENANCE);
		cJSON_AddItemToObject(entries, dot ? dot + 1 : path,
				      provenance_entry_json(&entry));
	}
	return json_page(root);
}
