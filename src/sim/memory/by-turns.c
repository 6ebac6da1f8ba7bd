/* SPDX-License-Identifier: MIT */
#include "sim/memory/by-turns.h"

#include <glib.h>

struct ClusterLine {
	ClusterLine *next; /* has its turn next */
	Waiter *first, *last;
};

ByTurns *by_turns_new(uint32_t n, uint32_t n_clusters)
{
	ByTurns *turns = g_new0(ByTurns, n);
	ClusterLine *lines = g_new0(ClusterLine, (size_t)n * n_clusters);

	for (uint32_t i = 0; i < n; i++)
		turns[i].lines = &lines[(size_t)i * n_clusters];
	return turns;
}

void by_turns_free(ByTurns *turns)
{
	g_free(turns->lines);
	g_free(turns);
}

/* Its turn is behind those of all others. */
static void add(ByTurns *turns, ClusterLine *line)
{
	line->next = NULL;
	if (turns->first)
		turns->last->next = line;
	else
		turns->first = line;
	turns->last = line;
}

void by_turns_wait(ByTurns *turns, uint32_t cluster, Waiter *waiter)
{
	ClusterLine *line = &turns->lines[cluster];

	waiter->next = NULL;
	if (line->first) {
		line->last->next = waiter;
	} else {
		line->first = waiter;
		add(turns, line);
	}
	line->last = waiter;
}

Waiter *by_turns_take(ByTurns *turns)
{
	ClusterLine *line = turns->first;
	Waiter *waiter = line->first;

	turns->first = line->next;
	line->first = waiter->next;
	if (line->first)
		add(turns, line);
	return waiter;
}
