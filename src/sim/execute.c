/* SPDX-License-Identifier: MIT */
/*
 * What each warp instruction does to its SM.
 *
 * Modelled: in-order issue, each instruction of a warp waiting for the one before; arithmetic as
 * a dependent chain (alu_latency_cycles, "about 22 cycles", CUDA C Programming Guide 4.2, 5.2.3);
 * a barrier unit that takes barrier_cycles a warp ("16 operations per clock cycle", same place,
 * 5.4.3); global memory as a latency and this SM's even share of the bandwidth, stores not waited
 * for, nor atomics on it.
 * Assumed: a spin lock's exchange finds the lock as it is when the atomic ends; its release
 * counts from the issue of the store.
 * Not modelled: instruction fetch, dual issue, caches, the order of DRAM pages.
 */
#include "sim/sm.h"

#include <glib.h>

/* Books the time from an issue to `ready`, which is not before its slot is over: the queue until
   `start`, bank conflicts, and the rest as `latency`. The issue itself is booked at the end, for all
   instructions at once. */
static inline void book(Sm *sm, Cycle now, Cycle start, Cycle ready, uint32_t bank_cycles,
			WarpState latency)
{
	Cycle issued = now + sm->machine->sm.issue_cycles;
	Cycle served = MAX(start, issued);
	uint64_t *cycles = sm->statistics.warp_cycles;

	cycles[STATE_QUEUE] += served - issued;
	cycles[STATE_BANK] += bank_cycles;
	cycles[latency] += ready - served - bank_cycles;
}

static void observe(const Sm *sm, uint32_t slot, const char *name, Cycle now, Cycle start,
		    Cycle ready, uint32_t winners)
{
	Observer *observer = sm->context->observer;
	const Warp *warp = &sm->warps[slot];
	Instruction instruction = {
		.sm = sm->id,
		.slot = slot,
		.block = warp->block->index,
		.warp = warp->index,
		.record = &warp->record,
		.name = name,
		.issue = now,
		.start = start,
		.ready = ready,
		.base_word = warp->block->base_bytes / 4,
		.winners = winners,
	};

	observer->instruction(observer, &instruction);
}

static void arithmetic(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	Cycle ready = now + sm->machine->sm.alu_latency_cycles;

	if (!warp->in_record) {
		warp->in_record = true;
		warp->left = record_instructions(&warp->record,
						 sm->context->source->kernel.dataflow);
	}
	book(sm, now, now, ready, 0, STATE_ARITHMETIC);
	if (--warp->left == 0) {
		sm_continue(sm, slot, ready);
		return;
	}
	warp->since = ready;
	wheel_add(&sm->wheel, slot, ready);
}

/* Words of the SM's shared memory that a load or store touches, at most 128. */
static uint32_t touched_words(const Warp *warp, uint32_t *words)
{
	const Record *record = &warp->record;
	uint32_t base = warp->block->base_bytes, n = 0;

	for (uint32_t i = 0; i < record->n_lanes; i++)
		for (uint32_t byte = 0; byte < record->width; byte += 4)
			words[n++] = (base + record->address[i] + byte) / 4;
	return n;
}

/* Where a warp runs ahead of its results: it goes on when the access just made has a place in the
   queue, and its result is there at `result_at` (0: it has none). Returns when it goes on. */
static Cycle run_ahead(Sm *sm, Warp *warp, Cycle now, Cycle result_at)
{
	Cycle ready = MAX(now + sm->machine->sm.issue_cycles, sm->shared.queued_at);

	warp->results_at = MAX(warp->results_at, result_at);
	book(sm, now, ready, ready, 0, STATE_QUEUE);
	return ready;
}

static Cycle load_store(Sm *sm, Warp *warp, Cycle now, Cycle *start)
{
	const SharedParameters *p = &sm->machine->shared;
	uint32_t words[TRACE_MAX_LANES * SHARED_MAX_LANE_WORDS], worst_bank;
	uint32_t n = touched_words(warp, words);
	uint32_t passes = shared_degree(&sm->shared, words, n, &worst_bank);
	uint32_t bank_cycles;
	Cycle ready;

	*start = shared_access(&sm->shared, now, passes, worst_bank);
	bank_cycles = sm->shared.bank_cycles;
	ready = *start + bank_cycles +
		(warp->record.kind == RECORD_LDS ? p->load_cycles : p->store_cycles);
	sm->sites[warp->record.site].passes += passes - 1;
	if (sm->machine->sm.scoreboard && warp->record.kind == RECORD_LDS)
		warp->loads_at = MAX(warp->loads_at, ready);
	if (sm->machine->sm.scoreboard && warp->record.kind != RECORD_UNLOCK)
		return run_ahead(sm, warp, now, warp->record.kind == RECORD_LDS ? ready : 0);
	book(sm, now, *start, ready, bank_cycles, STATE_SHARED);
	return ready;
}

static Cycle global(Sm *sm, Warp *warp, Cycle now)
{
	const Machine *machine = sm->machine;
	uint64_t segments = warp->record.count;
	Cycle ready = now + machine->sm.issue_cycles;

	sm->statistics.global_segments += segments;
	sm->global_free = MAX(sm->global_free, now * 1024) + segments * sm->segment_time;
	/* Stores, and atomics as reductions, leave their warp free; their bytes still take time. */
	if (warp->record.kind == RECORD_LDG)
		ready = MAX(ready, sm->global_free / 1024 + machine->global.latency_cycles);
	if (machine->sm.scoreboard && warp->record.kind == RECORD_LDG) {
		warp->global_at = warp->loads_at = MAX(warp->loads_at, ready);
		warp->results_at = MAX(warp->results_at, ready);
		ready = now + machine->sm.issue_cycles;
	}
	book(sm, now, now, ready, 0, STATE_GLOBAL);
	return ready;
}

static void barrier(Sm *sm, uint32_t slot, Cycle now)
{
	const SmParameters *p = &sm->machine->sm;
	Warp *warp = &sm->warps[slot];
	ResidentBlock *block = warp->block;

	sm->barrier_free = MAX(sm->barrier_free, now) + p->barrier_cycles;
	block->barrier_at = sm->barrier_free;
	warp->phase = WARP_BARRIER;
	warp->since = now;
	if (++block->n_at_barrier == block->n_live)
		sm_release_barrier(sm, block, now);
}

void sm_release_barrier(Sm *sm, ResidentBlock *block, Cycle now)
{
	const SmParameters *p = &sm->machine->sm;
	Cycle release =
		MAX(block->barrier_at + p->barrier_latency_cycles, now + p->issue_cycles);

	block->n_at_barrier = 0;
	for (uint64_t left = block->slots; left; left &= left - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(left);
		Warp *warp = &sm->warps[slot];

		if (warp->phase != WARP_BARRIER)
			continue;
		warp->phase = WARP_RUNNING;
		book(sm, warp->since, warp->since, release, 0, STATE_BARRIER);
		sm_continue(sm, slot, release);
	}
}

/* Whether nobody is left who could release a spin lock: every warp of the block that has not ended
   waits at a barrier or for a lock that is held. */
static bool deadlocked(const Sm *sm, const ResidentBlock *block)
{
	for (uint64_t left = block->slots; left; left &= left - 1) {
		const Warp *warp = &sm->warps[__builtin_ctzll(left)];
		bool waits = warp->phase != WARP_RUNNING;

		for (uint32_t i = 0; warp->spinning && i < warp->record.n_lanes; i++)
			waits |= sm->spin_holder[(block->base_bytes + warp->record.address[i]) /
						 4] != 0;
		if (!waits)
			return false;
	}
	return true;
}

/* The exchange of a spin lock is done: did every lane find its lock free? */
static bool acquire(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	const Atomic *atomic = &warp->atomic;
	bool free = true;

	if (!sm->spin_holder)
		sm->spin_holder = g_new0(uint8_t, sm->context->banks.n_words);
	for (uint32_t i = 0; i < atomic->n_lanes; i++)
		free &= sm->spin_holder[atomic->word[i]] == 0;
	for (uint32_t i = 0; free && i < atomic->n_lanes; i++) {
		if (sm->spin_holder[atomic->word[i]])
			sm_fail(sm, SIM_BAD_RECORD, warp,
				"two lanes of one record take the same spin lock", now);
		sm->spin_holder[atomic->word[i]] = (uint8_t)(slot + 1);
	}
	sm->statistics.spin_attempts++;
	if (!free && !warp->spinning)
		warp->spinning_since = now;
	warp->spinning = !free;
	if (!free && deadlocked(sm, warp->block))
		sm_fail(sm, SIM_DEADLOCK, warp, NULL, now);
	return free;
}

static bool is_increment(const Record *record)
{
	bool ones = record->operation == OPERATION_ADD && !record->result;

	for (uint32_t i = 0; ones && record->has_values && i < record->n_lanes; i++)
		ones = record->value[i] == 1;
	return ones;
}

static void begin_atomic(Sm *sm, uint32_t slot)
{
	Warp *warp = &sm->warps[slot];
	const Record *record = &warp->record;
	Atomic *atomic = &warp->atomic;
	uint32_t base = warp->block->base_bytes;
	bool lock = record->kind == RECORD_LOCK;

	atomic->operation = lock ? OPERATION_EXCH : record->operation;
	atomic->type = lock ? TYPE_U32 : record->type;
	atomic->result = lock || record->result;
	atomic->n_lanes = record->n_lanes;
	atomic->slot = (uint8_t)slot;
	atomic->block = warp->block->index;
	atomic->warp = warp->index;
	atomic->number = warp->n_atomics++;
	warp->way = atomic_way(&sm->atomics, atomic->operation, atomic->type);
	atomic->increment =
		warp->way->mechanism->wants_increment && !lock && is_increment(record);
	atomic->phase = 0;
	atomic->round = 0;
	/* All 32, used or not: the compiler makes vectors of a loop of fixed length. */
	for (uint32_t i = 0; i < TRACE_MAX_LANES; i++)
		atomic->word[i] = (base + record->address[i]) / 4;
	warp->in_record = true;
	if (!warp->spinning)
		sm->sites[record->site].lane_operations += record->n_lanes;
}

/* All lanes of the warp found their locks taken at `now`. Fails if that has gone on for too long while
   nobody else got on either. */
static void watch(Sm *sm, Warp *warp, Cycle now)
{
	if (!warp->failing)
		warp->failing_since = now;
	warp->failing = true;
	if (now > MAX(sm->progress_at, warp->failing_since) + sm->machine->sim.watchdog_cycles)
		sm_fail(sm, SIM_LIVELOCK, warp, NULL, now);
}

static void atomic(Sm *sm, uint32_t slot, Cycle now)
{
	const Machine *machine = sm->machine;
	Warp *warp = &sm->warps[slot];
	Step step;

	if (!warp->in_record)
		begin_atomic(sm, slot);
	sm->atomics.counters =
		warp->record.kind == RECORD_LOCK ? &sm->spin_counters : &sm->atomic_counters;
	warp->way->mechanism->step(&sm->atomics, warp->way->state, &warp->atomic, now, &step);
	if (G_UNLIKELY(step.parked)) {
		g_assert(!step.done);
		warp->phase = WARP_PARKED;
		warp->since = now + machine->sm.issue_cycles;
		return;
	}
	g_assert(now <= step.start &&
		 MAX(step.start, now + machine->sm.issue_cycles) + step.bank_cycles <=
			 step.ready);
	if (machine->sm.scoreboard && warp->way->mechanism->in_flight &&
	    warp->record.kind == RECORD_ATOM)
		step.ready = run_ahead(sm, warp, now, warp->atomic.result ? step.ready : 0);
	else
		book(sm, now, step.start, step.ready, step.bank_cycles,
		     step.retry || warp->spinning ? STATE_RETRY : STATE_SHARED);
	if (step.bank_cycles | step.failed) {
		SiteCounters *site = &sm->sites[warp->record.site];

		site->passes += step.passes ? step.passes - 1 : 0;
		site->failures += step.failed;
	}
	if (G_UNLIKELY(sm->context->observer))
		observe(sm, slot, step.name, now, step.start, step.ready, step.winners);

	if (step.done && (warp->record.kind == RECORD_ATOM || acquire(sm, slot, now))) {
		sm->progress_at = now;
		sm_continue(sm, slot, step.ready);
		return;
	}
	if (step.winners) {
		warp->failing = false;
		if (!warp->spinning)
			sm->progress_at = now;
	} else if (step.failed) {
		watch(sm, warp, step.start);
	}
	if (step.done)
		warp->in_record = false; /* spin: the exchange again */
	warp->since = step.ready;
	wheel_add(&sm->wheel, slot, step.ready);
}

static void unlock(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];

	for (uint32_t i = 0; i < warp->record.n_lanes; i++) {
		uint32_t word = (warp->block->base_bytes + warp->record.address[i]) / 4;

		if (!sm->spin_holder || sm->spin_holder[word] != slot + 1)
			sm_fail(sm, SIM_BAD_RECORD, warp,
				"unlock of a spin lock that this warp does not hold", now);
		else
			sm->spin_holder[word] = 0;
	}
}

void sm_execute(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	const Record *record = &warp->record;
	uint8_t kind = record->kind;
	Cycle start = now, ready;

	sm->statistics.warp_cycles[STATE_READY] += now - warp->since;
	if (!warp->in_record && !warp->spinning) {
		const Dataflow *dataflow = sm->context->source->kernel.dataflow;

		sm->statistics.trace_records++;
		sm->statistics.records[kind]++;
		sm->statistics.trace_warp_instructions += record_instructions(record, dataflow);
		if (sm->context->source->kernel.warp_lanes > TRACE_MAX_LANES ||
		    (kind == RECORD_LOCK && sm->context->source->kernel.lock_sections) ||
		    (kind == RECORD_BAR && (record->arrives || record->barrier)))
			sm_fail(sm, SIM_BAD_RECORD, warp,
				"this replay knows no such record yet: version 2's locks, "
				"named "
				"barriers, warps of 64 lanes",
				now);
	}
	switch (kind) {
	case RECORD_ATOM:
	case RECORD_LOCK:
		atomic(sm, slot, now);
		return;
	case RECORD_ALU:
	case RECORD_UNKNOWN:
	case RECORD_CODE:
	case RECORD_SHFL:
	case RECORD_VOTE:
	case RECORD_FENCE:
		if (sm->context->observer)
			observe(sm, slot, "alu", now, now,
				now + sm->machine->sm.alu_latency_cycles, 0);
		sm->progress_at = now;
		arithmetic(sm, slot, now);
		return;
	case RECORD_BAR:
		if (sm->context->observer)
			observe(sm, slot, "bar", now, now, 0, 0);
		barrier(sm, slot, now);
		return;
	case RECORD_EXIT:
		ready = now + sm->machine->sm.issue_cycles;
		if (sm->context->observer)
			observe(sm, slot, "exit", now, now, ready, 0);
		sm->sites[record->site].cycles += ready - warp->record_since;
		sm_end_warp(sm, slot, ready);
		return;
	case RECORD_UNLOCK:
		unlock(sm, slot, now);
		ready = load_store(sm, warp, now, &start);
		break;
	case RECORD_LDS:
	case RECORD_STS:
		ready = load_store(sm, warp, now, &start);
		break;
	default:
		ready = global(sm, warp, now);
	}
	if (sm->context->observer)
		observe(sm, slot, record_kind_names[kind], now, start, ready, 0);
	sm->progress_at = now;
	sm_continue(sm, slot, ready);
}
