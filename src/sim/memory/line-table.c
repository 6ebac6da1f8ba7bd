/* SPDX-License-Identifier: MIT */
#include "sim/memory/line-table.h"

#include <glib.h>

#include "base/spread.h"

#define LEAST_BITS 10

typedef struct {
	uint64_t line, number; /* 0: free */
} Entry;

/* A free place, or the line's own, is found from its hash onwards: no more than half of the places are taken. */
struct LineTable {
	unsigned bits; /* there are 2^bits places */
	uint64_t n;    /* taken */
	Entry *entries;
};

LineTable *line_table_new(void)
{
	LineTable *table = g_new0(LineTable, 1);

	table->bits = LEAST_BITS;
	table->entries = g_new0(Entry, (gsize)1 << LEAST_BITS);
	return table;
}

void line_table_free(LineTable *table)
{
	if (!table)
		return;
	g_free(table->entries);
	g_free(table);
}

static Entry *place_of(const LineTable *table, uint64_t line)
{
	const uint64_t last = (UINT64_C(1) << table->bits) - 1;
	uint64_t at = spread_key(line) >> (64 - table->bits);

	while (table->entries[at].number && table->entries[at].line != line)
		at = (at + 1) & last;
	return &table->entries[at];
}

static void grow(LineTable *table)
{
	const gsize n = (gsize)1 << table->bits;
	Entry *before = table->entries;

	table->bits++;
	table->entries = g_new0(Entry, 2 * n);
	for (gsize i = 0; i < n; i++)
		if (before[i].number)
			*place_of(table, before[i].line) = before[i];
	g_free(before);
}

uint64_t line_table_get(const LineTable *table, uint64_t line)
{
	return place_of(table, line)->number;
}

void line_table_set(LineTable *table, uint64_t line, uint64_t number)
{
	Entry *entry = place_of(table, line);

	if (number == 0)
		return;
	if (entry->number == 0 && ++table->n > UINT64_C(1) << (table->bits - 1)) {
		grow(table);
		entry = place_of(table, line);
	}
	*entry = (Entry){line, number};
}
