/* SPDX-License-Identifier: MIT */
#include "model/line-set.h"

#include <glib.h>

#define FIRST_SIZE 256

/* Its place, or the free one where it would go. */
static uint64_t *find(const LineSet *set, uint64_t line)
{
	/* Fibonacci hashing: the high half of the product is the well-mixed one. */
	uint32_t i = (uint32_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 32);

	while (set->lines[i & (set->size - 1)] && set->lines[i & (set->size - 1)] != line + 1)
		i++;
	return &set->lines[i & (set->size - 1)];
}

static void grow(LineSet *set)
{
	LineSet old = *set;

	set->size = old.size ? 2 * old.size : FIRST_SIZE;
	set->lines = g_new0(uint64_t, set->size);
	for (uint32_t i = 0; i < old.size; i++)
		if (old.lines[i])
			*find(set, old.lines[i] - 1) = old.lines[i];
	g_free(old.lines);
}

bool line_set_add(LineSet *set, uint64_t line)
{
	uint64_t *place;

	if (set->n >= set->size / 2)
		grow(set);
	place = find(set, line);
	if (*place)
		return false;
	*place = line + 1;
	set->n++;
	return true;
}

void line_set_clear(LineSet *set)
{
	g_free(set->lines);
	*set = (LineSet){0};
}
