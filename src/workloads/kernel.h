/* SPDX-License-Identifier: MIT */
/*
 * The frame of a kernel that is written in version 2 of the trace: blocks, warps, which lanes
 * exist. A workload gives a function that writes one warp. Only workloads include it.
 */
#ifndef ATOMSIM_WORKLOADS_KERNEL_H
#define ATOMSIM_WORKLOADS_KERNEL_H

#include "workloads/flow.h"

#define WORD_BYTES 4

/* A row of every workload that goes through kernel_generate. */
#define END_ROW                                                                                \
	CHOICE_ROW("end", "plain|fence", "plain",                                              \
		   "what each warp ends with: nothing more, or a fence of the device, as the " \
		   "programs that were measured have it")

/* One warp at work. Arrays of lanes have entry l for lane l, active or not. */
typedef struct {
	Emitter emit;
	uint32_t lanes;	    /* of a warp: 32 or 64 */
	uint32_t first;	    /* thread of lane 0 in its block */
	uint64_t thread;    /* of lane 0 in the grid, blocks one behind the other */
	LaneMask exists;    /* lanes that have a thread */
	uint32_t n_threads; /* of a block */
	uint64_t n_grid;    /* threads of the grid */
} Warp;

typedef struct {
	uint32_t lanes;
	uint32_t n_blocks, n_threads, shared_bytes;
} Kernel;

/* Values and steps of a workload that has data flow; its own follow. */
enum { KERNEL_ADDRESS = 1, KERNEL_SUM, KERNEL_OTHER, N_KERNEL_VALUES };
enum { KERNEL_ZERO_LOOP, KERNEL_SUM_STEP, N_KERNEL_STEPS };

typedef void (*WarpWriter)(Warp *warp, gpointer data);

/* Writes all blocks in order, the warps of each in order: with data flow, if `dataflow` asks for it, and with fences, if `end`
   does; and says of the launch what the frame knows. */
void kernel_generate(const Kernel *kernel, const KernelCode *code,
		     const WorkloadParameters *parameters, TraceWriter *writer,
		     WarpWriter write, gpointer data, WorkloadLaunch *launch);

/* Lanes of the warp whose number first + lane is below n. */
LaneMask warp_below(const Warp *warp, uint64_t first, uint64_t n);

/* Accesses of the lanes of `mask`, nothing if there are none. byte[l] is lane l's, of the buffer or
   of shared memory; value[l] its operand, or NULL. */
void warp_load(Warp *warp, uint16_t buffer, LaneMask mask, const uint64_t *byte);
void warp_store(Warp *warp, uint16_t buffer, LaneMask mask, const uint64_t *byte);
/* Past L1, as volatile words are. */
void warp_load_volatile(Warp *warp, uint16_t buffer, LaneMask mask, const uint64_t *byte);
void warp_store_volatile(Warp *warp, uint16_t buffer, LaneMask mask, const uint64_t *byte);
void warp_add(Warp *warp, const Vote *vote, uint16_t buffer, LaneMask mask,
	      const uint64_t *byte, const uint64_t *value);
/* Buffer 0 in these is shared memory. */
void warp_lock(Warp *warp, uint16_t buffer, LaneMask mask, const uint64_t *byte);
void warp_unlock(Warp *warp, uint16_t buffer, LaneMask mask, const uint64_t *byte);

/* The same for consecutive words: lane l's is word `first` + l. */
void warp_load_row(Warp *warp, uint16_t buffer, LaneMask mask, uint64_t first);
void warp_store_row(Warp *warp, uint16_t buffer, LaneMask mask, uint64_t first);

/* Sets words first .. first + n - 1 of shared memory to zero, by all threads of the block: at
   KERNEL_ADDRESS. */
void warp_zero_shared(Warp *warp, uint32_t first, uint32_t n);

/* A sum over the warp: log2(lanes) shuffles, each with an addition to KERNEL_SUM. */
void warp_sum(Warp *warp);

#endif
