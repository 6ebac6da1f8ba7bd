/* SPDX-License-Identifier: MIT */
#include "model/issue/issue.h"

#include <glib.h>

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
	[CODE_MATCH64] = PIPE_LANES,   [CODE_LOOKUP] = PIPE_CONSTANT,
	[CODE_WIDE] = PIPE_FLOAT,      [CODE_INDIRECT] = PIPE_NONE,
	[CODE_TEXTURE] = PIPE_NONE,    [CODE_TEXEL] = PIPE_NONE,
	[CODE_MATRIX64] = PIPE_MATRIX, [CODE_MATRIX_SHORT] = PIPE_MATRIX,
};

static const uint8_t units[N_CODE_CLASSES] = {
	[CODE_INT] = UNIT_INT,	       [CODE_COMPARE] = UNIT_INT,
	[CODE_MOVE] = UNIT_INT,	       [CODE_MUL] = UNIT_FLOAT,
	[CODE_WIDE] = UNIT_FLOAT,      [CODE_FLOAT] = UNIT_FLOAT,
	[CODE_CONVERT] = UNIT_SPECIAL, [CODE_SPECIAL] = UNIT_SPECIAL,
	[CODE_SHUFFLE] = UNIT_SPECIAL, [CODE_REDUCE] = UNIT_SPECIAL,
	[CODE_MATCH] = UNIT_SPECIAL,   [CODE_MATCH64] = UNIT_SPECIAL,
	[CODE_DOUBLE] = UNIT_DOUBLE,   [CODE_HALF] = UNIT_SPECIAL,
};

/* Whether results are as late for its own unit as for others (issue-pairs.csv, imad_hi_lop3, imad_hi_imad, hfma2_*). */
static bool takes_its_time(CodeClass class)
{
	return class == CODE_WIDE || class == CODE_HALF;
}

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
	return operation->class == CODE_LOOKUP ||
			       (operation->class == CODE_CONSTANT && reads_address(operation))
		       ? COST_INDEXED
		       : operation->class;
}

/* Of its lanes, where the trace says so. */
static uint32_t n_addresses(const CodeOperation *operation)
{
	return operation->class == CODE_LOOKUP ? MIN(MAX(operation->line, 1), MAX_LANES) : 1;
}

/* Of what goes to textures, through their unit; where the trace does not say how many, a texel of 4 bytes a lane. */
static uint32_t n_passes(const CodeOperation *operation)
{
	return !code_is_texture(operation->class) ? 0
	       : operation->line > 0		  ? MIN(operation->line, MAX_LANES)
	       : operation->class == CODE_TEXTURE ? 2
						  : 1;
}

/* A match of fewer values takes less. */
static uint32_t latency_of(const IssueParameters *parameters, const CodeOperation *operation)
{
	uint32_t latency =
		parameters->latency[issue_cost(operation)] +
		(n_addresses(operation) - 1) * parameters->indexed_constant_per_address_cycles +
		n_passes(operation) * parameters->texture_per_pass_cycles;
	uint32_t less;

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
	uint32_t busy = parameters->sm_busy[issue_cost(operation)] * n_addresses(operation);

	if (operation->class == CODE_SYNC)
		return part(busy, operation->line);
	if (code_is_texture(operation->class))
		return parameters->texture_pass_cycles * n_passes(operation);
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
	return class == CODE_BRANCH || code_is_taken(class) || class == CODE_VOTE;
}

/* Of what goes from 64-bit floating point to special functions and back nothing is known. */
uint32_t issue_cross(const IssueParameters *parameters, CodeUnit from, CodeUnit to)
{
	if (from == to || from == UNIT_ANY || to == UNIT_ANY)
		return 0;
	if (from != UNIT_DOUBLE && to != UNIT_DOUBLE)
		return parameters->cross_unit_cycles;
	return from == UNIT_SPECIAL || to == UNIT_SPECIAL ? 0 : parameters->cross_double_cycles;
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
	/* Traces without numbers of instructions have copies and additions of one unit in the class of another. */
	const uint8_t unit = operation->instruction > 0 ? units[operation->class] : UNIT_ANY;

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
		.unit = unit,
		.result_unit = takes_its_time(operation->class) ? UNIT_ANY : unit,
	};
}

/* Whether instructions of that cost get what they write from memory: of constants, or textures. */
static bool loads(uint32_t cost)
{
	return cost == CODE_CONSTANT || cost == CODE_LOOKUP || cost == COST_INDEXED ||
	       code_is_texture((CodeClass)cost);
}

void issue_take_latency(IssueParameters *parameters)
{
	for (uint32_t cost = 0; cost < N_COSTS; cost++) {
		parameters->stall[cost] = 0;
		if (!loads(cost))
			parameters->latency[cost] = 1;
	}
	parameters->match_per_value_cycles = parameters->match64_per_value_cycles = 0;
	parameters->sync_mask_stall_cycles = parameters->sync_per_group_cycles = 0;
	parameters->predicate_cycles = parameters->address_cycles = 0;
	parameters->cross_unit_cycles = parameters->cross_double_cycles = 0;
	parameters->access_stall_cycles = 0;
}
