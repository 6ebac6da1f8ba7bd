/* SPDX-License-Identifier: MIT */
/* What waits for what in `private-histogram`: arithmetic as a compiler emits it, and a site for each access. */
#include "workloads/private-histogram.h"

static const char *const sites[] = {"private_histogram: zero", "private_histogram: read",
				    "private_histogram: vote", "private_histogram: flush",
				    NULL};
static const char *const flow_site_names[] = {
	"private_histogram: zero",  "private_histogram: read",	      "private_histogram: vote",
	"private_histogram: flush", "private_histogram: read a copy", NULL};

enum {
	THREAD = N_KERNEL_VALUES,
	BLOCK,
	ADDRESS,
	ELEMENT,
	WORD,
	BIN_ADDRESS,
	GROUP,
	COUNT,
	LEADER,
	IS_LEADER,
	MORE
};

/* Thread number, addresses. */
static const FlowOperation start_code[] = {
	{CODE_SYSTEM, THREAD, {0}, 0},		 {CODE_SYSTEM, BLOCK, {0}, 0},
	{CODE_MUL, ADDRESS, {BLOCK, THREAD}, 0}, {CODE_WIDE, ADDRESS, {ADDRESS}, 0},
	{CODE_INT, KERNEL_ADDRESS, {THREAD}, 0}, {CODE_MUL, BIN_ADDRESS, {THREAD}, 0},
	{CODE_MOVE, KERNEL_SUM, {0}, 0},	 {CODE_COMPARE, MORE, {ADDRESS}, 0},
};
/* Bin, its address. */
static const FlowOperation element_code[] = {
	{CODE_INT, WORD, {ELEMENT}, 0},
	{CODE_INT, WORD, {WORD}, 0},
};
/* Of the lanes that hold the same: how many they are, and whether this one is the first. */
static const FlowOperation aggregate_code[] = {
	{CODE_VOTE, GROUP, {WORD}, 0},		{CODE_CONVERT, COUNT, {GROUP}, 0},
	{CODE_CONVERT, LEADER, {GROUP}, 0},	{CODE_INT, LEADER, {LEADER}, 0},
	{CODE_COMPARE, IS_LEADER, {LEADER}, 0}, {CODE_BRANCH, 0, {0}, IS_LEADER},
};
/* Next element, comparison, branch. */
static const FlowOperation loop_code[] = {
	{CODE_INT, ADDRESS, {ADDRESS}, 0},
	{CODE_COMPARE, MORE, {ADDRESS}, 0},
	{CODE_JUMP, 0, {0}, MORE},
};
static const FlowOperation add_code[] = {{CODE_INT, KERNEL_SUM, {KERNEL_SUM, KERNEL_OTHER}, 0}};
static const FlowOperation flush_loop_code[] = {
	{CODE_INT, BIN_ADDRESS, {BIN_ADDRESS}, 0},
	{CODE_COMPARE, MORE, {BIN_ADDRESS}, 0},
	{CODE_JUMP, 0, {0}, MORE},
};

static const FlowStep steps[] = {FLOW_STEP(start_code),	    FLOW_STEP(element_code),
				 FLOW_STEP(aggregate_code), FLOW_STEP(loop_code),
				 FLOW_STEP(add_code),	    FLOW_STEP(flush_loop_code)};

void private_histogram_generate(Kernel *kernel, gboolean aggregated,
				const WorkloadParameters *parameters, TraceWriter *writer,
				WarpWriter write, gpointer data, WorkloadLaunch *launch)
{
	const FlowSite site_flows[] = {
		{.address = KERNEL_ADDRESS},
		{.address = ADDRESS, .write = ELEMENT},
		{.address = WORD, .data = aggregated ? COUNT : 0},
		{.address = BIN_ADDRESS, .data = KERNEL_SUM},
		{.address = BIN_ADDRESS, .write = KERNEL_OTHER},
	};
	const KernelCode code =
		KERNEL_CODE("private_histogram", sites, flow_site_names, steps, site_flows);

	kernel_generate(kernel, &code, parameters, writer, write, data, launch);
}
