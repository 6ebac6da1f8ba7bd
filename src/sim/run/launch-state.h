/* SPDX-License-Identifier: MIT */
/*
 * What a launch finds: no property of the GPU, but of what ran on it before and beside. A field's path here is its key's below
 * `launch`; the table of keys documents each. Plain data. Who may include it: sim and every layer above.
 */
#ifndef ATOMSIM_SIM_RUN_LAUNCH_STATE_H
#define ATOMSIM_SIM_RUN_LAUNCH_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/record.h"

/* Where the lines of its buffers are. Those in DRAM for lack of room (dram.capacity_kib) are there in any state. */
typedef enum {
	LAUNCH_L2_WARM, /* SMs of both partitions have loaded them: the one that is not their home has copies */
	LAUNCH_L2_WRITTEN, /* all SMs have written them, 16 KiB a block: copies where their writers lie */
	LAUNCH_L2_HOME, /* in their home partition alone */
	LAUNCH_L2_COLD, /* in DRAM alone */
	LAUNCH_L2_RECORDED, /* as what each buffer had met; in their home partition alone where that is not known */
	N_LAUNCH_L2,
} LaunchL2;

/* Whether SMs have its code. */
typedef enum {
	LAUNCH_CODE_WARM, /* they have run it */
	LAUNCH_CODE_COLD, /* nobody has: it comes from the L2 as warps get to it */
	LAUNCH_CODE_RECORDED, /* cold where the trace says that it is the program's first launch of the kernel */
	N_LAUNCH_CODES,
} LaunchCode;

/* Which translations of addresses the TLBs have. */
typedef enum {
	LAUNCH_TLB_WARM, /* all */
	LAUNCH_TLB_COLD, /* none */
	LAUNCH_TLB_RECORDED, /* none in a program's first launch, if no kernel had used a buffer; else all */
	N_LAUNCH_TLBS,
} LaunchTlb;

/* Whether the memory that its parameters come in was used before. */
typedef enum {
	LAUNCH_PARAMETERS_WARM,
	LAUNCH_PARAMETERS_COLD, /* no launch has used it */
	LAUNCH_PARAMETERS_RECORDED, /* cold in the first launches of a program, as many as sm.issue.parameter_buffers */
	N_LAUNCH_PARAMETERS,
} LaunchParameters;

/* How far its SMs are from the L2's slices. */
typedef enum {
	LAUNCH_PLACE_ROUND_ROBIN, /* as far as those are that get a launch's first blocks, group by group */
	LAUNCH_PLACE_MEDIAN, /* all as far as the mean */
	N_LAUNCH_PLACES,
} LaunchPlace;

/* When the warps of a block start. */
typedef enum {
	LAUNCH_WARPS_STAGGERED, /* sm.warp_start_cycles after one another */
	LAUNCH_WARPS_TOGETHER,	/* at once, as behind a barrier */
	N_LAUNCH_WARPS,
} LaunchWarps;

extern const char *const launch_l2_names[N_LAUNCH_L2];
extern const char *const launch_code_names[N_LAUNCH_CODES];
extern const char *const launch_tlb_names[N_LAUNCH_TLBS];
extern const char *const launch_parameters_names[N_LAUNCH_PARAMETERS];
extern const char *const launch_place_names[N_LAUNCH_PLACES];
extern const char *const launch_warps_names[N_LAUNCH_WARPS];

typedef struct {
	LaunchL2 l2;
	LaunchCode code;
	LaunchTlb tlb;
	LaunchParameters parameters;
	LaunchPlace place;
	uint32_t sms; /* that take its blocks, another kernel has the rest; 0: all */
	LaunchWarps warps;
	uint32_t registers; /* of a thread; 0: as many as the trace says */
} LaunchState;

/* As what a launch of the kernel finds the lines of its buffer, counted from 0; never RECORDED. */
LaunchL2 launch_finds(const LaunchState *launch, const KernelInfo *kernel, uint32_t buffer);
bool launch_code_is_cold(const LaunchState *launch, const KernelInfo *kernel);
/* Whether SMs find its module's constants in DRAM. */
bool launch_constants_are_cold(const LaunchState *launch, const KernelInfo *kernel);
bool launch_tlb_is_cold(const LaunchState *launch, const KernelInfo *kernel);
/* From which byte of their bank on parameters in new memory come late; UINT32_MAX: none does, or nothing reads those that would. */
uint32_t launch_late_parameters(const KernelParameters *parameters);
/* Whether some come late; `buffers` for parameters are the driver's. */
bool launch_parameters_are_cold(const LaunchState *launch, const KernelInfo *kernel,
				uint32_t buffers);

#endif
