/* SPDX-License-Identifier: MIT */
/*
 * Blocks of known times, put where there is room as the simulator does, but without simulating anything: each into the
 * place that is free first.
 */
#include "replay/estimate-internal.h"

/* The place at `i` of a heap has become free later: it sinks. */
static void sink(double *heap, uint64_t n, uint64_t i)
{
	const double free_at = heap[i];

	for (uint64_t child = 2 * i + 1; child < n; i = child, child = 2 * i + 1) {
		if (child + 1 < n && heap[child + 1] < heap[child])
			child++;
		if (heap[child] >= free_at)
			break;
		heap[i] = heap[child];
	}
	heap[i] = free_at;
}

double schedule_end(const double *cycles, uint64_t n_blocks, uint64_t n_places, double gap,
		    uint64_t from, double *last_from)
{
	double *heap = g_new0(double, n_places);
	double end = 0;

	if (last_from)
		*last_from = 0;

	for (uint64_t block = 0; block < n_blocks; block++) {
		heap[0] += cycles[block] + (block < n_places ? 0 : gap);
		end = MAX(end, heap[0]);
		if (last_from && block >= from)
			*last_from = MAX(*last_from, heap[0]);
		sink(heap, n_places, 0);
	}
	g_free(heap);
	return end;
}
