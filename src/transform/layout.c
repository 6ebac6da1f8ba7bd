/* SPDX-License-Identifier: MIT */
/*
 * pad=ROW:WORDS, hash=xor and scatter=SEED: another place for each word of an array. The program reads and
 * writes what it did, so any access but one that a row's end would cut is sound.
 *
 * hash=xor combines a word's place in its row of 32 with the number of the row.
 * scatter is a yardstick and no program: atomics go to random words, so that conflicts are what the
 * size of the array alone makes of them.
 * Charged: the shared memory of padding; for a hash HASH_INSTRUCTIONS before each access, which mask
 * the row and combine it. Padding is free: the compiler multiplies by another row length.
 */
#include "base/error.h"
#include "transform/change.h"

#define MAX_ROW		  65536
#define MAX_PAD		  1024
#define HASH_ROW	  32 /* words, as many as there are banks on every GPU since Fermi */
#define HASH_INSTRUCTIONS 2

/* --- pad --- */

static gboolean read_pad(Change *change, const char *value, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(value, ":", 2);

	if (!parts[0] || !parts[1]) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "pad=%s; allowed: pad=ROW:WORDS, as in pad=32:1", value);
		return FALSE;
	}
	return change_read_number("pad: words of a row", parts[0], 1, MAX_ROW,
				  &change->row_words, error) &&
	       change_read_number("pad: words left out", parts[1], 0, MAX_PAD,
				  &change->pad_words, error);
}

/* The place of a byte of the array, counted from the array's first. */
static uint64_t pad_place(const Change *change, uint32_t byte)
{
	uint64_t row = byte / 4 / change->row_words;

	return byte + 4 * row * change->pad_words;
}

static gboolean plan_pad(Change *change, const SharedArray *array, GError **error)
{
	uint32_t last = change->end - change->first - 1;

	if (change->row_words * 4 % array->widest != 0 ||
	    change->pad_words * 4 % array->widest != 0) {
		g_set_error(
			error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT,
			"its accesses of %u bytes would be cut by rows of %u and gaps of %u "
			"bytes",
			array->widest, change->row_words * 4, change->pad_words * 4);
		return FALSE;
	}
	return change_set_size(change, pad_place(change, last) + 1, error);
}

static bool expand_pad(const Change *change, const Place *place, const Record *in, uint32_t i,
		       Record *out)
{
	(void)place;
	*out = *in;
	for (uint32_t k = 0; k < in->n_lanes; k++)
		out->address[k] = change->first +
				  (uint32_t)pad_place(change, in->address[k] - change->first);
	return i == 0;
}

const ChangeKind change_pad = {
	.name = "pad",
	.read = read_pad,
	.plan = plan_pad,
	.expand = expand_pad,
};

/* --- hash --- */

static gboolean read_hash(Change *change, const char *value, GError **error)
{
	static const char *const hashes[] = {"xor"};
	uint32_t hash;

	(void)change;
	return change_read_word("hash", value, hashes, G_N_ELEMENTS(hashes), &hash, error);
}

static gboolean plan_hash(Change *change, const SharedArray *array, GError **error)
{
	uint64_t rows = (change->end - change->first + 4 * HASH_ROW - 1) / (4 * HASH_ROW);

	if (array->widest > 4) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT,
			    "its accesses of %u bytes take several words, which a hash parts",
			    array->widest);
		return FALSE;
	}
	return change_set_size(change, rows * 4 * HASH_ROW, error);
}

static bool expand_hash(const Change *change, const Place *place, const Record *in, uint32_t i,
			Record *out)
{
	(void)place;
	*out = *in;
	if (i == 0) {
		out->kind = RECORD_ALU;
		out->count = HASH_INSTRUCTIONS;
		out->n_lanes = 0;
		return true;
	}
	for (uint32_t k = 0; k < in->n_lanes; k++) {
		uint32_t byte = in->address[k] - change->first, row = byte / 4 / HASH_ROW;

		out->address[k] = change->first + (byte ^ (4 * (row % HASH_ROW)));
	}
	return i == 1;
}

const ChangeKind change_hash = {
	.name = "hash",
	.read = read_hash,
	.plan = plan_hash,
	.expand = expand_hash,
};

/* --- scatter --- */

static gboolean read_scatter(Change *change, const char *value, GError **error)
{
	return change_read_number("scatter", value, 0, UINT32_MAX, &change->seed, error);
}

static gboolean plan_scatter(Change *change, const SharedArray *array, GError **error)
{
	if (array->atomics > 0)
		return change_set_size(change, change->end - change->first, error);
	g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT,
			    "no atomic touches that array");
	return FALSE;
}

/* One of 2^64 numbers for each, by the finaliser of MurmurHash3 (public domain). */
static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 33) * UINT64_C(0xff51afd7ed558ccd);
	x = (x ^ x >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return x ^ x >> 33;
}

static bool expand_scatter(const Change *change, const Place *place, const Record *in,
			   uint32_t i, Record *out)
{
	uint64_t record = mix(change->seed + mix(place->block + mix(place->warp))) +
			  place->n_before * MAX_LANES;

	*out = *in;
	for (uint32_t k = 0; in->kind == RECORD_ATOM && k < in->n_lanes; k++)
		out->address[k] = change->first +
				  (uint32_t)(mix(record + k) %
					     ((change->end - change->first) / in->width)) *
					  in->width;
	return i == 0;
}

const ChangeKind change_scatter = {
	.name = "scatter",
	.by_block = true,
	.read = read_scatter,
	.plan = plan_scatter,
	.expand = expand_scatter,
};
