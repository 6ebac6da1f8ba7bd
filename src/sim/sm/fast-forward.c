/* SPDX-License-Identifier: MIT */
#include "sim/sm/fast-forward.h"

#include <glib.h>
#include <string.h>

#include "sim/sm/exec.h"

/* Another warp's tries are followed if the one that is followed makes none for so many. */
#define MANY_TRIES 1024

/* A warp's times: each either stays through a period, or moves with it. */
enum { SINCE, RECORD_SINCE, FAILING_SINCE, SPINNING_SINCE, WARP_TIMES };

typedef enum {
	SEEKING,   /* a situation that comes back */
	COUNTING,  /* it has come back: what happens in a period? */
	REPEATING, /* known until `until` */
} Phase;

typedef struct {
	uint64_t *counter;
	uint64_t more; /* in each period */
} Increase;

struct FastForward {
	Phase phase;
	uint32_t slot; /* of the warp whose tries are followed */
	uint32_t n_others;
	uint64_t n_looks, n_renew; /* since the situation was written down; of the next time */
	/* As long as these stay no warp has got on. */
	Cycle progress_at;
	uint64_t n_records, n_arrived;
	/* The situation. */
	Cycle at;
	Snapshot snapshot;
	Cycle times[MAX_WARP_SLOTS][WARP_TIMES];
	/* From COUNTING on. */
	Cycle period, until;
	uint8_t moves[MAX_WARP_SLOTS]; /* bit i: time i of the slot's warp */
	GArray *counted;	       /* uint64_t */
	GArray *increases;	       /* Increase */
};

/* --- What belongs to a situation --- */

static uint64_t resident_slots(const Sm *sm)
{
	uint64_t slots = 0;

	for (uint64_t left = sm->used_blocks; left; left &= left - 1)
		slots |= sm->blocks[__builtin_ctzll(left)].slots;
	return slots;
}

/* Whether its mechanism has something to say about it. */
static bool tries(const Warp *warp)
{
	return warp_locks_spins(&warp->locks) || exec_in_atomic(warp);
}

/* Its tries go to the memory that SMs share. */
static bool tries_elsewhere(const Warp *warp)
{
	return tries(warp) && exec_is_global_lock(&warp->record);
}

static void times_of(Warp *warp, Cycle *times[WARP_TIMES])
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
	warp_locks_snapshot(&warp->locks, tries(warp), snapshot);
	if (tries_elsewhere(warp))
		snapshot_never(snapshot);
	else if (tries(warp))
		atomic_snapshot(&sm->atomics, warp->way, &warp->atomic, now, snapshot);
}

/* All but the warps' times. Those that no record begins to use while none is begun are left out. */
static void take_snapshot(Sm *sm, Cycle now, Snapshot *snapshot)
{
	const SmParameters *p = &sm->machine->sm;
	const uint64_t slots = resident_slots(sm);

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
		if (sm->scoreboard.dataflow)
			snapshot_add(snapshot,
				     snapshot_left(sm->scoreboard.pipes_free[k], now));
	}
	for (uint64_t left = slots; left && !snapshot->differs; left &= left - 1)
		add_warp(sm, &sm->warps[__builtin_ctzll(left)], now, snapshot);
	/* A lock that is to be free soon is not written down. */
	if (locks_free_at(&sm->locks) > now)
		snapshot_never(snapshot);
	if (!snapshot->differs)
		shared_snapshot(&sm->shared, now, snapshot);
}

/* --- What is counted --- */

typedef struct {
	uint64_t *first;
	size_t n;
} Counters;

#define N_COUNTERS (8 + 2 * MAX_WARP_SLOTS)
#define ALL_OF(object)                                                                         \
	(Counters)                                                                             \
	{                                                                                      \
		(uint64_t *)&(object), sizeof(object) / sizeof(uint64_t)                       \
	}

static size_t all_counters(Sm *sm, Counters counters[N_COUNTERS])
{
	size_t n = 0;

	counters[n++] = ALL_OF(sm->statistics);
	counters[n++] = ALL_OF(sm->atomic_counters);
	counters[n++] = ALL_OF(*locks_counters(&sm->locks));
	counters[n++] = ALL_OF(sm->shared.counters);
	counters[n++] = ALL_OF(sm->shared.bank_conflict_passes);
	counters[n++] = ALL_OF(sm->shared.bank_conflicts);
	counters[n++] = (Counters){sm->shared.failures, sm->shared.table->n_words};
	counters[n++] =
		(Counters){(uint64_t *)sm->sites, (sm->context->n_sites + (size_t)1) *
							  sizeof *sm->sites / sizeof(uint64_t)};
	for (uint64_t left = resident_slots(sm); left; left &= left - 1) {
		Warp *warp = &sm->warps[__builtin_ctzll(left)];

		counters[n++] = (Counters){&warp->n_atomics, 1};
		counters[n++] = (Counters){&warp->atomic.round, 1};
	}
	return n;
}

static void begin_counting(Sm *sm, FastForward *through)
{
	Counters counters[N_COUNTERS];
	size_t n = all_counters(sm, counters);

	g_array_set_size(through->counted, 0);
	for (size_t c = 0; c < n; c++)
		g_array_append_vals(through->counted, counters[c].first, (guint)counters[c].n);
}

static void end_counting(Sm *sm, FastForward *through)
{
	Counters counters[N_COUNTERS];
	size_t n = all_counters(sm, counters);
	const uint64_t *before = (const uint64_t *)(void *)through->counted->data;

	g_array_set_size(through->increases, 0);
	for (size_t c = 0; c < n; c++)
		for (size_t i = 0; i < counters[c].n; i++, before++) {
			Increase increase = {&counters[c].first[i],
					     counters[c].first[i] - *before};

			if (increase.more)
				g_array_append_val(through->increases, increase);
		}
}

/* --- Periods --- */

static bool still_failing(const Sm *sm, const FastForward *through)
{
	return through->progress_at == sm->progress_at &&
	       through->n_records == sm->statistics.trace_records &&
	       through->n_arrived == sm->n_arrived;
}

static void write_down(Sm *sm, FastForward *through, Cycle now)
{
	Cycle *times[WARP_TIMES];

	through->at = now;
	through->n_looks = 0;
	snapshot_begin(&through->snapshot, false);
	take_snapshot(sm, now, &through->snapshot);
	for (uint64_t left = resident_slots(sm); left; left &= left - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(left);

		times_of(&sm->warps[slot], times);
		for (uint32_t i = 0; i < WARP_TIMES; i++)
			through->times[slot][i] = *times[i];
	}
}

static void seek(Sm *sm, FastForward *through, Cycle now)
{
	through->phase = SEEKING;
	through->progress_at = sm->progress_at;
	through->n_records = sm->statistics.trace_records;
	through->n_arrived = sm->n_arrived;
	through->n_renew = 1;
	write_down(sm, through, now);
}

/* When the watchdog may end the run because of this warp, which has failed, or found its lock taken, since
   then; less a period: it goes by when accesses start, which is less than that after their issue. */
static Cycle watched_until(const Sm *sm, Cycle since, Cycle period)
{
	since = MAX(since, sm->progress_at) + sm->machine->sim.watchdog_cycles;
	return since - MIN(since, period);
}

/* Until when a warp does nothing but what it did in a period. */
static Cycle repeats_until(const Sm *sm, uint32_t slot, Cycle now)
{
	const FastForward *through = sm->fast_forward;
	const Warp *warp = &sm->warps[slot];
	const uint8_t moves = through->moves[slot];
	Cycle until = SIM_MAX_CYCLE, watched;

	/* Due, and has taken no part. */
	if (warp->phase == WARP_RUNNING && warp->since >= now && !(moves >> SINCE & 1))
		until = MIN(until, warp->since);
	/* One that got a lock in each period, though not all, has patience anew. */
	watched = watched_until(sm, warp->failing_since, now - through->at);
	if (warp->failing && watched >= now && !(moves >> FAILING_SINCE & 1))
		until = MIN(until, watched);
	watched = watched_until(sm, warp_locks_spinning_since(&warp->locks), now - through->at);
	if (warp_locks_spins(&warp->locks) && watched >= now)
		until = MIN(until, watched);
	return until;
}

/* Whether all times have stayed or moved on by a period; finds out which, and until when it goes on. */
static bool times_repeat(Sm *sm, FastForward *through, Cycle now)
{
	const Cycle period = now - through->at;
	Cycle *times[WARP_TIMES], until = SIM_MAX_CYCLE;

	for (uint64_t left = resident_slots(sm); left; left &= left - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(left);

		times_of(&sm->warps[slot], times);
		through->moves[slot] = 0;
		for (uint32_t i = 0; i < WARP_TIMES; i++) {
			Cycle moved = *times[i] - through->times[slot][i];

			if (moved != 0 && moved != period)
				return false;
			through->moves[slot] |= (uint8_t)((moved != 0) << i);
		}
		/* What else could do something again and again is not in the snapshot. */
		if (through->moves[slot] && !tries(&sm->warps[slot]))
			return false;
		until = MIN(until, repeats_until(sm, slot, now));
	}
	through->period = period;
	through->until = until;
	return true;
}

static bool comes_back(Sm *sm, FastForward *through, Cycle now)
{
	snapshot_begin(&through->snapshot, true);
	if (!through->snapshot.never)
		take_snapshot(sm, now, &through->snapshot);
	return snapshot_equals(&through->snapshot) && times_repeat(sm, through, now);
}

/* Everything that is to happen from `now` on happens later by `by`, a number of periods. */
static void put_off(Sm *sm, const FastForward *through, Cycle now, Cycle by)
{
	Cycle *times[WARP_TIMES], last = sm->wheel.now;

	shared_shift(&sm->shared, now, by);
	for (uint32_t k = 0; k < sm->machine->sm.schedulers; k++)
		sm->scheduler_free[k] = MAX(sm->scheduler_free[k], now) + by;
	wheel_empty(&sm->wheel, last + by);
	for (uint64_t left = resident_slots(sm); left; left &= left - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(left);
		Warp *warp = &sm->warps[slot];

		if (tries(warp))
			atomic_shift(warp->way, &warp->atomic, now, by);
		times_of(warp, times);
		for (uint32_t i = 0; i < WARP_TIMES; i++)
			*times[i] += through->moves[slot] >> i & 1 ? by : 0;
		if (warp->phase == WARP_RUNNING && !(sm->ready >> slot & 1))
			wheel_add(&sm->wheel, slot, warp->since);
	}
}

static Cycle skip(Sm *sm, const FastForward *through, Cycle now, Cycle limit)
{
	const Cycle end = MIN(through->until, limit);
	const uint64_t n = end > now ? (end - now) / through->period : 0;

	if (n == 0)
		return now;
	put_off(sm, through, now, n * through->period);
	for (guint i = 0; i < through->increases->len; i++) {
		const Increase *increase = &g_array_index(through->increases, Increase, i);

		*increase->counter += n * increase->more;
	}
	return now + n * through->period;
}

Cycle fast_forward(Sm *sm, Cycle now, Cycle limit)
{
	FastForward *through = sm->fast_forward;
	const bool known = through->phase != SEEKING;

	if (!still_failing(sm, through) || (known && now >= through->until) ||
	    (through->phase == COUNTING && now > through->at + through->period)) {
		seek(sm, through, now);
		return now;
	}
	if (through->phase == COUNTING && now == through->at + through->period) {
		end_counting(sm, through);
		through->phase = REPEATING;
	}
	if (through->phase == REPEATING)
		return skip(sm, through, now, limit);
	if (through->phase == SEEKING) {
		if (now > through->at && comes_back(sm, through, now) &&
		    through->until > now + 3 * through->period) {
			begin_counting(sm, through);
			through->at = now;
			through->phase = COUNTING;
		} else if (++through->n_looks == through->n_renew) {
			write_down(sm, through, now);
			through->n_renew *= 2;
		}
	}
	return now;
}

void fast_forward_tried(Sm *sm, uint32_t slot, Cycle now)
{
	FastForward *through = sm->fast_forward;

	if (now <= sm->progress_at + FAST_FORWARD_AFTER_CYCLES || sm->context->observer ||
	    tries_elsewhere(&sm->warps[slot]))
		return;
	if (!through) {
		through = sm->fast_forward = g_new0(FastForward, 1);
		through->progress_at = NEVER;
		through->counted = g_array_new(FALSE, FALSE, sizeof(uint64_t));
		through->increases = g_array_new(FALSE, FALSE, sizeof(Increase));
	}
	if (slot != through->slot && ++through->n_others < MANY_TRIES)
		return;
	through->slot = slot;
	through->n_others = 0;
	sm->pause = true;
}

void fast_forward_woken(Sm *sm, Cycle at)
{
	FastForward *through = sm->fast_forward;

	/* Its whole wait is booked at once: a period that is being counted has that in it, and is no period. */
	if (through)
		through->until = through->phase == COUNTING ? 0 : MIN(through->until, at);
}

Cycle fast_forward_until(const Sm *sm)
{
	const FastForward *through = sm->fast_forward;
	Cycle until;

	if (!through || through->phase != REPEATING || !still_failing(sm, through))
		return 0;
	until = through->until;
	for (uint64_t left = sm->new_blocks; left; left &= left - 1)
		until = MIN(until, sm->blocks[__builtin_ctzll(left)].start);
	return until;
}

void fast_forward_clear(Sm *sm)
{
	if (!sm->fast_forward)
		return;
	snapshot_clear(&sm->fast_forward->snapshot);
	g_array_unref(sm->fast_forward->counted);
	g_array_unref(sm->fast_forward->increases);
	g_clear_pointer(&sm->fast_forward, g_free);
}

/* --- The watchdog --- */

bool watchdog_bites(const Sm *sm, Cycle since, Cycle now)
{
	const Cycle patience = sm->machine->sim.watchdog_cycles;

	since = MAX(since, sm->progress_at);
	if (now <= since + patience)
		return false;
	/* A warp whose wait ends, or ended, long after that had memory to wait for, and its turn now. */
	since += FAST_FORWARD_AFTER_CYCLES;
	for (uint64_t left = resident_slots(sm); left; left &= left - 1) {
		const Warp *warp = &sm->warps[__builtin_ctzll(left)];
		Cycle began = exec_in_atomic(warp) ? warp->record_since : warp->since;

		if (warp->phase == WARP_PARKED && warp->memory_wait != WAIT_NOTHING &&
		    !tries_elsewhere(warp))
			return false;
		if (warp->phase == WARP_RUNNING && !warp_locks_spins(&warp->locks) &&
		    began > since && now <= began + patience)
			return false;
	}
	return true;
}
