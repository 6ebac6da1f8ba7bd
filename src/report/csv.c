/* SPDX-License-Identifier: MIT */
/*
 * CSV: a header and one row per run. Columns are the paths of the JSON report's scalars, joined by
 * dots; lists (distributions, hot spots, assumptions) are left to JSON. A hash is one cell, whether
 * it is a name or an object, so that runs on different designs have the same columns.
 */
#include "report/report.h"

#include <string.h>

#include "base/csv-cell.h"
#include "base/json.h"
#include "config/keys.h"
#include "config/provenance.h"
#include "report/fields.h"

typedef void (*Visit)(GString *line, const char *path, const cJSON *item);

static void append_cell(GString *line, const char *text)
{
	csv_append_cell(line, text);
	g_string_append_c(line, ',');
}

static void end_row(GString *text)
{
	text->str[text->len - 1] = '\n'; /* was the last cell's comma */
}

static void visit_name(GString *line, const char *path, const cJSON *item)
{
	(void)item;
	append_cell(line, path);
}

static void visit_value(GString *line, const char *path, const cJSON *item)
{
	char digits[24], *printed;
	guint64 count;

	(void)path;
	if (json_uint64(item, &count)) {
		/* The same whether the object was made or read. */
		g_snprintf(digits, sizeof(digits), "%" G_GUINT64_FORMAT, count);
		append_cell(line, digits);
	} else if (cJSON_IsString(item)) {
		append_cell(line, item->valuestring);
	} else if (cJSON_IsNull(item)) {
		append_cell(line, "");
	} else {
		printed = cJSON_PrintUnformatted(item);
		append_cell(line, printed);
		cJSON_free(printed);
	}
}

static void walk(GString *line, const char *path, const cJSON *object, Visit visit)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, object)
	{
		g_autofree char *name = NULL;

		name = *path == '\0' ? g_strdup(item->string)
				     : g_strconcat(path, ".", item->string, NULL);
		if (cJSON_IsArray(item))
			continue;
		if (cJSON_IsObject(item) && !g_str_has_suffix(item->string, "_hash"))
			walk(line, name, item, visit);
		else
			visit(line, name, item);
	}
}

void report_csv_append(GString *text, const cJSON *object, gboolean with_header)
{
	if (with_header) {
		walk(text, "", object, visit_name);
		end_row(text);
	}
	walk(text, "", object, visit_value);
	end_row(text);
}

static void append_name(GString *names, const char *inside, const char *name)
{
	g_string_append_printf(names, "%s%s,", inside, name);
}

/* What of a FIELD_OBJECT is scalar. */
static void append_inner(GString *names, const char *path)
{
	static const char *const maps[] = {"clusters", "first_sms", "tpc_sms"};
	static const char *const counts[] = {"set", "not_measured"};

	if (strcmp(path, "provenance") == 0) {
		for (guint i = 0; i < N_PROVENANCES; i++)
			append_name(names, "provenance.", provenance_names[i]);
		for (guint i = 0; i < G_N_ELEMENTS(counts); i++)
			append_name(names, "provenance.", counts[i]);
		return;
	}
	for (guint i = 0; i < key_count(); i++)
		append_name(names, "config.", key_at(i)->path);
	for (guint i = 0; i < G_N_ELEMENTS(maps); i++)
		append_name(names, "config.l2.map.", maps[i]);
}

char *report_csv_columns(void)
{
	GString *names = g_string_new(NULL);

	for (guint i = 0; i < n_report_fields; i++) {
		const Field *field = &report_fields[i];

		if (field->type == FIELD_OBJECT)
			append_inner(names, field->path);
		else if (field->of_row == NULL && field->type != FIELD_ROWS &&
			 field->type != FIELD_TEXTS)
			append_name(names, "", field->path);
	}
	g_string_truncate(names, names->len - 1); /* the last comma */
	return g_string_free(names, FALSE);
}

static void append_csv(GString *text, const RunReport *report, gboolean first)
{
	g_autoptr(cJSON) object = report_object(report);

	report_csv_append(text, object, first);
}

const ReportFormat report_csv = {
	.name = "csv",
	.summary = "the numbers, one row per trace",
	.append = append_csv,
};
