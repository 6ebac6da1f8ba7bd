/* SPDX-License-Identifier: MIT */
/*
 * One run of a sample of the launch's waves: the first ones, waves from all over the launch until that is enough, the last
 * ones. What the waves take that were left out is added by putting all blocks, each with its time or the predicted one, where there
 * is room, and likewise those that were simulated: the difference is what the run lacks.
 */
#include "replay/estimate.h"

#include <math.h>

#include "replay/estimate-internal.h"

#define SURE_SHARE  0.9	 /* the interval that is expected may have of that which is asked for */
#define LEAST_WAVES 3	 /* that are looked at before the first answer */
#define MOST_SHARE  0.34 /* of the waves: where more would be needed, all are simulated */

typedef struct {
	const SimRequest *request;
	Sample *sample;
	Simulated done;
	uint64_t
		n_planned; /* of plan->between: those behind are not dealt yet, or were as unlike others */
	bool enough, gave_up;
} Dealer;

/* What of the launch is left out will be known well enough when the waves under way have ended. */
static bool is_enough(const Dealer *dealer)
{
	const guint n_planned = (guint)(dealer->done.n_dealt - dealer->done.n_unlike);
	g_autofree uint64_t *waves = g_new(uint64_t, MAX(dealer->done.n_dealt, 1));
	g_autofree double *cycles = NULL;
	Prediction prediction;
	bool enough;
	guint n;

	cycles = simulated_waves(&dealer->done, waves, &n);
	if (n < LEAST_WAVES)
		return false;
	predict(dealer->done.plan, waves, n, MAX(n_planned, n) - n, cycles, &prediction);
	enough = simulated_half_width(&dealer->done, &prediction, prediction.sum) <=
		 SURE_SHARE * dealer->done.within * prediction.sum;
	prediction_clear(&prediction);
	return enough;
}

/* The next wave; *unlike: it is like none that was dealt. */
static uint64_t next_wave(Dealer *dealer, bool enough)
{
	const Plan *plan = dealer->done.plan;
	uint64_t unlike = plan->last;

	if (dealer->done.n_dealt >= LEAST_WAVES)
		unlike = plan_find_unlike(plan, dealer->done.dealt, dealer->done.n_dealt, NULL,
					  0);
	if (unlike < plan->last) {
		dealer->done.unlike[dealer->done.n_unlike++] = unlike;
		return unlike;
	}
	if (enough)
		return plan->last;
	while (wave_is_in(plan->between[dealer->n_planned], dealer->done.unlike,
			  dealer->done.n_unlike))
		dealer->n_planned++;
	return plan->between[dealer->n_planned++];
}

/* Behind what was dealt so far comes another wave, or what ends the launch. */
static void deal(Dealer *dealer, uint64_t block)
{
	const Plan *plan = dealer->done.plan;
	const uint64_t size = plan->wave_blocks;
	uint64_t *order = &dealer->sample->order[block], wave;

	dealer->gave_up = (double)dealer->done.n_dealt >= MOST_SHARE * (double)plan->n_waves &&
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
		dealer->done.dealt[dealer->done.n_dealt++] = wave;
	}
}

static void before_block(void *data, uint64_t block)
{
	Dealer *dealer = data;
	const Plan *plan = dealer->done.plan;

	if (!dealer->enough && !dealer->gave_up &&
	    block == (plan->first + dealer->done.n_dealt) * plan->wave_blocks)
		deal(dealer, block);
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
	Dealer dealer = {.request = request};
	SimStatus status;

	*estimate = (Estimate){.within = within};
	plan = plan_new(request, reader, &why);
	if (!plan)
		return estimate_loops(request, reader, why, result, estimate);
	estimate->n_waves = plan->n_waves;
	estimate->n_blocks = plan->n_blocks;
	log = block_log_new(plan->n_blocks);
	dealer.sample = sample_new(request->source);
	dealer.done = (Simulated){
		.plan = plan,
		.log = log,
		.order = dealer.sample->order,
		.within = within,
		.gap = request->machine->sm.dispatch_cycles,
	};
	dealer.done.dealt = g_new(uint64_t, plan->n_waves);
	dealer.done.unlike = g_new(uint64_t, plan->n_waves);
	part.source = &dealer.sample->source;
	part.block_log = log;
	part.before_block = before_block;
	part.before_block_data = &dealer;
	status = sim_run(&part, result);
	dealer.done.n_ran = dealer.sample->source.n_blocks;
	if (status == SIM_OK && dealer.enough)
		simulated_estimate(&dealer.done, result, estimate);
	if (status != SIM_INTERRUPTED &&
	    (status != SIM_OK || !dealer.enough || !is_sure(result, estimate))) {
		estimate->simulated_instructions = result->statistics.warp_instructions;
		status = estimate_whole(request,
					status == SIM_OK ? "its waves differ too much"
							 : "a part of it comes to no end",
					result, estimate);
	}
	sample_free(dealer.sample);
	g_free(dealer.done.dealt);
	g_free(dealer.done.unlike);
	return status;
}
