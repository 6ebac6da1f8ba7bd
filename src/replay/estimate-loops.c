/* SPDX-License-Identifier: MIT */
/* The estimate of a launch of few waves: its loops in part, if all blocks run at a time; else all of it. */
#include <math.h>

#include "replay/estimate-internal.h"
#include "replay/loops.h"

SimStatus estimate_whole(const SimRequest *request, const char *why, SimResult *result,
			 Estimate *estimate)
{
	sim_run(request, result);
	estimate->whole = why;
	estimate->waves = estimate->n_waves;
	estimate->blocks = request->source->n_blocks;
	estimate->low = estimate->high = result->statistics.cycles;
	estimate->simulated_instructions += result->statistics.warp_instructions;
	return result->status;
}

SimStatus estimate_loops(const SimRequest *request, TraceReader *reader, const char *why,
			 SimResult *result, Estimate *estimate)
{
	g_autoptr(Loops) loops = NULL;
	Statistics *statistics = &result->statistics;
	Skipped skipped;
	double half;

	if (request->source->n_blocks <= sim_wave_blocks(request->machine, request->source))
		loops = loops_new(request, reader, estimate->within, &why);
	if (!loops)
		return estimate_whole(request, why, result, estimate);
	if (loops_run(loops, result, &skipped) == SIM_INTERRUPTED)
		return SIM_INTERRUPTED;
	estimate->simulated_instructions = statistics->warp_instructions;
	if (result->status != SIM_OK)
		return estimate_whole(request, "a part of it comes to no end", result,
				      estimate);
	if (skipped.records == 0) {
		estimate->whole = "it has few waves of blocks, and no loop of known time";
		estimate->blocks = request->source->n_blocks;
		estimate->low = estimate->high = statistics->cycles;
		return SIM_OK;
	}
	estimate->records = trace_n_records(reader);
	estimate->records_skipped = skipped.records;
	estimate->blocks = request->source->n_blocks;
	statistics->cycles += (uint64_t)round(skipped.cycles);
	statistics->busy_cycles += (uint64_t)round(skipped.cycles);
	half = ceil(skipped.half_width);
	estimate->low = statistics->cycles - (uint64_t)MIN(half, skipped.cycles);
	estimate->high = statistics->cycles + (uint64_t)half;
	return SIM_OK;
}
