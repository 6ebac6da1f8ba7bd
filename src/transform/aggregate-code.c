/* SPDX-License-Identifier: MIT */
/* What aggregation in a warp makes it compute: aggregate.c says what is charged, and why. */
#include "transform/aggregate.h"

#define SUM_TREE(add)                                                                          \
	{                                                                                      \
		CODE_SHUFFLE, add, CODE_SHUFFLE, add, CODE_SHUFFLE, add, CODE_SHUFFLE, add,    \
			CODE_SHUFFLE, add, CODE_COMPARE                                        \
	}

/* The codes of a site. */
static void add_site(Change *change, uint32_t site, uint8_t add, Code *code)
{
	const uint8_t ones[ONES_INSTRUCTIONS] = {CODE_VOTE, CODE_CONVERT, CODE_CONVERT,
						 CODE_COMPARE};
	/* Integers of 32 bits by one instruction, with what __reduce_*_sync has about it. */
	const uint8_t reduce[REDUCE_INSTRUCTIONS] = {
		CODE_SYSTEM, CODE_VOTE,	   CODE_CONVERT, CODE_INT,  CODE_REDUCE, CODE_MOVE,
		CODE_MOVE,   CODE_COMPARE, CODE_INT,	 CODE_MOVE, CODE_BRANCH};
	const uint8_t tree[REDUCE_INSTRUCTIONS] = SUM_TREE(add);
	const uint8_t match[] = {CODE_INT,     CODE_MATCH, CODE_SYSTEM,	 CODE_INT, CODE_CONVERT,
				 CODE_CONVERT, CODE_INT,   CODE_COMPARE, CODE_INT, CODE_BRANCH};
	const uint8_t step[STEP_INSTRUCTIONS] = {CODE_CONVERT, CODE_SYNC,    CODE_INT,
						 CODE_INT,     CODE_CONVERT, CODE_SHUFFLE,
						 add,	       CODE_JOIN,    CODE_JUMP};
	const uint8_t check[CHECK_INSTRUCTIONS] = {CODE_MATCH, CODE_REDUCE, CODE_VOTE, CODE_INT,
						   CODE_BRANCH};
	const uint8_t behind[BEHIND_INSTRUCTIONS] = {CODE_SHUFFLE, CODE_INT, CODE_CONVERT,
						     CODE_INT};
	uint32_t *gaps = change->gaps + (size_t)(site - 1) * N_CODES;

	gaps[CODES_ONES] = code_add(code, site, CODE_BEFORE, ones, ONES_INSTRUCTIONS, 0);
	gaps[CODES_REDUCE] = code_add(code, site, CODE_BEFORE, add == CODE_INT ? reduce : tree,
				      REDUCE_INSTRUCTIONS, 0);
	gaps[CODES_BEHIND] = code_add(code, site, CODE_BEHIND, behind, BEHIND_INSTRUCTIONS, 0);
	for (uint32_t words = 0; words <= MAX_LANES; words++) {
		const uint32_t distinct = MIN(words, 32);

		gaps[CODES_MATCH + words] =
			code_add(code, site, CODE_BEFORE, match, G_N_ELEMENTS(match), distinct);
		gaps[CODES_STEP + words] =
			code_add(code, site, CODE_BEFORE, step, STEP_INSTRUCTIONS, distinct);
		gaps[CODES_CHECK + words] =
			code_add(code, site, CODE_BEHIND, check, CHECK_INSTRUCTIONS, distinct);
	}
}

/* The sites whose atomics always come behind one another from the i-th of the array on, of which none is behind another. */
static GArray *sites_from(const Change *change, const SharedArray *array, guint i)
{
	GArray *sites = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	uint32_t last = g_array_index(array->sites, uint32_t, i);

	g_array_append_val(sites, last);
	for (guint k = i + 1; array->behind != NULL && k < array->sites->len; k++)
		if (g_array_index(array->behind, uint32_t, k) == last && last > 0 &&
		    g_array_index(array->sites, uint32_t, k) <= change->n_sites) {
			last = g_array_index(array->sites, uint32_t, k);
			g_array_append_val(sites, last);
		}
	return sites;
}

/* Sums over a warp's lanes of floats or doubles, for all sites at a time. */
static void add_sums(Change *change, const GArray *sites, uint8_t add, Code *code)
{
	const uint8_t tree[REDUCE_INSTRUCTIONS] = SUM_TREE(add);
	const uint32_t *all = (const uint32_t *)(void *)sites->data;

	for (guint k = 0; k < sites->len; k++)
		change->gaps[(size_t)(all[k] - 1) * N_CODES + CODES_REDUCE] = NO_CODE;
	change->gaps[(size_t)(all[0] - 1) * N_CODES + CODES_REDUCE] =
		code_add_for(code, all, sites->len, CODE_BEFORE, tree, REDUCE_INSTRUCTIONS);
}

/* A turn of a loop over the lanes. nvcc gives what is fetched one register, so that one fetch waits for the other's sum (seen in the code
   of traces/kernels/splat.cu, after the first prediction: 300,300 cycles measured, 117,069 predicted with all at a time). */
static void add_turns(Change *change, const GArray *sites, uint8_t add, Code *code)
{
	const uint8_t turn[TURN_INSTRUCTIONS] = {CODE_CONVERT, CODE_CONVERT, CODE_INT,
						 CODE_INT,     CODE_COMPARE, CODE_BRANCH};
	const uint8_t fetch[SERIAL_INSTRUCTIONS] = {CODE_SHUFFLE, add};
	const uint32_t first = g_array_index(sites, uint32_t, 0);
	uint32_t *gaps = change->gaps + (size_t)(first - 1) * N_CODES;
	g_autoptr(GByteArray) all = g_byte_array_new();

	for (guint i = 0; i < sites->len; i++)
		g_byte_array_append(all, fetch, SERIAL_INSTRUCTIONS);
	gaps[CODES_SERIAL] = code_add(code, first, CODE_BEFORE, all->data, all->len, 0);
	gaps[CODES_TURN] = code_add(code, first, CODE_BEFORE, turn, TURN_INSTRUCTIONS, 0);
}

/* Which lanes are of the same word, by shuffles over all distances: nothing waits for it as long as for the sums. */
static void add_runs(Change *change, uint32_t site, Code *code)
{
	uint8_t runs[RUNS_INSTRUCTIONS];

	for (uint32_t i = 0; i < RUNS_INSTRUCTIONS; i++)
		runs[i] = i % 2 == 0 ? CODE_SHUFFLE : CODE_COMPARE;
	change->gaps[(size_t)(site - 1) * N_CODES + CODES_RUNS] =
		code_add(code, site, CODE_APART, runs, RUNS_INSTRUCTIONS, 0);
}

/* What several atomics do together comes before the first; integers, and where old values are used, each is for itself. */
static void add_codes_together(Change *change, const SharedArray *array, Code *code)
{
	const uint8_t add = code_class_of(array->types);

	for (guint i = 0; i < array->sites->len; i++) {
		g_autoptr(GArray) sites = sites_from(change, array, i);
		const uint32_t first = g_array_index(sites, uint32_t, 0);

		if (first == 0 || first > change->n_sites)
			continue;
		if (array->atomics_with_result > 0 || (add == CODE_INT && !change->segments))
			g_array_set_size(sites, 1);
		else if (change->gaps[(size_t)(first - 1) * N_CODES + CODES_REDUCE] == NO_CODE)
			continue; /* it is of those before it, as sites ascend */
		if (change->segments)
			add_runs(change, first, code);
		if (add != CODE_INT || change->segments)
			add_sums(change, sites, add, code);
		add_turns(change, sites, add, code);
	}
}

void aggregate_add_code(Change *change, const SharedArray *array, Code *code)
{
	change->n_codes = N_CODES;
	change->gaps = g_new0(uint32_t, MAX((size_t)change->n_sites * N_CODES, 1));
	for (guint i = 0; i < array->sites->len; i++) {
		const uint32_t site = g_array_index(array->sites, uint32_t, i);

		if (site > 0 && site <= change->n_sites)
			add_site(change, site, code_class_of(array->types), code);
	}
	if (change->of_warps)
		add_codes_together(change, array, code);
}
