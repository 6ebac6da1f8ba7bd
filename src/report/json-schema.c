/* SPDX-License-Identifier: MIT */
/* The table of statistics as a JSON Schema. */
#include "report/fields.h"

#include <string.h>

static const char *const types[] = {
	[FIELD_COUNT] = "integer", [FIELD_NUMBER] = "number", [FIELD_TEXT] = "string",
	[FIELD_TEXTS] = "array",   [FIELD_ROWS] = "array",    [FIELD_OBJECT] = "object",
};

static gboolean may_be_null(const Field *field)
{
	return field->presence == FIELD_OR_NULL ||
	       (field->of_row == NULL && report_field_within(field) == WITHIN_NOT_AVAILABLE);
}

/* What a schema has no word for. A word of our own would be refused by validators that know their words and no others; a
   comment all leave alone. */
static void add_comment(cJSON *schema, const Field *field)
{
	const struct {
		const char *name, *value;
	} notes[] = {
		{"unit", field->unit},
		{"within", field->of_row == NULL ? report_field_within_words(field) : NULL},
		{"counter", field->counter},
		{"law", field->law},
	};
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < G_N_ELEMENTS(notes); i++)
		if (notes[i].value)
			g_string_append_printf(text, "%s%s: %s", text->len ? "; " : "",
					       notes[i].name, notes[i].value);
	if (text->len)
		cJSON_AddStringToObject(schema, "$comment", text->str);
}

static cJSON *schema_of(const Field *field)
{
	cJSON *schema = cJSON_CreateObject(), *list;

	if (may_be_null(field)) {
		list = cJSON_AddArrayToObject(schema, "type");
		cJSON_AddItemToArray(list, cJSON_CreateString(types[field->type]));
		cJSON_AddItemToArray(list, cJSON_CreateString("null"));
	} else {
		cJSON_AddStringToObject(schema, "type", types[field->type]);
	}
	if (field->type == FIELD_COUNT)
		cJSON_AddNumberToObject(schema, "minimum", 0);
	if (field->type == FIELD_TEXTS || field->type == FIELD_ROWS)
		cJSON_AddStringToObject(cJSON_AddObjectToObject(schema, "items"), "type",
					field->type == FIELD_TEXTS ? "string" : "object");
	cJSON_AddStringToObject(schema, "description", field->doc);
	add_comment(schema, field);
	return schema;
}

void report_fields_schema(cJSON *schema, const char *inside, const char *const *left_out)
{
	for (guint i = 0; i < n_report_fields; i++) {
		const Field *field = &report_fields[i];
		const gboolean required = field->presence != FIELD_OPTIONAL;
		g_autofree char *path = g_strconcat(inside, field->path, NULL);
		g_autofree char *first = g_strndup(field->path, strcspn(field->path, ".["));

		/* An object is required if one of its fields is. */
		if (!left_out || !g_strv_contains(left_out, first))
			shape_add(schema, path, schema_of(field), required,
				  required && field->of_row == NULL);
	}
}

static void add_all(cJSON *schema)
{
	report_fields_schema(schema, "", NULL);
}

const Shape report_shape = {
	.name = "run",
	.version = REPORT_SCHEMA,
	.title = "What atomsim run --format json reports of a trace",
	.bare = TRUE,
	.more = add_all,
};

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
