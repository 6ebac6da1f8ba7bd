/* SPDX-License-Identifier: MIT */
#include "sim/section.h"

#include <stddef.h>
#include <string.h>

/* So many records on nobody looks for a lane's next lock: it waits for the others. */
#define LOOK_AHEAD 128
/* So many records that all lanes have passed are dropped at once. */
#define DROPPED_AT_ONCE 64
/* Of addresses that one record holds: less than half of what 32 bits hold. */
#define MAX_APART (UINT64_C(1) << 30)

static Record *record_at(const Section *section, guint i)
{
	return &g_array_index(section->records, Record, i);
}

/* Has record i read. */
static bool read_up_to(Section *section, WarpStream *stream, guint i)
{
	while (section->records->len <= i) {
		guint n = section->records->len;

		g_array_set_size(section->records, n + 1);
		if (stream->next(stream, record_at(section, n)) != STREAM_RECORD) {
			g_array_set_size(section->records, n);
			return false;
		}
	}
	return true;
}

/* Has some lane of them a part in it? Records without lanes are everybody's. */
static inline bool is_of(const Record *record, LaneMask lanes)
{
	return record->n_lanes == 0 || record->mask & lanes;
}

/* No split has lanes both in `lanes` and not. */
static void split_off(Section *section, LaneMask lanes)
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

/* Lanes at the same record are one split. */
static void join(Section *section)
{
	uint32_t n = 0;

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

static void drop_passed(Section *section)
{
	guint least = section->records->len;

	for (uint32_t k = 0; k < section->n_splits; k++)
		least = MIN(least, section->splits[k].at);
	if (least < DROPPED_AT_ONCE)
		return;
	g_array_remove_range(section->records, 0, least);
	section->n_counted -= least;
	for (uint32_t k = 0; k < section->n_splits; k++)
		section->splits[k].at -= least;
}

void section_begin(Section *section, const Record *lock, LaneMask lanes)
{
	g_array_set_size(section->records, 0);
	g_array_append_vals(section->records, lock, 1);
	section->n_counted = 1;
	section->splits[0] = (Split){lanes, 0};
	section->n_splits = 1;
	section->lock = *lock;
	section->trying = section->last = lock->mask;
	section->running = section->waiting = 0;
	section->ahead[0] = section->ahead[1] = 0;
}

void section_run(Section *section, LaneMask lanes, SectionRun run)
{
	join(section);
	split_off(section, lanes);
	section->running = lanes;
	section->run = run;
	section->out = false;
	if (run != RUN_INSIDE)
		return;
	for (uint32_t k = 0; k < section->n_splits;
	     k++) /* behind the lock that they have got */
		section->splits[k].at += (section->splits[k].lanes & lanes) != 0;
}

/* Whether one record can hold the addresses of both. */
static bool can_be_one(const Record *a, const Record *b)
{
	uint64_t apart = a->offset > b->offset ? a->offset - b->offset : b->offset - a->offset;

	if (!record_in_buffer(a) || !record_in_buffer(b))
		return record_in_buffer(a) == record_in_buffer(b);
	return a->buffer == b->buffer && apart < MAX_APART;
}

/* The same instruction, if perhaps of another iteration. */
static bool is_same(const Record *a, const Record *b)
{
	if (a->kind != b->kind || a->site != b->site)
		return false;
	if (a->kind == RECORD_CODE)
		return a->gap == b->gap;
	if (a->n_lanes == 0 || b->n_lanes == 0)
		return a == b || a->kind == RECORD_FENCE;
	return can_be_one(a, b);
}

/* Appends a lane of `from`; `to` has none behind it. */
static void take_lane(Record *to, const Record *from, LaneMask bit)
{
	uint32_t i = (uint32_t)__builtin_popcountll(from->mask & (bit - 1)), n = to->n_lanes;

	to->address[n] = from->address[i];
	if (record_in_buffer(from))
		to->address[n] += (uint32_t)(from->offset - to->offset);
	if (from->kind == RECORD_ATOM || from->kind == RECORD_ATOMG) {
		to->value[n] = from->value[i];
		to->compare[n] = from->compare[i];
	}
	to->mask |= bit;
	to->n_lanes++;
}

/* The record of these splits, which stand at the same instruction. */
static void put_together(const Section *section, uint64_t members, Record *record)
{
	const Record *of[MAX_LANES];
	LaneMask lanes = 0, mask;
	uint32_t n_members = (uint32_t)__builtin_popcountll(members);
	const Record *first = record_at(section, section->splits[__builtin_ctzll(members)].at);

	memcpy(record, first, offsetof(Record, address));
	if (first->n_lanes == 0)
		return;
	for (uint64_t left = members; left; left &= left - 1) {
		const Split *split = &section->splits[__builtin_ctzll(left)];
		const Record *own = record_at(section, split->at);

		if (record_in_buffer(own))
			record->offset = MIN(record->offset, own->offset);
		mask = own->mask & split->lanes;
		lanes |= mask;
		for (LaneMask rest = n_members > 1 ? mask : 0; rest; rest &= rest - 1)
			of[__builtin_ctzll(rest)] = own;
	}
	record->mask = 0;
	record->n_lanes = 0;
	for (LaneMask left = lanes; left; left &= left - 1)
		take_lane(record, n_members > 1 ? of[__builtin_ctzll(left)] : first,
			  left & -left);
	if (n_members > 1)
		record->count = MIN(record->count * n_members, record->n_lanes);
}

/* The lanes pass over what is not theirs. *stops: they go no further. */
static SectionNext find_own(Section *section, WarpStream *stream, Split *split, bool *stops)
{
	bool together = section->run == RUN_TOGETHER;

	for (;; split->at++) {
		const Record *record;

		*stops = together && split->at == section->records->len;
		if (*stops)
			return SECTION_RECORD;
		if (!read_up_to(section, stream, split->at))
			return SECTION_BROKEN;
		record = record_at(section, split->at);
		*stops = section->run == RUN_OUT
				 ? section->out || record->kind != RECORD_CODE
				 : record->kind == (section->run == RUN_INSIDE ? RECORD_UNLOCK
									       : RECORD_LOCK);
		if (*stops && section->run == RUN_OUT)
			return SECTION_RECORD;
		/* Others' iterations: who is behind has left the loop. */
		if (is_of(record, split->lanes) &&
		    !(together && record->n_lanes == 0 && split->at < section->furthest))
			return SECTION_RECORD;
		if (record->kind == RECORD_UNLOCK && section->run == RUN_INSIDE)
			return SECTION_NEVER;
		if (record->kind != RECORD_LOCK)
			continue;
		/* A section that is not theirs. Reading may move the records. */
		while (record_at(section, split->at)->kind != RECORD_UNLOCK)
			if (!read_up_to(section, stream, ++split->at))
				return SECTION_BROKEN;
	}
}

static guint furthest(const Section *section)
{
	guint most = 0;

	for (uint32_t k = 0; k < section->n_splits; k++)
		most = MAX(most, section->splits[k].at);
	return most;
}

SectionNext section_next(Section *section, WarpStream *stream, Record *record)
{
	uint64_t members = 0, going = 0, stopped = 0;
	const Split *first = NULL;
	const Record *own;

	section->furthest = section->run == RUN_TOGETHER ? furthest(section) : 0;
	for (uint32_t k = 0; k < section->n_splits; k++) {
		Split *split = &section->splits[k];
		SectionNext next;
		bool stops;

		if (!(split->lanes & section->running))
			continue;
		next = find_own(section, stream, split, &stops);
		if (next != SECTION_RECORD)
			return next;
		*(stops ? &stopped : &going) |= UINT64_C(1) << k;
	}
	if (!going && section->run != RUN_INSIDE)
		return SECTION_ARRIVED;
	going = going ? going : stopped;
	for (uint64_t left = going; left; left &= left - 1) {
		const Split *split = &section->splits[__builtin_ctzll(left)];

		first = first && first->at <= split->at ? first : split;
	}
	own = record_at(section, first->at);
	for (uint64_t left = going; left; left &= left - 1)
		if (section->run == RUN_OUT ||
		    is_same(record_at(section, section->splits[__builtin_ctzll(left)].at), own))
			members |= left & -left;
	put_together(section, members, record);
	section->out = true;
	for (uint64_t left = members; left; left &= left - 1)
		section->splits[__builtin_ctzll(left)].at++;
	return SECTION_RECORD;
}

static bool joins_warp(const Record *record)
{
	return record->kind == RECORD_BAR || record->kind == RECORD_EXIT ||
	       record->kind == RECORD_SHFL || record->kind == RECORD_VOTE;
}

LaneMask section_go_on(Section *section, WarpStream *stream, LaneMask lanes, bool *broken)
{
	LaneMask go_on = 0;

	*broken = false;
	split_off(section, lanes);
	for (uint32_t k = 0; k < section->n_splits; k++) {
		const Split *split = &section->splits[k];

		for (guint i = split->at; split->lanes & lanes && i < split->at + LOOK_AHEAD;
		     i++) {
			const Record *record;

			*broken = *broken || !read_up_to(section, stream, i);
			record = *broken ? NULL : record_at(section, i);
			if (*broken || joins_warp(record))
				break;
			if (record->kind == RECORD_LOCK && record->mask & split->lanes) {
				go_on |= split->lanes;
				break;
			}
		}
	}
	return go_on;
}

/* Whether the split has lanes that want the lock at which it stands. */
static bool wants(const Section *section, const Split *split)
{
	const Record *record;

	if (split->at == section->records->len)
		return false;
	record = record_at(section, split->at);
	return record->kind == RECORD_LOCK && record->mask & split->lanes;
}

/* The locks that are tried together: those of who tries already go first. */
static uint64_t find_wanting(const Section *section, LaneMask lanes)
{
	const Record *first = NULL;
	uint64_t wanting = 0, members = 0;

	for (uint32_t k = 0; k < section->n_splits; k++) {
		const Split *split = &section->splits[k];

		if (!(split->lanes & lanes) || !wants(section, split))
			continue;
		wanting |= UINT64_C(1) << k;
		if (!first || split->lanes & section->trying)
			first = record_at(section, split->at);
	}
	for (uint64_t left = wanting; left; left &= left - 1) {
		const Split *split = &section->splits[__builtin_ctzll(left)];
		const Record *lock = record_at(section, split->at);

		if (lock->space == first->space && can_be_one(lock, first))
			members |= left & -left;
	}
	return members;
}

void section_want(Section *section)
{
	LaneMask lanes = section->trying | section->running, trying = 0;
	uint64_t members;

	join(section);
	split_off(section, lanes);
	drop_passed(section);
	members = find_wanting(section, lanes);
	if (members) {
		put_together(section, members, &section->lock);
		trying = section->lock.mask;
	}
	section->waiting |= lanes & ~trying;
	section->trying = trying;
	section->running = 0;
}
