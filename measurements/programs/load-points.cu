/* SPDX-License-Identifier: MIT */
/*
 * Loads of all kinds of launches, points from a file (draw-loads.sh draws some), and single loads from DRAM.
 *
 *   load-points POINTS.csv > global-loads-drawn.csv
 *   load-points lines > issue-dram-lines.csv
 *
 * Columns of points: order (walk: a warp's next load is one grid behind its last one; random: whole lines anywhere),
 * state, path (ca may hit the first cache, cg not), footprint_bytes, blocks, threads, bytes_per_lane, loads_in_flight (of a
 * warp: so many are made, then all of them are used), steps (loads of a warp in all). Added: cycles of the SM that takes
 * longest from its first warp's begin to its last one's end, the median of RUNS launches, the least, the most.
 * - `again`: the region was walked through by a launch of the same shape just before, and by others before that.
 * - `written`: a kernel of all SMs has just written the region.
 * - `cold`: FLUSH bytes elsewhere were read since the region was written.
 *
 * Columns of lines: order (near: 4,224 bytes behind the last one; random), run, hop, byte (of the region), cycles: single loads of
 * one thread from cold memory, each behind the last one, two stamps around each; the same lines in each run.
 */
#include "probe.h"

#define RUNS	   5
#define MAX_SMS	   512
#define REGION	   ((size_t)2 << 30)
#define FLUSH	   ((size_t)256 << 20)
#define LINE_BYTES 128
#define N_LINES	   1500
#define LINE_RUNS  4

typedef struct {
	long long begin, end;
} Span;

typedef struct {
	const char *base;
	uint32_t bytes;
	int steps;
	Span *spans;
	uint32_t *sink;
} Job;

template <int WORDS, bool FIRST_CACHE>
static __device__ __forceinline__ uint32_t load(const char *address)
{
	uint32_t value;

	if (WORDS == 1 && FIRST_CACHE)
		asm volatile("ld.global.ca.u32 %0, [%1];"
			     : "=r"(value)
			     : "l"(address)
			     : "memory");
	else if (WORDS == 1)
		asm volatile("ld.global.cg.u32 %0, [%1];"
			     : "=r"(value)
			     : "l"(address)
			     : "memory");
	else if (WORDS == 2 && FIRST_CACHE)
		asm volatile("{ .reg .u32 x; ld.global.ca.v2.u32 {%0, x}, [%1]; }"
			     : "=r"(value)
			     : "l"(address)
			     : "memory");
	else if (WORDS == 2)
		asm volatile("{ .reg .u32 x; ld.global.cg.v2.u32 {%0, x}, [%1]; }"
			     : "=r"(value)
			     : "l"(address)
			     : "memory");
	else if (FIRST_CACHE)
		asm volatile("{ .reg .u32 x, y, z; ld.global.ca.v4.u32 {%0, x, y, z}, [%1]; }"
			     : "=r"(value)
			     : "l"(address)
			     : "memory");
	else
		asm volatile("{ .reg .u32 x, y, z; ld.global.cg.v4.u32 {%0, x, y, z}, [%1]; }"
			     : "=r"(value)
			     : "l"(address)
			     : "memory");
	return value;
}

template <int WORDS, int LOADS, bool RANDOM, bool FIRST_CACHE>
static __global__ void __launch_bounds__(1024, 1) stream(Job job)
{
	const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
	const uint32_t gap = gridDim.x * blockDim.x * WORDS * 4;
	const uint32_t own = threadIdx.x % 32 * WORDS * 4;
	uint32_t at = thread * WORDS * 4, all = 0, state = thread / 32 * 2654435769u;

	__syncthreads();

	long long begin = stamp();

#pragma unroll 1
	for (int step = 0; step < job.steps; step += LOADS) {
		uint32_t value[LOADS];

#pragma unroll
		for (int i = 0; i < LOADS; i++) {
			if (RANDOM) {
				/* The upper bits of such a sequence are the random ones. */
				state = state * 1664525u + 1013904223u;
				at = ((uint32_t)((uint64_t)state * job.bytes >> 32) &
				      ~(128u * WORDS - 1)) +
				     own;
			}
			value[i] = load<WORDS, FIRST_CACHE>(job.base + at);
			if (!RANDOM) {
				at += gap;
				at = at >= job.bytes ? at - job.bytes : at;
			}
		}
#pragma unroll
		for (int i = 0; i < LOADS; i++)
			all ^= value[i];
	}
	if (all == 0x9e3779b9)
		*job.sink = all;

	long long end = stamp();

	if (threadIdx.x % 32 == 0) {
		atomicMin(&job.spans[sm_id()].begin, begin);
		atomicMax(&job.spans[sm_id()].end, end);
	}
}

static __global__ void read_all(const uint4 *data, size_t n, uint32_t *sink)
{
	uint32_t sum = 0;

	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
	     i += (size_t)gridDim.x * blockDim.x)
		sum ^= data[i].x ^ data[i].y ^ data[i].z ^ data[i].w;
	if (sum == 0x9e3779b9)
		*sink = sum;
}

static __global__ void write_all(uint4 *data, size_t n)
{
	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
	     i += (size_t)gridDim.x * blockDim.x)
		data[i] = make_uint4(0, 0, 0, 0);
}

static char *region, *other;
static uint32_t *sink;
static Span *spans;

static void flush(void)
{
	read_all<<<2 * sm_count(), 1024>>>((uint4 *)other, FLUSH / 16, sink);
	CHECK_RUN();
}

typedef struct {
	char order[16], state[16], path[16];
	unsigned int bytes;
	int blocks, threads, width, loads, steps;
} Point;

typedef void (*Kernel)(Job);

template <int WORDS, int LOADS> static Kernel of_kind(const Point *p)
{
	bool random = !strcmp(p->order, "random"), first = !strcmp(p->path, "ca");

	return random ? (first ? stream<WORDS, LOADS, true, true>
			       : stream<WORDS, LOADS, true, false>)
		      : (first ? stream<WORDS, LOADS, false, true>
			       : stream<WORDS, LOADS, false, false>);
}

template <int WORDS> static Kernel of_loads(const Point *p)
{
	return p->loads == 1   ? of_kind<WORDS, 1>(p)
	       : p->loads == 2 ? of_kind<WORDS, 2>(p)
	       : p->loads == 4 ? of_kind<WORDS, 4>(p)
	       : p->loads == 8 ? of_kind<WORDS, 8>(p)
			       : NULL;
}

static void measure(const Point *p)
{
	Kernel kernel = p->width == 4	 ? of_loads<1>(p)
			: p->width == 8	 ? of_loads<2>(p)
			: p->width == 16 ? of_loads<4>(p)
					 : NULL;
	bool cold = !strcmp(p->state, "cold"), written = !strcmp(p->state, "written");
	double most[RUNS];
	static Span host[MAX_SMS];
	/* Regions of different points do not overlap as long as there is room. */
	static size_t at;
	size_t bytes = ((size_t)p->bytes + ((1 << 21) - 1)) & ~(size_t)((1 << 21) - 1);

	if (!kernel) {
		fprintf(stderr,
			"loads_in_flight %d, bytes_per_lane %d: 1, 2, 4, 8 and 4, 8, 16 are "
			"allowed\n",
			p->loads, p->width);
		exit(1);
	}
	if (at + bytes > REGION)
		at = 0;

	Job job = {region + at, p->bytes, p->steps, spans, sink};

	at += bytes;
	for (int run = -2; run < RUNS; run++) {
		double longest = 0;

		if (written || (cold && run == -2))
			write_all<<<2 * sm_count(), 1024>>>((uint4 *)job.base, p->bytes / 16);
		if (cold)
			flush();
		for (int i = 0; i < MAX_SMS; i++)
			host[i] = (Span){INT64_MAX, 0};
		CHECK(cudaMemcpy(spans, host, sizeof(host), cudaMemcpyHostToDevice));
		kernel<<<p->blocks, p->threads>>>(job);
		CHECK_RUN();
		from_gpu(host, spans, sizeof(host));
		for (int i = 0; i < MAX_SMS; i++)
			if (host[i].end && host[i].end - host[i].begin > longest)
				longest = host[i].end - host[i].begin;
		if (run >= 0)
			most[run] = longest;
	}

	double middle = median(most, RUNS);

	printf("%s,%s,%s,%u,%d,%d,%d,%d,%d,%.0f,%.0f,%.0f,%s\n", p->order, p->state, p->path,
	       p->bytes, p->blocks, p->threads, p->width, p->loads, p->steps, middle, most[0],
	       most[RUNS - 1], strcmp(p->state, "again") == 0 ? "warm" : p->state);
	fflush(stdout);
}

static void measure_points(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[256];
	Point p;

	if (!file || !fgets(line, sizeof(line), file)) {
		perror(path);
		exit(1);
	}
	printf("order,state,path,footprint_bytes,blocks,threads,bytes_per_lane,loads_in_flight,"
	       "steps,cycles,cycles_min,cycles_max,launch.l2\n");
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%15[^,],%15[^,],%15[^,],%u,%d,%d,%d,%d,%d", p.order, p.state,
			   p.path, &p.bytes, &p.blocks, &p.threads, &p.width, &p.loads,
			   &p.steps) != 9) {
			fprintf(stderr, "%s: no point: %s", path, line);
			exit(1);
		}
		measure(&p);
	}
	fclose(file);
}

/* --- Single loads --- */

static __global__ void single_loads(const char *base, const uint32_t *order, int n, int *cycles)
{
	uint32_t late = 0;
	__shared__ uint32_t next[N_LINES];

	for (int i = 0; i < n; i++)
		next[i] = order[i];
	for (int i = 0; i < n; i++) {
		const char *address = base + next[i] + late;
		long long before = stamp();
		uint32_t value = load<1, false>(address);

		late = value >> 31;

		long long now = stamp() + late;

		cycles[i] = now - before;
	}
}

static void measure_lines(void)
{
	static uint32_t order[N_LINES];
	static int host[N_LINES];
	int *cycles = (int *)gpu_memory(sizeof(host));
	uint32_t state = 20261122;

	printf("order,run,hop,byte,cycles\n");
	for (int random = 0; random < 2; random++) {
		for (int i = 0; i < N_LINES; i++)
			order[i] = random ? next_random(&state) % ((64u << 20) / LINE_BYTES) *
						    LINE_BYTES
					  : i * 4224;

		uint32_t *on_gpu = (uint32_t *)to_gpu(order, sizeof(order));

		for (int run = 0; run < LINE_RUNS; run++) {
			flush();
			single_loads<<<1, 1>>>(region, on_gpu, N_LINES, cycles);
			CHECK_RUN();
			from_gpu(host, cycles, sizeof(host));
			for (int i = 0; i < N_LINES; i++)
				printf("%s,%d,%d,%u,%d\n", random ? "random" : "near", run, i,
				       order[i], host[i]);
		}
	}
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: %s POINTS.csv|lines\n", argv[0]);
		return 2;
	}
	warm_up();
	region = (char *)gpu_memory(REGION);
	other = (char *)gpu_memory(FLUSH);
	sink = (uint32_t *)gpu_memory(sizeof(*sink));
	spans = (Span *)gpu_memory(MAX_SMS * sizeof(Span));
	if (!strcmp(argv[1], "lines"))
		measure_lines();
	else
		measure_points(argv[1]);
	return 0;
}
