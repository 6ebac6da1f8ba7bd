/* SPDX-License-Identifier: MIT */
/*
 * How much a sample's run does per cycle where all places have blocks. That is what a launch's other waves are estimated by: how
 * long a block has its place is no measure, where warps that came first wait for others as long as there are any.
 */
#include <math.h>

#include "replay/estimate-internal.h"

#define MOST_PARTS 64 /* of the time: each is a pass over all blocks */

/* How much work the run does per cycle between two times, blocks doing theirs evenly. */
static double rate_between(const SampleRun *run, double from, double to)
{
	double done = 0;

	for (uint64_t i = 0; i < run->n; i++) {
		const double cycles = (double)block_log_cycles(run->log, i);
		const double start = (double)run->log->blocks[i].start;
		const double shared = MIN(start + cycles, to) - MAX(start, from);

		if (shared > 0)
			done += run->work[i] * shared / cycles;
	}
	return to > from ? done / (to - from) : 0;
}

static double mean_start(const SampleRun *run, uint64_t first)
{
	double sum = 0;

	for (uint64_t i = first; i < first + run->wave_blocks; i++)
		sum += (double)run->log->blocks[i].start;
	return sum / (double)run->wave_blocks;
}

/* Mean of parts, by how much they differ: half of the interval by successive differences, and the step from the first half to
   the second, as a drift may go on. */
static void compare_parts(const double *rates, guint n, double left_out, Rate *rate)
{
	const guint half = n / 2;
	double sum = 0, first = 0, second = 0;

	for (guint i = 1; i < n; i++)
		sum += (rates[i] - rates[i - 1]) * (rates[i] - rates[i - 1]);
	for (guint i = 0; i < half; i++) {
		first += rates[i] / half;
		second += rates[n - 1 - i] / half;
	}
	rate->differ = student_t(2.0 / 3 * (n - 1)) * sqrt(sum / 2 / (n - 1) / n * left_out) /
		       rate->work_per_cycle;
	rate->drift = fabs(second - first) / rate->work_per_cycle;
}

Rate rate_of(const SampleRun *run, uint64_t places)
{
	const double from = mean_start(run, MIN(places, run->last));
	const double to = mean_start(run, run->last);
	const guint n = (guint)MIN(run->waves - 2, MOST_PARTS);
	g_autofree double *rates = g_new(double, n);
	Rate rate = {.work_per_cycle = rate_between(run, from, to)};

	/* The machine has so many places that there is no time in which all have blocks but what ends the launch. */
	if (rate.work_per_cycle <= 0) {
		rate.work_per_cycle = rate_between(run, 0, run->end);
		rate.drift = 1;
		return rate;
	}
	for (guint i = 0; i < n; i++)
		rates[i] = rate_between(run, from + (to - from) * i / n,
					from + (to - from) * (i + 1) / n);
	compare_parts(rates, n, 1 - (double)run->waves / (double)run->n_waves, &rate);
	return rate;
}
