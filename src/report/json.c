/* SPDX-License-Identifier: MIT */
/* The report as JSON: the table of fields.c, filled in. */
#include "report/report.h"

#include <string.h>

#include "report/fields-internal.h"

/* The field's value: an item, or NULL where there is none. */
static cJSON *value_of(const Field *field, const RunReport *report, const FieldRow *row)
{
	const char *statistics = (const char *)&report->result->statistics;

	if (field->of_row != NULL)
		return field->of_row(row, field);
	if (field->of_report != NULL)
		return field->of_report(report);
	if (field->of_part != NULL)
		return field->of_part(report, field);
	return field_count_item(*(const uint64_t *)(const void *)(statistics + field->offset));
}

/* Nothing is null or left out, as the field says. */
static void add_item(cJSON *object, const char *name, const Field *field, cJSON *item)
{
	if (item != NULL)
		cJSON_AddItemToObject(object, name, item);
	else if (field->presence == FIELD_OR_NULL)
		cJSON_AddNullToObject(object, name);
	else
		g_assert(field->presence == FIELD_OPTIONAL);
}

/* The fields of a list's rows follow the list: `i` is the first of them. */
static cJSON *rows_of(const Field *list, guint i, const RunReport *report)
{
	g_autofree char *prefix = g_strconcat(list->path, "[].", NULL);
	g_autoptr(GArray) rows = list->rows(report);
	cJSON *array = cJSON_CreateArray();

	for (guint k = 0; k < rows->len; k++) {
		cJSON *row = cJSON_CreateObject();

		for (guint f = i;
		     f < n_report_fields && g_str_has_prefix(report_fields[f].path, prefix);
		     f++)
			add_item(row, report_fields[f].path + strlen(prefix), &report_fields[f],
				 value_of(&report_fields[f], report,
					  &g_array_index(rows, FieldRow, k)));
		cJSON_AddItemToArray(array, row);
	}
	return array;
}

/* The object that a field is in, made when its first field comes. */
static cJSON *parent_of(cJSON *root, const Field *field)
{
	const char *dot = strchr(field->path, '.');
	g_autofree char *name = dot ? g_strndup(field->path, (gsize)(dot - field->path)) : NULL;
	cJSON *parent = name ? cJSON_GetObjectItemCaseSensitive(root, name) : root;

	return parent ? parent : cJSON_AddObjectToObject(root, name);
}

cJSON *report_object(const RunReport *report)
{
	const gboolean sampled = report_is_sampled(report);
	cJSON *root = cJSON_CreateObject();

	for (guint i = 0; i < n_report_fields; i++) {
		const Field *field = &report_fields[i];
		const char *dot = strrchr(field->path, '.');
		cJSON *item = NULL;

		if (field->of_row != NULL)
			continue;
		if (sampled && report_field_within(field) == WITHIN_NOT_AVAILABLE)
			item = cJSON_CreateNull();
		else
			item = field->rows != NULL ? rows_of(field, i + 1, report)
						   : value_of(field, report, NULL);
		/* An object whose fields are all left out is left out, too. */
		if (item != NULL || field->presence != FIELD_OPTIONAL)
			add_item(parent_of(root, field), dot ? dot + 1 : field->path, field,
				 item);
	}
	return root;
}

char *report_json_text(const cJSON *object)
{
	char *printed = cJSON_PrintUnformatted(object);
	char *text = g_strconcat(printed, "\n", NULL);

	cJSON_free(printed);
	return text;
}

char *report_json_take(cJSON *object)
{
	char *text = report_json_text(object);

	cJSON_Delete(object);
	return text;
}

/* JSON Lines: an object for each run, whether it is one or many. */
static void append_json(GString *text, const RunReport *report, gboolean first)
{
	g_autofree char *line = report_json_take(report_object(report));

	(void)first; /* each line is an object of its own */
	g_string_append(text, line);
}

const ReportFormat report_json = {
	.name = "json",
	.summary = "everything, for programs: one object a line for each trace",
	.append = append_json,
};
