/* SPDX-License-Identifier: MIT */
/*
 * When the values of an SM's warps are there, and which pipes are free: of traces that say what waits
 * for what. model/issue/issue.h says what is modelled. Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_SM_SCOREBOARD_H
#define ATOMSIM_SIM_SM_SCOREBOARD_H

#include <stdbool.h>

#include "base/record.h"
#include "model/issue/issue.h"
#include "model/issue/scheduler.h"
#include "sim/run/statistics.h"
#include "sim/sm/code-cache.h"
#include "sim/sm/constant-lines.h"

/* A time that is not known yet: the value's load has not been answered. */
#define SCOREBOARD_PENDING UINT64_MAX

/* The operations of all gaps as a machine issues them, one gap behind the other, for all SMs of a run. */
typedef struct {
	const CodeOperation *first; /* that operations[0] is made of */
	IssueOperation *operations; /* NULL: the trace has no data flow */
	uint32_t n_operations;
	CodeTable code;
	IssueOperation yield; /* of a warp whose lanes go to different tries of a lock */
} IssueTable;

/* ideal: that of issue, with which no pipe is busy. */
void issue_table_init(IssueTable *table, const Dataflow *dataflow,
		      const IssueParameters *parameters, uint32_t ideal);
void issue_table_clear(IssueTable *table);

/* What the time before a result is spent on: the last of it on further passes of its own access, before them on latency, and
   before that on the load/store unit in front of it. Each is DELAY_MOST at most; latency, without passes: that much is all. */
#define DELAY_BITS 12
#define DELAY_MOST ((1u << DELAY_BITS) - 1)
typedef uint32_t
	Delay; /* from the lowest bits on: bank cycles, latency, WarpState of the latency */

/* All of it on one thing. */
#define DELAY_ALL(state) ((Delay)(state) << 2 * DELAY_BITS | DELAY_MOST << DELAY_BITS)

/* Of arithmetic, which has no bank cycles: its CodeUnit in their place. */
#define DELAY_UNIT_MASK 7u
_Static_assert(N_UNITS <= DELAY_UNIT_MASK + 1, "a delay has no room for units");

static inline bool delay_is_arithmetic(Delay delay)
{
	return (delay & ~DELAY_UNIT_MASK) == DELAY_ALL(STATE_ARITHMETIC);
}

static inline Delay delay_of(WarpState state, Cycle latency, uint32_t bank_cycles)
{
	return (Delay)state << 2 * DELAY_BITS | (Delay)MIN(latency, DELAY_MOST) << DELAY_BITS |
	       MIN(bank_cycles, DELAY_MOST);
}

static inline WarpState delay_state(Delay delay)
{
	return (WarpState)(delay >> 2 * DELAY_BITS);
}

/* Whether all of it is on what global memory answers. */
static inline bool delay_is_global(Delay delay)
{
	return delay >= DELAY_ALL(STATE_GLOBAL) && delay <= DELAY_ALL(STATE_DRAM) &&
	       delay == DELAY_ALL(delay_state(delay));
}

/* A result on its way, in a place that a warp keeps it in or waited for: when it is there, and why not before. */
typedef struct {
	Cycle at;
	uint32_t site; /* whose it is; 0: arithmetic, or not known */
	Delay delay;
} Result;

/* Lines of constants and code, when an SM asks for them first. */
typedef struct {
	uint32_t sms; /* that ask together with it, as they share a cache, itself included */
	uint32_t code,
		parameters; /* cycles for which it waits for code that no SM has, for parameters in new memory */
} FirstUse;

typedef struct {
	const Dataflow *dataflow; /* NULL: the trace has none, and nothing below is there */
	const IssueParameters *parameters;
	const IssueTable *table;
	Result *values; /* of each slot, n_values of them */
	ConstantLines lines;
	CodeCache code;
	Cycle *loaded_at; /* of each slot: the last of its loads of constants is there */
	bool pends;	  /* results from global memory come when its reply says */
	uint32_t n_schedulers;
	uint32_t n_values;
	uint32_t guard_extra; /* a guard is there so much later than data */
	uint32_t cross[N_UNITS]
		      [N_UNITS]; /* a result of the one comes so much later for the other */
	Cycle pipe_free[MAX_SCHEDULERS][N_PIPES + 1]; /* of no pipe: 0 */
	Cycle pipes_free[MAX_SCHEDULERS];	      /* the last of them */
	Cycle sync_free;		/* what joins groups of lanes takes the next sync */
	Cycle lookup_free;		/* and what looks constants up the next address */
	Cycle texture_free;		/* and what goes to textures the next pass */
	uint64_t wants[N_PIPES + 1];	/* slots whose next instruction needs the pipe */
	uint8_t wanted[MAX_WARP_SLOTS]; /* which that is */
} Scoreboard;

/* parameters: as those of the table, which outlives it. */
void scoreboard_init(Scoreboard *board, const Dataflow *dataflow,
		     const IssueParameters *parameters, const IssueTable *table,
		     uint32_t n_schedulers);
void scoreboard_clear(Scoreboard *board);
/* A new warp in `slot`, whose values are all there, starts at `at`. */
void scoreboard_start_warp(Scoreboard *board, uint32_t slot, Cycle at);

/* Moves wait->at on to when what the instruction of a site reads is there, and what it writes is not on its way from memory
   any more; SCOREBOARD_PENDING: not known yet. */
void scoreboard_site_at(const Scoreboard *board, uint32_t slot, uint32_t site, Result *wait);

/* Those below run once for each issue, hence inline. */
static inline void scoreboard_set(Scoreboard *board, uint32_t slot, const uint8_t *values,
				  uint32_t n, Result value)
{
	Result *mine = board->values + (size_t)slot * board->n_values;

	for (uint32_t i = 0; i < n; i++)
		mine[values[i]] = value;
}

/* Scheduler k's pipe takes nothing before `until`. */
static inline void scoreboard_take_pipe(Scoreboard *board, uint32_t k, uint32_t pipe,
					Cycle until)
{
	board->pipe_free[k][pipe] = MAX(board->pipe_free[k][pipe], until);
	board->pipes_free[k] = MAX(board->pipes_free[k], until);
}

/* Issues an operation from scheduler k at `now`: its pipe is busy, its results will be there, `late` cycles later than
   where nothing is in front of it. */
static inline void scoreboard_issue(Scoreboard *board, uint32_t slot, uint32_t k,
				    const IssueOperation *operation, Cycle now, Cycle late)
{
	const uint32_t pipe = operation->pipe, sm_busy = operation->sm_busy;
	Cycle at = now + operation->latency + late;

	if (operation->touches_line)
		at += constant_lines_load_wait(&board->lines, operation, now);
	scoreboard_set(
		board, slot, operation->writes, operation->n_writes,
		(Result){at, 0,
			 code_is_texture(operation->class)
				 ? DELAY_ALL(STATE_L1)
				 : DELAY_ALL(STATE_ARITHMETIC) | operation->result_unit});
	if (operation->class == CODE_CONSTANT || operation->class == CODE_LOOKUP)
		board->loaded_at[slot] = MAX(board->loaded_at[slot], at);
	if (pipe == N_PIPES)
		return;
	scoreboard_take_pipe(board, k, pipe, now + operation->busy);
	if (operation->class == CODE_LOOKUP)
		return;
	for (uint32_t i = 0; sm_busy > 0 && i < board->n_schedulers; i++)
		scoreboard_take_pipe(board, i, pipe, now + sm_busy);
}

/* A lookup at `now`: how much later than alone it ends by the addresses of others, which the SM's unit serves between its own. */
static inline Cycle scoreboard_lookup_late(Scoreboard *board, const IssueOperation *operation,
					   Cycle now)
{
	const Cycle end = now + operation->latency;

	board->lookup_free = MAX(board->lookup_free, now) + operation->sm_busy;
	return board->lookup_free > end ? board->lookup_free - end : 0;
}

/* At `now`, for a unit of the SM that takes one operation after the other and is free at *unit_free: how long others keep it waiting. */
static inline Cycle scoreboard_turn(Cycle *unit_free, const IssueOperation *operation,
				    Cycle now)
{
	const Cycle start = MAX(*unit_free, now);

	*unit_free = start + operation->sm_busy;
	return start - now;
}

/* What the instruction of result->site writes is there at result->at, or SCOREBOARD_PENDING. */
void scoreboard_result(Scoreboard *board, uint32_t slot, const Result *result);
/* What it wrote and is pending is there at `at`, by what `state` says. */
void scoreboard_arrive(Scoreboard *board, uint32_t slot, uint32_t site, Cycle at,
		       WarpState state);

/* The same where some pipe of scheduler k is busy. */
uint64_t scoreboard_pick_free(const Scoreboard *board, uint32_t k, uint64_t ready, Cycle now,
			      Cycle *next);

/* Of scheduler k's `ready` slots those whose pipe is free at `now`; if none is, *next becomes no later
   than the cycle at which the first is. */
static inline uint64_t scoreboard_eligible(const Scoreboard *board, uint32_t k, uint64_t ready,
					   Cycle now, Cycle *next)
{
	Cycle free;

	if (board->pipes_free[k] <= now)
		return ready;
	if (ready & (ready - 1))
		return scoreboard_pick_free(board, k, ready, now, next);
	free = board->pipe_free[k][board->wanted[__builtin_ctzll(ready)]];
	if (free <= now)
		return ready;
	*next = MIN(*next, free);
	return 0;
}

/* Notes the pipe that the warp's next instruction needs; NULL: none. */
static inline void scoreboard_want(Scoreboard *board, uint32_t slot,
				   const IssueOperation *operation)
{
	const uint8_t pipe = operation ? operation->pipe : N_PIPES;
	const uint64_t bit = UINT64_C(1) << slot;

	board->wants[board->wanted[slot]] &= ~bit;
	board->wants[pipe] |= bit;
	board->wanted[slot] = pipe;
}

/* Moves *wait on to when the value is there for what `unit` does. `extra`: only arithmetic reaches addresses and guards so much
   later than it reaches arithmetic. */
static inline void scoreboard_need(const Scoreboard *board, const Result *value, uint32_t extra,
				   CodeUnit unit, Result *wait)
{
	Cycle at = value->at;
	Delay delay = value->delay;

	if (at > 0 && delay_is_arithmetic(delay)) {
		at += extra + board->cross[delay & DELAY_UNIT_MASK][unit];
		delay = DELAY_ALL(STATE_ARITHMETIC);
	}
	if (at > wait->at) {
		wait->at = at;
		wait->site = value->site;
		wait->delay = delay;
	}
}

/* The same for all that an operation reads; what it writes must not be on its way from memory any more: it must not be
   overtaken by a result from there, and the hardware's scoreboard holds both. SCOREBOARD_PENDING: not known yet. */
static inline void scoreboard_operation_at(const Scoreboard *board, uint32_t slot,
					   const IssueOperation *operation, Result *wait)
{
	const Result *values = board->values + (size_t)slot * board->n_values;
	const uint32_t extra = operation->reads_as_guard ? board->guard_extra : 0;

	for (uint32_t i = 0; i < operation->n_reads; i++)
		scoreboard_need(board, &values[operation->reads[i]], extra, operation->unit,
				wait);
	if (operation->guard != DATAFLOW_NO_VALUE)
		scoreboard_need(board, &values[operation->guard], board->guard_extra, UNIT_ANY,
				wait);
	for (uint32_t i = 0; board->pends && i < operation->n_writes; i++)
		if (delay_is_global(values[operation->writes[i]].delay))
			scoreboard_need(board, &values[operation->writes[i]], 0, UNIT_ANY,
					wait);
}

/* Whether its line of constants, where it waits for one, is there at `at`. False: perhaps. */
static inline bool scoreboard_has_line(const Scoreboard *board, uint32_t slot,
				       const IssueOperation *operation, Cycle at)
{
	const Cycle *line =
		constant_lines_of_operand(&board->lines, slot % board->n_schedulers, operation);

	return !line || (*line != 0 && *line <= at && !board->lines.used);
}

/* NULL: the data flow does not describe the site. */
static inline const SiteFlow *scoreboard_site(const Scoreboard *board, uint32_t site)
{
	return site > 0 && site <= board->dataflow->n_sites ? &board->dataflow->sites[site - 1]
							    : NULL;
}

#endif
