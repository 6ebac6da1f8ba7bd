/* SPDX-License-Identifier: MIT */
/* Fields of a report that are lists, and what their rows have. */
#include "base/json.h"
#include "report/fields-internal.h"
#include "report/lines.h"

static GArray *rows_new(void)
{
	return g_array_new(FALSE, TRUE, sizeof(FieldRow));
}

/* The degrees that occurred. */
static GArray *degree_rows(const uint64_t *bins)
{
	GArray *rows = rows_new();

	for (guint degree = 0; degree < DEGREE_BINS; degree++) {
		const FieldRow row = {.degree = degree, .count = bins[degree]};

		if (row.count > 0)
			g_array_append_val(rows, row);
	}
	return rows;
}

GArray *field_lock_degrees(const RunReport *report)
{
	return degree_rows(report->result->statistics.atomics.lock_degree);
}

GArray *field_shared_degrees(const RunReport *report)
{
	return degree_rows(report->result->statistics.shared.degree);
}

static GArray *spot_rows(const HotSpot *spots, guint n)
{
	GArray *rows = rows_new();

	for (guint i = 0; i < n; i++) {
		const FieldRow row = {.spot = &spots[i]};

		g_array_append_val(rows, row);
	}
	return rows;
}

GArray *field_hot_addresses(const RunReport *report)
{
	return spot_rows(report->result->addresses, report->result->n_addresses);
}

GArray *field_hot_locks(const RunReport *report)
{
	return spot_rows(report->result->locks, report->result->n_locks);
}

GArray *field_hot_banks(const RunReport *report)
{
	return spot_rows(report->result->banks, report->result->n_banks);
}

GArray *field_hot_sites(const RunReport *report)
{
	g_autoptr(GPtrArray) entries = report_site_entries(report);
	GArray *rows = report->sites != NULL
			       ? spot_rows((const HotSpot *)(gconstpointer)report->sites->data,
					   report->sites->len)
			       : rows_new();

	for (guint i = 0; i < rows->len; i++) {
		FieldRow *row = &g_array_index(rows, FieldRow, i);

		if (row->spot->id > 0 && row->spot->id <= entries->len)
			row->site = entries->pdata[row->spot->id - 1];
	}
	return rows;
}

cJSON *field_row_degree(const FieldRow *row)
{
	return field_count_item(row->degree);
}

cJSON *field_row_count(const FieldRow *row)
{
	return field_count_item(row->count);
}

cJSON *field_spot_id(const FieldRow *row)
{
	return field_count_item(row->spot->id);
}

cJSON *field_spot_block_word(const FieldRow *row)
{
	return row->spot->block_word != UINT32_MAX ? field_count_item(row->spot->block_word)
						   : NULL;
}

cJSON *field_spot_failures(const FieldRow *row)
{
	return field_count_item(row->spot->failures);
}

cJSON *field_spot_passes(const FieldRow *row)
{
	return field_count_item(row->spot->passes);
}

cJSON *field_spot_lane_operations(const FieldRow *row)
{
	return field_count_item(row->spot->lane_operations);
}

/* Where something was combined, or might have been. */
static cJSON *combined_item(const FieldRow *row, uint64_t count)
{
	return combine_counters_any(&row->spot->combined) ? field_count_item(count) : NULL;
}

cJSON *field_spot_merged(const FieldRow *row)
{
	return combined_item(row, row->spot->combined.merged);
}

cJSON *field_spot_bank_merged(const FieldRow *row)
{
	return combined_item(row, row->spot->combined.bank_merged);
}

cJSON *field_spot_slice_merged(const FieldRow *row)
{
	return combined_item(row, row->spot->combined.slice_merged);
}

cJSON *field_spot_buffered(const FieldRow *row)
{
	return combined_item(row, row->spot->combined.buffered);
}

#define X(constant, name, doc)                                                                 \
	cJSON *field_spot_refused_##constant(const FieldRow *row)                              \
	{                                                                                      \
		return combined_item(row, row->spot->combined.refused[COMBINE_##constant]);    \
	}
COMBINE_REFUSALS(X)
#undef X

cJSON *field_spot_accesses(const FieldRow *row)
{
	return field_count_item(row->spot->accesses);
}

cJSON *field_spot_cycles(const FieldRow *row)
{
	return field_count_item(row->spot->cycles);
}

/* A text of the site; the metadata may have anything of that name. */
static cJSON *site_text(const FieldRow *row, const char *name)
{
	const char *text =
		cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(row->site, name));

	return text != NULL ? cJSON_CreateString(text) : NULL;
}

cJSON *field_site_pc(const FieldRow *row)
{
	return site_text(row, "pc");
}

cJSON *field_site_function(const FieldRow *row)
{
	return site_text(row, "function");
}

cJSON *field_site_file(const FieldRow *row)
{
	return site_text(row, "file");
}

cJSON *field_site_line(const FieldRow *row)
{
	guint64 line;

	return json_uint64(cJSON_GetObjectItemCaseSensitive(row->site, "line"), &line)
		       ? field_count_item(line)
		       : NULL;
}

static void add_cause(GArray *rows, const RunReport *report, const char *name,
		      const Cause *cause)
{
	const uint64_t of = report->result->statistics.cycles;
	const FieldRow row = {.cause = name,
			      .cycles = cause->cycles,
			      .saves = cause_saves(cause, of),
			      .of = of,
			      .order = cause->order};

	if (cause->known)
		g_array_append_val(rows, row);
}

GArray *field_causes(const RunReport *report)
{
	GArray *rows = rows_new();

	for (guint i = 0; report->causes != NULL && i < N_IDEALS; i++)
		add_cause(rows, report, ideal_names[i], &report->causes->without[i]);
	if (report->causes != NULL)
		add_cause(rows, report, CAUSES_ALL, &report->causes->all);
	return rows;
}

cJSON *field_cause_name(const FieldRow *row)
{
	return cJSON_CreateString(row->cause);
}

cJSON *field_cause_cycles(const FieldRow *row)
{
	return field_count_item(row->cycles);
}

cJSON *field_cause_order(const FieldRow *row)
{
	return field_order_item(row->order);
}

cJSON *field_cause_saves_cycles(const FieldRow *row)
{
	return field_count_item(row->saves);
}

cJSON *field_cause_saves(const FieldRow *row)
{
	return cJSON_CreateNumber(row->of > 0 ? (double)row->saves / (double)row->of : 0);
}
