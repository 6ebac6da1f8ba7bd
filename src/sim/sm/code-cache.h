/* SPDX-License-Identifier: MIT */
/*
 * An SM's caches of instructions, in lines of 8. A scheduler's L0 has the lines that its warps ran last: a branch to a line that it lacks
 * waits, while code that goes on from line to line is there in time (sm.issue.jump_miss_cycles, code_l0_instructions). From the L1
 * lines come as fast as they are run, from the SM's own cache and the L2 at a rate (code_l1_*, code_l15_*). What no SM has run comes from
 * memory (launch.code cold).
 *
 * Instructions are told apart by their number in the code. Operations of older traces have none: each is code of its own, which is in no
 * line, and a branch among them waits the first time that a scheduler's warps take it.
 * Not modelled: that accesses take room, and wait for their code; several warps that share an L1.
 * Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_CODE_CACHE_H
#define ATOMSIM_SIM_CODE_CACHE_H

#include <glib.h>

#include "model/issue/issue.h"
#include "model/issue/scheduler.h"
#include "model/shared/shared.h"
#include "sim/sm/code-table.h"

/* Lines that a cache holds, the one used last in front. */
typedef struct {
	uint32_t capacity, n;
	uint32_t first, last;
	uint32_t *before, *behind; /* by line */
	bool *in;		   /* by line: it is held */
	uint64_t *
		at; /* by line, in thousandths of a cycle: it has come; NULL: they are there at once */
	uint64_t front; /* the line that was asked for last comes */
} CodeLines;

typedef struct {
	const CodeTable *table;
	const IssueParameters *parameters;
	uint32_t n_schedulers;
	/* Of each scheduler; NULL: they hold all code. */
	CodeLines *l0, *l1;
	CodeLines *l15;	    /* of the SM; the same */
	uint64_t n_brought; /* lines that came to any of them */
	/* Of each slot's warp, lines from 1: the one that it is in, 0: none; the one that it left by a branch, 0: it went on. */
	uint32_t line[MAX_WARP_SLOTS], left[MAX_WARP_SLOTS];
	Cycle there[MAX_WARP_SLOTS]; /* and when it has that line */
	Cycle *jumped_at; /* of each branch without a number and scheduler: what it leads to is there; 0: it was not taken */
	/* By instruction, in thousandths of a cycle: the SM has it; 0: no warp has got to it. NULL: it has all. */
	uint64_t *fetched_at;
	uint64_t first_front; /* the last of them comes */
	uint32_t late;	      /* cycles before the first of them */
} CodeCache;

/* table: outlives it. */
void code_cache_init(CodeCache *cache, const CodeTable *table,
		     const IssueParameters *parameters, uint32_t n_schedulers);
void code_cache_clear(CodeCache *cache);
/* From now on what no warp has run must be fetched; the first of it takes `late` cycles more. */
void code_cache_forget(CodeCache *cache, uint32_t late);

/* When a warp that goes to another line, or may be the first to get to its instruction, has it: `ready` or later. */
Cycle code_cache_wait(CodeCache *cache, uint32_t slot, const IssueOperation *operation,
		      Cycle ready);

/* The same of any: once for each issue, hence inline. */
static inline Cycle code_cache_fetch(CodeCache *cache, uint32_t slot,
				     const IssueOperation *operation, Cycle ready)
{
	return G_LIKELY(cache->line[slot] == operation->code_line && !cache->fetched_at)
		       ? MAX(ready, cache->there[slot])
		       : code_cache_wait(cache, slot, operation, ready);
}

/* The warp takes a branch, and could go on at `ready`: when it can if the branch has no number. Else its next operation waits. */
Cycle code_cache_jump(CodeCache *cache, uint32_t slot, const IssueOperation *operation,
		      Cycle ready);

/* A new warp in `slot`. */
static inline void code_cache_start_warp(CodeCache *cache, uint32_t slot)
{
	cache->line[slot] = cache->left[slot] = 0;
	cache->there[slot] = 0;
}

/* Whether a line is on its way that later ones come behind. */
bool code_cache_is_busy(const CodeCache *cache, Cycle now);

#endif
