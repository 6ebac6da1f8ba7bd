/* SPDX-License-Identifier: MIT */
/*
 * What all SMs of a run share for atomics on global memory: each mechanism's common state, its own words, and
 * what it may know of the kernel. Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_MEMORY_GLOBAL_ATOMICS_H
#define ATOMSIM_SIM_MEMORY_GLOBAL_ATOMICS_H

#include "base/record.h"
#include "model/memory/global-mechanism.h"
#include "sim/run/machine.h"

typedef struct {
	const GlobalAtomicParameters *parameters;
	bool in_kernel; /* it has an atomic on global memory, executed or not */
	GlobalKernel kernel;
	uint32_t block_warps; /* warps of a block, at most: they are numbered by that */
	void *common[N_GLOBAL_MECHANISMS];
	uint64_t own_base[N_GLOBAL_MECHANISMS]; /* byte address of each one's own words */
} GlobalAtomics;

/* Whether a kernel's program has an atomic on global memory: as the source says, else whether any record
   is one, which takes reading it. A source that fails says so when it is replayed. */
bool global_atomics_in(RecordSource *source);

/* first_byte: behind all buffers. */
void global_atomics_open(GlobalAtomics *atomics, const Machine *machine, RecordSource *source,
			 uint64_t first_byte);
void global_atomics_close(GlobalAtomics *atomics);
/* When the kernel is over whose last warp ended at `last`. */
Cycle global_atomics_finish(const GlobalAtomics *atomics, Cycle last);
void global_atomics_count(const GlobalAtomics *atomics, MemoryCounters *counters);

#endif
