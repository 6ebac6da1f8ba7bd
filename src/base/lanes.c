/* SPDX-License-Identifier: MIT */
#include "base/lanes.h"

#include <stdlib.h>

#define SEGMENT_BYTES 128

LanesProblem lanes_read(const char *text, const char *separators, guint n_lanes, uint32_t max,
			Lanes *lanes, LanesFault *fault)
{
	g_auto(GStrv) items = g_strsplit_set(text, separators, -1);

	*lanes = (Lanes){0};
	*fault = (LanesFault){0};
	for (guint i = 0; items[i] != NULL; i++) {
		guint64 number = 0;

		if (items[i][0] == '\0')
			continue;
		if (fault->lane == n_lanes)
			return LANES_TOO_MANY;
		if (!g_str_equal(items[i], "-")) {
			if (!g_ascii_string_to_unsigned(items[i], 10, 0, max, &number, NULL)) {
				g_strlcpy(fault->found, items[i], sizeof fault->found);
				return LANES_NO_NUMBER;
			}
			lanes->mask |= (LaneMask)1 << fault->lane;
			lanes->words[lanes->n_words++] = (uint32_t)number;
		}
		fault->lane++;
	}
	return lanes->n_words > 0 ? LANES_GOOD : LANES_NONE;
}

static int compare_segments(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

uint32_t lanes_segments(const uint64_t *address, guint n, uint32_t width)
{
	uint64_t touched[2 * MAX_LANES];
	gboolean sorted = TRUE;
	uint32_t n_touched = 0, n_different = 0;

	for (guint i = 0; i < n; i++) {
		uint64_t first = address[i] / SEGMENT_BYTES;
		uint64_t last = (address[i] + width - 1) / SEGMENT_BYTES;

		for (uint64_t segment = first;; segment = last) {
			if (n_touched == 0 || touched[n_touched - 1] != segment) {
				sorted &= n_touched == 0 || touched[n_touched - 1] < segment;
				touched[n_touched++] = segment;
			}
			if (segment == last)
				break;
		}
	}
	if (sorted) /* most are, or lie in one segment */
		return n_touched;
	qsort(touched, n_touched, sizeof(*touched), compare_segments);
	for (guint i = 0; i < n_touched; i++)
		n_different += i == 0 || touched[i] != touched[i - 1];
	return n_different;
}
