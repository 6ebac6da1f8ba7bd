/* SPDX-License-Identifier: MIT */
/* What files of advise share. */
#ifndef ATOMSIM_EXPLORE_ADVISE_INTERNAL_H
#define ATOMSIM_EXPLORE_ADVISE_INTERNAL_H

#include "config/acts.h"
#include "explore/advise/advise.h"
#include "replay/replay.h"
#include "transform/arrays.h"

/* A change worth a try. */
typedef struct {
	AdviceCause cause;
	bool of_design;
	char *change;
	char *words;
	uint64_t behind_cycles;	  /* as in Advice */
	const SharedArray *array; /* NULL: a design */
} Candidate;

/* The unchanged run. */
typedef struct {
	const Machine *machine;
	const ReplayResult *replayed;
	const KernelInfo *kernel;
	uint32_t n_warps; /* of the largest block */
} Unchanged;

/* The trace's cycles over those without a thing, IDEAL_*; 1 where that is not known. */
double advice_most_gain(const Unchanged *unchanged, unsigned ideal);

/* Whether it costs ADVICE_LEAST_GAIN or more. */
bool advice_costs(const Unchanged *unchanged, unsigned ideal);

/* Adds a candidate for an array or, NULL, of a design; takes change, to which it adds the array's name, and words. */
Candidate *advice_add(GPtrArray *candidates, AdviceCause cause, const SharedArray *array,
		      char *change, char *words);
void advice_free_candidate(gpointer candidate);

/* Adds the changes of the machine. */
void advice_add_designs(GPtrArray *candidates, const Unchanged *unchanged);

/* What its atomics cost in hardware, in the bits of model/cost.h. */
uint64_t advice_hardware_bits(const Machine *machine);

/* The changes that fit the causes which the unchanged run shows, and that can act on it, of Candidate. arrays: of shared memory and
   of buffers. */
GPtrArray *advice_candidates(const Unchanged *unchanged, const GPtrArray *arrays);

/* Changes that fit and that no what-if makes, of AdviceLimit. */
GArray *advice_limits(const Unchanged *unchanged, const GPtrArray *arrays,
		      const Coalescing *coalescing);

/* How a source's accesses coalesce. FALSE: a stream failed. */
gboolean coalescing_find(RecordSource *source, Coalescing *coalescing);

/* Notes that a candidate cannot be made: one a kind of change and reason, of sizes that do not fit the smallest, which comes first. */
void advice_refuse(AdviceReport *report, const Candidate *candidate, const GError *why);

/* Whether two changes are of one kind, in whatever sizes. */
bool advice_is_same_kind(const char *a, const char *b);

/* Puts the largest gain first; of advice alike keeps the best, or one that is nearly as good and takes half the shared memory or has fewer conditions. */
void advice_keep_best(GPtrArray *all);

/* Fills in the expected error of such changes on this machine. */
void advice_set_expected_errors(Advice *advice, const Machine *machine);

#endif
