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

static cJSON *count_at(gconstpointer owner, const Field *field)
{
	return field_count_item(
		*(const uint64_t *)(gconstpointer)((const char *)owner + field->offset));
}

cJSON *field_row_count(const FieldRow *row, const Field *field)
{
	return count_at(row, field);
}

cJSON *field_spot_count(const FieldRow *row, const Field *field)
{
	return count_at(row->spot, field);
}

cJSON *field_spot_combined(const FieldRow *row, const Field *field)
{
	return combine_counters_any(&row->spot->combined) ? count_at(row->spot, field) : NULL;
}

cJSON *field_spot_local(const FieldRow *row, const Field *field)
{
	(void)field;
	return row->spot->local_segments > 0 ? field_count_item(row->spot->local_segments)
					     : NULL;
}

cJSON *field_spot_id(const FieldRow *row, const Field *field)
{
	(void)field;
	return field_count_item(row->spot->id);
}

cJSON *field_spot_block_word(const FieldRow *row, const Field *field)
{
	(void)field;
	return row->spot->block_word != UINT32_MAX ? field_count_item(row->spot->block_word)
						   : NULL;
}

cJSON *field_site_text(const FieldRow *row, const Field *field)
{
	return field_named_text(row->site, field);
}

cJSON *field_site_line(const FieldRow *row, const Field *field)
{
	(void)field;
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

cJSON *field_cause_name(const FieldRow *row, const Field *field)
{
	(void)field;
	return cJSON_CreateString(row->cause);
}

cJSON *field_cause_order(const FieldRow *row, const Field *field)
{
	(void)field;
	return field_order_item(row->order);
}

cJSON *field_cause_saves(const FieldRow *row, const Field *field)
{
	(void)field;
	return cJSON_CreateNumber(row->of > 0 ? (double)row->saves / (double)row->of : 0);
}
