/* SPDX-License-Identifier: MIT */
/* What is derived, as a config. */
#include "validate/frame/derive.h"

#include <cjson/cJSON.h>

#include "base/json.h"
#include "config/provenance.h"

#define MAP_FILE "l2/l2-slices.csv"

static cJSON *object_of(cJSON *root, const char *name)
{
	cJSON *object = cJSON_GetObjectItemCaseSensitive(root, name);

	return object ? object : cJSON_AddObjectToObject(root, name);
}

/* The value, and where it comes from as atomsim config --explain tells it. */
static void add_value(cJSON *root, const char *key, cJSON *value, const Provenance *entry)
{
	g_auto(GStrv) names = g_strsplit(key, ".", -1);
	guint last = g_strv_length(names) - 1;

	for (guint i = 0; i < last; i++)
		root = object_of(root, names[i]);
	cJSON_AddItemToObject(root, names[last], value);
	cJSON_AddItemToObject(object_of(root, PROVENANCE), names[last],
			      provenance_entry_json(entry));
}

/* What rows lie between, and what another start of the GPU says. g_free. */
static char *spread_of(const Derivation *d)
{
	GString *text = g_string_new(NULL);

	if (d->n_rows > 1)
		g_string_append_printf(text, "%.6g to %.6g of %u rows", d->least, d->most,
				       d->n_rows);
	if (d->is_compared)
		g_string_append_printf(text, "%s%" G_GUINT64_FORMAT " on another start",
				       text->len ? ", " : "", d->compared);
	return g_string_free(text, text->len == 0);
}

static void add_derivation(cJSON *root, const Derivation *d)
{
	g_autofree char *spread = spread_of(d);
	const Provenance entry = {.kind = PROVENANCE_MEASURED,
				  .source = d->file,
				  .rows = *d->rows ? d->rows : NULL,
				  .statistic = d->statistic,
				  .spread = spread};

	add_value(root, d->key, cJSON_CreateNumber((double)d->derived), &entry);
}

char *derived_config(const Derived *derived, const char *extends, const char *name,
		     const char *map)
{
	const Provenance of_map = {.kind = PROVENANCE_MEASURED, .source = MAP_FILE};
	cJSON *root = cJSON_CreateObject();

	cJSON_AddStringToObject(root, "description",
				"Written by atomsim derive: what it has is of the folder of "
				"measurements, the rest is of what it extends.");
	cJSON_AddStringToObject(root, "extends", extends);
	cJSON_AddStringToObject(root, "name", name);
	for (guint i = 0; i < derived->values->len; i++) {
		const Derivation *d = &g_array_index(derived->values, Derivation, i);

		if (!d->why)
			add_derivation(root, d);
	}
	if (map)
		add_value(root, "l2.map", cJSON_CreateString(map), &of_map);
	return json_page(root);
}
