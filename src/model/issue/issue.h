/* SPDX-License-Identifier: MIT */
/*
 * How a scheduler issues the instructions between records: what each class of operations costs.
 *
 * It holds for traces that say what waits for what (base/dataflow.h). Modelled: instructions of a warp
 * issue in program order; one issues when all values that it reads are there (a scoreboard of
 * registers, read after write only: order of issue rules the rest out), the pipe that it needs is free,
 * and the instruction before it has kept its warp for as long as it does. A guard, a branch
 * and a vote see a predicate later than a select does; an address sees arithmetic a cycle
 * later than arithmetic does; the first load from a line of constants by an SM is late, the first operand from one by
 * a scheduler stops its warp, and SMs of a group share what brings lines: all of them ask at about the same time.
 * Sources: our measurements of an H200, measurements/h200/issue, row by row in configs/h200;
 * the scoreboard after Huerta et al., MICRO 2025, who find one as good as control bits within 1.3 points.
 * Code that an SM has not run comes at a steady rate, in the order in which its warps get to it (launch.code); code that does not fit
 * its caches comes each time (sim/sm/code-cache.h).
 * Fetches from textures go through a unit of the SM; their texels are taken to be in the first cache.
 * Not modelled: register ports, dual issue.
 *
 * Who may include it: model, sim, and layers above.
 */
#ifndef ATOMSIM_MODEL_ISSUE_ISSUE_H
#define ATOMSIM_MODEL_ISSUE_ISSUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/dataflow.h"
#include "base/key.h"
#include "model/shared/shared.h"

/* What can take an instruction each so many cycles, of each scheduler. */
typedef enum {
	PIPE_INT,
	PIPE_FLOAT,
	PIPE_DOUBLE,
	PIPE_SPECIAL,
	PIPE_UNIFORM,
	PIPE_CONSTANT,
	PIPE_LANES,
	PIPE_MATRIX,
	PIPE_PATHS, /* which path of a warp's code goes on */
	N_PIPES,
	PIPE_NONE = N_PIPES, /* what no pipe limits */
} Pipe;

/* What does it. A result is later for another one. */
typedef enum {
	UNIT_ANY, /* not told */
	UNIT_INT,
	UNIT_FLOAT,
	UNIT_SPECIAL,
	UNIT_DOUBLE,
	N_UNITS,
} CodeUnit;

/* What an operation costs goes by its class, but for loads of constants at an address in a register. */
#define COST_INDEXED N_CODE_CLASSES
#define N_COSTS	     (N_CODE_CLASSES + 1)

#define MATCH_VALUES 32 /* different values that a match takes its latency and pipes for */

typedef struct {
	/* By issue_cost, in cycles. */
	uint32_t latency[N_COSTS]; /* issue to the issue of what reads the result */
	uint32_t busy[N_COSTS];	   /* its pipe takes nothing else */
	uint32_t stall[N_COSTS];   /* its warp issues nothing else */
	uint32_t sm_busy
		[N_COSTS];     /* nor do other schedulers' pipes of its kind; 0: each its own */
	uint32_t lsu[N_COSTS]; /* it takes the load/store unit, too, for so long */
	uint32_t match_per_value_cycles,
		match64_per_value_cycles; /* of a match: so much less for each value under MATCH_VALUES */
	uint32_t indexed_constant_per_address_cycles; /* latency of each address beyond one */
	uint32_t
		texture_per_pass_cycles; /* latency of each pass through the unit of textures */
	uint32_t texture_pass_cycles;	 /* that unit's time for a pass */
	uint32_t cross_unit_cycles, cross_double_cycles; /* of a result, to another unit */
	uint32_t jump_miss_cycles; /* of a branch to code that its scheduler's L0 cache lacks */
	/* Before the first of these: of any SM, of a far one more, for each scheduler of its group. */
	uint32_t code_miss_cycles, code_far_cycles, code_group_fill_cycles,
		code_fetch_mcycles; /* of an instruction that the SM has not run, of a kernel that no SM has */
	uint32_t code_skip_cycles; /* of code that is gone over on the way there, at most */
	/* What caches of instructions hold, and what one takes to come to them. */
	uint32_t code_l0_instructions, code_l1_instructions, code_l1_fill_mcycles,
		code_l15_instructions, code_l15_fill_mcycles;
	uint32_t sync_mask_stall_cycles; /* of a sync of one group, by a mask in a register */
	uint32_t sync_per_group_cycles;	 /* longer, for each further group */
	/* Of the first line of 256 bytes of a module's constants; of a kernel that was not launched before so much more. */
	uint32_t module_constant_miss_cycles, module_constant_cold_cycles;
	uint32_t indexed_constant_miss_cycles; /* first use of an indexed load by an SM */
	uint32_t predicate_cycles;    /* a comparison's issue to that of what it guards */
	uint32_t address_cycles;      /* more than latency, to an address made of a result */
	uint32_t access_stall_cycles; /* a warp issues nothing behind a memory access */
	uint32_t predicated_off_access_cycles; /* a port's time for an access without lanes */
	uint32_t constant_miss_cycles;	       /* first load of a line of constants by an SM */
	/* The last line of parameters in new memory, by an SM near or far. */
	uint32_t parameter_miss_cycles, parameter_far_cycles;
	uint32_t parameter_buffers;    /* launches that find such memory */
	uint32_t constant_fill_cycles; /* such a line after another, at least */
	uint32_t imc_miss_cycles; /* first operand of a scheduler's warps from a line of them */
	uint32_t constant_lines;  /* that an SM holds; 0: all */
	uint32_t imc_refill_cycles; /* as imc_miss_cycles, of a line that was lost */
	uint32_t
		constant_group_fill_cycles; /* of what brings lines to a group of SMs, for each */
	uint32_t fence_block_cycles, fence_device_cycles;
	uint32_t
		fence_block_drain_cycles; /* last pass of all accesses to the end of a fence of the block */
	uint32_t
		lock_retry_after_release_cycles; /* release of a lock to the yield before the rest try again */
	uint32_t
		lock_retry_after_failure_cycles; /* a failed attempt to the yield before the next */
} IssueParameters;

/* Where in the tables an operation's costs are. */
uint32_t issue_cost(const CodeOperation *operation);

/* An operation with all that a machine's issue of it takes: looked up once a run, as it is issued once for each warp
   and round. */
typedef struct {
	const uint8_t *reads, *writes; /* as the operation's */
	uint32_t latency, busy, stall, lsu;
	uint32_t
		sm_busy; /* of a sync: of a unit that takes them as they come; else of its pipes */
	uint32_t code; /* number of its instruction among those of the trace, from 0 */
	uint32_t
		code_line; /* and of that instruction's line, in the order of the code, from 1; 0: none */
	uint32_t jump; /* number of a branch whose instruction has none; 0: any other */
	uint16_t line;
	uint8_t n_reads, n_writes, guard, class;
	uint8_t pipe;	   /* Pipe */
	bool touches_line; /* its first use by an SM waits for a line of constants */
	bool indexed;	   /* a load that does not say which line */
	bool names_line;   /* an operand is in its line, which is not a load's */
	bool reads_as_guard;
	bool empty_access;
	uint8_t unit,
		result_unit; /* CodeUnit: that reads its operands; whose its results are */
} IssueOperation;

void issue_prepare(const IssueParameters *parameters, const CodeOperation *operation,
		   IssueOperation *prepared);
/* How much later a result of one unit is there for another. */
uint32_t issue_cross(const IssueParameters *parameters, CodeUnit from, CodeUnit to);
/* How much later a guard is there than data. */
uint32_t issue_guard_extra(const IssueParameters *parameters);

/* The ideal instruction_latency: results are there, and their warps go on, as soon as they have issued. Not of constants: those are
   loaded. */
void issue_take_latency(IssueParameters *parameters);

extern const KeyTable issue_keys; /* of IssueParameters */

#endif
