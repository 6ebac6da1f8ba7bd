/* SPDX-License-Identifier: MIT */
/*
 * What fences of the device know: of an SM, what it has sent to the memory side, been answered from there, and which of its
 * fences go out together; of a warp, where its accesses went and what its fence waits for. sim/memory/exec-fence.c says what is
 * modelled. Only fences.c and this header read or write the fields. Who may include it: sim only.
 *
 * Fences of an SM go out in batches. Measured on an H200 (issue-fence-waves.csv): all fences that an SM has issued when a batch goes,
 * or within some 20 cycles of it, end together. The next batch goes when the trip of the one before is over, 170 cycles before that
 * one's fences end; fences behind it wait for it. So 16 warps that store and fence without a pause go in two groups by turns, each
 * with a period of two trips (764 cycles, 382 a trip to far lines; 448 and 224 to near ones), where one warp takes 560 or 388. A
 * batch before which the SM has sent nothing since the one before is over 60 cycles after that.
 */
#ifndef ATOMSIM_SIM_MEMORY_FENCES_H
#define ATOMSIM_SIM_MEMORY_FENCES_H

#include <glib.h>

#include "model/memory/memory-parameters.h"
#include "model/shared/shared.h"
#include "sim/memory/outstanding.h"

/* The last batches of which some fence may not be answered yet, and some to spare. */
#define N_BATCHES 4

typedef struct {
	uint64_t last;	 /* number of the last batch that is known to have gone; 0: none yet */
	Cycle gone_at;	 /* when */
	bool next_waits; /* a fence waits for the next one */
	Cycle ends
		[N_BATCHES]; /* of batch i in [i % N_BATCHES]: what is known of its end; 0: nothing */
	Cycle went[N_BATCHES]; /* when it went; NEVER: not known yet */
} FenceQueue;

/* Of an SM. */
typedef struct {
	Outstanding outstanding;
	FenceQueue queue;
	Cycle sent_at;	       /* the last access, but for what may stay in the first cache */
	uint64_t waiting;      /* slots within a fence of the device */
	Cycle near_at, far_at; /* last answers from either partition */
	/* Answers up to then are over by the last fence of the device that is known to end, when it does; and by those
	   that had ended before it. */
	Cycle covers, ends_at, fenced_at;
} Fences;

/* Partitions of the shared memory side, seen from an SM. */
#define FENCE_NEAR 1
#define FENCE_FAR  2

/* Of a warp. */
typedef struct {
	uint32_t epoch;	 /* of its SM, which has to be over before its fence is */
	bool open;	 /* and is not yet */
	bool carries;	 /* the SM has sent something since the batch before its fence's */
	uint8_t been;	 /* FENCE_*: answers since its last fence came from there */
	Cycle others_at; /* an answer to another warp made the epoch be over then; 0: none did */
	uint64_t batch;	 /* of its SM, that its fence goes in; 0: none */
} WarpFence;

void fences_init(Fences *fences);
void fence_init(WarpFence *fence);

/* --- What is sent and answered --- */

/* The SM sends an access that does not stay in its first cache. */
static inline void fences_send(Fences *fences, Cycle issue)
{
	fences->sent_at = issue;
}

/* Every fence of the SM waits for this access: returns what its answer has to bring, below N_EPOCHS. */
static inline uint32_t fences_count(Fences *fences)
{
	return outstanding_send(&fences->outstanding);
}

static inline void fences_counted_answer(Fences *fences, uint32_t brought)
{
	outstanding_answer(&fences->outstanding, brought);
}

/* An access of any warp is answered, from either partition or both. */
static inline void fences_answer(Fences *fences, bool near, bool far, Cycle at)
{
	if (near)
		fences->near_at = MAX(fences->near_at, at);
	if (far)
		fences->far_at = MAX(fences->far_at, at);
}

/* One of this warp's is. */
static inline void fence_answer(WarpFence *fence, bool near, bool far)
{
	fence->been |= (uint8_t)((near ? FENCE_NEAR : 0) | (far ? FENCE_FAR : 0));
}

/* --- A fence of the device --- */

/* The warp issues a fence at `now`. */
void fence_begin(Fences *fences, WarpFence *fence, const NetworkParameters *network, Cycle now);

/* Whether something is under way that its SM had sent before its fence. */
static inline bool fence_is_open(const WarpFence *fence)
{
	return fence->open;
}

/* Its warp, in `slot`, waits for answers; or does so no more. */
void fences_wait(Fences *fences, uint32_t slot);
void fences_wait_no_more(Fences *fences, uint32_t slot);
static inline uint64_t fences_waiting(const Fences *fences)
{
	return fences->waiting;
}

/* Something has been answered at `at`, to its own warp or another one. */
void fence_look(const Fences *fences, WarpFence *fence, bool own, Cycle at);

/* A fence issued at `now` has nothing left to wait for; the last answer to its warp came at `replied_at`. Returns when it is over,
   not before `least`. */
Cycle fence_end(Fences *fences, WarpFence *fence, const NetworkParameters *network, Cycle now,
		Cycle replied_at, Cycle least);

#endif
