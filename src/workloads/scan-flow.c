/* SPDX-License-Identifier: MIT */
/* What waits for what in `scan`: arithmetic as a compiler emits it, and a site for each access. */
#include "workloads/scan.h"

static const char *const sites[] = {
	"scan: read", "scan: fill", "scan: step", "scan: write", "scan: store the block's sum",
	NULL};
static const char *const flow_site_names[] = {"scan: read",
					      "scan: fill",
					      "scan: step, load the other",
					      "scan: write",
					      "scan: store the block's sum",
					      "scan: step, load the own",
					      "scan: step, store",
					      "scan: store the warp's sum",
					      "scan: load the warps' sums",
					      "scan: load the sum of the warps before",
					      "scan: load the result",
					      "scan: load the sum of the blocks before",
					      NULL};
enum {
	THREAD = N_KERNEL_VALUES,
	BLOCK,
	INDEX,
	ADDRESS,
	TILE,
	LANE,
	SUMS,
	VALUE,
	FROM,
	TO,
	OTHER,
	OWN,
	STRIDE,
	TAKES
};
/* Thread number, addresses. */
static const FlowOperation start_code[] = {
	{CODE_SYSTEM, THREAD, {0}, 0},	       {CODE_SYSTEM, BLOCK, {0}, 0},
	{CODE_MUL, INDEX, {BLOCK, THREAD}, 0}, {CODE_WIDE, ADDRESS, {INDEX}, 0},
	{CODE_INT, TILE, {THREAD}, 0},	       {CODE_INT, LANE, {THREAD}, 0},
	{CODE_WIDE, SUMS, {BLOCK}, 0},	       {CODE_COMPARE, TAKES, {INDEX}, 0},
};
/* Index, comparison. */
static const FlowOperation index_code[] = {
	{CODE_INT, FROM, {TILE, STRIDE}, 0},
	{CODE_INT, TO, {FROM, STRIDE}, 0},
	{CODE_COMPARE, TAKES, {FROM}, 0},
};
static const FlowOperation add_code[] = {{CODE_INT, OWN, {OWN, OTHER}, 0}};
/* Next stride, branch. */
static const FlowOperation loop_code[] = {
	{CODE_INT, STRIDE, {STRIDE}, 0},
	{CODE_JUMP, 0, {0}, 0},
};
/* Exchange, comparison, guarded addition. */
static const FlowOperation shuffle_code[] = {
	{CODE_SHUFFLE, OTHER, {VALUE}, 0},
	{CODE_COMPARE, TAKES, {LANE}, 0},
	{CODE_INT, VALUE, {VALUE, OTHER}, TAKES},
};
static const FlowOperation before_code[] = {{CODE_INT, VALUE, {VALUE, OTHER}, 0}};

static const FlowStep steps[] = {FLOW_STEP(start_code),	  FLOW_STEP(index_code),
				 FLOW_STEP(add_code),	  FLOW_STEP(loop_code),
				 FLOW_STEP(shuffle_code), FLOW_STEP(before_code)};
static const FlowSite site_flows[] = {
	{.address = ADDRESS, .write = VALUE}, {.address = TILE, .data = VALUE},
	{.address = FROM, .write = OTHER},    {.address = ADDRESS, .data = VALUE},
	{.address = SUMS, .data = VALUE},     {.address = TO, .write = OWN},
	{.address = TO, .data = OWN},	      {.address = TILE, .data = VALUE},
	{.address = TILE, .write = VALUE},    {.address = TILE, .write = OTHER},
	{.address = TILE, .write = VALUE},    {.address = SUMS, .write = OTHER},
};

const KernelCode scan_code = KERNEL_CODE("scan", sites, flow_site_names, steps, site_flows);
