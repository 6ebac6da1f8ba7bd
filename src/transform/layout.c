/* SPDX-License-Identifier: MIT */
/*
 * pad=ROW:WORDS, hash=xor and scatter=SEED: another place for each word of an array. The program reads and
 * writes what it did, so any access but one that a row's end would cut is sound.
 *
 * hash=xor combines a word's place in its row of 32 with the number of the row.
 * scatter is a yardstick and no program: atomics go to random words, so that conflicts are what the
 * size of the array alone makes of them.
 * Charged: the shared memory of padding; before each access HASH_INSTRUCTIONS for a hash, and for padding nothing, as the
 * compiler multiplies by another row length. But where the lanes of an instruction are not all in one row or one column, the
 * array has no rows and columns in the program, and each index takes INDEX_INSTRUCTIONS (on an H200 0.9 an access in scan-0 and
 * scan-1 of measurements/h200/kernels, 2.8 in tree and tree-pad of measurements/h200/variants.csv). An access of several words
 * that a row would cut is made in parts.
 */
#include "base/error.h"
#include "transform/change.h"

#define MAX_ROW		   65536
#define MAX_PAD		   1024
#define HASH_ROW	   32 /* words, as many as there are banks on every GPU since Fermi */
#define INDEX_INSTRUCTIONS 2  /* of a place that is no row and column */
#define HASH_INSTRUCTIONS  1  /* of one that is */

/* The arithmetic of an index, at each site that reaches the array. */
static void add_index_code(Change *change, const SharedArray *array, Code *code)
{
	static const uint8_t classes[INDEX_INSTRUCTIONS] = {CODE_INT, CODE_INT};

	(void)array;
	if (change->index_instructions == 0)
		return;
	change->n_codes = 1;
	change->gaps = g_new(uint32_t, MAX(change->n_sites, 1));
	for (uint32_t site = 1; site <= change->n_sites; site++)
		change->gaps[site - 1] = code_add(code, site, CODE_ADDRESS, classes,
						  change->index_instructions, 0);
}

/* Whether the lanes are all in one row of the array, or all in one column. */
static bool is_in_line(const Change *change, const Record *record)
{
	const uint32_t row_bytes = 4 * change->row_words;
	const uint32_t first = record->address[0] - change->first;
	bool row = true, column = true;

	for (uint32_t i = 1; i < record->n_lanes; i++) {
		const uint32_t place = record->address[i] - change->first;

		row = row && place / row_bytes == first / row_bytes;
		column = column && place % row_bytes == first % row_bytes;
	}
	return row || column;
}

/* Whether all accesses of a warp are; *good turns false if the stream fails. */
static bool warp_is_in_line(const Change *change, WarpStream *stream, bool *good)
{
	StreamStatus status = STREAM_FAILED;
	bool in_line = true;
	Record record;

	while (stream != NULL && (status = stream->next(stream, &record)) == STREAM_RECORD)
		in_line = in_line &&
			  (!change_reaches(change, &record) || is_in_line(change, &record));
	if (stream != NULL)
		stream->close(stream);
	*good = status == STREAM_END;
	return in_line;
}

/* What an index takes. FALSE: a stream failed. */
static gboolean plan_index(Change *change, RecordSource *source, uint32_t in_line)
{
	bool good = true;

	change->index_instructions = in_line;
	for (uint64_t block = 0; good && block < source->n_blocks; block++) {
		BlockInfo info;

		source->block_info(source, block, &info);
		for (uint32_t warp = 0; good && warp < info.n_warps; warp++)
			if (!warp_is_in_line(change, source->open_warp(source, block, warp),
					     &good))
				change->index_instructions = INDEX_INSTRUCTIONS;
	}
	return good;
}

/* --- pad --- */

static gboolean read_pad(Change *change, const char *value, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(value, ":", 2);

	if (!parts[0] || !parts[1])
		return atomsim_fail(
			error, ATOMSIM_ERROR_USAGE,
			"pad=%s; allowed: pad=ROW:WORDS, as in pad=32:1, or after "
			"replicate=, words after each copy, as in replicate=4,pad=1",
			value);
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

/* Bytes of the parts that an access is made in: rows and gaps are multiples of that. */
static uint32_t part_bytes(const Change *change, uint32_t width)
{
	while ((change->row_words * 4 | change->pad_words * 4) % width != 0)
		width /= 2;
	return width;
}

static gboolean plan_pad(Change *change, const SharedArray *array, RecordSource *source,
			 GError **error)
{
	uint32_t last = change->end - change->first - 1;
	const uint32_t parts = part_bytes(change, array->widest);

	if (parts < 4 || (array->atomics > 0 && parts < change->atom_width))
		return atomsim_fail(
			error, ATOMSIM_ERROR_INPUT,
			"its accesses of %u bytes would be cut by rows of %u and gaps of %u "
			"bytes",
			array->widest, change->row_words * 4, change->pad_words * 4);
	return change_set_size(change, pad_place(change, last) + 1, error) &&
	       plan_index(change, source, 0);
}

static bool expand_pad(const Change *change, const Place *place, const Record *in, uint32_t i,
		       Record *out)
{
	const uint32_t parts = part_bytes(change, in->width);

	(void)place;
	if (change->index_instructions > 0) {
		if (i == 0) {
			change_code(change, 0, change->index_instructions, in, out);
			return true;
		}
		i--;
	}
	*out = *in;
	out->width = (uint8_t)parts;
	for (uint32_t k = 0; k < in->n_lanes; k++)
		out->address[k] =
			change->first +
			(uint32_t)pad_place(change, in->address[k] + i * parts - change->first);
	return i * parts < in->width;
}

const ChangeKind change_pad = {
	.name = "pad",
	.read = read_pad,
	.plan = plan_pad,
	.add_code = add_index_code,
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

static gboolean plan_hash(Change *change, const SharedArray *array, RecordSource *source,
			  GError **error)
{
	(void)source;
	uint64_t rows = (change->end - change->first + 4 * HASH_ROW - 1) / (4 * HASH_ROW);

	if (array->widest > 4)
		return atomsim_fail(
			error, ATOMSIM_ERROR_INPUT,
			"its accesses of %u bytes take several words, which a hash parts",
			array->widest);
	change->row_words = HASH_ROW;
	return change_set_size(change, rows * 4 * HASH_ROW, error) &&
	       plan_index(change, source, HASH_INSTRUCTIONS);
}

static bool expand_hash(const Change *change, const Place *place, const Record *in, uint32_t i,
			Record *out)
{
	(void)place;
	*out = *in;
	if (i == 0) {
		change_code(change, 0, change->index_instructions, in, out);
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
	.add_code = add_index_code,
	.expand = expand_hash,
};

/* --- scatter --- */

static gboolean read_scatter(Change *change, const char *value, GError **error)
{
	return change_read_number("scatter", value, 0, UINT32_MAX, &change->seed, error);
}

static gboolean plan_scatter(Change *change, const SharedArray *array, RecordSource *source,
			     GError **error)
{
	(void)source;
	change->by_block = true;
	if (array->atomics > 0)
		return change_set_size(change, change->end - change->first, error);
	return atomsim_fail(error, ATOMSIM_ERROR_INPUT, "no atomic touches that array");
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
	.read = read_scatter,
	.plan = plan_scatter,
	.expand = expand_scatter,
};
