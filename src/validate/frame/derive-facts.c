/* SPDX-License-Identifier: MIT */
#include "validate/frame/derive-internal.h"

#include <string.h>

#include <cjson/cJSON.h>

#include "base/csv-cell.h"
#include "base/error.h"
#include "base/json.h"
#include "config/search.h"

static void close_table(gpointer table)
{
	csv_free(table);
}

void derive_files_open(DeriveFiles *files, const char *folder)
{
	files->folder = folder;
	files->tables = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, close_table);
}

void derive_files_clear(DeriveFiles *files)
{
	g_clear_pointer(&files->tables, g_hash_table_unref);
}

/* Adds the numbers and texts of an object as cells. */
static void add_cells(GString *header, GString *row, const cJSON *object, const char *prefix)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, object)
	{
		g_autofree char *name = g_strconcat(prefix, item->string, NULL);
		g_autofree char *inside = g_strconcat(name, ".", NULL);
		char number[G_ASCII_DTOSTR_BUF_SIZE];

		if (cJSON_IsObject(item))
			add_cells(header, row, item, inside);
		if (!cJSON_IsNumber(item) && !cJSON_IsString(item))
			continue;
		g_string_append(header, header->len ? "," : "");
		g_string_append(row, row->len ? "," : "");
		csv_append_cell(header, name);
		csv_append_cell(row, cJSON_IsString(item)
					     ? item->valuestring
					     : g_ascii_dtostr(number, sizeof(number),
							      item->valuedouble));
	}
}

static CsvTable *read_facts(const char *path, GError **error)
{
	g_autofree char *text = NULL;
	g_autoptr(GString) header = g_string_new(NULL), row = g_string_new(NULL);
	gsize length = 0;
	cJSON *root;

	if (!config_read(path, &text, &length, error))
		return NULL;
	root = strlen(text) == length ? json_parse(text) : NULL;
	if (cJSON_IsObject(root))
		add_cells(header, row, root, "");
	cJSON_Delete(root);
	if (header->len == 0) {
		atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			     "%s: found no object of facts; allowed: JSON with one", path);
		return NULL;
	}
	g_string_append_printf(header, "\n%s\n", row->str);
	return csv_parse(path, header->str, header->len, error);
}

const CsvTable *derive_table(const DeriveFiles *files, const char *name, GError **error)
{
	CsvTable *table = g_hash_table_lookup(files->tables, name);
	g_autofree char *path = g_build_filename(files->folder, name, NULL);

	if (table)
		return table;
	table = g_str_has_suffix(name, ".json") ? read_facts(path, error)
						: csv_read(path, error);
	if (table)
		g_hash_table_insert(files->tables, g_strdup(name), table);
	return table;
}
