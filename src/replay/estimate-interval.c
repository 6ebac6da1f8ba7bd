/* SPDX-License-Identifier: MIT */
/*
 * What waves take that were not simulated, by those that were. A block's cycles are predicted by what the trace's directory
 * says of it, if that predicts anything (a regression over blocks); the ratio of a wave's cycles to the predicted ones
 * is taken to change evenly from one simulated wave to the next in the order of the launch. How sure that is, is said
 * by how much the ratio changes between neighbours (the variance of successive differences of a systematic sample:
 * Wolter, Introduction to Variance Estimation, chapter 8), with Student's t of one less than there are waves.
 */
#include <math.h>

#include "replay/estimate-internal.h"

#define MOST_ALIKE 0.8 /* correlation of waves that ran one after the other */
#define WORTH	   0.5 /* a feature is used that makes the variance less than this share */

typedef struct {
	uint64_t wave;
	guint place; /* in which they were simulated */
	double ratio;
} Sampled;

double student_t(double degrees)
{
	static const double t[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
				   2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120};
	const guint whole = (guint)degrees;

	if (degrees <= 1)
		return t[0];
	if (whole >= G_N_ELEMENTS(t))
		return 1.96 + 2.6 / degrees;
	return t[whole - 1] + (degrees - whole) * (t[whole] - t[whole - 1]);
}

static gint compare_waves(gconstpointer a, gconstpointer b)
{
	const Sampled *x = a, *y = b;

	return (x->wave > y->wave) - (x->wave < y->wave);
}

/* cycles = base + slope * feature, by least squares over the simulated blocks. */
static void regress(const Plan *plan, const uint64_t *waves, guint n, const double *cycles,
		    Prediction *line)
{
	const double *feature = plan->features[line->feature];
	const uint64_t size = plan->wave_blocks;
	double x = 0, y = 0, xx = 0, xy = 0;
	const double count = (double)(n * size);

	for (uint64_t i = 0; i < n * size; i++) {
		const double f = feature ? feature[waves[i / size] * size + i % size] : 0;

		x += f / count;
		y += cycles[i] / count;
	}
	for (uint64_t i = 0; i < n * size; i++) {
		const double f = feature ? feature[waves[i / size] * size + i % size] : 0;

		xx += (f - x) * (f - x);
		xy += (f - x) * (cycles[i] - y);
	}
	line->slope = xx > 1e-9 * count * x * x && xx > 0 ? MAX(xy / xx, 0) : 0;
	line->base = y - line->slope * x;
}

static double line_at(const Prediction *line, const double *feature, uint64_t i)
{
	return line->base + (feature ? line->slope * feature[i] : 0);
}

/* The simulated waves by their places in the launch. False: the line is none for all waves. */
static bool find_ratios(const Plan *plan, const uint64_t *waves, guint n, const double *cycles,
			const Prediction *line, Sampled *sampled)
{
	const double *feature = plan->wave_features[line->feature];
	const uint64_t size = plan->wave_blocks;

	for (uint64_t wave = plan->first; wave < plan->last; wave++)
		if (line_at(line, feature, wave) <= 0)
			return false;
	for (guint k = 0; k < n; k++) {
		double sum = 0;

		for (uint64_t i = 0; i < size; i++)
			sum += cycles[k * size + i];
		sampled[k] = (Sampled){waves[k], k,
				       sum / (double)size / line_at(line, feature, waves[k])};
	}
	qsort(sampled, n, sizeof *sampled, compare_waves);
	return true;
}

/* Blocks that differ are chance in a wave, too, however alike a few waves happen to be. */
static double variance_of_blocks(const Plan *plan, const uint64_t *waves, guint n,
				 const double *cycles, const Prediction *line)
{
	const uint64_t size = plan->wave_blocks;
	const double *feature = plan->features[line->feature];
	double sum = 0, mean = 0;

	for (uint64_t i = 0; i < n * size; i++) {
		const double left =
			cycles[i] - line_at(line, feature, waves[i / size] * size + i % size);

		sum += left * left;
		mean += cycles[i] / (double)(n * size);
	}
	return sum / (double)(n * size) / (double)size / (mean * mean);
}

static double variance_of_waves(const Sampled *sampled, guint n)
{
	double sum = 0;

	for (guint k = 1; k < n; k++)
		sum += (sampled[k].ratio - sampled[k - 1].ratio) *
		       (sampled[k].ratio - sampled[k - 1].ratio);
	return sum / 2 / (n - 1);
}

static gint compare_places(gconstpointer a, gconstpointer b)
{
	const Sampled *x = a, *y = b;

	return (x->place > y->place) - (x->place < y->place);
}

/* Waves that ran one after the other are alike: so much more variance has their mean than that of as many that are not (an
   autoregression of the first order, in the order in which they were simulated). */
static double dependence(const Sampled *sampled, guint n)
{
	g_autofree Sampled *ran = g_memdup2(sampled, n * sizeof *sampled);
	double mean = 0, squares = 0, products = 0, r;

	qsort(ran, n, sizeof *ran, compare_places);
	for (guint k = 0; k < n; k++)
		mean += ran[k].ratio / n;
	for (guint k = 0; k < n; k++) {
		squares += (ran[k].ratio - mean) * (ran[k].ratio - mean);
		if (k > 0)
			products += (ran[k].ratio - mean) * (ran[k - 1].ratio - mean);
	}
	r = squares > 0 ? CLAMP(products / squares, 0, MOST_ALIKE) : 0;
	return (1 + r) / (1 - r);
}

/* The ratio of a wave that lies between two simulated ones, or before or behind all of them. */
static double ratio_at(const Sampled *sampled, guint n, uint64_t wave, uint64_t *like)
{
	guint k = 0;
	double share;

	while (k < n && sampled[k].wave < wave)
		k++;
	if (k == 0 || k == n) {
		*like = sampled[k == 0 ? 0 : n - 1].place;
		return sampled[k == 0 ? 0 : n - 1].ratio;
	}
	share = (double)(wave - sampled[k - 1].wave) /
		(double)(sampled[k].wave - sampled[k - 1].wave);
	*like = sampled[share < 0.5 ? k - 1 : k].place;
	return sampled[k - 1].ratio + share * (sampled[k].ratio - sampled[k - 1].ratio);
}

/* Of the sum over all waves that are left out, n simulated ones standing for them: in squares of a wave's cycles. */
static double weight(const Plan *plan, guint n)
{
	const double all = (double)(plan->last - plan->first);

	return MAX(all - n, 0) * all / n;
}

/* The square of half of the interval of such a wave's ratio. */
static double interval(const Plan *plan, const uint64_t *waves, guint n, guint n_more,
		       const double *cycles, const Prediction *line, const Sampled *sampled)
{
	const double t = student_t(2.0 / 3 * (n + n_more - 1));
	const double of_waves = t * t * variance_of_waves(sampled, n) * dependence(sampled, n);
	const double of_blocks = 1.96 * 1.96 * variance_of_blocks(plan, waves, n, cycles, line);

	return MAX(of_waves, of_blocks);
}

static void predict_waves(const Plan *plan, const Sampled *sampled, guint n, guint n_more,
			  double squared, Prediction *prediction)
{
	const double *feature = plan->wave_features[prediction->feature];
	double mean = 0;

	prediction->wave_cycles = g_new0(double, plan->n_waves);
	prediction->like = g_new0(uint64_t, plan->n_waves);
	for (uint64_t wave = plan->first; wave < plan->last; wave++) {
		prediction->wave_cycles[wave] =
			line_at(prediction, feature, wave) *
			ratio_at(sampled, n, wave, &prediction->like[wave]);
		prediction->sum += prediction->wave_cycles[wave];
	}
	mean = prediction->sum / (double)(plan->last - plan->first);
	prediction->half_width = mean * sqrt(squared * weight(plan, n + n_more));
}

void predict(const Plan *plan, const uint64_t *waves, guint n, guint n_more,
	     const double *cycles, Prediction *prediction)
{
	g_autofree Sampled *best = g_new(Sampled, n), *sampled = g_new(Sampled, n);
	double least = INFINITY;

	*prediction = (Prediction){0};
	for (int f = FEATURE_NONE; f < N_FEATURES; f++) {
		Prediction line = {.feature = f};
		double squared;

		regress(plan, waves, n, cycles, &line);
		if ((f > 0 && line.slope <= 0) ||
		    !find_ratios(plan, waves, n, cycles, &line, sampled))
			continue;
		squared = interval(plan, waves, n, n_more, cycles, &line, sampled);
		if (f > 0 && squared >= WORTH * least)
			continue;
		least = squared;
		*prediction = line;
		memcpy(best, sampled, n * sizeof *best);
	}
	predict_waves(plan, best, n, n_more, least, prediction);
}

void prediction_clear(Prediction *prediction)
{
	g_clear_pointer(&prediction->wave_cycles, g_free);
	g_clear_pointer(&prediction->like, g_free);
}

/* A block's cycles by its feature alone, at least 1. */
static double prediction_of(const Prediction *prediction, double feature)
{
	return MAX(prediction->base + prediction->slope * feature, 1);
}

void predict_blocks(const Plan *plan, const Prediction *prediction, uint64_t wave,
		    uint64_t like, const double *like_cycles, double *cycles)
{
	const uint64_t size = plan->wave_blocks;
	const double *feature = plan->features[prediction->feature];
	double sum = 0;

	for (uint64_t i = 0; i < size; i++) {
		cycles[i] = like_cycles[i];
		if (feature)
			cycles[i] *= prediction_of(prediction, feature[wave * size + i]) /
				     prediction_of(prediction, feature[like * size + i]);
		sum += cycles[i];
	}
	for (uint64_t i = 0; i < size; i++)
		cycles[i] *= prediction->wave_cycles[wave] * (double)size / sum;
}
