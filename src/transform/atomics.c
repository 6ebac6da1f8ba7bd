/* SPDX-License-Identifier: MIT */
/*
 * aggregate=warp: the lanes of a warp that want one word find each other, and the lowest acts for
 * all. type=u32|s32: sums of fixed-point integers in place of floats. mechanism=NAME: another way of the
 * machine to do them.
 *
 * Charged for aggregation: MATCH_INSTRUCTIONS, and MATCH_WORD_INSTRUCTIONS for each different word, that
 * find the lanes of a word, and LEADER_INSTRUCTIONS that choose one and count the others; where the
 * operands must be combined and not just counted (all but 32-bit integer adds, which count), a step of
 * a shuffle, a choice and the operation for each doubling of the most lanes on one word.
 * Charged for integers: a multiplication and a conversion before each atomic.
 */
#include "base/error.h"
#include "transform/change.h"

#define MATCH_INSTRUCTIONS	4
#define MATCH_WORD_INSTRUCTIONS 4
#define LEADER_INSTRUCTIONS	4
#define COMBINE_INSTRUCTIONS	8 /* of a step */
#define CONVERT_INSTRUCTIONS	2

/* --- aggregate --- */

static gboolean read_aggregate(Change *change, const char *value, GError **error)
{
	static const char *const words[] = {"warp"};
	uint32_t place;

	(void)change;
	return change_read_word("aggregate", value, words, G_N_ELEMENTS(words), &place, error);
}

static gboolean plan_aggregate(Change *change, const SharedArray *array, GError **error)
{
	const uint32_t bad = 1u << OPERATION_CAS | 1u << OPERATION_EXCH | 1u << OPERATION_INC |
			     1u << OPERATION_DEC;

	(void)change;
	if (array->atomics > 0 && (array->operations & bad) == 0)
		return TRUE;
	g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT,
			    "aggregation needs atomics that can be combined: add, min, max, "
			    "and, or, xor");
	return FALSE;
}

/* Keeps the lowest lane of each word. Returns the most lanes that wanted one word. */
static uint32_t keep_leaders(const Record *in, Record *out)
{
	uint32_t count[MAX_LANES] = {0}, n = 0, most = 0;
	uint64_t left = in->mask, leaders = 0;

	for (uint32_t i = 0; i < in->n_lanes; i++, left &= left - 1) {
		uint32_t k = 0;

		while (k < n && out->address[k] != in->address[i])
			k++;
		if (k == n) {
			leaders |= left & -left;
			out->address[n++] = in->address[i];
		}
		count[k]++;
		most = MAX(most, count[k]);
	}
	out->mask = (LaneMask)leaders;
	out->n_lanes = (uint8_t)n;
	out->has_values = false; /* the leader's operand is another */
	return most;
}

static bool counts_only(const Record *record)
{
	return record->operation == OPERATION_ADD &&
	       (record->type == TYPE_U32 || record->type == TYPE_S32);
}

static bool expand_aggregate(const Change *change, const Place *place, const Record *in,
			     uint32_t i, Record *out)
{
	uint32_t most;

	(void)change;
	(void)place;
	*out = *in;
	if (in->kind != RECORD_ATOM)
		return i == 0;
	most = keep_leaders(in, out);
	if (i > 0)
		return i == 1;
	out->kind = RECORD_ALU;
	out->count = MATCH_INSTRUCTIONS + MATCH_WORD_INSTRUCTIONS * out->n_lanes +
		     LEADER_INSTRUCTIONS;
	for (uint32_t lanes = 1; !counts_only(in) && lanes < most; lanes *= 2)
		out->count += COMBINE_INSTRUCTIONS;
	out->n_lanes = 0;
	return true;
}

const ChangeKind change_aggregate = {
	.name = "aggregate",
	.of_atomics = true,
	.read = read_aggregate,
	.plan = plan_aggregate,
	.expand = expand_aggregate,
};

/* --- type --- */

static gboolean read_type(Change *change, const char *value, GError **error)
{
	static const char *const words[] = {"u32", "s32"};
	uint32_t place;

	if (!change_read_word("type", value, words, G_N_ELEMENTS(words), &place, error))
		return FALSE;
	change->type = place == 0 ? TYPE_U32 : TYPE_S32;
	return TRUE;
}

static gboolean plan_type(Change *change, const SharedArray *array, GError **error)
{
	const uint32_t floats = 1u << TYPE_F32;

	(void)change;
	if ((array->types & floats) != 0 && (array->operations & ~(1u << OPERATION_ADD)) == 0)
		return TRUE;
	g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT,
			    "only 32-bit float adds can become integer ones, and it has other "
			    "atomics or none");
	return FALSE;
}

static bool expand_type(const Change *change, const Place *place, const Record *in, uint32_t i,
			Record *out)
{
	bool changes = in->kind == RECORD_ATOM && in->type == TYPE_F32;

	(void)place;
	*out = *in;
	if (!changes)
		return i == 0;
	if (i == 0) {
		out->kind = RECORD_ALU;
		out->count = CONVERT_INSTRUCTIONS;
		out->n_lanes = 0;
		return true;
	}
	out->type = change->type;
	out->has_values = false;
	return i == 1;
}

const ChangeKind change_type = {
	.name = "type",
	.of_atomics = true,
	.read = read_type,
	.plan = plan_type,
	.expand = expand_type,
};

/* --- mechanism --- */

static gboolean read_mechanism(Change *change, const char *value, GError **error)
{
	if (*value == '\0') {
		g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
				    "mechanism=; allowed: the name of a mechanism");
		return FALSE;
	}
	change->mechanism = g_strdup(value);
	return TRUE;
}

static gboolean plan_mechanism(Change *change, const SharedArray *array, GError **error)
{
	(void)change;
	if (array->atomics > 0)
		return TRUE;
	g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT,
			    "no atomic touches that array");
	return FALSE;
}

static bool expand_mechanism(const Change *change, const Place *place, const Record *in,
			     uint32_t i, Record *out)
{
	(void)place;
	*out = *in;
	out->mechanism = change->mechanism_number;
	return i == 0;
}

const ChangeKind change_mechanism = {
	.name = "mechanism",
	.of_atomics = true,
	.keeps_values = true,
	.of_machine = true,
	.read = read_mechanism,
	.plan = plan_mechanism,
	.expand = expand_mechanism,
};
