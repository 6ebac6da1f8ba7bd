/* SPDX-License-Identifier: MIT */
/* The table of statistics as a JSON Schema. */
#include "report/fields.h"

#include <string.h>

#include "base/json.h"

#define DRAFT "https://json-schema.org/draft/2020-12/schema"

static cJSON *schema_of(const Field *field)
{
	static const char *const types[] = {
		[FIELD_COUNT] = "integer", [FIELD_NUMBER] = "number", [FIELD_TEXT] = "string",
		[FIELD_TEXTS] = "array",   [FIELD_ROWS] = "array",    [FIELD_OBJECT] = "object",
	};
	cJSON *schema = cJSON_CreateObject(), *list;

	if (field->presence == FIELD_OR_NULL ||
	    (field->of_row == NULL && report_field_within(field) == WITHIN_NOT_AVAILABLE)) {
		list = cJSON_AddArrayToObject(schema, "type");
		cJSON_AddItemToArray(list, cJSON_CreateString(types[field->type]));
		cJSON_AddItemToArray(list, cJSON_CreateString("null"));
	} else {
		cJSON_AddStringToObject(schema, "type", types[field->type]);
	}
	if (field->type == FIELD_COUNT)
		cJSON_AddNumberToObject(schema, "minimum", 0);
	if (field->type == FIELD_TEXTS)
		cJSON_AddStringToObject(cJSON_AddObjectToObject(schema, "items"), "type",
					"string");
	cJSON_AddStringToObject(schema, "description", field->doc);
	/* Keywords of our own, which validators leave alone. */
	if (field->unit != NULL)
		cJSON_AddStringToObject(schema, "unit", field->unit);
	if (field->of_row == NULL)
		cJSON_AddStringToObject(schema, "within", report_field_within_words(field));
	if (field->counter != NULL)
		cJSON_AddStringToObject(schema, "counter", field->counter);
	if (field->law != NULL)
		cJSON_AddStringToObject(schema, "law", field->law);
	return schema;
}

static cJSON *add_object(cJSON *schema)
{
	cJSON_AddStringToObject(schema, "type", "object");
	cJSON_AddFalseToObject(schema, "additionalProperties");
	cJSON_AddArrayToObject(schema, "required");
	return cJSON_AddObjectToObject(schema, "properties");
}

/* The schema of what a part of a path names within an object's schema, made when it is first met. */
static cJSON *enter(cJSON *schema, const char *part)
{
	gboolean is_list = g_str_has_suffix(part, "[]");
	g_autofree char *name = g_strndup(part, strlen(part) - (is_list ? 2 : 0));
	cJSON *properties = cJSON_GetObjectItemCaseSensitive(schema, "properties");
	cJSON *inner = cJSON_GetObjectItemCaseSensitive(properties, name);

	if (inner == NULL)
		inner = cJSON_AddObjectToObject(properties, name);
	if (is_list) {
		cJSON *items = cJSON_GetObjectItemCaseSensitive(inner, "items");

		inner = items != NULL ? items : cJSON_AddObjectToObject(inner, "items");
	}
	if (cJSON_GetObjectItemCaseSensitive(inner, "properties") == NULL)
		add_object(inner);
	return inner;
}

static void require(cJSON *schema, const char *name)
{
	cJSON *required = cJSON_GetObjectItemCaseSensitive(schema, "required");
	const cJSON *item;

	cJSON_ArrayForEach(item, required)
	{
		if (strcmp(item->valuestring, name) == 0)
			return;
	}
	cJSON_AddItemToArray(required, cJSON_CreateString(name));
}

/* An object is required if one of its fields is. */
static void add_property(cJSON *root, const Field *field)
{
	g_auto(GStrv) parts = g_strsplit(field->path, ".", -1);
	guint last = g_strv_length(parts) - 1;
	cJSON *schema = root;

	for (guint i = 0; i < last; i++) {
		if (field->presence != FIELD_OPTIONAL && field->of_row == NULL)
			require(schema, parts[i]);
		schema = enter(schema, parts[i]);
	}
	cJSON_AddItemToObject(cJSON_GetObjectItemCaseSensitive(schema, "properties"),
			      parts[last], schema_of(field));
	if (field->presence != FIELD_OPTIONAL)
		require(schema, parts[last]);
}

char *report_json_schema(void)
{
	cJSON *root = cJSON_CreateObject();

	cJSON_AddStringToObject(root, "$schema", DRAFT);
	cJSON_AddStringToObject(root, "$id", "urn:atomsim:run:" G_STRINGIFY(REPORT_SCHEMA));
	cJSON_AddStringToObject(root, "title",
				"What atomsim run --format json reports of a trace");
	add_object(root);
	for (guint i = 0; i < n_report_fields; i++)
		add_property(root, &report_fields[i]);
	return json_page(root);
}

char *report_field_type(const Field *field)
{
	static const char *const words[] = {
		[FIELD_COUNT] = "whole number", [FIELD_NUMBER] = "number",
		[FIELD_TEXT] = "text",		[FIELD_TEXTS] = "list of texts",
		[FIELD_ROWS] = "list",		[FIELD_OBJECT] = "object",
	};
	static const char *const presence[] = {[FIELD_ALWAYS] = "",
					       [FIELD_OR_NULL] = " or null",
					       [FIELD_OPTIONAL] = ", optional"};

	return g_strconcat(words[field->type], presence[field->presence], NULL);
}
