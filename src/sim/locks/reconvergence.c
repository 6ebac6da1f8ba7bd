/* SPDX-License-Identifier: MIT */
#include "sim/locks/section.h"

/* Has some lane of them a part in it? Records without lanes are everybody's. */
static inline bool is_of(const Record *record, LaneMask lanes)
{
	return record->n_lanes == 0 || record->mask & lanes;
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
	section_join(section);
	section_split_off(section, lanes);
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
		if (!section_read_to(section, stream, split->at))
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
			if (!section_read_to(section, stream, ++split->at))
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

/* Of splits that could go on in RUN_TOGETHER those that do not wait for others behind them: what all of a warp do together is
   not done before they are there. */
static uint64_t not_ahead(const Section *section, uint64_t going)
{
	uint64_t least = UINT64_MAX, free = 0;

	for (uint32_t k = 0; k < section->n_splits; k++)
		least = MIN(least, section->splits[k].at);
	for (uint64_t left = going; left; left &= left - 1) {
		const uint64_t at = section->splits[__builtin_ctzll(left)].at;

		if (at == least || !section_joins_warp(section_record(section, at)))
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

bool section_is_over(const Section *section)
{
	for (uint32_t k = 0; k < section->n_splits; k++)
		if (section->splits[k].at != section->log->n_added)
			return false;
	return true;
}
