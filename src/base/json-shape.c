/* SPDX-License-Identifier: MIT */
#include "base/json-shape.h"

#include <string.h>

#include "base/json.h"

#define DRAFT "https://json-schema.org/draft/2020-12/schema"

cJSON *shape_object(const Shape *shape)
{
	cJSON *object = cJSON_CreateObject();

	cJSON_AddNumberToObject(object, "schema", shape->version);
	cJSON_AddStringToObject(object, "version", PACKAGE_VERSION);
	return object;
}

/* --- Types --- */

static void add_type(cJSON *schema, const char *word)
{
	const gboolean is_count = strcmp(word, "count") == 0;

	cJSON_AddStringToObject(schema, "type", is_count ? "integer" : word);
	if (is_count)
		cJSON_AddNumberToObject(schema, "minimum", 0);
}

/* "integer|null" */
static void add_types(cJSON *schema, const char *words)
{
	g_auto(GStrv) each = g_strsplit(words, "|", -1);
	cJSON *list = cJSON_AddArrayToObject(schema, "type");

	for (guint i = 0; each[i]; i++) {
		const gboolean is_count = strcmp(each[i], "count") == 0;

		cJSON_AddItemToArray(list, cJSON_CreateString(is_count ? "integer" : each[i]));
		if (is_count)
			cJSON_AddNumberToObject(schema, "minimum", 0);
	}
}

static cJSON *type_schema(const char *type)
{
	cJSON *schema = cJSON_CreateObject();
	const char *end = strrchr(type, *type == '[' ? ']' : '}');
	g_autofree char *inner = end ? g_strndup(type + 1, (gsize)(end - type) - 1) : NULL;

	if (*type == '[') {
		add_type(schema, "array");
		cJSON_AddItemToObject(schema, "items", type_schema(inner));
		if (end[1]) {
			cJSON_AddNumberToObject(schema, "minItems", end[1] - '0');
			cJSON_AddNumberToObject(schema, "maxItems", end[1] - '0');
		}
	} else if (*type == '{') {
		add_type(schema, "object");
		cJSON_AddItemToObject(schema, "additionalProperties", type_schema(inner));
	} else if (strchr(type, '|')) {
		add_types(schema, type);
	} else if (strcmp(type, "any") != 0) {
		add_type(schema, type);
	}
	return schema;
}

/* --- Objects --- */

static cJSON *member(const cJSON *object, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* Makes it the schema of an object with no other names than those to come, unless it is one. */
static void close_object(cJSON *schema)
{
	if (member(schema, "additionalProperties"))
		return;
	if (!member(schema, "type"))
		add_type(schema, "object");
	cJSON_AddFalseToObject(schema, "additionalProperties");
	cJSON_AddArrayToObject(schema, "required");
	cJSON_AddObjectToObject(schema, "properties");
}

static void require(cJSON *schema, const char *name)
{
	cJSON *required = member(schema, "required");
	const cJSON *item;

	cJSON_ArrayForEach(item, required)
	{
		if (strcmp(item->valuestring, name) == 0)
			return;
	}
	cJSON_AddItemToArray(required, cJSON_CreateString(name));
}

/* The schema of what a part of a path names within an object's, made when it is first met. */
static cJSON *enter(cJSON *schema, const char *part, gboolean required)
{
	const gboolean is_list = g_str_has_suffix(part, "[]");
	g_autofree char *name = g_strndup(part, strlen(part) - (is_list ? 2 : 0));
	cJSON *inner = strcmp(part, "*") == 0 ? member(schema, "additionalProperties")
					      : member(member(schema, "properties"), name);

	if (inner == NULL) {
		inner = cJSON_AddObjectToObject(member(schema, "properties"), name);
		if (is_list)
			cJSON_AddItemToObject(inner, "items", cJSON_CreateObject());
		add_type(inner, is_list ? "array" : "object");
	}
	if (required)
		require(schema, name);
	if (is_list)
		inner = member(inner, "items");
	close_object(inner);
	return inner;
}

void shape_add(cJSON *schema, const char *path, cJSON *property, gboolean required,
	       gboolean parents)
{
	g_auto(GStrv) parts = g_strsplit(path, ".", -1);
	const guint last = g_strv_length(parts) - 1;

	for (guint i = 0; i < last; i++)
		schema = enter(schema, parts[i], parents);
	cJSON_DeleteItemFromObjectCaseSensitive(member(schema, "properties"), parts[last]);
	cJSON_AddItemToObject(member(schema, "properties"), parts[last], property);
	if (required)
		require(schema, parts[last]);
}

static cJSON *row_schema(const ShapeRow *row)
{
	cJSON *property = type_schema(row->type), *values;

	cJSON_AddStringToObject(property, "description", row->doc);
	if (row->values) {
		values = cJSON_AddArrayToObject(property, "enum");
		for (guint i = 0; i < row->n_values; i++)
			cJSON_AddItemToArray(values, cJSON_CreateString(row->values[i]));
	}
	return property;
}

void shape_add_row(cJSON *schema, const ShapeRow *row)
{
	const gboolean optional = g_str_has_suffix(row->path, "?");
	g_autofree char *path = g_strndup(row->path, strlen(row->path) - optional);
	const char *rest = path + strcspn(path, "[.");
	g_autofree char *names = g_strndup(path, (gsize)(rest - path));
	g_auto(GStrv) each = g_strsplit(names, "|", -1);

	for (guint i = 0; each[i]; i++) {
		g_autofree char *one = g_strconcat(each[i], rest, NULL);

		shape_add(schema, one, row_schema(row), !optional, FALSE);
	}
}

/* --- Schemas --- */

char *shape_schema(const Shape *shape)
{
	static const ShapeRow version = {"version", "string", "version of atomsim", NULL, 0};
	g_autofree char *id = g_strdup_printf("urn:atomsim:%s:%u", shape->name, shape->version);
	cJSON *schema = cJSON_CreateObject(), *number;

	cJSON_AddStringToObject(schema, "$schema", DRAFT);
	cJSON_AddStringToObject(schema, "$id", id);
	cJSON_AddStringToObject(schema, "title", shape->title);
	close_object(schema);
	if (!shape->bare) {
		number = cJSON_CreateObject();
		cJSON_AddNumberToObject(number, "const", shape->version);
		cJSON_AddStringToObject(number, "description",
					"version of these keys: another number when one goes "
					"or changes its meaning");
		shape_add(schema, "schema", number, TRUE, FALSE);
		shape_add_row(schema, &version);
	}
	for (guint i = 0; i < shape->n_rows; i++)
		shape_add_row(schema, &shape->rows[i]);
	if (shape->more)
		shape->more(schema);
	return json_page(schema);
}
