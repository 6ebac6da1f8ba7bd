/* SPDX-License-Identifier: MIT */
/*
 * How long the analysis of one access of 32 lanes takes, in ns, in each way of model/conflicts.h: its passes,
 * and the worst bank of words that are known to be different. Beside them bare loops that do the least that
 * any analysis must: look at each lane's word once (stamps), or compare each pair of lanes (compares).
 */
#include <glib.h>
#include <stdio.h>
#include <sys/resource.h>

#include "model/conflicts.h"

#define LANES	 32
#define N_WORDS	 12288
#define N_SETS	 256
#define N_ROUNDS 1000

static uint32_t words[N_SETS][LANES];
static uint8_t banks[N_SETS][MAX_LANES];
static volatile uint32_t sink;

static void fill(GRand *rand, uint32_t distinct, uint32_t stride)
{
	for (int set = 0; set < N_SETS; set++)
		for (uint32_t lane = 0; lane < LANES; lane++) {
			words[set][lane] = (distinct ? g_rand_int(rand) % distinct : lane) *
					   stride % N_WORDS;
			banks[set][lane] = (uint8_t)(words[set][lane] % 32);
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
static gint64 user_us(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_utime.tv_sec * G_USEC_PER_SEC + usage.ru_utime.tv_usec;
}

static double ns_of(uint32_t (*analyse)(const uint32_t *set))
{
	gint64 best = G_MAXINT64;

	for (int run = 0; run < 5; run++) {
		gint64 start = user_us();

		for (int round = 0; round < N_ROUNDS / 5; round++)
			for (int set = 0; set < N_SETS; set++)
				sink += analyse(words[set]);
		best = MIN(best, user_us() - start);
	}
	return (double)best * 1000 / (N_ROUNDS / 5 * N_SETS);
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

/* Of a set, as if its words were all different. */
static uint32_t most(const uint32_t *set)
{
	return path->most(banks[(set - words[0]) / LANES], 32, UINT32_MAX);
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
	const ConflictPath *paths[CONFLICTS_MAX_PATHS];
	const unsigned n = conflict_paths(paths);
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);

	for (uint32_t word = 0; word < N_WORDS; word++)
		bank_of[word] = (uint16_t)(word % 32);
	printf("%-40s %10s %10s\n", "ns per analysis of 32 lanes", "passes", "banks");
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		fill(rand, rows[i].distinct, rows[i].stride);
		for (unsigned k = 0; k < n; k++) {
			g_autofree char *name =
				g_strdup_printf("%s, %s", rows[i].name, paths[k]->name);

			path = paths[k];
			printf("%-40s %10.1f %10.1f\n", name, ns_of(passes), ns_of(most));
		}
		printf("%-40s %10.1f\n", "  bare loop of stamps", ns_of(stamps));
		printf("%-40s %10.1f\n", "  bare loop of compares", ns_of(compares));
	}
	return 0;
}
