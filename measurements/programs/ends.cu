/* SPDX-License-Identifier: MIT */
/*
 * What an SM still waits for when its warps have no more instructions: for Nsight Compute, which counts how
 * long each SM is busy (active.sh joins both).
 *
 *   ends > rows
 *   ends few > rows
 *   ends random > rows
 *
 * A row is a launch. Each lane of its grid stores to, or adds to, `steps` words without a result and ends;
 * `fence` 1: behind a fence of the device, which waits until all has arrived. Layouts: `own` gives each lane
 * words of its own, neighbours side by side; `apart` 32 bytes apart; `one` the same word to all lanes.
 * `span` is the time from block 0's first stamp to its last, the issue of all accesses (and the fence).
 * With `few` lanes add to words that all SMs share: lane l of `lanes` of each warp to word l mod words, and another one at each step; words are
 * `spacing` words apart.
 * With `random` lanes add to random words of `words`, another one at each step.
 * If the busy time without a fence is as long as with one, the SM waits for what is under way.
 */
#include "probe.h"

enum { STORE, ADD };
enum { OWN, APART, ONE };

static __global__ void ends(long long *span, uint32_t *words, int kind, int layout, int steps,
			    int fence)
{
	int lane = blockIdx.x * blockDim.x + threadIdx.x, lanes = gridDim.x * blockDim.x;
	long long begin = stamp();

	for (int i = 0; i < steps; i++) {
		size_t at = layout == ONE
				    ? 0
				    : (size_t)(i * lanes + lane) * (layout == APART ? 8 : 1);

		if (kind == ADD)
			asm volatile("red.global.add.u32 [%0], 1;" ::"l"(words + at)
				     : "memory");
		else
			asm volatile("st.global.u32 [%0], %1;" ::"l"(words + at), "r"(i)
				     : "memory");
	}
	if (fence)
		__threadfence();
	if (lane == 0)
		*span = stamp() - begin;
}

static __global__ void few(long long *spans, uint32_t *words, int n_words, int spacing,
			   int lanes, int steps)
{
	__shared__ long long first, last;
	const int lane = threadIdx.x % 32;

	if (threadIdx.x == 0) {
		first = INT64_MAX;
		last = 0;
	}
	__syncthreads();
	long long begin = stamp();

	if (lane < lanes)
		for (int i = 0; i < steps; i++)
			asm volatile("red.global.add.u32 [%0], 1;" ::"l"(
					     words + (lane + i) % n_words * spacing)
				     : "memory");
	atomicMin(&first, begin);
	atomicMax(&last, stamp());
	__syncthreads();
	if (threadIdx.x == 0)
		spans[blockIdx.x] = last - first;
}

static void all_few(long long *spans, uint32_t *words)
{
	static const int shapes[][2] = {{1, 32},   {1, 256},   {1, 1024},  {33, 256},
					{132, 32}, {132, 256}, {132, 1024}};
	static long long host[512];

	printf("kernel,words,spacing,lanes,steps,blocks,threads,launch,span,span_most\n");
	for (int n_words : {1, 2, 8, 32, 128})
		for (int spacing : {1, 64})
			for (int lanes : {1, 32})
				for (int steps = 1; steps <= 64; steps *= 4)
					for (const int *shape : shapes)
						for (int launch = 0; launch < 2; launch++) {
							const int blocks = blocks_for(shape[0]);
							double cycles[512];

							if (n_words == 1 && spacing > 1)
								continue;
							few<<<blocks, shape[1]>>>(
								spans, words, n_words, spacing,
								lanes, steps);
							CHECK_RUN();
							from_gpu(host, spans, sizeof(host));
							for (int i = 0; i < blocks; i++)
								cycles[i] = host[i];
							double middle = median(cycles, blocks);
							printf("add,%d,%d,%d,%d,%d,%d,%d,%.0f,%"
							       ".0f\n",
							       n_words, spacing, lanes, steps,
							       blocks, shape[1], launch, middle,
							       cycles[blocks - 1]);
						}
}

static __global__ void at_random(uint32_t *words, int steps, uint32_t n_words, int lanes,
				 int spacing)
{
	uint32_t number = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;

	if ((int)threadIdx.x % 32 >= lanes)
		return;
	for (int i = 0; i < steps; i++) {
		number = number * 1664525u + 1013904223u;
		asm volatile("red.global.add.u32 [%0], 1;" ::"l"(
				     words + (number >> 8) % n_words * spacing)
			     : "memory");
	}
}

static void all_random(uint32_t *words)
{
	static const int shapes[][2] = {{132, 128}, {132, 1024}, {1056, 256}, {16, 256}};

	printf("kernel,words,spacing,lanes,steps,blocks,threads\n");
	for (int n_words = 1; n_words <= 65536; n_words *= 16)
		for (int lanes : {1, 32})
			for (const int *shape : shapes)
				for (int steps = 1; steps <= (shape[0] > 1000 ? 4 : 16);
				     steps *= 2)
					for (int spacing : {1, 64}) {
						if (spacing == 64 &&
						    (n_words == 1 || n_words > 4096))
							continue;
						at_random<<<blocks_for(shape[0]), shape[1]>>>(
							words, steps, n_words, lanes, spacing);
						CHECK_RUN();
						printf("add,%d,%d,%d,%d,%d,%d\n", n_words,
						       spacing, lanes, steps,
						       blocks_for(shape[0]), shape[1]);
					}
}

int main(int argc, char **argv)
{
	static const char *const kinds[] = {"store", "add"}, *const layouts[] = {"own", "apart",
										 "one"};
	static const int shapes[][2] = {{1, 32}, {1, 256}, {132, 32}, {132, 256}};
	long long *span, host;
	uint32_t *words;

	CHECK(cudaMalloc(&span, 512 * sizeof(*span)));
	CHECK(cudaMalloc(&words, 64 << 20));
	CHECK(cudaMemset(words, 0, 64 << 20));
	if (argc > 1 && strcmp(argv[1], "few") == 0) {
		all_few(span, words);
		return 0;
	}
	if (argc > 1 && strcmp(argv[1], "random") == 0) {
		all_random(words);
		return 0;
	}
	printf("kernel,layout,steps,fence,blocks,threads,launch,span\n");
	for (int kind = STORE; kind <= ADD; kind++)
		for (int layout = OWN; layout <= ONE; layout++)
			for (int steps = 1; steps <= 16; steps *= 4)
				for (int fence = 0; fence < 2; fence++)
					for (int s = 0; s < 4; s++)
						for (int launch = 0; launch < 4; launch++) {
							ends<<<shapes[s][0], shapes[s][1]>>>(
								span, words, kind, layout,
								steps, fence);
							CHECK_RUN();
							from_gpu(&host, span, sizeof(host));
							printf("%s,%s,%d,%d,%d,%d,%d,%lld\n",
							       kinds[kind], layouts[layout],
							       steps, fence, shapes[s][0],
							       shapes[s][1], launch, host);
						}
	return 0;
}
