/* SPDX-License-Identifier: MIT */
/*
 * aggregate=warp: the lanes of a warp that want one word combine their operands, and the lowest acts for all.
 *
 * Modelled: the leaders' atomics alone, in shared memory or in a buffer. Where the program uses old values, each lane has the leader's
 * and adds what the lanes before it added.
 * Charged: in an array of one word a reduction of the warp: a vote and a count for adds of 1, else five steps of a shuffle and
 * the operation. In a larger one __match_any_sync, whose time grows with the different words, and the choice of the leader; but for
 * adds of 1 a step of STEP_INSTRUCTIONS for each lane of the largest group, in which a lane fetches one operand, behind a
 * synchronisation of the groups that are not through (as nvcc makes it of traces/kernels/variants.cu). Where old values are used
 * a shuffle, a count and an addition; in a larger array nvcc looks ahead of the shuffle whether all lanes of a group are there,
 * by __match_any_sync of their masks.
 */
#include <string.h>

#include "base/error.h"
#include "transform/change.h"

/* Instructions where the trace has no data flow to put them into. */
#define ONES_INSTRUCTIONS	4
#define REDUCE_INSTRUCTIONS	11
#define MATCH_INSTRUCTIONS	10
#define MATCH_WORD_INSTRUCTIONS 4 /* for each different word */
#define STEP_INSTRUCTIONS	9
#define BEHIND_INSTRUCTIONS	4

#define CHECK_INSTRUCTIONS 5

/* The last three by words: of the atomic, or that the lanes still at work want. */
enum {
	CODES_ONES,
	CODES_REDUCE,
	CODES_BEHIND,
	CODES_MATCH,
	CODES_STEP = CODES_MATCH + MAX_LANES + 1,
	CODES_CHECK = CODES_STEP + MAX_LANES + 1,
	N_CODES = CODES_CHECK + MAX_LANES + 1,
};

static gboolean read_aggregate(Change *change, const char *value, GError **error)
{
	static const char *const words[] = {"warp"};
	uint32_t place;

	(void)change;
	return change_read_word("aggregate", value, words, G_N_ELEMENTS(words), &place, error);
}

static gboolean plan(Change *change, const SharedArray *array, RecordSource *source,
		     GError **error)
{
	const uint32_t bad = 1u << OPERATION_CAS | 1u << OPERATION_EXCH | 1u << OPERATION_INC |
			     1u << OPERATION_DEC;

	(void)source;
	change->stride_bytes = array->end - array->first <= change->atom_width;
	if (array->atomics == 0 || (array->operations & bad) != 0) {
		g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT,
				    "aggregation needs atomics that can be combined: add, min, "
				    "max, and, or, xor");
		return FALSE;
	}
	if (array->atomics_with_result == 0 || array->operations == 1u << OPERATION_ADD)
		return TRUE;
	g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT,
			    "the program uses the old values of its atomics, which only adds "
			    "let the lanes of a warp work out");
	return FALSE;
}

/* Keeps the lowest lane of each word. still[i] becomes how many words more than i lanes wanted: 0 from some i on. */
static void keep_leaders(const Record *in, Record *out, uint32_t still[MAX_LANES + 1])
{
	uint32_t count[MAX_LANES] = {0}, n = 0;
	uint64_t left = in->mask, leaders = 0;

	memset(still, 0, (MAX_LANES + 1) * sizeof *still);
	for (uint32_t i = 0; i < in->n_lanes; i++, left &= left - 1) {
		uint32_t k = 0;

		while (k < n && out->address[k] != in->address[i])
			k++;
		if (k == n) {
			leaders |= left & -left;
			out->address[n++] = in->address[i];
		}
		still[count[k]++]++;
	}
	out->mask = (LaneMask)leaders;
	out->n_lanes = (uint8_t)n;
	out->has_values = false; /* the leader's operand is another */
	change_settle(out);
}

/* Whether every lane adds 1: no operand is known to be another. */
static bool counts_only(const Record *record)
{
	if (record->operation != OPERATION_ADD || record->type == TYPE_F32 ||
	    record->type == TYPE_F64)
		return false;
	for (uint32_t i = 0; record->has_values && i < record->n_lanes; i++)
		if (record->value[i] != 1)
			return false;
	return true;
}

static bool is_atomic(const Record *record)
{
	return record->kind == RECORD_ATOM || record->kind == RECORD_ATOMG;
}

/* What the warp does before its leaders act, the i-th piece; false: no more. */
static bool find_leaders(const Change *change, const Record *in, const uint32_t *still,
			 uint32_t i, Record *out)
{
	const bool ones = counts_only(in);

	if (change->stride_bytes) {
		change_code(change, ones ? CODES_ONES : CODES_REDUCE,
			    ones ? ONES_INSTRUCTIONS : REDUCE_INSTRUCTIONS, in, out);
		return i == 0;
	}
	if (i == 0) {
		change_code(change, CODES_MATCH + still[0],
			    MATCH_INSTRUCTIONS + MATCH_WORD_INSTRUCTIONS * still[0], in, out);
		return true;
	}
	change_code(change, CODES_STEP + still[i - 1], STEP_INSTRUCTIONS, in, out);
	return !ones && still[i - 1] > 0;
}

/* What the warp does for old values behind its leaders' atomics, the i-th piece; false: no more. */
static bool find_old_values(const Change *change, const Record *in, uint32_t words, uint32_t i,
			    Record *out)
{
	if (!in->result)
		return false;
	if (i == 0 && !change->stride_bytes) {
		change_code(change, CODES_CHECK + words, CHECK_INSTRUCTIONS, in, out);
		return true;
	}
	change_code(change, CODES_BEHIND, BEHIND_INSTRUCTIONS, in, out);
	return i == !change->stride_bytes;
}

static bool expand(const Change *change, const Place *place, const Record *in, uint32_t i,
		   Record *out)
{
	uint32_t still[MAX_LANES + 1], n_before = 0;
	Record piece;

	(void)place;
	*out = *in;
	if (!is_atomic(in))
		return i == 0;
	keep_leaders(in, out, still);
	while (find_leaders(change, in, still, n_before, &piece)) {
		if (n_before++ == i) {
			*out = piece;
			return true;
		}
	}
	return i == n_before || find_old_values(change, in, still[0], i - n_before - 1, out);
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
	const uint8_t shuffle[REDUCE_INSTRUCTIONS] = {CODE_SHUFFLE, add, CODE_SHUFFLE, add,
						      CODE_SHUFFLE, add, CODE_SHUFFLE, add,
						      CODE_SHUFFLE, add, CODE_COMPARE};
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
	gaps[CODES_REDUCE] =
		code_add(code, site, CODE_BEFORE, add == CODE_INT ? reduce : shuffle,
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

static void add_code(Change *change, const SharedArray *array, Code *code)
{
	change->n_codes = N_CODES;
	change->gaps = g_new0(uint32_t, MAX((size_t)change->n_sites * N_CODES, 1));
	for (guint i = 0; i < array->sites->len; i++) {
		const uint32_t site = g_array_index(array->sites, uint32_t, i);

		if (site > 0 && site <= change->n_sites)
			add_site(change, site, code_class_of(array->types), code);
	}
}

const ChangeKind change_aggregate = {
	.name = "aggregate",
	.of_atomics = true,
	.keeps_values = true,
	.drops_tries = true,
	.in_buffers = true,
	.read = read_aggregate,
	.plan = plan,
	.add_code = add_code,
	.expand = expand,
};
