/* SPDX-License-Identifier: MIT */
/* What decides how further accesses are served: written down, and put off. */
#include "model/shared/shared.h"

void shared_snapshot(SharedMemory *shared, Cycle now, Snapshot *snapshot)
{
	const SharedParameters *p = shared->parameters;
	const uint32_t n_ahead = CALENDAR_WORDS - 2;

	snapshot_add(snapshot, snapshot_left(shared->last_pass_at, now));
	snapshot_add(snapshot, shared->queue_place);
	for (uint32_t i = 0; i < SHARED_MAX_PORTS; i++) {
		snapshot_add(snapshot, snapshot_left(shared->port_free_at[i], now));
		snapshot_add(snapshot, snapshot_left(shared->through_at[i], now));
		snapshot_add(snapshot, snapshot_left(shared->lanes_free_at[i], now));
	}
	for (uint32_t i = 0; i < SHARED_MAX_WARPS; i++)
		snapshot_add(snapshot, snapshot_left(shared->warp_free_at[i], now));
	for (uint32_t i = 0; i < p->queue; i++)
		snapshot_add(snapshot, snapshot_left(shared->queue_left_at[i], now));
	calendar_sweep(&shared->calendar, now);
	if (shared->calendar.beyond_until > 0)
		snapshot_never(snapshot);
	for (uint32_t i = 0; i < n_ahead; i++) {
		uint64_t busy = calendar_busy_from(&shared->calendar, now + (Cycle)i * 64);

		if (!busy)
			continue;
		snapshot_add(snapshot, i);
		snapshot_add(snapshot, busy);
		snapshot_add(snapshot, calendar_from(calendar_further_words(&shared->calendar),
						     now + (Cycle)i * 64));
		/* Where the calendar ends depends on when it was swept. */
		if (i >= n_ahead / 2)
			snapshot_never(snapshot);
	}
}

void shared_shift(SharedMemory *shared, Cycle now, Cycle by)
{
	snapshot_put_off(&shared->last_pass_at, now, by);
	for (uint32_t i = 0; i < SHARED_MAX_PORTS; i++) {
		snapshot_put_off(&shared->port_free_at[i], now, by);
		snapshot_put_off(&shared->through_at[i], now, by);
		snapshot_put_off(&shared->lanes_free_at[i], now, by);
	}
	for (uint32_t i = 0; i < SHARED_MAX_WARPS; i++)
		snapshot_put_off(&shared->warp_free_at[i], now, by);
	for (uint32_t i = 0; i < SHARED_MAX_QUEUE; i++)
		snapshot_put_off(&shared->queue_left_at[i], now, by);
	calendar_shift(&shared->calendar, now, by);
}
