/* SPDX-License-Identifier: MIT */
/*
 * private=thread: each thread adds up in registers what it would give to the words of an array, and the warps give sums to the words
 * at last. private=block: each block has the array of a buffer in its shared memory, and gives all words to the buffer at its end.
 *
 * Modelled, thread: no atomic, until the warp comes to a barrier, a fence, its end, or a load or store of the array: then for each word
 * that its threads have added to a sum over the lanes and one atomic of one lane.
 * Charged: in an array of one word the operation in place of the atomic, in a larger one a comparison and a choice
 * for each of its words, as registers have no index; five steps of a shuffle and the operation for each sum, or one instruction for
 * 32-bit integers (REDUX).
 * Modelled, block: stores that clear the words and a barrier, the atomics in shared memory, a barrier at the end, and for each word
 * a load and an atomic in the buffer, 32 neighbours at a time, by all warps.
 * Charged: besides these the shared memory, and LOOP_INSTRUCTIONS for each turn.
 * Not modelled: registers. Words that the block never added to, which could be passed over.
 */
#include "base/error.h"
#include "transform/change.h"

#define MAX_WORDS	    16u /* of an array in registers */
#define REDUCE_INSTRUCTIONS 11
#define LOOP_INSTRUCTIONS   4

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

static gboolean plan(Change *change, const SharedArray *array, RecordSource *source,
		     GError **error)
{
	const uint32_t n_words = (change->end - change->first) / MAX(change->atom_width, 1);

	(void)source;
	if (!change_can_be_split(array, error))
		return FALSE;
	if (change->atom_width == 0 || (array->types & (array->types - 1)) != 0) {
		g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT,
				    "its atomics are of several types");
		return FALSE;
	}
	change->type = (uint8_t)g_bit_nth_lsf(array->types, -1);
	if (change->of_threads && (n_words > MAX_WORDS || array->locks > 0)) {
		g_set_error(
			error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT,
			"a thread cannot hold its %u words in registers; allowed: up to %u, "
			"without locks",
			n_words, MAX_WORDS);
		return FALSE;
	}
	if (change->of_threads)
		return TRUE;
	if (array->buffer == 0) {
		g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT,
				    "an array of shared memory is the block's already; name "
				    "one of global memory, as in buffer=1");
		return FALSE;
	}
	change->stride_bytes = (change->block_bytes + 15) / 16 * 16;
	if ((uint64_t)change->stride_bytes + array->end > TRACE_MAX_SHARED_BYTES) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT,
			    "its %u bytes and those of the block are more than the %u that "
			    "shared memory can have",
			    array->end, TRACE_MAX_SHARED_BYTES);
		return FALSE;
	}
	change->shared_bytes = change->stride_bytes + array->end;
	return TRUE;
}

/* --- thread --- */

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

/* --- block --- */

static void append_barrier(GArray *out)
{
	const Record bar = {.kind = RECORD_BAR};

	g_array_append_val(out, bar);
}

/* The atomic that gives the words which a load has read to the buffer, from word `first` on. */
static void append_to_buffer(const Change *change, uint32_t first, const Record *load,
			     GArray *out)
{
	Record record = {.kind = RECORD_ATOMG,
			 .operation = change->operation,
			 .type = change->type,
			 .width = load->width,
			 .n_lanes = load->n_lanes,
			 .mask = load->mask,
			 .site = change->atom_site,
			 .buffer = (uint16_t)change->buffer,
			 .offset = change->base};

	for (uint32_t i = 0; i < load->n_lanes; i++)
		record.address[i] = (first + i) * load->width;
	change_settle(&record);
	g_array_append_val(out, record);
}

/* A warp's turns over all words: in each a store that clears, or a load and an atomic in the buffer. */
static void append_turns(const Change *change, const Place *place, bool clears, GArray *out)
{
	const uint32_t width = change->atom_width, lanes = place->warp_lanes;
	const uint32_t n_words = (change->end - change->first) / width;

	for (uint32_t first = place->warp * lanes; first < n_words;
	     first += place->n_warps * lanes) {
		const uint32_t n = MIN(lanes, n_words - first);
		Record turn = {.kind = RECORD_ALU, .count = LOOP_INSTRUCTIONS};
		Record access = {.kind = clears ? RECORD_STS : RECORD_LDS,
				 .width = (uint8_t)width,
				 .n_lanes = (uint8_t)n,
				 .mask = n == 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1};

		for (uint32_t i = 0; i < n; i++)
			access.address[i] = change->stride_bytes + (first + i) * width;
		g_array_append_val(out, access);
		if (!clears)
			append_to_buffer(change, first, &access, out);
		g_array_append_val(out, turn);
	}
}

static void rewrite_block(const Change *change, const Place *place, const Record *in,
			  GArray *out)
{
	Record record;

	if (in == NULL) {
		append_turns(change, place, true, out);
		append_barrier(out);
		return;
	}
	if (in->kind == RECORD_EXIT) {
		append_barrier(out);
		append_turns(change, place, false, out);
	}
	record = *in;
	if (change_reaches(change, in)) {
		for (uint32_t i = 0; i < in->n_lanes; i++)
			record.address[i] =
				change->stride_bytes + change_place_of(change, in, i);
		record.kind = RECORD_ATOM;
		record.mechanism = 0;
	}
	g_array_append_val(out, record);
}

static void rewrite(const Change *change, const Place *place, WarpState *state,
		    const Record *in, GArray *out)
{
	if (!change->of_threads)
		rewrite_block(change, place, in, out);
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
	.read = read_private,
	.plan = plan,
	.add_code = add_code,
	.rewrite = rewrite,
};
