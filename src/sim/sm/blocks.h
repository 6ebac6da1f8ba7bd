/* SPDX-License-Identifier: MIT */
/*
 * Thread blocks of an SM: coming and going. Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_SM_BLOCKS_H
#define ATOMSIM_SIM_SM_BLOCKS_H

#include "sim/sm/sm.h"

/* How much of its shared memory any of n_sms SMs can come to use, in bytes: never less, often far less
   than all of it. */
uint32_t blocks_reach(const Machine *machine, RecordSource *source, uint32_t n_sms);

/* Bytes of an SM's shared memory that a block takes, with what is reserved. */
uint32_t blocks_bytes(const SharedParameters *shared, const BlockInfo *info);

/* Registers that a warp of the kernel gets: launch.registers or the trace's, rounded up; 0: not known. */
uint32_t blocks_warp_registers(const Machine *machine, const KernelInfo *kernel);
/* Warps whose registers an SM has room for, each scheduler its own; UINT32_MAX: registers limit nothing. */
uint32_t blocks_register_warps(const Machine *machine, const KernelInfo *kernel);

/* How many blocks of that size fit an SM. */
uint32_t blocks_resident(const Machine *machine, const KernelInfo *kernel,
			 const BlockInfo *info);

/* Of an SM's first cache when the source's kernel runs: what its blocks' shared memory, as many as fit, leaves. */
uint32_t blocks_l1_bytes(const Machine *machine, RecordSource *source);

/* Whether a block fits besides those that are resident. Notes what the answer depends on. */
bool blocks_fit(const Sm *sm, const BlockInfo *info, SimLimit limits[N_SIM_LIMITS]);
/* Makes a block that fits resident, dispatched at `now`, 0 being the kernel's start; it starts at `start`. */
void blocks_dispatch(Sm *sm, uint64_t block, const BlockInfo *info, Cycle start, Cycle now);
/* The room, taken and free, becomes that of another SM, between two runs of it. */
void blocks_take_room(Sm *sm, const Sm *other);
/* Opens the warps of blocks admitted since the last call; done here and not at admission so that
   SMs decode side by side. */
void blocks_start(Sm *sm);

/* The warp has executed its exit; it ends at `cycle`. */
void blocks_end_warp(Sm *sm, uint32_t slot, Cycle cycle);

#endif
