/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic between two events, by a breadth-first walk over the control flow. Instructions
 * that make events are walls, since the warp would have made one there; only those with a
 * predicate may be passed, all lanes off. The shortest way is exact where there is one way
 * only, and a lower bound for loops that make no events.
 */
#include "gpu/sass/sass.h"

void sass_successors(const SassFunction *function, int index, GArray *successors)
{
	const SassInstruction *instruction = sass_instruction(function, index);
	int n = (int)function->instructions->len;
	int next = index + 1;
	bool goes_on = instruction->conditional;

	switch (instruction->flow) {
	case SASS_NEXT:
	case SASS_SPLIT:
	case SASS_JOIN:
	case SASS_LEAVE:
		goes_on = true;
		break;
	case SASS_BRANCH:
		g_array_append_val(successors, instruction->target);
		break;
	case SASS_CALL:
		if (instruction->target >= 0)
			g_array_append_val(successors, instruction->target);
		for (guint i = 0; instruction->by_value && i < function->entries->len; i++)
			g_array_append_val(successors,
					   g_array_index(function->entries, int, i));
		if (instruction->target < 0 &&
		    !(instruction->by_value && function->entries->len > 0))
			goes_on = true;
		break;
	case SASS_RETURN:
		for (int i = 0; i < n; i++) {
			int behind = i + 1;

			if (sass_instruction(function, i)->flow == SASS_CALL && behind < n)
				g_array_append_val(successors, behind);
		}
		break;
	case SASS_INDIRECT:
		for (guint i = 0; i < instruction->n_targets; i++) {
			int target = g_array_index(function->targets, int,
						   instruction->first_target + i);

			if (target >= 0)
				g_array_append_val(successors, target);
		}
		break;
	case SASS_EXIT:
		break;
	}
	if (goes_on && next < n)
		g_array_append_val(successors, next);
}

static int walk(const SassFunction *function, int from, int to)
{
	int n = (int)function->instructions->len;
	g_autofree int *distance = g_new(int, n);
	g_autoptr(GArray) queue = g_array_new(FALSE, FALSE, sizeof(int));
	g_autoptr(GArray) successors = g_array_new(FALSE, FALSE, sizeof(int));
	int first = 0, steps = 0;

	for (int i = 0; i < n; i++)
		distance[i] = -1;
	if (from < 0)
		g_array_append_val(successors, first);
	else
		sass_successors(function, from, successors);

	for (guint head = 0;; head++) {
		for (guint i = 0; i < successors->len; i++) {
			int next = g_array_index(successors, int, i);

			if (distance[next] >= 0)
				continue;
			distance[next] = steps;
			g_array_append_val(queue, next);
		}
		if (distance[to] >= 0 || head == queue->len)
			return distance[to];

		int index = g_array_index(queue, int, head);
		const SassInstruction *instruction = sass_instruction(function, index);

		g_array_set_size(successors, 0);
		steps = distance[index] + 1;
		if (!instruction->recorded || instruction->conditional)
			sass_successors(function, index, successors);
	}
}

int sass_path(SassFunction *function, int from, int to)
{
	gint64 key = (gint64)(from + 1) << 32 | (guint32)to;
	gpointer kept;

	if (g_hash_table_lookup_extended(function->paths, &key, NULL, &kept))
		return GPOINTER_TO_INT(kept);

	int path = walk(function, from, to);

	g_hash_table_insert(function->paths, g_memdup2(&key, sizeof(key)),
			    GINT_TO_POINTER(path));
	return path;
}
