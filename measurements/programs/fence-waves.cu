/* SPDX-License-Identifier: MIT */
/*
 * Fences of the device by many warps of one SM: who waits for whom.
 *
 *   fence-waves [STAMPS] > issue-fence-waves.csv
 *
 * One block. STAMPS: a file for all clocks of three launches of each row. Columns: part, side (of the lines that the warps name: near to the SM or far), before (what a warp sends ahead of
 * its fence: none, store or red of one lane, to a line of its own), warps, senders (the first ones; the others send nothing),
 * step (cycles between the warps' begins), begin (of the fence, median over the warps, from the first warp's), cycles,
 * cycles_min, cycles_max (of the fence), late (of the warps' fences those that end 100 cycles and more behind the first one's
 * end; middle of RUNS launches).
 * - `once`: warp i makes one fence, i steps behind the first.
 * - `rounds`: each warp makes ROUNDS fences, with `before` ahead of each; cycles from end to end, of round `step`.
 * - `beside`: warp 0 makes FENCES fences behind a store of its own while `warps` others try a lock that nobody opens, one word, with
 *   `senders` lanes each; cycles of the fence. `late` is the middle of the others' cycles a try.
 */
#include "probe.h"

#define RUNS	7
#define LINES	64
#define AHEAD	6000
#define ROUNDS	10
#define FENCES	16
#define N_TIMES (32 * 2 * ROUNDS)

enum { NONE, STORE, RED, CAS, N_BEFORE };
static const char *const befores[] = {"none", "store", "red", "cas"};

static __device__ __forceinline__ uint32_t cas(uint32_t *word, uint32_t old, uint32_t value)
{
	uint32_t found;

	asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;"
		     : "=r"(found)
		     : "l"(word), "r"(old), "r"(value)
		     : "memory");
	return found;
}

static __global__ void latencies(char *base, int *cycles)
{
	for (int i = 0; i < LINES; i++) {
		uint32_t *word = (uint32_t *)(base + (size_t)i * 4096);
		long long best = 65535;

		for (int k = 0; k < 6; k++) {
			long long begin = stamp();

			if (cas(word, 7, 8) >> 31) /* never: the branch waits for it */
				return;

			long long span = stamp() - begin;

			best = span < best ? span : best;
		}
		cycles[i] = (int)best;
	}
}

/* Word i of those that are all near, or all far: 8 lines of 4 KiB apart, four sectors each. */
struct Words {
	char *lines[8];
};

static __device__ uint32_t *word_of(const Words &words, int warp)
{
	return (uint32_t *)(words.lines[warp % 8] + warp / 8 * 32);
}

template <int BEFORE> static __device__ __forceinline__ uint32_t send(uint32_t *word)
{
	if (BEFORE == STORE)
		asm volatile("st.global.u32 [%0], %1;" ::"l"(word), "r"(0) : "memory");
	if (BEFORE == RED)
		asm volatile("red.global.add.u32 [%0], 0;" ::"l"(word) : "memory");
	return BEFORE == CAS ? cas(word, 7, 8) : 0;
}

template <int BEFORE>
static __global__ void once(Words words, int senders, int step, long long *times,
			    uint32_t *sink)
{
	int warp = threadIdx.x / 32;
	uint32_t sum = 0;
	__shared__ long long start;

	if (threadIdx.x % 32 > 0)
		return;
	__threadfence();
	asm volatile("bar.sync 1, %0;" ::"r"(blockDim.x) : "memory");
	if (warp == 0)
		start = stamp() + AHEAD;
	asm volatile("bar.sync 1, %0;" ::"r"(blockDim.x) : "memory");

	long long at = start + warp * step;
	uint32_t *word = word_of(words, warp);

	while (stamp() < at)
		;
	if (warp < senders)
		sum = send<BEFORE>(word);
	if (sum >> 31)
		return;

	long long begin = stamp();

	__threadfence();

	long long end = stamp();

	times[2 * warp] = begin - start;
	times[2 * warp + 1] = end - start;
	sink[warp] = sum;
}

template <int BEFORE>
static __global__ void rounds(Words words, int senders, int step, long long *times,
			      uint32_t *sink)
{
	int warp = threadIdx.x / 32;
	uint32_t sum = 0;
	uint32_t *word = word_of(words, warp);
	long long at[ROUNDS + 1];

	if (threadIdx.x % 32 > 0)
		return;
	__threadfence();
	asm volatile("bar.sync 1, %0;" ::"r"(blockDim.x) : "memory");
	at[0] = stamp();
#pragma unroll
	for (int i = 0; i < ROUNDS; i++) {
		if (warp < senders)
			sum += send<BEFORE>(word) >> 31;
		__threadfence();
		at[i + 1] = stamp();
	}
	for (int i = 0; i < ROUNDS; i++) {
		times[(warp * ROUNDS + i) * 2] = at[i];
		times[(warp * ROUNDS + i) * 2 + 1] = at[i + 1];
	}
	sink[warp] = sum + step;
}

static __global__ void beside(Words words, int lanes, int step, long long *times,
			      uint32_t *sink)
{
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	uint32_t sum = 0;
	uint32_t *word = (uint32_t *)words.lines[7], *own = word_of(words, 0);
	__shared__ volatile int done;

	if (threadIdx.x == 0) {
		done = 0;
		*word = 1;
	}
	__threadfence();
	__syncthreads();
	if (warp == 0 && lane == 0) {
		long long span[FENCES];

#pragma unroll
		for (int i = 0; i < FENCES; i++) {
			long long begin = stamp();

			while (stamp() < begin + 1500 + i * 37)
				;
			asm volatile("st.global.u32 [%0], %1;" ::"l"(own), "r"(0) : "memory");
			begin = stamp();
			__threadfence();
			span[i] = stamp() - begin;
		}
		done = 1;
		for (int i = 0; i < FENCES; i++) {
			times[2 * i] = 0;
			times[2 * i + 1] = span[i];
		}
	} else if (warp > 0 && lane < lanes) {
		long long begin = stamp();
		int n = 0;

		while (!done) {
			sum += cas(word, 0, 1) >> 31;
			n++;
		}
		begin = stamp() - begin;
		if (lane == 0)
			times[2 * (FENCES + warp)] = begin / n;
	}
	sink[threadIdx.x] = sum + step;
}

typedef void Kernel(Words, int, int, long long *, uint32_t *);

static long long *times;
static uint32_t *sink;
static Words words[2];
static FILE *raw;

struct Shape {
	const char *part;
	Kernel *kernel;
	int side, before, warps, senders, step;
};

static void row(const Shape *s, int step, double begin, double *all, int n, double late)
{
	double middle = median(all, n);

	printf("%s,%s,%s,%d,%d,%d,%.0f,%.0f,%.0f,%.0f,%.0f\n", s->part,
	       s->side ? "far" : "near", befores[s->before], s->warps, s->senders, step, begin,
	       middle, all[0], all[n - 1], late);
}

static void launch(const Shape *s, int threads, long long *host, int run)
{
	CHECK(cudaMemset(times, 0, N_TIMES * sizeof(*times)));
	s->kernel<<<1, threads>>>(words[s->side], s->senders, s->step, times, sink);
	CHECK_RUN();
	from_gpu(host, times, N_TIMES * sizeof(*times));
	if (!raw || run < 4)
		return;
	fprintf(raw, "%s,%s,%s,%d,%d,%d,%d", s->part, s->side ? "far" : "near",
		befores[s->before], s->warps, s->senders, s->step, run);
	for (int i = 0; i < N_TIMES; i++)
		fprintf(raw, ",%lld", host[i]);
	fprintf(raw, "\n");
}

static void measure_once(const Shape *s)
{
	long long host[N_TIMES];
	double all[RUNS * 32], begins[RUNS * 32], late[RUNS];
	int n = 0;

	for (int run = -1; run < RUNS; run++) {
		long long first = 1 << 30;

		launch(s, s->warps * 32, host, run);
		if (run < 0)
			continue;
		for (int i = 0; i < s->warps; i++)
			first = host[2 * i + 1] < first ? host[2 * i + 1] : first;
		late[run] = 0;
		for (int i = 0; i < s->warps; i++) {
			begins[n] = host[2 * i] - host[0];
			all[n++] = host[2 * i + 1] - host[2 * i];
			late[run] += host[2 * i + 1] >= first + 100;
		}
	}
	row(s, s->step, median(begins, n), all, n, median(late, RUNS));
}

static void measure_rounds(const Shape *s)
{
	long long host[N_TIMES];
	static double all[ROUNDS][RUNS * 32];
	int n = 0;

	for (int run = -1; run < RUNS; run++) {
		launch(s, s->warps * 32, host, run);
		for (int i = 0; run >= 0 && i < s->warps; i++, n++)
			for (int round = 0; round < ROUNDS; round++)
				all[round][n] = host[(i * ROUNDS + round) * 2 + 1] -
						host[(i * ROUNDS + round) * 2];
	}
	for (int round = 0; round < ROUNDS; round++)
		row(s, round, 0, all[round], n, 0);
}

static void measure_beside(const Shape *s)
{
	long long host[N_TIMES];
	double all[RUNS * FENCES], tries[RUNS * 32];
	int n = 0, n_tries = 0;

	for (int run = -1; run < RUNS; run++) {
		launch(s, (s->warps + 1) * 32, host, run);
		for (int i = 0; run >= 0 && i < FENCES; i++)
			all[n++] = host[2 * i + 1];
		for (int i = 1; run >= 0 && i <= s->warps; i++)
			tries[n_tries++] = host[2 * (FENCES + i)];
	}
	row(s, 0, 0, all, n, n_tries > 0 ? median(tries, n_tries) : 0);
}

/* Eight lines near to the SM that gets a lone block, and eight far. */
static void find_lines(void)
{
	char *base = (char *)gpu_memory((size_t)LINES * 4096);
	int *cycles = (int *)gpu_memory(LINES * sizeof(int)), host[LINES], found[2] = {0, 0};
	int least = 0, most = 0;

	for (int i = 0; i < 2; i++) {
		latencies<<<1, 1>>>(base, cycles);
		CHECK_RUN();
	}
	from_gpu(host, cycles, sizeof(host));
	for (int i = 0; i < LINES; i++) {
		least = host[i] < host[least] ? i : least;
		most = host[i] > host[most] ? i : most;
	}
	for (int i = 0; i < LINES; i++) {
		int side = host[i] > (host[least] + host[most]) / 2;

		if (found[side] == 8)
			continue;
		words[side].lines[found[side]++] = base + (size_t)i * 4096;
		fprintf(stderr, "%s %d: %d\n", side ? "far" : "near", i, host[i]);
	}
	if (found[0] < 8 || found[1] < 8)
		exit(1);
}

template <int BEFORE> static void all_of(int side)
{
	for (int warps : {2, 4, 8, 12, 13, 14, 15, 16, 17, 18, 20, 24, 28, 32})
		for (int step : {0, 4, 10, 20, 40, 80}) {
			Shape s = {"once", once<BEFORE>, side, BEFORE, warps, warps, step};

			measure_once(&s);
		}
	for (int senders : {1, 2, 4, 8, 12, 14, 16, 20, 24, 28}) {
		Shape s = {"once", once<BEFORE>, side, BEFORE, 32, senders, 10};

		if (BEFORE != NONE)
			measure_once(&s);
	}
	for (int warps : {1, 2, 4, 8, 12, 14, 16, 18, 20, 24, 28, 32}) {
		Shape s = {"rounds", rounds<BEFORE>, side, BEFORE, warps, warps, 0};

		measure_rounds(&s);
	}
}

int main(int argc, char **argv)
{
	raw = argc > 1 ? fopen(argv[1], "w") : NULL;
	warm_up();
	times = (long long *)gpu_memory(N_TIMES * sizeof(*times));
	sink = (uint32_t *)gpu_memory(1024 * sizeof(uint32_t));
	find_lines();
	printf("part,side,before,warps,senders,step,begin,cycles,cycles_min,cycles_max,late\n");
	for (int side = 0; side < 2; side++) {
		all_of<NONE>(side);
		all_of<STORE>(side);
		all_of<RED>(side);
		all_of<CAS>(side);
		for (int warps : {0, 1, 3, 7, 15, 23, 31})
			for (int lanes : {1, 4, 16, 32}) {
				Shape s = {"beside", beside, side, STORE, warps, lanes, 0};

				measure_beside(&s);
			}
	}
	return 0;
}
