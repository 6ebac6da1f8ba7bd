/* SPDX-License-Identifier: MIT */
#include "model/memory/l1.h"

#include <glib.h>

void l1_init(L1 *l1, uint32_t bytes, uint32_t ways)
{
	const uint32_t n_lines = bytes / L1_LINE_BYTES;

	*l1 = (L1){.n_ways = MIN(ways, n_lines)};
	if (n_lines == 0)
		return;
	l1->n_sets = n_lines / l1->n_ways;
}

void l1_clear(L1 *l1)
{
	g_free(l1->lines);
}

static L1Line *find(L1 *l1, uint64_t line, bool *found)
{
	/* Lines side by side fill the sets evenly, and so do those a power of two apart. */
	uint64_t index;
	L1Line *set, *oldest;

	*found = true;
	if (l1->last && l1->last->tag == line + 1)
		return l1->last;
	index = (line + line / l1->n_sets) % l1->n_sets;
	oldest = set = &l1->lines[index * l1->n_ways];
	for (uint32_t way = 0; way < l1->n_ways; way++) {
		if (set[way].tag == line + 1)
			return l1->last = &set[way];
		if (set[way].used < oldest->used)
			oldest = &set[way];
	}
	*found = false;
	return l1->last = oldest;
}

uint32_t l1_look(L1 *l1, uint64_t line, uint32_t sectors, Cycle now, Cycle *ready_at)
{
	bool found;
	L1Line *entry;
	uint32_t missing;

	if (!l1->lines) /* most kernels of many SMs never look */
		l1->lines = g_new0(L1Line, (size_t)l1->n_sets * l1->n_ways);
	entry = find(l1, line, &found);
	if (!found)
		*entry = (L1Line){.tag = line + 1};
	missing = sectors & ~(uint32_t)entry->sectors;
	entry->used = ++l1->n_looks;
	entry->sectors |= (uint8_t)sectors;
	*ready_at = entry->ready_at > now ? entry->ready_at : 0;
	return missing;
}

void l1_filled(L1 *l1, uint64_t line, Cycle at)
{
	bool found;
	L1Line *entry = find(l1, line, &found);

	if (found)
		entry->ready_at = MAX(entry->ready_at, at);
}
