/* SPDX-License-Identifier: MIT */
#include "sim/memory/fences.h"

void fences_init(Fences *fences)
{
	*fences = (Fences){0};
}

void fence_init(WarpFence *fence)
{
	*fence = (WarpFence){0};
}

/* --- Waves --- */

/* The batch that waited has gone by `now`, if the one before has come back. */
static void let_next_go(FenceQueue *queue, Cycle now, Cycle back)
{
	const Cycle end = queue->ends[queue->last % N_BATCHES];

	if (!queue->next_waits || end == 0 || end > now + back)
		return;
	queue->gone_at = end > back ? end - back : 0;
	queue->next_waits = false;
	queue->last++;
	queue->went[queue->last % N_BATCHES] = queue->gone_at;
}

/* Nothing is known yet of the end of this batch. */
static void open_batch(FenceQueue *queue, uint64_t batch, Cycle went)
{
	queue->ends[batch % N_BATCHES] = 0;
	queue->went[batch % N_BATCHES] = went;
}

/* The batch that takes a fence issued at `now`: a batch takes what comes within `join` cycles, and the next one goes `back`
   cycles before its end. */
static uint64_t take_batch(FenceQueue *queue, Cycle now, Cycle join, Cycle back)
{
	Cycle end;

	let_next_go(queue, now, back);
	end = queue->ends[queue->last % N_BATCHES];
	if (queue->last > 0 && now <= queue->gone_at + join)
		return queue->last;
	if (queue->last > 0 && (queue->next_waits || end == 0 || end > now + back)) {
		if (!queue->next_waits)
			open_batch(queue, queue->last + 1, NEVER);
		queue->next_waits = true;
		return queue->last + 1;
	}
	queue->last++;
	queue->gone_at = now;
	open_batch(queue, queue->last, now);
	return queue->last;
}

/* The end of a fence whose trip takes so long, behind the batch before its own. */
static Cycle in_turn(FenceQueue *queue, const WarpFence *fence,
		     const NetworkParameters *network, Cycle trip, Cycle end)
{
	Cycle *own = &queue->ends[fence->batch % N_BATCHES];
	const Cycle before = queue->ends[(fence->batch - 1) % N_BATCHES];
	Cycle apart = network->fence_batch_interval_cycles;

	if (fence->carries && trip > network->fence_batch_overlap_cycles)
		apart = MAX(apart, trip - network->fence_batch_overlap_cycles);
	if (before > 0)
		end = MAX(end, before + apart);
	*own = MAX(*own, end);
	return end;
}

/* --- A fence of the device --- */

void fence_begin(Fences *fences, WarpFence *fence, const NetworkParameters *network, Cycle now)
{
	const Cycle join = network->fence_batch_window_cycles;

	fence->others_at = 0;
	fence->epoch = outstanding_fence(&fences->outstanding);
	fence->open = !outstanding_over(&fences->outstanding, fence->epoch);
	if (network->fence_batch_interval_cycles == 0)
		return;
	fence->batch =
		take_batch(&fences->queue, now, join, network->fence_batch_overlap_cycles);
	fence->carries =
		fences->sent_at > fences->queue.went[(fence->batch - 1) % N_BATCHES] + join;
}

void fences_wait(Fences *fences, uint32_t slot)
{
	fences->waiting |= UINT64_C(1) << slot;
}

void fences_wait_no_more(Fences *fences, uint32_t slot)
{
	fences->waiting &= ~(UINT64_C(1) << slot);
}

void fence_look(const Fences *fences, WarpFence *fence, bool own, Cycle at)
{
	if (!fence->open || !outstanding_over(&fences->outstanding, fence->epoch))
		return;
	fence->open = false;
	fence->others_at = own ? 0 : at;
}

/* Where the SM has been, with any of its warps, but for what is over by a fence that had ended at `now`. */
static uint8_t been_by(Fences *fences, Cycle now)
{
	if (fences->ends_at <= now)
		fences->fenced_at = MAX(fences->fenced_at, fences->covers);
	return (uint8_t)((fences->near_at > fences->fenced_at ? FENCE_NEAR : 0) |
			 (fences->far_at > fences->fenced_at ? FENCE_FAR : 0));
}

Cycle fence_end(Fences *fences, WarpFence *fence, const NetworkParameters *network, Cycle now,
		Cycle replied_at, Cycle least)
{
	const uint8_t been = fence->been | been_by(fences, now);
	Cycle trip = 0, end;

	if (been)
		trip = been & FENCE_FAR ? network->fence_far_partition_cycles
					: network->fence_near_partition_cycles;
	end = MAX(least, now + trip);
	fence->been = 0;
	if (replied_at > now)
		end = MAX(end, replied_at + network->fence_cycles);
	if (fence->others_at > now)
		end = MAX(end, fence->others_at);
	if (fence->batch > 0)
		end = in_turn(&fences->queue, fence, network, trip, end);
	fences->covers = MAX(MAX(now, replied_at), fence->others_at);
	fences->ends_at = end;
	return end;
}
