/* SPDX-License-Identifier: MIT */
/*
 * Whether a load finds in its SM's first cache what the SM has stored: how long it takes, by what of its line was there before,
 * which part of each sector was stored, by whom, and how much earlier.
 *
 *   written > issue-written.csv
 *
 * A row: what the line had met (`cold`: nothing, `loaded`: a load of the whole line); how it was stored (`none`: not at all; `whole`: 32
 * lanes a word each, a line; `half`: each other word; `bytes`: 32 lanes a byte each, a sector; `byte`: each fourth byte of a line;
 * `red`: 32 lanes an atomic addition each, whose results nobody uses); which warp loads (`own`: the one that has stored, `other`: one
 * of another sub-core, behind a barrier); which words it loads (`same`: those that were stored, `rest`: those of the line's sectors
 * that were not); cycles from the store to the load; cycles from the load to the use of what it brings: median, least and most of RUNS.
 */
#include "probe.h"

#define RUNS  63
#define LINES 256 /* each run has a line of its own, two apart */
#define BYTES 128 /* of a line */

enum { COLD, LOADED };
enum { NONE, WHOLE, HALF, SECTOR, BYTE, RED };
static const char *const befores[] = {"cold", "loaded"};
static const char *const stores[] = {"none", "whole", "half", "bytes", "byte", "red"};

static __device__ __forceinline__ uint32_t load(const char *word)
{
	uint32_t value;

	asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
	return value;
}

static __device__ __forceinline__ uint32_t load_byte(const char *byte)
{
	uint32_t value;

	asm volatile("ld.global.u8 %0, [%1];" : "=r"(value) : "l"(byte) : "memory");
	return value;
}

static __device__ __forceinline__ void store(char *line, int how, int lane)
{
	switch (how) {
	case WHOLE:
		asm volatile("st.global.u32 [%0], %1;" ::"l"(line + 4 * lane), "r"(lane)
			     : "memory");
		break;
	case HALF:
		if (lane % 2 == 0)
			asm volatile("st.global.u32 [%0], %1;" ::"l"(line + 4 * lane), "r"(lane)
				     : "memory");
		break;
	case SECTOR:
		asm volatile("st.global.u8 [%0], %1;" ::"l"(line + lane), "r"(lane) : "memory");
		break;
	case BYTE:
		asm volatile("st.global.u8 [%0], %1;" ::"l"(line + 4 * lane), "r"(lane)
			     : "memory");
		break;
	case RED:
		asm volatile("red.global.add.u32 [%0], %1;" ::"l"(line + 4 * lane), "r"(lane)
			     : "memory");
		break;
	}
}

static __global__ void follow(int before, int how, int loader, int rest, int delay, char *bytes,
			      long long *cycles, uint32_t *sink)
{
	__shared__ long long start;
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	uint32_t sum = 0;

	for (int run = 0; run < RUNS; run++) {
		char *line = bytes + 2 * run * BYTES;
		int step = how == SECTOR ? 1 : 4, own = lane * step;
		long long begin, end;
		uint32_t value = 0;

		/* Of half a sector only its own words, or the others, are loaded: by all lanes, two a word. */
		if (how == HALF)
			own = lane / 2 * 8 + (rest ? 4 : 0);
		if (how == BYTE && rest)
			own += 1;
		if (warp == loader && before == LOADED)
			sum += load(line + 4 * lane);
		if (threadIdx.x == 0)
			start = stamp() + 2000;
		__syncthreads();
		while (stamp() < start)
			;
		if (warp == 0)
			store(line, how, lane);
		__syncthreads();
		while ((begin = stamp()) < start + delay)
			;
		if (warp == loader) {
			begin = stamp();
			value = how == SECTOR || how == BYTE ? load_byte(line + own)
							     : load(line + own);
		}
		end = stamp_behind(value, &sum);
		if (warp == loader && lane == 0)
			cycles[run] = end - begin;
		__syncthreads();
	}
	sink[threadIdx.x] = sum;
}

static void measure(int before, int how, int loader, int rest, int delay)
{
	static char *bytes = (char *)gpu_memory(2 * LINES * BYTES);
	static long long *cycles = (long long *)gpu_memory(RUNS * sizeof(long long));
	static uint32_t *sink = (uint32_t *)gpu_memory(1024 * sizeof(uint32_t));
	long long taken[RUNS];
	double reading[RUNS];

	follow<<<1, 2 * 32>>>(before, how, loader, rest, delay, bytes, cycles, sink);
	CHECK_RUN();
	from_gpu(taken, cycles, sizeof(taken));
	for (int run = 0; run < RUNS; run++)
		reading[run] = taken[run];

	double middle = median(reading, RUNS);

	printf("%s,%s,%s,%s,%d,%.0f,%.0f,%.0f\n", befores[before], stores[how],
	       loader ? "other" : "own", rest ? "rest" : "same", delay, middle, reading[0],
	       reading[RUNS - 1]);
}

int main(void)
{
	static const int delays[] = {0, 100, 200, 300, 400, 600, 800, 1200, 2000, 4000};

	warm_up();
	printf("before,stored,loader,words,delay,cycles,min,max\n");
	for (int before = COLD; before <= LOADED; before++)
		for (int how = NONE; how <= RED; how++)
			for (int loader = 0; loader < 2; loader++)
				for (int rest = 0; rest <= (how == HALF || how == BYTE); rest++)
					for (int i = 0; i < 10; i++)
						measure(before, how, loader, rest, delays[i]);
	return 0;
}
