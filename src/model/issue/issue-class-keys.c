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
		.doc = "From the issue of " what " to that of one that reads its result.",                   \
		where                                                                                        \
	}
#define BUSY_KEY(constant, name, fermi, what, where)                                           \
	{                                                                                      \
		.path = "sm.issue." name "_pipe_cycles",                                       \
		KEY_CYCLES(IssueParameters, busy[CODE_##constant], 1), .default_value = fermi, \
		.acts_on = KEY_ACTS_CODE(CODE_##constant),                                     \
		.doc = "A scheduler's pipe is busy for this long with " what ".", where        \
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
		.doc = "A warp issues nothing for this long after " what ".", .source = where  \
	}

/* A unit that the pipes of all schedulers lead to. */
#define SM_KEY(constant, name, what)                                                           \
	{                                                                                      \
		.path = "sm.issue." name "_sm_cycles",                                         \
		KEY_CYCLES(IssueParameters, sm_busy[constant], 0), .default_value = "0",       \
		.acts_on = (constant) == COST_INDEXED                                          \
				   ? KEY_ACTS_CODE(CODE_CONSTANT) | KEY_ACTS_CODE(CODE_LOOKUP) \
				   : KEY_ACTS_CODE(constant),                                  \
		.doc = "The whole SM takes " what " only so often, of whichever scheduler; "   \
		       "0: each scheduler has its own pipe.",                                  \
		.neutral = true, .source = "not published"                                     \
	}

/* What goes through the load/store unit as accesses to shared memory do. */
#define LSU_KEY(constant, name, was, what)                                                     \
	{                                                                                      \
		.path = "sm.issue." name "_lsu_cycles",                                        \
		.formerly = "sm.issue." name "_unit_cycles", .replaces = was,                  \
		KEY_CYCLES(IssueParameters, lsu[CODE_##constant], 0), .default_value = "0",    \
		.acts_on = KEY_ACTS_CODE(CODE_##constant), .needs = "shared.queue",            \
		.doc = "The load/store unit is busy for so long with " what                    \
		       ", behind the scheduler's port; 0: it does not go there. Needs "        \
		       "shared.queue.",                                                        \
		.neutral = true, .source = "not published"                                     \
	}

static const Key keys[] = {
	LATENCY_KEY(OTHER, "other", "22", "an instruction of no class below",
		    .source = GUIDE_LATENCY),
	LATENCY_KEY(INT, "int", "22", "integer arithmetic or logic", .source = GUIDE_LATENCY),
	LATENCY_KEY(MUL, "mul", "22", "an integer multiplication", .source = GUIDE_LATENCY),
	LATENCY_KEY(FLOAT, "float", "22", "32-bit floating-point arithmetic",
		    .source = GUIDE_LATENCY),
	LATENCY_KEY(HALF, "half", "22", "packed 16-bit arithmetic", .source = GUIDE_LATENCY),
	LATENCY_KEY(DOUBLE, "double", "22", "64-bit floating-point arithmetic",
		    .source = GUIDE_LATENCY),
	LATENCY_KEY(CONVERT, "convert", "22", "a conversion or a count of bits",
		    .source = GUIDE_LATENCY),
	LATENCY_KEY(SPECIAL, "special", "22", "a root, a reciprocal, an exponential",
		    .source = GUIDE_LATENCY),
	LATENCY_KEY(COMPARE, "compare", "22", "a comparison, to a select",
		    .source = GUIDE_LATENCY),
	LATENCY_KEY(MOVE, "move", "22", "a copy", .source = GUIDE_LATENCY),
	LATENCY_KEY(UNIFORM, "uniform", "22", "arithmetic for all lanes at once",
		    .source = GUIDE_LATENCY),
	LATENCY_KEY(CONSTANT, "constant", "22", "a load of a parameter or constant",
		    .source = GUIDE_LATENCY),
	LATENCY_KEY(SYSTEM, "system", "22", "a read of an index", .source = GUIDE_LATENCY),
	LATENCY_KEY(SHUFFLE, "shuffle", "52",
		    "an exchange between lanes (Fermi: through shared memory)",
		    ASSUMED("as shared.load_cycles")),
	LATENCY_KEY(VOTE, "vote", "22", "a vote", .source = GUIDE_LATENCY),
	LATENCY_KEY(REDUCE, "reduce", "260", "a reduction over the lanes (Fermi: five steps)",
		    ASSUMED("five shuffles")),
	LATENCY_KEY(MATCH, "match", "704", "a search for lanes of the same value",
		    ASSUMED("32 comparisons")),
	LATENCY_KEY(MATCH64, "match64", "1408",
		    "a search for lanes of the same value of 64 bits",
		    ASSUMED("64 comparisons")),
	LATENCY_KEY(MATRIX, "matrix", "704", "a matrix product",
		    ASSUMED("no such unit on Fermi: 32 multiplications")),

	BUSY_KEY(OTHER, "other", "2", "an instruction of no class below", ASSUMED("as int")),
	BUSY_KEY(INT, "int", "2", "integer arithmetic or logic", .source = GUIDE_RATE),
	BUSY_KEY(MUL, "mul", "4", "an integer multiplication", .source = GUIDE_RATE),
	BUSY_KEY(FLOAT, "float", "2", "32-bit floating-point arithmetic", .source = GUIDE_RATE),
	BUSY_KEY(HALF, "half", "2", "packed 16-bit arithmetic", ASSUMED("as float")),
	BUSY_KEY(DOUBLE, "double", "16", "64-bit floating-point arithmetic",
		 .source = GUIDE_RATE),
	BUSY_KEY(CONVERT, "convert", "4", "a conversion or a count of bits",
		 .source = GUIDE_RATE),
	BUSY_KEY(SPECIAL, "special", "16", "a root, a reciprocal, an exponential",
		 .source = GUIDE_RATE),
	BUSY_KEY(COMPARE, "compare", "2", "a comparison", .source = GUIDE_RATE),
	BUSY_KEY(MOVE, "move", "2", "a copy", ASSUMED("as int")),
	BUSY_KEY(UNIFORM, "uniform", "2", "arithmetic for all lanes at once",
		 ASSUMED("as int")),
	BUSY_KEY(CONSTANT, "constant", "2", "a load of a parameter or constant",
		 ASSUMED("as int")),
	BUSY_KEY(SYSTEM, "system", "2", "a read of an index", ASSUMED("as int")),
	BUSY_KEY(SHUFFLE, "shuffle", "2", "an exchange between lanes", ASSUMED("as int")),
	BUSY_KEY(VOTE, "vote", "2", "a vote", ASSUMED("as int")),
	BUSY_KEY(REDUCE, "reduce", "10", "a reduction over the lanes",
		 ASSUMED("five shuffles")),
	BUSY_KEY(MATCH, "match", "64", "a search for lanes of the same value",
		 ASSUMED("32 comparisons")),
	BUSY_KEY(MATCH64, "match64", "128", "a search for lanes of the same value of 64 bits",
		 ASSUMED("64 comparisons")),
	BUSY_KEY(MATRIX, "matrix", "64", "a matrix product", ASSUMED("no such unit on Fermi")),

	BUSY_KEY(YIELD, "yield", "2", "a yield to other lanes of a warp",
		 ASSUMED("one issue slot")),

	SM_KEY(CODE_CONSTANT, "constant", "a load of a parameter or constant"),
	SM_KEY(COST_INDEXED, "indexed_constant", "a constant whose address is in a register"),
	SM_KEY(CODE_REDUCE, "reduce", "a reduction over the lanes"),
	SM_KEY(CODE_MATCH, "match", "a search for lanes of the same value, of 32 values,"),
	SM_KEY(CODE_MATCH64, "match64",
	       "a search for lanes of the same value of 64 bits, of 32 values,"),
	SM_KEY(CODE_YIELD, "yield", "a yield to other lanes of a warp"),
	{.path = "sm.issue.sync_sm_cycles",
	 KEY_CYCLES(IssueParameters, sm_busy[CODE_SYNC], 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_CODE(CODE_SYNC),
	 .doc = "The whole SM takes synchronisations of 32 groups of a warp's lanes only so "
		"often, one after the other as they come, and those of fewer groups more "
		"often; 0: any number at once.",
	 .neutral = true,
	 .source = "not published"},
	LSU_KEY(SHUFFLE, "shuffle", "sm.issue.shuffle_sm_cycles", "an exchange between lanes"),
	LSU_KEY(SYSTEM, "system", NULL, "a read of an index"),
	{.path = "sm.issue.match_per_value_cycles",
	 .formerly = "sm.issue.match_value_cycles",
	 KEY_CYCLES(IssueParameters, match_per_value_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_CODE(CODE_MATCH),
	 .doc = "A search for lanes of the same value takes so much less for each value less "
		"than 32, where the trace says how many there are.",
	 .neutral = true,
	 .source = "not published"},
	{.path = "sm.issue.match64_per_value_cycles",
	 KEY_CYCLES(IssueParameters, match64_per_value_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_CODE(CODE_MATCH64),
	 .doc = "The same of values of 64 bits.",
	 .neutral = true,
	 .source = "not published"},

	{.path = "sm.issue.sync_mask_stall_cycles",
	 KEY_CYCLES(IssueParameters, sync_mask_stall_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_CODE(CODE_SYNC),
	 .doc = "A warp issues nothing for this long after a synchronisation by a mask in a "
		"register, one for all lanes, where the trace says so and if that is more than "
		"sync_stall_cycles.",
	 .neutral = true,
	 .source = "not published"},
	{.path = "sm.issue.sync_per_group_cycles",
	 KEY_CYCLES(IssueParameters, sync_per_group_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_CODE(CODE_SYNC),
	 .doc = "So much longer for each further group of lanes that has a mask of its own.",
	 .neutral = true,
	 .source = "not published"},

	STALL_KEY(BRANCH, "branch", "22", "a branch that falls through",
		  "not published; taken as one arithmetic latency"),
	STALL_KEY(JUMP, "jump", "22", "a branch that is taken",
		  "not published; taken as one arithmetic latency"),
	STALL_KEY(SPLIT, "split", "2", "naming the place where lanes join",
		  "not published; one issue slot (Fermi: SSY)"),
	STALL_KEY(JOIN, "join", "22", "a join of diverged lanes, once a side",
		  "not published; taken as one arithmetic latency"),
	STALL_KEY(SYNC, "sync", "2", "a synchronisation of a warp",
		  "no such instruction on Fermi"),
	STALL_KEY(YIELD, "yield", "2", "a yield to other lanes of a warp",
		  "no such instruction on Fermi"),
};

const KeyTable issue_keys = {
	.section = "sm.issue",
	.rows = keys,
	.n_rows = G_N_ELEMENTS(keys),
	.size = sizeof(IssueParameters),
	.rest = &issue_rule_keys,
};
