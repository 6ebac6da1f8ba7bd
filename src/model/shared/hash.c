/* SPDX-License-Identifier: MIT */
#include "model/shared/hash.h"

#include <assert.h>
#include <glib.h>
#include <stddef.h>
#include <string.h>

#include "model/shared/gf2.h"

#define WORD_BITS 32

/*
 * Primitive polynomials over GF(2) by degree, bit k being the coefficient of x^k. Degree 5 is the
 * one that Rau 1991 gives for 32 banks; the others have the fewest terms there are.
 */
static const uint32_t primitive_polynomials[HASH_MAX_BITS + 1] = {
	[0] = 0x1,     [1] = 0x3,      [2] = 0x7,     [3] = 0xb,     [4] = 0x13,
	[5] = 0x25,    [6] = 0x43,     [7] = 0x83,    [8] = 0x11d,   [9] = 0x211,
	[10] = 0x409,  [11] = 0x805,   [12] = 0x1053, [13] = 0x201b, [14] = 0x4443,
	[15] = 0x8003, [16] = 0x1100b,
};

/* A linear map is known by what it makes of single bits: sets input bit `bit`'s column. */
static void set_column(Hash *hash, uint32_t bit, uint32_t image)
{
	for (uint32_t i = 0; i < hash->n_bits; i++)
		hash->rows[i] |= ((image >> i) & 1) << bit;
}

static void build_xor(const HashSpec *spec, Hash *hash)
{
	uint32_t shifts[HASH_MAX_SHIFTS] = {hash->n_bits, 2 * hash->n_bits};
	uint32_t n_shifts = 2;

	if (spec->n_shifts) {
		n_shifts = spec->n_shifts;
		memcpy(shifts, spec->shifts, n_shifts * sizeof(*shifts));
	}
	for (uint32_t bit = 0; bit < WORD_BITS; bit++) {
		uint32_t image = UINT32_C(1) << bit;

		for (uint32_t s = 0; s < n_shifts; s++) {
			/* 2 * log2(65536) shifts everything out, which C leaves undefined. */
			if (shifts[s] < WORD_BITS)
				image ^= image >> shifts[s];
		}
		set_column(hash, bit, image);
	}
}

static void build_ipoly(const HashSpec *spec, Hash *hash)
{
	uint32_t polynomial = primitive_polynomials[hash->n_bits];
	uint32_t residue = hash->n_bits ? 1 : 0; /* of x^bit */

	(void)spec;
	for (uint32_t bit = 0; bit < WORD_BITS; bit++) {
		set_column(hash, bit, residue);
		residue <<= 1;
		if (residue & hash->size)
			residue ^= polynomial;
	}
}

static void build_matrix(const HashSpec *spec, Hash *hash)
{
	memcpy(hash->rows, spec->rows, hash->n_bits * sizeof(*hash->rows));
}

static uint32_t map_mod(uint32_t word, uint32_t size)
{
	/* A mask is many times faster than a division, and this is the usual case. */
	uint32_t mask = size - 1;

	return size & mask ? word % size : word & mask;
}

/* Fibonacci hashing: the high bits of the product with 2^32 divided by the golden ratio. */
static uint32_t map_mul(uint32_t word, uint32_t size)
{
	uint32_t product = word * UINT32_C(2654435769);

	return (uint32_t)((uint64_t)product * size >> 32);
}

const HashKind hash_kinds[] = {
	{
		.name = "mod",
		.summary = "word % size: the low bits of the address",
		.source = "US patent 8,375,176; Gomez-Luna et al., TPDS 2013",
		.any_size = true,
		.map = map_mod,
	},
	{
		.name = "xor",
		.summary = "the low bits XORed with higher ones",
		.source = "bitwise XOR functions: van den Braak et al., IEEE TC 65(7), 2016",
		.any_size = false,
		.build = build_xor,
	},
	{
		.name = "ipoly",
		.summary = "residue of the word modulo a primitive polynomial over GF(2)",
		.source = "Rau, Pseudo-randomly interleaved memory, ISCA 1991",
		.any_size = false,
		.build = build_ipoly,
	},
	{
		.name = "mul",
		.summary = "high bits of the word times 2^32 / golden ratio; not linear over "
			   "GF(2)",
		.source = "Knuth, The Art of Computer Programming 3, 6.4: Fibonacci hashing",
		.any_size = true,
		.map = map_mul,
	},
	{0},
};

/* Not a row of the table: it cannot be had by its name alone. */
static const HashKind matrix_kind = {
	.name = "matrix",
	.summary = "any matrix over GF(2), row by row",
	.source = "Vandierendonck and De Bosschere, IEEE TC 54(7), 2005",
	.any_size = false,
	.build = build_matrix,
};

const HashKind *hash_find(const char *name)
{
	for (const HashKind *kind = hash_kinds; kind->name; kind++) {
		if (strcmp(kind->name, name) == 0)
			return kind;
	}
	return NULL;
}

static const HashKind *kind_of(const HashSpec *spec)
{
	if (!spec->name)
		return NULL;
	return strcmp(spec->name, matrix_kind.name) == 0 ? &matrix_kind : hash_find(spec->name);
}

static uint32_t log2_of(uint32_t size)
{
	return (uint32_t)__builtin_ctz(size);
}

const char *hash_problem(const HashSpec *spec, uint32_t size)
{
	const HashKind *kind = kind_of(spec);

	if (!kind)
		return "there is no such hash";
	if (size < 1 || size > HASH_MAX_SIZE)
		return "the size is not from 1 to 65536";
	if (!kind->any_size && (size & (size - 1)))
		return "the size is not a power of two";
	if (kind->build == build_xor) {
		if (spec->n_shifts > HASH_MAX_SHIFTS)
			return "there are more than 4 shifts";
		for (uint32_t s = 0; s < spec->n_shifts; s++) {
			if (spec->shifts[s] < 1 || spec->shifts[s] >= WORD_BITS)
				return "a shift is not from 1 to 31";
		}
	}
	if (kind == &matrix_kind && spec->n_rows != log2_of(size))
		return "the matrix does not have log2(size) rows";
	return NULL;
}

void hash_build(const HashSpec *spec, uint32_t size, Hash *hash)
{
	const HashKind *kind = kind_of(spec);

	assert(!hash_problem(spec, size));
	*hash = (Hash){.size = size, .map = kind->map};
	if (!kind->build)
		return;
	hash->linear = true;
	hash->n_bits = log2_of(size);
	kind->build(spec, hash);
}

bool hash_is_modulo(const Hash *hash)
{
	return hash->map == map_mod;
}

uint32_t hash_rows(const Hash *hash, uint32_t rows[HASH_MAX_BITS])
{
	if ((hash->size & (hash->size - 1)) || (!hash->linear && hash->map != map_mod))
		return UINT32_MAX;
	for (uint32_t i = 0; i < log2_of(hash->size); i++)
		rows[i] = hash->linear ? hash->rows[i] : UINT32_C(1) << i;
	return log2_of(hash->size);
}

uint32_t hash_gates(const Hash *hash, uint32_t n_bits)
{
	uint32_t rows[HASH_MAX_BITS], gates = 0;
	const uint32_t n = hash_rows(hash, rows);

	if (n == UINT32_MAX)
		return UINT32_MAX;
	for (uint32_t i = 0; i < n; i++) {
		const int inputs = __builtin_popcount(rows[i] & gf2_mask(n_bits));

		gates += inputs > 0 ? (uint32_t)inputs - 1 : 0;
	}
	return gates;
}

uint32_t hash_apply(const Hash *hash, uint32_t word)
{
	uint32_t image = 0;

	if (!hash->linear)
		return hash->map(word, hash->size);
	for (uint32_t i = 0; i < hash->n_bits; i++)
		image |= (uint32_t)__builtin_parity(word & hash->rows[i]) << i;
	return image;
}

uint16_t *hash_tabulate(const Hash *hash, uint32_t n_words)
{
	uint16_t *images = g_new(uint16_t, MAX(n_words, 1));

	images[0] = (uint16_t)hash_apply(hash, 0);
	if (hash_is_modulo(hash)) { /* the usual case: copies of one period */
		for (uint32_t word = 1; word < MIN(hash->size, n_words); word++)
			images[word] = (uint16_t)word;
		for (uint32_t n = hash->size; n < n_words; n *= 2)
			memcpy(&images[n], images, MIN(n, n_words - n) * sizeof *images);
		return images;
	}
	for (uint32_t word = 1; word < n_words; word++) {
		uint32_t rest = word & (word - 1);

		/* Linear: the image of a sum is the sum of the images. */
		images[word] =
			(uint16_t)(hash->linear && rest ? images[rest] ^ images[word ^ rest]
							: hash_apply(hash, word));
	}
	return images;
}
