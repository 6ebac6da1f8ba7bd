/* SPDX-License-Identifier: MIT */
/* The estimate of a launch of which the trace has some waves of blocks: all of these are simulated. */
#include "replay/estimate-internal.h"

/* The method may be off as where so much was asked for: 12 %. What differs cannot be simulated, too, and requests that pile up in the
   course of a launch are missed: of 14 captured programs of others five were 8 to 11 % too low (docs/guide/within.md). */
#define METHOD_WITHIN 0.3
#define LEAST_ROUNDS                                                                           \
	3 /* of blocks that run at a time: of fewer, most are at the launch's begin or end */

/* What the trace says of all waves; of a block no more than of its wave. */
static void read_work(Plan *plan, const TraceWork *work)
{
	const int f = FEATURE_RECORDS;

	plan->features[f] = g_new0(double, plan->n_blocks);
	plan->wave_features[f] = g_new(double, plan->n_waves);
	plan->least[f] = g_new(double, plan->n_waves);
	plan->most[f] = g_new(double, plan->n_waves);
	for (uint64_t wave = 0; wave < plan->n_waves; wave++) {
		plan->wave_features[f][wave] =
			(double)work[wave].sum / (double)plan->wave_blocks;
		plan->least[f][wave] = (double)work[wave].least;
		plan->most[f][wave] = (double)work[wave].most;
		for (uint64_t i = 0; i < plan->wave_blocks; i++)
			plan->features[f][wave * plan->wave_blocks + i] =
				plan->wave_features[f][wave];
	}
}

/* The plan, and the blocks of the launch that the trace has. */
static Plan *plan_sample(const SimRequest *request, const TraceSample *sample, uint64_t *order,
			 uint64_t *waves, uint64_t *n_between)
{
	Plan *plan = g_new0(Plan, 1);
	BlockInfo info;

	plan->n_blocks = sample->blocks;
	plan->wave_blocks = sample->wave_blocks;
	plan->n_waves = plan->n_blocks / plan->wave_blocks;
	plan->places = MAX(sim_wave_blocks(request->machine, request->source), 1);
	plan->first = 1;
	plan->last = plan->n_waves - 1;
	if (sample->work)
		read_work(plan, sample->work);
	*n_between = 0;
	for (uint64_t i = 0; i < request->source->n_blocks; i++) {
		uint64_t wave;

		request->source->block_info(request->source, i, &info);
		order[i] = info.block_id;
		wave = order[i] / plan->wave_blocks;
		if (order[i] % plan->wave_blocks == 0 && wave >= plan->first &&
		    wave < plan->last)
			waves[(*n_between)++] = wave;
	}
	return plan;
}

SimStatus estimate_sample(const SimRequest *request, const TraceSample *sample, double within,
			  SimResult *result, Estimate *estimate)
{
	const uint64_t n = request->source->n_blocks;
	g_autofree uint64_t *order = g_new(uint64_t, n), *waves = g_new(uint64_t, n);
	g_autoptr(BlockLog) log = block_log_new(n);
	Simulated simulated = {
		.log = log,
		.order = order,
		.n_ran = n,
		.within = METHOD_WITHIN,
		.gap = request->machine->sm.dispatch_cycles,
		.dealt = waves,
	};
	g_autoptr(Plan) plan = plan_sample(request, sample, order, waves, &simulated.n_dealt);
	SimRequest part = *request;
	SimStatus status;

	*estimate = (Estimate){.within = within,
			       .n_waves = plan->n_waves,
			       .n_blocks = plan->n_blocks,
			       .is_sample = true};
	simulated.plan = plan;
	part.block_log = log;
	status = sim_run(&part, result);
	if (status == SIM_OK)
		simulated_estimate(&simulated, result, estimate);
	return status;
}

uint64_t estimate_sample_lacks(const Machine *machine, RecordSource *source)
{
	const uint64_t needed = LEAST_ROUNDS * sim_wave_blocks(machine, source);

	return needed - MIN(needed, source->n_blocks);
}
