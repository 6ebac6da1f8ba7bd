/* SPDX-License-Identifier: MIT */
/*
 * Single steps at the L2: where reds begin to stall their warp, and what a fence waits for.
 *
 *   l2-steps > l2-steps.csv
 *
 * Rows `issue`: cycles from a warp's start to the issue of its n-th red behind `step` others, all
 * on one word, with 1 or 32 warps of 1 SM or of all. Rows `fence`: cycles of a device-wide fence
 * after what the case says.
 */
#include "l2.h"

#define REDS	  64
#define RUNS	  7
#define MAP_LINES (64 * PAGE_LINES)

static __global__ void __launch_bounds__(1024, 1)
	issue_reds(char *word, unsigned int n_warps, long long *stamps)
{
	long long at[REDS + 1];

	if (threadIdx.x / 32 >= n_warps)
		return;
	at[0] = stamp();
#pragma unroll
	for (int i = 0; i < REDS; i++) {
		asm volatile("red.global.add.u32 [%0], 1;" ::"l"(word) : "memory");
		at[i + 1] = stamp();
	}
	if (blockIdx.x == 0 && threadIdx.x == 0)
#pragma unroll
		for (int i = 0; i <= REDS; i++)
			stamps[i] = at[i] - at[0];
}

static void print_issue(char *word, int blocks, int warps)
{
	long long *stamps = (long long *)gpu_memory(sizeof(long long) * (REDS + 1));
	static long long at[RUNS][REDS + 1];

	for (int run = 0; run < RUNS; run++) {
		issue_reds<<<blocks, 1024>>>(word, warps, stamps);
		CHECK_RUN();
		from_gpu(at[run], stamps, sizeof(at[run]));
	}
	for (int i = 1; i <= REDS; i++) {
		double cycles[RUNS];

		for (int run = 0; run < RUNS; run++)
			cycles[run] = at[run][i];

		double middle = median(cycles, RUNS);

		printf("issue,sms=%d warps=%d,%d,%.0f,%.0f,%.0f\n", blocks, warps, i, middle,
		       cycles[0], cycles[RUNS - 1]);
	}
	CHECK(cudaFree(stamps));
}

enum { BEFORE_NOTHING, BEFORE_RED, BEFORE_ATOM, BEFORE_LOAD, BEFORE_STORE };

/* One thread of SM `sm`: the fence after n accesses to lines that lie one behind the other. */
static __global__ void fence_after(char *line, unsigned int sm, int before, int n,
				   long long *cycles, unsigned int *taken)
{
	unsigned int value = 0;

	if (sm_id() != sm || threadIdx.x > 0 || atomicExch(taken, 1) != 0)
		return;
	__threadfence();
	for (int i = 0; i < n; i++) {
		char *address = line + i * LINE_BYTES;

		if (before == BEFORE_RED)
			asm volatile("red.global.add.u32 [%0], 1;" ::"l"(address) : "memory");
		else if (before == BEFORE_STORE)
			asm volatile("st.global.u32 [%0], 1;" ::"l"(address) : "memory");
		else if (before == BEFORE_LOAD)
			asm volatile("ld.global.cg.u32 %0, [%1];"
				     : "=r"(value)
				     : "l"(address)
				     : "memory");
		else if (before == BEFORE_ATOM)
			asm volatile("atom.global.add.u32 %0, [%1], 1;"
				     : "=r"(value)
				     : "l"(address)
				     : "memory");
	}

	/* The result of an atomic or a load is there before the fence begins. */
	if (value >> 31)
		return;

	long long begin = stamp();

	__threadfence();
	*cycles = stamp() - begin;
}

static void print_fences(char *base)
{
	static const char *const names[] = {"nothing", "red", "atom", "load", "store"};
	static const int counts[] = {1, 4, 16};
	L2Map map = l2_map(base, MAP_LINES);
	long long *gpu_cycles = (long long *)gpu_memory(sizeof(*gpu_cycles));
	unsigned int *taken = (unsigned int *)gpu_memory(sizeof(*taken));

	for (int before = 0; before < 5; before++)
		for (int far = 0; far < 2; far++)
			for (int c = 0; c < 3; c++) {
				double cycles[RUNS];
				int line = 0;

				while (line < MAP_LINES && map.line_side[line] != far)
					line++;
				if (line == MAP_LINES)
					continue;
				for (int run = 0; run < RUNS;) {
					long long one;
					unsigned int done;

					CHECK(cudaMemset(taken, 0, sizeof(*taken)));
					fence_after<<<2 * map.n_sms, 1024>>>(
						base + (size_t)line * LINE_BYTES, 0, before,
						counts[c], gpu_cycles, taken);
					CHECK_RUN();
					from_gpu(&done, taken, sizeof(done));
					from_gpu(&one, gpu_cycles, sizeof(one));
					if (done)
						cycles[run++] = one;
				}

				double middle = median(cycles, RUNS);

				printf("fence,after=%s %s,%d,%.0f,%.0f,%.0f\n", names[before],
				       far != map.sm_side[0] ? "far" : "near", counts[c],
				       middle, cycles[0], cycles[RUNS - 1]);
			}
}

int main(void)
{
	char *base = (char *)gpu_memory((size_t)MAP_LINES * LINE_BYTES);

	warm_up();
	printf("experiment,case,step,cycles,min,max\n");
	print_issue(base, 1, 1);
	print_issue(base, 1, 32);
	print_issue(base, sm_count(), 32);
	print_fences(base);
	return 0;
}
