/* SPDX-License-Identifier: MIT */
/*
 * Dispatch of blocks to SMs: in order, first one to each SM, round robin, then to whichever SM has room first (ties: the
 * lower number), dispatch_cycles after the room appeared. The GPU takes note of ends one by one, block_end_mcycles each (measured
 * on an H200: issue-dispatch.csv, where many blocks end at once). Not modelled: several kernels at a time.
 */
#include <string.h>

#include "sim/sm/blocks.h"
#include "sim/sm/residency.h"
#include "sim/run/run-state.h"

static const char *too_large(const Run *run, const BlockInfo *info, SimResult *result)
{
	const Machine *machine = run->context.machine;
	const SharedParameters *shared = &machine->shared;

	result->needed = info->n_warps;
	result->available = machine->sm.max_warps;
	if (info->n_warps > machine->sm.max_warps)
		return "warps";
	result->needed = (uint64_t)info->n_warps *
			 residency_warp_registers(machine, &run->context.source->kernel);
	result->available = machine->sm.registers;
	if (info->n_warps > run->context.register_warps)
		return "registers";
	result->needed = (uint64_t)info->shared_bytes + shared->reserved_bytes;
	result->available = shared->bytes / shared->allocation_bytes * shared->allocation_bytes;
	return "shared bytes";
}

/* Since when an SM that has room has had it. */
static Cycle room_since(const Run *run, const Sm *sm, Cycle now)
{
	/* At the start all have room since cycle 0; counting what each got keeps the order. */
	if (now == 0)
		return run->n_dispatched[sm->id];
	return sm->n_ends ? sm->ends[0] : 0;
}

/* Whether a block fits: as for another that needs the same, if none has come or ended since. */
static bool fits(Run *run, uint32_t i, const BlockInfo *info, SimResult *result)
{
	RoomAnswer *asked = &run->asked[i];

	if (asked->n_warps != info->n_warps || asked->shared_bytes != info->shared_bytes)
		*asked = (RoomAnswer){
			.n_warps = info->n_warps,
			.shared_bytes = info->shared_bytes,
			.fits = blocks_fit(&run->sms[i], info, result->limits),
		};
	return asked->fits;
}

/* Notes the SMs that have room for the block, in order. */
static void find_room(Run *run, const BlockInfo *info, Cycle now, SimResult *result)
{
	run->n_with_room = 0;
	for (uint32_t i = 0; i < run->n_sms; i++)
		if (fits(run, i, info, result))
			run->with_room[run->n_with_room++] =
				(WithRoom){room_since(run, &run->sms[i], now), i};
}

/* Of these the one that has had it longest, the first of several. None but number `from` has had it longer than since `least`,
   and none before that as long. */
static uint32_t choose(const Run *run, uint32_t from, Cycle least)
{
	uint32_t best = 0;

	for (uint32_t k = from; k < run->n_with_room; k++)
		if (run->with_room[k].since <= least)
			return k;
	for (uint32_t k = 1; k < run->n_with_room; k++)
		if (run->with_room[k].since < run->with_room[best].since)
			best = k;
	return best;
}

static bool has_resident_blocks(const Run *run)
{
	for (uint32_t i = 0; i < run->n_sms; i++)
		if (run->sms[i].used_blocks)
			return true;
	return false;
}

/* The GPU takes note of the end that has made room, and the block in its place may start. Ends come in their order, as blocks are
   dispatched to the longest room. */
static Cycle start_after(Run *run, Cycle end, Cycle now)
{
	const SmParameters *p = &run->context.machine->sm;

	run->noted_mcycles = MAX(run->noted_mcycles, end * 1000) + p->block_end_mcycles;
	return MAX(now, run->noted_mcycles / 1000 + p->dispatch_cycles);
}

static void admit(Run *run, Sm *sm, const BlockInfo *info, Cycle now)
{
	const Cycle start = now == 0 ? 0 : start_after(run, room_since(run, sm, now), now);

	run->asked[sm->id].n_warps = 0;
	run->n_dispatched[sm->id]++;
	blocks_dispatch(sm, run->next_block, info, start, now);
	representatives_dispatched(run, sm->id, run->next_block, start, now);
	if (run->request->block_log)
		block_log_dispatched(run->request->block_log, run->next_block, sm->id, start);
}

/* Whether there is another block to dispatch, now that who asked for the run has had its say. */
static bool has_block(Run *run)
{
	const SimRequest *request = run->request;

	if (request->before_block && run->next_block < request->source->n_blocks)
		request->before_block(request->before_block_data, run->next_block);
	return run->next_block < request->source->n_blocks;
}

/* No SM has room for the block. False: nor will any have. */
static bool wait_for_room(Run *run, const BlockInfo *info, gint blocks_done, SimResult *result)
{
	if (has_resident_blocks(run)) {
		run->full = true;
		run->full_since = blocks_done;
		return true;
	}
	result->block = run->next_block;
	result->resource = too_large(run, info, result);
	return false;
}

/* The k-th of the SMs with room has taken a block: is there more? */
static void look_again(Run *run, uint32_t k, const BlockInfo *info, Cycle now,
		       SimResult *result)
{
	const uint32_t sm = run->with_room[k].sm;

	if (fits(run, sm, info, result))
		run->with_room[k].since = room_since(run, &run->sms[sm], now);
	else
		memmove(&run->with_room[k], &run->with_room[k + 1],
			(--run->n_with_room - k) * sizeof *run->with_room);
}

bool run_dispatch(Run *run, Cycle now, SimResult *result)
{
	RecordSource *source = run->context.source;
	gint blocks_done = g_atomic_int_get(&run->blocks_done);
	BlockInfo info, before = {0};
	uint32_t k = 0;
	Cycle least = 0;

	/* Room comes with a block's end. */
	if (run->full && run->full_since == blocks_done)
		return true;
	run->full = false;
	for (; has_block(run); run->next_block++, before = info) {
		source->block_info(source, run->next_block, &info);
		if (info.n_warps == before.n_warps &&
		    info.shared_bytes == before.shared_bytes) {
			look_again(run, k, &info, now, result);
		} else {
			find_room(run, &info, now, result);
			k = 0;
			least = 0;
		}
		if (run->n_with_room == 0)
			return wait_for_room(run, &info, blocks_done, result);
		k = choose(run, k, least);
		least = run->with_room[k].since;
		admit(run, &run->sms[run->with_room[k].sm], &info, now);
	}
	return true;
}
