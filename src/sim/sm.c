/* SPDX-License-Identifier: MIT */
#include "sim/sm.h"

#include <glib.h>
#include <string.h>

#define SEGMENT_BYTES 128

/* AtomicUnit.wake. */
static void wake(void *data, uint32_t slot, Cycle at)
{
	Sm *sm = data;
	Warp *warp = &sm->warps[slot];

	g_assert(warp->phase == WARP_PARKED && at > sm->wheel.now);
	warp->phase = WARP_RUNNING;
	sm->statistics.warp_cycles[STATE_RETRY] += at - warp->since;
	warp->since = at;
	wheel_add(&sm->wheel, slot, at);
}

void sm_init(Sm *sm, const RunContext *context, uint32_t id)
{
	const Machine *machine = context->machine;
	const SmParameters *p = &machine->sm;

	memset(sm, 0, sizeof *sm);
	sm->context = context;
	sm->machine = machine;
	sm->id = id;
	wheel_init(&sm->wheel);
	for (uint32_t k = 0; k < p->schedulers; k++) {
		scheduler_init(p->scheduler, &sm->schedulers[k], k, p->schedulers, p->own,
			       sm->age);
	}
	shared_init(&sm->shared, &machine->shared, &context->banks);
	sm->atomics = (AtomicUnit){
		.parameters = &machine->atomic,
		.issue_cycles = p->issue_cycles,
		.seed = context->seed,
		.shared = &sm->shared,
		.lock_map = context->locks.lock_of ? &context->locks : NULL,
		.wake = wake,
		.sm = sm,
	};
	atomic_unit_init(&sm->atomics);
	/* The SM's even share of the GPU's bandwidth: bytes * MHz / (MB/s / SMs) cycles. */
	sm->segment_time = (uint64_t)SEGMENT_BYTES * machine->clock_mhz * p->count * 1024 /
			   machine->global.bandwidth_mb_per_s;
	sm->free_slots = UINT64_MAX >> (MAX_WARP_SLOTS - p->max_warps);
	sm->sites = g_new0(SiteCounters, context->n_sites + 1);
}

void sm_clear(Sm *sm)
{
	for (uint32_t slot = 0; slot < MAX_WARP_SLOTS; slot++)
		if (sm->warps[slot].stream)
			sm->warps[slot].stream->close(sm->warps[slot].stream);
	shared_clear(&sm->shared);
	atomic_unit_clear(&sm->atomics);
	for (uint32_t k = 0; k < sm->machine->sm.schedulers; k++)
		scheduler_clear(&sm->schedulers[k]);
	g_free(sm->spin_holder);
	g_free(sm->sites);
}

void sm_fail(Sm *sm, SimStatus status, const Warp *warp, const char *problem, Cycle cycle)
{
	if (sm->status != SIM_OK)
		return;
	sm->status = status;
	sm->failed_block = warp->block->index;
	sm->failed_warp = warp->index;
	sm->problem = problem;
	sm->failed_cycle = cycle;
}

/* Blocks: coming and going. */

/* Allocated bytes of a block. */
static uint32_t footprint(const Sm *sm, const BlockInfo *info)
{
	const SharedParameters *p = &sm->context->machine->shared;
	uint32_t bytes = info->shared_bytes + p->reserved_bytes;

	return (bytes + p->allocation_bytes - 1) / p->allocation_bytes * p->allocation_bytes;
}

/* First-fit place for `bytes` of shared memory; false if there is none. */
static bool find_place(const Sm *sm, uint32_t bytes, uint32_t *place)
{
	uint32_t from = 0;
	bool moved;

	do {
		moved = false;
		for (uint64_t left = sm->used_blocks; left; left &= left - 1) {
			const ResidentBlock *b = &sm->blocks[__builtin_ctzll(left)];

			if (from < b->end_byte && from + bytes > b->first_byte) {
				from = b->end_byte;
				moved = true;
			}
		}
	} while (moved);
	*place = from;
	return from + bytes <= sm->context->machine->shared.bytes;
}

bool sm_fits(const Sm *sm, const BlockInfo *info)
{
	uint32_t place;

	return info->n_warps <= (uint32_t)__builtin_popcountll(sm->free_slots) &&
	       (uint32_t)__builtin_popcountll(sm->used_blocks) <
		       sm->context->machine->sm.max_blocks &&
	       find_place(sm, footprint(sm, info), &place);
}

void sm_admit(Sm *sm, uint64_t index, const BlockInfo *info, Cycle start)
{
	uint32_t b = (uint32_t)__builtin_ctzll(~sm->used_blocks), place,
		 bytes = footprint(sm, info);
	bool fits = find_place(sm, bytes, &place);
	ResidentBlock *block = &sm->blocks[b];

	g_assert(fits);
	*block = (ResidentBlock){
		.index = index,
		.n_warps = info->n_warps,
		.n_live = info->n_warps,
		.first_byte = place,
		.end_byte = place + bytes,
		.base_bytes = place + sm->context->machine->shared.reserved_bytes,
		.start = start,
	};
	for (uint32_t i = 0; i < info->n_warps; i++) {
		uint64_t slot = sm->free_slots & -sm->free_slots;

		block->slots |= slot;
		sm->free_slots &= ~slot;
	}
	sm->used_blocks |= UINT64_C(1) << b;
	sm->new_blocks |= UINT64_C(1) << b;
}

/* Opens the warps of blocks admitted since the last call; done here and not at admission so that
   SMs decode side by side. */
static void start_blocks(Sm *sm)
{
	RecordSource *source = sm->context->source;

	for (; sm->new_blocks && sm->status == SIM_OK; sm->new_blocks &= sm->new_blocks - 1) {
		ResidentBlock *block = &sm->blocks[__builtin_ctzll(sm->new_blocks)];
		uint32_t index = 0;

		for (uint64_t left = block->slots; left; left &= left - 1, index++) {
			uint32_t slot = (uint32_t)__builtin_ctzll(left);
			Warp *warp = &sm->warps[slot];

			*warp = (Warp){.block = block,
				       .index = index,
				       .since = block->start,
				       .record_since = block->start};
			sm->age[slot] = sm->n_arrived++;
			warp->stream = source->open_warp(source, block->index, index);
			if (!warp->stream) {
				sm_fail(sm, SIM_SOURCE_FAILED, warp, NULL, block->start);
				return;
			}
			sm_continue(sm, slot, block->start);
		}
	}
}

/*
 * A warp that may run ahead of its results waits for those that its next record may need. A trace
 * does not say which, so: a load needs none, an atomic those of loads, anything else all. The wait
 * counts as latency.
 */
static Cycle wait_for_results(Sm *sm, Warp *warp, Cycle ready)
{
	Cycle needed_at = warp->record.kind == RECORD_LDS || warp->record.kind == RECORD_LDG ? 0
			  : warp->record.kind == RECORD_ATOM ? warp->loads_at
							     : warp->results_at;
	WarpState state = warp->global_at >= needed_at ? STATE_GLOBAL : STATE_SHARED;

	if (needed_at <= ready)
		return ready;
	sm->statistics.warp_cycles[state] += needed_at - ready;
	return needed_at;
}

void sm_continue(Sm *sm, uint32_t slot, Cycle ready)
{
	Warp *warp = &sm->warps[slot];

	sm->sites[warp->record.site].cycles += ready - warp->record_since;
	warp->record_since = ready;
	if (G_UNLIKELY(warp->stream->next(warp->stream, &warp->record) != STREAM_RECORD)) {
		/* A stream that ends without an exit is a broken source: readers check for it. */
		sm_fail(sm, SIM_SOURCE_FAILED, warp, NULL, ready);
		return;
	}
	warp->in_record = false;
	if (G_UNLIKELY(warp->results_at > ready))
		ready = wait_for_results(sm, warp, ready);
	warp->since = ready;
	wheel_add(&sm->wheel, slot, ready);
}

static void end_block(Sm *sm, ResidentBlock *block, Cycle end)
{
	sm->statistics.blocks++;
	sm->statistics.warps += block->n_warps;
	sm->statistics.resident_warp_cycles += (end - block->start) * block->n_warps;
	for (uint64_t left = block->slots; left; left &= left - 1)
		sm->statistics.warp_cycles[STATE_DONE] +=
			end - sm->warps[__builtin_ctzll(left)].since;
	/* A lock that the block leaves set must not hold up the block that comes in its place. */
	if (sm->spin_holder)
		memset(sm->spin_holder + block->first_byte / 4, 0,
		       (block->end_byte - block->first_byte) / 4);
	sm->free_slots |= block->slots;
	sm->used_blocks &= ~(UINT64_C(1) << (block - sm->blocks));
	sm->blocks_done++;
	sm->last_end = end;
	if (sm->n_ends ==
	    MAX_RESIDENT_BLOCKS) /* large blocks took the room of several small ones */
		memmove(sm->ends, sm->ends + 1, --sm->n_ends * sizeof *sm->ends);
	sm->ends[sm->n_ends++] = end;
}

void sm_end_warp(Sm *sm, uint32_t slot, Cycle cycle)
{
	Warp *warp = &sm->warps[slot];
	ResidentBlock *block = warp->block;

	warp->phase = WARP_ENDED;
	warp->since = cycle;
	warp->stream->close(warp->stream);
	warp->stream = NULL;
	if (--block->n_live == 0)
		end_block(sm, block, cycle);
	else if (block->n_live == block->n_at_barrier)
		sm_release_barrier(sm, block,
				   cycle); /* CUDA: ended warps do not hold up a barrier */
}

/* The loop. */

Cycle sm_next(Sm *sm)
{
	Cycle next = wheel_first(&sm->wheel);

	for (uint64_t left = sm->new_blocks; left; left &= left - 1)
		next = MIN(next, sm->blocks[__builtin_ctzll(left)].start);
	for (uint32_t k = 0; k < sm->machine->sm.schedulers; k++)
		if (sm->ready & sm->schedulers[k].slots)
			next = MIN(next, sm->scheduler_free[k]);
	return next;
}

void sm_run_until(Sm *sm, Cycle limit)
{
	const SmParameters *p = &sm->machine->sm;
	const uint32_t n_schedulers = p->schedulers;
	Cycle now;

	start_blocks(sm);
	now = sm_next(sm);
	while (now < limit && sm->status == SIM_OK) {
		uint64_t ready = sm->ready | wheel_take(&sm->wheel, now);
		Cycle next = NEVER;

		for (uint32_t k = 0; k < n_schedulers; k++) {
			uint64_t mine = ready & sm->schedulers[k].slots;
			Cycle issue_next;
			uint32_t slot;

			if (!mine)
				continue;
			if (sm->scheduler_free[k] <= now) {
				slot = p->scheduler->pick(&sm->schedulers[k], mine);
				sm->schedulers[k].last = slot;
				mine &= ~(UINT64_C(1) << slot);
				ready &= ~(UINT64_C(1) << slot);
				sm->scheduler_free[k] = now + p->issue_cycles;
				sm->statistics.warp_instructions++;
				sm->shared.port = k;
				sm_execute(sm, slot, now);
			}
			issue_next =
				sm->scheduler_free[k] | -(Cycle)(mine == 0); /* else NEVER */
			next = MIN(next, issue_next);
		}
		sm->ready = ready;
		now = wheel_first(&sm->wheel);
		now = MIN(now, next);
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

void sm_finish(Sm *sm)
{
	Statistics *s = &sm->statistics;

	/* Each executed instruction kept its scheduler, and its warp, for this long. */
	s->warp_cycles[STATE_ISSUE] = s->warp_instructions * sm->machine->sm.issue_cycles;
	/* A run that ends early has got as far as its last event. */
	s->cycles = MAX(sm->used_blocks ? sm->wheel.now : sm->last_end,
			(sm->global_free + 1023) / 1024);
	s->shared = sm->shared.counters;
	s->atomics = sm->atomic_counters;
	s->spin_locks = sm->spin_counters;
	s->locks_set_at_end = atomic_held(&sm->atomics);
}
