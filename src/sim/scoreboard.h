/* SPDX-License-Identifier: MIT */
/*
 * When the values of an SM's warps are there, and which pipes are free: of traces that say what waits
 * for what. model/issue.h says what is modelled. Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_SCOREBOARD_H
#define ATOMSIM_SIM_SCOREBOARD_H

#include "base/record.h"
#include "model/issue.h"
#include "model/scheduler.h"
#include "sim/statistics.h"

/* A time that is not known yet: the value's load has not been answered. */
#define SCOREBOARD_PENDING UINT64_MAX

typedef struct {
	const Dataflow *dataflow; /* NULL: the trace has none, and nothing below is there */
	const IssueParameters *parameters;
	Cycle *ready;	/* of each slot, of each value */
	uint8_t *state; /* the same: the WarpState that waiting for it is */
	uint32_t *site; /* the same: the site whose result it is; 0: arithmetic, or not known */
	Cycle *line_at; /* of each line of constants that loads have touched; 0: none yet */
	Cycle *operand_at; /* the same of each scheduler, of lines that operands have touched */
	Cycle *indexed_at; /* the same of each operation that loads an indexed constant */
	Cycle load_line_at; /* of the last line that a load has asked for */
	uint32_t operand_cycles,
		load_gap_cycles; /* of lines, as sm.issue.* and those that share them say */
	Cycle *loaded_at;	 /* of each slot: the last of its loads of constants is there */
	const CodeOperation *first_operation; /* of all gaps, which lie one behind the other */
	bool pends; /* results from global memory come when its reply says */
	uint32_t n_schedulers;
	Cycle pipe_free[MAX_SCHEDULERS][N_PIPES];
	Cycle pipes_free[MAX_SCHEDULERS]; /* the last of them */
	uint64_t wants[N_PIPES];	  /* slots whose next instruction needs the pipe */
} Scoreboard;

void scoreboard_init(Scoreboard *board, const Dataflow *dataflow,
		     const IssueParameters *parameters, uint32_t n_schedulers);
void scoreboard_clear(Scoreboard *board);
/* Who asks for lines of constants together with this SM: `n_sms` SMs, itself included, of each of which n_schedulers have
   warps. */
void scoreboard_share_lines(Scoreboard *board, uint32_t n_sms, uint32_t n_schedulers);
/* A new warp in `slot`, whose values are all there. */
void scoreboard_start_warp(Scoreboard *board, uint32_t slot);

/* Until when a warp waits, and for what. */
typedef struct {
	Cycle at;
	WarpState state;
	uint32_t site;
} Wait;

/* Moves wait->at on to when what an operation, or the instruction of a site, reads is there, and what it writes
   is not on its way from memory any more; SCOREBOARD_PENDING: not known yet. */
void scoreboard_operation_at(const Scoreboard *board, uint32_t slot,
			     const CodeOperation *operation, Wait *wait);
void scoreboard_site_at(const Scoreboard *board, uint32_t slot, uint32_t site, Wait *wait);

/* When a warp that has all values that its operation reads can issue it, at `at` at the earliest: the line of constants
   that an operand names, or that it loads for the warp as a whole, must be there. */
Cycle scoreboard_operand_at(Scoreboard *board, uint32_t slot, const CodeOperation *operation,
			    Cycle at);

/* Notes the pipe that the warp's next instruction needs; NULL: none. */
void scoreboard_want(Scoreboard *board, uint32_t slot, const CodeOperation *operation);
/* Issues an operation from scheduler k at `now`: its pipe is busy, its results will be there. */
void scoreboard_issue(Scoreboard *board, uint32_t slot, uint32_t k,
		      const CodeOperation *operation, Cycle now);
/* What the instruction of a site writes is there at `at`, or SCOREBOARD_PENDING. */
void scoreboard_result(Scoreboard *board, uint32_t slot, uint32_t site, Cycle at,
		       WarpState state);
/* What it wrote and is pending is there at `at`. */
void scoreboard_arrive(Scoreboard *board, uint32_t slot, uint32_t site, Cycle at);

/* Of scheduler k's `ready` slots those whose pipe is free at `now`; if none is, *next becomes no later
   than the cycle at which the first is. */
uint64_t scoreboard_eligible(const Scoreboard *board, uint32_t k, uint64_t ready, Cycle now,
			     Cycle *next);

/* NULL: the data flow does not describe the site. */
static inline const SiteFlow *scoreboard_site(const Scoreboard *board, uint32_t site)
{
	return site > 0 && site <= board->dataflow->n_sites ? &board->dataflow->sites[site - 1]
							    : NULL;
}

#endif
