/* SPDX-License-Identifier: MIT */
/*
 * What stays in the first cache of a line that is stored to while a load's answer is under way.
 *
 *   under-way > issue-under-way.csv
 *
 * Lanes load byte 64 of a line, long before; then byte 32, and store a word `when` cycles after that load has been issued (less than 0:
 * before it). stored: of the `same` sector, of an `other` sector of the line, or of another `line`. Long after, the cycles of a load of
 * (words) `next`: the word behind the one that was loaded; `sector`: the one behind the one that was loaded long before; `stored`: the
 * word that was stored; `earlier`: one that had been stored before all that; `loaded`: the one that was loaded. Lanes are 4 bytes apart. Median of RUNS lines.
 */
#include "probe.h"

#define RUNS 31
#define LINE 128
#define LONG 1500 /* cycles */

enum { SAME, OTHER, LINE_APART, N_STORED };
enum { NEXT, SECTOR, STORED, EARLIER, LOADED, N_WORDS };
static const char *const stored_names[] = {"same", "other", "line"};
static const char *const words_names[] = {"next", "sector", "stored", "earlier", "loaded"};

static __device__ __forceinline__ uint32_t load(const char *from)
{
	uint32_t x;

	asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(from) : "memory");
	return x;
}

static __device__ __forceinline__ void store(char *to)
{
	asm volatile("st.global.u32 [%0], %1;" ::"l"(to), "r"(0) : "memory");
}

static __device__ void wait_until(long long clock)
{
	while (stamp() < clock)
		;
}

static __global__ void follow(char *lines, int when, int stored, int words, long long *cycles,
			      uint32_t *sink)
{
	const int lane = threadIdx.x;
	uint32_t sum = 0, x = 0;

	for (int run = 0; run < RUNS; run++) {
		char *line = lines + run * 4 * LINE;
		char *to = line + (stored == SAME ? 40 : stored == OTHER ? 0 : 2 * LINE);
		const char *from = words == NEXT      ? line + 36
				   : words == SECTOR  ? line + 68
				   : words == STORED  ? to
				   : words == EARLIER ? line + 104
						      : line + 32;
		long long begin, end;

		if (words == EARLIER)
			store(line + 104);
		sum += load(line + 64);
		wait_until(stamp_behind(sum, &sum) + LONG);
		begin = stamp() + 300;
		wait_until(begin);
		if (when < 0) {
			store(to + 4 * lane);
			if (when < -1)
				wait_until(begin - when);
			x = load(line + 32);
		} else {
			x = load(line + 32);
			if (when > 0)
				wait_until(begin + when);
			store(to + 4 * lane);
		}
		wait_until(stamp_behind(x, &sum) + LONG);
		begin = stamp();
		x = load(from);
		end = stamp_behind(x, &sum);
		if (lane == 0)
			cycles[run] = end - begin;
		wait_until(end + 500);
	}
	sink[lane] = sum;
}

int main(void)
{
	static const int whens[] = {-3000, -1000, -600, -400, -300, -200, -120, -60, -30, -1,
				    0,	   30,	  60,	120,  180,  220,  260,	300, 400, 1000};
	char *lines = (char *)gpu_memory(4 << 20);
	long long *cycles = (long long *)gpu_memory(RUNS * sizeof(long long));
	uint32_t *sink = (uint32_t *)gpu_memory(32 * sizeof(uint32_t));

	warm_up();
	puts("lanes,stored,words,when,cycles");
	for (int lanes : {1, 8})
		for (int stored = 0; stored < N_STORED; stored++)
			for (int words = 0; words < (lanes == 1 ? N_WORDS : LOADED); words++)
				for (int when : whens) {
					long long taken[RUNS];
					double reading[RUNS];

					CHECK(cudaMemset(lines, 0, 4 << 20));
					follow<<<1, lanes>>>(lines, when, stored, words, cycles,
							     sink);
					CHECK_RUN();
					from_gpu(taken, cycles, sizeof(taken));
					for (int run = 0; run < RUNS; run++)
						reading[run] = taken[run];
					printf("%d,%s,%s,%d,%.0f\n", lanes,
					       stored_names[stored], words_names[words], when,
					       median(reading, RUNS));
				}
	return 0;
}
