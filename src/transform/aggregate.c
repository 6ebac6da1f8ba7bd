/* SPDX-License-Identifier: MIT */
/*
 * aggregate=warp: the lanes of a warp that want one word combine their operands, and the lowest acts for all.
 *
 * Modelled: the leaders' atomics alone, in shared memory or in a buffer. Where the program uses old values, each lane has the leader's
 * and adds what the lanes before it added.
 * Charged: in an array of one word a reduction of the warp: a vote and a count for adds of 1, else five steps of a shuffle and the
 * operation. aggregate=segments: lanes that want one word are next to each other, as where a program has sorted by it; the first of each run
 * acts for all. Six shuffles of the words, compared with the lane's own, and five steps of a shuffle and the operation for each atomic.
 * aggregate=tree: the same where a warp's lanes never want different words, as the program knows and an array does not say;
 * sums of several atomics behind one another in a buffer are made together, as nvcc orders them. aggregate=serial: there a vote, and a turn
 * of a loop for each lane, in which the lowest gets its operand by a shuffle. Elsewhere __match_any_sync, whose time grows with the
 * different words, and the choice of the leader; but for
 * adds of 1 a step of STEP_INSTRUCTIONS for each lane of the largest group, in which a lane fetches one operand, behind a
 * synchronisation of the groups that are not through (as nvcc makes it of traces/kernels/variants.cu). Where old values are used
 * a shuffle, a count and an addition; in a larger array nvcc looks ahead of the shuffle whether all lanes of a group are there,
 * by __match_any_sync of their masks. least=N: a vote, and where fewer lanes want the word each acts for itself.
 */
#include <string.h>

#include "base/error.h"
#include "transform/aggregate.h"

static gboolean read_aggregate(Change *change, const char *value, GError **error)
{
	static const char *const words[] = {"warp", "tree", "serial", "segments"};
	uint32_t place;

	if (!change_read_word("aggregate", value, words, G_N_ELEMENTS(words), &place, error))
		return FALSE;
	change->of_warps = place > 0;
	change->one_by_one = place == 2;
	change->segments = place == 3;
	return TRUE;
}

static gboolean read_option(Change *change, const char *name, const char *value, GError **error)
{
	return g_str_equal(name, "least") &&
	       change_read_number("least", value, 1, MAX_LANES, &change->least, error);
}

static gboolean plan(Change *change, const SharedArray *array, RecordSource *source,
		     GError **error)
{
	const uint32_t bad = 1u << OPERATION_CAS | 1u << OPERATION_EXCH | 1u << OPERATION_INC |
			     1u << OPERATION_DEC | 1u << OPERATION_UPDATE;

	(void)source;
	change->one_word = change->of_warps || array->end - array->first <= change->atom_width;
	if (array->atomics == 0 || (array->operations & bad) != 0)
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "aggregation needs atomics that can be combined: add, min, "
				    "max, and, or, xor");
	if (change->segments && (change->least > 0 || array->atomics_with_result > 0))
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "aggregate=segments sums up runs of any length, and leaves "
				    "no old values: allowed without least=, for atomics whose "
				    "results are not used");
	if ((array->atomics_apart > 0 && change->of_warps && !change->segments) ||
	    (change->least > 0 && !change->one_word))
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "lanes of its warps access different words; allowed for "
				    "such: aggregate=warp or segments, without least=");
	if (array->atomics_with_result == 0 || array->operations == 1u << OPERATION_ADD)
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			    "the program uses the old values of its atomics, which only adds "
			    "let the lanes of a warp work out");
}

/* Keeps the first lane of each run of lanes that want one word. */
static void keep_heads(const Record *in, Record *out)
{
	uint64_t left = in->mask;
	uint32_t n = 0;

	out->mask = 0;
	for (uint32_t i = 0; i < in->n_lanes; i++, left &= left - 1)
		if (i == 0 || in->address[i] != in->address[i - 1]) {
			out->mask |= (LaneMask)(left & -left);
			out->address[n++] = in->address[i];
		}
	out->n_lanes = (uint8_t)n;
	out->has_values = false;
	change_settle(out);
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

/* Whether the atomic's operands are summed up with those of one before it. */
static bool is_behind(const Change *change, const Record *in)
{
	return change->gaps != NULL && in->site > 0 && in->site <= change->n_sites &&
	       change->gaps[(size_t)(in->site - 1) * N_CODES + CODES_REDUCE] == NO_CODE;
}

/* What a warp that wants one word does before its leader acts, the i-th piece; false: no more. */
static bool reduce(const Change *change, const Record *in, bool ones, uint32_t i, Record *out)
{
	const bool votes = ones || change->one_by_one || change->least > 0;

	if (is_behind(change, in))
		return false;
	if (change->segments) {
		if (i == 0)
			change_code(change, CODES_RUNS, RUNS_INSTRUCTIONS, in, out);
		else
			change_code(change, CODES_REDUCE, REDUCE_INSTRUCTIONS, in, out);
		return i < 2;
	}
	if (i == 0 && votes) {
		change_code(change, CODES_ONES, ONES_INSTRUCTIONS, in, out);
		return true;
	}
	if (ones || in->n_lanes < change->least)
		return false;
	i -= votes;
	if (!change->one_by_one) {
		change_code(change, CODES_REDUCE, REDUCE_INSTRUCTIONS, in, out);
		return i == 0;
	}
	if (i % 2 == 0)
		change_code(change, CODES_SERIAL, SERIAL_INSTRUCTIONS, in, out);
	else
		change_code(change, CODES_TURN, TURN_INSTRUCTIONS, in, out);
	return i < 2u * in->n_lanes;
}

/* What the warp does before its leaders act, the i-th piece; false: no more. */
static bool find_leaders(const Change *change, const Record *in, const uint32_t *still,
			 uint32_t i, Record *out)
{
	const bool ones = !change->segments && counts_only(in);

	if (change->one_word)
		return reduce(change, in, ones, i, out);
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
	if (i == 0 && !change->one_word) {
		change_code(change, CODES_CHECK + words, CHECK_INSTRUCTIONS, in, out);
		return true;
	}
	change_code(change, CODES_BEHIND, BEHIND_INSTRUCTIONS, in, out);
	return i == !change->one_word;
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
	memset(still, 0, sizeof still);
	if (change->segments)
		keep_heads(in, out);
	else if (in->n_lanes >= change->least)
		keep_leaders(in, out, still);
	while (find_leaders(change, in, still, n_before, &piece)) {
		if (n_before++ == i) {
			*out = piece;
			return true;
		}
	}
	return i == n_before || (in->n_lanes >= change->least &&
				 find_old_values(change, in, still[0], i - n_before - 1, out));
}

const ChangeKind change_aggregate = {
	.name = "aggregate",
	.of_atomics = true,
	.keeps_values = true,
	.drops_tries = true,
	.in_buffers = true,
	.options = "least=, ",
	.read = read_aggregate,
	.read_option = read_option,
	.plan = plan,
	.add_code = aggregate_add_code,
	.expand = expand,
};
