/* SPDX-License-Identifier: MIT */
/* What the files of the table of fields share: fields.c has the table, the others what it names. */
#ifndef ATOMSIM_REPORT_FIELDS_INTERNAL_H
#define ATOMSIM_REPORT_FIELDS_INTERNAL_H

#include "report/fields.h"

/* A number of any size. */
cJSON *field_count_item(uint64_t count);
cJSON *field_order_item(RunOrderKind order);

/* field-values.c: of a report, what is no counter of its statistics. NULL: the report has none. */
cJSON *field_schema(const RunReport *report);
cJSON *field_version(const RunReport *report);
cJSON *field_status(const RunReport *report);
cJSON *field_trace_name(const RunReport *report);
cJSON *field_trace_sha256(const RunReport *report);
cJSON *field_trace_blocks(const RunReport *report);
cJSON *field_trace_kernel(const RunReport *report);
cJSON *field_trace_source(const RunReport *report);
cJSON *field_trace_gpu(const RunReport *report);
cJSON *field_seed(const RunReport *report);
cJSON *field_time_us(const RunReport *report);
cJSON *field_busy_cycles(const RunReport *report);
cJSON *field_elapsed_cycles(const RunReport *report);
cJSON *field_duration_us(const RunReport *report);
cJSON *field_cost_bits(const RunReport *report);
/* field-estimates.c: of an estimate. NULL: the report is none. */
cJSON *field_within_percent(const RunReport *report);
cJSON *field_confidence(const RunReport *report);
cJSON *field_cycles_low(const RunReport *report);
cJSON *field_cycles_high(const RunReport *report);
cJSON *field_waves(const RunReport *report);
cJSON *field_waves_simulated(const RunReport *report);
cJSON *field_blocks_simulated(const RunReport *report);
cJSON *field_records_skipped(const RunReport *report);
cJSON *field_instructions_simulated(const RunReport *report);
cJSON *field_sampled(const RunReport *report);
/* field-values.c again. */
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
cJSON *field_found_tlb(const RunReport *report);
cJSON *field_threads(const RunReport *report);
cJSON *field_sms_simulated(const RunReport *report);
cJSON *field_instructions_per_s(const RunReport *report);
cJSON *field_atomics_per_s(const RunReport *report);

/* field-utilization.c. */
#define X(constant, name, doc, counter)                                                        \
	cJSON *field_mean_##name(const RunReport *report);                                     \
	cJSON *field_busiest_##name(const RunReport *report);
UTILIZED(X)
#undef X

/* field-rows.c: the rows of a list, of FieldRow. g_array_unref. */
GArray *field_lock_degrees(const RunReport *report);
GArray *field_shared_degrees(const RunReport *report);
GArray *field_hot_addresses(const RunReport *report);
GArray *field_hot_locks(const RunReport *report);
GArray *field_hot_banks(const RunReport *report);
GArray *field_hot_sites(const RunReport *report);
GArray *field_causes(const RunReport *report);

/* What a row has. NULL: nothing is known. */
cJSON *field_row_degree(const FieldRow *row);
cJSON *field_row_count(const FieldRow *row);
cJSON *field_spot_id(const FieldRow *row);
cJSON *field_spot_block_word(const FieldRow *row);
cJSON *field_spot_failures(const FieldRow *row);
cJSON *field_spot_passes(const FieldRow *row);
cJSON *field_spot_lane_operations(const FieldRow *row);
cJSON *field_spot_accesses(const FieldRow *row);
cJSON *field_spot_cycles(const FieldRow *row);
cJSON *field_spot_merged(const FieldRow *row);
cJSON *field_spot_bank_merged(const FieldRow *row);
cJSON *field_spot_slice_merged(const FieldRow *row);
cJSON *field_spot_buffered(const FieldRow *row);
#define X(constant, name, doc) cJSON *field_spot_refused_##constant(const FieldRow *row);
COMBINE_REFUSALS(X)
#undef X
cJSON *field_site_pc(const FieldRow *row);
cJSON *field_site_function(const FieldRow *row);
cJSON *field_site_file(const FieldRow *row);
cJSON *field_site_line(const FieldRow *row);
cJSON *field_cause_name(const FieldRow *row);
cJSON *field_cause_cycles(const FieldRow *row);
cJSON *field_cause_order(const FieldRow *row);
cJSON *field_cause_saves_cycles(const FieldRow *row);
cJSON *field_cause_saves(const FieldRow *row);

#endif
