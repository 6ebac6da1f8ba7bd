/* SPDX-License-Identifier: MIT */
#include "sim/locks/section.h"

#include <stddef.h>
#include <string.h>

/* Of addresses that one record holds: less than half of what 32 bits hold. */
#define MAX_APART (UINT64_C(1) << 30)

Section *section_new(void)
{
	Section *section = g_new0(Section, 1);

	section->log = record_log_new();
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
	record_log_free(section->log);
	g_ptr_array_unref(section->requests);
	g_free(section);
}

#define SEGMENT_BYTES 128

/* Of an access to a buffer of global memory: counts the segments that its lanes are in. */
static void count_segments(Record *record)
{
	uint64_t seen[MAX_LANES];
	uint32_t n = 0;

	if ((record->kind != RECORD_LDG && record->kind != RECORD_STG) ||
	    !record_in_buffer(record))
		return;
	for (uint32_t i = 0; i < record->n_lanes; i++) {
		uint32_t k = 0;

		seen[n] = (record->offset + record->address[i]) / SEGMENT_BYTES;
		while (seen[k] != seen[n])
			k++;
		n += k == n;
	}
	record->count = n;
}

static bool has_values(const Record *record)
{
	return record->kind == RECORD_ATOM || record->kind == RECORD_ATOMG;
}

void section_copy(Record *to, const Record *from)
{
	memcpy(to, from, offsetof(Record, address));
	memcpy(to->address, from->address, from->n_lanes * sizeof from->address[0]);
	if (!has_values(from))
		return;
	memcpy(to->value, from->value, from->n_lanes * sizeof from->value[0]);
	memcpy(to->compare, from->compare, from->n_lanes * sizeof from->compare[0]);
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
		if (has_values(record)) {
			record->value[n] = record->value[i];
			record->compare[n] = record->compare[i];
		}
		n++;
	}
	record->mask &= lanes;
	record->n_lanes = (uint8_t)n;
	count_segments(record);
	return n > 0;
}

bool section_can_be_one(const Record *a, const Record *b)
{
	uint64_t apart = a->offset > b->offset ? a->offset - b->offset : b->offset - a->offset;

	if (!record_in_buffer(a) || !record_in_buffer(b))
		return record_in_buffer(a) == record_in_buffer(b);
	return a->buffer == b->buffer && apart < MAX_APART;
}

bool section_is_same(const Record *a, const Record *b)
{
	if (a->kind != b->kind || a->site != b->site)
		return false;
	if (a->kind == RECORD_CODE)
		return a->gap == b->gap;
	if (a->n_lanes == 0 || b->n_lanes == 0)
		return a == b || a->kind == RECORD_FENCE;
	return section_can_be_one(a, b);
}

/* Of the record's lanes so many are before this one. */
static inline uint32_t lanes_before(const Record *record, LaneMask bit)
{
	LaneMask before = record->mask & (bit - 1);

	/* Mostly all are there, which is faster to see than to count. */
	return before == bit - 1 ? (uint32_t)__builtin_ctzll(bit)
				 : (uint32_t)__builtin_popcountll(before);
}

/* Appends a lane of `from`; `to` has none behind it. */
static inline void take_lane(Record *to, const Record *from, LaneMask bit)
{
	uint32_t i = lanes_before(from, bit), n = to->n_lanes++;

	to->address[n] = from->address[i];
	if (has_values(from)) {
		to->value[n] = from->value[i];
		to->compare[n] = from->compare[i];
	}
}

/* The record of one split. */
static void take_own(const Section *section, const Split *split, Record *record)
{
	const Record *own = section_record(section, split->at);
	LaneMask lanes = own->mask & split->lanes;

	if (own->n_lanes == 0 || lanes == own->mask) {
		section_copy(record, own);
		return;
	}
	memcpy(record, own, offsetof(Record, address));
	record->mask = lanes;
	record->n_lanes = 0;
	for (LaneMask left = lanes; left; left &= left - 1)
		take_lane(record, own, left & -left);
	count_segments(record);
}

void section_put_together(const Section *section, uint64_t members, Record *record)
{
	const Record *of[MAX_LANES];
	LaneMask lanes = 0;
	const Split *split = &section->splits[__builtin_ctzll(members)];
	const Record *own = section_record(section, split->at);
	const bool in_buffer = record_in_buffer(own);
	uint32_t n_members;

	if ((members & (members - 1)) == 0 || own->n_lanes == 0) {
		take_own(section, split, record);
		return;
	}
	memcpy(record, own, offsetof(Record, address));
	for (uint64_t left = members; left; left &= left - 1) {
		split = &section->splits[__builtin_ctzll(left)];
		own = section_record(section, split->at);
		if (in_buffer)
			record->offset = MIN(record->offset, own->offset);
		lanes |= own->mask & split->lanes;
		for (LaneMask rest = own->mask & split->lanes; rest; rest &= rest - 1)
			of[__builtin_ctzll(rest)] = own;
	}
	record->mask = lanes;
	record->n_lanes = 0;
	for (LaneMask left = lanes; left; left &= left - 1) {
		own = of[__builtin_ctzll(left)];
		take_lane(record, own, left & -left);
		if (in_buffer)
			record->address[record->n_lanes - 1] +=
				(uint32_t)(own->offset - record->offset);
	}
	n_members = (uint32_t)__builtin_popcountll(members);
	record->count = MIN(record->count * n_members, record->n_lanes);
	count_segments(record);
}

void section_split_off(Section *section, LaneMask lanes)
{
	for (uint32_t k = 0, n = section->n_splits; k < n; k++) {
		Split *split = &section->splits[k];
		LaneMask in = split->lanes & lanes;

		if (in == 0 || in == split->lanes)
			continue;
		split->lanes &= ~lanes;
		section->splits[section->n_splits++] = (Split){in, split->at};
	}
}

void section_join(Section *section)
{
	uint32_t n = 0;

	if (section->n_splits == 1)
		return;
	for (uint32_t k = 0; k < section->n_splits; k++) {
		Split split = section->splits[k];
		uint32_t same = 0;

		while (same < n && section->splits[same].at != split.at)
			same++;
		if (same < n)
			section->splits[same].lanes |= split.lanes;
		else
			section->splits[n++] = split;
	}
	section->n_splits = n;
}

bool section_read_to(Section *section, WarpStream *stream, uint64_t place)
{
	RecordLog *log = section->log;

	section_keep_open(section);
	for (; log->n_added <= place; record_log_add(log))
		if (stream->next(stream, record_log_room(log)) != STREAM_RECORD)
			return false;
	return true;
}

bool section_joins_warp(const Record *record)
{
	return record->kind == RECORD_BAR || record->kind == RECORD_EXIT ||
	       record->kind == RECORD_SHFL || record->kind == RECORD_VOTE;
}
