/* SPDX-License-Identifier: MIT */
/* What waits for what in `spin-locks`, as nvcc compiles measurements/programs/locks.cu. */
#include "workloads/spin-locks.h"

static const char *const sites[] = {"spin_locks: lock",		  "spin_locks: read the word",
				    "spin_locks: write the word", "spin_locks: fence",
				    "spin_locks: unlock",	  "spin_locks: load an addend",
				    "spin_locks: load another",	  NULL};

enum {
	NO_VALUE,
	LOCK_ADDRESS,
	WORD_ADDRESS,
	ADDEND_ADDRESS,
	OLD,
	TAKEN,
	VALUE,
	DONE,
	WANTS,
	ADDEND,
	ADDENDS
};

static const FlowOperation start_code[] = {
	{CODE_INT, LOCK_ADDRESS, {0}, 0},
	{CODE_INT, WORD_ADDRESS, {0}, 0},
	{CODE_INT, ADDEND_ADDRESS, {0}, 0},
};
static const FlowOperation enter_code[] = {
	{CODE_COMPARE, WANTS, {0}, 0},
	{CODE_BRANCH, 0, {0}, WANTS},
	{CODE_MOVE, OLD, {0}, 0},
	{CODE_YIELD, 0, {0}, 0},
};
/* Some lanes go past the loop, and are joined behind it. */
static const FlowOperation enter_parted_code[] = {
	{CODE_COMPARE, WANTS, {0}, 0},
	{CODE_JUMP, 0, {0}, WANTS},
	{CODE_MOVE, OLD, {0}, 0},
	{CODE_YIELD, 0, {0}, 0},
};
static const FlowOperation wait_code[] = {{CODE_INT, VALUE, {ADDEND, ADDENDS}, 0}};
static const FlowOperation part_code[] = {{CODE_JOIN, 0, {0}, 0}};
static const FlowOperation guard_code[] = {
	{CODE_SPLIT, 0, {0}, 0},
	{CODE_MOVE, DONE, {0}, 0},
	{CODE_COMPARE, TAKEN, {OLD}, 0},
	{CODE_BRANCH, 0, {0}, TAKEN},
};
static const FlowOperation add_code[] = {{CODE_INT, VALUE, {VALUE}, 0}};
static const FlowOperation add_loaded_code[] = {{CODE_INT, VALUE, {VALUE, ADDEND}, 0}};
static const FlowOperation add_third_code[] = {{CODE_INT, VALUE, {VALUE, ADDENDS}, 0}};
static const FlowOperation leave_code[] = {
	{CODE_MOVE, DONE, {0}, 0},    {CODE_JOIN, 0, {0}, 0},
	{CODE_INT, DONE, {DONE}, 0},  {CODE_COMPARE, TAKEN, {DONE}, 0},
	{CODE_BRANCH, 0, {0}, TAKEN}, {CODE_SYNC, 0, {0}, 0},
};

static const FlowSite site_flows[] = {
	{.address = LOCK_ADDRESS, .write = OLD},
	{.address = WORD_ADDRESS, .write = VALUE},
	{.address = WORD_ADDRESS, .data = VALUE},
	{0}, /* the fence */
	{.address = LOCK_ADDRESS},
	{.address = ADDEND_ADDRESS, .write = ADDEND},
	{.address = ADDEND_ADDRESS, .write = ADDENDS},
};

void spin_locks_generate(gboolean parted, TraceWriter *writer, EmitWarp write,
			 gconstpointer data, WorkloadLaunch *launch)
{
	const FlowStep steps[] = {
		FLOW_STEP(start_code),
		parted ? (FlowStep)FLOW_STEP(enter_parted_code)
		       : (FlowStep)FLOW_STEP(enter_code),
		FLOW_STEP(guard_code),
		FLOW_STEP(add_code),
		FLOW_STEP(add_loaded_code),
		FLOW_STEP(add_third_code),
		FLOW_STEP(part_code),
		FLOW_STEP(wait_code),
		FLOW_STEP(leave_code),
	};
	const KernelCode code = KERNEL_CODE("spin_locks", NULL, sites, steps, site_flows);

	flow_generate(&code, TRUE, writer, write, data, launch);
}
