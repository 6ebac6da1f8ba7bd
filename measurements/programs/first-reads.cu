/* SPDX-License-Identifier: MIT */
/*
 * What the first kernels to read a buffer take, by what happened to it before: a row a launch.
 *
 *   first-reads HISTORY BYTES KERNEL >> first-reads.csv
 *
 * A process a row, so that memory is new. HISTORY: fresh (nothing), copied (from the host), reused (of a size that a kernel had read and that was
 * freed, and then copied to), set. KERNEL: bulk (132 blocks of 256 threads, 16 bytes a thread and step, a grid on each time), rows (48 blocks of
 * 256 threads, 4 bytes; a step waits for the one before). A row: these, the number of the launch, cycles of the SM that takes longest from the
 * first begin of its blocks to the last end.
 */
#include "probe.h"

#define MAX_SMS 512
#define THREADS 256
#define ROW	(48 * THREADS)

typedef struct {
	long long begin, end, sm;
} Span;

static __global__ void read_bulk(const uint4 *data, size_t n, Span *spans, uint32_t *sink)
{
	const long long begin = stamp();
	uint32_t sum = 0;

	for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
	     i += (size_t)gridDim.x * blockDim.x)
		sum ^= data[i].x ^ data[i].y ^ data[i].z ^ data[i].w;
	if (sum == 0x9e3779b9)
		*sink = sum;
	__syncthreads();
	if (threadIdx.x == 0)
		spans[blockIdx.x] = (Span){begin, stamp(), sm_id()};
}

static __global__ void read_rows(const uint32_t *data, int n, Span *spans, uint32_t *sink)
{
	const long long begin = stamp();
	uint32_t sum = 0;

	for (int row = 0; row < n; row++) {
		sum += data[(size_t)row * ROW + blockIdx.x * blockDim.x + threadIdx.x];
		if (sum == 0x9e3779b9)
			*sink = sum;
	}
	__syncthreads();
	if (threadIdx.x == 0)
		spans[blockIdx.x] = (Span){begin, stamp(), sm_id()};
}

int main(int argc, char **argv)
{
	static Span host[MAX_SMS];
	const int blocks = argc == 4 && !strcmp(argv[3], "rows") ? 48 : 132;
	size_t bytes;
	char *data, *copy;
	Span *spans;
	uint32_t *sink;

	if (argc != 4) {
		fprintf(stderr, "usage: %s fresh|copied|reused|set BYTES bulk|rows\n", argv[0]);
		return 2;
	}
	bytes = strtoull(argv[2], NULL, 10);
	warm_up();
	spans = (Span *)gpu_memory(sizeof(host));
	sink = (uint32_t *)gpu_memory(sizeof(*sink));
	copy = (char *)calloc(1, bytes);
	/* Code of both is there. */
	read_bulk<<<132, THREADS>>>((uint4 *)spans, 1, spans, sink);
	read_rows<<<48, THREADS>>>((uint32_t *)spans, 0, spans, sink);
	if (!strcmp(argv[1], "reused")) {
		CHECK(cudaMalloc(&data, bytes));
		CHECK(cudaMemset(data, 0, bytes));
		read_bulk<<<132, THREADS>>>((uint4 *)data, bytes / 16, spans, sink);
		CHECK(cudaFree(data));
	}
	CHECK(cudaMalloc(&data, bytes));
	if (!strcmp(argv[1], "copied") || !strcmp(argv[1], "reused"))
		CHECK(cudaMemcpy(data, copy, bytes, cudaMemcpyHostToDevice));
	if (!strcmp(argv[1], "set"))
		CHECK(cudaMemset(data, 0, bytes));
	CHECK_RUN();
	for (int launch = 1; launch <= 3; launch++) {
		long long longest = 0;

		if (blocks == 48)
			read_rows<<<blocks, THREADS>>>((uint32_t *)data, bytes / 4 / ROW, spans,
						       sink);
		else
			read_bulk<<<blocks, THREADS>>>((uint4 *)data, bytes / 16, spans, sink);
		CHECK_RUN();
		from_gpu(host, spans, blocks * sizeof(*host));
		for (int i = 0; i < blocks; i++)
			for (int k = 0; k < blocks; k++)
				if (host[k].sm == host[i].sm &&
				    host[k].end - host[i].begin > longest)
					longest = host[k].end - host[i].begin;
		printf("%s,%zu,%s,%d,%lld\n", argv[1], bytes, argv[3], launch, longest);
	}
	return 0;
}
