/* SPDX-License-Identifier: MIT */
/* What the trace of an imported kernel says about itself. Depends on the file's contents and name
   alone. */
#include <cjson/cJSON.h>

#include "trace/accelsim/accelsim.h"
#include "trace/format.h"

static void add_triple(cJSON *object, const char *key, const guint32 *values)
{
	cJSON *array = cJSON_AddArrayToObject(object, key);

	for (int i = 0; i < 3; i++)
		cJSON_AddItemToArray(array, cJSON_CreateNumber(values[i]));
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return g_strcmp0((*(const Opcode *const *)a)->name, (*(const Opcode *const *)b)->name);
}

static void add_unknown_operations(cJSON *object, GHashTable *opcodes)
{
	g_autoptr(GPtrArray) unknown = g_ptr_array_new();
	GHashTableIter iter;
	gpointer value;
	cJSON *names = NULL;

	g_hash_table_iter_init(&iter, opcodes);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const Opcode *opcode = value;

		if (opcode->kind == OPCODE_UNKNOWN || opcode->kind == OPCODE_UNTOLD)
			g_ptr_array_add(unknown, value);
	}
	if (unknown->len == 0)
		return;
	g_ptr_array_sort(unknown, by_name);
	names = cJSON_AddObjectToObject(object, "unknown_operations");
	for (guint i = 0; i < unknown->len; i++) {
		const Opcode *opcode = g_ptr_array_index(unknown, i);

		cJSON_AddNumberToObject(names, opcode->name, (double)opcode->n_lines);
	}
}

static void add_dropped(cJSON *object, const guint64 dropped[N_DROPPED])
{
	static const char *const names[N_DROPPED] = {[DROPPED_OUT_OF_RANGE] = "out_of_range",
						     [DROPPED_NO_ADDRESS] = "no_address",
						     [DROPPED_MIXED] = "mixed_spaces"};
	cJSON *counts = NULL;

	for (guint i = 0; i < N_DROPPED; i++) {
		if (dropped[i] == 0)
			continue;
		if (!counts)
			counts = cJSON_AddObjectToObject(object, "dropped");
		cJSON_AddNumberToObject(counts, names[i], (double)dropped[i]);
	}
}

static void add_sites(cJSON *object, const GArray *sites)
{
	cJSON *array = cJSON_AddArrayToObject(object, "sites");

	for (guint i = 0; i < sites->len; i++) {
		const ImportSite *site = &g_array_index(sites, ImportSite, i);
		g_autofree char *pc = g_strdup_printf("0x%" G_GINT64_MODIFIER "x", site->pc);
		cJSON *entry = cJSON_CreateObject();

		cJSON_AddStringToObject(entry, "pc", pc);
		cJSON_AddStringToObject(entry, "instruction", site->opcode->name);
		if (site->source_line > 0)
			cJSON_AddNumberToObject(entry, "line", site->source_line);
		cJSON_AddItemToArray(array, entry);
	}
}

char *accelsim_metadata(const char *path, const AccelSimHeader *header, GHashTable *opcodes,
			const GArray *sites, const guint64 dropped[N_DROPPED])
{
	g_autofree char *base = g_path_get_basename(path);
	g_autofree char *file = g_utf8_make_valid(base, -1);
	cJSON *object = cJSON_CreateObject(), *import;
	char *printed, *text;

	cJSON_AddNumberToObject(object, "format", TRACE_VERSION);
	if (header->kernel)
		cJSON_AddStringToObject(object, "kernel", header->kernel);
	add_triple(object, "grid", header->grid);
	add_triple(object, "block", header->block);
	cJSON_AddNumberToObject(object, "shared_bytes", header->shared_bytes);
	cJSON_AddStringToObject(object, "source", "import");
	cJSON_AddStringToObject(object, "tool", "atomsim");
	cJSON_AddStringToObject(object, "tool_version", PACKAGE_VERSION);
	import = cJSON_AddObjectToObject(object, "import");
	cJSON_AddStringToObject(import, "format", importer_accelsim.name);
	cJSON_AddStringToObject(import, "file", file);
	cJSON_AddNumberToObject(import, "tracer_version", header->tracer_version);
	cJSON_AddNumberToObject(import, "binary_version", header->binary_version);
	add_unknown_operations(object, opcodes);
	add_dropped(object, dropped);
	add_sites(object, sites);

	/* cJSON's text is malloc'ed; callers get one that g_free takes. */
	printed = cJSON_PrintUnformatted(object);
	text = g_strdup(printed);
	cJSON_free(printed);
	cJSON_Delete(object);
	return text;
}
