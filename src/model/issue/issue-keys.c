/* SPDX-License-Identifier: MIT */
/* Keys of issue that are of no one class: indexed constants, guards, misses of constants, locks, fences. */
#include "model/issue/issue-keys.h"

#include <glib.h>

#include "model/issue/issue.h"

static const Key keys[] = {
	{.path = "sm.issue.cross_unit_cycles",
	 KEY_CYCLES(IssueParameters, cross_unit_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .doc = "How much later a result is there for another unit, in traces with "
		"numbers of instructions. Units: int, compare and move; mul, wide and "
		"float; convert, special, half, shuffle, reduce and match. Results of "
		"wide and half are as late for all.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.cross_double_cycles",
	 KEY_CYCLES(IssueParameters, cross_double_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_CODE(CODE_DOUBLE),
	 .doc = "The same between 64-bit floating point and int, compare, move, "
		"mul, wide or float.",
	 KEY_NOT_PUBLISHED},

	{.path = "sm.issue.indexed_constant_cycles",
	 KEY_CYCLES(IssueParameters, latency[COST_INDEXED], 1),
	 .default_value = "22",
	 .acts_on = KEY_ACTS_CODE(CODE_CONSTANT) | KEY_ACTS_CODE(CODE_LOOKUP),
	 .doc = "As sm.issue.constant_cycles, for a constant whose address is in a register.",
	 .source = GUIDE_LATENCY},
	{.path = "sm.issue.indexed_constant_per_address_cycles",
	 KEY_CYCLES(IssueParameters, indexed_constant_per_address_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_CODE(CODE_LOOKUP),
	 .doc = "Added for each further distinct address of the lanes, in traces that record "
		"the number. The unit of sm.issue.indexed_constant_sm_cycles is busy once for "
		"each address.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.indexed_constant_pipe_cycles",
	 KEY_CYCLES(IssueParameters, busy[COST_INDEXED], 1),
	 .default_value = "2",
	 .acts_on = KEY_ACTS_CODE(CODE_CONSTANT) | KEY_ACTS_CODE(CODE_LOOKUP),
	 .doc = "As sm.issue.constant_pipe_cycles, for a constant whose address is in a "
		"register.",
	 .assumption = true,
	 .source = "as int"},
	{.path = "sm.issue.indexed_constant_stall_cycles",
	 KEY_CYCLES(IssueParameters, stall[COST_INDEXED], 1),
	 .default_value = "2",
	 .acts_on = KEY_ACTS_CODE(CODE_CONSTANT) | KEY_ACTS_CODE(CODE_LOOKUP),
	 .doc = "Time for which a warp issues nothing after a load of a constant whose address "
		"is in a register.",
	 .assumption = true,
	 .source = "one issue slot"},
	{.path = "sm.issue.module_constant_miss_cycles",
	 KEY_CYCLES(IssueParameters, module_constant_miss_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .doc = "Added to the first line that an SM asks for in a launch of each 256 "
		"bytes of its module's constants: those in banks that are not the "
		"launch's own, by the trace.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.module_constant_cold_cycles",
	 KEY_CYCLES(IssueParameters, module_constant_cold_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .needs = "sm.issue.module_constant_miss_cycles",
	 .doc = "Added to sm.issue.module_constant_miss_cycles where the kernel was not "
		"launched before (launch.code).",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.indexed_constant_miss_cycles",
	 .formerly = "sm.issue.indexed_constant_first_cycles",
	 KEY_CYCLES(IssueParameters, indexed_constant_miss_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_CODE(CODE_CONSTANT),
	 .doc = "Added the first time in a launch that an SM executes a load of a "
		"constant (not a parameter) whose address is in a register, where the "
		"trace does not say which line it reads. Else "
		"sm.issue.constant_miss_cycles is.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.predicate_cycles",
	 KEY_CYCLES(IssueParameters, predicate_cycles, 1),
	 .default_value = "22",
	 .acts_on = KEY_ACTS_FLOW,
	 .doc = "From the issue of a comparison to the issue of what it guards: a branch, a "
		"vote, another instruction.",
	 .source = GUIDE_LATENCY},
	{.path = "sm.issue.address_cycles",
	 KEY_CYCLES(IssueParameters, address_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .doc = "Added to the latency of an arithmetic result that is used as an address.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.access_stall_cycles",
	 KEY_CYCLES(IssueParameters, access_stall_cycles, 1),
	 .default_value = "2",
	 .acts_on = KEY_ACTS_FLOW,
	 .doc = "Time for which a warp issues nothing after a memory access.",
	 .assumption = true,
	 .source = "one issue slot"},
	{.path = "sm.issue.predicated_off_access_cycles",
	 .formerly = "sm.issue.empty_access_cycles",
	 KEY_CYCLES(IssueParameters, predicated_off_access_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_CODE(CODE_OTHER),
	 .doc = "Time for which an access that is predicated off in all lanes keeps its "
		"scheduler's port to shared memory busy. It also takes the LSU's time of one "
		"pass. 0: it costs what another instruction costs. Needs shared.queue.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.constant_miss_cycles",
	 .formerly = "sm.issue.constant_line_cycles",
	 KEY_CYCLES(IssueParameters, constant_miss_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .doc = "Constant-cache miss: added to an SM's first load in a launch from a 64-byte "
		"line of constants.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.constant_fill_cycles",
	 .formerly = "sm.issue.constant_next_cycles",
	 KEY_CYCLES(IssueParameters, constant_fill_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .doc = "Least time between the arrivals of two lines of constants for which loads of "
		"an SM wait.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.constant_group_fill_cycles",
	 .formerly = "sm.issue.constant_request_cycles",
	 KEY_CYCLES(IssueParameters, constant_group_fill_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .doc = "Time for which the unit that fetches lines of constants for a group of SMs "
		"(network.group_sms) is busy with each request of an SM, or of a scheduler. "
		"All SMs request a line at about the same time. 0: no limit.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.imc_miss_cycles",
	 .formerly = "sm.issue.operand_line_cycles",
	 KEY_CYCLES(IssueParameters, imc_miss_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .doc = "Miss of the immediate constant cache (ncu: imc_miss): time that an "
		"instruction with a constant operand, or a uniform load of a constant, waits "
		"to issue when its scheduler's warps use the 64-byte line for the first time "
		"in a launch. No later instruction of the warp issues. 0: the result is late "
		"by "
		"sm.issue.constant_miss_cycles instead.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.constant_lines",
	 KEY_CYCLES(IssueParameters, constant_lines, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .doc = "Lines of 64 bytes of constants that an SM's caches hold; of more lines the "
		"least recently used one is lost. 0: all that a launch uses.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.imc_refill_cycles",
	 KEY_CYCLES(IssueParameters, imc_refill_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .needs = "sm.issue.constant_lines",
	 .doc = "As sm.issue.imc_miss_cycles, for a line that the SM had in this launch and "
		"has lost. A load waits for it by sm.issue.constant_miss_cycles.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.parameter_miss_cycles",
	 KEY_CYCLES(IssueParameters, parameter_miss_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .doc = "How much later the last of a launch's parameters come where no launch has "
		"used their memory (launch.parameters), from the start of an SM's first warp "
		"on. Late are parameters in the last 256 bytes of their bank that the launch "
		"uses, if they fill half of these or less.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.parameter_far_cycles",
	 KEY_CYCLES(IssueParameters, parameter_far_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .needs = "sm.issue.parameter_miss_cycles",
	 .doc = "Added to sm.issue.parameter_miss_cycles for the first SM, and for all that "
		"are near to the same of two partitions of the L2: parameters are taken to be "
		"in "
		"the other one.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.parameter_buffers",
	 KEY_NUMBER(IssueParameters, parameter_buffers, 0, 1024),
	 .unit = "buffers",
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .needs = "sm.issue.parameter_miss_cycles",
	 .doc = "Buffers for parameters, which a program's launches use one after the other. "
		"Its first launches, one for each of them, find theirs cold (launch.parameters "
		"recorded).",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.lock_retry_after_release_cycles",
	 .formerly = "sm.issue.lock_retry_cycles",
	 KEY_CYCLES(IssueParameters, lock_retry_after_release_cycles, 1),
	 .default_value = "88",
	 .assumption = true,
	 .acts_on = KEY_ACTS_SECTION,
	 .doc = "From the release of a software lock to the yield before the warp's other "
		"lanes try again: the reconvergence and the branch back.",
	 .source = "not published; four arithmetic latencies"},
	{.path = "sm.issue.lock_retry_after_failure_cycles",
	 .formerly = "sm.issue.lock_spin_cycles",
	 KEY_CYCLES(IssueParameters, lock_retry_after_failure_cycles, 1),
	 .default_value = "66",
	 .assumption = true,
	 .acts_on = KEY_ACTS_SECTION,
	 .doc = "From the end of an attempt at a software lock that no lane of the warp won to "
		"the yield before the next attempt.",
	 .source = "not published; three arithmetic latencies"},
	{.path = "sm.issue.fence_block_cycles",
	 KEY_CYCLES(IssueParameters, fence_block_cycles, 1),
	 .default_value = "22",
	 .assumption = true,
	 .acts_on = KEY_ACTS_BLOCK_FENCE,
	 .doc = "Time for which a block fence (__threadfence_block) holds its warp.",
	 .source = "not published"},
	{.path = "sm.issue.fence_block_drain_cycles",
	 .formerly = "sm.issue.fence_store_cycles",
	 KEY_CYCLES(IssueParameters, fence_block_drain_cycles, 1),
	 .default_value = "22",
	 .assumption = true,
	 .acts_on = KEY_ACTS_BLOCK_FENCE,
	 .doc = "Least time from the last pass of the shared-memory accesses that any warp of "
		"the SM issued before a block fence to the end of the fence.",
	 .source = "not published"},
	{.path = "sm.issue.fence_device_cycles",
	 KEY_CYCLES(IssueParameters, fence_device_cycles, 1),
	 .default_value = "600",
	 .assumption = true,
	 .acts_on = KEY_ACTS_DEVICE_FENCE,
	 .doc = "Time for which a fence of the device or the system (__threadfence, "
		"__threadfence_system) holds its warp.",
	 .source = "not published; a trip to memory"},
};

const KeyTable issue_rule_keys = {
	.rows = keys, .n_rows = G_N_ELEMENTS(keys), .rest = &issue_code_keys};
