/* SPDX-License-Identifier: MIT */
/*
 * Exact search of the best XOR hash. A node of depth d has fixed columns 0 .. d-1 and so knows the
 * pairs in conflict of every h below 2^d. What the others cost at least:
 * - an h with one free column k: the least, over the values of that column, of the sum of all such h
 *   (`open`, kept for each depth and added to when a column is fixed);
 * - an h with more free columns: its least count over all images (`rest`, known at the start).
 * Columns share no such h, so the sum is a bound.
 */
#include "explore/search/xor-search.h"

#include <string.h>

typedef struct {
	const XorProblem *problem;
	uint32_t n_columns, size; /* 2^n_outputs */
	uint64_t rest[XOR_MAX_COLUMNS +
		      1]; /* by depth: of all h with two free columns or more */
	/* By depth: [column * size + value], the pairs of all h whose one free column is `column`. */
	uint64_t *open[XOR_MAX_COLUMNS + 1];
	uint32_t *images; /* P h of the h below 2^depth */
	uint64_t max_nodes;
	gboolean stopped;
	XorHash hash; /* the node's columns */
	XorHash *best;
	XorProof *proof;
} Search;

static uint64_t least(const uint64_t *counts, uint32_t n)
{
	uint64_t result = counts[0];

	for (uint32_t i = 1; i < n; i++)
		result = MIN(result, counts[i]);
	return result;
}

static void prepare(Search *search)
{
	const XorProblem *problem = search->problem;

	for (uint32_t h = 1; h < UINT32_C(1) << search->n_columns; h++) {
		uint64_t cost =
			least(problem->pairs + ((size_t)h << problem->n_outputs), search->size);

		for (uint32_t depth = 0; depth < search->n_columns; depth++) {
			if (__builtin_popcount(h >> depth) >= 2)
				search->rest[depth] += cost;
		}
	}
	for (uint32_t depth = 0; depth <= search->n_columns; depth++)
		search->open[depth] =
			g_new0(uint64_t, (size_t)search->n_columns * search->size + 1);
	for (uint32_t k = 0; k < search->n_columns; k++)
		memcpy(search->open[0] + (size_t)k * search->size,
		       problem->pairs + ((size_t)1 << (k + problem->n_outputs)),
		       search->size * sizeof(uint64_t));
}

/* Fixes column `depth` and brings `open` to the next depth. */
static void fix_column(Search *search, uint32_t depth, uint32_t value)
{
	const XorProblem *problem = search->problem;
	uint32_t half = UINT32_C(1) << depth;
	uint64_t *open = search->open[depth + 1];

	search->hash.columns[depth] = value;
	memcpy(open, search->open[depth],
	       (size_t)search->n_columns * search->size * sizeof(*open));
	for (uint32_t h = 0; h < half; h++)
		search->images[half | h] = search->images[h] ^ value;
	for (uint32_t k = depth + 1; k < search->n_columns; k++) {
		for (uint32_t h = half; h < 2 * half; h++) {
			const uint64_t *row = problem->pairs + ((size_t)(UINT32_C(1) << k | h)
								<< problem->n_outputs);
			uint32_t image = search->images[h];

			for (uint32_t v = 0; v < search->size; v++)
				open[k * search->size + v] += row[v ^ image];
		}
	}
}

/* What the columns from `first` on, and all that is free at `depth`, cost at least. */
static uint64_t bound_of(const Search *search, uint32_t depth, uint32_t first)
{
	uint64_t bound = search->rest[first];

	for (uint32_t k = first; k < search->n_columns; k++)
		bound += least(search->open[depth] + (size_t)k * search->size, search->size);
	return bound;
}

static int compare_values(const void *a, const void *b, void *data)
{
	const uint64_t *costs = data;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (costs[x] != costs[y])
		return costs[x] < costs[y] ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void visit(Search *search, uint32_t depth, uint64_t pairs)
{
	const uint64_t *costs = search->open[depth] + (size_t)depth * search->size;
	g_autofree uint32_t *values = NULL;
	uint32_t allowed, n_values = 0;
	uint64_t later;

	if (search->proof->n_nodes == search->max_nodes) {
		search->stopped = TRUE;
		return;
	}
	search->proof->n_nodes++;
	if (depth == search->n_columns) {
		search->hash.pairs = pairs;
		*search->best = search->hash;
		return;
	}
	allowed = xor_allowed(search->problem, search->hash.columns, depth, depth);
	values = g_new(uint32_t, search->size);
	for (uint32_t v = 0; v < search->size; v++) {
		if (!(v & ~allowed))
			values[n_values++] = v;
	}
	g_qsort_with_data(values, (gint)n_values, sizeof(*values), compare_values,
			  (gpointer)costs);
	later = bound_of(search, depth, depth + 1);
	for (uint32_t i = 0; i < n_values && !search->stopped; i++) {
		uint64_t cost = pairs + costs[values[i]];

		if (cost + later >= search->best->pairs)
			return; /* the values after it cost no less */
		fix_column(search, depth, values[i]);
		if (cost + bound_of(search, depth + 1, depth + 1) < search->best->pairs)
			visit(search, depth + 1, cost);
	}
}

void xor_branch_and_bound(const XorProblem *problem, uint64_t max_nodes, XorHash *best,
			  XorProof *proof)
{
	uint32_t n_columns = problem->n_bits - problem->n_outputs;
	g_autofree uint32_t *images = g_new0(uint32_t, UINT32_C(1) << n_columns);
	Search search = {
		.problem = problem,
		.n_columns = n_columns,
		.size = UINT32_C(1) << problem->n_outputs,
		.images = images,
		.max_nodes = max_nodes,
		.best = best,
		.proof = proof,
	};

	*proof = (XorProof){0};
	prepare(&search);
	proof->bound = bound_of(&search, 0, 0);
	if (proof->bound < best->pairs)
		visit(&search, 0, 0);
	proof->proved = !search.stopped;
	if (proof->proved)
		proof->bound = best->pairs;
	for (uint32_t depth = 0; depth <= n_columns; depth++)
		g_free(search.open[depth]);
}
