/* SPDX-License-Identifier: MIT */
/*
 * Linear algebra over GF(2): a vector is the bits of a word, a matrix its rows. Pure.
 * Who may include it: model and every layer above.
 */
#ifndef ATOMSIM_MODEL_SHARED_GF2_H
#define ATOMSIM_MODEL_SHARED_GF2_H

#include <stdint.h>

#define GF2_MAX_BITS 32

/* The n_bits (0 .. 32) lowest bits. */
uint32_t gf2_mask(uint32_t n_bits);

/* Rank of n_rows (0 .. 32) rows. */
uint32_t gf2_rank(const uint32_t *rows, uint32_t n_rows);

/*
 * A basis of the vectors below 2^n_bits (n_bits 0 .. 32) that every row maps to 0. Two words meet in
 * one entry of a hash iff their XOR is such a vector (Vandierendonck and De Bosschere, IEEE TC
 * 54(7), 2005). Returns its size, n_bits less the rank; basis has room for n_bits vectors.
 */
uint32_t gf2_null_space(const uint32_t *rows, uint32_t n_rows, uint32_t n_bits,
			uint32_t *basis);

#endif
