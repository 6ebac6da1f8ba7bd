/* SPDX-License-Identifier: MIT */
/*
 * How many blocks of a launch are resident on an SM at a time: by warps, blocks, shared memory and registers. NVIDIA's occupancy
 * calculator counts so, too: registers of a warp are rounded up, and each scheduler has its part of them.
 */
#ifndef ATOMSIM_SIM_SM_RESIDENCY_H
#define ATOMSIM_SIM_SM_RESIDENCY_H

#include "sim/sm/sm.h"

/* How much of its shared memory any of n_sms SMs can come to use, in bytes: never less, often far less
   than all of it. */
uint32_t residency_reach(const Machine *machine, RecordSource *source, uint32_t n_sms);

/* Bytes of an SM's shared memory that a block takes, with what is reserved. */
uint32_t residency_bytes(const SharedParameters *shared, const BlockInfo *info);

/* Registers that a warp of the kernel gets: launch.registers or the trace's, rounded up; 0: not known. */
uint32_t residency_warp_registers(const Machine *machine, const KernelInfo *kernel);
/* Warps whose registers an SM has room for, each scheduler its own; UINT32_MAX: registers limit nothing. */
uint32_t residency_warps_by_registers(const Machine *machine, const KernelInfo *kernel);

/* How many blocks of that size fit an SM. */
uint32_t residency_blocks(const Machine *machine, const KernelInfo *kernel,
			  const BlockInfo *info);

/* Of an SM's first cache when the source's kernel runs: what its blocks' shared memory, as many as fit, leaves; 0 if it has
   no buffers. */
uint32_t residency_l1_bytes(const Machine *machine, RecordSource *source);

#endif
