/* SPDX-License-Identifier: MIT */
/* Which waves of a launch are simulated, and in which order, known before any of them is. */
#include <math.h>

#include "replay/estimate-internal.h"

#define FIRST_WAVES   1 /* the launch begins: all blocks at once, nothing in the first caches */
#define LAST_WAVES    1 /* and what is left behind them: the launch ends, SM by SM */
#define LEAST_BETWEEN 14 /* waves: of fewer none is left out that would be worth it */
#define PASS_WAVES                                                                             \
	4 /* so many waves go over all of the launch, then as many that lie between these */

/* SplitMix64's finalizer: what the seed says, spread. */
static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* The bits of a whole number behind the point, lowest first: 1/2, 1/4, 3/4, 1/8, ... */
static double van_der_corput(uint64_t i)
{
	double sum = 0, share = 0.5;

	for (; i; i >>= 1, share /= 2)
		sum += i & 1 ? share : 0;
	return sum;
}

/* Pass by pass, each from the first wave to the last. */
static void order_between(Plan *plan, uint64_t seed)
{
	const uint64_t n = plan->last - plan->first;
	const double begin = (double)(mix(seed + 1) >> 11) * 0x1p-53;
	g_autofree bool *taken = g_new0(bool, n);
	uint64_t k = 0;

	plan->between = g_new(uint64_t, n);
	for (uint64_t pass = 0; k < n; pass++) {
		double offset = begin + van_der_corput(pass);

		offset -= offset >= 1 ? 1 : 0;
		for (uint64_t i = 0; i < PASS_WAVES; i++) {
			const uint64_t wave =
				(uint64_t)(((double)i + offset) / PASS_WAVES * (double)n);

			if (taken[MIN(wave, n - 1)])
				continue;
			taken[MIN(wave, n - 1)] = true;
			plan->between[k++] = plan->first + MIN(wave, n - 1);
		}
	}
}

static void add_to_wave(Plan *plan, int f, uint64_t wave, double feature, bool is_first)
{
	double *least = &plan->least[f][wave], *most = &plan->most[f][wave];

	plan->wave_features[f][wave] += feature / (double)plan->wave_blocks;
	*least = is_first ? feature : MIN(*least, feature);
	*most = is_first ? feature : MAX(*most, feature);
}

/* Means of waves, and that all blocks are of one shape. */
static const char *read_features(Plan *plan, RecordSource *source, TraceReader *reader)
{
	BlockInfo shape, info;

	source->block_info(source, 0, &shape);
	for (int f = FEATURE_NONE + 1; f < N_FEATURES; f++) {
		plan->features[f] = g_new0(double, plan->n_blocks);
		plan->wave_features[f] = g_new0(double, plan->n_waves);
		plan->least[f] = g_new0(double, plan->n_waves);
		plan->most[f] = g_new0(double, plan->n_waves);
	}
	for (uint64_t block = 0; block < plan->n_blocks; block++) {
		const uint64_t wave = block / plan->wave_blocks;
		uint64_t n_records, stored_bytes;

		source->block_info(source, block, &info);
		if (info.n_warps != shape.n_warps || info.shared_bytes != shape.shared_bytes)
			return "its blocks are not all of one shape";
		if (!trace_block_size(reader, block, &n_records, &stored_bytes))
			return "a block cannot be read";
		plan->features[FEATURE_RECORDS][block] = (double)n_records;
		plan->features[FEATURE_STORED_BYTES][block] = (double)stored_bytes;
		for (int f = FEATURE_NONE + 1; f < N_FEATURES && wave < plan->n_waves; f++)
			add_to_wave(plan, f, wave, plan->features[f][block],
				    block % plan->wave_blocks == 0);
	}
	return NULL;
}

#define BEYOND_MEAN  1.05 /* a wave's mean may be so much beyond those of others, */
#define BEYOND_BLOCK 1.5  /* a block of it may be */

bool wave_is_in(uint64_t wave, const uint64_t *waves, uint64_t n)
{
	for (uint64_t k = 0; k < n; k++)
		if (waves[k] == wave)
			return true;
	return false;
}

/* Whether the mean of a wave's feature is beyond those of others; and whether it or one of its blocks' is. */
static bool is_beyond(const Plan *plan, int f, uint64_t wave, const uint64_t *waves, uint64_t n)
{
	const double *mean = plan->wave_features[f];
	double low = INFINITY, high = 0;

	for (uint64_t k = 0; k < n; k++) {
		low = MIN(low, mean[waves[k]]);
		high = MAX(high, mean[waves[k]]);
	}
	return mean[wave] > high * BEYOND_MEAN || mean[wave] * BEYOND_MEAN < low;
}

static bool is_unlike(const Plan *plan, int f, uint64_t wave, const uint64_t *waves, uint64_t n)
{
	double least = INFINITY, most = 0;

	for (uint64_t k = 0; k < n; k++) {
		least = MIN(least, plan->least[f][waves[k]]);
		most = MAX(most, plan->most[f][waves[k]]);
	}
	return is_beyond(plan, f, wave, waves, n) ||
	       plan->most[f][wave] > most * BEYOND_BLOCK ||
	       plan->least[f][wave] * BEYOND_BLOCK < least;
}

uint64_t plan_find_unlike(const Plan *plan, const uint64_t *waves, uint64_t n,
			  const uint64_t *others, uint64_t n_others)
{
	for (uint64_t wave = plan->first; wave < plan->last; wave++) {
		bool unlike = false;

		for (int f = FEATURE_NONE + 1; f < N_FEATURES && plan->features[f] && !unlike;
		     f++)
			unlike = is_unlike(plan, f, wave, waves, n);
		if (unlike && !wave_is_in(wave, waves, n) &&
		    !wave_is_in(wave, others, n_others))
			return wave;
	}
	return plan->last;
}

Plan *plan_new(const SimRequest *request, TraceReader *reader, const char **why)
{
	g_autoptr(Plan) plan = g_new0(Plan, 1);

	plan->n_blocks = request->source->n_blocks;
	plan->wave_blocks = MAX(sim_wave_blocks(request->machine, request->source), 1);
	plan->n_waves = plan->n_blocks / plan->wave_blocks;
	*why = "it has few waves of blocks";
	if (plan->n_waves < FIRST_WAVES + LEAST_BETWEEN + LAST_WAVES)
		return NULL;
	plan->first = FIRST_WAVES;
	plan->last = plan->n_waves - LAST_WAVES;
	*why = read_features(plan, request->source, reader);
	if (*why)
		return NULL;
	order_between(plan, request->seed);
	return g_steal_pointer(&plan);
}

void plan_free(Plan *plan)
{
	for (int f = 0; f < N_FEATURES; f++) {
		g_free(plan->features[f]);
		g_free(plan->wave_features[f]);
		g_free(plan->least[f]);
		g_free(plan->most[f]);
	}
	g_free(plan->between);
	g_free(plan);
}
