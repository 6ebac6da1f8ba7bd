/* SPDX-License-Identifier: MIT */

#include <string.h>

#include "config/config.h"
#include "config/keys.h"
#include "config/provenance.h"

static cJSON *typed(const char *type)
{
	cJSON *schema = cJSON_CreateObject();

	cJSON_AddStringToObject(schema, "type", type);
	return schema;
}

static cJSON *add_property(cJSON *properties, const char *name, cJSON *schema, const char *doc)
{
	cJSON_AddStringToObject(schema, "description", doc);
	cJSON_AddItemToObject(properties, name, schema);
	return schema;
}

static cJSON *whole_number(guint64 min, guint64 max)
{
	cJSON *schema = typed("integer");

	cJSON_AddNumberToObject(schema, "minimum", (double)min);
	cJSON_AddNumberToObject(schema, "maximum", (double)max);
	return schema;
}

static cJSON *names_of(const KeyNames *names)
{
	cJSON *schema = typed("string");
	cJSON *list = cJSON_AddArrayToObject(schema, "enum");

	for (guint i = 0; key_name(names, i); i++)
		cJSON_AddItemToArray(list, cJSON_CreateString(key_name(names, i)));
	return schema;
}

/* {"name": [number, ...]}; a number may be a text such as "0x1f". */
static cJSON *hash_list(const char *name, guint64 min, guint64 max, guint max_items)
{
	cJSON *schema = typed("object");
	cJSON *properties = cJSON_AddObjectToObject(schema, "properties");
	cJSON *list = typed("array"), *item = cJSON_CreateObject(), *any = NULL, *hex = NULL;
	cJSON *required = cJSON_AddArrayToObject(schema, "required");

	any = cJSON_AddArrayToObject(item, "anyOf");
	cJSON_AddItemToArray(any, whole_number(min, max));
	hex = typed("string");
	cJSON_AddStringToObject(hex, "pattern", "^0x[0-9A-Fa-f]+$");
	cJSON_AddItemToArray(any, hex);
	cJSON_AddItemToObject(list, "items", item);
	cJSON_AddNumberToObject(list, "minItems", 1);
	cJSON_AddNumberToObject(list, "maxItems", max_items);
	cJSON_AddItemToObject(properties, name, list);
	cJSON_AddItemToArray(required, cJSON_CreateString(name));
	cJSON_AddFalseToObject(schema, "additionalProperties");
	return schema;
}

static cJSON *hash_schema(void)
{
	cJSON *schema = cJSON_CreateObject();
	cJSON *any = cJSON_AddArrayToObject(schema, "anyOf");
	cJSON *names = typed("string");
	cJSON *list = cJSON_AddArrayToObject(names, "enum");

	for (const HashKind *kind = hash_kinds; kind->name; kind++)
		cJSON_AddItemToArray(list, cJSON_CreateString(kind->name));
	cJSON_AddItemToArray(any, names);
	cJSON_AddItemToArray(any, hash_list("xor", 1, 31, HASH_MAX_SHIFTS));
	cJSON_AddItemToArray(any, hash_list("matrix", 0, UINT32_MAX, HASH_MAX_BITS));
	return schema;
}

/* Its members: docs/reference/configs.md. */
static cJSON *map_schema(void)
{
	cJSON *schema = cJSON_CreateObject();
	cJSON *any = cJSON_AddArrayToObject(schema, "anyOf");

	cJSON_AddItemToArray(any, typed("string"));
	cJSON_AddItemToArray(any, typed("object"));
	return schema;
}

static cJSON *key_schema(const Key *key)
{
	cJSON *schema = NULL;

	switch (key->type) {
	case KEY_UINT32:
	case KEY_UINT64:
		schema = whole_number(key->min, key->max);
		if (key->multiple)
			cJSON_AddNumberToObject(schema, "multipleOf", (double)key->multiple);
		cJSON_AddNumberToObject(schema, "default",
					g_ascii_strtod(key->default_value, NULL));
		return schema;
	case KEY_TEXT:
		schema = typed("string");
		cJSON_AddNumberToObject(schema, "minLength", 1);
		break;
	case KEY_CHOICE:
	case KEY_PLUGIN:
		schema = names_of(key->names);
		break;
	case KEY_HASH:
		schema = hash_schema();
		break;
	case KEY_MAP:
		schema = map_schema();
		break;
	}
	cJSON_AddStringToObject(schema, "default", key->default_value);
	return schema;
}

static cJSON *entry_schema(void)
{
	cJSON *schema = typed("object"), *list, *kinds;

	cJSON_AddItemToObject(schema, "additionalProperties", typed("string"));
	kinds = cJSON_AddArrayToObject(schema, "oneOf");
	for (guint i = 0; i < N_PROVENANCES; i++) {
		cJSON *kind = cJSON_CreateObject();

		list = cJSON_AddArrayToObject(kind, "required");
		cJSON_AddItemToArray(list, cJSON_CreateString(provenance_names[i]));
		cJSON_AddItemToArray(kinds, kind);
	}
	return schema;
}

static cJSON *add_closed_object(cJSON *properties, const char *name, const char *doc)
{
	cJSON *schema = add_property(properties, name, typed("object"), doc);
	cJSON *inner = NULL;

	cJSON_AddFalseToObject(schema, "additionalProperties");
	inner = cJSON_AddObjectToObject(schema, "properties");
	add_property(inner, "description", typed("string"), "A remark");
	cJSON_AddItemToObject(add_property(inner, PROVENANCE, typed("object"),
					   "Where values of this section come from: a key, or "
					   "a pattern of keys with *, and its entry"),
			      "additionalProperties", entry_schema());
	return inner;
}

/* The properties of the object that holds the key, made when they are not there yet. */
static cJSON *properties_of(cJSON *properties, const Key *key)
{
	g_autofree char *section = key_section(key);

	for (const char *name = section; *name;
	     name += strcspn(name, "."), name += *name == '.') {
		g_autofree char *path =
			g_strndup(section, (gsize)(name - section) + strcspn(name, "."));
		const char *leaf = path + (name - section);
		cJSON *schema = cJSON_GetObjectItemCaseSensitive(properties, leaf);

		properties = schema ? cJSON_GetObjectItemCaseSensitive(schema, "properties")
				    : add_closed_object(properties, leaf, section_doc(path));
	}
	return properties;
}

static void add_key(cJSON *properties, const Key *key)
{
	const char *leaf = strrchr(key->path, '.');
	g_autofree char *doc =
		g_strdup_printf("%s%s%s%s %s: %s.", key->doc, key->unit ? " Unit: " : "",
				key->unit ? key->unit : "", key->unit ? "." : "",
				key->assumption ? "Assumption" : "Source", key->source);

	add_property(properties_of(properties, key), leaf ? leaf + 1 : key->path,
		     key_schema(key), doc);
}

static void add_all(cJSON *schema)
{
	cJSON *properties = cJSON_GetObjectItemCaseSensitive(schema, "properties");

	add_property(properties, "$schema", typed("string"), "Where this schema is");
	add_property(
		properties, "extends", typed("string"),
		"The config that this one changes: a path from this file's folder, or a name");
	add_property(properties, "description", typed("string"), "A remark");
	add_property(properties, "gpu", typed("string"),
		     "The GPU that the file's values were found on; left out: its name");
	add_property(properties, "sources", typed("object"),
		     "Short names of sources, and the full text of each");
	add_property(properties, PROVENANCE, typed("object"),
		     "Where values come from, and remarks");
	for (guint i = 0; i < key_count(); i++)
		add_key(properties, key_at(i));
}

const Shape config_shape = {
	.name = "config",
	.version = 1,
	.title = "A config of atomsim",
	.bare = TRUE,
	.more = add_all,
};
