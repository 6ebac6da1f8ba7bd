/* SPDX-License-Identifier: MIT */
/* What a launch takes of which some waves were simulated, and how sure that is. */
#include <math.h>

#include "replay/estimate-internal.h"

/* What the method may be off by beyond chance: a launch begins with all blocks in step, which is a larger part of few waves
   than of many. As shares of the cycles. */
#define METHOD_ERROR	   0.12 /* shared among the simulated waves */
#define LEAST_METHOD_ERROR 0.4	/* of what was asked for */
#define LEAST_HALF_WIDTH                                                                       \
	0.02 /* of an interval, if no less was asked for: the method was off by as much */

/* Of the waves dealt so far, `unlike` ones or not, those whose blocks have all ended: their cycles, wave by wave. g_free. */
static double *ended_waves(const Simulated *simulated, bool unlike, uint64_t *waves, guint *n)
{
	const Plan *plan = simulated->plan;
	const uint64_t size = plan->wave_blocks, first = plan->first * size;
	double *cycles = g_new(double, MAX(simulated->n_dealt, 1) * size);

	*n = 0;
	for (uint64_t k = 0; k < simulated->n_dealt; k++) {
		bool all = unlike || !wave_is_in(simulated->dealt[k], simulated->unlike,
						 simulated->n_unlike);

		for (uint64_t i = 0; i < size && all; i++) {
			const Cycle c = block_log_cycles(simulated->log, first + k * size + i);

			cycles[*n * size + i] = (double)c;
			all = c > 0;
		}
		if (all)
			waves[(*n)++] = simulated->dealt[k];
	}
	return cycles;
}

/* Of the waves that have ended what says how long the others take: waves that are like no other say only how long they take
   themselves, if all others are like some. g_free. */
double *simulated_waves(const Simulated *simulated, uint64_t *waves, guint *n)
{
	const Plan *plan = simulated->plan;
	double *cycles = ended_waves(simulated, false, waves, n);

	if (plan_find_unlike(plan, waves, *n, simulated->unlike, simulated->n_unlike) ==
	    plan->last)
		return cycles;
	g_free(cycles);
	return ended_waves(simulated, true, waves, n);
}

/* Half of the launch's interval, of so many cycles, if it takes so many: that of the waves that were left out, and what is due to the
   method. */
double simulated_half_width(const Simulated *simulated, const Prediction *prediction,
			    double cycles)
{
	const Plan *plan = simulated->plan;
	const uint64_t n_simulated =
		simulated->n_dealt + plan->n_waves - (plan->last - plan->first);

	return hypot(prediction->half_width,
		     cycles * MAX(LEAST_METHOD_ERROR * simulated->within,
				  METHOD_ERROR / (double)n_simulated));
}

/* Cycles that the run lacks. *overhang: by so much an earlier block ends after all of the last ones, there or in what was simulated:
   it ran alone, or will. */
static double missing_cycles(const Simulated *simulated, const Prediction *prediction,
			     const uint64_t *waves, const double *cycles, double *overhang)
{
	const Plan *plan = simulated->plan;
	const uint64_t size = plan->wave_blocks;
	const uint64_t n = simulated->n_ran;
	const double gap = simulated->gap;
	g_autofree double *all = g_new0(double, plan->n_blocks);
	g_autofree double *some = g_new(double, n);
	double end, part_end, last, part_last;

	for (uint64_t i = 0; i < n; i++)
		all[simulated->order[i]] = some[i] =
			(double)block_log_cycles(simulated->log, i);
	for (uint64_t wave = plan->first; wave < plan->last; wave++)
		if (all[wave * size] == 0)
			predict_blocks(plan, prediction, wave, waves[prediction->like[wave]],
				       &cycles[prediction->like[wave] * size],
				       &all[wave * size]);
	end = schedule_end(all, plan->n_blocks, plan->wave_blocks, gap, plan->last * size,
			   &last);
	part_end = schedule_end(some, n, plan->wave_blocks, gap,
				n - (plan->n_blocks - plan->last * size), &part_last);
	*overhang = MAX(end - last, part_end - part_last);
	return end - part_end;
}

/* Half of the interval is wider by what is not steady: the end of the launch, and the memory if requests pile up in it, which the
   simulated waves did not wait for yet, but those that were left out would have. */
static double unsteady(const Estimate *estimate, const Statistics *statistics, double overhang)
{
	const double piled_up = (double)(statistics->cycles - statistics->busy_cycles);
	const double left_out = (double)(estimate->n_waves - estimate->waves);

	return hypot(overhang, piled_up * left_out / (double)estimate->waves);
}

void simulated_estimate(const Simulated *simulated, SimResult *result, Estimate *estimate)
{
	const Plan *plan = simulated->plan;
	g_autofree uint64_t *waves = g_new(uint64_t, simulated->n_dealt);
	g_autofree double *cycles = NULL;
	Prediction prediction;
	double missing, half, overhang, wider;
	guint n;

	cycles = simulated_waves(simulated, waves, &n);
	predict(plan, waves, n, 0, cycles, &prediction);
	missing =
		MAX(round(missing_cycles(simulated, &prediction, waves, cycles, &overhang)), 0);
	estimate->waves = simulated->n_dealt + plan->n_waves - (plan->last - plan->first);
	estimate->blocks = simulated->n_ran;
	estimate->simulated_instructions = result->statistics.warp_instructions;
	wider = unsteady(estimate, &result->statistics, overhang);
	result->statistics.cycles += (uint64_t)missing;
	result->statistics.busy_cycles += (uint64_t)missing;
	half = MAX(hypot(simulated_half_width(simulated, &prediction,
					      (double)result->statistics.cycles),
			 wider),
		   floor(MIN(simulated->within, LEAST_HALF_WIDTH) *
			 (double)result->statistics.cycles));
	estimate->low = result->statistics.cycles - (uint64_t)MIN(ceil(half), missing);
	estimate->high = result->statistics.cycles + (uint64_t)ceil(half);
	prediction_clear(&prediction);
}
