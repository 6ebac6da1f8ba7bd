/* SPDX-License-Identifier: MIT */
/*
 * Loads, stores and atomics on shared memory by the words that the lanes name.
 *
 *   shared-atomics latency PATTERNS.csv > warp-latency.csv
 *   shared-atomics throughput PATTERNS.csv > warp-throughput.csv
 *
 * PATTERNS.csv has the columns pattern and addresses, 32 word numbers below
 * 8,192; warp-latency.csv is such a file. latency: one warp, cycles an
 * instruction, the best of four chains of 32; each depends on the one before
 * through its address, but for those without result. throughput: every warp of
 * the block runs the pattern 256 times, warp w's words `shift` times w further;
 * cycles from the first warp's start to the last one's end, behind a load of
 * its own; the least of RUNS.
 */
#include "points.h"

#define WORDS	   8192
#define CHAIN	   32
#define CHAINS	   4
#define RUNS	   6
#define ITERATIONS 256

typedef enum {
	LD,
	ST,
	IADD_RET,
	IADD_NORET,
	INC_NORET,
	FADD_RET,
	FADD_NORET,
	CAS_RET,
	EXCH_RET,
	IMAX_RET,
	U64ADD_RET,
	N_OPERATIONS
} Operation;
static const char *const names[] = {"ld",	 "st",	     "iadd_ret",   "iadd_noret",
				    "inc_noret", "fadd_ret", "fadd_noret", "cas_ret",
				    "exch_ret",	 "imax_ret", "u64add_ret"};

/* The old value's bits; 0 for what has none. No value has its top bit set. */
template <int OP>
static __device__ __forceinline__ int operate(uint32_t *words, int index, int operand)
{
	uint32_t *word = words + index;

	switch (OP) {
	case LD:
		return *(volatile int *)word;
	case ST:
		*(volatile int *)word = operand;
		return 0;
	case IADD_RET:
		return atomicAdd((int *)word, operand);
	case IADD_NORET:
		atomicAdd((int *)word, operand);
		return 0;
	case INC_NORET:
		atomicAdd((int *)word, 1);
		return 0;
	case FADD_RET:
		return __float_as_int(atomicAdd((float *)word, 1.0f));
	case FADD_NORET:
		atomicAdd((float *)word, 1.0f);
		return 0;
	case CAS_RET:
		return atomicCAS((int *)word, operand, operand + 1);
	case EXCH_RET:
		return atomicExch((int *)word, operand);
	case IMAX_RET:
		return atomicMax((int *)word, operand);
	default:
		return (int)(atomicAdd((unsigned long long *)words + index / 2, 1ull) >> 32);
	}
}

template <int OP>
static __global__ void latency(const int *pattern, int operand, long long *cycles, int *sink)
{
	extern __shared__ __align__(8) uint32_t words[];
	int index = pattern[threadIdx.x], last = 0;

	for (int i = threadIdx.x; i < WORDS; i += 32)
		words[i] = 0;
	__syncwarp();
#pragma unroll 1
	for (int chain = 0; chain <= CHAINS; chain++) {
		long long begin = stamp();

#pragma unroll
		for (int i = 0; i < CHAIN; i++) {
			int result = operate<OP>(words, index, operand);

			index += result >> 31;
		}
		/* What has no result is issued, no more. */
		last += index;

		long long end = stamp();

		if (threadIdx.x == 0)
			cycles[chain] = end - begin;
	}
	sink[threadIdx.x] = last;
}

template <int OP>
static __global__ void __launch_bounds__(1024, 1)
	throughput(const int *pattern, int operand, int shift, long long *begins,
		   long long *ends, int *sink)
{
	extern __shared__ __align__(8) uint32_t words[];
	int warp = threadIdx.x / 32;
	int index = (pattern[threadIdx.x % 32] + warp * shift) % WORDS;

	for (int i = threadIdx.x; i < WORDS; i += blockDim.x)
		words[i] = 0;
	__syncthreads();

	long long begin = stamp();

#pragma unroll 8
	for (int i = 0; i < ITERATIONS; i++)
		operate<OP>(words, index, operand);

	int value = ((volatile int *)words)[index];

	if (value >> 31)
		return;

	long long end = stamp();

	sink[threadIdx.x] = value;
	if (threadIdx.x % 32 == 0) {
		begins[warp] = begin;
		ends[warp] = end;
	}
}

static struct {
	int *pattern, *sink;
	long long *begins, *ends;
} memory;

template <int OP> static double best_latency(void)
{
	long long cycles[CHAINS + 1];
	double best = 1e9;

	latency<OP><<<1, 32, WORDS * 4>>>(memory.pattern, 1, memory.begins, memory.sink);
	CHECK_RUN();
	from_gpu(cycles, memory.begins, sizeof(cycles));
	for (int chain = 1; chain <= CHAINS; chain++)
		best = cycles[chain] < best ? cycles[chain] : best;
	return best / CHAIN;
}

template <int OP> static void print_throughput(const char *pattern)
{
	for (int warps = 1; warps <= 32; warps *= 2)
		for (int shift = 0; shift <= 32; shift += 32) {
			double best = 1e18;

			for (int run = 0; run < RUNS; run++) {
				long long begin[32], end[32], first = INT64_MAX, last = 0;

				throughput<OP><<<1, warps * 32, WORDS * 4>>>(
					memory.pattern, 1, shift, memory.begins, memory.ends,
					memory.sink);
				CHECK_RUN();
				from_gpu(begin, memory.begins, sizeof(begin));
				from_gpu(end, memory.ends, sizeof(end));
				for (int warp = 0; warp < warps; warp++) {
					first = begin[warp] < first ? begin[warp] : first;
					last = end[warp] > last ? end[warp] : last;
				}
				best = last - first < best ? last - first : best;
			}
			printf("%s,%s,%d,%d,%d,%.0f\n", names[OP], pattern, warps, shift,
			       ITERATIONS, best);
		}
}

template <int OP> static void print_latencies(void)
{
	printf(",%.2f", best_latency<OP>());
	if constexpr (OP + 1 < N_OPERATIONS)
		print_latencies<OP + 1>();
}

template <int OP> static void print_throughputs(const char *pattern)
{
	print_throughput<OP>(pattern);
	if constexpr (OP + 1 < N_OPERATIONS)
		print_throughputs<OP + 1>(pattern);
}

/* Reads the lanes' words; exits if they are not 32 below WORDS. */
static void take_pattern(const Points *points, const char *addresses)
{
	int pattern[32];
	const char *rest = addresses;

	for (int lane = 0; lane < 32; lane++) {
		char *end;

		pattern[lane] = (int)strtol(rest, &end, 10);
		if (end == rest || pattern[lane] < 0 || pattern[lane] >= WORDS) {
			fprintf(stderr, "%s:%d: '%s'; allowed: 32 words below %d\n",
				points->path, points->line, addresses, WORDS);
			exit(1);
		}
		rest = end;
	}
	CHECK(cudaMemcpy(memory.pattern, pattern, sizeof(pattern), cudaMemcpyHostToDevice));
}

int main(int argc, char **argv)
{
	bool rates = argc == 3 && strcmp(argv[1], "throughput") == 0;
	Points points;

	if (argc != 3 || (!rates && strcmp(argv[1], "latency") != 0)) {
		fprintf(stderr, "usage: %s latency|throughput PATTERNS.csv\n", argv[0]);
		return 2;
	}
	points_open(&points, argv[2]);
	memory.pattern = (int *)gpu_memory(32 * sizeof(int));
	memory.sink = (int *)gpu_memory(1024 * sizeof(int));
	memory.begins = (long long *)gpu_memory(32 * sizeof(long long));
	memory.ends = (long long *)gpu_memory(32 * sizeof(long long));
	warm_up();
	if (rates) {
		printf("op,pattern,warps,shift_words,iterations,cycles\n");
	} else {
		printf("pattern");
		for (int op = 0; op < N_OPERATIONS; op++)
			printf(",%s", names[op]);
		printf(",addresses\n");
	}
	while (points_next(&points)) {
		const char *pattern = points_text(&points, "pattern");
		const char *addresses = points_text(&points, "addresses");

		take_pattern(&points, addresses);
		if (rates) {
			print_throughputs<0>(pattern);
			continue;
		}
		printf("%s", pattern);
		print_latencies<0>();
		printf(",%s\n", addresses);
	}
	return 0;
}
