/* SPDX-License-Identifier: MIT */
/*
 * One run of a sample of the launch's waves: the first ones, waves from all over the launch until that is enough, the last
 * ones. What the waves take that were left out is added by putting all blocks, each with its time or the predicted one, where there
 * is room, and likewise those that were simulated: the difference is what the run lacks.
 */
#include "replay/estimate.h"

#include <math.h>

#include "replay/estimate-internal.h"

/* What the method may be off by beyond chance: a launch begins with all blocks in step, which is a larger part of few waves
   than of many. As shares of the cycles. */
#define METHOD_ERROR	   0.12 /* shared among the simulated waves */
#define LEAST_METHOD_ERROR 0.4	/* of what was asked for */
#define SURE_SHARE	   0.9 /* the interval that is expected may have of that which is asked for */
#define LEAST_HALF_WIDTH                                                                       \
	0.02 /* of an interval, if no less was asked for: the method was off by as much */
#define LEAST_WAVES 3	 /* that are looked at before the first answer */
#define MOST_SHARE  0.34 /* of the waves: where more would be needed, all are simulated */

typedef struct {
	const SimRequest *request;
	const Plan *plan;
	Sample *sample;
	BlockLog *log;
	double within;
	/* Waves between the first and the last ones in the order in which they were dealt. */
	uint64_t *dealt, n_dealt;
	uint64_t
		n_planned; /* of plan->between: those behind are not dealt yet, or were as unlike others */
	uint64_t *unlike, n_unlike; /* dealt because nothing simulated was like them */
	bool enough, gave_up;
} Dealer;

static bool is_unlike(const Dealer *dealer, uint64_t wave)
{
	for (uint64_t k = 0; k < dealer->n_unlike; k++)
		if (dealer->unlike[k] == wave)
			return true;
	return false;
}

/* Of the waves dealt so far, `unlike` ones or not, those whose blocks have all ended: their cycles, wave by wave. g_free. */
static double *ended_waves(const Dealer *dealer, bool unlike, uint64_t *waves, guint *n)
{
	const Plan *plan = dealer->plan;
	const uint64_t size = plan->wave_blocks, first = plan->first * size;
	double *cycles = g_new(double, MAX(dealer->n_dealt, 1) * size);

	*n = 0;
	for (uint64_t k = 0; k < dealer->n_dealt; k++) {
		bool all = unlike || !is_unlike(dealer, dealer->dealt[k]);

		for (uint64_t i = 0; i < size && all; i++) {
			const Cycle c = block_log_cycles(dealer->log, first + k * size + i);

			cycles[*n * size + i] = (double)c;
			all = c > 0;
		}
		if (all)
			waves[(*n)++] = dealer->dealt[k];
	}
	return cycles;
}

/* Of the waves that have ended what says how long the others take: waves that are like no other say only how long they take
   themselves, if all others are like some. g_free. */
static double *telling_waves(const Dealer *dealer, uint64_t *waves, guint *n)
{
	const Plan *plan = dealer->plan;
	double *cycles = ended_waves(dealer, false, waves, n);

	if (plan_find_unlike(plan, waves, *n, dealer->unlike, dealer->n_unlike) == plan->last)
		return cycles;
	g_free(cycles);
	return ended_waves(dealer, true, waves, n);
}

/* Half of the launch's interval, of so many cycles, if it takes so many: that of the waves that were left out, and what is due to the
   method. */
static double half_width(const Dealer *dealer, const Prediction *prediction, double cycles)
{
	const Plan *plan = dealer->plan;
	const uint64_t n_simulated =
		dealer->n_dealt + plan->n_waves - (plan->last - plan->first);

	return hypot(prediction->half_width, cycles * MAX(LEAST_METHOD_ERROR * dealer->within,
							  METHOD_ERROR / (double)n_simulated));
}

/* What of the launch is left out will be known well enough when the waves under way have ended. */
static bool is_enough(const Dealer *dealer)
{
	const guint n_planned = (guint)(dealer->n_dealt - dealer->n_unlike);
	g_autofree uint64_t *waves = g_new(uint64_t, MAX(dealer->n_dealt, 1));
	g_autofree double *cycles = NULL;
	Prediction prediction;
	bool enough;
	guint n;

	cycles = telling_waves(dealer, waves, &n);
	if (n < LEAST_WAVES)
		return false;
	predict(dealer->plan, waves, n, MAX(n_planned, n) - n, cycles, &prediction);
	enough = half_width(dealer, &prediction, prediction.sum) <=
		 SURE_SHARE * dealer->within * prediction.sum;
	prediction_clear(&prediction);
	return enough;
}

/* The next wave; *unlike: it is like none that was dealt. */
static uint64_t next_wave(Dealer *dealer, bool enough)
{
	const Plan *plan = dealer->plan;
	uint64_t unlike = plan->last;

	if (dealer->n_dealt >= LEAST_WAVES)
		unlike = plan_find_unlike(plan, dealer->dealt, dealer->n_dealt, NULL, 0);
	if (unlike < plan->last) {
		dealer->unlike[dealer->n_unlike++] = unlike;
		return unlike;
	}
	if (enough)
		return plan->last;
	while (is_unlike(dealer, plan->between[dealer->n_planned]))
		dealer->n_planned++;
	return plan->between[dealer->n_planned++];
}

/* Behind what was dealt so far comes another wave, or what ends the launch. */
static void deal(Dealer *dealer, uint64_t block)
{
	const Plan *plan = dealer->plan;
	const uint64_t size = plan->wave_blocks;
	uint64_t *order = &dealer->sample->order[block], wave;

	dealer->gave_up = (double)dealer->n_dealt >= MOST_SHARE * (double)plan->n_waves &&
			  !is_enough(dealer);
	if (dealer->gave_up) {
		dealer->sample->source.n_blocks = block;
		return;
	}
	wave = next_wave(dealer, is_enough(dealer));
	dealer->enough = wave == plan->last;
	if (dealer->enough) {
		for (uint64_t i = plan->last * size; i < plan->n_blocks; i++)
			*order++ = i;
		dealer->sample->source.n_blocks = block + plan->n_blocks - plan->last * size;
	} else {
		for (uint64_t i = 0; i < size; i++)
			order[i] = wave * size + i;
		dealer->dealt[dealer->n_dealt++] = wave;
	}
}

static void before_block(void *data, uint64_t block)
{
	Dealer *dealer = data;
	const Plan *plan = dealer->plan;

	if (!dealer->enough && !dealer->gave_up &&
	    block == (plan->first + dealer->n_dealt) * plan->wave_blocks)
		deal(dealer, block);
}

/* Cycles that the run lacks. *overhang: by so much an earlier block ends after all of the last ones, there or in what was simulated:
   it ran alone, or will. */
static double missing_cycles(const Dealer *dealer, const Prediction *prediction,
			     const uint64_t *waves, const double *cycles, double *overhang)
{
	const Plan *plan = dealer->plan;
	const Sample *sample = dealer->sample;
	const uint64_t size = plan->wave_blocks;
	const uint64_t n = sample->source.n_blocks;
	const double gap = dealer->request->machine->sm.dispatch_cycles;
	g_autofree double *all = g_new0(double, plan->n_blocks);
	g_autofree double *some = g_new(double, n);
	double end, simulated, last, last_simulated;

	for (uint64_t i = 0; i < n; i++)
		all[sample->order[i]] = some[i] = (double)block_log_cycles(dealer->log, i);
	for (uint64_t wave = plan->first; wave < plan->last; wave++)
		if (all[wave * size] == 0)
			predict_blocks(plan, prediction, wave, waves[prediction->like[wave]],
				       &cycles[prediction->like[wave] * size],
				       &all[wave * size]);
	end = schedule_end(all, plan->n_blocks, size, gap, plan->last * size, &last);
	simulated = schedule_end(some, n, size, gap, n - (plan->n_blocks - plan->last * size),
				 &last_simulated);
	*overhang = MAX(end - last, simulated - last_simulated);
	return end - simulated;
}

/* Half of the interval is wider by what is not steady: the end of the launch, and the memory if requests pile up in it, which the
   simulated waves did not wait for yet, but those that were left out would have. */
static double unsteady(const Estimate *estimate, const Statistics *simulated, double overhang)
{
	const double piled_up = (double)(simulated->cycles - simulated->busy_cycles);
	const double left_out = (double)(estimate->n_waves - estimate->waves);

	return hypot(overhang, piled_up * left_out / (double)estimate->waves);
}

static void fill_in(const Dealer *dealer, SimResult *result, Estimate *estimate)
{
	const Plan *plan = dealer->plan;
	g_autofree uint64_t *waves = g_new(uint64_t, dealer->n_dealt);
	g_autofree double *cycles = NULL;
	Prediction prediction;
	double missing, half, overhang, wider;
	guint n;

	cycles = telling_waves(dealer, waves, &n);
	predict(plan, waves, n, 0, cycles, &prediction);
	missing = MAX(round(missing_cycles(dealer, &prediction, waves, cycles, &overhang)), 0);
	estimate->waves = dealer->n_dealt + plan->n_waves - (plan->last - plan->first);
	estimate->blocks = dealer->sample->source.n_blocks;
	estimate->simulated_instructions = result->statistics.warp_instructions;
	wider = unsteady(estimate, &result->statistics, overhang);
	result->statistics.cycles += (uint64_t)missing;
	result->statistics.busy_cycles += (uint64_t)missing;
	half = MAX(hypot(half_width(dealer, &prediction, (double)result->statistics.cycles),
			 wider),
		   floor(MIN(dealer->within, LEAST_HALF_WIDTH) *
			 (double)result->statistics.cycles));
	estimate->low = result->statistics.cycles - (uint64_t)MIN(ceil(half), missing);
	estimate->high = result->statistics.cycles + (uint64_t)ceil(half);
	prediction_clear(&prediction);
}

static bool is_sure(const SimResult *result, const Estimate *estimate)
{
	const double cycles = (double)result->statistics.cycles;

	return (double)estimate->high - cycles <= estimate->within * cycles;
}

SimStatus estimate_run(const SimRequest *request, TraceReader *reader, double within,
		       SimResult *result, Estimate *estimate)
{
	const char *why;
	g_autoptr(Plan) plan = NULL;
	g_autoptr(BlockLog) log = NULL;
	SimRequest part = *request;
	Dealer dealer = {.request = request, .within = within};
	SimStatus status;

	*estimate = (Estimate){.within = within};
	plan = plan_new(request, reader, &why);
	if (!plan)
		return estimate_loops(request, reader, why, result, estimate);
	estimate->n_waves = plan->n_waves;
	log = block_log_new(plan->n_blocks);
	dealer.plan = plan;
	dealer.log = log;
	dealer.sample = sample_new(request->source);
	dealer.dealt = g_new(uint64_t, plan->n_waves);
	dealer.unlike = g_new(uint64_t, plan->n_waves);
	part.source = &dealer.sample->source;
	part.block_log = log;
	part.before_block = before_block;
	part.before_block_data = &dealer;
	status = sim_run(&part, result);
	if (status == SIM_OK && dealer.enough)
		fill_in(&dealer, result, estimate);
	if (status != SIM_INTERRUPTED &&
	    (status != SIM_OK || !dealer.enough || !is_sure(result, estimate))) {
		estimate->simulated_instructions = result->statistics.warp_instructions;
		status = estimate_whole(request,
					status == SIM_OK ? "its waves differ too much"
							 : "a part of it comes to no end",
					result, estimate);
	}
	sample_free(dealer.sample);
	g_free(dealer.dealt);
	g_free(dealer.unlike);
	return status;
}
