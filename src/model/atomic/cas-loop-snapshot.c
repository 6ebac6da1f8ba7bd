/* SPDX-License-Identifier: MIT */
/* Mechanism `cas-loop`: its state as fast-forward compares and shifts it. */
#include "model/atomic/cas-loop.h"

void cas_loop_snapshot(const AtomicUnit *unit, const void *state, const Atomic *atomic,
		       Cycle now, Snapshot *snapshot)
{
	const CasLoop *cas = state;
	const CasLoopWarp *loop = &cas->loops[atomic->slot];

	(void)unit;
	if (cas->waits) /* who waits or backs off is not written down */
		snapshot_never(snapshot);
	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		const Cycle at = cas->written_at[atomic->word[lane]];

		snapshot_add(snapshot, snapshot_left(at, now) << 1 | (at > loop->read_at));
	}
	snapshot_add(snapshot, snapshot_left(loop->read_at, now));
	snapshot_add(snapshot, atomic->phase);
	snapshot_add(snapshot, atomic->round > 0);
	snapshot_add(snapshot, atomic->pending);
	snapshot_add(snapshot, loop->winners);
	snapshot_add(snapshot, loop->worst_bank);
	snapshot_add(snapshot, (uint32_t)loop->left_first << 1 | loop->switched);
	snapshot_add(snapshot, loop->compared);
}

void cas_loop_shift(void *state, const Atomic *atomic, Cycle now, Cycle by)
{
	CasLoop *cas = state;
	CasLoopWarp *loop = &cas->loops[atomic->slot];

	loop->read_at += loop->read_at > now ? by : 0;
	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		Cycle *written_at = &cas->written_at[atomic->word[lane]];

		if (*written_at > now && *written_at - now <= by)
			*written_at += by;
	}
}
