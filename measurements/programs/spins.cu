/* SPDX-License-Identifier: MIT */
/*
 * Tries in vain: how often warps try to take locks that another warp holds.
 *
 *   spins > issue-spins.csv
 *
 * A row: where the locks lie; blocks, one an SM; sub-cores at work in each and warps on each of these (warp w is on
 * sub-core w mod 4); lanes of each warp that want a lock, the rest waiting behind the loop, lane i that of word i
 * mod `words`. Another warp holds all words for HOLD cycles; what a lane then takes it leaves free, so that all are
 * through with their next try. Cycles of a try, from a warp's begin to the try by which the first of its lanes got a
 * lock: of the warps the median, least and most, each the mean of RUNS launches.
 */
#include "probe.h"

#define RUNS	   5
#define MAX_WORDS  32
#define HOLD	   60000
#define MAX_WARPS  32
#define SUB_CORES  4
#define MAX_BLOCKS 128

/* Keeps nvcc from moving the section behind the loop, where the winners would wait for the rest. */
static __device__ __forceinline__ bool opaque(bool value)
{
	int number = value;

	asm volatile("" : "+r"(number));
	return number;
}

/* The warp that holds the locks is the last of the block. */
template <bool GLOBAL>
static __global__ void spin(int sub_cores, int warps, int lanes, int words, int taken,
			    int *far_locks, long long *cycles, int *tried)
{
	__shared__ int near_locks[MAX_WORDS];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32, tries = 0;
	int *locks = GLOBAL ? far_locks : near_locks, *lock = locks + lane % words;

	if (!GLOBAL && threadIdx.x < MAX_WORDS)
		locks[threadIdx.x] = 1;
	__syncthreads();

	long long begin = stamp(), got = begin;

	if (warp == MAX_WARPS - 1) {
		if (blockIdx.x > 0)
			return;
		while (stamp() - begin < HOLD)
			__nanosleep(500);
		atomicExch(locks + lane, 0);
		return;
	}
	if (warp % SUB_CORES >= sub_cores || warp / SUB_CORES >= warps)
		return;
	if (lane < lanes) {
		bool done = false;

		while (!done) {
			if (atomicCAS(lock, 0, taken) == 0) {
				got = stamp();
				atomicExch(lock, 0);
				done = opaque(true);
			} else {
				tries++;
			}
		}
	}
	__syncwarp();
	cycles[blockIdx.x * blockDim.x + threadIdx.x] = got - begin;
	tried[blockIdx.x * blockDim.x + threadIdx.x] = tries + 1;
}

template <bool GLOBAL>
static void measure(int blocks, int sub_cores, int warps, int lanes, int words)
{
	static int *far_locks = (int *)gpu_memory(MAX_WORDS * sizeof(int));
	static long long *cycles =
		(long long *)gpu_memory(MAX_BLOCKS * 1024 * sizeof(long long));
	static int *tried = (int *)gpu_memory(MAX_BLOCKS * 1024 * sizeof(int));
	static long long got[MAX_BLOCKS * 1024];
	static int tries[MAX_BLOCKS * 1024], held[MAX_WORDS];
	static double of_warps[MAX_BLOCKS * MAX_WARPS];
	int n = 0;

	for (int i = 0; i < MAX_WORDS; i++)
		held[i] = 1;
	memset(of_warps, 0, sizeof(of_warps));
	for (int run = 0; run < RUNS; run++) {
		CHECK(cudaMemcpy(far_locks, held, sizeof(held), cudaMemcpyHostToDevice));
		spin<GLOBAL><<<blocks, 1024>>>(sub_cores, warps, lanes, words, 0, far_locks,
					       cycles, tried);
		CHECK_RUN();
		from_gpu(got, cycles, sizeof(*got) * blocks * 1024);
		from_gpu(tries, tried, sizeof(*tries) * blocks * 1024);
		n = 0;
		for (int w = 0; w < blocks * MAX_WARPS; w++) {
			int warp = w % MAX_WARPS, first = w * 32;

			if (warp == MAX_WARPS - 1 || warp % SUB_CORES >= sub_cores ||
			    warp / SUB_CORES >= warps)
				continue;
			for (int t = first; t < w * 32 + lanes; t++)
				first = tries[t] < tries[first] ? t : first;
			of_warps[n++] += (double)got[first] / tries[first] / RUNS;
		}
	}

	double middle = median(of_warps, n);

	printf("%s,%d,%d,%d,%d,%d,%.1f,%.1f,%.1f\n", GLOBAL ? "global" : "shared", blocks,
	       sub_cores, warps, lanes, words, middle, of_warps[0], of_warps[n - 1]);
}

template <bool GLOBAL> static void measure_blocks(int blocks, int most_sub_cores)
{
	static const int lanes[] = {1, 2, 4, 8, 16, 24, 31, 32};
	static const int warps[] = {1, 2, 3, 4, 6, 7};

	for (int sub_cores = 1; sub_cores <= most_sub_cores; sub_cores *= 2)
		for (int w = 0; w < 6; w++)
			for (int l = 0; l < 8; l++)
				for (int words = 1; words <= lanes[l]; words *= 2)
					if (words == 1 || words == 4 || words * 2 > lanes[l])
						measure<GLOBAL>(blocks, sub_cores, warps[w],
								lanes[l], words);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	warm_up();
	printf("space,blocks,sub_cores,warps_per_sub_core,lanes,words,cycles_a_try,min,max\n");
	measure_blocks<false>(1, SUB_CORES);
	measure_blocks<true>(1, SUB_CORES);
	for (int blocks = 2; blocks <= MAX_BLOCKS; blocks *= 8)
		measure_blocks<true>(blocks, 1);
	return 0;
}
