/* SPDX-License-Identifier: MIT */
/*
 * What waits for what in the update step by points: traces/kernels/update.cu as nvcc 13 compiles it for sm_90, read from its
 * disassembly. A step's operations are those on the way of a warp, without those that nothing waits for.
 */
#include "workloads/kmeans-update.h"

/* Number of the thread or point, its cluster, address of a lock or sum, a sum as loaded and with what is added; a predicate;
   coordinates read ahead. */
enum { INDEX = N_KERNEL_VALUES, CLUSTER, WORD, OLD, NEW, PREDICATE, POINT };

static const FlowOperation start_code[] = {
	{CODE_SYSTEM, INDEX, {0}, 0},	       {CODE_SYSTEM, OLD, {0}, 0},
	{CODE_CONSTANT, NEW, {0}, 0},	       {CODE_MUL, INDEX, {INDEX, OLD, NEW}, 0},
	{CODE_COMPARE, PREDICATE, {INDEX}, 0}, {CODE_BRANCH, 0, {0}, PREDICATE},
	{CODE_MUL, INDEX, {INDEX}, 0},
};
static const FlowOperation lanes_code[] = {
	{CODE_CONSTANT, WORD, {0}, 0},	     {CODE_CONSTANT, NEW, {0}, 0},
	{CODE_MUL, WORD, {CLUSTER, NEW}, 0}, {CODE_MUL, WORD, {WORD}, 0},
	{CODE_MUL, WORD, {WORD, INDEX}, 0},
};
static const FlowOperation pass_code[] = {
	{CODE_INT, WORD, {CLUSTER}, 0},
	{CODE_COMPARE, PREDICATE, {WORD}, 0},
	{CODE_COMPARE, PREDICATE, {PREDICATE}, 0},
	{CODE_BRANCH, 0, {0}, PREDICATE},
	{CODE_INT, WORD, {WORD}, 0},
	{CODE_MUL, WORD, {WORD}, 0},
	{CODE_INT, WORD, {WORD}, 0},
};
static const FlowOperation section_code[] = {
	{CODE_CONSTANT, NEW, {0}, 0},	  {CODE_COMPARE, PREDICATE, {NEW}, 0},
	{CODE_BRANCH, 0, {0}, PREDICATE}, {CODE_COMPARE, PREDICATE, {INDEX}, 0},
	{CODE_BRANCH, 0, {0}, PREDICATE}, {CODE_COMPARE, PREDICATE, {INDEX}, 0},
	{CODE_BRANCH, 0, {0}, PREDICATE}, {CODE_COMPARE, PREDICATE, {PREDICATE}, 0},
	{CODE_UNIFORM, NEW, {0}, 0},	  {CODE_MUL, WORD, {WORD, NEW}, 0},
};
static const FlowOperation coordinate_code[] = {
	{CODE_UNIFORM, NEW, {0}, 0},
	{CODE_UNIFORM, NEW, {0}, 0},
};
static const FlowOperation loop_code[] = {
	{CODE_INT, INDEX, {INDEX}, 0},	{CODE_COMPARE, PREDICATE, {INDEX}, 0},
	{CODE_UNIFORM, NEW, {0}, 0},	{CODE_INT, WORD, {WORD}, 0},
	{CODE_JUMP, 0, {0}, PREDICATE},
};
static const FlowOperation count_code[] = {{CODE_FLOAT, NEW, {OLD}, 0}};
/* A division: an approximate reciprocal and its corrections. */
static const FlowOperation back_code[] = {
	{CODE_COMPARE, PREDICATE, {INDEX}, 0},
	{CODE_JUMP, 0, {0}, PREDICATE},
	{CODE_CONSTANT, NEW, {0}, 0},
	{CODE_CONVERT, OLD, {NEW}, 0},
	{CODE_SPECIAL, OLD, {OLD}, 0},
	{CODE_INT, OLD, {OLD}, 0},
	{CODE_CONVERT, OLD, {OLD}, 0},
	{CODE_INT, NEW, {OLD}, 0},
	{CODE_MUL, NEW, {NEW}, 0},
	{CODE_MUL, NEW, {NEW}, 0},
	{CODE_MUL, NEW, {NEW, INDEX}, 0},
	{CODE_INT, NEW, {NEW}, 0},
	{CODE_MUL, NEW, {NEW}, 0},
	{CODE_COMPARE, PREDICATE, {NEW}, 0},
	{CODE_INT, NEW, {NEW}, PREDICATE},
	{CODE_COMPARE, PREDICATE, {NEW}, 0},
	{CODE_INT, NEW, {NEW}, PREDICATE},
	{CODE_INT, NEW, {NEW}, 0},
	{CODE_MUL, WORD, {NEW}, 0},
	{CODE_MUL, WORD, {WORD}, 0},
	{CODE_INT, WORD, {WORD}, 0},
};

void kmeans_generate(KmeansUpdate *work, Kernel *kernel, KernelCode *code, TraceWriter *writer,
		     WarpWriter write, WorkloadLaunch *launch)
{
	FlowStep steps[STEP_ADD - N_KERNEL_STEPS + KMEANS_AHEAD] = {
		FLOW_STEP(start_code),
		FLOW_STEP(lanes_code),
		FLOW_STEP(pass_code),
		work->by_coordinate ? (FlowStep)FLOW_STEP(coordinate_code)
				    : (FlowStep)FLOW_STEP(section_code),
		FLOW_STEP(loop_code),
		FLOW_STEP(count_code),
		FLOW_STEP(back_code),
	};
	FlowOperation add[KMEANS_AHEAD];
	FlowSite sites[SITE_POINT + KMEANS_AHEAD - 1] = {
		[SITE_CLUSTER - 1] = {.address = INDEX, .write = CLUSTER},
		[SITE_LOCK - 1] = {.address = WORD},
		[SITE_SUM - 1] = {.address = WORD, .data = work->atomic ? POINT : NEW},
		[SITE_COUNT - 1] = {.address = WORD, .data = work->atomic ? 0 : NEW},
		[SITE_UNLOCK - 1] = {.address = WORD},
		[SITE_ZERO - 1] = {.address = KERNEL_ADDRESS},
		[SITE_BACK - 1] = {.address = WORD, .data = work->atomic ? POINT : NEW},
		[SITE_SUM_LOAD - 1] = {.address = WORD, .write = OLD},
		[SITE_COUNT_LOAD - 1] = {.address = WORD, .write = OLD},
		[SITE_BACK_READ - 1] = {.address = WORD, .write = POINT},
		[SITE_BACK_LOAD - 1] = {.address = WORD, .write = OLD},
		[SITE_BACK_LOCK - 1] = {.address = WORD},
		[SITE_BACK_UNLOCK - 1] = {.address = WORD},
	};

	for (uint8_t i = 0; i < KMEANS_AHEAD; i++) {
		add[i] = (FlowOperation){CODE_FLOAT, NEW, {OLD, POINT + i}, 0};
		steps[STEP_ADD - N_KERNEL_STEPS + i] = (FlowStep){.code = &add[i], .n = 1};
		sites[SITE_POINT - 1 + i] = (FlowSite){.address = INDEX, .write = POINT + i};
	}
	code->steps = steps;
	code->n_steps = G_N_ELEMENTS(steps);
	code->flows = sites;
	code->n_flows = G_N_ELEMENTS(sites);
	kernel_generate(kernel, code, work->parameters, writer, write, work, launch);
}
