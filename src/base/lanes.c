/* SPDX-License-Identifier: MIT */
#include "base/lanes.h"

#include "base/error.h"

gboolean lanes_parse(const char *text, const char *where, uint32_t *mask,
		     uint32_t numbers[TRACE_MAX_LANES], GError **error)
{
	g_auto(GStrv) items = g_strsplit_set(text, " ,\t\r\n", -1);
	guint lane = 0;

	*mask = 0;
	for (guint i = 0; items[i] != NULL; i++) {
		guint64 number = 0;
		gboolean idle = g_str_equal(items[i], "-");

		if (items[i][0] == '\0')
			continue;
		if (!idle &&
		    !g_ascii_string_to_unsigned(items[i], 10, 0, UINT32_MAX, &number, NULL)) {
			g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
				    "%s: lane %u: '%s' found; allowed: 0 to %u, or - for an "
				    "idle lane",
				    where, lane, items[i], UINT32_MAX);
			return FALSE;
		}
		if (lane == TRACE_MAX_LANES) {
			g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
				    "%s: more than %d addresses; a warp has %d lanes", where,
				    TRACE_MAX_LANES, TRACE_MAX_LANES);
			return FALSE;
		}
		numbers[lane] = (uint32_t)number;
		*mask |= idle ? 0 : 1u << lane;
		lane++;
	}
	if (*mask != 0)
		return TRUE;
	g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
		    "%s: no address; allowed: word addresses of 1 to %d lanes", where,
		    TRACE_MAX_LANES);
	return FALSE;
}
