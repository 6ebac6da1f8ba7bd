/* SPDX-License-Identifier: MIT */
/*
 * Fences of the device go out of an SM in waves. Who may include it: sim only.
 *
 * Measured on an H200 (issue-fence-waves.csv): all fences that an SM has issued when a wave goes, or within some 20 cycles of it, end
 * together. The next wave goes when the trip of the one before is over, 170 cycles before that one's fences end; fences behind it
 * wait for it. So 16 warps that store and fence without a pause go in two groups by turns, each with a period of two trips
 * (764 cycles, 382 a trip to far lines; 448 and 224 to near ones), where one warp takes 560 or 388. A wave before which the SM
 * has sent nothing since the one before is over 60 cycles after that.
 */
#ifndef ATOMSIM_SIM_MEMORY_FENCE_QUEUE_H
#define ATOMSIM_SIM_MEMORY_FENCE_QUEUE_H

#include "sim/sm/wheel.h"

#define N_WAVES                                                                                \
	4 /* the last one of which some fence may not be answered yet, and some to spare */

typedef struct {
	uint64_t last;	 /* number of the last wave that is known to have gone; 0: none yet */
	Cycle gone_at;	 /* when */
	bool next_waits; /* a fence waits for the next one */
	Cycle ends
		[N_WAVES]; /* of wave number i in [i % N_WAVES]: what is known of its end; 0: nothing */
	Cycle went[N_WAVES]; /* when it went; NEVER: not known yet */
} FenceQueue;

/* The wave that takes a fence issued at `now`: a wave takes what comes within `join` cycles, and the next one goes `back`
   cycles before its end. */
static inline uint64_t fence_queue_take(FenceQueue *waves, Cycle now, Cycle join, Cycle back)
{
	const Cycle *end = &waves->ends[waves->last % N_WAVES];

	/* The one that waited has gone by now, if the one before has come back. */
	if (waves->next_waits && *end > 0 && *end <= now + back) {
		waves->gone_at = *end > back ? *end - back : 0;
		waves->next_waits = false;
		waves->last++;
		waves->went[waves->last % N_WAVES] = waves->gone_at;
		end = &waves->ends[waves->last % N_WAVES];
	}
	if (waves->last > 0 && now <= waves->gone_at + join)
		return waves->last;
	if (waves->last > 0 && (waves->next_waits || *end == 0 || *end > now + back)) {
		if (!waves->next_waits) {
			waves->ends[(waves->last + 1) % N_WAVES] = 0;
			waves->went[(waves->last + 1) % N_WAVES] = NEVER;
		}
		waves->next_waits = true;
		return waves->last + 1;
	}
	waves->last++;
	waves->gone_at = now;
	waves->ends[waves->last % N_WAVES] = 0;
	waves->went[waves->last % N_WAVES] = now;
	return waves->last;
}

#endif
