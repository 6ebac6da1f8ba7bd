/* SPDX-License-Identifier: MIT */
/*
 * What a program's own loops of compare-and-swap cost when lanes, warps and SMs share words: for Nsight Compute, which counts how
 * long each SM is busy (active.sh joins both).
 *
 *   cas-loops > rows
 *
 * A row is a launch. Each lane carries out `steps` operations: of `kind` add it adds 1 to a word of 64 bits, mul multiplies a float,
 * max raises a float to a number of its own, and leaves when the word is greater. At step i lane t of the grid takes word
 * (t + i) mod `words`; words are `spacing` apart. In memory shared, the words are each block's own.
 * `attempts` is how many compare-and-swaps lanes have tried in the launch.
 */
#include "probe.h"

#define MAX_WORDS 4096

template <bool shared> static __device__ uint64_t *words_of(uint64_t *words)
{
	if constexpr (shared) {
		__shared__ uint64_t own[MAX_WORDS];

		for (int i = threadIdx.x; i < MAX_WORDS; i += blockDim.x)
			own[i] = 0x3f3f3f3f3f3f3f3full;
		__syncthreads();
		return own;
	} else {
		return words;
	}
}

template <bool shared>
static __global__ void add(uint64_t *global, int n_words, int spacing, int steps,
			   unsigned long long *attempts)
{
	uint64_t *words = words_of<shared>(global);
	const int first = blockIdx.x * blockDim.x + threadIdx.x;
	uint32_t tried = 0;

	for (int i = 0; i < steps; i++) {
		unsigned long long *word =
			(unsigned long long *)words + (first + i) % n_words * spacing;
		unsigned long long found = *word, expected;

		do {
			expected = found;
			found = atomicCAS(word, expected, expected + 1);
			tried++;
		} while (found != expected);
	}
	atomicAdd(attempts, tried);
}

template <bool shared>
static __global__ void mul(uint64_t *global, int n_words, int spacing, int steps,
			   unsigned long long *attempts)
{
	uint64_t *words = words_of<shared>(global);
	const int first = blockIdx.x * blockDim.x + threadIdx.x;
	uint32_t tried = 0;

	for (int i = 0; i < steps; i++) {
		unsigned int *word = (unsigned int *)(words + (first + i) % n_words * spacing);
		unsigned int found = *word, expected;

		do {
			expected = found;
			found = atomicCAS(
				word, expected,
				__float_as_uint(__uint_as_float(expected) * 1.0009765625f));
			tried++;
		} while (found != expected);
	}
	atomicAdd(attempts, tried);
}

template <bool shared>
static __global__ void max(uint64_t *global, int n_words, int spacing, int steps,
			   unsigned long long *attempts)
{
	uint64_t *words = words_of<shared>(global);
	const int first = blockIdx.x * blockDim.x + threadIdx.x;
	uint32_t tried = 0;

	for (int i = 0; i < steps; i++) {
		unsigned int *word = (unsigned int *)(words + (first + i) % n_words * spacing);
		const float value = first * 2654435761u >> 8;
		unsigned int found = *word;

		while (value > __uint_as_float(found)) {
			const unsigned int expected = found;

			tried++;
			found = atomicCAS(word, expected, __float_as_uint(value));
			if (found == expected)
				break;
		}
	}
	atomicAdd(attempts, tried);
}

typedef void (*Kernel)(uint64_t *, int, int, int, unsigned long long *);

static unsigned long long *attempts;
static uint64_t *words;

static void run(int memory, int kind, int n_words, int spacing, int steps, int blocks,
		int threads, int launch)
{
	static const char *const kinds[] = {"add", "mul", "max"};
	static const char *const memories[] = {"global", "shared"};
	static const Kernel kernels[2][3] = {{add<false>, mul<false>, max<false>},
					     {add<true>, mul<true>, max<true>}};
	unsigned long long host;

	CHECK(cudaMemset(attempts, 0, sizeof(*attempts)));
	CHECK(cudaMemset(words, 0x3f, MAX_WORDS * 8 * sizeof(*words)));
	kernels[memory][kind]<<<blocks, threads>>>(words, n_words, spacing, steps, attempts);
	CHECK_RUN();
	from_gpu(&host, attempts, sizeof(host));
	printf("%s,%s,%d,%d,%d,%d,%d,%d,%llu\n", kinds[kind], memories[memory], n_words,
	       spacing, steps, blocks, threads, launch, host);
}

/* Its shapes: of one SM, of some, of all. */
static void run_shapes(int memory, int kind, int n_words, int spacing, int steps)
{
	static const int shapes[][2] = {{1, 32}, {1, 256}, {16, 256}, {132, 32}, {132, 256}};

	for (const int *shape : shapes)
		for (int launch = 0; launch < 2 && !(memory == 1 && shape[0] == 16); launch++)
			run(memory, kind, n_words, spacing, steps, blocks_for(shape[0]),
			    shape[1], launch);
}

int main(void)
{
	CHECK(cudaMalloc(&attempts, sizeof(*attempts)));
	CHECK(cudaMalloc(&words, MAX_WORDS * 8 * sizeof(*words)));
	printf("kernel,memory,words,spacing,steps,blocks,threads,launch,attempts\n");
	for (int memory = 0; memory < 2; memory++)
		for (int kind = 0; kind < 3; kind++)
			for (int n_words : {1, 8, 32, 128, MAX_WORDS})
				for (int spacing : {1, 8})
					for (int steps = 1; steps <= 4; steps *= 4)
						if (spacing == 1 ||
						    (memory == 0 && n_words > 1))
							run_shapes(memory, kind, n_words,
								   spacing, steps);
	return 0;
}
