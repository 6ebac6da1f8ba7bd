/* SPDX-License-Identifier: MIT */
/*
 * What warps that try in vain at words of global memory cost another one, which holds the lock.
 *
 *   tries > tries.csv
 *   tries fences > fences.csv
 *   tries shapes > issue-tries.csv
 *
 * A row of the first: `blocks` blocks, each on its own SM, of `warps` warps whose `lanes` lanes spin on `words` words of one
 * line, in the loop of traces/kernels/update.cu; a warp that works, in an SM of its own (beside 0) or beside `warps` more
 * that spin too (1); what that warp does REPEATS times, one after the other, and where: at the line of the locks, at its
 * neighbour, which has the same slice, or at lines 256 bytes and 1 MiB away. Cycles of each, median and largest, and tries a
 * 1,000 cycles of all that spin meanwhile.
 * A row of the third is one of the first, in more shapes, of loads, fences and loads of words to which 1 is added.
 * A row of the second: `warps` warps of each of `blocks` blocks make fences of the device, `before` ahead of each: cycles of
 * each of ROUNDS rounds, median and largest over the warps.
 */
#include "probe.h"

#define REPEATS 24
#define RUNS	3
#define ROUNDS	12
#define LINE	32 /* words */

#define MAX_BLOCKS 1024 /* of fences: two for each SM */

enum { LOAD, EXCHANGE, CAS, STORE_FENCE, FENCE, LOAD_STORE, LOAD_ADD, N_OPS };
static const char *const ops[] = {"load",  "exchange",	       "cas",	    "store-fence",
				  "fence", "load-store-fence", "load-store"};
static const char *const places[] = {"line", "neighbour", "256", "1M"};
static const int place_words[] = {24, LINE + 24, 2 * LINE, 1 << 18};

static __device__ __forceinline__ bool opaque(bool value)
{
	int number = value;

	asm volatile("" : "+r"(number));
	return number;
}

/* words[0 .. n_words - 1] are held until the one that works is done. */
static __global__ void tries(int *words, int lanes, int n_words, int beside, int op, int place,
			     unsigned long long *n_tries, long long *cycles)
{
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	volatile int *at = words + place;
	__shared__ int count;

	if (blockIdx.x > 0 || warp > 0) {
		/* The last warp of a block has its place in the one that works alone. */
		if ((blockIdx.x > 0 ? warp < (int)blockDim.x / 32 - 1 : beside) &&
		    lane < lanes) {
			int *lock = &words[lane % n_words];
			unsigned int n = 0;

			/* Held is 1; the one that works sends all home with 2. */
			for (bool done = false; !done;) {
				n++;
				if (atomicCAS(lock, 0, 1) != 1) {
					__threadfence();
					done = opaque(true);
				}
			}
			if (lane == 0)
				atomicAdd(n_tries, n);
		}
		return;
	}
	if (lane == 0)
		count = 0;
	for (long long begin = stamp(); stamp() - begin < 60000;)
		;
	long long start = stamp();

	for (int i = 0; i < REPEATS; i++) {
		long long begin = stamp();

		if (lane == 0) {
			int value = 0;

			switch (op) {
			case LOAD:
				value = *at;
				break;
			case EXCHANGE:
				value = atomicExch((int *)at, 1);
				break;
			case CAS:
				value = atomicCAS((int *)at, 2, 3);
				break;
			case STORE_FENCE:
				*at = i;
				__threadfence();
				break;
			case FENCE:
				__threadfence();
				break;
			case LOAD_STORE:
				*at += 1;
				__threadfence();
				break;
			case LOAD_ADD:
				at[i % 8] += 1;
			}
			count += value;
		}
		__syncwarp();
		cycles[i] = stamp() - begin;
	}
	cycles[REPEATS] = stamp() - start;
	__syncwarp();
	if (lane == 0)
		for (int i = 0; i < n_words; i++)
			atomicExch(&words[i], 2);
}

static void measure_tries(int blocks, int warps, int lanes, int n_words, int beside, int op,
			  int p, int *words, unsigned long long *n_tries, long long *cycles)
{
	double all[RUNS * REPEATS], rate[RUNS];

	for (int run = 0; run < RUNS; run++) {
		long long host[REPEATS + 1];
		unsigned long long n;
		int held[LINE] = {0};

		for (int i = 0; i < n_words; i++)
			held[i] = 1;
		CHECK(cudaMemcpy(words, held, sizeof(held), cudaMemcpyHostToDevice));
		CHECK(cudaMemset(n_tries, 0, sizeof(*n_tries)));
		tries<<<blocks + 1, (warps + 1) * 32>>>(words, lanes, n_words, beside, op,
							place_words[p], n_tries, cycles);
		CHECK_RUN();
		from_gpu(host, cycles, sizeof(host));
		from_gpu(&n, n_tries, sizeof(n));
		for (int i = 0; i < REPEATS; i++)
			all[run * REPEATS + i] = host[i];
		rate[run] = n * 1000.0 / (60000 + host[REPEATS]);
	}
	double middle = median(all, RUNS * REPEATS);

	printf("%d,%d,%d,%d,%d,%s,%s,%.0f,%.0f,%.0f,%.1f\n", blocks, warps, lanes, n_words,
	       beside, ops[op], places[p], middle, all[0], all[RUNS * REPEATS - 1],
	       median(rate, RUNS));
	fflush(stdout);
}

/* Warps beyond `warps` of the other blocks are not there: a block has as many as spin. */
static void all_tries(void)
{
	static const struct {
		int blocks, warps, lanes, words, beside;
	} shapes[] = {
		{0, 0, 1, 1, 0},      {4, 31, 1, 1, 0},	   {4, 31, 1, 1, 1},
		{4, 31, 32, 1, 1},    {4, 31, 32, 2, 1},   {4, 31, 32, 8, 1},
		{4, 31, 32, 32, 1},   {4, 31, 16, 16, 1},  {4, 31, 32, 2, 0},
		{4, 31, 32, 8, 0},    {4, 8, 32, 8, 1},	   {31, 31, 32, 8, 1},
		{31, 31, 1, 1, 1},    {131, 31, 1, 1, 1},  {131, 31, 32, 32, 1},
		{131, 31, 32, 32, 0}, {131, 8, 32, 32, 1}, {131, 31, 32, 8, 1},
	};
	int *words = (int *)gpu_memory(4 << 20);
	unsigned long long *n_tries = (unsigned long long *)gpu_memory(8);
	long long *cycles = (long long *)gpu_memory((REPEATS + 1) * sizeof(long long));

	printf("blocks,warps,lanes,words,beside,op,place,cycles,cycles_min,cycles_max,tries_"
	       "per_1000\n");
	for (const auto &s : shapes)
		for (int op = 0; op < LOAD_ADD; op++)
			for (int p = 0; p < (op == FENCE ? 1 : 4); p++)
				measure_tries(s.blocks, s.warps, s.lanes, s.words, s.beside, op,
					      p, words, n_tries, cycles);
}

/* Words of another slice, and of another page, beside tries of 1 to 8 SMs more. */
static void all_shapes(void)
{
	static const int n_blocks[] = {1, 2, 4, 5, 8}, n_warps[] = {8, 16, 24, 28, 31};
	static const int shapes[][2] = {{32, 1},  {32, 2},  {32, 4},  {32, 8},
					{32, 16}, {32, 32}, {16, 16}, {8, 8}};
	static const int shape_ops[] = {LOAD, LOAD_ADD, FENCE};
	int *words = (int *)gpu_memory(4 << 20);
	unsigned long long *n_tries = (unsigned long long *)gpu_memory(8);
	long long *cycles = (long long *)gpu_memory((REPEATS + 1) * sizeof(long long));

	printf("blocks,warps,lanes,words,beside,op,place,cycles,cycles_min,cycles_max,tries_"
	       "per_1000\n");
	for (int blocks : n_blocks)
		for (int warps : n_warps)
			for (const auto &shape : shapes)
				for (int op : shape_ops)
					for (int p = 2; p < (op == LOAD ? 4 : 3); p++)
						measure_tries(blocks, warps, shape[0], shape[1],
							      1, op, p, words, n_tries, cycles);
}

/* --- Fences --- */

enum { BEFORE_NONE, BEFORE_STORE, BEFORE_ONE_STORE, BEFORE_LOAD, BEFORE_CAS, N_BEFORE };
static const char *const befores[] = {"none", "stg-line", "stg-lane", "ldg-line", "cas-line"};

static __global__ void fences(int *words, int before, long long *cycles, int *sink)
{
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32, sum = 0;
	int *own = words + (blockIdx.x * 64 + warp) * LINE + lane;

	__syncthreads();
	for (int i = 0; i < ROUNDS; i++) {
		long long begin = stamp();

		if (before == BEFORE_STORE)
			*(volatile int *)own = i;
		else if (before == BEFORE_ONE_STORE && lane == 0)
			*(volatile int *)own = i;
		else if (before == BEFORE_LOAD)
			sum += *(volatile int *)own;
		else if (before == BEFORE_CAS)
			sum += atomicCAS(own, 1, 2);
		__threadfence();
		if (lane == 0)
			cycles[(blockIdx.x * 32 + warp) * ROUNDS + i] = stamp() - begin;
	}
	sink[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

static void all_fences(void)
{
	static const int n_blocks[] = {1, 2, 8, 132, 264},
			 n_warps[] = {1, 2, 4, 8, 12, 16, 20, 24, 32};
	static long long host[MAX_BLOCKS * 32 * ROUNDS];
	int *words = (int *)gpu_memory(16 << 20),
	    *sink = (int *)gpu_memory(MAX_BLOCKS * 1024 * 4);
	long long *cycles = (long long *)gpu_memory(sizeof(host));
	static double of_round[MAX_BLOCKS * 32];

	printf("blocks,warps,before,round,cycles,cycles_min,cycles_max\n");
	for (int n : n_blocks)
		for (int warps : n_warps)
			for (int before = 0; before < N_BEFORE; before++) {
				const int blocks = blocks_for(n);

				for (int run = 0; run < 3; run++) {
					fences<<<blocks, warps * 32>>>(words, before, cycles,
								       sink);
					CHECK_RUN();
				}
				from_gpu(host, cycles, sizeof(host));
				for (int round = 0; round < ROUNDS; round++) {
					int all = 0;

					for (int b = 0; b < blocks; b++)
						for (int w = 0; w < warps; w++)
							of_round[all++] =
								host[(b * 32 + w) * ROUNDS +
								     round];
					double middle = median(of_round, all);

					if (round < 4 || round == ROUNDS - 1)
						printf("%d,%d,%s,%d,%.0f,%.0f,%.0f\n", blocks,
						       warps, befores[before], round, middle,
						       of_round[0], of_round[all - 1]);
				}
			}
}

int main(int argc, char **argv)
{
	warm_up();
	if (argc > 1 && strcmp(argv[1], "fences") == 0)
		all_fences();
	else if (argc > 1 && strcmp(argv[1], "shapes") == 0)
		all_shapes();
	else
		all_tries();
	return 0;
}
