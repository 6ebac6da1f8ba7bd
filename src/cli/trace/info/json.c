/* SPDX-License-Identifier: MIT */
#include "cli/trace/info/info.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/names.h"
#include "transform/arrays.h"

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
	cJSON *json = cJSON_CreateObject();
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
