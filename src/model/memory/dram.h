/* SPDX-License-Identifier: MIT */
/*
 * What follows the L2: a latency, some lines slower than others, and channels with a rate each.
 *
 * Modelled: of a kernel that touches more than the L2 holds, each line is there with the probability
 * capacity / footprint, the same line always or never: what a cache with lines replaced at random keeps of memory
 * that kernels before have walked through evenly. A line of which something is missing costs the latency and its turn at
 * its channel, that of its slice: all together 17.6 bytes a cycle and SM of whole lines, and no more lines of single sectors.
 * One line in `slow_lines` takes longer, anything up to `slow_cycles` alike: of 12,000 single loads from DRAM one in nine takes 45 to 500
 * cycles more than the median of its side, as many less than half of that as more, and half of them again in the next run
 * (measurements/h200/issue/issue-dram-lines.csv; issue-dram.csv the same). Which ones is drawn from the line's address, for the lines of a page in one slice
 * together: a warp's load of four lines takes 45 cycles more than one of a line, not 110 (issue-shares.csv, cold, 1 load).
 * Measured (measurements/h200/global-atomics.csv, 2^20 lines; global-loads.csv, 1 GiB): an atomic's line costs two loads',
 * for it is written back. A store of whole sectors is written back, too, but nothing is read for it; one of a part of a sector costs both
 * (transfers.csv, 192 MiB, DRAM's bytes counted by ncu: `fill` 2,293 bytes a cycle, none read; `part` 1,016 of sectors, all read and
 * written; `update`, a load and a store of each line, 1,017; `copy` 2,052).
 * Not modelled: which lines a kernel itself has brought in, but of a launch that finds the L2 cold; rows of the memory and when it is refreshed.
 * Who may include it: model, sim.
 */
#ifndef ATOMSIM_MODEL_MEMORY_DRAM_H
#define ATOMSIM_MODEL_MEMORY_DRAM_H

#include <stdbool.h>

#include "model/memory/memory-parameters.h"

typedef struct {
	uint64_t resident; /* a line whose hash is below is in the L2; UINT64_MAX: all are */
	Tick latency, load, store, atomic; /* ticks; the last three of a channel, in 1/1000 */
	uint32_t slow_lines;		   /* 0: none is slow */
	Tick slow;
	uint32_t n_channels;
	Tick *free; /* of each, in 1/1000 tick; the caller's */
} Dram;

typedef enum {
	DRAM_READ,
	DRAM_WRITE, /* nothing of the line is needed, */
	DRAM_UPDATE /* or it is read first */
} DramUse;

/* Of a kernel that touches footprint_bytes (0: nothing known) a memory of capacity_kib (0: without end) holds the lines
   for which memory_holds says so. */
uint64_t memory_share(uint32_t capacity_kib, uint64_t footprint_bytes);
bool memory_holds(uint64_t share, uint64_t line);

/* n_slices: of the whole L2; there are no more channels. footprint_bytes: as memory_share takes it; 0: all is in the L2.
   free: a zero for each channel, which outlive it. */
void dram_init(Dram *dram, const DramParameters *parameters, uint32_t n_slices,
	       uint64_t footprint_bytes, Tick *free);

bool dram_holds(const Dram *dram, uint64_t line);
/* Of a line that is read, from its turn on. */
Tick dram_latency(const Dram *dram, uint64_t line);
/* When a line is read that is asked for at `now`, or its turn has come to be written back; slice: its home among all. In order of `now`. */
Tick dram_access(Dram *dram, DramUse use, uint64_t line, uint32_t slice, Tick now);

#endif
