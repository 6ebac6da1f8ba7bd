/* SPDX-License-Identifier: MIT */
/*
 * What the start of a kernel costs: what every warp reads before it does anything. For Nsight Compute, which counts how long each SM is
 * busy (active.sh joins both).
 *
 *   active.sh starts > starts.csv
 *   active.sh "starts KERNEL BLOCKS THREADS": its first twelve launches (starts-first.sh)
 *
 * A row is a launch: kernel; registers of a lane's own, registers that a warp has in common, and lines of 64 bytes of constants that
 * each warp reads; blocks, threads, number of the launch. `none` has what the compiler puts before any code (a load of the stack's address); `own` reads the index of
 * the thread, `common` that of the block, `both` the two, `mixed` the number of the SM and of the lane too, `grid` three indices of the
 * block and one of the thread; `bound` compares the number of the thread in the grid with a parameter, as most kernels do first;
 * `parameters` adds up five words of five lines of its parameters. No kernel loads or stores.
 */
#include "probe.h"

static __global__ void none(void)
{
}

/* What is read must be used, or ptxas leaves it out; no launch has so many. */
static __device__ __forceinline__ void use(unsigned int sum)
{
	if (sum == 5000000)
		asm volatile("trap;");
}

static __global__ void own(void)
{
	use(threadIdx.x);
}

static __global__ void common(void)
{
	use(blockIdx.x);
}

static __global__ void both(void)
{
	use(blockIdx.x + threadIdx.x);
}

static __global__ void mixed(void)
{
	unsigned int lane;

	asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
	use(blockIdx.x + threadIdx.x + lane + sm_id());
}

static __global__ void grid(void)
{
	use(blockIdx.x + blockIdx.y + blockIdx.z + threadIdx.x);
}

static __global__ void bound(unsigned int n)
{
	if (blockIdx.x * blockDim.x + threadIdx.x >= n)
		asm volatile("trap;");
}

typedef struct {
	unsigned int words[80];
} Parameters;

static __global__ void parameters(Parameters p)
{
	use(threadIdx.x + p.words[0] + p.words[16] + p.words[32] + p.words[48] + p.words[64]);
}

static const int shapes[][2] = {{1, 32},    {1, 256},	{33, 256},  {66, 32},
				{66, 256},  {132, 32},	{132, 256}, {132, 1024},
				{264, 256}, {264, 512}, {264, 768}, {264, 1024}};

typedef void (*Launch)(int blocks, int threads);

typedef struct {
	const char *name;
	int n_own, n_common, n_lines;
	Launch launch;
} Kernel;

#define KERNEL(kernel, n_own, n_common, n_lines, ...)                                          \
	{                                                                                      \
#kernel, n_own, n_common, n_lines,                                             \
			[](int blocks,                                                         \
			   int threads) { kernel<<<blocks, threads>>>(__VA_ARGS__); }          \
	}

static const Kernel kernels[] = {
	KERNEL(none, 0, 0, 0),
	KERNEL(own, 1, 0, 0),
	KERNEL(common, 0, 1, 0),
	KERNEL(both, 1, 1, 0),
	KERNEL(mixed, 2, 2, 0),
	KERNEL(grid, 1, 3, 0),
	KERNEL(bound, 1, 1, 2, 1u << 30),
	KERNEL(parameters, 1, 0, 5, Parameters{}),
};

/* n launches of a kernel. */
static void rows(const Kernel *kernel, int blocks, int threads, int n)
{
	for (int i = 0; i < n; i++) {
		kernel->launch(blocks, threads);
		CHECK_RUN();
		printf("%s,%d,%d,%d,%d,%d,%d\n", kernel->name, kernel->n_own, kernel->n_common,
		       kernel->n_lines, blocks, threads, i);
	}
}

int main(int argc, char **argv)
{
	bool found = argc == 1;

	printf("kernel,own,common,lines,blocks,threads,launch\n");
	for (const Kernel &kernel : kernels) {
		if (argc == 4 && strcmp(argv[1], kernel.name) == 0) {
			rows(&kernel, atoi(argv[2]), atoi(argv[3]), 12);
			found = true;
		}
		for (auto &shape : shapes)
			if (argc == 1)
				rows(&kernel, shape[0], shape[1], 6);
	}
	if (!found)
		fprintf(stderr, "usage: starts [KERNEL BLOCKS THREADS]\n");
	return found ? 0 : 2;
}
