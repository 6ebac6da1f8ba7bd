/* SPDX-License-Identifier: MIT */
#include "sim/locks/section.h"

/* So many records on nobody looks for a lane's next lock: it waits for the others. */
#define LOOK_AHEAD 128

/* Has the record at that place read. Records that were looked at may lie elsewhere then. */
static inline bool read_up_to(Section *section, WarpStream *stream, uint64_t place)
{
	RecordLog *log = section->log;

	section_keep_open(section);
	for (; log->n_added <= place; record_log_add(log))
		if (stream->next(stream, record_log_room(log)) != STREAM_RECORD)
			return false;
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

static void drop_passed(Section *section)
{
	uint64_t least = section->log->n_added;

	for (uint32_t k = 0; k < section->n_splits; k++)
		least = MIN(least, section->splits[k].at);
	record_log_drop(section->log, least);
}

void section_begin(Section *section, const Record *lock, LaneMask lanes)
{
	record_log_clear(section->log);
	section_copy(record_log_room(section->log), lock);
	record_log_add(section->log);
	section->n_counted = 1;
	section->inside = lock->mask;
	section->splits[0] = (Split){lanes, 0};
	section->n_splits = 1;
	section_copy(&section->lock, lock);
	section->trying = section->last = lock->mask;
	section->running = section->waiting = 0;
	section->ahead[0] = section->ahead[1] = 0;
}

void section_run(Section *section, LaneMask lanes, SectionRun run)
{
	join(section);
	split_off(section, lanes);
	section->running = lanes;
	section->runners = 0;
	section->run = run;
	section->out = false;
	for (uint32_t k = 0; k < section->n_splits; k++)
		section->runners |= (uint64_t)((section->splits[k].lanes & lanes) != 0) << k;
	if (run != RUN_INSIDE)
		return;
	/* Behind the lock that they have got. */
	for (uint64_t left = section->runners; left; left &= left - 1)
		section->splits[__builtin_ctzll(left)].at++;
}

/* The lanes pass over what is not theirs. *stops: they go no further. */
static SectionNext find_own(Section *section, WarpStream *stream, Split *split, bool *stops)
{
	bool together = section->run == RUN_TOGETHER;

	for (;; split->at++) {
		const Record *record;

		*stops = together && split->at == section->log->n_added;
		if (*stops)
			return SECTION_RECORD;
		if (!read_up_to(section, stream, split->at))
			return SECTION_BROKEN;
		record = section_record(section, split->at);
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
		while (section_record(section, split->at)->kind != RECORD_UNLOCK)
			if (!read_up_to(section, stream, ++split->at))
				return SECTION_BROKEN;
	}
}

static uint64_t furthest(const Section *section)
{
	uint64_t most = 0;

	for (uint32_t k = 0; k < section->n_splits; k++)
		most = MAX(most, section->splits[k].at);
	return most;
}

/* Of these splits those at the instruction of the one that is least far, or in RUN_OUT all: its lanes execute their own
   gaps. */
static uint64_t find_members(const Section *section, uint64_t going)
{
	const Split *first = &section->splits[__builtin_ctzll(going)];
	const Record *own;
	uint64_t members = 0;

	if ((going & (going - 1)) == 0 || section->run == RUN_OUT)
		return going;
	for (uint64_t left = going & (going - 1); left; left &= left - 1) {
		const Split *split = &section->splits[__builtin_ctzll(left)];

		first = first->at <= split->at ? first : split;
	}
	own = section_record(section, first->at);
	for (uint64_t left = going; left; left &= left - 1) {
		const Split *split = &section->splits[__builtin_ctzll(left)];

		if (split->at == first->at ||
		    section_is_same(section_record(section, split->at), own))
			members |= left & -left;
	}
	return members;
}

static bool joins_warp(const Record *record)
{
	return record->kind == RECORD_BAR || record->kind == RECORD_EXIT ||
	       record->kind == RECORD_SHFL || record->kind == RECORD_VOTE;
}

/* Of splits that could go on in RUN_TOGETHER those that do not wait for others behind them: what all of a warp do together is
   not done before they are there. */
static uint64_t not_ahead(const Section *section, uint64_t going)
{
	uint64_t least = UINT64_MAX, free = 0;

	for (uint32_t k = 0; k < section->n_splits; k++)
		least = MIN(least, section->splits[k].at);
	for (uint64_t left = going; left; left &= left - 1) {
		const uint64_t at = section->splits[__builtin_ctzll(left)].at;

		if (at == least || !joins_warp(section_record(section, at)))
			free |= left & -left;
	}
	return free;
}

SectionNext section_next(Section *section, WarpStream *stream, Record *record)
{
	uint64_t members, going = 0, stopped = 0;

	/* Of one split alone nobody is ahead. */
	section->furthest =
		section->run == RUN_TOGETHER && section->n_splits > 1 ? furthest(section) : 0;
	for (uint64_t left = section->runners; left; left &= left - 1) {
		bool stops;
		SectionNext next = find_own(section, stream,
					    &section->splits[__builtin_ctzll(left)], &stops);

		if (next != SECTION_RECORD)
			return next;
		*(stops ? &stopped : &going) |= left & -left;
	}
	if (section->run == RUN_TOGETHER && section->n_splits > 1)
		going = not_ahead(section, going);
	if (!going && section->run != RUN_INSIDE)
		return SECTION_ARRIVED;
	members = find_members(section, going ? going : stopped);
	section_put_together(section, members, record);
	section->out = true;
	/* Lanes under one lock may have unlocks at different instructions. */
	if (section->run == RUN_INSIDE && !going)
		section->runners &= ~members;
	for (uint64_t left = members; left; left &= left - 1)
		section->splits[__builtin_ctzll(left)].at++;
	return SECTION_RECORD;
}

/* Of a split's lanes those that come to a lock before they meet the rest of their warp. */
static LaneMask find_locks(Section *section, WarpStream *stream, const Split *split,
			   bool *broken)
{
	LaneMask left = split->lanes;

	for (uint64_t i = split->at; left && i < split->at + LOOK_AHEAD; i++) {
		const Record *record;

		if (!read_up_to(section, stream, i)) {
			*broken = true;
			break;
		}
		record = section_record(section, i);
		if (joins_warp(record))
			break;
		if (record->kind == RECORD_LOCK)
			left &= ~record->mask;
	}
	return split->lanes & ~left;
}

LaneMask section_go_on(Section *section, WarpStream *stream, LaneMask lanes, bool *broken)
{
	LaneMask go_on = 0;

	*broken = false;
	split_off(section, lanes);
	for (uint32_t k = 0; k < section->n_splits && !*broken; k++)
		if (section->splits[k].lanes & lanes)
			go_on |= find_locks(section, stream, &section->splits[k], broken);
	return go_on;
}

/* Whether the split has lanes that want the lock at which it is. */
static bool wants(const Section *section, const Split *split)
{
	const Record *record;

	if (split->at == section->log->n_added)
		return false;
	record = section_record(section, split->at);
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
			first = section_record(section, split->at);
	}
	for (uint64_t left = wanting; left; left &= left - 1) {
		const Split *split = &section->splits[__builtin_ctzll(left)];
		const Record *lock = section_record(section, split->at);

		if (lock->space == first->space && section_can_be_one(lock, first))
			members |= left & -left;
	}
	return members;
}

bool section_want(Section *section, WarpStream *stream)
{
	LaneMask lanes = section->trying | section->running, trying = 0;
	uint64_t members;
	bool broken = false;

	join(section);
	split_off(section, lanes);
	drop_passed(section);
	members = find_wanting(section, lanes);
	if (members) {
		section_put_together(section, members, &section->lock);
		trying = section->lock.mask;
	}
	/* Who comes to no lock goes on when all are through. */
	if (trying)
		section->waiting |= section_go_on(section, stream, lanes & ~trying, &broken);
	section->trying = trying;
	section->running = 0;
	return !broken;
}

bool section_is_over(const Section *section)
{
	for (uint32_t k = 0; k < section->n_splits; k++)
		if (section->splits[k].at != section->log->n_added)
			return false;
	return true;
}
