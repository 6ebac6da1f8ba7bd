/* SPDX-License-Identifier: MIT */
#include "sim/sm/sm.h"

#include <glib.h>
#include <string.h>

#include "sim/sm/barriers.h"
#include "sim/sm/blocks.h"
#include "sim/sm/residency.h"
#include "sim/sm/busy.h"
#include "sim/sm/combine-state.h"
#include "sim/sm/events.h"
#include "sim/sm/exec.h"
#include "sim/sm/fetch.h"
#include "sim/sm/fast-forward.h"

#define SEGMENT_BYTES 128

/* AtomicUnit.wake. */
static void wake(void *sm, uint32_t slot, Cycle at)
{
	sm_wake(sm, slot, at);
}

/* How long a segment takes, in 1/1024 cycle, of the SM's even share of the GPU's bandwidth: bytes * MHz
   / (MB/s / SMs) cycles; or of the SM's way to the memory. */
static uint64_t segment_time(const Machine *machine, const RecordSource *source)
{
	uint32_t port = machine->global.sm_bytes_per_cycle;
	uint64_t n_sms = machine_launch_sms(machine), share, own = 0;

	if (machine->ideal.global_bandwidth)
		return 0;
	if (port > 0 && source->kernel.dataflow) {
		n_sms = MIN(n_sms, MAX(source->n_blocks, 1));
		own = (uint64_t)SEGMENT_BYTES * 1024 / port;
	}
	share = (uint64_t)SEGMENT_BYTES * machine->clock_mhz * n_sms * 1024 /
		machine->global.bandwidth_mb_per_s;
	return MAX(share, own);
}

void sm_init(Sm *sm, const RunContext *context, uint32_t id)
{
	const SmParameters *p = &context->machine->sm;

	sm->context = context;
	sm->machine = context->machine;
	sm->id = id;
	wheel_init(&sm->wheel);
	for (uint32_t k = 0; k < p->schedulers; k++) {
		scheduler_init(p->scheduler, &sm->schedulers[k], k, p->schedulers, p->own,
			       sm->age);
	}
	sm->free_slots = UINT64_MAX >> (MAX_WARP_SLOTS - p->max_warps);
	sm->sites = g_malloc0((context->n_sites + 1) * sizeof *sm->sites + SM_APART);
}

/* What it needs to run. */
static void sm_open(Sm *sm)
{
	const RunContext *context = sm->context;
	const Machine *machine = context->machine;
	const SmParameters *p = &machine->sm;

	sm->open = true;
	wheel_open(&sm->wheel);
	scoreboard_init(&sm->scoreboard, context->source->kernel.dataflow, machine->issue,
			&context->issue_table, p->schedulers);
	sm->scoreboard.pends = context->memory != NULL;
	fetch_open(sm);
	shared_init(&sm->shared, &machine->shared, &machine->ideal, &context->banks);
	sm->atomics = (AtomicUnit){
		.parameters = &machine->atomic,
		.issue_cycles = p->issue_cycles,
		.seed = context->seed,
		.dataflow = context->source->kernel.dataflow != NULL,
		.watched = context->observer != NULL,
		.shared = &sm->shared,
		.lock_map = context->lock_map.lock_of ? &context->lock_map : NULL,
		.wake = wake,
		.sm = sm,
	};
	atomic_unit_init(&sm->atomics);
	l1_init(&sm->l1, residency_l1_bytes(machine, context->source), machine->global.l1_ways);
	locks_init(&sm->locks, context->banks.n_words);
	if (context->keep_order)
		sm->turns = turns_new(context->order);
	busy_begin(sm);
	fences_init(&sm->fences);
	combine_init(sm);
	sm->segment_time = segment_time(machine, context->source);
	sm->warps = context->memory
			    ? arena_take(context->arena, p->max_warps * sizeof *sm->warps)
			    : g_new(Warp, p->max_warps);
}

static void sm_close(Sm *sm)
{
	sm->open = false;
	sm->failures = g_steal_pointer(&sm->shared.failures);
	for (uint64_t left = sm->used_blocks; left; left &= left - 1)
		barriers_clear(&sm->blocks[__builtin_ctzll(left)]);
	for (uint64_t left = sm->used_slots; left; left &= left - 1) {
		Warp *warp = &sm->warps[__builtin_ctzll(left)];

		if (warp->stream)
			warp->stream->close(warp->stream);
		warp_locks_clear(&warp->locks);
		wait_loop_free(warp->wait_loop);
		g_free(warp->global);
	}
	sm->used_blocks = sm->used_slots = 0;
	if (!sm->context->memory)
		g_free(sm->warps);
	scoreboard_clear(&sm->scoreboard);
	shared_clear(&sm->shared);
	atomic_unit_clear(&sm->atomics);
	combine_clear(sm);
	l1_clear(&sm->l1);
	misses_clear(&sm->misses);
	locks_clear(&sm->locks);
	fast_forward_clear(sm);
	wheel_clear(&sm->wheel);
	g_clear_pointer(&sm->turns, g_free);
}

void sm_clear(Sm *sm)
{
	for (uint32_t k = 0; k < sm->machine->sm.schedulers; k++)
		scheduler_clear(&sm->schedulers[k]);
	meter_free(sm->meter);
	g_free(sm->failures);
	g_free(sm->sites);
	g_free(sm->combined_sites);
}

/* When scheduler k can issue one of its ready warps. */
static Cycle can_issue(const Sm *sm, uint32_t k, uint64_t ready)
{
	Cycle at = sm->scheduler_free[k], pipe = NEVER;

	if (sm->scoreboard.dataflow &&
	    !scoreboard_eligible(&sm->scoreboard, k, ready, at, &pipe))
		return pipe;
	return at;
}

Cycle sm_next(Sm *sm)
{
	Cycle next = wheel_first(&sm->wheel);

	for (uint64_t left = sm->new_blocks; left; left &= left - 1)
		next = MIN(next, sm->blocks[__builtin_ctzll(left)].start);
	for (uint32_t k = 0; k < sm->machine->sm.schedulers; k++)
		if (sm->ready & sm->schedulers[k].slots)
			next = MIN(next, can_issue(sm, k, sm->ready & sm->schedulers[k].slots));
	return next;
}

Cycle sm_next_change(Sm *sm)
{
	return MAX(sm_next(sm), fast_forward_until(sm));
}

static void bring(const void *from, const void *to)
{
	for (const char *line = from; line < (const char *)to; line += HOST_LINE_BYTES)
		__builtin_prefetch(line, 1);
}

void sm_bring_own(const Sm *sm)
{
	bring(&sm->wheel, &sm->wheel.far_at);
	bring(&sm->ready, &sm->scoreboard);
	bring(&sm->silent, sm->age);
	bring(&sm->used_blocks, &sm->ends);
	bring(&sm->n_ends, &sm->statistics.resident_warp_cycles);
}

/* All that a warp begins with. */
static void bring_new(const Sm *sm, uint64_t slots)
{
	for (uint64_t left = slots; left; left &= left - 1) {
		const Warp *warp = &sm->warps[__builtin_ctzll(left)];

		bring(warp, (const char *)warp + 2 * HOST_LINE_BYTES);
		bring(&warp->result, &warp->fence + 1);
	}
}

static uint64_t due_before(const Sm *sm, Cycle limit)
{
	return sm->ready | wheel_due_before(&sm->wheel, limit);
}

void sm_bring_warps(const Sm *sm, Cycle limit)
{
	if (!sm->open)
		return;
	for (uint64_t left = sm->new_blocks; left; left &= left - 1)
		bring_new(sm, sm->blocks[__builtin_ctzll(left)].slots);
	for (uint64_t left = due_before(sm, limit); left; left &= left - 1) {
		const char *warp = (const char *)&sm->warps[__builtin_ctzll(left)];

		bring(warp, warp + 2 * HOST_LINE_BYTES);
	}
}

void sm_bring_streams(const Sm *sm, Cycle limit)
{
	uint64_t left = sm->open ? due_before(sm, limit) : 0;

	for (; left; left &= left - 1)
		__builtin_prefetch(sm->warps[__builtin_ctzll(left)].stream, 1);
}

void sm_run_until(Sm *sm, Cycle limit)
{
	Cycle now;

	if (!sm->open)
		sm_open(sm);
	blocks_start(sm);
	now = busy_start(sm, sm_next(sm), limit);
	while (now < limit && sm->status == SIM_OK) {
		if (G_UNLIKELY(now >= sm->look_at))
			busy_look(sm, now);
		sm->pause = false;
		now = events_run(sm, now, MIN(limit, sm->look_at));
		if (now < limit && sm->pause && sm->status == SIM_OK)
			now = busy_fast_forward(sm, now, limit);
	}
}

void sm_end(Sm *sm)
{
	for (uint64_t left = sm->used_blocks; left; left &= left - 1) {
		const ResidentBlock *block = &sm->blocks[__builtin_ctzll(left)];

		sm_fail(sm, SIM_DEADLOCK, &sm->warps[__builtin_ctzll(block->slots)], NULL,
			sm->wheel.now);
	}
}

/* When the memory side is through with the SM. Where the trace says what waits for what, a store is done when it has
   left: nobody counts its acknowledgement (fills of a few stores in counted-launches.csv). */
static Cycle memory_end(const Sm *sm)
{
	if (!sm->context->memory || !sm->scoreboard.dataflow)
		return sm->memory_at;
	return memory_sent_at(sm->context->memory, sm->id);
}

/* When all that its warps have left in queues is done. The kernel is not over before, though its last block is. */
static Cycle drained_at(const Sm *sm)
{
	Cycle at = MAX(shared_drained_at(&sm->shared), sm->stores.free);

	at = MAX(at, sm->lines_free);
	at = MAX(at, sm->global_free + (sm->global_rest > 0));
	return MAX(at, memory_end(sm));
}

void sm_finish(Sm *sm)
{
	Statistics *s = &sm->statistics;

	if (!sm->open) /* finished already, or has never run */
		return;
	/* Each executed instruction kept its scheduler, and its warp, for this long. */
	s->warp_cycles[STATE_ISSUE] = s->warp_instructions * sm->machine->sm.issue_cycles;
	/* A run that ends early has got as far as its last event. */
	s->busy_cycles = sm->used_blocks ? sm->wheel.now : sm->last_end;
	if (sm->context->memory && !sm->used_blocks)
		s->busy_cycles =
			MAX(s->busy_cycles, memory_left_at(sm->context->memory, sm->id));
	s->cycles = MAX(s->busy_cycles, drained_at(sm));
	for (uint64_t left = sm->used_slots; left; left &= left - 1) {
		const Warp *warp = &sm->warps[__builtin_ctzll(left)];

		if (warp->phase == WARP_ENDED)
			continue;
		exec_take_back_silent(sm, (uint32_t)(warp - sm->warps));
		if (exec_in_atomic(warp) && !exec_is_global_lock(&warp->record))
			atomic_settle(&sm->atomics, warp->instance, &warp->atomic);
	}
	busy_end(sm);
	s->shared = sm->shared.counters;
	s->atomics = sm->atomic_counters;
	s->spin_locks = *locks_counters(&sm->locks);
	s->locks_set_at_end = atomic_held(&sm->atomics);
	sm_close(sm);
}
