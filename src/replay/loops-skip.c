/* SPDX-License-Identifier: MIT */
/* What each warp leaves out of a time in which all go on as they did, each at its own pace. */
#include <math.h>

#include "replay/loops-internal.h"

double loops_rate(const Progress *sm, uint32_t from, uint32_t to)
{
	const uint64_t *last = &sm->mark_at[sm->n_marks - 1];

	return (double)(*(last - to) - *(last - from)) /
	       ((double)sm->mark_records * (from - to));
}

/* Records that a warp has come by from one mark to another. */
static double records_by(const Progress *sm, uint32_t w, uint32_t from, uint32_t to)
{
	return (double)(sm->mark_index[to][w] - sm->mark_index[from][w]);
}

void skip_find_paces(Progress *sm, uint32_t n_measured)
{
	const uint32_t to = sm->n_marks - 1, from = to - n_measured,
		       middle = to - n_measured / 2;
	double mean[2] = {0}, squares[2] = {0}, product = 0, kept;

	for (uint32_t w = 0; w < sm->n_warps; w++) {
		mean[0] += records_by(sm, w, from, middle) / sm->n_left;
		mean[1] += records_by(sm, w, middle, to) / sm->n_left;
	}
	for (uint32_t w = 0; w < sm->n_warps; w++) {
		const double a = records_by(sm, w, from, middle) - mean[0];
		const double b = records_by(sm, w, middle, to) - mean[1];

		if (sm->warps[w].ended)
			continue;
		squares[0] += a * a;
		squares[1] += b * b;
		product += a * b;
	}
	kept = product > 0 ? product / sqrt(squares[0] * squares[1]) : 0;
	for (uint32_t w = 0; w < sm->n_warps; w++)
		sm->warps[w].pace =
			(mean[0] + mean[1]) * (1 - kept) + records_by(sm, w, from, to) * kept;
}

void skip_set_from(Progress *sm, bool have_barriers)
{
	for (uint32_t w = 0; w < sm->n_warps; w++) {
		WarpProgress *warp = &sm->warps[w];

		warp->from = warp->batch + 1;
		for (uint32_t v = 0; have_barriers && v < sm->n_warps; v++)
			if (sm->warps[v].block == warp->block)
				warp->from = MAX(warp->from, sm->warps[v].batch + 1);
	}
}

double skip_times_left(const Progress *sm, uint32_t limit, double most)
{
	for (uint32_t w = 0; w < sm->n_warps; w++) {
		const WarpProgress *warp = &sm->warps[w];

		if (!warp->ended && sm->warps[w].pace > 0)
			most = MIN(most, (double)(warp->batches->begin[limit] -
						  warp->batches->begin[warp->from]) /
						 sm->warps[w].pace);
	}
	return most;
}

/* How many batches the warps of a block leave out that go on for so many measured times: the last place in their loops that is the same as
   where they begin. */
static uint32_t batches_left_out(const Progress *sm, uint32_t first, uint32_t n, double times)
{
	const WarpProgress *warp = &sm->warps[first];
	double records = 0;
	uint32_t to = warp->from;

	for (uint32_t w = first; w < first + n; w++)
		records += sm->warps[w].pace * times / n;
	while (to < N_BATCHES - LAST_BATCHES &&
	       (double)(warp->batches->begin[to + 1] - warp->batches->begin[warp->from]) <=
		       records + 0.5)
		to++;
	for (; to > warp->from; to--) {
		bool same = true;

		for (uint32_t w = first; w < first + n; w++)
			same &= sm->warps[w].batches->key[to] ==
				sm->warps[w].batches->key[sm->warps[w].from];
		if (same)
			break;
	}
	return to - warp->from;
}

void skip_leave_out(Progress *sm, uint32_t n_measured, uint32_t n_together, double times,
		    double half_width)
{
	uint64_t records = 0;
	double cycles;

	for (uint32_t w = 0; w < sm->n_warps; w += n_together) {
		bool ended = false;
		uint32_t n;

		for (uint32_t v = w; v < w + n_together; v++)
			ended |= sm->warps[v].ended;
		n = ended ? 0 : batches_left_out(sm, w, n_together, times);
		for (uint32_t v = w; v < w + n_together; v++) {
			WarpProgress *warp = &sm->warps[v];

			warp->to = warp->from + n;
			records += warp->batches->begin[warp->to] -
				   warp->batches->begin[warp->from];
			if (n == 0)
				warp->from = warp->to = N_BATCHES;
			sm->n_to_skip += n > 0;
		}
	}
	cycles = loops_rate(sm, n_measured, 0) * (double)records;
	sm->skipped_cycles += cycles;
	sm->squared += cycles * half_width * cycles * half_width;
}
