/* SPDX-License-Identifier: MIT */
#include "cli/trace/info/info.h"

#include <cjson/cJSON.h>

#include "base/json.h"
#include "base/names.h"
#include "cli/schemas.h"
#include "transform/arrays.h"

/* clang-format off */
static const ShapeRow shape_rows[] = {
	{.path = "trace", .type = "string", .doc = "its name"},
	{.path = "sha256", .type = "string", .doc = "of the file"},
	{.path = "format", .type = "count", .doc = "version of the trace format"},
	{.path = "file_bytes", .type = "count", .doc = "of the file"},
	{.path = "blocks", .type = "count", .doc = "thread blocks"},
	{.path = "stored_blocks", .type = "count", .doc = "of these, that are in the file; others are equal to one of them"},
	{.path = "warps", .type = "count", .doc = "of all blocks"},
	{.path = "segments", .type = "count", .doc = "of the file"},
	{.path = "stored_bytes", .type = "count", .doc = "of the segments"},
	{.path = "raw_bytes", .type = "count", .doc = "of these, decompressed"},
	{.path = "shared_bytes", .type = "count", .doc = "of the largest block"},
	{.path = "lowest_address?", .type = "count", .doc = "byte of shared memory"},
	{.path = "highest_address?", .type = "count", .doc = "byte of shared memory"},
	{.path = "trace_records", .type = "count", .doc = "of all warps"},
	{.path = "trace_warp_instructions", .type = "count", .doc = "of all warps"},
	{.path = "records", .type = "{count}", .doc = "by kind"},
	{.path = "record_bytes", .type = "{count}", .doc = "by kind"},
	{.path = "lane_operations", .type = "{count}", .doc = "by kind"},
	{.path = "atomics", .type = "[object]", .doc = "by operation and type"},
	{.path = "atomics[].operation", .type = "string", .doc = "of them", .values = operation_names, .n_values = N_OPERATIONS},
	{.path = "atomics[].type", .type = "string", .doc = "of the words", .values = value_type_names, .n_values = N_VALUE_TYPES},
	{.path = "atomics[].records", .type = "count", .doc = "of them"},
	{.path = "atomics[].lane_operations", .type = "count", .doc = "of them"},
	{.path = "atomics_with_result", .type = "count", .doc = "of which the program uses the old value"},
	{.path = "atomics_with_values", .type = "count", .doc = "of which the trace has the operands"},
	{.path = "named_barriers", .type = "count", .doc = "records"},
	{.path = "barrier_arrivals", .type = "count", .doc = "records of warps that do not wait"},
	{.path = "arrays", .type = "[object]", .doc = "of shared memory, which --what-if can change"},
	{.path = "arrays[].sites", .type = "[count]", .doc = "that reach it"},
	{.path = "arrays[].first_byte", .type = "count", .doc = "of it"},
	{.path = "arrays[].last_byte", .type = "count", .doc = "of it"},
	{.path = "arrays[].loads", .type = "count", .doc = "records"},
	{.path = "arrays[].stores", .type = "count", .doc = "records"},
	{.path = "arrays[].atomics", .type = "count", .doc = "records"},
	{.path = "arrays[].locks", .type = "count", .doc = "records"},
	{.path = "arrays[].lane_operations", .type = "count", .doc = "of all of them"},
	{.path = "metadata", .type = "object", .doc = "of the trace, as its file has it"},
};
/* clang-format on */

const Shape info_shape = {
	.name = "trace-info",
	.version = 1,
	.title = "What atomsim trace info --format json says",
	.rows = shape_rows,
	.n_rows = G_N_ELEMENTS(shape_rows),
};

static void add_by_kind(cJSON *json, const char *name, const uint64_t counts[N_RECORD_KINDS])
{
	cJSON *object = cJSON_AddObjectToObject(json, name);

	for (unsigned k = 0; k < N_RECORD_KINDS; k++)
		cJSON_AddNumberToObject(object, record_kind_names[k], (double)counts[k]);
}

static void add_atomics(cJSON *json, const TraceSummary *summary)
{
	cJSON *array = cJSON_AddArrayToObject(json, "atomics");

	for (unsigned o = 0; o < N_OPERATIONS; o++) {
		for (unsigned t = 0; t < N_VALUE_TYPES; t++) {
			cJSON *row;

			if (summary->atoms[o][t] == 0)
				continue;
			row = cJSON_CreateObject();
			cJSON_AddStringToObject(row, "operation", operation_names[o]);
			cJSON_AddStringToObject(row, "type", value_type_names[t]);
			cJSON_AddNumberToObject(row, "records", (double)summary->atoms[o][t]);
			cJSON_AddNumberToObject(row, "lane_operations",
						(double)summary->atom_lane_operations[o][t]);
			cJSON_AddItemToArray(array, row);
		}
	}
	cJSON_AddNumberToObject(json, "atomics_with_result",
				(double)summary->atoms_with_result);
	cJSON_AddNumberToObject(json, "atomics_with_values",
				(double)summary->atoms_with_values);
	cJSON_AddNumberToObject(json, "named_barriers", (double)summary->named_barriers);
	cJSON_AddNumberToObject(json, "barrier_arrivals", (double)summary->barrier_arrivals);
}

/* What --what-if can change: each array by its bytes, and who reaches it. */
static void add_arrays(cJSON *json, const GPtrArray *arrays)
{
	cJSON *list = cJSON_AddArrayToObject(json, "arrays");

	for (guint i = 0; i < arrays->len; i++) {
		const SharedArray *array = arrays->pdata[i];
		cJSON *row = cJSON_CreateObject();
		cJSON *sites = cJSON_AddArrayToObject(row, "sites");

		for (guint k = 0; k < array->sites->len; k++)
			cJSON_AddItemToArray(sites, cJSON_CreateNumber(g_array_index(
							    array->sites, uint32_t, k)));
		cJSON_AddNumberToObject(row, "first_byte", array->first);
		cJSON_AddNumberToObject(row, "last_byte", array->end - 1);
		cJSON_AddNumberToObject(row, "loads", (double)array->loads);
		cJSON_AddNumberToObject(row, "stores", (double)array->stores);
		cJSON_AddNumberToObject(row, "atomics", (double)array->atomics);
		cJSON_AddNumberToObject(row, "locks", (double)array->locks);
		cJSON_AddNumberToObject(row, "lane_operations", (double)array->lane_operations);
		cJSON_AddItemToArray(list, row);
	}
}

char *info_to_json(TraceReader *reader, const char *sha256, const TraceSummary *summary,
		   const GPtrArray *arrays)
{
	cJSON *json = shape_object(&info_shape);
	g_autofree char *name = g_path_get_basename(trace_path(reader));

	cJSON_AddStringToObject(json, "trace", name);
	cJSON_AddStringToObject(json, "sha256", sha256);
	cJSON_AddNumberToObject(json, "format", trace_version(reader));
	cJSON_AddNumberToObject(json, "file_bytes", (double)trace_file_bytes(reader));
	cJSON_AddNumberToObject(json, "blocks", (double)summary->n_blocks);
	cJSON_AddNumberToObject(json, "stored_blocks", (double)summary->n_stored);
	cJSON_AddNumberToObject(json, "warps", (double)summary->n_warps);
	cJSON_AddNumberToObject(json, "segments", (double)summary->n_segments);
	cJSON_AddNumberToObject(json, "stored_bytes", (double)summary->stored_bytes);
	cJSON_AddNumberToObject(json, "raw_bytes", (double)summary->raw_bytes);
	cJSON_AddNumberToObject(json, "shared_bytes", summary->shared_bytes);
	if (summary->has_addresses) {
		cJSON_AddNumberToObject(json, "lowest_address", summary->lowest_address);
		cJSON_AddNumberToObject(json, "highest_address", summary->highest_address);
	}
	cJSON_AddNumberToObject(json, "trace_records", (double)summary->n_records);
	cJSON_AddNumberToObject(json, "trace_warp_instructions", (double)summary->instructions);
	add_by_kind(json, "records", summary->records);
	add_by_kind(json, "record_bytes", summary->record_bytes);
	add_by_kind(json, "lane_operations", summary->lane_operations);
	add_atomics(json, summary);
	add_arrays(json, arrays);
	cJSON_AddItemReferenceToObject(json, "metadata", (cJSON *)trace_metadata_json(reader));
	return json_page(json);
}
