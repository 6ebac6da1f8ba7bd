/* SPDX-License-Identifier: MIT */
/* XOR hashes: cost, ranking, hill-climbing. */
#include "explore/search/xor-search.h"

#include <string.h>

static uint32_t n_columns_of(const XorProblem *problem)
{
	return problem->n_bits - problem->n_outputs;
}

/* What the low bits of a word must be flipped by, for each value h of its high bits: P h. */
static void fill_images(const uint32_t *columns, uint32_t n_columns, uint32_t *images)
{
	images[0] = 0;
	for (uint32_t k = 0; k < n_columns; k++) {
		for (uint32_t h = 0; h < UINT32_C(1) << k; h++)
			images[h | UINT32_C(1) << k] = images[h] ^ columns[k];
	}
}

uint64_t xor_pairs(const XorProblem *problem, const uint32_t *columns)
{
	uint32_t n_columns = n_columns_of(problem);
	g_autofree uint32_t *images = g_new(uint32_t, UINT32_C(1) << n_columns);
	uint64_t pairs = 0;

	fill_images(columns, n_columns, images);
	for (uint32_t h = 1; h < UINT32_C(1) << n_columns; h++)
		pairs += problem->pairs[h << problem->n_outputs | images[h]];
	return pairs;
}

/* XORed bits: those set in the columns, each a gate of two inputs. */
static uint32_t xor_gates(const XorProblem *problem, const uint32_t *columns)
{
	uint32_t gates = 0;

	for (uint32_t k = 0; k < n_columns_of(problem); k++)
		gates += (uint32_t)__builtin_popcount(columns[k]);
	return gates;
}

uint32_t xor_allowed(const XorProblem *problem, const uint32_t *columns, uint32_t column,
		     uint32_t n_columns)
{
	uint32_t all = (UINT32_C(1) << problem->n_outputs) - (UINT32_C(1) << problem->n_kept);

	for (uint32_t bit = 0; problem->max_inputs && bit < problem->n_outputs; bit++) {
		uint32_t n_inputs = 1;

		for (uint32_t k = 0; k < n_columns; k++)
			n_inputs += k != column && columns[k] >> bit & 1;
		if (n_inputs >= problem->max_inputs)
			all &= ~(UINT32_C(1) << bit);
	}
	return all;
}

void xor_rows(const XorProblem *problem, const uint32_t *columns, uint32_t *rows)
{
	for (uint32_t i = 0; i < problem->n_outputs; i++) {
		rows[i] = UINT32_C(1) << i;
		for (uint32_t k = 0; k < n_columns_of(problem); k++)
			rows[i] |= (columns[k] >> i & 1) << (problem->n_outputs + k);
	}
}

gboolean xor_columns(const XorProblem *problem, const uint32_t *rows, uint32_t *columns)
{
	uint32_t low = (UINT32_C(1) << problem->n_outputs) - 1;

	memset(columns, 0, XOR_MAX_COLUMNS * sizeof(*columns));
	for (uint32_t i = 0; i < problem->n_outputs; i++) {
		uint32_t n_inputs = 1;

		if ((rows[i] & low) != UINT32_C(1) << i)
			return FALSE;
		for (uint32_t k = 0; k < n_columns_of(problem); k++) {
			uint32_t bit = rows[i] >> (problem->n_outputs + k) & 1;

			columns[k] |= bit << i;
			n_inputs += bit;
		}
		if ((problem->max_inputs && n_inputs > problem->max_inputs) ||
		    (i < problem->n_kept && n_inputs > 1))
			return FALSE;
	}
	return TRUE;
}

/* --- Ranking --- */

/* Below 0 if a is better. A total order, so that a ranking does not depend on who came first. */
static int compare(const XorProblem *problem, const XorHash *a, const XorHash *b)
{
	uint32_t gates_a = xor_gates(problem, a->columns),
		 gates_b = xor_gates(problem, b->columns);

	if (a->pairs != b->pairs)
		return a->pairs < b->pairs ? -1 : 1;
	if (gates_a != gates_b)
		return gates_a < gates_b ? -1 : 1;
	for (uint32_t k = 0; k < n_columns_of(problem); k++) {
		if (a->columns[k] != b->columns[k])
			return a->columns[k] < b->columns[k] ? -1 : 1;
	}
	return 0;
}

void xor_ranking_enter(XorRanking *ranking, const XorProblem *problem, const XorHash *hash)
{
	guint place = 0;
	int order = 1;

	while (place < ranking->n &&
	       (order = compare(problem, hash, &ranking->hashes[place])) > 0)
		place++;
	if (place == ranking->max || (place < ranking->n && order == 0))
		return;
	if (ranking->n < ranking->max)
		ranking->n++;
	for (guint i = ranking->n - 1; i > place; i--)
		ranking->hashes[i] = ranking->hashes[i - 1];
	ranking->hashes[place] = *hash;
}

/* --- Hill-climbing --- */

/* Pairs in conflict for each value of a column: costs[v], of the h that the column is part of. */
static void column_costs(const XorProblem *problem, const uint32_t *images, uint32_t column,
			 uint32_t value, uint64_t *costs)
{
	uint32_t size = UINT32_C(1) << problem->n_outputs;

	memset(costs, 0, size * sizeof(*costs));
	for (uint32_t h = 1; h < UINT32_C(1) << n_columns_of(problem); h++) {
		const uint64_t *row = problem->pairs + ((size_t)h << problem->n_outputs);
		uint32_t others = images[h] ^ value;

		if (!(h >> column & 1))
			continue;
		for (uint32_t v = 0; v < size; v++)
			costs[v] += row[others ^ v];
	}
}

/* Sets the column to its best value. False if it had it. */
static gboolean improve(const XorProblem *problem, XorHash *hash, uint32_t column,
			uint32_t *images, uint64_t *costs)
{
	uint32_t n_columns = n_columns_of(problem);
	uint32_t allowed = xor_allowed(problem, hash->columns, column, n_columns);
	uint32_t old = hash->columns[column], best = old;

	fill_images(hash->columns, n_columns, images);
	column_costs(problem, images, column, old, costs);
	for (uint32_t v = 0; v < UINT32_C(1) << problem->n_outputs; v++) {
		if (v & ~allowed)
			continue;
		if (costs[v] < costs[best] ||
		    (costs[v] == costs[best] &&
		     __builtin_popcount(v) < __builtin_popcount(best)))
			best = v;
	}
	hash->columns[column] = best;
	hash->pairs -= costs[old] - costs[best];
	return best != old;
}

void xor_climb(const XorProblem *problem, XorHash *hash)
{
	uint32_t n_columns = n_columns_of(problem);
	g_autofree uint32_t *images = g_new(uint32_t, UINT32_C(1) << n_columns);
	g_autofree uint64_t *costs = g_new(uint64_t, UINT32_C(1) << problem->n_outputs);
	gboolean better = TRUE;

	hash->pairs = xor_pairs(problem, hash->columns);
	while (better) {
		better = FALSE;
		for (uint32_t k = 0; k < n_columns; k++)
			better |= improve(problem, hash, k, images, costs);
	}
}

void xor_restarts(const XorProblem *problem, uint32_t n_restarts, uint32_t seed,
		  XorRanking *ranking)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(seed);

	for (uint32_t i = 0; i < n_restarts; i++) {
		XorHash hash = {0};

		for (uint32_t k = 0; k < n_columns_of(problem); k++)
			hash.columns[k] =
				g_rand_int(rand) & xor_allowed(problem, hash.columns, k, k);
		xor_climb(problem, &hash);
		xor_ranking_enter(ranking, problem, &hash);
	}
}
