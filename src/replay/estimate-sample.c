/* SPDX-License-Identifier: MIT */
/* The estimate of a launch of which the trace has some waves of blocks: all of these are simulated. */
#include "replay/estimate-internal.h"

#define USUAL_WITHIN 0.05 /* where nothing was asked for */
#define LEAST_ROUNDS                                                                           \
	3 /* of blocks that run at a time: of fewer, most are at the launch's begin or end */

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
		.within = within > 0 ? within : USUAL_WITHIN,
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
