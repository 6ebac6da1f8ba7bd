/* SPDX-License-Identifier: MIT */
/*
 * Several blocks on one SM: which sub-cores their warps are on, and what they share.
 *
 *   together FOLDER
 *
 * Every launch puts `blocks` blocks on each SM, which begin together by the SM's clock; figures are
 * medians over the SMs. In FOLDER:
 * - issue-placement.csv: warp 0 of the SM's first block and warp `warp` of its block `block`, in the
 *   order of the grid, run FFMA_COUNT FFMA each in chains that do not wait for each other, and nobody else runs; cycles of
 *   the slower one, alone half as many as if both share a sub-core; %warpid of either.
 * - issue-blocks-barrier.csv: all blocks run N_BARRIERS barriers in a row; cycles from the start to the last
 *   end.
 * - issue-stores.csv: warps that store N_STORES lines to global memory each, every one behind `loads` loads from
 *   shared memory of `ways` passes (0: none), 1 block of `blocks` warps; until the last is issued.
 * - issue-tile.csv: blocks of 8 warps that transpose a tile each as a kernel does: four loads from L2 and stores to
 *   shared memory, a barrier, four loads of `ways` passes, four stores. Cycles from the start to each
 *   phase's end of the first and of the last warp: loaded, stored to shared memory, behind the barrier,
 *   loaded again, stored.
 */
#include "probe.h"

#define RUNS	   3
#define MAX_SMS	   256
#define FFMA_COUNT 2048
#define N_BARRIERS 8
#define N_STORES   8
#define N_STAMPS   6

#define MAX_BLOCKS 8

typedef struct {
	unsigned int arrived;
	unsigned int blocks[MAX_BLOCKS]; /* their numbers in the grid and 1, by arrival */
	long long start;
} Meeting;

static Meeting *meetings;

/* All blocks of an SM begin at the cycle that it returns; `rank` is which of them this is, in the order of
   the grid, in which they are dealt. 0: they are not as many as they should be. */
static __device__ long long meet(Meeting *all, unsigned int n_blocks, unsigned int *rank)
{
	volatile Meeting *meeting = all + sm_id();
	__shared__ unsigned int shared_rank;
	__shared__ long long shared_start;

	if (threadIdx.x == 0) {
		long long begin = stamp();

		unsigned int arrival = atomicAdd(&all[sm_id()].arrived, 1), smaller = 0;

		if (arrival < n_blocks)
			meeting->blocks[arrival] = blockIdx.x + 1;
		for (unsigned int i = 0; i < n_blocks; i++)
			while (meeting->blocks[i] == 0 && stamp() - begin < 400000)
				;
		for (unsigned int i = 0; i < n_blocks; i++)
			smaller += meeting->blocks[i] - 1 < blockIdx.x;
		shared_rank = smaller;
		if (arrival + 1 == n_blocks)
			meeting->start = stamp() + 4000;
		while (meeting->start == 0 && stamp() - begin < 800000)
			;
		shared_start = meeting->start;
	}
	__syncthreads();
	*rank = shared_rank;
	return shared_start;
}

static __device__ void wait_until(long long start)
{
	while (stamp() < start)
		;
}

/* --- Placement --- */

typedef struct {
	long long cycles;
	unsigned int warp_id, valid;
} Turn;

static __global__ void __launch_bounds__(1024, 2)
	place(Meeting *all, unsigned int n_blocks, unsigned int block, unsigned int warp,
	      float g, Turn *turns, float *sink)
{
	unsigned int rank, own = threadIdx.x / 32, id;
	long long start = meet(all, n_blocks, &rank), end;
	bool first = rank == 0 && own == 0, second = rank == block && own == warp;
	float f[8];

	for (int i = 0; i < 8; i++)
		f[i] = g + i + threadIdx.x;
	if (first || second) {
#pragma unroll 1
		for (int pass = 0; pass < 2; pass++) {
			wait_until(start + pass * 6000);
#pragma unroll 1
			for (int i = 0; i < FFMA_COUNT / 64; i++)
#pragma unroll
				for (int k = 0; k < 64; k++)
					asm volatile("fma.rn.f32 %0, %0, %1, %1;"
						     : "+f"(f[k % 8])
						     : "f"(g));
			end = stamp() - start - pass * 6000;
		}
		asm volatile("mov.u32 %0, %%warpid;" : "=r"(id));
		if (threadIdx.x % 32 == 0)
			turns[sm_id() * 2 + second] = {end, id, start != 0};
	}
	__syncthreads();
	if (start == 1)
		sink[threadIdx.x] = f[0] + f[1] + f[2] + f[3] + f[4] + f[5] + f[6] + f[7];
}

static void measure_place(FILE *file, int n_warps, int n_blocks, int block, int warp)
{
	static Turn *turns = (Turn *)gpu_memory(MAX_SMS * 2 * sizeof(Turn));
	static float *sink = (float *)gpu_memory(4096);
	Turn turn[MAX_SMS * 2];
	double cycles[MAX_SMS];
	int n = 0, id[2] = {-1, -1};

	CHECK(cudaMemset(meetings, 0, MAX_SMS * sizeof(Meeting)));
	CHECK(cudaMemset(turns, 0, sizeof(turn)));
	place<<<sm_count() * n_blocks, n_warps * 32>>>(meetings, n_blocks, block, warp, 1.5f,
						       turns, sink);
	CHECK_RUN();
	from_gpu(turn, turns, sizeof(turn));
	for (int sm = 0; sm < MAX_SMS; sm++) {
		Turn *a = &turn[sm * 2], *b = &turn[sm * 2 + 1];

		if (!a->valid || !b->valid)
			continue;
		cycles[n++] = a->cycles > b->cycles ? a->cycles : b->cycles;
		id[0] = a->warp_id;
		id[1] = b->warp_id;
	}
	if (n == 0)
		return;

	double middle = median(cycles, n);

	fprintf(file, "%d,%d,%d,%d,%d,%.0f,%.0f,%.0f,%d,%d\n", n_warps, n_blocks, block, warp,
		n, middle, cycles[0], cycles[n - 1], id[0], id[1]);
}

/* --- Barriers --- */

static __global__ void __launch_bounds__(1024, 2)
	wait_often(Meeting *all, unsigned int n_blocks, long long *ends)
{
	unsigned int rank;
	long long start = meet(all, n_blocks, &rank), end = 0;

#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		wait_until(start + pass * 6000);
#pragma unroll
		for (int i = 0; i < N_BARRIERS; i++)
			asm volatile("bar.sync 0;" ::: "memory");
		end = stamp() - start - pass * 6000;
	}
	if (start && threadIdx.x % 32 == 0)
		atomicMax((unsigned long long *)&ends[sm_id()], end);
}

static void measure_barriers(FILE *file, int n_warps, int n_blocks)
{
	static long long *ends = (long long *)gpu_memory(MAX_SMS * sizeof(long long));
	long long end[MAX_SMS];
	double cycles[MAX_SMS];
	int n = 0;

	CHECK(cudaMemset(meetings, 0, MAX_SMS * sizeof(Meeting)));
	CHECK(cudaMemset(ends, 0, sizeof(end)));
	wait_often<<<sm_count() * n_blocks, n_warps * 32>>>(meetings, n_blocks, ends);
	CHECK_RUN();
	from_gpu(end, ends, sizeof(end));
	for (int sm = 0; sm < MAX_SMS; sm++)
		if (end[sm] > 0)
			cycles[n++] = end[sm];
	if (n == 0)
		return;

	double middle = median(cycles, n);

	fprintf(file, "%d,%d,%d,%d,%.0f,%.0f,%.0f\n", n_warps, n_blocks, N_BARRIERS, n, middle,
		cycles[0], cycles[n - 1]);
}

/* --- Stores behind loads --- */

template <int LOADS>
static __global__ void __launch_bounds__(1024, 1)
	store(int ways, uint32_t *out, long long *begins, long long *ends)
{
	__shared__ uint32_t words[32 * 8];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	uint32_t word = (uint32_t)__cvta_generic_to_shared(words) + lane * 4 * ways % 1024 +
			lane * ways / 256 * 4;
	long long begin = 0, end = 0;

	for (int i = threadIdx.x; i < 256; i += blockDim.x)
		words[i] = i;
	out += (blockIdx.x * 32 + warp) * N_STORES * 32 + lane;
#pragma unroll 1
	for (int pass = 0; pass < 3; pass++) {
		__syncthreads();
		begin = stamp();
#pragma unroll
		for (int i = 0; i < N_STORES; i += 4) {
			uint32_t value[4] = {word, word, word, word};

#pragma unroll
			for (int k = 0; k < 4; k++)
#pragma unroll
				for (int l = 0; l < LOADS; l++)
					asm volatile("ld.volatile.shared.u32 %0, [%1];"
						     : "=r"(value[k])
						     : "r"(word));
#pragma unroll
			for (int k = 0; k < 4; k++)
				asm volatile("st.relaxed.cta.global.u32 [%0], %1;" ::"l"(
						     out + (i + k) * 32),
					     "r"(value[k]));
		}
		end = stamp();
	}
	if (lane == 0) {
		begins[blockIdx.x * 32 + warp] = begin;
		ends[blockIdx.x * 32 + warp] = end;
	}
}

template <int LOADS> static void measure_stores(FILE *file, int n_warps, int ways)
{
	int n_sms = sm_count();
	static uint32_t *out = (uint32_t *)gpu_memory((size_t)MAX_SMS * 32 * N_STORES * 128);
	static long long *begins = (long long *)gpu_memory(MAX_SMS * 32 * sizeof(long long));
	static long long *ends = (long long *)gpu_memory(MAX_SMS * 32 * sizeof(long long));
	static long long begin[MAX_SMS * 32], end[MAX_SMS * 32];

	/* One SM, and all. */
	for (int blocks = 1; blocks <= n_sms; blocks += n_sms - 1) {
		double cycles[MAX_SMS];

		store<LOADS><<<blocks, n_warps * 32>>>(ways, out, begins, ends);
		CHECK_RUN();
		from_gpu(begin, begins, sizeof(begin));
		from_gpu(end, ends, sizeof(end));
		for (int block = 0; block < blocks; block++) {
			long long first = INT64_MAX, last = 0;

			for (int i = block * 32; i < block * 32 + n_warps; i++) {
				first = begin[i] < first ? begin[i] : first;
				last = end[i] > last ? end[i] : last;
			}
			cycles[block] = last - first;
		}

		double middle = median(cycles, blocks);

		fprintf(file, "%d,%d,%d,%d,%d,%.0f,%.0f,%.0f\n", n_warps, N_STORES, LOADS,
			LOADS ? ways : 0, blocks, middle, cycles[0], cycles[blocks - 1]);
	}
}

/* --- A tile --- */

static __global__ void __launch_bounds__(256)
	tile(Meeting *all, unsigned int n_blocks, int row, const uint32_t *in, uint32_t *out,
	     long long *stamps)
{
	__shared__ uint32_t words[32 * 64];
	unsigned int rank;
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	long long start = meet(all, n_blocks, &rank), at[N_STAMPS];
	uint32_t value[4];

	in += blockIdx.x * 1024 + warp * 32 + lane;
	out += blockIdx.x * 1024 + warp * 32 + lane;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		wait_until(start + pass * 8000);
		at[0] = stamp();
#pragma unroll
		for (int i = 0; i < 4; i++)
			asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];"
				     : "=r"(value[i])
				     : "l"(in + i * 256));
#pragma unroll
		for (int i = 0; i < 4; i++)
			asm volatile("xor.b32 %0, %0, %1;" : "+r"(value[i]) : "r"(row));
		at[1] = stamp();
#pragma unroll
		for (int i = 0; i < 4; i++)
			((volatile uint32_t *)words)[(warp + i * 8) * row + lane] = value[i];
		at[2] = stamp();
		asm volatile("bar.sync 0;" ::: "memory");
		at[3] = stamp();
#pragma unroll
		for (int i = 0; i < 4; i++)
			value[i] = ((volatile uint32_t *)words)[lane * row + warp + i * 8];
#pragma unroll
		for (int i = 0; i < 4; i++)
			asm volatile("xor.b32 %0, %0, %1;" : "+r"(value[i]) : "r"(row));
		at[4] = stamp();
#pragma unroll
		for (int i = 0; i < 4; i++)
			asm volatile("st.relaxed.cta.global.u32 [%0], %1;" ::"l"(out + i * 256),
				     "r"(value[i]));
		at[5] = stamp();
	}
	if (start && lane == 0)
		for (int i = 0; i < N_STAMPS; i++)
			stamps[((sm_id() * 8 + rank) * 8 + warp) * N_STAMPS + i] =
				at[i] - start - 8000 + 1;
}

static void measure_tile(FILE *file, int n_blocks, int row)
{
	const size_t n_stamps = (size_t)MAX_SMS * 8 * 8 * N_STAMPS;
	static uint32_t *in = (uint32_t *)gpu_memory((size_t)MAX_SMS * 8 * 4096);
	static uint32_t *out = (uint32_t *)gpu_memory((size_t)MAX_SMS * 8 * 4096);
	static long long *stamps = (long long *)gpu_memory(n_stamps * sizeof(long long));
	static long long stamp[MAX_SMS][8][8][N_STAMPS];

	CHECK(cudaMemset(meetings, 0, MAX_SMS * sizeof(Meeting)));
	CHECK(cudaMemset(stamps, 0, sizeof(stamp)));
	tile<<<sm_count() * n_blocks, 256>>>(meetings, n_blocks, row, in, out, stamps);
	CHECK_RUN();
	from_gpu(stamp, stamps, sizeof(stamp));
	fprintf(file, "%d,%d", n_blocks, row);
	for (int i = 0; i < N_STAMPS; i++) {
		double least[MAX_SMS], most[MAX_SMS];
		int n = 0;

		for (int sm = 0; sm < MAX_SMS; sm++) {
			long long first = INT64_MAX, last = 0;

			if (stamp[sm][0][0][0] == 0)
				continue;
			for (int k = 0; k < n_blocks * 8; k++) {
				long long at = stamp[sm][k / 8][k % 8][i];

				first = at < first ? at : first;
				last = at > last ? at : last;
			}
			least[n] = first;
			most[n++] = last;
		}
		if (n > 0)
			fprintf(file, ",%.0f,%.0f", median(least, n), median(most, n));
	}
	fputc('\n', file);
}

static FILE *open_file(const char *folder, const char *name, const char *header)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	if (!file) {
		perror(path);
		exit(1);
	}
	fprintf(file, "%s\n", header);
	return file;
}

int main(int argc, char **argv)
{
	static const int sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 32};
	static const int ways[] = {1, 2, 4}, rows[] = {33, 34, 36, 32};
	FILE *file;

	if (argc != 2) {
		fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
		return 2;
	}
	meetings = (Meeting *)gpu_memory(MAX_SMS * sizeof(Meeting));
	warm_up();

	file = open_file(argv[1], "issue-placement.csv",
			 "warps,blocks,block,warp,sms,cycles,cycles_min,cycles_max,"
			 "first_warpid,second_warpid");
	for (int i = 0; i < 11; i++) {
		int most = sizes[i] <= 8 ? 4 : sizes[i] <= 16 ? 3 : 2;

		for (int block = 0; block < most; block++)
			for (int warp = block == 0; warp < sizes[i] && warp < 5; warp++)
				measure_place(file, sizes[i], most, block, warp);
	}
	fclose(file);

	file = open_file(argv[1], "issue-blocks-barrier.csv",
			 "warps,blocks,barriers,sms,cycles,cycles_min,cycles_max");
	for (int i = 0; i < 11; i++)
		for (int blocks = 1; blocks * sizes[i] <= 64 && blocks <= 8; blocks *= 2)
			measure_barriers(file, sizes[i], blocks);
	fclose(file);

	file = open_file(argv[1], "issue-stores.csv",
			 "warps,stores,loads,ways,sms,cycles,cycles_min,cycles_max");
	for (int warps = 4; warps <= 32; warps *= 2) {
		measure_stores<0>(file, warps, 1);
		for (int i = 0; i < 3; i++) {
			measure_stores<1>(file, warps, ways[i]);
			measure_stores<2>(file, warps, ways[i]);
		}
	}
	fclose(file);

	file = open_file(
		argv[1], "issue-tile.csv",
		"blocks,row,start_first,start_last,loaded_first,loaded_last,kept_first,"
		"kept_last,barrier_first,barrier_last,again_first,again_last,"
		"stored_first,stored_last");
	for (int run = 0; run < RUNS; run++)
		for (int blocks = 1; blocks <= 8; blocks *= 2)
			for (int i = 0; i < 4; i++)
				measure_tile(file, blocks, rows[i]);
	fclose(file);
	return 0;
}
