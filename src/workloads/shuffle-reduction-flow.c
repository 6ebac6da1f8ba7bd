/* SPDX-License-Identifier: MIT */
/* What waits for what in `shuffle-reduction`: arithmetic as a compiler emits it, and a site for each access. */
#include "workloads/shuffle-reduction.h"

static const char *const sites[] = {"shuffle_reduction: read",
				    "shuffle_reduction: exchange",
				    "shuffle_reduction: add to the total",
				    "shuffle_reduction: store the block's sum",
				    "shuffle_reduction: sum of all blocks",
				    NULL};

static const char *const flow_site_names[] = {"shuffle_reduction: read",
					      "shuffle_reduction: store for the others",
					      "shuffle_reduction: add to the total",
					      "shuffle_reduction: store the block's sum",
					      "shuffle_reduction: sum of all blocks",
					      "shuffle_reduction: load another's",
					      "shuffle_reduction: load the warps' sums",
					      "shuffle_reduction: count blocks",
					      "shuffle_reduction: store whether it is the last",
					      "shuffle_reduction: load whether it is the last",
					      NULL};

enum { THREAD = N_KERNEL_VALUES, BLOCK, ADDRESS, TILE, ELEMENT, COUNT, GOES_ON };

/* Thread number, addresses, a sum of zero. */
static const FlowOperation start_code[] = {
	{CODE_SYSTEM, THREAD, {0}, 0},		 {CODE_SYSTEM, BLOCK, {0}, 0},
	{CODE_MUL, ADDRESS, {BLOCK, THREAD}, 0}, {CODE_WIDE, ADDRESS, {ADDRESS}, 0},
	{CODE_INT, TILE, {THREAD}, 0},		 {CODE_INT, TILE, {TILE}, 0},
	{CODE_MOVE, KERNEL_SUM, {0}, 0},	 {CODE_COMPARE, GOES_ON, {ADDRESS}, 0},
};
/* Addition, next element, comparison and branch. */
static const FlowOperation read_code[] = {
	{CODE_INT, KERNEL_SUM, {KERNEL_SUM, ELEMENT}, 0},
	{CODE_INT, ADDRESS, {ADDRESS}, 0},
	{CODE_JUMP, 0, {0}, 0},
};
static const FlowOperation exchange_code[] = {
	{CODE_INT, KERNEL_SUM, {KERNEL_SUM, KERNEL_OTHER}, 0}};
/* Which lanes go on. */
static const FlowOperation select_code[] = {
	{CODE_COMPARE, GOES_ON, {THREAD}, 0},
	{CODE_BRANCH, 0, {0}, GOES_ON},
};
static const FlowOperation flag_code[] = {
	{CODE_COMPARE, GOES_ON, {COUNT}, 0},
	{CODE_BRANCH, 0, {0}, GOES_ON},
};

static const FlowStep steps[] = {FLOW_STEP(start_code), FLOW_STEP(read_code),
				 FLOW_STEP(exchange_code), FLOW_STEP(select_code),
				 FLOW_STEP(flag_code)};
static const FlowSite site_flows[] = {
	{.address = ADDRESS, .write = ELEMENT},
	{.address = TILE, .data = KERNEL_SUM},
	{.data = KERNEL_SUM},
	{.address = BLOCK, .data = KERNEL_SUM},
	{.address = TILE, .write = ELEMENT},
	{.address = TILE, .write = KERNEL_OTHER},
	{.address = TILE, .write = KERNEL_SUM},
	{.write = COUNT},
	{.data = GOES_ON},
	{.write = COUNT},
};

const KernelCode shuffle_reduction_code =
	KERNEL_CODE("shuffle_reduction", sites, flow_site_names, steps, site_flows);
