/* SPDX-License-Identifier: MIT */
/*
 * Random patterns of one warp that votes into a replicated vote space, by Algorithm 1: the reference
 * paper's Fig 5, 6 and 7 (Gomez-Luna et al., IEEE TPDS 2013). Uniform words below V, for each
 * lane in its copy out of R; sorted: the warp's 32 values ascending. The warp is the whole block, so
 * that block mapping gives floor(32 / R) neighbouring lanes one copy.
 * usage: patterns N      CSV of means over about N patterns in all
 */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/atomic/algorithm1.h"
#include "model/atomic/lock-bits.h"
#include "workloads/distribution.h"
#include "workloads/votespace.h"

#define SEED	     7
#define MIN_WORDS    32
#define MAX_WORDS    4096
#define MAX_REPLICAS 32
#define N_CELLS	     (8 * 6 * 2 * 2 * 2) /* words, replicas, mapping, sorted, padding */

typedef struct {
	uint64_t cycles, base, lock, bank; /* sums */
	uint64_t lock_degree, bank_degree;
} Sums;

/* The GTX 580: configs/fermi.json. */
static const SharedParameters shared = {
	.banks = 32, .bank_hash = {.name = "mod"}, .conflict_latency_cycles = 32};
static const LockBitsParameters lock_bits = {.winner = WINNER_LOWEST,
					     .t_base_cycles = 108,
					     .t_position_cycles = 120,
					     .lk_cycles = 52,
					     .operation_cycles = 20};
static const AtomicParameters atomic = {
	.locks = 1024, .lock_hash = {.name = "mod"}, .own[MECHANISM_lock_bits] = &lock_bits};
static const Ideals no_ideals;

static int compare_words(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void add_pattern(GRand *rand, const VoteSpace *space, gboolean sorted, Sums *sums)
{
	uint32_t words[WARP_LANES];
	ClosedForm result;

	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		words[lane] = random_below(rand, space->words);
	if (sorted)
		qsort(words, WARP_LANES, sizeof *words, compare_words);
	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		words[lane] += vote_space_base(space, lane) / space->width;

	algorithm1(&atomic, &shared, &no_ideals, words, WARP_LANES, 0, &result);
	sums->cycles += result.cycles;
	sums->base += result.base_cycles;
	sums->lock += result.lock_cycles;
	sums->bank += result.bank_cycles;
	sums->lock_degree += result.n_rounds;
	sums->bank_degree += result.rounds[0].read_degree;
}

static void print_cell(GRand *rand, const VoteSpace *space, gboolean sorted, unsigned n)
{
	Sums sums = {0};

	for (unsigned i = 0; i < n; i++)
		add_pattern(rand, space, sorted, &sums);
	printf("%s,%s,%u,%u,%u,%u,%.1f,%.1f,%.1f,%.1f,%.3f,%.3f\n",
	       sorted ? "sorted" : "random",
	       space->mapping == MAPPING_CYCLIC ? "cyclic" : "block", space->padding,
	       space->words, space->copies, n, (double)sums.cycles / n, (double)sums.base / n,
	       (double)sums.lock / n, (double)sums.bank / n, (double)sums.lock_degree / n,
	       (double)sums.bank_degree / n);
}

int main(int argc, char **argv)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(SEED);
	long n = argc == 2 ? strtol(argv[1], NULL, 10) / N_CELLS + 1 : 0;

	if (n <= 1) {
		fprintf(stderr, "usage: patterns N\n");
		return 2;
	}
	printf("order,mapping,padding,words,replicas,patterns,cycles,base_cycles,lock_cycles,"
	       "bank_cycles,lock_degree,bank_degree\n");
	for (int sorted = 0; sorted <= 1; sorted++)
		for (int mapping = MAPPING_CYCLIC; mapping <= MAPPING_BLOCK; mapping++)
			for (uint32_t padding = 0; padding <= 1; padding++)
				for (uint32_t v = MIN_WORDS; v <= MAX_WORDS; v *= 2)
					for (uint32_t r = 1; r <= MAX_REPLICAS; r *= 2) {
						VoteSpace space = {.words = v,
								   .copies = r,
								   .padding = padding,
								   .n_threads = WARP_LANES,
								   .mapping = (Mapping)mapping,
								   .width = 4};

						print_cell(rand, &space, sorted, (unsigned)n);
					}
	return 0;
}
