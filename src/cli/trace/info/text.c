/* SPDX-License-Identifier: MIT */
#include "cli/trace/info/info.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/text.h"
#include "transform/arrays.h"

static double per(uint64_t a, uint64_t b)
{
	return b ? (double)a / (double)b : 0;
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
	if (summary->named_barriers + summary->barrier_arrivals > 0)
		g_string_append_printf(text,
				       "of the barriers %" G_GUINT64_FORMAT
				       " have a number or are of a part of the block, "
				       "%" G_GUINT64_FORMAT " arrivals do not wait\n",
				       summary->named_barriers, summary->barrier_arrivals);
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

char *info_to_text(TraceReader *reader, const char *sha256, const TraceSummary *summary,
		   const GPtrArray *arrays)
{
	GString *text = g_string_new(NULL);
	const cJSON *metadata = trace_metadata_json(reader);
	g_autofree char *name = text_printable(trace_path(reader));
	const char *row = "%-24s %" G_GUINT64_FORMAT "\n";

	g_string_append_printf(text, "%-24s %s\n", "trace", name);
	g_string_append_printf(text, "%-24s %s\n", "sha256", sha256);
	append_metadata(text, metadata);
	g_string_append_c(text, '\n');
	g_string_append_printf(text, row, "blocks", summary->n_blocks);
	if (summary->n_stored < summary->n_blocks)
		g_string_append_printf(text, row, "blocks stored", summary->n_stored);
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
	return g_string_free(text, FALSE);
}
