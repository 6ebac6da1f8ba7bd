/* SPDX-License-Identifier: MIT */
#include "sim/locks/locks.h"

void locks_init(Locks *locks, uint32_t n_words)
{
	*locks = (Locks){0};
	spin_locks_init(&locks->spin, n_words);
}

void locks_clear(Locks *locks)
{
	spin_locks_clear(&locks->spin);
}

void locks_end_block(Locks *locks, uint32_t first, uint32_t end)
{
	spin_locks_end_block(&locks->spin, first, end);
}

bool locks_held(const Locks *locks, uint32_t word, uint32_t *slot)
{
	return spin_locks_held(&locks->spin, word, slot);
}

void warp_locks_init(WarpLocks *locks, const WarpLocks *before)
{
	*locks = (WarpLocks){.section = before->section};
}

void warp_locks_clear(WarpLocks *locks)
{
	g_clear_pointer(&locks->section, section_free);
}

void warp_locks_snapshot(const WarpLocks *locks, bool tries, Snapshot *snapshot)
{
	const Section *section = locks->section;

	snapshot_add(snapshot, (uint64_t)locks->spinning << 1 | locks->in_section);
	if (!tries || !locks->in_section)
		return;
	snapshot_add(snapshot, section->phase);
	snapshot_add(snapshot, section->yields);
	snapshot_add(snapshot, section->waiting | section->ahead[0]);
}

LockRequest *warp_locks_request(WarpLocks *locks, GlobalLocks *global, bool release,
				uint32_t n_lanes, const uint64_t *addresses)
{
	LockRequest *request =
		section_request(locks->section, global, release, n_lanes, addresses);

	if (!release)
		locks->section->asked = request;
	return request;
}
