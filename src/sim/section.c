/* SPDX-License-Identifier: MIT */
#include "sim/section.h"

void section_free(Section *section)
{
	if (!section)
		return;
	g_array_unref(section->records);
	g_free(section);
}

bool section_select(Record *record, LaneMask lanes)
{
	uint32_t n = 0, i = 0;

	if (record->n_lanes == 0)
		return true;
	for (LaneMask left = record->mask; left; left &= left - 1, i++) {
		if (!(lanes & left & -left))
			continue;
		record->address[n] = record->address[i];
		record->value[n] = record->value[i];
		record->compare[n] = record->compare[i];
		n++;
	}
	record->mask &= lanes;
	record->n_lanes = (uint8_t)n;
	return n > 0;
}
