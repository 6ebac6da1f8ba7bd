/* SPDX-License-Identifier: MIT */
/*
 * private=thread: each thread adds up in registers what it would give to the words of an array, and the warps give sums to the words
 * at last. private=block is in private-block.c.
 *
 * Modelled: no atomic, until the warp comes to a barrier, a fence, its end, or a load or store of the array: then for each word
 * that its threads have added to a sum over the lanes and one atomic of one lane.
 * Charged: in an array of one word the operation in place of the atomic, in a larger one a comparison and a choice
 * for each of its words, as registers have no index; five steps of a shuffle and the operation for each sum, or one instruction for
 * 32-bit integers (REDUX).
 * Not modelled: registers.
 */
#include "base/error.h"
#include "base/names.h"
#include "transform/change.h"

#define MAX_WORDS	    16u /* of an array in registers */
#define REDUCE_INSTRUCTIONS 11

enum { CODES_OWN, CODES_REDUCE, N_CODES };

static gboolean read_private(Change *change, const char *value, GError **error)
{
	static const char *const words[] = {"block", "thread"};
	uint32_t place;

	if (!change_read_word("private", value, words, G_N_ELEMENTS(words), &place, error))
		return FALSE;
	change->of_threads = place == 1;
	return TRUE;
}

static gboolean read_option(Change *change, const char *name, const char *value, GError **error)
{
	static const char *const words[] = {"all", "reached"};
	uint32_t place;

	if (!g_str_equal(name, "words"))
		return FALSE;
	if (!change_read_word("words", value, words, G_N_ELEMENTS(words), &place, error))
		return FALSE;
	if (change->of_threads)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "words= is for private=block");
	change->reached_only = place == 1;
	return TRUE;
}

static gboolean plan(Change *change, const SharedArray *array, RecordSource *source,
		     GError **error)
{
	const uint32_t n_words = (change->end - change->first) / MAX(change->atom_width, 1);

	if (!change_can_be_split(array, error))
		return FALSE;
	if (change->atom_width == 0 || (array->types & (array->types - 1)) != 0)
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "its atomics are of several types");
	change->type = (uint8_t)g_bit_nth_lsf(array->types, -1);
	if (change->type >= N_SHARED_TYPES)
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "its atomics are of %s, which only global memory has",
				    value_type_names[change->type]);
	if (change->of_threads && (n_words > MAX_WORDS || array->locks > 0))
		return atomsim_fail(
			error, ATOMSIM_ERROR_INPUT,
			"a thread cannot hold its %u words in registers; allowed: up to %u, "
			"without locks",
			n_words, MAX_WORDS);
	if (change->of_threads)
		return TRUE;
	if (array->buffer == 0)
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "an array of shared memory is the block's already; name "
				    "one of global memory, as in buffer=1");
	return private_plan_block(change, array, source, error);
}

static void add_own(const Change *change, WarpState *state, const Record *in, GArray *out)
{
	const uint32_t n_words = (change->end - change->first) / in->width;
	Record own;

	for (uint32_t i = 0; i < in->n_lanes; i++)
		state->pending |= UINT64_C(1)
				  << change_place_of(change, in, i) / in->width % 64;
	state->atom = *in;
	change_code(change, CODES_OWN, n_words > 1 ? 2 * n_words : 1, in, &own);
	g_array_append_val(out, own);
}

/* The sum over the lanes of each word that has one, and its atomic. */
static void flush(const Change *change, WarpState *state, GArray *out)
{
	const uint64_t base = change->buffer > 0 ? change->base : change->first;

	for (; state->pending; state->pending &= state->pending - 1) {
		const uint32_t word = (uint32_t)__builtin_ctzll(state->pending);
		Record record;

		change_code(change, CODES_REDUCE, REDUCE_INSTRUCTIONS, &state->atom, &record);
		g_array_append_val(out, record);
		record = state->atom;
		record.mask = 1;
		record.n_lanes = 1;
		record.has_values = false;
		if (change->buffer > 0)
			record.offset = base;
		record.address[0] =
			word * record.width + (change->buffer > 0 ? 0 : change->first);
		change_settle(&record);
		g_array_append_val(out, record);
	}
}

static void rewrite_thread(const Change *change, WarpState *state, const Record *in,
			   GArray *out)
{
	const bool reaches = change_reaches(change, in);

	if (reaches && (in->kind == RECORD_ATOM || in->kind == RECORD_ATOMG)) {
		add_own(change, state, in, out);
		return;
	}
	if (reaches || in->kind == RECORD_BAR || in->kind == RECORD_FENCE ||
	    in->kind == RECORD_EXIT)
		flush(change, state, out);
	g_array_append_val(out, *in);
}

static void rewrite(const Change *change, const Place *place, WarpState *state,
		    const Record *in, GArray *out)
{
	if (!change->of_threads)
		private_rewrite_block(change, place, in, out);
	else if (in != NULL)
		rewrite_thread(change, state, in, out);
}

/* --- Code --- */

static void add_site(Change *change, uint32_t site, uint32_t n_words, uint8_t add, Code *code)
{
	const uint8_t reduce[REDUCE_INSTRUCTIONS] = {CODE_SHUFFLE, add, CODE_SHUFFLE, add,
						     CODE_SHUFFLE, add, CODE_SHUFFLE, add,
						     CODE_SHUFFLE, add, CODE_COMPARE};
	/* Integers of 32 bits by one instruction. */
	const uint8_t reduce_int[] = {CODE_REDUCE, CODE_MOVE, CODE_COMPARE, CODE_MOVE};
	uint8_t own[2 * MAX_WORDS];
	uint32_t *gaps = change->gaps + (size_t)(site - 1) * N_CODES;

	for (uint32_t i = 0; i < n_words; i++) {
		own[2 * i] = CODE_COMPARE;
		own[2 * i + 1] = add;
	}
	gaps[CODES_REDUCE] =
		add == CODE_INT && change->atom_width == 4
			? code_add(code, site, CODE_BEFORE, reduce_int,
				   G_N_ELEMENTS(reduce_int), 0)
			: code_add(code, site, CODE_BEFORE, reduce, REDUCE_INSTRUCTIONS, 0);
	gaps[CODES_OWN] = n_words > 1 ? code_add(code, site, CODE_APART, own, 2 * n_words, 0)
				      : code_add(code, site, CODE_BEFORE, &add, 1, 0);
}

static void add_code(Change *change, const SharedArray *array, Code *code)
{
	const uint32_t n_words = (change->end - change->first) / change->atom_width;
	const uint8_t add = code_class_of(array->types);

	if (!change->of_threads)
		return;
	change->n_codes = N_CODES;
	change->gaps = g_new0(uint32_t, MAX((size_t)change->n_sites * N_CODES, 1));
	for (guint i = 0; i < array->sites->len; i++) {
		const uint32_t site = g_array_index(array->sites, uint32_t, i);

		if (site > 0 && site <= change->n_sites)
			add_site(change, site, n_words, add, code);
	}
}

const ChangeKind change_private = {
	.name = "private",
	.of_atomics = true,
	.drops_tries = true,
	.ends_loops = true,
	.in_buffers = true,
	.options = "words=, ",
	.read = read_private,
	.read_option = read_option,
	.plan = plan,
	.add_code = add_code,
	.rewrite = rewrite,
};
