/* SPDX-License-Identifier: MIT */
/* Which lanes of a warp come to a lock next, and which lock they try together. */
#include "sim/locks/section.h"

/* So many records on nobody looks for a lane's next lock: it waits for the others. */
#define LOOK_AHEAD 128

/* Of a split's lanes those that come to a lock before they meet the rest of their warp. */
static LaneMask find_locks(Section *section, WarpStream *stream, const Split *split,
			   bool *broken)
{
	LaneMask left = split->lanes;

	for (uint64_t i = split->at; left && i < split->at + LOOK_AHEAD; i++) {
		const Record *record;

		if (!section_read_to(section, stream, i)) {
			*broken = true;
			break;
		}
		record = section_record(section, i);
		if (section_joins_warp(record))
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
	section_split_off(section, lanes);
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

static void drop_passed(Section *section)
{
	uint64_t least = section->log->n_added;

	for (uint32_t k = 0; k < section->n_splits; k++)
		least = MIN(least, section->splits[k].at);
	record_log_drop(section->log, least);
}

bool section_want(Section *section, WarpStream *stream)
{
	LaneMask lanes = section->trying | section->running, trying = 0;
	uint64_t members;
	bool broken = false;

	section_join(section);
	section_split_off(section, lanes);
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
