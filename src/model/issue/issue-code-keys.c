/* SPDX-License-Identifier: MIT */
/* Keys of issue that say what code takes to come: caches of instructions, and code that no SM has run. */
#include "model/issue/issue-keys.h"

#include <glib.h>

#include "model/issue/issue.h"

#define KEY_ACTS_TAKEN (KEY_ACTS_CODE(CODE_JUMP) | KEY_ACTS_CODE(CODE_INDIRECT))

static const Key keys[] = {
	{.path = "sm.issue.jump_miss_cycles",
	 KEY_CYCLES(IssueParameters, jump_miss_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_TAKEN,
	 .doc = "Added to a branch that is taken to a line of instructions that its "
		"scheduler's L0 cache lacks. In traces without numbers of instructions: "
		"the first time that a scheduler's warps take it.",
	 KEY_NOT_PUBLISHED},

	{.path = "sm.issue.code_fetch_mcycles",
	 KEY_CYCLES(IssueParameters, code_fetch_mcycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .doc = "Thousandths of a cycle between two instructions that an SM has not "
		"run, which come one after the other from its first on, where a "
		"launch finds its code cold (launch.code).",
	 KEY_NOT_PUBLISHED},

	{.path = "sm.issue.code_miss_cycles",
	 KEY_CYCLES(IssueParameters, code_miss_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .needs = "sm.issue.code_fetch_mcycles",
	 .doc = "Added to sm.issue.code_fetch_mcycles for an SM's first "
		"instruction.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.code_far_cycles",
	 KEY_CYCLES(IssueParameters, code_far_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .needs = "sm.issue.code_fetch_mcycles",
	 .doc = "Added to sm.issue.code_miss_cycles for SMs that are near to "
		"another partition of the L2 than the first SM.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.code_group_fill_cycles",
	 KEY_CYCLES(IssueParameters, code_group_fill_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .needs = "sm.issue.code_fetch_mcycles",
	 .doc = "Added to sm.issue.code_miss_cycles for each scheduler with warps "
		"of a group of SMs (network.group_sms), as all ask for code at once.",
	 KEY_NOT_PUBLISHED},

	{.path = "sm.issue.code_skip_cycles",
	 KEY_CYCLES(IssueParameters, code_skip_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_TAKEN,
	 .needs = "sm.issue.code_fetch_mcycles",
	 .doc = "Where a launch finds its code cold, instructions that a branch goes "
		"over come as those that are run do, at most for so long. 0: they do "
		"not come.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.code_l0_instructions",
	 KEY_NUMBER(IssueParameters, code_l0_instructions, 0, 16777216),
	 .unit = "instructions",
	 .default_value = "0",
	 .acts_on = KEY_ACTS_TAKEN,
	 .needs = "sm.issue.jump_miss_cycles",
	 .doc = "Instructions of the lines of 8 that a scheduler's L0 holds. 0: all "
		"that its warps have run in this launch.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.code_l1_instructions",
	 KEY_NUMBER(IssueParameters, code_l1_instructions, 0, 16777216),
	 .unit = "instructions",
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .doc = "Instructions of the lines of 8 that a scheduler's L1 holds: they "
		"come as fast as they are run. 0: all.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.code_l1_fill_mcycles",
	 KEY_CYCLES(IssueParameters, code_l1_fill_mcycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .needs = "sm.issue.code_l1_instructions",
	 .doc = "Thousandths of a cycle for each instruction of a line that comes "
		"from the SM's cache instead (L1.5).",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.code_l15_instructions",
	 KEY_NUMBER(IssueParameters, code_l15_instructions, 0, 16777216),
	 .unit = "instructions",
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .needs = "sm.issue.code_l1_instructions",
	 .doc = "Instructions that the SM's cache holds. 0: all.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.code_l15_fill_mcycles",
	 KEY_CYCLES(IssueParameters, code_l15_fill_mcycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .needs = "sm.issue.code_l15_instructions",
	 .doc = "Thousandths of a cycle for each instruction of a line that comes "
		"from the L2.",
	 KEY_NOT_PUBLISHED},
};

const KeyTable issue_code_keys = {.rows = keys, .n_rows = G_N_ELEMENTS(keys)};
