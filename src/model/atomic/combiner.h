/* SPDX-License-Identifier: MIT */
/*
 * What an SM does with the operations of an atomic before their mechanism gets them: merges or keeps those whose results
 * nobody uses. Hypothetical hardware that a config can switch on, of shared and of global memory each.
 *
 * A combiner is one file, combine-*.c, that opens with what it models, what it does not and the source of each rule; and one word
 * in the list below, in whose order an atomic passes those that are on. It gets only what may be combined (combiner_refuses). It is
 * an SM's own: blocks that ask for the same come to the same.
 * Who may include it: model, sim, and layers above.
 */
#ifndef ATOMSIM_MODEL_ATOMIC_COMBINER_H
#define ATOMSIM_MODEL_ATOMIC_COMBINER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/key.h"
#include "base/words.h"
#include "model/cost-row.h"
#include "model/issue/scheduler.h"
#include "model/shared/shared.h"

/* Every one; combine-NAME.c defines combiner_NAME. */
#define COMBINERS(X) X(merge) X(buffer)

enum {
#define X(name) COMBINER_##name,
	COMBINERS(X)
#undef X
		N_COMBINERS,
};

/* Why a lane's operation is sent by itself. X(constant, name, doc) */
#define COMBINE_REFUSALS(X)                                                                    \
	X(RESULT, "result_lanes", "lanes not combined: the program uses their results")        \
	X(OPERATION, "operation_lanes",                                                        \
	  "lanes not combined: their operation does not commute (exch, cas, inc, dec)")        \
	X(FEW, "few_lanes", "lanes not combined: too few lanes of the warp access the word")

typedef enum {
#define X(constant, name, doc) COMBINE_##constant,
	COMBINE_REFUSALS(X)
#undef X
		N_COMBINE_REFUSALS,
	COMBINE_MAY = N_COMBINE_REFUSALS,
} CombineRefusal;

/* What became of the lanes of a site's atomics, where combiners are on, or banks or slices merge. */
typedef struct {
	uint64_t buffered; /* kept in the SM for a while */
	uint64_t merged;   /* another lane of the warp has operated for them */
	uint64_t
		bank_merged; /* sent; at the bank another lane of the warp has operated for them */
	uint64_t slice_merged; /* sent; at the slice another lane, of any warp, has */
	uint64_t refused[N_COMBINE_REFUSALS]; /* sent by themselves, by CombineRefusal */
} CombineCounters;

/* The lanes of an atomic that begins, none of them done. */
typedef struct {
	Operation operation;
	ValueType type;
	uint32_t width;		  /* bytes of a lane */
	uint32_t slot, scheduler; /* of its warp */
	uint64_t base;		  /* lane i's word lies at base + address[i] */
	/* By rank; a combiner that takes lanes away closes the gaps. */
	uint32_t n_lanes; /* 1 .. MAX_LANES */
	uint32_t *address;
	uint64_t *value; /* operands; undefined without */
	bool has_values;
	LaneMask left; /* which of the lanes that there were at first: all of them */
} Combined;

/* What taking them came to. */
typedef struct {
	Cycle ready;	 /* what is left goes on then; not before `now`, which it is at first */
	uint32_t merged; /* lanes that another lane of their warp operates for */
	uint32_t few;	 /* lanes that were too few */
	uint32_t buffered,
		fused; /* lanes that it keeps; of them, with an operation that it had */
	bool full;     /* the others are to be taken once something has been drained */
} CombineStep;

#define COMBINE_DRAIN_LANES 32

/* Operations that leave a combiner for global memory together: as an atomic of so many lanes. */
typedef struct {
	Operation operation;
	ValueType type;
	uint32_t width, n_lanes;
	uint64_t address[COMBINE_DRAIN_LANES];
} CombineDrain;

typedef struct {
	const char *name;
	const KeyTable *keys
		[N_MEMORY_SPACES]; /* their structs are alike; NULL: it is not for that memory */
	const CostRow
		*costs[N_MEMORY_SPACES]; /* a row each, counted where it is on; NULL: none */
	bool (*is_on)(const void *own);
	/* Its state in one SM. */
	void *(*new)(const void *own);
	void (*free)(void *state);
	/* Takes what it can of the lanes at `now`; calls come in order of it. */
	void (*take)(const void *own, void *state, Combined *combined, Cycle now,
		     CombineStep *step);
	bool at_once; /* only for atomics that the memory operates at once (GlobalMechanism.at_once) */
	/* Fills *drain with what leaves next of what it keeps for that warp, `all` if all of that has to leave; false:
	   there is nothing. NULL: it keeps nothing. */
	bool (*drain)(const void *own, void *state, uint32_t slot, uint32_t scheduler, bool all,
		      CombineDrain *drain);
	/* A warp ends: whether of these others, by slot, that have not, or those of its scheduler, one is left to drain what it
	   keeps for that warp. */
	bool (*outlives)(const void *own, uint64_t others, uint64_t others_of_scheduler);
	/* Whether nothing in it is over later than `now`. */
	bool (*is_idle)(const void *state, Cycle now);
} Combiner;

#define X(name) extern const Combiner combiner_##name;
COMBINERS(X)
#undef X

extern const Combiner *const combiners[]; /* NULL-terminated, as in the list */

/* Parameters of each, as its keys fill them. */
typedef const void *CombinerParameters[N_COMBINERS];

void combine_counters_add(CombineCounters *sum, const CombineCounters *more, uint64_t times);
bool combine_counters_any(const CombineCounters *counters);
/* Why an atomic's lanes cannot be combined; COMBINE_MAY: they can. */
CombineRefusal combiner_refuses(Operation operation, bool result);
/* Leaves of the lanes those whose bits are set, by rank. */
void combined_keep(Combined *combined, LaneMask ranks);

#endif
