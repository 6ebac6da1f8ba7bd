/* SPDX-License-Identifier: MIT */
/*
 * The machine of a run, with its numbers as ideals make them: beside those of model/memory/memory-ideal.h,
 * - global_latency: nor does the flat model, the first cache or a fence of the device take any time;
 * - global_bandwidth: nor do lines of accesses and bytes of stores wait in an SM; the flat model has no limit (sm.c).
 * - issue: nor does an access wait at a scheduler's port to the load/store unit (model/shared/shared.h), but for IDEAL_BUT_PORTS.
 * - instruction_latency: what model/issue/issue.h says, and the one latency of traces without data flow.
 * Who may include it: sim/run.
 */
#ifndef ATOMSIM_SIM_RUN_IDEAL_MACHINE_H
#define ATOMSIM_SIM_RUN_IDEAL_MACHINE_H

#include "sim/run/machine.h"

typedef struct {
	Machine machine;
	L2Parameters l2;
	NetworkParameters network;
	DramParameters dram;
	IssueParameters issue;
} IdealMachine;

/* The machine itself if no ideal changes a number of it; else what *ideal then holds, which must outlive its use. */
const Machine *ideal_machine(const Machine *machine, IdealMachine *ideal);

#endif
