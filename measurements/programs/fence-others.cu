/* SPDX-License-Identifier: MIT */
/*
 * What other warps of its SM cost a warp's fence of the device.
 *
 *   fence-others > issue-fence-others.csv
 *
 * One block. Columns: part, warps (others), other (what each does), side (of the line that they name: near or far), own (what
 * the fencing warp has done and has had answered since its last fence), delay (cycles from the others' accesses to the
 * fence; negative: they come behind it), cycles, cycles_min, cycles_max (of the fence; RUNS launches).
 * - `once`: each of the others makes one access at a known time.
 * - `spin`: each makes one after the other's answer, again and again.
 * - `turns`: each of `warps` more makes a fence at the same time, behind `own`: the median, first and last warp's.
 */
#include "probe.h"

#define RUNS	7
#define LINES	64
#define AHEAD	4000 /* cycles from the start to the fence */
#define FENCES	16   /* of `spin` */
#define N_TIMES (FENCES > 33 ? FENCES : 33)

enum { OTHER_CAS, OTHER_RED, OTHER_STORE, OTHER_LOAD, OTHER_APART, N_OTHERS };
static const char *const others[] = {"cas", "red", "store", "load", "cas-apart"};
enum {
	OWN_NONE,
	OWN_NEAR,
	OWN_FAR,
	OWN_STORE_NEAR,
	OWN_STORE_FAR,
	OWN_RED_NEAR,
	OWN_RED_FAR,
	N_OWN
};
static const char *const owns[] = {"none",	"near",	    "far",    "store-near",
				   "store-far", "red-near", "red-far"};

static __device__ __forceinline__ uint32_t cas(uint32_t *word)
{
	uint32_t value;

	asm volatile("atom.global.cas.b32 %0, [%1], 7, 8;"
		     : "=r"(value)
		     : "l"(word)
		     : "memory");
	return value;
}

static __device__ __forceinline__ uint32_t load(const uint32_t *word)
{
	uint32_t value;

	asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
	return value;
}

static __device__ uint32_t access(int kind, uint32_t *word, int warp)
{
	switch (kind) {
	case OTHER_CAS:
		return cas(word);
	case OTHER_APART:
		return cas(word + warp % 32);
	case OTHER_RED:
		asm volatile("red.global.add.u32 [%0], 0;" ::"l"(word) : "memory");
		return 0;
	case OTHER_STORE:
		asm volatile("st.global.u32 [%0], %1;" ::"l"(word), "r"(0) : "memory");
		return 0;
	}
	return load(word);
}

static __global__ void latencies(char *base, int *cycles)
{
	for (int i = 0; i < LINES; i++) {
		uint32_t *word = (uint32_t *)(base + (size_t)i * 4096), value = 0;
		long long best = 65535;

		for (int k = 0; k < 6; k++) {
			long long begin = stamp();

			value = cas(word);
			if (value >> 31) /* never: the branch waits for it */
				return;

			long long span = stamp() - begin;

			best = span < best ? span : best;
		}
		cycles[i] = (int)best;
	}
}

/* What the fencing warp has done: answered before it goes on. */
static __device__ uint32_t before(int own, uint32_t *near, uint32_t *far)
{
	uint32_t value = own == OWN_NEAR ? cas(near) : own == OWN_FAR ? cas(far) : 0;

	return value >> 31;
}

/* The same of what it has just sent. */
static __device__ __forceinline__ void just_before(int own, uint32_t *near, uint32_t *far)
{
	if (own == OWN_STORE_NEAR || own == OWN_STORE_FAR)
		asm volatile("st.global.u32 [%0], %1;" ::"l"(own == OWN_STORE_FAR ? far : near),
			     "r"(0)
			     : "memory");
	else if (own == OWN_RED_NEAR || own == OWN_RED_FAR)
		asm volatile(
			"red.global.add.u32 [%0], 0;" ::"l"(own == OWN_RED_FAR ? far : near)
			: "memory");
}

static __global__ void once(uint32_t *word, uint32_t *near, uint32_t *far, int kind, int own,
			    int delay, long long *times, uint32_t *sink)
{
	int warp = threadIdx.x / 32;
	uint32_t sum = 0;

	if (threadIdx.x % 32 > 0)
		return;
	__threadfence();
	__shared__ long long start;

	asm volatile("bar.sync 1, %0;" ::"r"(blockDim.x) : "memory");
	if (warp == 0)
		start = stamp() + AHEAD;
	asm volatile("bar.sync 1, %0;" ::"r"(blockDim.x) : "memory");
	if (warp == 0) {
		sum = before(own, near, far);
		while (stamp() + sum < start)
			;
		just_before(own, near, far);

		long long begin = stamp();

		__threadfence();

		long long end = stamp();

		times[0] = end - begin;
	} else {
		while (stamp() < start - delay)
			;
		sum = access(kind, word, warp);
		while (stamp() + (sum >> 31) < start + AHEAD)
			;
	}
	sink[warp] = sum;
}

static __global__ void spin(uint32_t *word, uint32_t *near, uint32_t *far, int kind, int own,
			    int delay, long long *times, uint32_t *sink)
{
	int warp = threadIdx.x / 32;
	uint32_t sum = 0, state = 99u + warp;
	__shared__ volatile int done;

	(void)delay;
	if (threadIdx.x % 32 > 0)
		return;
	if (warp == 0)
		done = 0;
	__threadfence();
	asm volatile("bar.sync 1, %0;" ::"r"(blockDim.x) : "memory");
	if (warp == 0) {
		long long span[FENCES];

#pragma unroll
		for (int i = 0; i < FENCES; i++) {
			long long begin = stamp() + next_random(&state) % 512;

			sum += before(own, near, far);
			while (stamp() + (sum >> 31) < begin + 700)
				;
			just_before(own, near, far);
			begin = stamp();
			__threadfence();
			span[i] = stamp() - begin;
		}
		done = 1;
		for (int i = 0; i < FENCES; i++)
			times[i] = span[i];
	} else {
		while (!done)
			sum += access(kind, word, warp) >> 31;
	}
	sink[warp] = sum;
}

static __global__ void turns(uint32_t *word, uint32_t *near, uint32_t *far, int kind, int own,
			     int delay, long long *times, uint32_t *sink)
{
	int warp = threadIdx.x / 32;
	uint32_t sum = 0;
	__shared__ long long start;

	(void)word, (void)kind, (void)delay;
	if (threadIdx.x % 32 > 0)
		return;
	__threadfence();
	asm volatile("bar.sync 1, %0;" ::"r"(blockDim.x) : "memory");
	if (warp == 0)
		start = stamp() + AHEAD;
	asm volatile("bar.sync 1, %0;" ::"r"(blockDim.x) : "memory");
	sum = before(own, near + warp % 32, far + warp % 32);
	while (stamp() + sum < start)
		;
	just_before(own, near + warp % 32, far + warp % 32);

	long long begin = stamp();

	__threadfence();

	long long end = stamp();

	times[warp] = end - begin;
	sink[warp] = sum;
}

typedef void Kernel(uint32_t *, uint32_t *, uint32_t *, int, int, int, long long *, uint32_t *);

static uint32_t *line[2], *own_line[2];
static long long *times;
static uint32_t *sink;

static void measure(const char *part, Kernel *kernel, int n_times, int warps, int kind,
		    int side, int own, int delay)
{
	double all[RUNS * N_TIMES];
	int n = 0;

	for (int run = -1; run < RUNS; run++) {
		long long host[N_TIMES];

		kernel<<<1, (warps + 1) * 32>>>(line[side], own_line[0], own_line[1], kind, own,
						delay, times, sink);
		CHECK_RUN();
		from_gpu(host, times, sizeof(host));
		for (int i = 0; run >= 0 && i < n_times; i++)
			all[n++] = host[i];
	}
	double middle = median(all, n);

	printf("%s,%d,%s,%s,%s,%d,%.0f,%.0f,%.0f\n", part, warps,
	       kernel == turns ? "fence" : others[kind], side ? "far" : "near", owns[own],
	       delay, middle, all[0], all[n - 1]);
}

/* Two near lines and two far ones of the SM that gets a lone block. */
static void find_lines(void)
{
	char *base = (char *)gpu_memory((size_t)LINES * 4096);
	int *cycles = (int *)gpu_memory(LINES * sizeof(int)), host[LINES];
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
		uint32_t *word = (uint32_t *)(base + (size_t)i * 4096);

		if (!line[side])
			line[side] = word;
		else if (!own_line[side])
			own_line[side] = word;
		else
			continue;
		fprintf(stderr, "%s %d: %d\n", side ? "far" : "near", i, host[i]);
	}
}

int main(void)
{
	static const int few[] = {0, 1, 2, 4, 8, 16, 31};
	static const int delays[] = {-200, -50, 20, 100, 200, 300, 400, 500, 700};

	warm_up();
	times = (long long *)gpu_memory(N_TIMES * sizeof(long long));
	sink = (uint32_t *)gpu_memory(64 * sizeof(uint32_t));
	find_lines();
	printf("part,warps,other,side,own,delay,cycles,cycles_min,cycles_max\n");
	for (int own = 0; own < N_OWN; own++) {
		measure("spin", spin, FENCES, 0, OTHER_LOAD, 0, own, 0);
		measure("once", once, 1, 0, OTHER_LOAD, 0, own, 0);
		for (int side = 0; side < 2; side++)
			for (int kind = 0; kind < N_OTHERS; kind++) {
				for (int delay : delays)
					measure("once", once, 1, 1, kind, side, own, delay);
				for (int w = 2; w < 7; w++)
					measure("once", once, 1, few[w], kind, side, own, 20);
				for (int w = 1; w < 7; w++)
					measure("spin", spin, FENCES, few[w], kind, side, own,
						0);
			}
		for (int w = 0; w < 32; w++)
			measure("turns", turns, w + 1, w, 0, 0, own, 0);
	}
	return 0;
}
