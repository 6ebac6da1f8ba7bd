/* SPDX-License-Identifier: MIT */
/* A config as JSON again, and what in it is assumed. */
#include "config/acts.h"
#include "base/json.h"
#include "config/layers.h"
#include "config/provenance.h"
#include "config/value.h"

#include <string.h>

/* The section named by a path's first part, made when it is not there yet. */
static cJSON *section_of(cJSON *root, const char *path, gsize length)
{
	g_autofree char *name = g_strndup(path, length);
	cJSON *section = cJSON_GetObjectItemCaseSensitive(root, name);

	return section ? section : cJSON_AddObjectToObject(root, name);
}

cJSON *config_to_cjson(const Config *config)
{
	cJSON *root = cJSON_CreateObject();

	for (guint i = 0; i < key_count(); i++) {
		const char *leaf = key_at(i)->path;
		const char *dot = NULL;
		cJSON *object = root;

		for (; (dot = strchr(leaf, '.')); leaf = dot + 1)
			object = section_of(object, leaf, (gsize)(dot - leaf));
		cJSON_AddItemToObject(object, leaf, value_get(&config->machine, key_at(i)));
	}
	return root;
}

char *config_to_json(const Config *config)
{
	return json_page(config_to_cjson(config));
}

char **config_assumptions(const Config *config, uint64_t acted)
{
	GPtrArray *lines = g_ptr_array_new();
	Provenance entry;

	for (guint i = 0; i < key_count(); i++) {
		const Key *key = key_at(i);
		g_autofree char *value = NULL;

		/* What a user sets is no more published than what was assumed there. */
		if (!config_provenance(config, i, &entry) ||
		    (entry.kind != PROVENANCE_ASSUMED &&
		     !(entry.kind == PROVENANCE_SET && key->assumption)) ||
		    !key_acts(key, &config->machine, acted))
			continue;
		value = value_text(&config->machine, key);
		g_ptr_array_add(lines, g_strdup_printf("%s = %s", key->path, value));
	}
	g_ptr_array_add(lines, NULL);
	return (char **)g_ptr_array_free(lines, FALSE);
}
