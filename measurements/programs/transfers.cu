/* SPDX-License-Identifier: MIT */
/*
 * Launches that stream through more memory than the L2 holds, or less: loads, stores, and both.
 *
 *   transfers > transfers.csv
 *
 * A row: kind (`sum` loads a, `fill` stores a, `copy` loads a and stores b, `add` loads a and b and stores c, `update` loads a and stores
 * it, `part` stores a quarter of each sector of a: the threads of a quarter, with 8 bytes each); bytes of all its buffers together;
 * blocks; threads of a block; bytes of a thread's access; accesses that a thread makes to each buffer, one grid apart; of these, loads
 * that are made before the first is used; cycles of the SM that takes longest from its first warp's begin to its last one's end: median,
 * least and most of RUNS launches. Each launch finds what the one before, of the same kind on the same buffers, has left in the L2.
 */
#include "probe.h"

#define RUNS	7
#define MAX_SMS 512
#define ROOM	((size_t)256 << 20)
#define BLOCKS	((size_t)1 << 17)
#define WARPS	(BLOCKS * 32)

enum { SUM, FILL, COPY, ADD, UPDATE, PART };
static const char *const kinds[] = {"sum", "fill", "copy", "add", "update", "part"};
static const int buffers_of[] = {1, 1, 2, 3, 1, 1};

/* Of a block: when its first warp began, and on which SM. */
typedef struct {
	long long at;
	long long sm;
} Begin;

typedef struct {
	const char *a, *b;
	char *to;
	int steps;
	Begin *begins;	 /* of each block */
	long long *ends; /* of each warp */
	uint32_t *sink;
} Job;

template <int WORDS>
static __device__ __forceinline__ void load(uint32_t *value, const char *at)
{
	if (WORDS == 1)
		asm volatile("ld.global.u32 %0, [%1];" : "=r"(value[0]) : "l"(at) : "memory");
	else
		asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
			     : "=r"(value[0]), "=r"(value[1]), "=r"(value[2]), "=r"(value[3])
			     : "l"(at)
			     : "memory");
}

template <int WORDS>
static __device__ __forceinline__ void store(char *at, const uint32_t *value)
{
	if (WORDS == 1)
		asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(value[0]) : "memory");
	else if (WORDS == 2)
		asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(at), "r"(value[0]),
			     "r"(value[1])
			     : "memory");
	else
		asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(at),
			     "r"(value[0]), "r"(value[1]), "r"(value[2]), "r"(value[3])
			     : "memory");
}

template <int KIND, int WORDS, int LOADS> static __global__ void transfer(Job job)
{
	const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
	const uint32_t pitch = KIND == PART ? 32 : WORDS * 4;
	const size_t gap = (size_t)gridDim.x * blockDim.x * pitch;
	size_t at = (size_t)thread * pitch;
	uint32_t all = 0;
	long long begin;

	__syncthreads();
	begin = stamp();
#pragma unroll 1
	for (int step = 0; step < job.steps; step += LOADS) {
		uint32_t a[LOADS][WORDS], b[LOADS][WORDS];

#pragma unroll
		for (int i = 0; i < LOADS; i++) {
#pragma unroll
			for (int k = 0; k < WORDS; k++)
				a[i][k] = b[i][k] = thread;
			if (KIND != FILL && KIND != PART)
				load<WORDS>(a[i], job.a + at + i * gap);
			if (KIND == ADD)
				load<WORDS>(b[i], job.b + at + i * gap);
		}
#pragma unroll
		for (int i = 0; i < LOADS; i++) {
#pragma unroll
			for (int k = 0; k < WORDS; k++)
				a[i][k] += b[i][k];
			if (KIND == SUM)
#pragma unroll
				for (int k = 0; k < WORDS; k++)
					all ^= a[i][k];
			else
				store<WORDS>(job.to + at + i * gap, a[i]);
		}
		at += LOADS * gap;
	}
	if (all == 0x9e3779b9)
		*job.sink = all;

	/* Stores only: an atomic of each warp would take longer than what it moves. */
	if (threadIdx.x == 0)
		job.begins[blockIdx.x] = (Begin){begin, sm_id()};
	if (threadIdx.x % 32 == 0)
		job.ends[thread / 32] = stamp();
}

/* Cycles of the SM that takes longest, between stamps of its own. */
static double longest_sm(const Job *job, int blocks, int warps)
{
	static Begin begins[BLOCKS];
	static long long ends[WARPS];
	long long first[MAX_SMS], last[MAX_SMS] = {0}, longest = 0;

	from_gpu(begins, job->begins, blocks * sizeof(*begins));
	from_gpu(ends, job->ends, (size_t)blocks * warps * sizeof(*ends));
	for (int i = 0; i < blocks; i++) {
		const long long sm = begins[i].sm;

		if (last[sm] == 0 || begins[i].at < first[sm])
			first[sm] = begins[i].at;
		for (int k = 0; k < warps; k++)
			if (ends[(size_t)i * warps + k] > last[sm])
				last[sm] = ends[(size_t)i * warps + k];
		if (last[sm] - first[sm] > longest)
			longest = last[sm] - first[sm];
	}
	return longest;
}

template <int KIND, int WORDS, int LOADS>
static void measure(size_t footprint, int blocks, int threads)
{
	static char *room = (char *)gpu_memory(ROOM);
	static Begin *begins = (Begin *)gpu_memory(BLOCKS * sizeof(Begin));
	static long long *ends = (long long *)gpu_memory(WARPS * sizeof(long long));
	static uint32_t *sink = (uint32_t *)gpu_memory(sizeof(uint32_t));
	const size_t pitch = KIND == PART ? 32 : WORDS * 4,
		     of_all = (size_t)threads * pitch * LOADS;
	double most[RUNS], middle;
	int steps;
	size_t each;

	/* One step of LOADS accesses: as many blocks as it takes. */
	if (blocks == 0)
		blocks = footprint / buffers_of[KIND] / of_all;
	steps = footprint / buffers_of[KIND] / (of_all * blocks) * LOADS;
	if (steps == 0)
		return;
	each = (size_t)steps * blocks * threads * pitch;

	Job job = {room, room + each, room + (buffers_of[KIND] - 1) * each, steps, begins,
		   ends, sink};

	for (int run = -2; run < RUNS; run++) {
		transfer<KIND, WORDS, LOADS><<<blocks, threads>>>(job);
		CHECK_RUN();
		if (run >= 0)
			most[run] = longest_sm(&job, blocks, threads / 32);
	}
	middle = median(most, RUNS);
	printf("%s,%zu,%d,%d,%d,%d,%d,%.0f,%.0f,%.0f\n", kinds[KIND], each * buffers_of[KIND],
	       blocks, threads, WORDS * 4, steps, LOADS, middle, most[0], most[RUNS - 1]);
	fflush(stdout);
}

template <int KIND> static void measure_kind(size_t footprint)
{
	measure<KIND, 1, 1>(footprint, 2 * sm_count(), 1024);
	measure<KIND, 1, 4>(footprint, 2 * sm_count(), 1024);
	measure<KIND, 4, 1>(footprint, 2 * sm_count(), 1024);
	measure<KIND, 4, 1>(footprint, 2 * sm_count(), 256);
	measure<KIND, 1, 4>(footprint, 0, 128);
	measure<KIND, 4, 1>(footprint, 0, 256);
}

int main(void)
{
	static const int mebibytes[] = {16, 32, 48, 64, 96, 192};

	warm_up();
	printf("kind,footprint_bytes,blocks,threads,bytes_per_lane,steps,loads_in_flight,"
	       "cycles,cycles_min,"
	       "cycles_max\n");
	for (int i = 0; i < (int)(sizeof(mebibytes) / sizeof(*mebibytes)); i++) {
		const size_t footprint = (size_t)mebibytes[i] << 20;

		measure_kind<SUM>(footprint);
		measure_kind<FILL>(footprint);
		measure_kind<COPY>(footprint);
		measure_kind<ADD>(footprint);
		measure_kind<UPDATE>(footprint);
		measure<PART, 2, 1>(footprint, 2 * sm_count(), 1024);
		measure<PART, 2, 1>(footprint, 0, 256);
	}
	return 0;
}
