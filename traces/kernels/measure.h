/* SPDX-License-Identifier: MIT */
/*
 * Measures how many cycles of its SM each block of a kernel takes, if compiled with -DMEASURE;
 * without it, a kernel's machine code is the kernel alone, and that is what is captured.
 *
 * A kernel reads the clock where it begins, MEASURE_BEGIN, and where it ends, MEASURE_END, in
 * every warp. The program runs the kernel MEASURE_RUNS times; the first run, with cold caches, does
 * not count. Before each other run blocks of another kernel take all SMs but as many as the blocks need
 * with MEASURE_BLOCKS_PER_SM (of the environment, else 1) on each, others in each run, and stay there
 * until it is over: so a block runs on many SMs, and it is known which run together. They look at the
 * clock alone, for accesses to memory would disturb.
 */
#ifndef MEASURE_H
#define MEASURE_H

#ifdef MEASURE

#define MEASURE_RUNS	      41
#define MEASURE_MAX_BLOCKS    256
#define MEASURE_OCCUPY_CYCLES 6000000
#define MEASURE_QUIET_CYCLES  500000 /* longer than any block takes */

typedef struct {
	long long begin, end;
	unsigned int sm;
} MeasureWarp;

static __device__ MeasureWarp measure_warps[MEASURE_MAX_BLOCKS][32];

static __device__ inline long long measure_clock(void)
{
	long long clock;

	asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock)::"memory");
	return clock;
}

static __device__ inline unsigned int measure_sm(void)
{
	unsigned int sm;

	asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
	return sm;
}

static __device__ inline void measure_end(long long begin)
{
	long long end = measure_clock();

	/* What a warp does behind its last stamp would cost those that still run issue slots and turns at the ways to
	   memory, where several blocks share an SM up to 330 cycles: it sleeps until all have ended. */
	while (measure_clock() - begin < MEASURE_QUIET_CYCLES)
		__nanosleep(100000);

	unsigned int thread = threadIdx.x + blockDim.x * threadIdx.y;
	MeasureWarp *warp = &measure_warps[blockIdx.x + gridDim.x * blockIdx.y][thread / 32];

	if (thread % 32 == 0) {
		warp->begin = begin;
		warp->end = end;
		warp->sm = measure_sm();
	}
}

#define MEASURE_BEGIN() long long measure_begin = measure_clock()
#define MEASURE_END()	measure_end(measure_begin)

static struct {
	int blocks, threads, shared_bytes;
	int blocks_per_sm, step; /* blocks 0, step, 2 step ... share an SM */
	int odd_runs;		 /* that do not count: blocks were placed in another way */
	int runs;		 /* that count */
	/* Of block `block` and those that share its SM, by block < step. */
	long long spans[MEASURE_MAX_BLOCKS][MEASURE_RUNS];
	unsigned int sms[MEASURE_MAX_BLOCKS][MEASURE_RUNS];
	int n_sms; /* of the GPU */
	/* In the host's memory: how many blocks that take SMs have started. */
	volatile int *started;
	int *gpu_started; /* as the GPU names it */
	cudaStream_t stream;
} measured;

/* Idle GPUs run at a low clock, and their memory at another ratio to it: keeps the SMs busy until
   the clock is up. */
static __global__ void measure_warm_up(void)
{
	for (long long begin = measure_clock(); measure_clock() - begin < 400000000;)
		;
}

/* Stays on all SMs but n_free from the first on, long enough for a run. */
static __global__ void measure_occupy(int *started, int first, int n_free, int n_sms)
{
	long long begin = measure_clock();

	if (threadIdx.x == 0)
		atomicAdd_system(started, 1);
	if (((int)measure_sm() - first + n_sms) % n_sms < n_free)
		return;
	while (measure_clock() - begin < MEASURE_OCCUPY_CYCLES)
		__nanosleep(1000);
}

static void measure_prepare(void)
{
	const char *wanted = getenv("MEASURE_BLOCKS_PER_SM");
	int *host, bytes;

	measured.blocks_per_sm = wanted ? atoi(wanted) : 1;
	CHECK(cudaDeviceGetAttribute(&measured.n_sms, cudaDevAttrMultiProcessorCount, 0));
	CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
	CHECK(cudaFuncSetAttribute(measure_occupy, cudaFuncAttributeMaxDynamicSharedMemorySize,
				   bytes));
	CHECK(cudaHostAlloc((void **)&host, sizeof(int), cudaHostAllocMapped));
	CHECK(cudaHostGetDevicePointer((void **)&measured.gpu_started, host, 0));
	CHECK(cudaStreamCreateWithFlags(&measured.stream, cudaStreamNonBlocking));
	measured.started = host;
}

/* Takes the SMs for the next run, when the blocks of the last call are gone. */
static void measure_take_sms(int run)
{
	int n_free = (measured.blocks + measured.blocks_per_sm - 1) / measured.blocks_per_sm;
	int bytes;

	CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
	CHECK(cudaStreamSynchronize(measured.stream));
	if (run + 1 == MEASURE_RUNS)
		return;
	*measured.started = 0;
	measured.step = n_free;
	measure_occupy<<<measured.n_sms, 32, bytes, measured.stream>>>(
		measured.gpu_started, run * 37 % measured.n_sms, n_free, measured.n_sms);
	CHECK(cudaGetLastError());
	while (*measured.started < measured.n_sms &&
	       cudaStreamQuery(measured.stream) == cudaErrorNotReady)
		;
}

/* Whether blocks 0, step, 2 step ... and no others were on the SM of block 0, and so on. */
static int measure_is_even(MeasureWarp (*warps)[32])
{
	for (int block = 0; block < measured.blocks; block++)
		for (int other = 0; other < block; other++)
			if ((warps[block][0].sm == warps[other][0].sm) !=
			    ((block - other) % measured.step == 0))
				return 0;
	return 1;
}

/* Cycles from the first begin to the last end of the blocks that share an SM with `block`. */
static long long measure_span(MeasureWarp (*warps)[32], int block)
{
	long long begin = warps[block][0].begin, end = warps[block][0].end;

	for (int other = 0; other < measured.blocks; other++) {
		if (warps[other][0].sm != warps[block][0].sm)
			continue;
		for (int warp = 0; warp < (measured.threads + 31) / 32; warp++) {
			const MeasureWarp *one = &warps[other][warp];

			begin = begin < one->begin ? begin : one->begin;
			end = end > one->end ? end : one->end;
		}
	}
	return end - begin;
}

/* Takes the clocks of a run that was just launched. */
static void measure_collect(int run, int blocks, int threads, int shared_bytes)
{
	static MeasureWarp warps[MEASURE_MAX_BLOCKS][32];

	if (run == 0)
		measure_prepare();
	measured.blocks = blocks;
	measured.threads = threads;
	measured.shared_bytes = shared_bytes;
	CHECK(cudaMemcpyFromSymbol(warps, measure_warps, sizeof(warps)));
	if (run == 0) {
		measure_warm_up<<<132, 128>>>();
		CHECK(cudaDeviceSynchronize());
	} else if (measure_is_even(warps)) {
		for (int block = 0; block < measured.step; block++) {
			measured.spans[block][measured.runs] = measure_span(warps, block);
			measured.sms[block][measured.runs] = warps[block][0].sm;
		}
		measured.runs++;
	} else {
		measured.odd_runs++;
	}
	measure_take_sms(run);
}

static int measure_compare(const void *a, const void *b)
{
	long long x = *(const long long *)a, y = *(const long long *)b;

	return x < y ? -1 : x > y;
}

/* The block whose median is nearest to that of all blocks and runs; sorts its spans. */
static int measure_typical(long long *median_of_all)
{
	static long long all[MEASURE_MAX_BLOCKS * MEASURE_RUNS];
	int n = 0, best = 0;

	for (int block = 0; block < measured.step; block++) {
		for (int run = 0; run < measured.runs; run++)
			all[n++] = measured.spans[block][run];
		qsort(measured.spans[block], measured.runs, sizeof(**measured.spans),
		      measure_compare);
	}
	qsort(all, n, sizeof(*all), measure_compare);
	*median_of_all = all[n / 2];
	for (int block = 1; block < measured.step; block++)
		if (llabs(measured.spans[block][measured.runs / 2] - *median_of_all) <
		    llabs(measured.spans[best][measured.runs / 2] - *median_of_all))
			best = block;
	return best;
}

/* blocks, threads, shared bytes, blocks on an SM, step, block, runs that count and do not, SMs that the
   block was on; cycles of its SM: median, smallest, largest; median of all SMs and runs. */
static void measure_print(void)
{
	int n = measured.runs, sms = 0;
	long long median_of_all, *spans;
	int block;

	if (n == 0)
		return;
	block = measure_typical(&median_of_all);
	if (getenv("MEASURE_BLOCK"))
		block = atoi(getenv("MEASURE_BLOCK")) % measured.step;
	spans = measured.spans[block];
	for (int run = 0; run < n; run++) {
		int is_new = 1;

		for (int earlier = 0; earlier < run; earlier++)
			is_new &= measured.sms[block][earlier] != measured.sms[block][run];
		sms += is_new;
	}
	printf("measured %d,%d,%d,%d,%d,%d,%d,%d,%d,%lld,%lld,%lld,%lld\n", measured.blocks,
	       measured.threads, measured.shared_bytes, measured.blocks_per_sm, measured.step,
	       block, n, measured.odd_runs, sms, spans[n / 2], spans[0], spans[n - 1],
	       median_of_all);
}

#else

#ifndef MEASURE_RUNS
#define MEASURE_RUNS 1 /* launches.sh counts more */
#endif
#define MEASURE_BEGIN()
#define MEASURE_END()
#define measure_collect(run, blocks, threads, shared_bytes)
#define measure_print()

#endif

#endif
