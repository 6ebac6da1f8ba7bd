/* SPDX-License-Identifier: MIT */
/* What the files of the table of fields share: fields.c has the table, the others what it names. */
#ifndef ATOMSIM_REPORT_FIELDS_INTERNAL_H
#define ATOMSIM_REPORT_FIELDS_INTERNAL_H

#include "report/fields.h"

/* A number of any size. */
cJSON *field_count_item(uint64_t count);
cJSON *field_order_item(RunOrderKind order);
/* A text of the object, which may have anything of that name, that is called as the field; NULL: there is none. */
cJSON *field_named_text(const cJSON *object, const Field *field);

/* field-values.c: of a report, what is no counter of its statistics. NULL: the report has none. */
cJSON *field_status(const RunReport *report);
cJSON *field_time_us(const RunReport *report);
cJSON *field_busy_cycles(const RunReport *report);
cJSON *field_elapsed_cycles(const RunReport *report);
cJSON *field_duration_us(const RunReport *report);
cJSON *field_cost_bits(const RunReport *report);
cJSON *field_within_percent(const RunReport *report);
cJSON *field_confidence(const RunReport *report);
cJSON *field_sampled(const RunReport *report);
cJSON *field_changes(const RunReport *report);
cJSON *field_unchanged_cycles(const RunReport *report);
cJSON *field_gain(const RunReport *report);
cJSON *field_baseline_cycles(const RunReport *report);
cJSON *field_baseline_order(const RunReport *report);
cJSON *field_baseline_time_us(const RunReport *report);
cJSON *field_slowdown(const RunReport *report);
cJSON *field_blocks(const RunReport *report);
cJSON *field_assumptions(const RunReport *report);
cJSON *field_provenance(const RunReport *report);
cJSON *field_config(const RunReport *report);
cJSON *field_wall_s(const RunReport *report);
cJSON *field_expected_class(const RunReport *report);
cJSON *field_expected_launches(const RunReport *report);
cJSON *field_expected_median(const RunReport *report);
cJSON *field_expected_p90(const RunReport *report);
cJSON *field_expected_none(const RunReport *report);
cJSON *field_launch_sms(const RunReport *report);
cJSON *field_busy_sms(const RunReport *report);
cJSON *field_found_code(const RunReport *report);
cJSON *field_found_parameters(const RunReport *report);
cJSON *field_found_tlb(const RunReport *report);
cJSON *field_threads(const RunReport *report);
cJSON *field_sms_simulated(const RunReport *report);

/* The same by parts, at the field's offset in: RunReport. */
cJSON *field_text(const RunReport *report, const Field *field);
cJSON *field_count(const RunReport *report, const Field *field);
/* Estimate. */
cJSON *field_estimated(const RunReport *report, const Field *field);
/* Statistics: so many a second of wall time. */
cJSON *field_per_second(const RunReport *report, const Field *field);
/* Utilization. */
cJSON *field_utilized(const RunReport *report, const Field *field);
/* A text of the trace's metadata that is called as the field. */
cJSON *field_metadata_text(const RunReport *report, const Field *field);

/* field-rows.c: the rows of a list, of FieldRow. g_array_unref. */
GArray *field_lock_degrees(const RunReport *report);
GArray *field_shared_degrees(const RunReport *report);
GArray *field_hot_addresses(const RunReport *report);
GArray *field_hot_locks(const RunReport *report);
GArray *field_hot_banks(const RunReport *report);
GArray *field_hot_sites(const RunReport *report);
GArray *field_causes(const RunReport *report);

/* What a row has; counts: at the field's offset in FieldRow, in HotSpot. NULL: nothing is known. */
cJSON *field_row_count(const FieldRow *row, const Field *field);
cJSON *field_spot_count(const FieldRow *row, const Field *field);
/* The same where something was combined, or might have been. */
cJSON *field_spot_combined(const FieldRow *row, const Field *field);
/* Of thread-local memory, if it has any. */
cJSON *field_spot_local(const FieldRow *row, const Field *field);
cJSON *field_spot_id(const FieldRow *row, const Field *field);
cJSON *field_spot_block_word(const FieldRow *row, const Field *field);
/* What the metadata say of the site that is called as the field. */
cJSON *field_site_text(const FieldRow *row, const Field *field);
cJSON *field_site_line(const FieldRow *row, const Field *field);
cJSON *field_cause_name(const FieldRow *row, const Field *field);
cJSON *field_cause_order(const FieldRow *row, const Field *field);
cJSON *field_cause_saves(const FieldRow *row, const Field *field);

#endif
