/* SPDX-License-Identifier: MIT */
/* What the trace of an imported kernel says about itself. Depends on the file's contents and name
   alone. */
#include <cjson/cJSON.h>

#include "base/json.h"

#include "trace/accelsim/accelsim.h"

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

		if (opcode->kind == OPCODE_UNKNOWN || opcode->kind == OPCODE_UNRECORDED)
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
	static const char *const names[N_DROPPED] = {
		[DROPPED_OUT_OF_RANGE] = "out_of_range",
		[DROPPED_NO_ADDRESS] = "no_address",
		[DROPPED_MIXED] = "mixed_spaces",
		[DROPPED_BARRIERS] = "partial_barriers",
		[DROPPED_UNPLACED] = "unplaced_accesses",
		[DROPPED_GAPS] = "instructions_without_flow"};
	cJSON *counts = NULL;

	for (guint i = 0; i < N_DROPPED; i++) {
		if (dropped[i] == 0)
			continue;
		if (!counts)
			counts = cJSON_AddObjectToObject(object, "dropped");
		cJSON_AddNumberToObject(counts, names[i], (double)dropped[i]);
	}
}

static void add_sites(cJSON *object, const GPtrArray *sites)
{
	cJSON *array = cJSON_AddArrayToObject(object, "sites");

	for (guint i = 0; i < sites->len; i++) {
		const StaticInstruction *site = g_ptr_array_index(sites, i);
		g_autofree char *pc = g_strdup_printf("0x%" G_GINT64_MODIFIER "x", site->pc);
		cJSON *entry = cJSON_CreateObject();

		cJSON_AddStringToObject(entry, "pc", pc);
		cJSON_AddStringToObject(entry, "instruction", site->opcode->name);
		if (site->source_line > 0)
			cJSON_AddNumberToObject(entry, "line", site->source_line);
		cJSON_AddItemToArray(array, entry);
	}
}

/* By their numbers. */
static void add_buffers(cJSON *object, const GArray *buffers)
{
	cJSON *array = cJSON_AddArrayToObject(object, "buffers");
	g_autofree guint64 *bytes = g_new(guint64, buffers->len + 1);

	for (guint i = 0; i < buffers->len; i++) {
		const ImportBuffer *buffer = &g_array_index(buffers, ImportBuffer, i);

		bytes[buffer->number - 1] =
			MAX(buffer->used, buffer->begin + 1) - buffer->begin;
	}
	for (guint i = 0; i < buffers->len; i++) {
		cJSON *buffer = cJSON_CreateObject();

		cJSON_AddNumberToObject(buffer, "bytes", (double)bytes[i]);
		cJSON_AddItemToArray(array, buffer);
	}
}

/* What the registers that lines name do not say. */
static void add_unnamed(cJSON *import, const StaticInstructions *instructions)
{
	guint64 n_results = 0;

	for (guint i = 0; i < instructions_count(instructions); i++) {
		const StaticInstruction *code = instructions_get(instructions, i);

		code->opcode->n_lines += code->n_lines;
		n_results += code->flow.no_result ? code->n_lines : 0;
	}
	cJSON_AddNumberToObject(import, "unnamed_results", (double)n_results);
	cJSON_AddNumberToObject(import, "dropped_values",
				(double)instructions_n_dropped_values(instructions));
}

char *accelsim_metadata(const char *path, const AccelSimKernel *kernel)
{
	g_autofree char *base = g_path_get_basename(path);
	g_autofree char *file = g_utf8_make_valid(base, -1);
	const AccelSimHeader *header = &kernel->header;
	g_autoptr(cJSON) object = cJSON_CreateObject();
	cJSON *import;

	cJSON_AddNumberToObject(object, "format", trace_writer_version(kernel->writer));
	if (header->kernel)
		cJSON_AddStringToObject(object, "kernel", header->kernel);
	trace_metadata_add(object, header->grid, header->block, header->shared_bytes,
			   header->registers, "import");
	import = cJSON_AddObjectToObject(object, "import");
	cJSON_AddStringToObject(import, "format", importer_accelsim.name);
	cJSON_AddStringToObject(import, "file", file);
	cJSON_AddNumberToObject(import, "tracer_version", header->tracer_version);
	cJSON_AddNumberToObject(import, "binary_version", header->binary_version);
	add_unnamed(import, kernel->instructions);
	add_unknown_operations(object, kernel->opcodes);
	add_dropped(object, kernel->dropped);
	add_sites(object, kernel->sites);
	add_buffers(object, kernel->buffers);
	return json_line(object);
}
