/* SPDX-License-Identifier: MIT */
/*
 * When blocks start and end.
 *
 *   dispatch > issue-dispatch.csv
 *
 * A row: grid, threads of a block, cycles that a block spins (and a jitter of up to a twelfth);
 * all figures medians of RUNS. The SMs' clocks are not one clock: blocks are compared by
 * globaltimer, calibrated to the SM's clock at the start of every block, so times between SMs are
 * good to its tick (32 ns and less), times on one SM exact. Ends are stamped before EXIT.
 */
#include "probe.h"

#define RUNS	   5
#define MAX_BLOCKS 4096
#define MAX_SMS	   512

typedef struct {
	long long begin, end;		/* clock of the SM */
	unsigned long long nanoseconds; /* globaltimer at begin */
	unsigned int sm;
} Block;

static __global__ void spin(int cycles, Block *blocks)
{
	long long begin = stamp();
	unsigned long long time = global_timer();
	int jitter = cycles ? (blockIdx.x * 2654435761u >> 8) % (cycles / 12 + 1) : 0;

	while (stamp() - begin < cycles + jitter)
		;
	if (threadIdx.x == 0) {
		blocks[blockIdx.x].begin = begin;
		blocks[blockIdx.x].nanoseconds = time;
		blocks[blockIdx.x].sm = sm_id();
		blocks[blockIdx.x].end = stamp();
	}
}

static int compare_blocks(const void *a, const void *b)
{
	const Block *x = (const Block *)a, *y = (const Block *)b;

	if (x->sm != y->sm)
		return x->sm < y->sm ? -1 : 1;
	return (x->begin > y->begin) - (x->begin < y->begin);
}

typedef struct {
	double first_wave, last_start, last_end, sms; /* cycles; SMs */
	double between_starts;	    /* of the first blocks of one SM; median; -1: none */
	double least, middle, most; /* an end on an SM to the start in its place */
	double next_kernel;	    /* last end to the first start of the next launch */
} Launch;

/* A block of an SM that starts when all its places were taken follows the first end not yet
   followed. */
static int find_gaps(const Block *block, int n, int places, double *gaps)
{
	int n_gaps = 0;

	for (int first = 0; first < n;) {
		double ends[MAX_BLOCKS];
		int count = 0;

		while (first + count < n && block[first + count].sm == block[first].sm) {
			ends[count] = block[first + count].end;
			count++;
		}
		median(ends, count);
		for (int i = places; i < count; i++)
			gaps[n_gaps++] = block[first + i].begin - ends[i - places];
		first += count;
	}
	return n_gaps;
}

static Launch look_at(Block *block, int n, int places, const Block *next, double ghz)
{
	static double starts[MAX_BLOCKS], gaps[MAX_BLOCKS];
	Launch launch = {0, 0, 0, 1, -1, -1, -1, -1, -1};
	unsigned long long first = ~0ull, next_first = ~0ull;
	int n_starts = 0, n_gaps, sms = sm_count();

	for (int i = 0; i < n; i++) {
		first = block[i].nanoseconds < first ? block[i].nanoseconds : first;
		next_first =
			next[i].nanoseconds < next_first ? next[i].nanoseconds : next_first;
	}
	for (int i = 0; i < n; i++) {
		double start = (block[i].nanoseconds - first) * ghz;
		double end = start + (block[i].end - block[i].begin);

		if (i < sms && start > launch.first_wave)
			launch.first_wave = start;
		launch.last_start = start > launch.last_start ? start : launch.last_start;
		launch.last_end = end > launch.last_end ? end : launch.last_end;
	}
	launch.next_kernel = (next_first - first) * ghz - launch.last_end;
	qsort(block, n, sizeof(*block), compare_blocks);
	for (int i = 1; i < n; i++) {
		launch.sms += block[i].sm != block[i - 1].sm;
		/* The first blocks of an SM, as many as have a place. */
		if (block[i].sm == block[i - 1].sm &&
		    (i < places || block[i - places].sm != block[i].sm))
			starts[n_starts++] = block[i].begin - block[i - 1].begin;
	}
	if (n_starts)
		launch.between_starts = median(starts, n_starts);
	n_gaps = find_gaps(block, n, places, gaps);
	if (n_gaps) {
		launch.middle = median(gaps, n_gaps);
		launch.least = gaps[0];
		launch.most = gaps[n_gaps - 1];
	}
	return launch;
}

static double middle_of(const Launch *launches, size_t field)
{
	double values[RUNS];

	for (int run = 0; run < RUNS; run++)
		values[run] = *(const double *)((const char *)&launches[run] + field);
	return median(values, RUNS);
}

static void measure(int blocks, int threads, int cycles, double ghz)
{
	static Block *first = (Block *)gpu_memory(sizeof(Block) * MAX_BLOCKS);
	static Block *second = (Block *)gpu_memory(sizeof(Block) * MAX_BLOCKS);
	static Block host[2][MAX_BLOCKS];
	Launch launches[RUNS];
	double event_us[RUNS];
	int places;

	CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&places, spin, threads, 0));
	for (int run = -1; run < RUNS; run++) {
		cudaEvent_t begin, end;
		float ms;

		CHECK(cudaEventCreate(&begin));
		CHECK(cudaEventCreate(&end));
		CHECK(cudaEventRecord(begin));
		spin<<<blocks, threads>>>(cycles, first);
		spin<<<blocks, threads>>>(cycles, second);
		CHECK(cudaEventRecord(end));
		CHECK_RUN();
		CHECK(cudaEventElapsedTime(&ms, begin, end));
		from_gpu(host[0], first, sizeof(Block) * blocks);
		from_gpu(host[1], second, sizeof(Block) * blocks);
		if (run < 0)
			continue;
		event_us[run] = ms * 1000;
		launches[run] = look_at(host[0], blocks, places, host[1], ghz);
	}
#define MIDDLE(FIELD) middle_of(launches, offsetof(Launch, FIELD))
	printf("%d,%d,%d,%d,%.0f,%.0f,%.0f,%.0f,%.2f,%.0f,%.0f,%.0f,%.0f,%.0f,%.2f\n", blocks,
	       threads, cycles, places, MIDDLE(first_wave), MIDDLE(last_start),
	       MIDDLE(last_end), MIDDLE(sms),
	       MIDDLE(last_start) / (blocks > 1 ? blocks - 1 : 1), MIDDLE(least),
	       MIDDLE(middle), MIDDLE(most), MIDDLE(between_starts), MIDDLE(next_kernel),
	       median(event_us, RUNS));
}

/* SM cycles in a nanosecond. */
static double clock_ghz(void)
{
	static Block *block = (Block *)gpu_memory(sizeof(Block) * 2);
	Block one[2];

	spin<<<1, 32>>>(20000000, block);
	spin<<<1, 32>>>(0, block + 1);
	CHECK_RUN();
	from_gpu(one, block, sizeof(one));
	return (double)(one[0].end - one[0].begin) /
	       (double)(one[1].nanoseconds - one[0].nanoseconds);
}

int main(void)
{
	static const int blocks[] = {1, 132, 264, 528, 1056, 2112, 4096};
	static const int threads[] = {32, 128, 256, 512, 1024};
	static const int spins[] = {0, 3000, 20000};
	double ghz;

	warm_up();
	ghz = clock_ghz();
	fprintf(stderr, "%.4f cycles a nanosecond\n", ghz);
	printf("blocks,threads,spin,resident_per_sm,first132_last_start,last_start,last_end,"
	       "distinct_sms,mean_gap_between_starts,gap_end_to_next_start_min,gap_median,gap_"
	       "max,"
	       "same_sm_gap_starts_median,tail_to_next_kernel_first_start,event_us\n");
	for (int s = 0; s < 3; s++)
		for (int b = 0; b < (s == 2 ? 5 : 7); b++)
			for (int t = 0; t < 5; t++)
				measure(blocks_for(blocks[b]), threads[t], spins[s], ghz);
	return 0;
}
