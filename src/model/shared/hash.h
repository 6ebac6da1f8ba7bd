/* SPDX-License-Identifier: MIT */
/*
 * Hash functions from a word's index to a bank or to a lock bit.
 *
 * A hash of a given size n maps any 32-bit word index to 0 .. n-1. Most are linear over GF(2) and
 * need a power of two; a row of the table says so. Pure; who may include it: model and every layer
 * above.
 */
#ifndef ATOMSIM_MODEL_SHARED_HASH_H
#define ATOMSIM_MODEL_SHARED_HASH_H

#include <stdbool.h>
#include <stdint.h>

#define HASH_MAX_SIZE	65536 /* entries: locks or banks */
#define HASH_MAX_BITS	16    /* log2 of the above */
#define HASH_MAX_SHIFTS 4

/* What a config asks for. Plain data. */
typedef struct {
	const char *name; /* a row of hash_kinds, or "matrix" */
	/* xor: index ^= index >> shift for each given shift; none given: log2(size), 2*log2(size) */
	uint32_t n_shifts;
	uint32_t shifts[HASH_MAX_SHIFTS]; /* 1 .. 31 */
	/* matrix: output bit i is the parity of (index & rows[i]); n_rows must be log2(size) */
	uint32_t n_rows;
	uint32_t rows[HASH_MAX_BITS];
} HashSpec;

/* A hash of a definite size. Plain data, copied freely. */
typedef struct {
	uint32_t size; /* entries, 1 .. HASH_MAX_SIZE */
	bool linear;   /* over GF(2): rows hold it; else map */
	/* Not linear: the image, below size, of a word. */
	uint32_t (*map)(uint32_t word, uint32_t size);
	uint32_t n_bits;	      /* linear: log2(size) */
	uint32_t rows[HASH_MAX_BITS]; /* linear: output bit i = parity(index & rows[i]) */
} Hash;

/* A kind of hash: one row of the table that `atomsim list` prints. */
typedef struct {
	const char *name;
	const char *summary;
	const char *source; /* where the function comes from */
	bool any_size;	    /* false: the size must be a power of two */
	/* One of the two. Linear over GF(2): fills hash->rows for hash->n_bits outputs. */
	void (*build)(const HashSpec *spec, Hash *hash);
	/* Any other function: the image, below size, of a word. */
	uint32_t (*map)(uint32_t word, uint32_t size);
} HashKind;

/* NULL-terminated by a row whose name is NULL. */
extern const HashKind hash_kinds[];
const HashKind *hash_find(const char *name);

/* Why this spec cannot have this size, as a constant string; NULL if it can. */
const char *hash_problem(const HashSpec *spec, uint32_t size);
/* Builds. The spec must have no problem (g_assert). */
void hash_build(const HashSpec *spec, uint32_t size, Hash *hash);

/* The hash as a matrix of log2(size) rows, which also `mod` of a power of two is. Returns their
   number, or UINT32_MAX for a hash that is not linear: `mod` of another size, `mul`. */
uint32_t hash_rows(const Hash *hash, uint32_t rows[HASH_MAX_BITS]);

/* XORs of two inputs that it takes of an index of n_bits bits, none shared; UINT32_MAX for a hash that is not linear. */
uint32_t hash_gates(const Hash *hash, uint32_t n_bits);

/* Whether it is word % size: of a power of two a matrix, of another size none. */
bool hash_is_modulo(const Hash *hash);

/* Word index -> 0 .. size-1. */
uint32_t hash_apply(const Hash *hash, uint32_t word);

/* The images of words 0 .. n_words-1; size at most HASH_MAX_SIZE, so 16 bits hold them. g_free. */
uint16_t *hash_tabulate(const Hash *hash, uint32_t n_words);

#endif
