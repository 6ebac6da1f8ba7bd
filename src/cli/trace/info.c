/* SPDX-License-Identifier: MIT */
/* atomsim trace info: where a trace comes from and what it holds. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option.h"
#include "cli/trace/trace.h"
#include "base/text.h"
#include "base/error.h"
#include "base/json.h"
#include "base/names.h"
#include "trace/summary.h"
#include "transform/arrays.h"

static double per(uint64_t a, uint64_t b)
{
	return b ? (double)a / (double)b : 0;
}

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
}

static const OutputKind info_kind = {"what trace info says",
				     {"\nwarp instructions", "\"trace_warp_instructions\""}};

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

static char *to_json(TraceReader *reader, const char *sha256, const TraceSummary *summary,
		     const GPtrArray *arrays)
{
	cJSON *json = cJSON_CreateObject();
	g_autofree char *name = g_path_get_basename(trace_path(reader));
	char *printed, *text;

	cJSON_AddStringToObject(json, "trace", name);
	cJSON_AddStringToObject(json, "sha256", sha256);
	cJSON_AddNumberToObject(json, "format", trace_version(reader));
	cJSON_AddNumberToObject(json, "file_bytes", (double)trace_file_bytes(reader));
	cJSON_AddNumberToObject(json, "blocks", (double)summary->n_blocks);
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
	cJSON_AddItemToObject(json, "metadata", json_parse(trace_metadata(reader)));
	printed = cJSON_Print(json);
	text = g_strconcat(printed, "\n", NULL);
	free(printed);
	cJSON_Delete(json);
	return text;
}

/* Objects and lists as JSON, except for sites, which have lines of their own. */
static void append_metadata(GString *text, const cJSON *metadata)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, metadata)
	{
		g_autofree char *row = NULL;
		g_autofree char *safe = NULL;
		char *printed;

		if (strcmp(item->string, "sites") == 0 && cJSON_IsArray(item)) {
			g_string_append_printf(text, "%-24s %d\n", "sites",
					       cJSON_GetArraySize(item));
			continue;
		}
		printed = cJSON_PrintUnformatted(item);
		row = g_strdup_printf("%-24s %s", item->string,
				      cJSON_IsString(item) ? item->valuestring : printed);
		safe = text_printable(row);
		g_string_append_printf(text, "%s\n", safe);
		free(printed);
	}
}

static void append_sites(GString *text, const cJSON *metadata)
{
	const cJSON *site;
	unsigned number = 0;

	cJSON_ArrayForEach(site, cJSON_GetObjectItemCaseSensitive(metadata, "sites"))
	{
		char *printed = cJSON_PrintUnformatted(site);
		g_autofree char *safe = text_printable(printed);

		if (number++ == 0)
			g_string_append(text, "\nSites\n");
		g_string_append_printf(text, "%8u  %s\n", number, safe);
		free(printed);
	}
}

static void append_kinds(GString *text, const TraceSummary *summary)
{
	g_string_append_printf(text, "\n%-10s %14s %16s %12s %14s\n", "Records", "count",
			       "lane operations", "lanes each", "bytes each");
	for (unsigned k = 0; k < N_RECORD_KINDS; k++)
		if (summary->records[k] > 0)
			g_string_append_printf(
				text,
				"%-10s %14" G_GUINT64_FORMAT " %16" G_GUINT64_FORMAT
				" %12.2f %14.2f\n",
				record_kind_names[k], summary->records[k],
				summary->lane_operations[k],
				per(summary->lane_operations[k], summary->records[k]),
				per(summary->record_bytes[k], summary->records[k]));
	g_string_append_printf(text, "%-10s %14" G_GUINT64_FORMAT " %16s %12s %14.2f\n", "all",
			       summary->n_records, "", "",
			       per(summary->raw_bytes, summary->n_records));
}

static void append_atomics(GString *text, const TraceSummary *summary)
{
	if (summary->records[RECORD_ATOM] == 0) {
		g_string_append(text, "\nNo atomics on shared memory\n");
		return;
	}
	g_string_append_printf(text, "\n%-10s %14s %16s %12s\n", "Atomics", "count",
			       "lane operations", "lanes each");
	for (unsigned o = 0; o < N_OPERATIONS; o++) {
		for (unsigned t = 0; t < N_VALUE_TYPES; t++) {
			g_autofree char *name =
				g_strconcat(operation_names[o], ".", value_type_names[t], NULL);
			uint64_t n = summary->atoms[o][t];
			uint64_t lanes = summary->atom_lane_operations[o][t];

			if (n > 0)
				g_string_append_printf(text,
						       "%-10s %14" G_GUINT64_FORMAT
						       " %16" G_GUINT64_FORMAT " %12.2f\n",
						       name, n, lanes, per(lanes, n));
		}
	}
	g_string_append_printf(text,
			       "%" G_GUINT64_FORMAT " use the old value, %" G_GUINT64_FORMAT
			       " carry operands\n",
			       summary->atoms_with_result, summary->atoms_with_values);
}

static void append_arrays(GString *text, const GPtrArray *arrays)
{
	for (guint i = 0; i < arrays->len; i++) {
		const SharedArray *array = arrays->pdata[i];
		g_autofree char *bytes =
			g_strdup_printf("%u..%u", array->first, array->end - 1);

		if (i == 0)
			g_string_append_printf(text, "\n%-16s %12s %12s %12s %12s\n",
					       "Arrays: bytes", "loads", "stores", "atomics",
					       "locks");
		g_string_append_printf(text,
				       "%-16s %12" G_GUINT64_FORMAT " %12" G_GUINT64_FORMAT
				       " %12" G_GUINT64_FORMAT " %12" G_GUINT64_FORMAT "\n",
				       bytes, array->loads, array->stores, array->atomics,
				       array->locks);
	}
}

static char *to_text(TraceReader *reader, const char *sha256, const TraceSummary *summary,
		     const GPtrArray *arrays)
{
	GString *text = g_string_new(NULL);
	cJSON *metadata = json_parse(trace_metadata(reader));
	g_autofree char *name = text_printable(trace_path(reader));
	const char *row = "%-24s %" G_GUINT64_FORMAT "\n";

	g_string_append_printf(text, "%-24s %s\n", "trace", name);
	g_string_append_printf(text, "%-24s %s\n", "sha256", sha256);
	append_metadata(text, metadata);
	g_string_append_c(text, '\n');
	g_string_append_printf(text, row, "blocks", summary->n_blocks);
	g_string_append_printf(text, row, "warps", summary->n_warps);
	g_string_append_printf(text, row, "warp instructions", summary->instructions);
	g_string_append_printf(text, row, "shared bytes, largest",
			       (guint64)summary->shared_bytes);
	if (summary->has_addresses)
		g_string_append_printf(text, "%-24s %u to %u\n", "shared bytes touched",
				       summary->lowest_address, summary->highest_address);
	g_string_append_printf(text,
			       "%-24s %" G_GUINT64_FORMAT " bytes: %.2f a record, %.2f before "
			       "compression\n",
			       "file", trace_file_bytes(reader),
			       per(trace_file_bytes(reader), summary->n_records),
			       per(summary->raw_bytes, summary->n_records));
	append_kinds(text, summary);
	append_atomics(text, summary);
	append_arrays(text, arrays);
	append_sites(text, metadata);
	cJSON_Delete(metadata);
	return g_string_free(text, FALSE);
}

static gboolean summarise(TraceReader *reader, TraceSummary *summary, GError **error)
{
	guint64 n_blocks = trace_source(reader)->n_blocks;

	for (guint64 block = 0; block < n_blocks; block++) {
		if (!cli_progress("blocks", block, n_blocks)) {
			g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_RUN, "%s: interrupted",
				    trace_path(reader));
			return FALSE;
		}
		if (!trace_summary_add(summary, reader, block, error))
			return FALSE;
	}
	cli_progress("blocks", n_blocks, n_blocks);
	return TRUE;
}

static gboolean check_usage(char **files, const char *format, GError **error)
{
	if (!files || files[1])
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "trace info: %s; one trace is needed",
			    files ? "several traces given" : "no trace given");
	else
		return cli_choice("format", format, cli_text_or_json, N_TEXT_OR_JSON, NULL,
				  error);
	return FALSE;
}

static CliStatus run(int argc, char **argv)
{
	g_autofree char *format = NULL;
	g_autofree char *output = NULL;
	g_autofree char *text = NULL;
	g_auto(GStrv) files = NULL;
	const GOptionEntry entries[] = {
		OPTION_FORMAT(&format, "text (default) or json"),
		OPTION_OUTPUT(&output),
		OPTION_OPERANDS(&files),
		OPTION_END,
	};
	g_autoptr(GOptionContext) context = cli_options(&command_trace_info, entries);
	g_autoptr(TraceReader) reader = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) arrays = NULL;
	TraceSummary summary = {0};
	const char *sha256;
	CliStatus status;

	if (!cli_parse(context, &argc, &argv, &status))
		return status;
	if (!check_usage(files, format, &error) ||
	    !cli_check_output(output, &info_kind, NULL, files, &error))
		return cli_fail(error);
	reader = trace_open(files[0], &error);
	sha256 = reader ? trace_sha256(reader, &error) : NULL;
	if (!sha256 || !summarise(reader, &summary, &error))
		return cli_fail(error);
	arrays = shared_arrays_find(trace_source(reader));
	if (!arrays)
		return cli_fail(trace_failure(reader));
	text = g_strcmp0(format, "json") == 0 ? to_json(reader, sha256, &summary, arrays)
					      : to_text(reader, sha256, &summary, arrays);
	if (!cli_write_output(output, &info_kind, text, strlen(text), &error))
		return cli_fail(error);
	return CLI_GOOD;
}

const Command command_trace_info = {
	.name = "trace info",
	.synopsis = "[OPTION]... FILE",
	.summary = "show where a trace comes from and what it holds",
	.run = run,
};
