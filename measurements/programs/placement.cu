/* SPDX-License-Identifier: MIT */
/*
 * On which SMs blocks start, launch after launch.
 *
 *   placement > placement.csv
 *
 * A row is a launch: its number, blocks and threads, and the SM of each of its first SHOWN blocks, with dots
 * between them. Blocks spin for SPIN cycles, so that all that fit are there together.
 */
#include "probe.h"

#define SHOWN	 512
#define SPIN	 20000
#define LAUNCHES 6

static __global__ void place(unsigned int *sms)
{
	long long begin = stamp();

	if (threadIdx.x == 0 && blockIdx.x < SHOWN)
		sms[blockIdx.x] = sm_id();
	while (stamp() - begin < SPIN)
		;
}

int main(void)
{
	static const int blocks[] = {1,	 2,  4,	  8,   12,  16,	 24, 33,
				     66, 99, 132, 198, 264, 396, 528};
	static const int threads[] = {32, 256, 1024};
	unsigned int *sms = (unsigned int *)gpu_memory(SHOWN * sizeof(*sms)), there[SHOWN];
	int n = 0;

	warm_up();
	printf("launch,blocks,threads,sms\n");
	for (int t = 0; t < 3; t++)
		for (int b = 0; b < (int)(sizeof(blocks) / sizeof(*blocks)); b++)
			for (int launch = 0; launch < LAUNCHES; launch++) {
				const int all = blocks_for(blocks[b]);

				CHECK(cudaMemset(sms, 0, sizeof(there)));
				place<<<all, threads[t]>>>(sms);
				CHECK_RUN();
				from_gpu(there, sms, sizeof(there));
				printf("%d,%d,%d,", n++, all, threads[t]);
				for (int i = 0; i < all && i < SHOWN; i++)
					printf("%s%u", i ? "." : "", there[i]);
				printf("\n");
			}
	return 0;
}
