/* SPDX-License-Identifier: MIT */
/* The estimate of a launch of which the trace has some waves of blocks: all of these are simulated. */
#include <math.h>

#include "replay/estimate-internal.h"

/* Cycles of the waves that the trace lacks may be off by this share, beyond chance: they leave no lines in caches, and the first waves
   of a launch, which are a larger part of a sample, find fewer. Of 120 launches of programs of others all were within 12 % on two
   to eight times as many waves (docs/guide/within.md). */
#define METHOD_ERROR	 0.15
#define LEAST_HALF_WIDTH 0.02 /* of an interval, as a share of the cycles */
#define MOST_CYCLES                                                                            \
	0x1p53 /* that are added, or half of an interval, whatever the metadata say */
#define LEAST_ROUNDS                                                                           \
	3 /* of blocks that run at a time: of fewer, most are at the launch's begin or end */

static double wave_work(const SampleRun *run, const TraceSample *sample, uint64_t wave)
{
	return (double)(sample->work[wave].sum + run->wave_blocks);
}

/* A block's work is its records, and what ends it; where the metadata count more of a wave (events of a capture), its share of that.
   The blocks after the last wave are counted as those of that wave. */
static void read_work(SampleRun *run, RecordSource *source, TraceReader *reader,
		      const TraceSample *sample)
{
	double scale = 1;

	run->work = g_new(double, run->n);
	for (uint64_t first = 0; first < run->n; first += run->wave_blocks) {
		const uint64_t next = MIN(first + run->wave_blocks, run->n);
		double sum = 0;
		BlockInfo info;

		for (uint64_t i = first; i < next; i++) {
			uint64_t n_records = 0, bytes;

			/* A block that cannot be read has ended the run. */
			trace_block_size(reader, i, &n_records, &bytes);
			run->work[i] = (double)n_records + 1;
			sum += run->work[i];
		}
		source->block_info(source, first, &info);
		if (sample->work && info.block_id / run->wave_blocks < run->n_waves)
			scale = wave_work(run, sample, info.block_id / run->wave_blocks) / sum;
		for (uint64_t i = first; i < next; i++)
			run->work[i] *= scale;
	}
}

/* Work of all waves that the trace lacks. */
static double missing_work(const SampleRun *run, const TraceSample *sample)
{
	const uint64_t n = run->waves * run->wave_blocks;
	double all = 0, simulated = 0;

	for (uint64_t i = 0; i < n; i++)
		simulated += run->work[i];
	if (!sample->work)
		return simulated / (double)run->waves * (double)(run->n_waves - run->waves);
	for (uint64_t wave = 0; wave < run->n_waves; wave++)
		all += wave_work(run, sample, wave);
	return MAX(all - simulated, 0);
}

/* By so many cycles the longest block of the launch may take longer than those that were simulated: it may end the launch. */
static double longest_beyond(const SampleRun *run, const TraceSample *sample)
{
	double most = 0, simulated = 0, work = 0, cycles = 0;

	for (uint64_t i = 0; i < run->n; i++) {
		simulated = MAX(simulated, run->work[i]);
		work += run->work[i];
		cycles += (double)block_log_cycles(run->log, i);
	}
	for (uint64_t wave = 0; wave < run->n_waves && sample->work; wave++)
		most = MAX(most, (double)sample->work[wave].most + 1);
	return MAX(most - simulated, 0) * cycles / work;
}

/* By so much an earlier block ends after all of the last wave: it ran alone then. */
static double overhang(const SampleRun *run)
{
	double end = 0, last = 0;

	for (uint64_t i = 0; i < run->n; i++) {
		const double block_end =
			(double)(run->log->blocks[i].start + block_log_cycles(run->log, i));

		end = MAX(end, block_end);
		if (i >= run->last)
			last = MAX(last, block_end);
	}
	return end - last;
}

/* The estimate, and the result's cycles, which were those of the run. */
static void set_estimate(const SampleRun *run, const TraceSample *sample, uint64_t places,
			 SimResult *result, Estimate *estimate)
{
	const Rate rate = rate_of(run, places);
	const double missing =
		rate.work_per_cycle > 0
			? MIN(round(missing_work(run, sample) / rate.work_per_cycle),
			      MOST_CYCLES)
			: 0;
	/* What memory had to do still when the last block had ended, for each wave: requests that pile up hold up later ones. */
	const double piled_up =
		(double)(result->statistics.cycles - result->statistics.busy_cycles) *
		(double)(run->n_waves - run->waves) / (double)run->waves;
	const double chance = missing * hypot(hypot(METHOD_ERROR, rate.differ), rate.drift);
	double half = hypot(hypot(chance, piled_up),
			    hypot(longest_beyond(run, sample), overhang(run)));

	result->statistics.cycles += (uint64_t)missing;
	result->statistics.busy_cycles += (uint64_t)missing;
	half = MIN(half, MOST_CYCLES);
	half = MAX(half, floor(LEAST_HALF_WIDTH * (double)result->statistics.cycles));
	estimate->low = result->statistics.cycles - (uint64_t)MIN(ceil(half), missing);
	estimate->high = result->statistics.cycles + (uint64_t)ceil(half);
}

SimStatus estimate_sample(const SimRequest *request, TraceReader *reader,
			  const TraceSample *sample, double within, SimResult *result,
			  Estimate *estimate)
{
	const uint64_t n = request->source->n_blocks;
	const uint64_t rest = sample->blocks % sample->wave_blocks;
	const uint64_t places = MAX(sim_wave_blocks(request->machine, request->source), 1);
	g_autoptr(BlockLog) log = block_log_new(n);
	SampleRun run = {
		.log = log,
		.n = n,
		.wave_blocks = sample->wave_blocks,
		.waves = (n - rest) / sample->wave_blocks,
		.n_waves = sample->blocks / sample->wave_blocks,
		.last = n - rest - sample->wave_blocks,
	};
	SimRequest part = *request;
	SimStatus status;

	*estimate = (Estimate){.within = within,
			       .n_waves = run.n_waves,
			       .waves = run.waves,
			       .n_blocks = sample->blocks,
			       .blocks = n,
			       .is_sample = true};
	part.block_log = log;
	status = sim_run(&part, result);
	estimate->simulated_instructions = result->statistics.warp_instructions;
	run.end = (double)result->statistics.cycles;
	if (status == SIM_OK) {
		read_work(&run, request->source, reader, sample);
		set_estimate(&run, sample, places, result, estimate);
	}
	g_free(run.work);
	return status;
}

uint64_t estimate_sample_lacks(const Machine *machine, RecordSource *source)
{
	const uint64_t needed = LEAST_ROUNDS * sim_wave_blocks(machine, source);

	return needed - MIN(needed, source->n_blocks);
}
