/* SPDX-License-Identifier: MIT */
/*
 * When the time that a batch takes is known. Batch means (Law, Simulation Modeling and Analysis, chapter 9): the first third of the
 * batches that are there is left out, as all begin in step; the others vary by chance, in pairs, too, as one batch says something of
 * the next. What they drift by from their first half to their second is added, for it may go on. The batches that follow count as long
 * as what their records ask for is within what the measured ones ask for.
 */
#include <math.h>

#include "replay/estimate-internal.h"
#include "replay/loops-internal.h"

#define LEAST_LOOKED  9	   /* marks of a phase when it is looked at first */
#define WARM_UP	      3	   /* of so many marks the first is not counted */
#define LEAST_SKIPPED 6	   /* batches: fewer are not worth it */
#define BEYOND	      1.05 /* what a batch asks for may be so much beyond the measured ones */
#define MEANS_DIFFER  0.5  /* of what was asked: by so much all skipped ones may on average */
#define SURE_SHARE    0.9  /* of what was asked: the interval may have so much */

static double records_of(const Progress *sm, uint32_t from, uint32_t to)
{
	double sum = 0;

	for (uint32_t q = from; q < to; q++)
		for (uint32_t k = 0; k < N_RECORD_KINDS; k++)
			sum += sm->batches[q][k];
	return sum;
}

/* loops_rate of all SMs, each as much as another. */
static double rate_of_all(const Group *group, uint32_t from, uint32_t to)
{
	double sum = 0;

	for (uint32_t i = 0; i < group->n_sms; i++)
		if (group->sms[i].n_left > 0)
			sum += loops_rate(&group->sms[i], from, to);
	return sum;
}

/* Of the mean of the measured marks, taken `size` at a time. */
static double variance_of_mean(const Group *group, uint32_t size, double mean)
{
	const uint32_t n = group->n_measured / size;
	double sum = 0;

	for (uint32_t i = 0; i < n; i++) {
		const double rate = rate_of_all(group, (i + 1) * size, i * size);

		sum += (rate - mean) * (rate - mean);
	}
	return sum / (n - 1) / n;
}

/* Half of the interval of what a record takes, as a share of it. */
static double half_width(const Group *group)
{
	const uint32_t n = group->n_measured;
	const double mean = rate_of_all(group, n, 0);
	const double drift = rate_of_all(group, n / 2, 0) - rate_of_all(group, n, n / 2);
	const double variance =
		MAX(variance_of_mean(group, 1, mean), variance_of_mean(group, 2, mean));
	const double chance = student_t(n - 1) * sqrt(variance);

	return hypot(chance, drift) / mean;
}

/* Whether a batch asks for what the measured ones ask for. */
static bool is_alike(const Progress *sm, uint32_t from, uint32_t to, uint32_t batch)
{
	for (uint32_t k = 0; k < N_CONTENTS; k++) {
		double least = INFINITY, most = 0;

		for (uint32_t q = from; q < to; q++) {
			least = MIN(least, sm->batches[q][k]);
			most = MAX(most, sm->batches[q][k]);
		}
		if (sm->batches[batch][k] > most * BEYOND ||
		    sm->batches[batch][k] * BEYOND < least)
			return false;
	}
	return true;
}

/* The first batch from `next` on that is not. */
static uint32_t first_unlike(const Progress *sm, uint32_t from, uint32_t to, uint32_t next)
{
	while (next < N_BATCHES && is_alike(sm, from, to, next))
		next++;
	return next;
}

/* Whether batches a .. b-1 ask on average, record by record, for what from .. to-1 do. */
static bool means_agree(const Progress *sm, uint32_t from, uint32_t to, uint32_t a, uint32_t b,
			double most)
{
	for (uint32_t k = 0; k < N_CONTENTS; k++) {
		double measured = 0, skipped = 0;

		for (uint32_t q = from; q < to; q++)
			measured += sm->batches[q][k] / records_of(sm, from, to);
		for (uint32_t q = a; q < b; q++)
			skipped += sm->batches[q][k] / records_of(sm, a, b);
		if (fabs(skipped - measured) > most * measured)
			return false;
	}
	return true;
}

/* The last batch that none may leave out, from which on it is another phase. *near: it is so near that none is worth leaving out. */
static uint32_t limit_of(const Progress *sm, uint32_t n_measured, double within, bool *near)
{
	const uint32_t measured = sm->mark_batch[sm->n_marks - 1 - n_measured];
	uint32_t first = N_BATCHES, last = 0, unlike, limit;

	for (uint32_t w = 0; w < sm->n_warps; w++)
		if (!sm->warps[w].ended) {
			first = MIN(first, sm->warps[w].from);
			last = MAX(last, sm->warps[w].from);
		}
	unlike = first_unlike(sm, measured, last, last);
	limit = MIN(unlike - 1, N_BATCHES - LAST_BATCHES);
	*near = limit < last + LEAST_SKIPPED;
	if (!*near && !means_agree(sm, measured, last, first, limit, MEANS_DIFFER * within))
		return 0;
	return limit;
}

/* Marks of the phase; 0: its warps are still leaving out the last one. */
static uint32_t marks_of_phase(const Progress *sm)
{
	return sm->n_to_skip == 0 && sm->n_marks > sm->phase ? sm->n_marks - 1 - sm->phase : 0;
}

/* Whether there are enough marks, and more than when that was asked last. Sets how many of them count. */
static bool is_due(Group *group)
{
	uint32_t n = N_BATCHES, n_looked = 0;

	for (uint32_t i = 0; i < group->n_sms; i++) {
		Progress *sm = &group->sms[i];

		if (sm->n_left == 0)
			continue;
		n = MIN(n, marks_of_phase(sm));
		n_looked = MAX(n_looked, sm->n_looked);
	}
	group->n_measured = n - (n + WARM_UP - 1) / WARM_UP;
	return n < N_BATCHES && n >= LEAST_LOOKED && 3 * n >= 4 * n_looked;
}

/* For how many measured times the SM can go on as it did, at most; 0: what follows is not what was measured. */
static double find_times(Progress *sm, const Group *group, const Contents *contents,
			 double within, double most)
{
	uint32_t limit;
	bool near;

	sm->n_looked = marks_of_phase(sm);
	skip_set_from(sm, contents->have_barriers);
	skip_find_paces(sm, group->n_measured);
	limit = limit_of(sm, group->n_measured, within, &near);
	if (near) {
		sm->phase = sm->n_marks;
		sm->n_looked = 0;
	}
	return near || limit == 0 ? 0 : skip_times_left(sm, limit, most);
}

void steady_look(Group *group, const Contents *contents, double within)
{
	const uint32_t n_together = contents->have_barriers ? contents->n_warps : 1;
	double times = INFINITY, half;
	bool sure;

	if (!is_due(group))
		return;
	for (uint32_t i = 0; i < group->n_sms && times > 0; i++)
		if (group->sms[i].n_left > 0)
			times = find_times(&group->sms[i], group, contents, within, times);
	half = half_width(group);
	sure = times * group->n_measured >= LEAST_SKIPPED &&
	       hypot(half, LOOPS_METHOD_ERROR * within) <= SURE_SHARE * within;
	for (uint32_t i = 0; i < group->n_sms; i++) {
		Progress *sm = &group->sms[i];

		if (sm->n_left > 0 && sure)
			skip_leave_out(sm, group->n_measured, n_together, times, half);
		else
			for (uint32_t w = 0; w < sm->n_warps; w++)
				sm->warps[w].from = N_BATCHES;
	}
}
