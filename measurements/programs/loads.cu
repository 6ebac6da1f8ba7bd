/* SPDX-License-Identifier: MIT */
/*
 * Loads from the L1, the L2 and DRAM.
 *
 *   loads FOLDER
 *
 * writes into the folder
 *   issue-l2-by-sm.csv    a row an SM and line: cycles of a load from the L2, chains of 8
 *   issue-in-flight.csv   warps, loads of each that are under way together, bits a lane: cycles
 *                         to issue and to have all
 *   issue-l1.csv          `width`: a load by width from L1 and L2; `sectors`: a chain over so many
 *                         sectors, `gap_bytes` apart; `merge`: a second warp asks for the line of
 *                         a miss under way, `delay` later: its own time, and its end behind the
 *                         first's in the last column
 *   issue-dram.csv        a chase through a region behind a read of 1 GiB that flushes the L2, and
 *                         bytes a nanosecond of a whole read
 */
#include "l2.h"

#define RUNS	 7
#define L2_LINES 32
#define L2_GAP	 46464

static FILE *open_file(const char *folder, const char *name)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	if (!file) {
		perror(path);
		exit(1);
	}
	return file;
}

/* A word that holds its own address is a chain of loads without arithmetic. */
static __global__ void own_addresses(char *base, size_t gap, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		*(uint64_t *)(base + i * gap) = (uint64_t)(base + i * gap);
}

static __global__ void chains_by_sm(char *base, unsigned int sm, float *cycles,
				    unsigned int *taken)
{
	if (sm_id() != sm || threadIdx.x > 0 || atomicExch(taken, 1) != 0)
		return;
	for (int line = 0; line < L2_LINES; line++) {
		uint64_t address = (uint64_t)(base + (size_t)line * L2_GAP);
		long long best = INT64_MAX;

		for (int pass = 0; pass < 4; pass++) {
			long long begin = stamp();

#pragma unroll
			for (int i = 0; i < 8; i++)
				asm volatile("ld.relaxed.gpu.global.u64 %0, [%0];"
					     : "+l"(address)::"memory");
			if (address == 1)
				return;

			long long span = stamp() - begin;

			best = span < best ? span : best;
		}
		cycles[line] = best / 8.0f;
	}
}

static void measure_l2(FILE *out)
{
	int n_sms = sm_count();
	char *base = (char *)gpu_memory((size_t)L2_LINES * L2_GAP);
	float *cycles = (float *)gpu_memory(L2_LINES * sizeof(float)), one[L2_LINES];
	unsigned int *taken = (unsigned int *)gpu_memory(sizeof(*taken));

	own_addresses<<<1, L2_LINES>>>(base, L2_GAP, L2_LINES);
	CHECK_RUN();
	fprintf(out, "sm,line,byte_offset,cycles\n");
	for (int sm = 0; sm < n_sms; sm++) {
		unsigned int done = 0;

		for (int launch = 0; launch < 100 && !done; launch++) {
			chains_by_sm<<<2 * n_sms, 1024>>>(base, sm, cycles, taken);
			CHECK_RUN();
			from_gpu(&done, taken, sizeof(done));
		}
		CHECK(cudaMemset(taken, 0, sizeof(*taken)));
		from_gpu(one, cycles, sizeof(one));
		for (int line = 0; line < L2_LINES; line++)
			fprintf(out, "%d,%d,%d,%.2f\n", sm, line, line * L2_GAP, one[line]);
	}
}

/* Loads of a warp on lines of its own; all of its loads are issued before the first is used. */
template <int LOADS, int WORDS>
static __global__ void __launch_bounds__(1024, 1)
	in_flight(const char *base, long long *begins, long long *issues, long long *dones,
		  uint32_t *sink)
{
	int warp = threadIdx.x / 32, warps = blockDim.x / 32;
	const char *own = base + (size_t)(blockIdx.x * warps + warp) * LOADS * 128 * WORDS +
			  threadIdx.x % 32 * 4 * WORDS;
	long long begin = 0, issue = 0, done = 0;

	for (int pass = 0; pass < 3; pass++) {
		uint32_t value[LOADS], sum = 0;

		__syncthreads();
		begin = stamp();
#pragma unroll
		for (int i = 0; i < LOADS; i++)
			if (WORDS == 1)
				asm volatile("ld.global.cg.u32 %0, [%1];"
					     : "=r"(value[i])
					     : "l"(own + i * 128)
					     : "memory");
			else
				asm volatile("{ .reg .u32 x, y, z; "
					     "ld.global.cg.v4.u32 {%0, x, y, z}, [%1]; }"
					     : "=r"(value[i])
					     : "l"(own + i * 512)
					     : "memory");
		issue = stamp();
#pragma unroll
		for (int i = 0; i < LOADS; i++)
			sum ^= value[i];
		if (sum == 0x9e3779b9)
			sink[threadIdx.x] = sum;
		done = stamp();
	}
	if (threadIdx.x % 32 == 0 && blockIdx.x == 0) {
		begins[warp] = begin;
		issues[warp] = issue;
		dones[warp] = done;
	}
}

template <int LOADS, int WORDS>
static void measure_in_flight(int blocks, int warps, const char *base, FILE *out)
{
	static long long *begins = (long long *)gpu_memory(32 * sizeof(long long));
	static long long *issues = (long long *)gpu_memory(32 * sizeof(long long));
	static long long *dones = (long long *)gpu_memory(32 * sizeof(long long));
	static uint32_t *sink = (uint32_t *)gpu_memory(1024 * sizeof(uint32_t));
	double issued[RUNS], done[RUNS];

	for (int run = 0; run < RUNS; run++) {
		long long begin[32], issue[32], end[32], first = INT64_MAX;

		in_flight<LOADS, WORDS>
			<<<blocks, warps * 32>>>(base, begins, issues, dones, sink);
		CHECK_RUN();
		from_gpu(begin, begins, sizeof(begin));
		from_gpu(issue, issues, sizeof(issue));
		from_gpu(end, dones, sizeof(end));
		issued[run] = done[run] = 0;
		for (int i = 0; i < warps; i++)
			first = begin[i] < first ? begin[i] : first;
		for (int i = 0; i < warps; i++) {
			issued[run] = fmax(issued[run], issue[i] - first);
			done[run] = fmax(done[run], end[i] - first);
		}
	}

	double middle = median(done, RUNS);

	fprintf(out, "%d,%d,%d,%d,%.0f,%.0f,%.0f,%.0f,%.1f\n", blocks, warps, LOADS, WORDS * 32,
		median(issued, RUNS), middle, done[0], done[RUNS - 1],
		128.0 * WORDS * LOADS * warps / middle);
}

static void measure_loads_in_flight(FILE *out)
{
	static const int warps[] = {1, 2, 4, 8, 16, 32};
	const char *base = (const char *)gpu_memory((size_t)64 << 20);

	fprintf(out,
		"blocks,warps,loads_in_flight_per_warp,bits_per_lane,all_issued,all_done,min,"
		"max,bytes_per_cycle_sm\n");
	for (int i = 0; i < 6; i++) {
		measure_in_flight<1, 1>(1, warps[i], base, out);
		measure_in_flight<2, 1>(1, warps[i], base, out);
		measure_in_flight<4, 1>(1, warps[i], base, out);
		measure_in_flight<8, 1>(1, warps[i], base, out);
		measure_in_flight<16, 1>(1, warps[i], base, out);
		measure_in_flight<32, 1>(1, warps[i], base, out);
		measure_in_flight<1, 4>(1, warps[i], base, out);
		measure_in_flight<2, 4>(1, warps[i], base, out);
		measure_in_flight<4, 4>(1, warps[i], base, out);
		measure_in_flight<8, 4>(1, warps[i], base, out);
		measure_in_flight<12, 4>(1, warps[i], base, out);
	}
	for (int i = 3; i < 6; i++) {
		measure_in_flight<1, 1>(sm_count(), warps[i], base, out);
		measure_in_flight<4, 1>(sm_count(), warps[i], base, out);
		measure_in_flight<8, 1>(sm_count(), warps[i], base, out);
		measure_in_flight<1, 4>(sm_count(), warps[i], base, out);
		measure_in_flight<2, 4>(sm_count(), warps[i], base, out);
	}
}

/* One load and its use; `level` 0 is the L1. A lane's address is `lane_bytes` behind the one's
   before it, in pieces of a sector that lie `gap` further apart. */
template <int WORDS, bool PAST_L1>
static __global__ void one_load(const char *base, int sectors, int gap, long long *cycles,
				uint32_t *sink)
{
	int lane = threadIdx.x, sector = lane * sectors / 32;
	const char *address =
		base + sector * (32 + gap) + lane % (32 / sectors) * 4 * WORDS % 32;
	long long begin, end = 0;

	for (int pass = 0; pass < 4; pass++) {
		uint32_t value;

		begin = stamp();
		if (WORDS == 1 && PAST_L1)
			asm volatile("ld.global.cg.u32 %0, [%1];"
				     : "=r"(value)
				     : "l"(address)
				     : "memory");
		else if (WORDS == 1)
			asm volatile("ld.global.ca.u32 %0, [%1];"
				     : "=r"(value)
				     : "l"(address)
				     : "memory");
		else if (WORDS == 2 && PAST_L1)
			asm volatile("{ .reg .u32 x; ld.global.cg.v2.u32 {%0, x}, [%1]; }"
				     : "=r"(value)
				     : "l"(address)
				     : "memory");
		else if (WORDS == 2)
			asm volatile("{ .reg .u32 x; ld.global.ca.v2.u32 {%0, x}, [%1]; }"
				     : "=r"(value)
				     : "l"(address)
				     : "memory");
		else if (PAST_L1)
			asm volatile("{ .reg .u32 x, y, z; ld.global.cg.v4.u32 {%0, x, y, z}, "
				     "[%1]; }"
				     : "=r"(value)
				     : "l"(address)
				     : "memory");
		else
			asm volatile("{ .reg .u32 x, y, z; ld.global.ca.v4.u32 {%0, x, y, z}, "
				     "[%1]; }"
				     : "=r"(value)
				     : "l"(address)
				     : "memory");
		if (value == 0x9e3779b9)
			sink[lane] = value;
		end = stamp();
	}
	if (lane == 0)
		*cycles = end - begin;
}

template <int WORDS, bool PAST_L1>
static void measure_one_load(const char *base, const char *part, int sectors, int gap,
			     FILE *out)
{
	static long long *cycles = (long long *)gpu_memory(sizeof(long long));
	static uint32_t *sink = (uint32_t *)gpu_memory(32 * sizeof(uint32_t));
	double reading[RUNS];

	for (int run = 0; run < RUNS; run++) {
		long long one;

		one_load<WORDS, PAST_L1><<<1, 32>>>(base, sectors, gap, cycles, sink);
		CHECK_RUN();
		from_gpu(&one, cycles, sizeof(one));
		reading[run] = one;
	}

	double middle = median(reading, RUNS);

	fprintf(out, "%s,%d,%s,%d,%d,0,%.2f,%.2f,%.2f\n", part, WORDS * 32,
		PAST_L1 ? "l2" : "l1", sectors, gap, middle, reading[0], reading[RUNS - 1]);
}

/* Warp 0 misses, warp `second` asks `delay` later for the same line or another. */
static __global__ void merge(const char *base, int second, int delay, int same,
			     long long *times, uint32_t *sink)
{
	int warp = threadIdx.x / 32;

	if (warp != 0 && warp != second)
		return;
	asm volatile("bar.sync 1, 64;" ::: "memory");

	const char *address = base + (warp && !same ? 4096 : 0) + threadIdx.x % 32 * 4;
	uint32_t value;

	if (warp)
		for (long long begin = stamp(); stamp() - begin < delay;)
			;

	long long begin = stamp();

	asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
	if (value == 0x9e3779b9)
		sink[threadIdx.x] = value;

	long long end = stamp();

	if (threadIdx.x % 32 == 0) {
		times[warp ? 2 : 0] = begin;
		times[warp ? 3 : 1] = end;
	}
}

static void measure_merge(const char *base, int second, int delay, int same, FILE *out)
{
	static long long *times = (long long *)gpu_memory(4 * sizeof(long long));
	static uint32_t *sink = (uint32_t *)gpu_memory(1024 * sizeof(uint32_t));
	double own[RUNS], behind[RUNS];

	for (int run = 0; run < RUNS; run++) {
		long long time[4];

		/* The L1 knows nothing of the last launch's lines. */
		merge<<<1, 160>>>(base, second, delay, same, times, sink);
		CHECK_RUN();
		from_gpu(time, times, sizeof(time));
		own[run] = time[3] - time[2];
		behind[run] = time[3] - time[1];
	}

	double middle = median(own, RUNS);

	fprintf(out, "merge,32,%s-sub-core-%s-line,4,0,%d,%.0f,%.0f,%.0f\n",
		second % 4 ? "other" : "same", same ? "same" : "other", delay, middle, own[0],
		median(behind, RUNS));
}

static void measure_l1(FILE *out)
{
	static const int sectors[] = {1, 2, 4, 8, 16, 32};
	static const int gaps[] = {0, 32, 96, 128, 4064};
	static const int delays[] = {0, 40, 80, 160, 240, 320, 400};
	const char *base = (const char *)gpu_memory((size_t)1 << 20);

	fprintf(out, "part,bits_per_lane,level,sectors,gap_bytes,delay,cycles,min,max\n");
	measure_one_load<1, false>(base, "width", 4, 0, out);
	measure_one_load<1, false>(base, "width", 1, 0, out);
	measure_one_load<2, false>(base, "width", 8, 0, out);
	measure_one_load<4, false>(base, "width", 16, 0, out);
	measure_one_load<1, true>(base, "width", 4, 0, out);
	measure_one_load<1, true>(base, "width", 1, 0, out);
	measure_one_load<2, true>(base, "width", 8, 0, out);
	measure_one_load<4, true>(base, "width", 16, 0, out);
	for (int g = 0; g < 5; g++)
		for (int s = 0; s < 6; s++) {
			measure_one_load<1, false>(base, "sectors", sectors[s], gaps[g], out);
			measure_one_load<1, true>(base, "sectors", sectors[s], gaps[g], out);
		}
	for (int second = 1; second <= 4; second += 3)
		for (int same = 1; same >= 0; same--)
			for (int d = 0; d < 7; d++)
				measure_merge(base, second, delays[d], same, out);
}

#define HOPS 300

static __global__ void chase(const uint64_t *start, long long *cycles)
{
	const uint64_t *word = start;
	long long before = stamp();

	for (int i = 0; i < HOPS; i++) {
		uint64_t next;

		asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
			     : "=l"(next)
			     : "l"(word)
			     : "memory");
		word = (const uint64_t *)next;
		if (!word)
			return;

		long long now = stamp();

		cycles[i] = now - before;
		before = now;
	}
}

static __global__ void read_all(const uint4 *data, size_t n, uint32_t *sink)
{
	size_t step = (size_t)gridDim.x * blockDim.x;
	uint32_t sum = 0;

#pragma unroll 8
	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
		uint4 value = __ldcs(data + i);

		sum ^= value.x ^ value.y ^ value.z ^ value.w;
	}
	if (sum == 0x9e3779b9)
		*sink = sum;
}

/* A ring through the region, its words `stride` bytes apart, in no order that a line repeats. */
static void measure_chase(const char *name, size_t region, size_t stride, const uint4 *flush,
			  size_t flush_bytes, FILE *out)
{
	size_t n = region / stride < HOPS + 1 ? region / stride : HOPS + 1;
	char *base = (char *)gpu_memory(region);
	uint64_t *ring = (uint64_t *)malloc(n * sizeof(uint64_t));
	long long *cycles = (long long *)gpu_memory(HOPS * sizeof(long long)), hop[HOPS];
	uint32_t *sink = (uint32_t *)gpu_memory(sizeof(*sink)), random = 12345;

	for (size_t i = 0; i < n; i++)
		ring[i] = i;
	for (size_t i = n - 1; i > 0; i--) {
		size_t j = next_random(&random) % (i + 1);
		uint64_t other = ring[i];

		ring[i] = ring[j];
		ring[j] = other;
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t next = (uint64_t)(base + ring[(i + 1) % n] * stride);

		CHECK(cudaMemcpy(base + ring[i] * stride, &next, sizeof(next),
				 cudaMemcpyHostToDevice));
	}
	for (int run = 0; run < 3; run++) {
		if (flush)
			read_all<<<2 * sm_count(), 1024>>>(flush, flush_bytes / sizeof(uint4),
							   sink);
		else
			chase<<<1, 1>>>((uint64_t *)(base + ring[0] * stride), cycles);
		chase<<<1, 1>>>((uint64_t *)(base + ring[0] * stride), cycles);
		CHECK_RUN();
		from_gpu(hop, cycles, sizeof(hop));
		for (int i = 0; i < HOPS; i++)
			fprintf(out, "%s-run%d,%zu,%d,%lld\n", name, run, stride, i, hop[i]);
	}
	CHECK(cudaFree(base));
	free(ring);
}

static void measure_dram(FILE *out)
{
	size_t bytes = (size_t)4 << 30;
	uint4 *data = (uint4 *)gpu_memory(bytes);
	uint32_t *sink = (uint32_t *)gpu_memory(sizeof(*sink));
	double rate[RUNS];

	fprintf(out, "region,stride,hop,cycles\n");
	const size_t in_l2 = bytes_in_l2((size_t)8 << 20);
	char name[32];

	snprintf(name, sizeof(name), "%zuMB-in-l2", in_l2 >> 20);
	measure_chase(name, in_l2, 4224, NULL, 0, out);
	measure_chase("8MB-flushed", (size_t)8 << 20, 4224, data, (size_t)1 << 30, out);
	measure_chase("32MB-flushed", (size_t)32 << 20, 16512, data, (size_t)1 << 30, out);
	measure_chase("2GB-flushed", (size_t)2 << 30, 1048704, data, (size_t)1 << 30, out);
	for (int run = 0; run < RUNS; run++) {
		cudaEvent_t begin, end;
		float ms;

		CHECK(cudaEventCreate(&begin));
		CHECK(cudaEventCreate(&end));
		CHECK(cudaEventRecord(begin));
		read_all<<<2 * sm_count(), 1024>>>(data, bytes / sizeof(uint4), sink);
		CHECK(cudaEventRecord(end));
		CHECK_RUN();
		CHECK(cudaEventElapsedTime(&ms, begin, end));
		rate[run] = bytes / (ms * 1e6);
	}
	fprintf(out, "read-4GiB-GBps,0,0,%.0f\n", median(rate, RUNS));
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
		return 2;
	}
	warm_up();
	measure_l2(open_file(argv[1], "issue-l2-by-sm.csv"));
	measure_loads_in_flight(open_file(argv[1], "issue-in-flight.csv"));
	measure_l1(open_file(argv[1], "issue-l1.csv"));
	measure_dram(open_file(argv[1], "issue-dram.csv"));
	return 0;
}
