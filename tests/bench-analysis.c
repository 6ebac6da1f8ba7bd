/* SPDX-License-Identifier: MIT */
/*
 * How long the analysis of one access of 32 lanes takes, in ns, in each way of model/shared/conflicts.h: its passes,
 * and the worst bank of words that are known to be different. Beside them bare loops that do the least that
 * any analysis must: look at each lane's word once (stamps), or compare each pair of lanes (compares).
 */
#include <glib.h>
#include <stdio.h>
#include <time.h>

#include "model/shared/conflicts.h"

#define LANES	 32
#define N_WORDS	 12288
#define N_SETS	 256
#define N_ROUNDS 1000

static uint32_t words[N_SETS][LANES];
static BankWords counted[N_SETS];
static volatile uint32_t sink;

static void fill(GRand *rand, uint32_t distinct, uint32_t stride)
{
	for (int set = 0; set < N_SETS; set++) {
		counted[set] = bank_words_none;
		for (uint32_t lane = 0; lane < LANES; lane++) {
			words[set][lane] = (distinct ? g_rand_int(rand) % distinct : lane) *
					   stride % N_WORDS;
			bank_words_add(&counted[set], words[set][lane] % 32);
		}
	}
}

static uint32_t stamps(const uint32_t *set)
{
	static uint32_t seen[N_WORDS], serial;
	uint32_t n = 0;

	serial++;
	for (int lane = 0; lane < LANES; lane++) {
		n += seen[set[lane]] != serial;
		seen[set[lane]] = serial;
	}
	return n;
}

static uint32_t compares(const uint32_t *set)
{
	uint32_t n = 0;

	for (int i = 1; i < LANES; i++) {
		uint32_t equal = 0;

		for (int j = 0; j < i; j++)
			equal |= set[i] == set[j];
		n += equal;
	}
	return n;
}

/* Of this process, so that others on the machine count less. */
static double cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static double ns_of(uint32_t (*analyse)(const uint32_t *set))
{
	double best = G_MAXDOUBLE;

	for (int run = 0; run < 5; run++) {
		double start = cpu_ns();

		for (int round = 0; round < N_ROUNDS / 5; round++)
			for (int set = 0; set < N_SETS; set++)
				sink += analyse(words[set]);
		best = MIN(best, cpu_ns() - start);
	}
	return best / (N_ROUNDS / 5 * N_SETS);
}

static const ConflictPath *path;
static uint16_t bank_of[N_WORDS];
static uint32_t marks[N_WORDS];

static uint32_t passes(const uint32_t *set)
{
	static ConflictWords in = {.bank_of = bank_of, .modulo = 32, .marks = marks};
	uint32_t bank;

	in.mark++;
	return path->passes(&in, set, LANES, &bank);
}

/* Of a set whose words have been counted, as if they were all different. */
static uint32_t most(const uint32_t *set)
{
	return path->most(&counted[(set - words[0]) / LANES], 32);
}

static void print_row(const char *name, const char *what, uint32_t (*analyse)(const uint32_t *),
		      const ConflictPath *const paths[], unsigned n)
{
	printf("\n| %s: %s |", name, what);
	for (unsigned k = 0; k < n; k++) {
		path = paths[k];
		printf(" %.1f |", ns_of(analyse));
	}
}

int main(void)
{
	static const struct {
		const char *name;
		uint32_t distinct, stride;
	} rows[] = {
		{"consecutive", 0, 1},
		{"uniform over 256", 256, 1},
		{"32 words of one bank", 0, 32},
		{"one word", 1, 1},
	};
	const ConflictPath *paths[CONFLICTS_MAX_PATHS];
	const unsigned n = conflict_paths(paths);
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);

	for (uint32_t word = 0; word < N_WORDS; word++)
		bank_of[word] = (uint16_t)(word % 32);
	printf("| ns per analysis of 32 lanes |");
	for (unsigned k = 0; k < n; k++)
		printf(" %s |", paths[k]->name);
	printf(" bare loop of stamps | bare loop of compares |\n|");
	for (unsigned k = 0; k < n + 3; k++)
		printf(" --- |");
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		fill(rand, rows[i].distinct, rows[i].stride);
		print_row(rows[i].name, "passes", passes, paths, n);
		printf(" %.1f | %.1f |", ns_of(stamps), ns_of(compares));
		print_row(rows[i].name, "worst bank", most, paths, n);
		printf(" | |");
	}
	printf("\n");
	return 0;
}
