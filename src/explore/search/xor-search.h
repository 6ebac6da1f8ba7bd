/* SPDX-License-Identifier: MIT */
/*
 * The best XOR hash for a set of accesses, as pure arithmetic.
 *
 * Searched are the permutation-based hashes H = [I | P] over GF(2): output bit i is bit i of the
 * word XORed with higher bits of it, so that word <-> (entry, row) stays a bijection and any aligned
 * run of `size` words takes an entry each, as with `mod`. Two words meet iff the XOR of their
 * indexes is in the null space of H (Vandierendonck and De Bosschere, IEEE TC 54(7), 2005), which
 * for these is {(P h, h)}: so from a table of how often each XOR occurs, the pairs in conflict
 * of any H are a sum over all h. P is known by its columns: what each higher bit of the word flips
 * in the entry. Who may include it: explore.
 */
#ifndef ATOMSIM_EXPLORE_SEARCH_XOR_SEARCH_H
#define ATOMSIM_EXPLORE_SEARCH_XOR_SEARCH_H

#include <glib.h>
#include <stdint.h>

#include "model/shared/hash.h"

#define XOR_MAX_COLUMNS 18

typedef struct {
	const uint64_t
		*pairs;	    /* 2^n_bits: pairs of different words by the XOR of their indexes */
	uint32_t n_bits;    /* of a word's index: n_outputs .. n_outputs + 18 */
	uint32_t n_outputs; /* log2 of the banks or locks: 0 .. 16 */
	uint32_t max_inputs; /* of an output bit, its own included; 0: any number */
	uint32_t n_kept;     /* the lowest output bits are the word's own: 0 .. n_outputs */
} XorProblem;

typedef struct {
	uint32_t columns[XOR_MAX_COLUMNS]; /* of P: n_bits - n_outputs */
	uint64_t pairs;			   /* in conflict */
} XorHash;

/* Hashes, best first: fewest pairs, then fewest XORs. */
typedef struct {
	XorHash *hashes;
	guint n, max;
} XorRanking;

/* Pairs in conflict. */
uint64_t xor_pairs(const XorProblem *problem, const uint32_t *columns);
/* Bits that a column may have, the other columns given, by max_inputs and n_kept; all others if column is
   n_columns or more. */
uint32_t xor_allowed(const XorProblem *problem, const uint32_t *columns, uint32_t column,
		     uint32_t n_columns);
/* The rows of [I | P]. */
void xor_rows(const XorProblem *problem, const uint32_t *columns, uint32_t *rows);
/* Back: false if the low block of the rows is not I, some output has more than max_inputs or a kept one any. */
gboolean xor_columns(const XorProblem *problem, const uint32_t *rows, uint32_t *columns);

/* Enters a hash that is not there yet and is better than the last. */
void xor_ranking_enter(XorRanking *ranking, const XorProblem *problem, const XorHash *hash);

/*
 * Hill-climbing: from `columns`, sets one column after the other to its best value, the others kept,
 * until none gets better. Fewer pairs win, of equals fewer XORs.
 */
void xor_climb(const XorProblem *problem, XorHash *hash);

/* Climbs from n_restarts random starts, the same for the same seed, and enters where it ends. */
void xor_restarts(const XorProblem *problem, uint32_t n_restarts, uint32_t seed,
		  XorRanking *ranking);

typedef struct {
	gboolean proved;  /* no hash of the problem has fewer pairs than *best */
	uint64_t n_nodes; /* visited */
	uint64_t bound;	  /* no hash has fewer pairs than this; if proved, the best one's */
} XorProof;

/*
 * Branch and bound over the columns, from *best on, which must hold a hash; a better one takes its
 * place. Ends when the optimum is proved or max_nodes are visited.
 */
void xor_branch_and_bound(const XorProblem *problem, uint64_t max_nodes, XorHash *best,
			  XorProof *proof);

#endif
