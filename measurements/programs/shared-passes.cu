/* SPDX-License-Identifier: MIT */
/*
 * Accesses to shared memory for Nsight Compute's counters of bank conflicts and wavefronts: how many the addresses ask
 * for, and how many are counted beside them when warps meet, or loads and stores of global memory use the same banks.
 *
 *   shared-passes [PART] > rows
 *
 * A row is a launch, in order: operation (`inc` is an add of 1, `add` of a register, `addret` with the old value), words that
 * the lanes name, what is beside each access (a load of a line from the L2 or from the first cache, a store), blocks, warps of
 * a block, run (the same launch again), held_back (every third cell), and how many passes after their first the accesses need
 * by their addresses alone: of loads, stores and `inc` the most different words in one bank, of other atomics the
 * most lanes in one bank. Empty for float adds, which are loops. A warp makes ACCESSES accesses.
 * PART 0 to 4: nothing beside; loads from the L2; loads from the first cache; stores; two blocks on each SM.
 */
#include "probe.h"

#define ACCESSES 32
#define N_WORDS	 1024
#define N_BANKS	 32
#define RUNS	 2
#define LINES	 (1 << 18) /* of 128 bytes */

enum { LD, ST, INC, ADD, ADDRET, CAS, FADD, N_OPERATIONS };
static const char *const operation_names[] = {"ld",	"st",  "inc", "add",
					      "addret", "cas", "fadd"};

enum { OWN, ONE, RANDOM_16, RANDOM_32, RANDOM_256, STRIDE_2, STRIDE_32, N_PATTERNS };
static const char *const pattern_names[] = {"own",	  "one",      "16-random", "32-random",
					    "256-random", "stride-2", "stride-32"};

enum { ALONE, L2_LOADS, L1_LOADS, STORES };
static const char *const beside_names[] = {"nothing", "l2-loads", "l1-loads", "stores"};

typedef struct {
	int pattern, beside, blocks, warps;
} Setting;

static __host__ __device__ inline uint32_t word_of(int pattern, uint32_t thread, uint32_t i)
{
	uint32_t random = (thread * ACCESSES + i + 1) * 2654435761u;

	random ^= random >> 15;
	random *= 2246822519u;
	random ^= random >> 13;
	switch (pattern) {
	case OWN:
		return thread;
	case ONE:
		return 0;
	case RANDOM_16:
		return random % 16;
	case RANDOM_32:
		return random % 32;
	case RANDOM_256:
		return random % 256;
	case STRIDE_2:
		return thread * 2 % N_WORDS;
	default:
		return thread * 32 % N_WORDS;
	}
}

template <int OPERATION>
static __global__ void accesses(Setting setting, uint32_t value, const uint32_t *lines,
				uint32_t *stores, uint32_t *sink)
{
	__shared__ uint32_t words[N_WORDS];
	uint32_t sum = 0, thread = threadIdx.x, warp = (blockIdx.x * blockDim.x + thread) / 32;

	for (uint32_t i = thread; i < N_WORDS; i += blockDim.x)
		words[i] = 0;
	__syncthreads();
#pragma unroll 4
	for (uint32_t i = 0; i < ACCESSES; i++) {
		uint32_t *word = words + word_of(setting.pattern, thread, i);
		uint32_t line = (warp * ACCESSES + i) % LINES;

		if (setting.beside == L2_LOADS)
			sum += __ldcg(lines + line * 32 + thread % 32);
		else if (setting.beside == L1_LOADS)
			sum += __ldca(lines + warp % 8 * 32 + thread % 32);
		else if (setting.beside == STORES)
			stores[line * 32 + thread % 32] = i;
		if (OPERATION == LD)
			sum += *(volatile uint32_t *)word;
		else if (OPERATION == ST)
			*(volatile uint32_t *)word = i;
		else if (OPERATION == INC)
			atomicAdd(word, 1);
		else if (OPERATION == ADD)
			atomicAdd(word, value);
		else if (OPERATION == ADDRET)
			sum += atomicAdd(word, value);
		else if (OPERATION == CAS)
			sum += atomicCAS(word, value, i);
		else
			atomicAdd((float *)word, 1.0f);
	}
	__syncthreads();
	if (sum == value + 12345 || words[thread % N_WORDS] == value + 123456789)
		*sink = sum;
}

/* Passes after the first that one warp's access needs. */
static uint32_t conflicts_of(int operation, int pattern, uint32_t warp, uint32_t i)
{
	uint32_t in_bank[N_BANKS] = {0}, most = 0, seen[32];

	for (uint32_t lane = 0; lane < 32; lane++) {
		bool again = false;

		seen[lane] = word_of(pattern, warp * 32 + lane, i);
		for (uint32_t k = 0; k < lane; k++)
			again |= seen[k] == seen[lane];
		if (again && (operation == LD || operation == ST || operation == INC))
			continue;
		if (++in_bank[seen[lane] % N_BANKS] > most)
			most = in_bank[seen[lane] % N_BANKS];
	}
	return most - 1;
}

template <int OPERATION>
static void measure(Setting setting, uint32_t *lines, uint32_t *stores, uint32_t *sink)
{
	static int n_cells;
	unsigned long long conflicts = 0;

	for (int warp = 0; warp < setting.warps; warp++)
		for (int i = 0; i < ACCESSES; i++)
			conflicts += conflicts_of(OPERATION, setting.pattern, warp, i);
	for (int run = 0; run < RUNS; run++) {
		accesses<OPERATION><<<setting.blocks, setting.warps * 32>>>(setting, 3, lines,
									    stores, sink);
		CHECK_RUN();
		printf("%s,%s,%s,%d,%d,%d,%d,", operation_names[OPERATION],
		       pattern_names[setting.pattern], beside_names[setting.beside],
		       setting.blocks, setting.warps, run, n_cells % 3 == 2);
		if (OPERATION != FADD)
			printf("%llu", conflicts * setting.blocks);
		putchar('\n');
	}
	n_cells++;
}

int main(int argc, char **argv)
{
	static const int warps[] = {1, 2, 8, 32};
	int only = argc > 1 ? atoi(argv[1]) : -1;
	uint32_t *lines = (uint32_t *)gpu_memory((size_t)LINES * 128);
	uint32_t *stores = (uint32_t *)gpu_memory((size_t)LINES * 128);
	uint32_t *sink = (uint32_t *)gpu_memory(4);

	printf("op,words,beside,blocks,warps,run,held_back,by_address\n");
	for (int part = 0; part < 5; part++)
		for (int pattern = 0; pattern < N_PATTERNS && (only < 0 || part == only);
		     pattern++)
			for (int i = part < 2 ? 0 : 3; i < 4; i++) {
				Setting setting = {pattern, part < 4 ? part : L2_LOADS,
						   part < 4 ? 1 : 2 * sm_count(),
						   part < 4 ? warps[i] : 8};

				measure<LD>(setting, lines, stores, sink);
				measure<ST>(setting, lines, stores, sink);
				measure<INC>(setting, lines, stores, sink);
				measure<ADD>(setting, lines, stores, sink);
				measure<ADDRET>(setting, lines, stores, sink);
				measure<CAS>(setting, lines, stores, sink);
				measure<FADD>(setting, lines, stores, sink);
			}
	return 0;
}
