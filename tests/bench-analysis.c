/* SPDX-License-Identifier: MIT */
/*
 * How long the bank conflict analysis of one access of 32 lanes takes, in ns, beside bare loops that do
 * the least that any analysis must: look at each lane's word once (stamps), or compare each pair of
 * lanes (compares).
 */
#include <glib.h>
#include <stdio.h>

#include "model/shared.h"

#define LANES	 32
#define N_WORDS	 12288
#define N_SETS	 256
#define N_ROUNDS 4000

static uint32_t words[N_SETS][LANES];
static volatile uint32_t sink;

static void fill(GRand *rand, uint32_t distinct, uint32_t stride)
{
	for (int set = 0; set < N_SETS; set++)
		for (uint32_t lane = 0; lane < LANES; lane++)
			words[set][lane] = (distinct ? g_rand_int(rand) % distinct : lane) *
					   stride % N_WORDS;
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

static double ns_of(uint32_t (*analyse)(const uint32_t *set))
{
	gint64 best = G_MAXINT64;

	for (int run = 0; run < 5; run++) {
		gint64 start = g_get_monotonic_time();

		for (int round = 0; round < N_ROUNDS / 5; round++)
			for (int set = 0; set < N_SETS; set++)
				sink += analyse(words[set]);
		best = MIN(best, g_get_monotonic_time() - start);
	}
	return (double)best * 1000 / (N_ROUNDS / 5 * N_SETS);
}

static SharedMemory shared;

static uint32_t degree(const uint32_t *set)
{
	uint32_t bank;

	return shared_degree(&shared, set, LANES, &bank);
}

int main(void)
{
	static const struct {
		const char *name;
		uint32_t distinct, stride;
	} rows[] = {
		{"conflict-free", 0, 1},
		{"uniform over 256 words", 256, 1},
		{"32 words of one bank", 0, 32},
		{"one word", 1, 1},
	};
	const SharedParameters parameters = {.bytes = N_WORDS * 4,
					     .banks = 32,
					     .bank_hash = {.name = "mod"},
					     .pass_cycles = 2,
					     .t_bank_cycles = 32};
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);
	BankTable table;

	bank_table_init(&table, &parameters, parameters.bytes / 4);
	shared_init(&shared, &parameters, &table);
	printf("%-28s %10s %10s %10s\n", "ns per analysis of 32 lanes", "atomsim", "stamps",
	       "compares");
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		fill(rand, rows[i].distinct, rows[i].stride);
		printf("%-28s %10.1f %10.1f %10.1f\n", rows[i].name, ns_of(degree),
		       ns_of(stamps), ns_of(compares));
	}
	shared_clear(&shared);
	bank_table_clear(&table);
	return 0;
}
