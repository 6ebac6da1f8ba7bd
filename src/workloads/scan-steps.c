/* SPDX-License-Identifier: MIT */
/*
 * Which words a step of `scan` in shared memory adds to which. The steps are also done on numbers, and the result
 * is compared with the plain sum: a wrong index ends the program.
 */
#include <string.h>

#include "workloads/scan.h"

gboolean scan_next_step(ScanSteps *step)
{
	if (step->stride == 0 || !step->down)
		step->stride = MAX(1, step->stride * 2);
	else
		step->stride /= 2;
	if (step->stride < step->tile || step->hillis)
		return step->stride > 0 && step->stride < step->tile;
	step->stride = step->tile / 4;
	step->down = TRUE;
	return TRUE;
}

gboolean scan_pair(const ScanSteps *step, uint32_t id, uint64_t *from, uint64_t *to)
{
	uint64_t i = ((uint64_t)id + 1) * 2 * step->stride - 1;

	if (step->hillis) {
		*from = (uint64_t)id - step->stride;
		*to = id;
		return id >= step->stride;
	}
	*from = step->down ? i : i - step->stride;
	*to = step->down ? i + step->stride : i;
	return *to < step->tile;
}

/* No two threads of a step add to one word, and each has loaded before any stores. */
static void scan_numbers(ScanSteps step, uint32_t *x)
{
	g_autofree uint32_t *before = g_new(uint32_t, step.tile);
	uint64_t from, to;

	while (scan_next_step(&step)) {
		memcpy(before, x, step.tile * sizeof(*x));
		for (uint32_t id = 0; id < step.tile; id++)
			if (scan_pair(&step, id, &from, &to))
				x[to] += before[from];
	}
}

void scan_prove(uint32_t tile, gboolean hillis)
{
	g_autofree uint32_t *x = g_new(uint32_t, tile);
	uint32_t sum = 0;

	for (uint32_t i = 0; i < tile; i++)
		x[i] = i * 2654435761u >> 20;
	scan_numbers((ScanSteps){.tile = tile, .hillis = hillis}, x);
	for (uint32_t i = 0; i < tile; i++) {
		sum += i * 2654435761u >> 20;
		g_assert(x[i] == sum);
	}
}
