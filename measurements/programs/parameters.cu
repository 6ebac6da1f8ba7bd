/* SPDX-License-Identifier: MIT */
/*
 * How long warps wait for their parameters, in the first launches of a process and in later ones.
 *
 *   parameters > parameters.csv
 *
 * A row is a launch, the mean and the most of all its warps: bytes of parameters; offsets in bank 0 of the constants of the two that each
 * warp reads, one after the other; blocks, threads; number of the launch in its process; cycles until the first and, from there, until the
 * second can be used, both with the reading of the clock. Each case has a process of its own, whose only kernel it is.
 */
#include "probe.h"

#include <sys/wait.h>
#include <unistd.h>

#define FIRST	 0x210 /* of the first parameter, in the bank */
#define LAUNCHES 12

typedef struct {
	long long first, second;
} Waits;

template <int WORDS> struct Parameters {
	Waits *waits;
	unsigned int words[WORDS];
};

/* No launch has such a word. */
static __device__ __forceinline__ void use(unsigned int word)
{
	asm volatile("{.reg .pred p; setp.eq.u32 p, %0, 12345; @p trap;}" ::"r"(word)
		     : "memory");
}

template <int WORDS, int A, int B> static __global__ void read(Parameters<WORDS> parameters)
{
	const long long begin = stamp();

	use(parameters.words[A]);
	const long long first = stamp();

	use(parameters.words[B]);
	const long long second = stamp();
	const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;

	if (threadIdx.x % 32 == 0)
		parameters.waits[thread / 32] = Waits{first - begin, second - first};
}

template <int WORDS, int A, int B> static void launches(int blocks, int threads)
{
	const int n = blocks * threads / 32, at = FIRST + sizeof(Waits *);
	Parameters<WORDS> parameters = {};
	Waits *waits = (Waits *)malloc(n * sizeof *waits);

	CHECK(cudaMalloc(&parameters.waits, n * sizeof *waits));
	for (int launch = 1; launch <= LAUNCHES; launch++) {
		double first = 0, second = 0;
		long long first_max = 0, second_max = 0;

		read<WORDS, A, B><<<blocks, threads>>>(parameters);
		CHECK_RUN();
		CHECK(cudaMemcpy(waits, parameters.waits, n * sizeof *waits,
				 cudaMemcpyDeviceToHost));
		for (int i = 0; i < n; i++) {
			first += waits[i].first / (double)n;
			second += waits[i].second / (double)n;
			first_max = waits[i].first > first_max ? waits[i].first : first_max;
			second_max =
				waits[i].second > second_max ? waits[i].second : second_max;
		}
		printf("%d,%d,%d,%d,%d,%d,%.1f,%lld,%.1f,%lld\n", (int)sizeof parameters,
		       at + 4 * A, at + 4 * B, blocks, threads, launch, first, first_max,
		       second, second_max);
	}
}

/* The parent must not have begun with CUDA. */
template <int WORDS, int A, int B> static void measure(void)
{
	static const int shapes[][2] = {{1, 32}, {1, 256}, {132, 256}, {132, 1024}};

	for (auto &shape : shapes) {
		int status = 1;

		fflush(stdout);
		if (fork() == 0) {
			launches<WORDS, A, B>(shape[0], shape[1]);
			fflush(stdout);
			_exit(0);
		}
		if (wait(&status) < 0 || status != 0) {
			fprintf(stderr, "parameters: a process of its own failed\n");
			exit(1);
		}
	}
}

int main(void)
{
	printf("bytes,first_offset,second_offset,blocks,threads,launch,first_mean,first_max,"
	       "second_mean,second_max\n");
	measure<2, 0, 1>();
	measure<6, 0, 5>();
	measure<10, 0, 9>();
	measure<14, 0, 13>();
	measure<14, 13, 0>();
	measure<18, 0, 17>();
	measure<22, 0, 21>();
	measure<24, 23, 0>();
	measure<26, 0, 25>();
	measure<28, 27, 0>();
	measure<30, 0, 29>();
	measure<32, 0, 31>();
	measure<34, 33, 0>();
	measure<40, 0, 39>();
	measure<44, 0, 43>();
	measure<50, 0, 49>();
	measure<56, 0, 55>();
	measure<62, 0, 61>();
	measure<70, 0, 69>();
	measure<80, 79, 0>();
	measure<90, 0, 89>();
	measure<100, 0, 99>();
	measure<120, 119, 0>();
	return 0;
}
