/* SPDX-License-Identifier: MIT */
/*
 * What the files of the estimate share: estimate.c runs, estimate-plan.c says which waves in which order, estimate-interval.c how sure it is,
 * estimate-schedule.c puts blocks side by side, estimate-result.c has the result; where the trace has a sample, estimate-sample.c runs and
 * estimate-rate.c says how fast. Only they include it.
 */
#ifndef ATOMSIM_REPLAY_ESTIMATE_INTERNAL_H
#define ATOMSIM_REPLAY_ESTIMATE_INTERNAL_H

#include <glib.h>

#include "replay/estimate.h"
#include "transform/sample.h"

/* What the trace's directory says of a block before anything of it is read; each may say how long it takes. */
enum { FEATURE_NONE, FEATURE_RECORDS, FEATURE_STORED_BYTES, N_FEATURES };

/* The waves of a launch: 0 .. n_waves-1 of wave_blocks blocks each, in the order of the launch, and what is left. The first ones
   and the last ones are always simulated, of those between them as many as are needed. */
typedef struct {
	uint64_t n_blocks, wave_blocks, n_waves; /* whole waves */
	uint64_t first, last;			 /* waves first .. last-1 are between */
	double *features
		[N_FEATURES]; /* of each block; FEATURE_NONE, or nothing is known: NULL */
	/* Of each wave: mean, least and most of its blocks. */
	double *wave_features[N_FEATURES], *least[N_FEATURES], *most[N_FEATURES];
	uint64_t *between; /* these waves in the order in which they are simulated */
} Plan;

/* A wave between that is in none of two lists and whose features are beyond those of the first; plan->last: there is none. */
uint64_t plan_find_unlike(const Plan *plan, const uint64_t *waves, uint64_t n,
			  const uint64_t *others, uint64_t n_others);

bool wave_is_in(uint64_t wave, const uint64_t *waves, uint64_t n);

/* NULL in *why: there is one. */
Plan *plan_new(const SimRequest *request, TraceReader *reader, const char **why);
void plan_free(Plan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Plan, plan_free)

/* Of a wave that was simulated and whose blocks have all ended. */
typedef struct {
	uint64_t wave;
	double cycles;				   /* mean of its blocks' */
	double blocks_cycles_features[N_FEATURES]; /* means of products */
} SampledWave;

/* What waves of which some were simulated take. */
typedef struct {
	int feature;	    /* that predicts best; */
	double base, slope; /* a block's cycles are as base + slope * feature */
	double *wave_cycles; /* of each wave of the plan: the mean of its blocks'; 0: not between */
	double sum;	     /* of these: of all waves between, */
	double half_width; /* and half of its interval with 95 % confidence */
	uint64_t *like;	   /* of each wave: the simulated one that is nearest */
} Prediction;

/* cycles[i]: of the i-th simulated block of the plan's waves `waves`, n of them (2 or more), wave by wave. The interval is the one
   that is to be expected when n_more others have been simulated, too. */
void predict(const Plan *plan, const uint64_t *waves, guint n, guint n_more,
	     const double *cycles, Prediction *prediction);
/* Cycles of all blocks of a wave that was not simulated: as those of `like`, the one that is most like it, each as much longer as its
   feature says, the mean as predicted. */
void predict_blocks(const Plan *plan, const Prediction *prediction, uint64_t wave,
		    uint64_t like, const double *like_cycles, double *cycles);
void prediction_clear(Prediction *prediction);

/* What was simulated of a launch, in the order in which it ran: the plan's first waves, those that were dealt, the last ones and what
   is behind them. */
typedef struct {
	const Plan *plan;
	BlockLog *log;
	const uint64_t *order; /* blocks of the launch, */
	uint64_t n_ran;	       /* so many, when all have ended */
	double within,
		gap; /* what was asked for; cycles from a block's end to the next one's start */
	uint64_t *dealt, n_dealt; /* waves */
	uint64_t *unlike,
		n_unlike; /* of these, dealt because nothing simulated was like them */
} Simulated;

/* Of the waves that have ended what says how long the others take: n of them, and their blocks' cycles, wave by wave. g_free. */
double *simulated_waves(const Simulated *simulated, uint64_t *waves, guint *n);
/* Half of the launch's interval if it takes so many cycles. */
double simulated_half_width(const Simulated *simulated, const Prediction *prediction,
			    double cycles);
/* The estimate, and the result's cycles, which were those of what was simulated. */
void simulated_estimate(const Simulated *simulated, SimResult *result, Estimate *estimate);

/* Runs the whole launch, as the reason says. */
SimStatus estimate_whole(const SimRequest *request, const char *why, SimResult *result,
			 Estimate *estimate);
/* Estimates a launch of few waves, which *why says, by a part of its loops, or runs it whole. */
SimStatus estimate_loops(const SimRequest *request, TraceReader *reader, const char *why,
			 SimResult *result, Estimate *estimate);

/* The run of a sample of a launch's waves: the first, some between, and the last with the blocks after it. */
typedef struct {
	const BlockLog *log;
	uint64_t n;		 /* blocks, in the order in which they ran */
	uint64_t wave_blocks;	 /* of a wave */
	uint64_t waves, n_waves; /* that ran, and of the launch */
	uint64_t last;		 /* the last wave's first block, of those that ran */
	double end;		 /* of the run, in cycles */
	double *work;		 /* of each block that ran, more than 0 */
} SampleRun;

/* What a sample does where all places have blocks. */
typedef struct {
	double work_per_cycle;
	double differ; /* by chance: half of the interval with 95 % confidence, as a share */
	double drift;  /* from the first half of that time to the second, likewise */
} Rate;

/* places: blocks that run at a time. */
Rate rate_of(const SampleRun *run, uint64_t places);

/* Student's t of 0.975, by degrees of freedom, which need not be whole. */
double student_t(double degrees);

/* When the last block ends, each coming `gap` after the end of the one whose place it takes. *last_from: when the last one
   ends of those from block `from` on; NULL: nobody asks. */
double schedule_end(const double *cycles, uint64_t n_blocks, uint64_t n_places, double gap,
		    uint64_t from, double *last_from);

#endif
