/* SPDX-License-Identifier: MIT */
/*
 * Atomics on shared memory: the mechanism says what each warp instruction costs.
 */
#include "sim/sm/busy.h"
#include "sim/sm/exec.h"
#include "sim/sm/exec-combine.h"
#include "sim/sm/fetch.h"
#include "sim/sm/fast-forward.h"

void exec_atomic_again(Sm *sm, uint32_t slot)
{
	Warp *warp = &sm->warps[slot];

	warp->atomic.number = warp->n_atomics++;
	warp->atomic.phase = 0;
	warp->atomic.round = 0;
	warp->atomic.round_failed = false;
	warp->in_record = true;
}

void exec_atomic_begin(Sm *sm, uint32_t slot, Operation operation, ValueType type, bool result)
{
	Warp *warp = &sm->warps[slot];
	const Record *record = &warp->record;
	Atomic *atomic = &warp->atomic;
	uint32_t base = warp->block->base_bytes;

	atomic->operation = operation;
	atomic->type = type;
	atomic->result = result;
	atomic->n_lanes = record->n_lanes;
	atomic->slot = (uint8_t)slot;
	atomic->may_trail = false;
	atomic->increment = false;
	atomic->tries_lock = warp->record.kind == RECORD_LOCK && !sm->machine->ideal.spin_locks;
	atomic->same = 0;
	atomic->block = warp->block->index;
	atomic->warp = warp->index;
	/* Used or not: the compiler makes vectors of a loop of fixed length. */
	for (uint32_t i = 0; i < MAX_LANES / 2; i++)
		atomic->word[i] = (base + record->address[i]) / 4;
	for (uint32_t i = MAX_LANES / 2; i < record->n_lanes; i++)
		atomic->word[i] = (base + record->address[i]) / 4;
	warp->instance = atomic_instance(&sm->atomics, operation, type);
	exec_atomic_again(sm, slot);
}

/* All lanes of the warp found their locks taken at `now`. Fails if that has gone on for too long while
   nobody else got on either. */
static void watch(Sm *sm, Warp *warp, Cycle now)
{
	if (!warp->failing)
		warp->failing_since = now;
	warp->failing = true;
	fast_forward_failed(sm, warp->atomic.slot, warp->failing_since, now);
}

/* What an observer gets of an atomic before a step. */
typedef struct {
	LaneMask lanes;
	uint32_t round;
} Tried;

static inline void count(Sm *sm, Warp *warp, Cycle now, const Step *step)
{
	/* Added where they are 0, too: that is sooner done than foreseen. Spin locks are no atomics of the program. */
	sm->sites[warp->record.site].failures +=
		sm->atomics.counters == &sm->atomic_counters ? step->failed : 0;
	if (step->winners) {
		warp->failing = false;
		if (!warp_locks_spins(&warp->locks))
			sm->progress_at = MAX(sm->progress_at, now);
	} else if (step->failed) {
		watch(sm, warp, step->start);
	}
}

/* The warp has been parked by the step. */
static void parked(Sm *sm, uint32_t slot, Cycle now, Step *step, const Tried *tried)
{
	g_assert(!step->done);
	if (sm->context->observer) {
		step->start = now;
		step->ready = 0;
		exec_notify_step(sm, slot, now, step, tried->lanes, tried->round, 0);
	}
	sm_park(sm, slot, now + sm->machine->sm.issue_cycles, STATE_RETRY);
}

/* The warp goes on before the step's result is there. */
static void run_ahead(Sm *sm, Warp *warp, Cycle now, Step *step)
{
	const Result result = {step->ready, warp->record.site,
			       delay_of(STATE_SHARED,
					step->ready - step->start - step->bank_cycles,
					step->bank_cycles)};

	if (warp->atomic.result)
		fetch_expect(sm, warp, &result, false);
	step->ready = exec_run_ahead(sm, now);
}

void exec_take_back_silent(Sm *sm, uint32_t slot)
{
	const SilentRun left = silent_run(sm->silent[slot], sm->atomics.issue_cycles);

	sm->statistics.warp_cycles[STATE_SHARED] -= left.first_cycles;
	sm->statistics.warp_cycles[STATE_RETRY] -= left.retry_cycles;
}

/* The warp issues these, before its mechanism is asked again. Their time is known before they issue. */
static inline void go_on_silently(Sm *sm, uint32_t slot, const SilentRun *run)
{
	sm->silent[slot] = run->silent;
	sm->statistics.warp_cycles[STATE_SHARED] += run->first_cycles;
	sm->statistics.warp_cycles[STATE_RETRY] += run->retry_cycles;
}

/* The same of a try at a spin lock: all that it takes is for a retry. */
static G_NO_INLINE void spin_on_silently(Sm *sm, uint32_t slot, const SilentRun *run)
{
	const SilentRun retried =
		silent_run(silent_retried(run->silent), sm->atomics.issue_cycles);

	go_on_silently(sm, slot, &retried);
}

/* Further passes of an attempt at spin locks are its lanes, one after the other: no conflict of banks that the cause of that name
   takes away, but of the locks. */
static inline void book_step(Sm *sm, const Warp *warp, Cycle now, const Step *step)
{
	exec_book(sm, now, step->start, step->ready, step->bank_cycles,
		  step->retry || warp_locks_spins(&warp->locks) ? STATE_RETRY : STATE_SHARED);
	if (G_UNLIKELY(warp->record.kind == RECORD_LOCK)) {
		sm->statistics.warp_cycles[STATE_BANK] -= step->bank_cycles;
		sm->statistics.warp_cycles[STATE_RETRY] += step->bank_cycles;
	}
}

static inline __attribute__((always_inline)) void take_step(Sm *sm, uint32_t slot, Cycle now,
							    bool in_flight, Step *step)
{
	Warp *warp = &sm->warps[slot];
	const Mechanism *mechanism = warp->instance->mechanism;
	const Cycle issued = now + sm->atomics.issue_cycles;
	const bool watched = sm->context->observer != NULL;
	const BankWork work = bank_work_begin(sm);
	Tried tried = {0};
	LaneMask swapped;
	Cycle done;

	if (G_UNLIKELY(watched)) {
		tried.round = (uint32_t)warp->atomic.round;
		tried.lanes = warp->atomic.round | warp->atomic.phase
				      ? warp->atomic.pending
				      : lanes_below(warp->atomic.n_lanes);
	}
	if (G_UNLIKELY(sm->turns != NULL))
		sm->atomics.swapped = exec_atomic_kept(sm, slot, &swapped);
	mechanism->step(&sm->atomics, warp->instance->state, &warp->atomic, now, step);
	if (G_UNLIKELY(sm->context->note_order != NULL))
		exec_atomic_note(sm, slot, step);
	exec_combine_at_bank(sm, warp->record.site);
	bank_work_end(sm, &work, &sm->sites[warp->record.site], mechanism->has_locks);
	if (G_UNLIKELY(step->parked)) {
		parked(sm, slot, now, step, &tried);
		return;
	}
	done = step->ready;
	g_assert(now <= step->start && MAX(step->start, issued) + step->bank_cycles <= done);
	if (step->silent && G_UNLIKELY(warp_locks_spins(&warp->locks)))
		spin_on_silently(sm, slot, step->silent);
	else if (step->silent)
		go_on_silently(sm, slot, step->silent);
	if (in_flight && mechanism->in_flight && fetch_runs_ahead(sm))
		run_ahead(sm, warp, now, step);
	else
		book_step(sm, warp, now, step);
	count(sm, warp, now, step);
	if (G_UNLIKELY(watched))
		exec_notify_step(sm, slot, now, step, tried.lanes, tried.round, done);
}

void exec_atomic_step(Sm *sm, uint32_t slot, Cycle now, bool in_flight, Step *step)
{
	take_step(sm, slot, now, in_flight, step);
}

/* The atomic is complete: its last instruction was issued at `now`, the warp goes on at `ready`. */
static void complete(Sm *sm, uint32_t slot, Cycle now, Cycle ready)
{
	Warp *warp = &sm->warps[slot];

	sm->atomic_uses |= 1u << (warp->instance - sm->atomics.instances);
	warp->after_loop = !warp->instance->mechanism->in_flight;
	if (sm->scoreboard.dataflow && !warp->instance->mechanism->in_flight)
		scoreboard_result(&sm->scoreboard, slot,
				  &(Result){ready, warp->record.site, DELAY_ALL(STATE_SHARED)});
	sm->progress_at = now;
	fetch_next(sm, slot, ready);
}

void exec_atomic_end(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];

	sm->silent[slot] = 0;
	sm->atomics.counters = &sm->atomic_counters;
	atomic_end(&sm->atomics, &warp->atomic);
	complete(sm, slot, now, now + sm->atomics.issue_cycles);
}

/* The next instruction of an atomic whose last round failed, if it begins one more of those. False: it is still to be
   carried out. */
static inline bool lose_again(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	SiteCounters *site = &sm->sites[warp->record.site];
	const BankWork work = bank_work_begin(sm);
	LostRound lost;

	if (!warp->instance->mechanism->lose(&sm->atomics, warp->instance->state, &warp->atomic,
					     now, &lost))
		return false;
	exec_book(sm, now, lost.start, lost.ready, lost.bank_cycles, STATE_RETRY);
	bank_work_end(sm, &work, site, warp->instance->mechanism->has_locks);
	site->failures += lost.failed;
	watch(sm, warp, lost.start);
	go_on_silently(sm, slot, lost.silent);
	warp->since = lost.ready;
	wheel_add(&sm->wheel, slot, lost.ready);
	return true;
}

/* The next instruction of an atomic, its first one if it has not begun. */
static void go_on(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	const Record *record = &warp->record;
	Step step;

	if (!warp->in_record || G_UNLIKELY(warp->combining)) {
		if (combine_is_on(sm, MEMORY_SHARED) &&
		    !exec_combine(sm, slot, MEMORY_SHARED, now))
			return;
		exec_atomic_begin(sm, slot, record->operation, record->type, record->result);
		if (G_UNLIKELY(sm->context->named != NULL) && record->mechanism)
			warp->instance = atomic_instance_named(
				&sm->atomics, sm->context->named[record->mechanism - 1]);
		warp->atomic.may_trail = true;
		if (warp->instance->mechanism->wants)
			exec_atomic_operands(sm, warp);
		sm->sites[record->site].lane_operations += record->n_lanes;
	}
	take_step(sm, slot, now, true, &step);
	if (step.parked)
		return;
	if (step.done) {
		complete(sm, slot, now, step.ready);
		return;
	}
	warp->since = step.ready;
	wheel_add(&sm->wheel, slot, step.ready);
}

void exec_atomic(Sm *sm, uint32_t slot, Cycle now)
{
	const Warp *warp = &sm->warps[slot];

	sm->atomics.counters = &sm->atomic_counters;
	if (!(warp->in_record && warp->atomic.round_failed && lose_again(sm, slot, now)))
		go_on(sm, slot, now);
}
