/* SPDX-License-Identifier: MIT */
/*
 * Spin locks in global memory: which words are held. They are taken and released where the memory side serves the
 * compare-and-swaps and exchanges (sim/memory/memory.h), in its one order of all SMs' packets, so who wins does not
 * depend on threads. Modelled: of the lanes that name one free word the first wins, the others of that
 * access have lost. Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_LOCKS_GLOBAL_LOCKS_H
#define ATOMSIM_SIM_LOCKS_GLOBAL_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/record.h"
#include "model/memory/coalesce.h"
#include "model/memory/memory-parameters.h"
#include "model/shared/shared.h"

typedef struct GlobalLocks GlobalLocks;

GlobalLocks *global_locks_new(void);
void global_locks_free(GlobalLocks *locks); /* NULL: nothing */

/* A warp's attempts or releases, outstanding at the memory. The warp leaves the request alone while it is pending. */
typedef struct {
	GlobalLocks *locks;
	bool release;
	bool pending; /* some lane has not been served */
	uint32_t n_lanes;
	uint64_t addresses[MAX_LANES]; /* of the words, in bytes */
	LaneMask served, won;	       /* bit i: addresses[i] */
	Cycle changed_at;	       /* some lock was last taken or released */
} LockRequest;

/* A MemoryServed whose data is a LockRequest. */
void global_locks_serve(void *request, const Packet *packet, Tick at);

#endif
