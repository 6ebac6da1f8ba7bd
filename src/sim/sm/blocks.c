/* SPDX-License-Identifier: MIT */
#include "sim/sm/blocks.h"

#include <glib.h>
#include <string.h>

#include "sim/sm/barriers.h"
#include "sim/sm/fetch.h"
#include "sim/sm/residency.h"

/* Where the first free place for `bytes` of shared memory begins, if there were no end. */
static uint32_t find_place(const Sm *sm, uint32_t bytes)
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
	return from;
}

/* Whether there is as much as is needed. */
static bool has(uint64_t limit, uint64_t needed, SimLimit *noted)
{
	if (needed <= limit)
		noted->met = MAX(noted->met, needed);
	else
		noted->refused = MIN(noted->refused, needed);
	return needed <= limit;
}

bool blocks_fit(const Sm *sm, const BlockInfo *info, SimLimit limits[N_SIM_LIMITS])
{
	const SmParameters *p = &sm->machine->sm;
	const uint32_t n_warps = p->max_warps - (uint32_t)__builtin_popcountll(sm->free_slots);
	const uint32_t n_blocks = (uint32_t)__builtin_popcountll(sm->used_blocks);
	const uint32_t bytes = residency_bytes(&sm->machine->shared, info);

	return n_warps + info->n_warps <= sm->context->register_warps &&
	       has(p->max_warps, n_warps + info->n_warps, &limits[SIM_LIMIT_WARPS]) &&
	       has(p->max_blocks, n_blocks + 1, &limits[SIM_LIMIT_BLOCKS]) &&
	       has(sm->machine->shared.bytes, (uint64_t)find_place(sm, bytes) + bytes,
		   &limits[SIM_LIMIT_BYTES]);
}

/* Between the starts of a block's warps. */
static Cycle warp_start(const Sm *sm)
{
	return sm->machine->launch.warps == LAUNCH_WARPS_TOGETHER
		       ? 0
		       : sm->machine->sm.warp_start_cycles;
}

static void admit(Sm *sm, uint64_t index, const BlockInfo *info, Cycle start)
{
	uint32_t b = (uint32_t)__builtin_ctzll(~sm->used_blocks);
	uint32_t bytes = residency_bytes(&sm->machine->shared, info),
		 place = find_place(sm, bytes);
	const SmParameters *p = &sm->context->machine->sm;
	ResidentBlock *block = &sm->blocks[b];

	g_assert(place + bytes <= sm->machine->shared.bytes);
	start = MAX(start, sm->start_free);
	sm->start_free = start + MAX(p->block_start_cycles, info->n_warps * warp_start(sm));
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
		const uint64_t slot = sm->free_slots & -sm->free_slots;

		block->slots |= slot;
		sm->free_slots &= ~slot;
	}
	sm->used_blocks |= UINT64_C(1) << b;
	sm->new_blocks |= UINT64_C(1) << b;
}

void blocks_dispatch(Sm *sm, uint64_t index, const BlockInfo *info, Cycle start, Cycle now)
{
	admit(sm, index, info, start);
	if (now > 0 && sm->n_ends) /* it takes the room of the first that ended */
		memmove(sm->ends, sm->ends + 1, --sm->n_ends * sizeof *sm->ends);
}

void blocks_take_room(Sm *sm, const Sm *other)
{
	sm->free_slots = other->free_slots;
	sm->used_blocks = other->used_blocks;
	sm->new_blocks = other->new_blocks;
	sm->start_free = other->start_free;
	sm->blocks_done = other->blocks_done;
	memcpy(sm->blocks, other->blocks, sizeof sm->blocks);
	memcpy(sm->ends, other->ends, sizeof sm->ends);
	sm->n_ends = other->n_ends;
}

/* A warp as it begins, but for its record and its atomic, which the first record and the first atomic fill: they are
   most of it. What it keeps from the warp before it in its slot is room. */
static Warp *fresh_warp(Sm *sm, uint32_t slot, ResidentBlock *block, uint32_t index)
{
	Warp *warp = &sm->warps[slot];
	const uint64_t bit = UINT64_C(1) << slot;
	const Cycle start = block->start + index * warp_start(sm);
	const bool used = sm->used_slots & bit;
	const WarpLocks locks = used ? warp->locks : (WarpLocks){0};
	WaitLoop *wait_loop = used ? warp->wait_loop : NULL;
	GlobalAtomic *global = used ? warp->global : NULL;

	memset(warp, 0, G_STRUCT_OFFSET(Warp, record));
	memset(&warp->result, 0, G_STRUCT_OFFSET(Warp, fence) - G_STRUCT_OFFSET(Warp, result));
	fence_init(&warp->fence);
	warp->block = block;
	warp->index = index;
	warp->since = start;
	warp->record_since = start;
	warp_locks_init(&warp->locks, &locks);
	warp->wait_loop = wait_loop;
	warp->global = global;
	warp->record.site = 0; /* of no record: what is booked before its first */
	sm->used_slots |= bit;
	sm->n_arrived += index == 0;
	sm->age[slot] = scheduler_age(sm->n_arrived, index);
	return warp;
}

void blocks_start(Sm *sm)
{
	RecordSource *source = sm->context->source;

	for (; sm->new_blocks && sm->status == SIM_OK; sm->new_blocks &= sm->new_blocks - 1) {
		ResidentBlock *block = &sm->blocks[__builtin_ctzll(sm->new_blocks)];
		uint64_t left = block->slots;

		for (uint32_t index = 0; index < block->n_warps; index++) {
			const uint32_t slot = (uint32_t)__builtin_ctzll(left);
			Warp *warp = fresh_warp(sm, slot, block, index);

			left &= left - 1;
			warp->stream = source->open_warp(source, block->index, index);
			if (!warp->stream) {
				sm_fail(sm, SIM_SOURCE_FAILED, warp, NULL, block->start);
				return;
			}
			if (sm->scoreboard.dataflow)
				scoreboard_start_warp(&sm->scoreboard, slot, warp->since);
			if (G_UNLIKELY(sm->turns != NULL))
				turns_start_warp(sm->turns, slot,
						 run_order_of(sm->context->keep_order,
							      block->index, index));
			fetch_next(sm, slot, warp->since);
		}
	}
}

/* Ends of blocks are kept in order: one that waits for its stores ends behind later ones. A large block takes several. */
static void add_end(Sm *sm, Cycle end)
{
	uint32_t i;

	if (sm->n_ends == MAX_RESIDENT_BLOCKS)
		memmove(sm->ends, sm->ends + 1, --sm->n_ends * sizeof *sm->ends);
	for (i = sm->n_ends++; i > 0 && sm->ends[i - 1] > end; i--)
		sm->ends[i] = sm->ends[i - 1];
	sm->ends[i] = end;
}

static void end_block(Sm *sm, ResidentBlock *block, Cycle end)
{
	if (sm->statistics.blocks++ == 0 || end < sm->statistics.first_block_end)
		sm->statistics.first_block_end = end;
	sm->statistics.warps += block->n_warps;
	/* A warp is resident from its own start on. */
	sm->statistics.resident_warp_cycles +=
		(end - block->start) * block->n_warps -
		(uint64_t)block->n_warps * (block->n_warps - 1) / 2 * warp_start(sm);
	for (uint64_t left = block->slots; left; left &= left - 1)
		sm->statistics.warp_cycles[STATE_DONE] +=
			end - sm->warps[__builtin_ctzll(left)].since;
	barriers_clear(block);
	/* A lock that it leaves set must not hold up the block that comes in its place. */
	locks_end_block(&sm->locks, block->first_byte / 4, block->end_byte / 4);
	sm->free_slots |= block->slots;
	sm->used_blocks &= ~(UINT64_C(1) << (block - sm->blocks));
	sm->blocks_done++;
	sm->last_end = MAX(sm->last_end, end);
	block_log_ended(sm->context->block_log, block->index, end);
	add_end(sm, end);
}

void blocks_end_warp(Sm *sm, uint32_t slot, Cycle cycle)
{
	Warp *warp = &sm->warps[slot];
	ResidentBlock *block = warp->block;

	warp->phase = WARP_ENDED;
	if (G_UNLIKELY(sm->turns != NULL))
		turns_end_warp(sm->turns, slot);
	warp->since = cycle;
	warp->stream->close(warp->stream);
	warp->stream = NULL;
	block->ended |= UINT64_C(1) << slot;
	if (--block->n_live == 0)
		end_block(sm, block, MAX(cycle, block->stored_at));
	else /* CUDA: ended warps do not hold up a barrier */
		barriers_end_warp(sm, block, cycle);
}
