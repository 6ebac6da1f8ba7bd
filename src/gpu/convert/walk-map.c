/* SPDX-License-Identifier: MIT */
/* From each instruction, how far is it to the next event? Walks backwards from the event. */
#include "gpu/convert/walk-internal.h"

WalkMap *walk_map_new(const SassFunction *function, bool stepped)
{
	WalkMap *map = g_new0(WalkMap, 1);
	guint n = function->instructions->len;
	g_autoptr(GArray) successors = g_array_new(FALSE, FALSE, sizeof(int));

	map->function = function;
	map->stepped = stepped;
	map->n = (int)n;
	map->distances = g_new0(int *, n);
	map->first_source = g_new0(guint, n + 1);
	/* The edges, sorted by where they lead: counted, then filled in. */
	for (int pass = 0; pass < 2; pass++) {
		for (guint i = 0; i < n; i++) {
			if (walk_is_wall(map, (int)i) &&
			    !sass_instruction(function, (int)i)->conditional)
				continue;
			g_array_set_size(successors, 0);
			sass_successors(function, (int)i, successors);
			for (guint k = 0; k < successors->len; k++) {
				int to = g_array_index(successors, int, k);

				if (pass == 0)
					map->first_source[to + 1]++;
				else
					map->sources[map->first_source[to]++] = (int)i;
			}
		}
		if (pass == 0) {
			for (guint i = 0; i < n; i++)
				map->first_source[i + 1] += map->first_source[i];
			map->sources = g_new0(int, map->first_source[n] + 1);
		}
	}
	/* Filling moved each start to its end, which is the next one's start. */
	for (guint i = n; i > 0; i--)
		map->first_source[i] = map->first_source[i - 1];
	map->first_source[0] = 0;
	return map;
}

void walk_map_free(WalkMap *map)
{
	for (int i = 0; i < map->n; i++)
		g_free(map->distances[i]);
	g_free(map->distances);
	g_free(map->first_source);
	g_free(map->sources);
	g_free(map);
}

bool walk_is_wall(const WalkMap *map, int index)
{
	const SassInstruction *instruction = sass_instruction(map->function, index);

	return instruction->recorded || (map->stepped && instruction->stepped);
}

const int *walk_distances(WalkMap *map, int to)
{
	int *distance = map->distances[to];
	g_autofree int *queue = NULL;
	int head = 0, tail = 0;

	if (distance)
		return distance;
	distance = map->distances[to] = g_new(int, map->n);
	queue = g_new(int, map->n);
	for (int i = 0; i < map->n; i++)
		distance[i] = WALK_NO_PATH;
	distance[to] = 0;
	queue[tail++] = to;
	while (head < tail) {
		int at = queue[head++];

		for (guint k = map->first_source[at]; k < map->first_source[at + 1]; k++) {
			int from = map->sources[k];

			if (distance[from] != WALK_NO_PATH)
				continue;
			distance[from] = distance[at] + 1;
			queue[tail++] = from;
		}
	}
	return distance;
}

/* ---- Which branches events do not decide */

/* Visits of instructions, in all: a function of a hundred thousand instructions without events is not searched to its end. */
#define MAX_VISITS (1 << 24)

typedef struct {
	const WalkMap *map;
	GArray *successors, *queue; /* of int */
	guint *reached;		    /* by instruction: the search that came there last */
	guint search;		    /* counts from 1 */
	guint visits;
} Search;

/* Goes on from an instruction up to events. True: one of them is among those that search `other` came to. */
static bool meets_event(Search *search, int from, guint other, guint *last)
{
	bool meets = false;

	search->search++;
	g_array_set_size(search->queue, 0);
	g_array_append_val(search->queue, from);
	for (guint head = 0; head < search->queue->len && search->visits < MAX_VISITS; head++) {
		const int at = g_array_index(search->queue, int, head);
		bool is_wall;

		if (at < 0 || search->reached[at] == search->search)
			continue;
		is_wall = walk_is_wall(search->map, at);
		meets |= is_wall && last[at] == other;
		if (is_wall)
			last[at] = search->search;
		search->reached[at] = search->search;
		search->visits++;
		if (is_wall && !sass_instruction(search->map->function, at)->conditional)
			continue;
		g_array_set_size(search->successors, 0);
		sass_successors(search->map->function, at, search->successors);
		g_array_append_vals(search->queue, search->successors->data,
				    search->successors->len);
	}
	return meets;
}

bool *walk_open_branches(const WalkMap *map)
{
	bool *open = g_new0(bool, map->n + 1);
	g_autofree guint *reached = g_new0(guint, map->n + 1),
			 *last = g_new0(guint, map->n + 1);
	g_autoptr(GArray) successors = g_array_new(FALSE, FALSE, sizeof(int));
	g_autoptr(GArray) queue = g_array_new(FALSE, FALSE, sizeof(int));
	Search search = {
		.map = map, .successors = successors, .queue = queue, .reached = reached};

	for (int i = 0; i + 1 < map->n; i++) {
		const SassInstruction *instruction = sass_instruction(map->function, i);

		if (instruction->flow != SASS_BRANCH || !instruction->conditional)
			continue;
		meets_event(&search, instruction->target, 0, last);
		open[i] = meets_event(&search, i + 1, search.search, last) ||
			  search.visits >= MAX_VISITS;
	}
	return open;
}
