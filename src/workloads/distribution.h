/* SPDX-License-Identifier: MIT */
/* Which words the lanes of a warp vote for. Only workloads include it. */
#ifndef ATOMSIM_WORKLOADS_DISTRIBUTION_H
#define ATOMSIM_WORKLOADS_DISTRIBUTION_H

#include <stdint.h>

#include "workloads/emit.h"

#define DISTRIBUTION_CHOICES "uniform|zipf|sorted|warp-sorted|walk|hot|lanes"

typedef enum {
	DISTRIBUTION_UNIFORM,	  /* each word as likely as the others */
	DISTRIBUTION_ZIPF,	  /* word k with a weight of 1 / (k + 1)^exponent */
	DISTRIBUTION_SORTED,	  /* uniform values, the whole input sorted */
	DISTRIBUTION_WARP_SORTED, /* uniform values, those of each warp vote sorted */
	DISTRIBUTION_WALK,	  /* a random walk from lane to lane, from a random word */
	DISTRIBUTION_HOT,   /* the first lanes on word 0, the others uniform on the rest */
	DISTRIBUTION_LANES, /* word 32 * warp + lane, modulo the words: free of conflicts */
} DistributionKind;

/* Rows that a workload puts among its own. */
#define DISTRIBUTION_ROWS                                                                      \
	CHOICE_ROW("distribution", DISTRIBUTION_CHOICES, "uniform",                            \
		   "which words the lanes vote for"),                                          \
		{.name = "exponent",                                                           \
		 .type = WORKLOAD_HUNDREDTHS,                                                  \
		 .minimum = 0,                                                                 \
		 .maximum = 800,                                                               \
		 .default_value = "1.00",                                                      \
		 .doc = "zipf: word k has a weight of 1 / (k + 1)^exponent"},                  \
		INTEGER_ROW("reach", "words", 0, 65536, "1",                                   \
			    "walk: largest distance to the next lane"),                        \
		INTEGER_ROW("hot-lanes", "lanes", 0, WARP_LANES, "32",                         \
			    "hot: lanes of each warp that vote for word 0")

typedef struct Distribution Distribution;

/* The input of a launch: words 0 .. n_words-1 (1 .. 65536), n_steps elements a thread. Reads the
   rows above. Errors: ATOMSIM_ERROR_USAGE. */
Distribution *distribution_new(const WorkloadParameters *parameters, uint32_t n_words,
			       uint32_t n_blocks, uint32_t n_warps, uint32_t n_steps,
			       GError **error);
void distribution_free(Distribution *distribution);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Distribution, distribution_free)

/* Begins a warp; its steps follow in order. */
void distribution_begin(Distribution *distribution, uint32_t block, uint32_t warp);
/* The words of the 32 lanes in the next step. */
void distribution_next(Distribution *distribution, uint32_t word[WARP_LANES]);

/* A number below n: the high part of a product, which misses equal shares by 1 in 2^32 / n. */
static inline uint32_t random_below(GRand *random, uint32_t n)
{
	return (uint32_t)(((uint64_t)g_rand_int(random) * n) >> 32);
}

/* --- A Zipf distribution in integers, so that it is the same on every machine: pow() is not. For distribution.c (zipf.c) --- */

typedef struct Zipf Zipf;

/* Ranks 0 .. n-1 (n 1 .. 65536), rank k with a weight of (k + 1)^-(hundredths / 100). */
Zipf *zipf_new(uint32_t n, uint32_t hundredths);
void zipf_free(Zipf *zipf);

/* The rank that belongs to a uniform 32-bit number. */
uint32_t zipf_rank(const Zipf *zipf, uint32_t uniform);

#endif
