/* SPDX-License-Identifier: MIT */
/* Fields of a report that are lists, and what their rows have. */
#include "base/json.h"
#include "report/fields-internal.h"

/* The degrees that occurred. */
static guint degree_rows(const uint64_t *bins, FieldRow *rows)
{
	guint n = 0;

	G_STATIC_ASSERT(DEGREE_BINS <= FIELD_MAX_ROWS);
	for (guint degree = 0; degree < DEGREE_BINS; degree++)
		if (bins[degree] > 0)
			rows[n++] = (FieldRow){.degree = degree, .count = bins[degree]};
	return n;
}

guint field_lock_degrees(const RunReport *report, FieldRow *rows)
{
	return degree_rows(report->result->statistics.atomics.lock_degree, rows);
}

guint field_shared_degrees(const RunReport *report, FieldRow *rows)
{
	return degree_rows(report->result->statistics.shared.degree, rows);
}

static guint spot_rows(const HotSpot *spots, guint n, FieldRow *rows)
{
	G_STATIC_ASSERT(HOT_SPOTS <= FIELD_MAX_ROWS);
	for (guint i = 0; i < n; i++)
		rows[i] = (FieldRow){.spot = &spots[i]};
	return n;
}

guint field_hot_addresses(const RunReport *report, FieldRow *rows)
{
	return spot_rows(report->result->addresses, report->result->n_addresses, rows);
}

guint field_hot_locks(const RunReport *report, FieldRow *rows)
{
	return spot_rows(report->result->locks, report->result->n_locks, rows);
}

guint field_hot_banks(const RunReport *report, FieldRow *rows)
{
	return spot_rows(report->result->banks, report->result->n_banks, rows);
}

guint field_hot_sites(const RunReport *report, FieldRow *rows)
{
	const cJSON *sites = cJSON_GetObjectItemCaseSensitive(report->metadata, "sites");
	guint n = spot_rows(report->result->sites, report->result->n_sites, rows);

	for (guint i = 0; i < n; i++)
		if (rows[i].spot->id > 0)
			rows[i].site = cJSON_GetArrayItem(sites, (int)rows[i].spot->id - 1);
	return n;
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
