/* SPDX-License-Identifier: MIT */
/*
 * Transpose of a square matrix of floats through tiles of 32 x 32 in shared memory.
 *
 *   transpose [SIZE [PADDING]]
 *
 * Blocks of 32 x 8 threads read a tile by rows and write it by columns. A tile's row is 32 +
 * PADDING words: with 0 all lanes read one bank, with 1 each its own. Checks the result on the
 * CPU and prints PASS or FAIL.
 */
#include "kernel.h"

#define TILE 32
#define ROWS 8

__global__ void transpose(const float *in, float *out, int size, int row)
{
	extern __shared__ float tile[];
	MEASURE_BEGIN();
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

	for (int i = 0; i < TILE; i += ROWS)
		tile[(threadIdx.y + i) * row + threadIdx.x] = in[(y + i) * size + x];
	__syncthreads();

	x = blockIdx.y * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		out[(y + i) * size + x] = tile[threadIdx.x * row + threadIdx.y + i];
	MEASURE_END();
}

int main(int argc, char **argv)
{
	int size = number_argument(argc, argv, 1, "SIZE", 128, 32, 512) / TILE * TILE;
	int padding = number_argument(argc, argv, 2, "PADDING", 0, 0, 32);
	int row = TILE + padding, tiles = size / TILE, good = 1;
	int shared_bytes = (int)sizeof(float) * TILE * row;
	size_t bytes = sizeof(float) * size * size;
	float *in = (float *)malloc(bytes), *out = (float *)malloc(bytes), *gpu_out;

	for (int i = 0; i < size * size; i++)
		in[i] = i;

	float *gpu_in = (float *)to_gpu(in, bytes);

	CHECK(cudaMalloc(&gpu_out, bytes));
	for (int run = 0; run < MEASURE_RUNS; run++) {
		transpose<<<dim3(tiles, tiles), dim3(TILE, ROWS), shared_bytes>>>(
			gpu_in, gpu_out, size, row);
		CHECK(cudaGetLastError());
		measure_collect(run, tiles * tiles, TILE * ROWS, shared_bytes);
	}
	CHECK(cudaMemcpy(out, gpu_out, bytes, cudaMemcpyDeviceToHost));
	for (int i = 0; i < size * size; i++)
		good = good && out[i] == in[i % size * size + i / size];
	printf("size %d padding %d blocks %d threads %d\n", size, padding, tiles * tiles,
	       TILE * ROWS);
	return conclude(good);
}
