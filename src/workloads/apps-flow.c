/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic and data flow of `apps`. Without data flow a stretch is so many bundles of VLIW operations, as the paper's GPU has
 * them; with it, what traces/kernels/apps.cu has for the same as nvcc 13 compiles it for sm_90, by opcodes: its loops over
 * products unrolled as there, others not.
 */
#include "workloads/apps.h"

/* Number of the work-item; addresses in the buffers and in local memory; what was loaded; what an atomic adds and found; what
   is stored; predicates. */
enum {
	INDEX = N_KERNEL_VALUES,
	SIZE,
	IN,
	SECOND,
	OUT,
	LOCAL,
	A,
	B = A + APPS_AHEAD,
	SUM = B + APPS_AHEAD,
	OPERAND,
	OLD,
	PLACE,
	GROUP,
	IS_LEADER,
	MORE
};

static const FlowOperation start_code[] = {
	{CODE_SYSTEM, INDEX, {0}, 0},	   {CODE_SYSTEM, OUT, {0}, 0},
	{CODE_CONSTANT, SIZE, {0}, 0},	   {CODE_MUL, INDEX, {INDEX, OUT, SIZE}, 0},
	{CODE_CONSTANT, IN, {0}, 0},	   {CODE_CONSTANT, OUT, {0}, 0},
	{CODE_WIDE, IN, {INDEX, IN}, 0},   {CODE_MUL, SECOND, {INDEX, SIZE}, 0},
	{CODE_WIDE, OUT, {INDEX, OUT}, 0}, {CODE_INT, LOCAL, {INDEX}, 0},
	{CODE_MOVE, SUM, {0}, 0},
};
static const FlowOperation copy_code[] = {{CODE_INT, OPERAND, {A}, 0}};
static const FlowOperation operand_code[] = {{CODE_MOVE, OPERAND, {INDEX}, 0}};
static const FlowOperation product_code[] = {{CODE_MUL, SUM, {A, B, SUM}, 0},
					     {CODE_MOVE, OPERAND, {SUM}, 0}};
static const FlowOperation element_code[] = {
	{CODE_MUL, SUM, {A, B, SUM}, 0}, {CODE_INT, IN, {IN}, 0},
	{CODE_INT, SECOND, {SECOND}, 0}, {CODE_COMPARE, MORE, {IN}, 0},
	{CODE_JUMP, 0, {0}, MORE},
};
static const FlowOperation distance_code[] = {{CODE_INT, A, {A, B}, 0},
					      {CODE_MUL, SUM, {A, SUM}, 0}};
static const FlowOperation nearest_code[] = {{CODE_COMPARE, MORE, {SUM}, 0},
					     {CODE_INT, PLACE, {PLACE}, MORE}};
static const FlowOperation loop_code[] = {
	{CODE_INT, IN, {IN}, 0},
	{CODE_INT, SECOND, {SECOND}, 0},
	{CODE_COMPARE, MORE, {IN}, 0},
	{CODE_JUMP, 0, {0}, MORE},
};
static const FlowOperation match_code[] = {
	{CODE_COMPARE, MORE, {A}, 0}, {CODE_BRANCH, 0, {0}, MORE},
	{CODE_COMPARE, MORE, {A}, 0}, {CODE_BRANCH, 0, {0}, MORE},
	{CODE_COMPARE, MORE, {A}, 0}, {CODE_BRANCH, 0, {0}, MORE},
	{CODE_COMPARE, MORE, {A}, 0}, {CODE_BRANCH, 0, {0}, MORE},
};
/* REDUX. */
static const FlowOperation reduce_code[] = {
	{CODE_VOTE, GROUP, {0}, 0},
	{CODE_UNIFORM, GROUP, {GROUP}, 0},
	{CODE_COMPARE, IS_LEADER, {GROUP, INDEX}, 0},
	{CODE_REDUCE, OPERAND, {OPERAND}, 0},
};
#define SCAN_STEP                                                                              \
	{CODE_SHUFFLE, PLACE, {OPERAND}, 0},                                                   \
	{                                                                                      \
		CODE_INT, OPERAND, {OPERAND, PLACE}, 0                                         \
	}
static const FlowOperation scan_code[] = {
	SCAN_STEP, SCAN_STEP, SCAN_STEP,
	SCAN_STEP, SCAN_STEP, {CODE_COMPARE, IS_LEADER, {INDEX}, 0},
};
static const FlowOperation share_code[] = {
	{CODE_SHUFFLE, OLD, {OLD}, 0},
	{CODE_INT, OLD, {OLD, OPERAND}, 0},
};
static const FlowOperation count_code[] = {
	{CODE_SYSTEM, PLACE, {0}, 0},
	{CODE_VOTE, GROUP, {0}, 0},
	{CODE_CONVERT, IS_LEADER, {GROUP}, 0},
	{CODE_CONVERT, OPERAND, {GROUP}, 0},
	{CODE_COMPARE, IS_LEADER, {IS_LEADER, PLACE}, 0},
};
static const FlowOperation counted_code[] = {
	{CODE_SYSTEM, PLACE, {0}, 0},	   {CODE_INT, PLACE, {PLACE, GROUP}, 0},
	{CODE_CONVERT, PLACE, {PLACE}, 0}, {CODE_SHUFFLE, OLD, {OLD}, 0},
	{CODE_INT, OLD, {OLD, PLACE}, 0},
};
static const FlowOperation emit_code_[] = {
	{CODE_INT, PLACE, {OLD}, 0},
	{CODE_MUL, OUT, {PLACE}, 0},
};

static const struct {
	FlowStep step;
	uint32_t bundles;
} steps[N_APPS_STEPS] = {
	[STEP_START] = {FLOW_STEP(start_code), 4},
	[STEP_COPY] = {FLOW_STEP(copy_code), 1},
	[STEP_OPERAND] = {FLOW_STEP(operand_code), 0},
	[STEP_PRODUCT] = {FLOW_STEP(product_code), 1}, /* multiply and add */
	[STEP_ELEMENT] = {FLOW_STEP(element_code), 3},
	[STEP_DISTANCE] = {FLOW_STEP(distance_code), 2},
	[STEP_NEAREST] = {FLOW_STEP(nearest_code), 0},
	[STEP_LOOP] = {FLOW_STEP(loop_code), 2},
	[STEP_MATCH] = {FLOW_STEP(match_code), 3}, /* four characters against four keywords */
	[STEP_REDUCE] = {FLOW_STEP(reduce_code), 2},
	[STEP_SCAN] = {FLOW_STEP(scan_code), 6},
	[STEP_SHARE] = {FLOW_STEP(share_code), 2},
	[STEP_COUNT] = {FLOW_STEP(count_code), 2},
	[STEP_COUNTED] = {FLOW_STEP(counted_code), 3},
	[STEP_EMIT] = {FLOW_STEP(emit_code_), 2},
};

void apps_step(Warp *warp, guint step)
{
	if (has_dataflow(&warp->emit))
		emit_step(&warp->emit, step);
	else
		emit_alu(&warp->emit, steps[step].bundles);
}

/* --- Generation --- */

static const char *const plain_sites[] = {"apps: read", "apps: atomic", "apps: write", NULL};
static const char *const dataflow_sites[N_APPS_SITES + 1] = {"apps: read",
							     "apps: atomic",
							     "apps: write",
							     "apps: read the second",
							     "apps: count in local memory",
							     "apps: store the place",
							     "apps: load the place",
							     "apps: read",
							     "apps: read the second",
							     "apps: read",
							     "apps: read the second",
							     "apps: read",
							     "apps: read the second",
							     NULL};

void apps_generate(const Apps *work, Kernel *kernel, const WorkloadParameters *parameters,
		   TraceWriter *writer, WarpWriter write, WorkloadLaunch *launch)
{
	gboolean emits = work->application >= APP_MATMUL;
	FlowStep own_steps[N_APPS_STEPS - N_KERNEL_STEPS];
	FlowOperation ahead[APPS_AHEAD - 1];
	FlowSite sites[N_APPS_SITES] = {
		[SITE_READ - 1] = {.address = IN, .write = A},
		[SITE_ATOMIC - 1] = {.data = OPERAND,
				     .write = emits || work->application == APP_TAKE ? OLD : 0},
		[SITE_WRITE - 1] = {.address = OUT,
				    .data = work->application == APP_MATMUL ? SUM
					    : work->application == APP_TAKE ? OLD
					    : emits			    ? PLACE
									    : OPERAND},
		[SITE_SECOND - 1] = {.address = SECOND, .write = B},
		[SITE_LOCAL_ADD - 1] = {.address = LOCAL, .write = OPERAND},
		[SITE_LOCAL_STORE - 1] = {.address = LOCAL, .data = OLD},
		[SITE_LOCAL_LOAD - 1] = {.address = LOCAL, .write = OLD},
	};
	const KernelCode code =
		KERNEL_CODE("apps", plain_sites, dataflow_sites, own_steps, sites);

	for (guint i = 0; i < G_N_ELEMENTS(own_steps); i++)
		own_steps[i] = steps[N_KERNEL_STEPS + i].step;
	for (uint8_t i = 1; i < APPS_AHEAD; i++) {
		ahead[i - 1] = (FlowOperation){CODE_MUL, SUM, {A + i, B + i, SUM}, 0};
		own_steps[STEP_AHEAD - N_KERNEL_STEPS + i - 1] =
			(FlowStep){.code = &ahead[i - 1], .n = 1};
		sites[SITE_AHEAD - 1 + 2 * (i - 1)] = (FlowSite){.address = IN, .write = A + i};
		sites[SITE_AHEAD + 2 * (i - 1)] = (FlowSite){.address = SECOND, .write = B + i};
	}
	kernel_generate(kernel, &code, parameters, writer, write, (gpointer)work, launch);
}
