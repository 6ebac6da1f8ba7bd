/* SPDX-License-Identifier: MIT */
/* Keys of what operations of each class cost. */
#include <glib.h>

#include "model/issue/issue-keys.h"
#include "model/issue/issue.h"

#define GUIDE_RATE   KEY_GUIDE ", section 5.4.1: arithmetic throughput of compute capability 2.0"
#define ASSUMED(why) .assumption = true, .source = why

/* How long a result of the class takes; and how long its pipe is busy. */
#define LATENCY_KEY(constant, name, fermi, what, where)                                                      \
	{                                                                                                    \
		.path = "sm.issue." name "_cycles",                                                          \
		KEY_CYCLES(IssueParameters, latency[CODE_##constant], 1),                                    \
		.default_value =                                                                             \
			fermi, /* What guards wait for is said by a comparison's, too: issue_guard_extra. */ \
			.acts_on = CODE_##constant == CODE_COMPARE                                           \
					   ? KEY_ACTS_FLOW                                                   \
					   : KEY_ACTS_CODE(CODE_##constant),                                 \
		.doc = "From the issue of " what                                                             \
		       " to the issue of an instruction that reads its result.",                             \
		where                                                                                        \
	}
#define BUSY_KEY(constant, name, fermi, what, where)                                           \
	{                                                                                      \
		.path = "sm.issue." name "_pipe_cycles",                                       \
		KEY_CYCLES(IssueParameters, busy[CODE_##constant], 1), .default_value = fermi, \
		.acts_on = KEY_ACTS_CODE(CODE_##constant),                                     \
		.doc = "Time for which a scheduler's pipe is busy with " what ".", where       \
	}
#define STALL_KEY(constant, name, fermi, what, where)                                          \
	{                                                                                      \
		.path = "sm.issue." name "_stall_cycles",                                      \
		.formerly = "sm.issue." name "_cycles",                                        \
		KEY_CYCLES(IssueParameters, stall[CODE_##constant], 1),                        \
		.default_value = fermi, /* A failed attempt at a lock ends in a yield. */      \
			.assumption = true,                                                    \
		.acts_on = KEY_ACTS_CODE(CODE_##constant) |                                    \
			   (CODE_##constant == CODE_YIELD ? KEY_ACTS_SECTION : 0),             \
		.doc = "Time for which a warp issues nothing after " what ".", .source = where \
	}

/* A unit that the pipes of all schedulers lead to. */
#define SM_KEY(constant, name, what)                                                           \
	{                                                                                      \
		.path = "sm.issue." name "_sm_cycles",                                         \
		KEY_CYCLES(IssueParameters, sm_busy[constant], 0), .default_value = "0",       \
		.acts_on = (constant) == COST_INDEXED                                          \
				   ? KEY_ACTS_CODE(CODE_CONSTANT) | KEY_ACTS_CODE(CODE_LOOKUP) \
				   : KEY_ACTS_CODE(constant),                                  \
		.doc = "Time for which a unit that all schedulers of an SM share is busy "     \
		       "with " what "; 0: each scheduler has its own pipe.",                   \
		.neutral = true, .source = "not published"                                     \
	}

/* What goes through the load/store unit as accesses to shared memory do. */
#define LSU_KEY(constant, name, was, what)                                                     \
	{                                                                                      \
		.path = "sm.issue." name "_lsu_cycles",                                        \
		.formerly = "sm.issue." name "_unit_cycles", .replaces = was,                  \
		KEY_CYCLES(IssueParameters, lsu[CODE_##constant], 0), .default_value = "0",    \
		.acts_on = KEY_ACTS_CODE(CODE_##constant), .needs = "shared.queue",            \
		.doc = "Time for which the LSU is busy with " what                             \
		       ", after the scheduler's port; 0: it does not use the LSU. Needs "      \
		       "shared.queue.",                                                        \
		.neutral = true, .source = "not published"                                     \
	}

static const Key keys[] = {
	LATENCY_KEY(OTHER, "other", "22", "an instruction of no other class",
		    .source = GUIDE_LATENCY),
	LATENCY_KEY(INT, "int", "22", "integer arithmetic or logic", .source = GUIDE_LATENCY),
	LATENCY_KEY(MUL, "mul", "22", "an integer multiplication", .source = GUIDE_LATENCY),
	LATENCY_KEY(WIDE, "wide", "22",
		    "an integer multiplication with a result of 64 bits, or its upper half",
		    ASSUMED("as mul")),
	LATENCY_KEY(FLOAT, "float", "22", "32-bit floating-point arithmetic",
		    .source = GUIDE_LATENCY),
	LATENCY_KEY(HALF, "half", "22", "packed 16-bit arithmetic", .source = GUIDE_LATENCY),
	LATENCY_KEY(DOUBLE, "double", "22", "64-bit floating-point arithmetic",
		    .source = GUIDE_LATENCY),
	LATENCY_KEY(CONVERT, "convert", "22", "a conversion or a bit count",
		    .source = GUIDE_LATENCY),
	LATENCY_KEY(SPECIAL, "special", "22",
		    "a special function (root, reciprocal, exponential)",
		    .source = GUIDE_LATENCY),
	LATENCY_KEY(COMPARE, "compare", "22",
		    "a comparison (for a select; what it guards has sm.issue.predicate_cycles)",
		    .source = GUIDE_LATENCY),
	LATENCY_KEY(MOVE, "move", "22", "a move", .source = GUIDE_LATENCY),
	LATENCY_KEY(UNIFORM, "uniform", "22", "uniform arithmetic (once for the warp)",
		    .source = GUIDE_LATENCY),
	LATENCY_KEY(CONSTANT, "constant", "22", "a load of a parameter or constant",
		    .source = GUIDE_LATENCY),
	LATENCY_KEY(SYSTEM, "system", "22", "a read of a special register",
		    .source = GUIDE_LATENCY),
	LATENCY_KEY(SHUFFLE, "shuffle", "52", "a shuffle (Fermi: through shared memory)",
		    ASSUMED("as shared.load_cycles")),
	LATENCY_KEY(VOTE, "vote", "22", "a vote", .source = GUIDE_LATENCY),
	LATENCY_KEY(REDUCE, "reduce", "260", "a warp reduction (Fermi: five steps)",
		    ASSUMED("five shuffles")),
	LATENCY_KEY(MATCH, "match", "704", "a match (__match_any_sync)",
		    ASSUMED("32 comparisons")),
	LATENCY_KEY(MATCH64, "match64", "1408", "a 64-bit match (__match_any_sync)",
		    ASSUMED("64 comparisons")),
	LATENCY_KEY(MATRIX, "matrix", "704",
		    "a matrix instruction of 16 x 8 sums of 16 16-bit products "
		    "(HMMA.16816), or of as many bits",
		    ASSUMED("no such unit on Fermi: 32 multiplications")),
	LATENCY_KEY(MATRIX_SHORT, "matrix_short", "352",
		    "a matrix instruction of half as many products (HMMA.1688)",
		    ASSUMED("no such unit on Fermi: 16 multiplications")),
	LATENCY_KEY(MATRIX64, "matrix64", "176",
		    "a matrix instruction of 64-bit numbers (DMMA.884)",
		    ASSUMED("no such unit on Fermi: 8 multiplications")),
	LATENCY_KEY(TEXTURE, "texture", "80",
		    "a fetch from a texture by its filter, whose texels the L1 has, and "
		    "sm.issue.texture_per_pass_cycles a pass,",
		    ASSUMED("as global.l1_cycles")),
	LATENCY_KEY(TEXEL, "texel", "80",
		    "a load of single texels or from a surface, which the L1 has, and "
		    "sm.issue.texture_per_pass_cycles a pass,",
		    ASSUMED("as global.l1_cycles")),

	BUSY_KEY(OTHER, "other", "2", "an instruction of no other class", ASSUMED("as int")),
	BUSY_KEY(INT, "int", "2", "integer arithmetic or logic", .source = GUIDE_RATE),
	BUSY_KEY(MUL, "mul", "4", "an integer multiplication", .source = GUIDE_RATE),
	BUSY_KEY(WIDE, "wide", "4",
		 "an integer multiplication with a result of 64 bits, or its upper half",
		 ASSUMED("as mul")),
	BUSY_KEY(FLOAT, "float", "2", "32-bit floating-point arithmetic", .source = GUIDE_RATE),
	BUSY_KEY(HALF, "half", "2", "packed 16-bit arithmetic", ASSUMED("as float")),
	BUSY_KEY(DOUBLE, "double", "16", "64-bit floating-point arithmetic",
		 .source = GUIDE_RATE),
	BUSY_KEY(CONVERT, "convert", "4", "a conversion or a bit count", .source = GUIDE_RATE),
	BUSY_KEY(SPECIAL, "special", "16", "a special function (root, reciprocal, exponential)",
		 .source = GUIDE_RATE),
	BUSY_KEY(COMPARE, "compare", "2", "a comparison", .source = GUIDE_RATE),
	BUSY_KEY(MOVE, "move", "2", "a move", ASSUMED("as int")),
	BUSY_KEY(UNIFORM, "uniform", "2", "uniform arithmetic (once for the warp)",
		 ASSUMED("as int")),
	BUSY_KEY(CONSTANT, "constant", "2", "a load of a parameter or constant",
		 ASSUMED("as int")),
	BUSY_KEY(SYSTEM, "system", "2", "a read of a special register", ASSUMED("as int")),
	BUSY_KEY(SHUFFLE, "shuffle", "2", "a shuffle", ASSUMED("as int")),
	BUSY_KEY(VOTE, "vote", "2", "a vote", ASSUMED("as int")),
	BUSY_KEY(REDUCE, "reduce", "10", "a warp reduction", ASSUMED("five shuffles")),
	BUSY_KEY(MATCH, "match", "64", "a match (__match_any_sync)", ASSUMED("32 comparisons")),
	BUSY_KEY(MATCH64, "match64", "128", "a 64-bit match (__match_any_sync)",
		 ASSUMED("64 comparisons")),
	BUSY_KEY(
		MATRIX, "matrix", "64",
		"a matrix instruction of 16 x 8 sums of 16 16-bit products, or of as many bits",
		ASSUMED("no such unit on Fermi")),
	BUSY_KEY(MATRIX_SHORT, "matrix_short", "32",
		 "a matrix instruction of half as many products",
		 ASSUMED("no such unit on Fermi")),
	BUSY_KEY(MATRIX64, "matrix64", "128", "a matrix instruction of 64-bit numbers",
		 ASSUMED("no such unit on Fermi")),

	BUSY_KEY(YIELD, "yield", "2", "a yield to other lanes of the warp",
		 ASSUMED("one issue slot")),

	SM_KEY(CODE_CONSTANT, "constant", "a load of a parameter or constant"),
	SM_KEY(COST_INDEXED, "indexed_constant", "a constant whose address is in a register"),
	SM_KEY(CODE_REDUCE, "reduce", "a warp reduction"),
	SM_KEY(CODE_MATCH, "match", "a match of 32 distinct values"),
	SM_KEY(CODE_MATCH64, "match64", "a 64-bit match of 32 distinct values"),
	SM_KEY(CODE_YIELD, "yield", "a yield to other lanes of the warp"),
	{.path = "sm.issue.sync_sm_cycles",
	 KEY_CYCLES(IssueParameters, sm_busy[CODE_SYNC], 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_CODE(CODE_SYNC),
	 .doc = "Time for which an SM is busy with a warp synchronization of 32 groups of "
		"lanes, and in proportion with fewer groups. They are served in order of "
		"arrival. 0: any number at once.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.texture_per_pass_cycles",
	 KEY_CYCLES(IssueParameters, texture_per_pass_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_CODE(CODE_TEXTURE),
	 .doc = "Latency of an access to textures or surfaces for each pass that it takes: a "
		"fetch by a filter two of a channel, four of more or of three dimensions; "
		"a load of single texels one for each 8 bytes a lane; an access to a surface "
		"one for "
		"each 4 bytes a lane, a store two.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.texture_pass_cycles",
	 KEY_CYCLES(IssueParameters, texture_pass_cycles, 0),
	 .default_value = "8",
	 .acts_on = KEY_ACTS_CODE(CODE_TEXTURE),
	 .doc = "Time of an SM's texture unit for a pass.",
	 .source = KEY_GUIDE ", compute capability 2.0: four texture units an SM"},
	LSU_KEY(SHUFFLE, "shuffle", "sm.issue.shuffle_sm_cycles", "a shuffle"),
	LSU_KEY(SYSTEM, "system", NULL, "a read of a special register"),
	{.path = "sm.issue.match_per_value_cycles",
	 .formerly = "sm.issue.match_value_cycles",
	 KEY_CYCLES(IssueParameters, match_per_value_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_CODE(CODE_MATCH),
	 .doc = "Taken off a match for each distinct value fewer than 32, in traces that "
		"record the number of values.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.match64_per_value_cycles",
	 KEY_CYCLES(IssueParameters, match64_per_value_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_CODE(CODE_MATCH64),
	 .doc = "Taken off a 64-bit match for each distinct value fewer than 32, in traces "
		"that record the number of values.",
	 KEY_NOT_PUBLISHED},

	{.path = "sm.issue.sync_mask_stall_cycles",
	 KEY_CYCLES(IssueParameters, sync_mask_stall_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_CODE(CODE_SYNC),
	 .doc = "Time for which a warp issues nothing after a synchronization whose mask is in "
		"a register and the same in all lanes, in traces that record it; "
		"sm.issue.sync_stall_cycles if that is longer.",
	 KEY_NOT_PUBLISHED},
	{.path = "sm.issue.sync_per_group_cycles",
	 KEY_CYCLES(IssueParameters, sync_per_group_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_CODE(CODE_SYNC),
	 .doc = "Added for each further group of lanes with a mask of its own.",
	 KEY_NOT_PUBLISHED},

	STALL_KEY(BRANCH, "branch", "22", "a branch that is not taken",
		  "not published; taken as one arithmetic latency"),
	STALL_KEY(JUMP, "jump", "22", "a branch that is taken",
		  "not published; taken as one arithmetic latency"),
	STALL_KEY(INDIRECT, "indirect", "22",
		  "a branch, call or return to an address in a register",
		  "not published; taken as one arithmetic latency"),
	STALL_KEY(SPLIT, "split", "2", "setting a reconvergence point",
		  "not published; one issue slot (Fermi: SSY)"),
	STALL_KEY(JOIN, "join", "22", "a reconvergence of diverged lanes, once a side",
		  "not published; taken as one arithmetic latency"),
	STALL_KEY(SYNC, "sync", "2", "a warp synchronization", "no such instruction on Fermi"),
	STALL_KEY(YIELD, "yield", "2", "a yield to other lanes of the warp",
		  "no such instruction on Fermi"),
};

const KeyTable issue_keys = {
	.section = "sm.issue",
	.title = "Instruction issue (traces with data flow)",
	.rows = keys,
	.n_rows = G_N_ELEMENTS(keys),
	.size = sizeof(IssueParameters),
	.rest = &issue_rule_keys,
};
