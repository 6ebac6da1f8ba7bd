/* SPDX-License-Identifier: MIT */
/* Records in their places, and what lies between two of them as a gap. */
#include "gpu/convert/internal.h"

static void append(Launch *launch, const Step *step, const Record *record)
{
	trace_writer_append(launch->writer, step->block_id, step->warp_number, record);
}

void convert_gap(Launch *launch, const Step *step)
{
	int64_t gap = gaps_take(launch->gaps);
	Record record = {.kind = RECORD_CODE, .gap = (uint32_t)gap};

	if (gap >= 0)
		append(launch, step, &record);
}

void convert_append(Launch *launch, const Step *step, Record *record)
{
	convert_gap(launch, step);
	record->site = step->index >= 0 ? launch->site_of[step->index] : 0;
	record->n_lanes = (uint8_t)__builtin_popcountll(record->mask);
	if (record->buffer > 0 && record->kind != RECORD_LDG)
		buffers_note_store(launch->buffers, record->buffer);
	append(launch, step, record);
}

void convert_append_unknown(Launch *launch, const Step *step, uint64_t *counter)
{
	Record record = {.kind = RECORD_UNKNOWN, .count = 1};

	(*counter)++;
	convert_append(launch, step, &record);
}

void convert_collect(Launch *launch, const Step *step, bool taken, bool skipped)
{
	if (step->index < 0)
		return;
	gaps_add(launch->gaps, step->index, taken, skipped, step->distinct, step->value);
	if (gaps_is_full(launch->gaps))
		convert_gap(launch, step);
}
