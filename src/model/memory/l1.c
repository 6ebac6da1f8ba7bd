/* SPDX-License-Identifier: MIT */
#include "model/memory/l1.h"

#include <glib.h>

#define WORDS_OF_SECTOR ((1u << L1_SECTOR_WORDS) - 1)

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

/* The entry of a line, which is used now; one of its own if there was none. */
static L1Line *use(L1 *l1, uint64_t line)
{
	bool found;
	L1Line *entry;

	if (!l1->lines) /* most kernels of many SMs never look */
		l1->lines = g_new0(L1Line, (size_t)l1->n_sets * l1->n_ways);
	entry = find(l1, line, &found);
	if (!found)
		*entry = (L1Line){.tag = line + 1};
	entry->used = ++l1->n_looks;
	return entry;
}

uint32_t l1_look(L1 *l1, uint64_t line, uint32_t sectors, Cycle now, Cycle *ready_at)
{
	L1Line *entry = use(l1, line);
	const uint32_t missing = sectors & ~(uint32_t)entry->sectors;

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

bool l1_misses(L1 *l1, uint64_t line, uint32_t sector, Cycle now, Cycle *ready_at,
	       uint16_t *asked_by)
{
	const L1Line *entry = use(l1, line);

	*asked_by = entry->asked_by[sector];
	*ready_at = entry->last >> sector & 1 && entry->ready_at > now ? entry->ready_at : 0;
	return !(entry->sectors >> sector & 1);
}

void l1_ask(L1 *l1, uint64_t line, uint32_t sector, uint16_t asked_by)
{
	L1Line *entry = use(l1, line);

	entry->sectors |= (uint8_t)(1u << sector);
	entry->asked_by[sector] = asked_by;
	if (entry->words & WORDS_OF_SECTOR << sector * L1_SECTOR_WORDS)
		entry->words = 0;
}

void l1_arrived(L1 *l1, uint64_t line, uint16_t asked_by, Cycle at)
{
	bool found;
	L1Line *entry = find(l1, line, &found);
	uint32_t arrived = 0;

	for (uint32_t sector = 0; found && sector < L1_LINE_SECTORS; sector++)
		if (entry->asked_by[sector] == asked_by) {
			entry->asked_by[sector] = 0;
			arrived |= 1u << sector;
		}
	if (arrived == 0)
		return;
	entry->last = (uint8_t)(at > entry->ready_at ? arrived : entry->last | arrived);
	entry->ready_at = MAX(entry->ready_at, at);
}

void l1_write(L1 *l1, uint64_t line, Cycle now)
{
	bool found, asked;
	L1Line *entry;

	if (!l1->lines)
		return;
	entry = find(l1, line, &found);
	asked = found && entry->ready_at > now;
	for (uint32_t sector = 0; found && sector < L1_LINE_SECTORS; sector++)
		asked |= entry->asked_by[sector] > 0;
	if (!asked)
		return;
	*entry = (L1Line){.tag = entry->tag, .used = entry->used};
}

void l1_store(L1 *l1, uint64_t line, uint32_t words)
{
	use(l1, line)->words |= words;
	l1->stored = true;
}

uint32_t l1_stored(L1 *l1, uint64_t line, uint32_t words)
{
	uint32_t stored = 0;
	bool found;
	L1Line *entry;

	if (!l1->stored)
		return 0;
	entry = find(l1, line, &found);
	if (!found || entry->words == 0)
		return 0;
	for (uint32_t sector = 0; sector < L1_LINE_SECTORS; sector++) {
		const uint32_t wanted = words & WORDS_OF_SECTOR << sector * L1_SECTOR_WORDS;

		if (wanted && !(wanted & ~entry->words))
			stored |= 1u << sector;
	}
	if (stored)
		entry->used = ++l1->n_looks;
	return stored;
}

void l1_drop(L1 *l1, uint64_t line, uint32_t sectors)
{
	bool found;
	L1Line *entry;

	if (!l1->lines)
		return;
	entry = find(l1, line, &found);
	if (!found)
		return;
	entry->sectors &= (uint8_t)~sectors;
	for (uint32_t sector = 0; sector < L1_LINE_SECTORS; sector++)
		if (sectors >> sector & 1)
			entry->words &= ~(WORDS_OF_SECTOR << sector * L1_SECTOR_WORDS);
}
