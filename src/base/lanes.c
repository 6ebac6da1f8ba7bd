/* SPDX-License-Identifier: MIT */
#include "base/lanes.h"

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
