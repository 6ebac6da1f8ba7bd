/* SPDX-License-Identifier: MIT */
#include "sim/sm/fast-forward-state.h"

#include "sim/sm/combine-state.h"
#include "sim/sm/exec.h"

uint64_t state_slots(const Sm *sm)
{
	uint64_t slots = 0;

	for (uint64_t left = sm->used_blocks; left; left &= left - 1)
		slots |= sm->blocks[__builtin_ctzll(left)].slots;
	return slots;
}

bool state_tries(const Warp *warp)
{
	return warp_locks_spins(&warp->locks) || exec_in_atomic(warp);
}

bool state_tries_elsewhere(const Warp *warp)
{
	return state_tries(warp) && exec_is_global_lock(&warp->record);
}

void state_times(Warp *warp, Cycle *times[WARP_TIMES])
{
	times[SINCE] = &warp->since;
	times[RECORD_SINCE] = &warp->record_since;
	times[FAILING_SINCE] = &warp->failing_since;
	times[SPINNING_SINCE] = warp_locks_time(&warp->locks);
}

static void add_warp(const Sm *sm, const Warp *warp, Cycle now, Snapshot *snapshot)
{
	snapshot_add(snapshot, (uint64_t)warp->phase << 2 | (uint64_t)warp->in_record << 1 |
				       warp->failing);
	snapshot_add(snapshot, sm->silent[warp - sm->warps]);
	snapshot_add(snapshot, warp->unplaced); /* else it would be put off from site to site */
	warp_locks_snapshot(&warp->locks, state_tries(warp), snapshot);
	if (state_tries_elsewhere(warp))
		snapshot_never(snapshot);
	else if (state_tries(warp))
		atomic_snapshot(&sm->atomics, warp->instance, &warp->atomic, now, snapshot);
}

static void add_pipes(const Scoreboard *board, Cycle now, Snapshot *snapshot)
{
	snapshot_add(snapshot, snapshot_left(board->sync_free, now));
	snapshot_add(snapshot, snapshot_left(board->lookup_free, now));
	snapshot_add(snapshot, snapshot_left(board->texture_free, now));
	snapshot_add(snapshot, snapshot_left(board->lines.fill_free, now));
	snapshot_add(snapshot, board->lines.n_lost);
	for (uint32_t k = 0; k < board->n_schedulers; k++)
		for (uint32_t pipe = 0; pipe <= N_PIPES; pipe++)
			snapshot_add(snapshot, snapshot_left(board->pipe_free[k][pipe], now));
}

static void put_off_pipes(Scoreboard *board, Cycle now, Cycle by)
{
	snapshot_put_off(&board->sync_free, now, by);
	snapshot_put_off(&board->lookup_free, now, by);
	snapshot_put_off(&board->texture_free, now, by);
	snapshot_put_off(&board->lines.fill_free, now, by);
	for (uint32_t k = 0; k < board->n_schedulers; k++) {
		snapshot_put_off(&board->pipes_free[k], now, by);
		for (uint32_t pipe = 0; pipe <= N_PIPES; pipe++)
			snapshot_put_off(&board->pipe_free[k][pipe], now, by);
	}
}

void state_put_off_units(Sm *sm, Cycle now, Cycle by)
{
	for (uint32_t k = 0; k < sm->machine->sm.schedulers; k++)
		sm->scheduler_free[k] = MAX(sm->scheduler_free[k], now) + by;
	shared_shift(&sm->shared, now, by);
	if (sm->scoreboard.dataflow)
		put_off_pipes(&sm->scoreboard, now, by);
}

void state_snapshot(Sm *sm, Cycle now, Snapshot *snapshot)
{
	const SmParameters *p = &sm->machine->sm;
	const uint64_t slots = state_slots(sm);

	if (code_cache_is_busy(&sm->scoreboard.code, now))
		snapshot_never(snapshot);
	snapshot_add(snapshot, sm->scoreboard.code.n_brought);
	snapshot_add(snapshot, slots);
	snapshot_add(snapshot, sm->ready);
	for (uint32_t k = 0; k < p->schedulers; k++) {
		snapshot_add(snapshot, snapshot_left(sm->scheduler_free[k], now));
		snapshot_add(snapshot, sm->schedulers[k].last);
		if (p->scheduler->new && p->scheduler->own_bytes == 0)
			snapshot_never(snapshot);
		else if (p->scheduler->new)
			snapshot_add_bytes(snapshot, sm->schedulers[k].own,
					   p->scheduler->own_bytes);
	}
	if (sm->scoreboard.dataflow)
		add_pipes(&sm->scoreboard, now, snapshot);
	for (uint64_t left = slots; left && !snapshot->differs; left &= left - 1)
		add_warp(sm, &sm->warps[__builtin_ctzll(left)], now, snapshot);
	/* A lock or a unit that is to be free soon is not written down. */
	if (locks_free_at(&sm->locks) > now || !combine_is_idle(sm, now))
		snapshot_never(snapshot);
	if (!snapshot->differs)
		shared_snapshot(&sm->shared, now, snapshot);
}

#define ALL_OF(object)                                                                         \
	(StateCounters)                                                                        \
	{                                                                                      \
		(uint64_t *)&(object), sizeof(object) / sizeof(uint64_t)                       \
	}

size_t state_counters(Sm *sm, StateCounters counters[STATE_COUNTERS])
{
	size_t n = 0;

	counters[n++] = ALL_OF(sm->statistics);
	counters[n++] = ALL_OF(sm->atomic_counters);
	counters[n++] = ALL_OF(*locks_counters(&sm->locks));
	counters[n++] = ALL_OF(sm->shared.counters);
	counters[n++] = ALL_OF(sm->shared.bank_conflict_passes);
	counters[n++] = ALL_OF(sm->shared.bank_conflicts);
	counters[n++] = (StateCounters){sm->shared.failures, sm->shared.table->n_words};
	counters[n++] = (StateCounters){(uint64_t *)sm->sites,
					(sm->context->n_sites + (size_t)1) * sizeof *sm->sites /
						sizeof(uint64_t)};
	for (uint64_t left = state_slots(sm); left; left &= left - 1) {
		Warp *warp = &sm->warps[__builtin_ctzll(left)];

		counters[n++] = (StateCounters){&warp->n_atomics, 1};
		counters[n++] = (StateCounters){&warp->atomic.round, 1};
	}
	return n;
}
