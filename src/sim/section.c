/* SPDX-License-Identifier: MIT */
#include "sim/section.h"

#include <string.h>

Section *section_new(void)
{
	Section *section = g_new0(Section, 1);

	section->records = g_array_new(FALSE, FALSE, sizeof(Record));
	section->requests = g_ptr_array_new_with_free_func(g_free);
	return section;
}

LockRequest *section_request(Section *section, GlobalLocks *locks, bool release,
			     uint32_t n_lanes, const uint64_t *addresses)
{
	LockRequest *request = NULL;

	/* Of releases that nobody waits for some may still be under way. */
	for (guint i = 0; !request && i < section->requests->len; i++) {
		LockRequest *old = g_ptr_array_index(section->requests, i);

		request = old->pending ? NULL : old;
	}
	if (!request) {
		request = g_new(LockRequest, 1);
		g_ptr_array_add(section->requests, request);
	}
	/* The addresses of lanes that there are not stay as they are. */
	request->locks = locks;
	request->release = release;
	request->pending = true;
	request->n_lanes = n_lanes;
	request->served = request->won = 0;
	request->changed_at = 0;
	memcpy(request->addresses, addresses, n_lanes * sizeof *addresses);
	return request;
}

void section_free(Section *section)
{
	if (!section)
		return;
	g_array_unref(section->records);
	g_ptr_array_unref(section->requests);
	g_free(section);
}

#define SEGMENT_BYTES 128

/* Segments that the record's lanes are in. */
static uint32_t count_segments(const Record *record)
{
	uint64_t seen[MAX_LANES];
	uint32_t n = 0;

	for (uint32_t i = 0; i < record->n_lanes; i++) {
		uint32_t k = 0;

		seen[n] = (record->offset + record->address[i]) / SEGMENT_BYTES;
		while (seen[k] != seen[n])
			k++;
		n += k == n;
	}
	return n;
}

bool section_select(Record *record, LaneMask lanes)
{
	uint32_t n = 0, i = 0;

	if (record->n_lanes == 0)
		return true;
	for (LaneMask left = record->mask; left; left &= left - 1, i++) {
		if (!(lanes & left & -left))
			continue;
		record->address[n] = record->address[i];
		record->value[n] = record->value[i];
		record->compare[n] = record->compare[i];
		n++;
	}
	record->mask &= lanes;
	record->n_lanes = (uint8_t)n;
	if ((record->kind == RECORD_LDG || record->kind == RECORD_STG) &&
	    record_in_buffer(record))
		record->count = count_segments(record);
	return n > 0;
}
