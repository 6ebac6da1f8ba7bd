/* SPDX-License-Identifier: MIT */
#include "sim/sm/fast-forward.h"

#include <glib.h>
#include <string.h>

#include "sim/sm/fast-forward-state.h"

/* The attempts of another warp are followed when so many of others come between two of the one that is. */
#define MANY_ATTEMPTS 1024

typedef enum {
	SEEKING,   /* a state that recurs */
	COUNTING,  /* it has recurred: what is counted in a period? */
	REPEATING, /* known until `until` */
} Phase;

typedef struct {
	uint64_t *counter;
	uint64_t more; /* in each period */
} Increase;

struct FastForward {
	Phase phase;
	uint32_t slot; /* of the warp whose attempts are followed */
	uint32_t n_others;
	uint64_t n_looks,
		n_renew; /* comparisons since the state was recorded; until it is recorded again */
	/* While these stay the same no warp has made progress. */
	Cycle progress_at;
	uint64_t n_records, n_arrived;
	/* The state. */
	Cycle at;
	Snapshot snapshot;
	Cycle times[MAX_WARP_SLOTS][WARP_TIMES];
	/* From COUNTING on. */
	Cycle period, until;
	uint8_t moves[MAX_WARP_SLOTS]; /* bit i: time i of the slot's warp */
	GArray *counted;	       /* uint64_t */
	GArray *increases;	       /* Increase */
};

/* --- What is counted --- */

static void begin_counting(Sm *sm, FastForward *forward)
{
	StateCounters counters[STATE_COUNTERS];
	size_t n = state_counters(sm, counters);

	g_array_set_size(forward->counted, 0);
	for (size_t c = 0; c < n; c++)
		g_array_append_vals(forward->counted, counters[c].first, (guint)counters[c].n);
}

static void end_counting(Sm *sm, FastForward *forward)
{
	StateCounters counters[STATE_COUNTERS];
	size_t n = state_counters(sm, counters);
	const uint64_t *before = (const uint64_t *)(void *)forward->counted->data;

	g_array_set_size(forward->increases, 0);
	for (size_t c = 0; c < n; c++)
		for (size_t i = 0; i < counters[c].n; i++, before++) {
			Increase increase = {&counters[c].first[i],
					     counters[c].first[i] - *before};

			if (increase.more)
				g_array_append_val(forward->increases, increase);
		}
}

/* --- Periods --- */

static bool still_failing(const Sm *sm, const FastForward *forward)
{
	return forward->progress_at == sm->progress_at &&
	       forward->n_records == sm->statistics.trace_records &&
	       forward->n_arrived == sm->n_arrived;
}

static void record_state(Sm *sm, FastForward *forward, Cycle now)
{
	Cycle *times[WARP_TIMES];

	forward->at = now;
	forward->n_looks = 0;
	snapshot_begin(&forward->snapshot, false);
	state_snapshot(sm, now, &forward->snapshot);
	for (uint64_t left = state_slots(sm); left; left &= left - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(left);

		state_times(&sm->warps[slot], times);
		for (uint32_t i = 0; i < WARP_TIMES; i++)
			forward->times[slot][i] = *times[i];
	}
}

static void seek(Sm *sm, FastForward *forward, Cycle now)
{
	forward->phase = SEEKING;
	forward->progress_at = sm->progress_at;
	forward->n_records = sm->statistics.trace_records;
	forward->n_arrived = sm->n_arrived;
	forward->n_renew = 1;
	record_state(sm, forward, now);
}

/*
 * When the watchdog may end the run because of this warp, which has failed, or found its lock taken, since then, or no longer is held
 * off by it; less a period: it goes by when accesses start, which is less than that after their issue. NEVER: that was before.
 */
static Cycle watched_until(const Sm *sm, Cycle since, Cycle now)
{
	const Cycle period = now - sm->fast_forward->at;
	const Cycle ends = MAX(since, sm->progress_at) + sm->machine->sim.watchdog_cycles;

	return ends < now ? NEVER : ends - MIN(ends, period);
}

/* Until when a warp does nothing but what it did in a period. */
static Cycle repeats_until(const Sm *sm, uint32_t slot, Cycle now)
{
	const FastForward *forward = sm->fast_forward;
	const Warp *warp = &sm->warps[slot];
	const uint8_t moves = forward->moves[slot];
	const bool spins = warp_locks_spins(&warp->locks);
	Cycle until = SIM_MAX_CYCLE;

	/* Due, and has taken no part. */
	if (warp->phase == WARP_RUNNING && warp->since >= now && !(moves >> SINCE & 1))
		until = MIN(until, warp->since);
	/* One that got a lock in each period, though not all, has its patience again. */
	if (warp->failing && !(moves >> FAILING_SINCE & 1))
		until = MIN(until, watched_until(sm, warp->failing_since, now));
	if (spins)
		until = MIN(until,
			    watched_until(sm, warp_locks_spinning_since(&warp->locks), now));
	else if (warp->phase == WARP_RUNNING)
		until = MIN(until, watched_until(sm, watchdog_began(warp), now));
	return until;
}

/* Whether all times have stayed or moved on by a period; finds out which, and until when it goes on. */
static bool times_repeat(Sm *sm, FastForward *forward, Cycle now)
{
	const Cycle period = now - forward->at;
	Cycle *times[WARP_TIMES], until = SIM_MAX_CYCLE;

	for (uint64_t left = state_slots(sm); left; left &= left - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(left);

		state_times(&sm->warps[slot], times);
		forward->moves[slot] = 0;
		for (uint32_t i = 0; i < WARP_TIMES; i++) {
			Cycle moved = *times[i] - forward->times[slot][i];

			if (moved != 0 && moved != period)
				return false;
			forward->moves[slot] |= (uint8_t)((moved != 0) << i);
		}
		/* What else could do something again and again is not in the snapshot. */
		if (forward->moves[slot] && !state_tries(&sm->warps[slot]))
			return false;
		until = MIN(until, repeats_until(sm, slot, now));
	}
	forward->period = period;
	forward->until = until;
	return true;
}

static bool recurs(Sm *sm, FastForward *forward, Cycle now)
{
	snapshot_begin(&forward->snapshot, true);
	if (!forward->snapshot.never)
		state_snapshot(sm, now, &forward->snapshot);
	return snapshot_equals(&forward->snapshot) && times_repeat(sm, forward, now);
}

/* Everything that is to happen from `now` on happens later by `by`, a number of periods. */
static void put_off(Sm *sm, const FastForward *forward, Cycle now, Cycle by)
{
	Cycle *times[WARP_TIMES], last = sm->wheel.now;

	state_put_off_units(sm, now, by);
	wheel_empty(&sm->wheel, last + by);
	for (uint64_t left = state_slots(sm); left; left &= left - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(left);
		Warp *warp = &sm->warps[slot];

		if (state_tries(warp))
			atomic_shift(warp->instance, &warp->atomic, now, by);
		state_times(warp, times);
		for (uint32_t i = 0; i < WARP_TIMES; i++)
			*times[i] += forward->moves[slot] >> i & 1 ? by : 0;
		if (warp->phase == WARP_RUNNING && !(sm->ready >> slot & 1))
			wheel_add(&sm->wheel, slot, warp->since);
	}
}

static Cycle skip(Sm *sm, const FastForward *forward, Cycle now, Cycle limit)
{
	const Cycle end = MIN(forward->until, limit);
	const uint64_t n = end > now ? (end - now) / forward->period : 0;

	if (n == 0)
		return now;
	put_off(sm, forward, now, n * forward->period);
	for (guint i = 0; i < forward->increases->len; i++) {
		const Increase *increase = &g_array_index(forward->increases, Increase, i);

		*increase->counter += n * increase->more;
	}
	return now + n * forward->period;
}

Cycle fast_forward(Sm *sm, Cycle now, Cycle limit)
{
	FastForward *forward = sm->fast_forward;
	const bool known = forward->phase != SEEKING;

	if (!still_failing(sm, forward) || (known && now >= forward->until) ||
	    (forward->phase == COUNTING && now > forward->at + forward->period)) {
		seek(sm, forward, now);
		return now;
	}
	if (forward->phase == COUNTING && now == forward->at + forward->period) {
		end_counting(sm, forward);
		forward->phase = REPEATING;
	}
	if (forward->phase == REPEATING)
		return skip(sm, forward, now, limit);
	if (forward->phase == SEEKING) {
		if (now > forward->at && recurs(sm, forward, now) &&
		    forward->until > now + 3 * forward->period) {
			begin_counting(sm, forward);
			forward->at = now;
			forward->phase = COUNTING;
		} else if (++forward->n_looks == forward->n_renew) {
			record_state(sm, forward, now);
			forward->n_renew *= 2;
		}
	}
	return now;
}

void fast_forward_tried(Sm *sm, uint32_t slot, Cycle now)
{
	FastForward *forward = sm->fast_forward;

	if (now <= sm->progress_at + FAST_FORWARD_AFTER_CYCLES || sm->context->observer ||
	    sm->turns || sm->context->note_order || state_tries_elsewhere(&sm->warps[slot]))
		return;
	if (!forward) {
		forward = sm->fast_forward = g_new0(FastForward, 1);
		forward->progress_at = NEVER;
		forward->counted = g_array_new(FALSE, FALSE, sizeof(uint64_t));
		forward->increases = g_array_new(FALSE, FALSE, sizeof(Increase));
	}
	if (slot != forward->slot && ++forward->n_others < MANY_ATTEMPTS)
		return;
	forward->slot = slot;
	forward->n_others = 0;
	sm->pause = true;
}

void fast_forward_woken(Sm *sm, Cycle at)
{
	FastForward *forward = sm->fast_forward;

	/* Its whole wait is booked at once: a period that is being counted has that in it, and is no period. */
	if (forward)
		forward->until = forward->phase == COUNTING ? 0 : MIN(forward->until, at);
}

Cycle fast_forward_until(const Sm *sm)
{
	const FastForward *forward = sm->fast_forward;
	Cycle until;

	if (!forward || forward->phase != REPEATING || !still_failing(sm, forward))
		return 0;
	until = forward->until;
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
