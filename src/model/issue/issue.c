/* SPDX-License-Identifier: MIT */
#include "model/issue/issue.h"

#include <glib.h>

#define GUIDE_LATENCY KEY_GUIDE ", section 5.2.3: about 22 cycles"
#define GUIDE_RATE    KEY_GUIDE ", section 5.4.1: arithmetic throughput of compute capability 2.0"
#define LATENCY	      "measurements/h200/issue/issue-latency.csv"
#define RATE	      "measurements/h200/issue/issue-throughput.csv"
#define SYSTEM	      "measurements/h200/issue/issue-system.csv"

static const uint8_t pipes[N_CODE_CLASSES] = {
	[CODE_OTHER] = PIPE_INT,       [CODE_INT] = PIPE_INT,
	[CODE_MUL] = PIPE_FLOAT,       [CODE_FLOAT] = PIPE_FLOAT,
	[CODE_HALF] = PIPE_FLOAT,      [CODE_DOUBLE] = PIPE_DOUBLE,
	[CODE_CONVERT] = PIPE_SPECIAL, [CODE_SPECIAL] = PIPE_SPECIAL,
	[CODE_COMPARE] = PIPE_INT,     [CODE_MOVE] = PIPE_INT,
	[CODE_UNIFORM] = PIPE_UNIFORM, [CODE_CONSTANT] = PIPE_CONSTANT,
	[CODE_SYSTEM] = PIPE_SPECIAL,  [CODE_SHUFFLE] = PIPE_LANES,
	[CODE_VOTE] = PIPE_INT,	       [CODE_REDUCE] = PIPE_LANES,
	[CODE_MATCH] = PIPE_LANES,     [CODE_BRANCH] = PIPE_NONE,
	[CODE_JUMP] = PIPE_NONE,       [CODE_SPLIT] = PIPE_NONE,
	[CODE_JOIN] = PIPE_NONE,       [CODE_SYNC] = PIPE_NONE,
	[CODE_YIELD] = PIPE_PATHS,     [CODE_MATRIX] = PIPE_MATRIX,
	[CODE_MATCH64] = PIPE_LANES,
};

/* Whether it goes through the load/store unit: an access whose guard no lane fulfils. */
static bool is_empty_access(const IssueParameters *parameters, const CodeOperation *operation)
{
	return parameters->predicated_off_access_cycles > 0 && operation->class == CODE_OTHER &&
	       operation->guard != DATAFLOW_NO_VALUE && operation->n_reads == 0 &&
	       operation->n_writes == 0;
}

static Pipe pipe_of(const IssueParameters *parameters, const CodeOperation *operation)
{
	return is_empty_access(parameters, operation) ? PIPE_NONE : pipes[operation->class];
}

/* Of a load of a constant. A guarded one reads what it writes, too, for the lanes that take no part. */
static bool reads_address(const CodeOperation *operation)
{
	return operation->n_reads >
	       (operation->guard != DATAFLOW_NO_VALUE && operation->line > 0
			? operation->n_writes
			: 0);
}

uint32_t issue_cost(const CodeOperation *operation)
{
	return operation->class == CODE_CONSTANT && reads_address(operation) ? COST_INDEXED
									     : operation->class;
}

/* A match of fewer values takes less. */
static uint32_t latency_of(const IssueParameters *parameters, const CodeOperation *operation)
{
	uint32_t latency = parameters->latency[issue_cost(operation)], less;

	if (!code_is_match(operation->class) || operation->line == 0)
		return latency;
	less = (MATCH_VALUES - MIN(operation->line, MATCH_VALUES)) *
	       (operation->class == CODE_MATCH ? parameters->match_per_value_cycles
					       : parameters->match64_per_value_cycles);
	return latency > less ? latency - less : 1;
}

/* Of what `n_values` of MATCH_VALUES take. */
static uint32_t part(uint32_t cycles, uint32_t n_values)
{
	return cycles * MIN(n_values, MATCH_VALUES) / MATCH_VALUES;
}

/* How long its pipe is busy with it. */
static uint32_t busy_of(const IssueParameters *parameters, const CodeOperation *operation)
{
	uint32_t busy = parameters->busy[issue_cost(operation)];

	if (!code_is_match(operation->class) || operation->line == 0)
		return busy;
	return MAX(part(busy, operation->line), 1);
}

/* The same of the unit that all schedulers share: a match of an unknown number of values leaves it to others. */
static uint32_t sm_busy_of(const IssueParameters *parameters, const CodeOperation *operation)
{
	uint32_t busy = parameters->sm_busy[issue_cost(operation)];

	if (operation->class == CODE_SYNC)
		return part(busy, operation->line);
	return code_is_match(operation->class) && operation->line > 0
		       ? part(busy, operation->line)
		       : busy;
}

/* Groups of a sync are said of masks in registers alone; it keeps the warp for each of them. */
static uint32_t stall_of(const IssueParameters *parameters, const CodeOperation *operation)
{
	const uint32_t stall = parameters->stall[issue_cost(operation)];

	if (operation->class != CODE_SYNC || operation->line == 0)
		return stall;
	return MAX(stall, parameters->sync_mask_stall_cycles) +
	       parameters->sync_per_group_cycles * (operation->line - 1u);
}

/* Whether an operation of the class reads predicates as a guard does, not as data. */
static bool reads_as_guard(CodeClass class)
{
	return class == CODE_BRANCH || class == CODE_JUMP || class == CODE_VOTE;
}

uint32_t issue_guard_extra(const IssueParameters *parameters)
{
	uint32_t data = parameters->latency[CODE_COMPARE];

	return parameters->predicate_cycles > data ? parameters->predicate_cycles - data : 0;
}

void issue_prepare(const IssueParameters *parameters, const CodeOperation *operation,
		   IssueOperation *prepared)
{
	const uint32_t cost = issue_cost(operation);
	const bool indexed = operation->line == 0 && cost == COST_INDEXED;

	*prepared = (IssueOperation){
		.reads = operation->reads,
		.writes = operation->writes,
		.latency = latency_of(parameters, operation),
		.busy = busy_of(parameters, operation),
		.sm_busy = sm_busy_of(parameters, operation),
		.stall = stall_of(parameters, operation),
		.lsu = is_empty_access(parameters, operation) ? 1 : parameters->lsu[cost],
		.line = operation->line,
		.n_reads = operation->n_reads,
		.n_writes = operation->n_writes,
		.guard = operation->guard,
		.class = operation->class,
		.pipe = (uint8_t)pipe_of(parameters, operation),
		.touches_line = !code_has_distinct(operation->class) &&
				(operation->line > 0 || indexed),
		.indexed = indexed,
		.names_line = operation->line > 0 && operation->class != CODE_CONSTANT &&
			      !code_has_distinct(operation->class),
		.reads_as_guard = reads_as_guard(operation->class),
		.empty_access = is_empty_access(parameters, operation),
	};
}

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
		.acts_on = KEY_ACTS_CODE((constant) == COST_INDEXED ? CODE_CONSTANT            \
								    : (constant)),             \
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
	STALL_KEY(JOIN, "join", "22", "a join of lanes that parted, once a side",
		  "not published; taken as one arithmetic latency"),
	STALL_KEY(SYNC, "sync", "2", "a synchronisation of a warp",
		  "no such instruction on Fermi"),
	STALL_KEY(YIELD, "yield", "2", "a yield to other lanes of a warp",
		  "no such instruction on Fermi"),

	{.path = "sm.issue.indexed_constant_cycles",
	 KEY_CYCLES(IssueParameters, latency[COST_INDEXED], 1),
	 .default_value = "22",
	 .acts_on = KEY_ACTS_CODE(CODE_CONSTANT),
	 .doc = "As constant_cycles, of a constant whose address is in a register.",
	 .source = GUIDE_LATENCY},
	{.path = "sm.issue.indexed_constant_pipe_cycles",
	 KEY_CYCLES(IssueParameters, busy[COST_INDEXED], 1),
	 .default_value = "2",
	 .acts_on = KEY_ACTS_CODE(CODE_CONSTANT),
	 .doc = "As constant_pipe_cycles, of a constant whose address is in a register.",
	 .assumption = true,
	 .source = "as int"},
	{.path = "sm.issue.indexed_constant_stall_cycles",
	 KEY_CYCLES(IssueParameters, stall[COST_INDEXED], 1),
	 .default_value = "2",
	 .acts_on = KEY_ACTS_CODE(CODE_CONSTANT),
	 .doc = "A warp issues nothing for this long after such a load.",
	 .assumption = true,
	 .source = "one issue slot"},
	{.path = "sm.issue.indexed_constant_miss_cycles",
	 .formerly = "sm.issue.indexed_constant_first_cycles",
	 KEY_CYCLES(IssueParameters, indexed_constant_miss_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_CODE(CODE_CONSTANT),
	 .doc = "Such a load of other constants than parameters takes so much longer when an "
		"SM executes it for the first time in a launch: traces do not say which line "
		"it reads.",
	 .neutral = true,
	 .source = "not published"},
	{.path = "sm.issue.predicate_cycles",
	 KEY_CYCLES(IssueParameters, predicate_cycles, 1),
	 .default_value = "22",
	 .acts_on = KEY_ACTS_FLOW,
	 .doc = "From the issue of a comparison to that of what it guards: a branch, a vote, "
		"another instruction.",
	 .source = GUIDE_LATENCY},
	{.path = "sm.issue.address_cycles",
	 KEY_CYCLES(IssueParameters, address_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .doc = "An address made of an arithmetic result waits so much longer than arithmetic.",
	 .neutral = true,
	 .source = "not published"},
	{.path = "sm.issue.access_stall_cycles",
	 KEY_CYCLES(IssueParameters, access_stall_cycles, 1),
	 .default_value = "2",
	 .acts_on = KEY_ACTS_FLOW,
	 .doc = "A warp issues nothing for this long after a memory access.",
	 .assumption = true,
	 .source = "one issue slot"},
	{.path = "sm.issue.predicated_off_access_cycles",
	 .formerly = "sm.issue.empty_access_cycles",
	 KEY_CYCLES(IssueParameters, predicated_off_access_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_CODE(CODE_OTHER),
	 .doc = "An access whose guard no lane fulfils keeps its scheduler's port to the "
		"shared memory busy for this long, and takes the load/store unit's time of a "
		"pass; 0: it is an instruction like others. Needs shared.queue.",
	 .neutral = true,
	 .source = "not published"},
	{.path = "sm.issue.constant_miss_cycles",
	 .formerly = "sm.issue.constant_line_cycles",
	 KEY_CYCLES(IssueParameters, constant_miss_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .doc = "The first load from a 64-byte line of constants by an SM in a launch misses: "
		"it takes so much longer.",
	 .neutral = true,
	 .source = "not published"},
	{.path = "sm.issue.constant_fill_cycles",
	 .formerly = "sm.issue.constant_next_cycles",
	 KEY_CYCLES(IssueParameters, constant_fill_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .doc = "Lines of constants that loads of an SM wait for come so far apart, at least.",
	 .neutral = true,
	 .source = "not published"},
	{.path = "sm.issue.constant_group_fill_cycles",
	 .formerly = "sm.issue.constant_request_cycles",
	 KEY_CYCLES(IssueParameters, constant_group_fill_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .doc = "What brings lines of constants to the SMs of a group (network.group_sms) is "
		"busy for so long with each request of an SM, or of a scheduler; all ask for a "
		"line at about the same time. 0: it takes any number.",
	 .neutral = true,
	 .source = "not published"},
	{.path = "sm.issue.imc_miss_cycles",
	 .formerly = "sm.issue.operand_line_cycles",
	 KEY_CYCLES(IssueParameters, imc_miss_cycles, 0),
	 .default_value = "0",
	 .acts_on = KEY_ACTS_FLOW,
	 .doc = "An instruction with a constant as an operand, or that loads one for the warp "
		"as a whole, waits so long to issue when a scheduler's warps use its 64-byte "
		"line for the first time in a launch, and nothing behind it issues: a miss of "
		"the immediate constant cache (ncu: imc_miss). 0: its result is late as "
		"sm.issue.constant_miss_cycles says.",
	 .neutral = true,
	 .source = "not published"},
	{.path = "sm.issue.lock_retry_after_release_cycles",
	 .formerly = "sm.issue.lock_retry_cycles",
	 KEY_CYCLES(IssueParameters, lock_retry_after_release_cycles, 1),
	 .default_value = "88",
	 .assumption = true,
	 .acts_on = KEY_ACTS_SECTION,
	 .doc = "From the release of a software lock to the yield before its warp's other "
		"lanes try again: the join, the branch back.",
	 .source = "not published; four arithmetic latencies"},
	{.path = "sm.issue.lock_retry_after_failure_cycles",
	 .formerly = "sm.issue.lock_spin_cycles",
	 KEY_CYCLES(IssueParameters, lock_retry_after_failure_cycles, 1),
	 .default_value = "66",
	 .assumption = true,
	 .acts_on = KEY_ACTS_SECTION,
	 .doc = "From the end of an attempt at a software lock that no lane of a warp won to "
		"the yield before the next attempt.",
	 .source = "not published; three arithmetic latencies"},
	{.path = "sm.issue.fence_block_cycles",
	 KEY_CYCLES(IssueParameters, fence_block_cycles, 1),
	 .default_value = "22",
	 .assumption = true,
	 .acts_on = KEY_ACTS_BLOCK_FENCE,
	 .doc = "A fence for the block keeps its warp for this long.",
	 .source = "not published"},
	{.path = "sm.issue.fence_block_drain_cycles",
	 .formerly = "sm.issue.fence_store_cycles",
	 KEY_CYCLES(IssueParameters, fence_block_drain_cycles, 1),
	 .default_value = "22",
	 .assumption = true,
	 .acts_on = KEY_ACTS_BLOCK_FENCE,
	 .doc = "A fence for the block ends no sooner than so long after the last pass of the "
		"accesses to shared memory that any warp of the SM has issued before it.",
	 .source = "not published"},
	{.path = "sm.issue.fence_device_cycles",
	 KEY_CYCLES(IssueParameters, fence_device_cycles, 1),
	 .default_value = "600",
	 .assumption = true,
	 .acts_on = KEY_ACTS_DEVICE_FENCE,
	 .doc = "A fence for the device or the system keeps its warp for this long.",
	 .source = "not published; a trip to memory"},
};

const KeyTable issue_keys = {"sm.issue", keys, G_N_ELEMENTS(keys), sizeof(IssueParameters)};
