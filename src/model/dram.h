/* SPDX-License-Identifier: MIT */
/*
 * What is behind the L2: a latency and a rate of the whole GPU.
 *
 * Modelled: of a kernel that touches more than the L2 holds, each line is there with the probability
 * capacity / footprint, the same line always or never: what a cache with lines replaced at random keeps of memory
 * that kernels before have walked through evenly. A line of which something is missing costs the latency and its turn:
 * 17.6 bytes a cycle and SM of whole lines, and no more lines of single sectors.
 * Measured (measurements/h200/global-atomics.csv, 2^20 lines; global-loads.csv, 1 GiB): an atomic's line costs two loads',
 * for it is written back.
 * Not modelled: which lines a kernel itself has brought in; rows and channels of the memory.
 * Who may include it: model, sim.
 */
#ifndef ATOMSIM_MODEL_DRAM_H
#define ATOMSIM_MODEL_DRAM_H

#include <stdbool.h>

#include "model/coalesce.h"
#include "model/memory-parameters.h"

typedef struct {
	uint64_t resident; /* a line whose hash is below is in the L2; UINT64_MAX: all are */
	Tick latency, load, atomic; /* ticks; the last two in 1/1000 */
	Tick free;		    /* in 1/1000 tick */
} Dram;

/* Of a kernel that touches footprint_bytes (0: nothing known) a memory of capacity_kib (0: without end) holds the lines
   for which memory_holds says so. */
uint64_t memory_share(uint32_t capacity_kib, uint64_t footprint_bytes);
bool memory_holds(uint64_t share, uint64_t line);

/* footprint_bytes: as memory_share takes it; 0: all is in the L2. */
void dram_init(Dram *dram, const DramParameters *parameters, uint64_t footprint_bytes);

bool dram_holds(const Dram *dram, uint64_t line);
/* When the sectors of a packet that asks for them at `now` have come. In order of `now`. */
Tick dram_fetch(Dram *dram, AccessKind kind, Tick now);

#endif
