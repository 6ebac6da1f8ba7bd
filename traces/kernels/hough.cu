/* SPDX-License-Identifier: MIT */
/*
 * Hough transform for lines: each edge pixel of a grey image votes, at each angle, for the line
 * through it. Each block has some of the angles, and their votes in shared memory.
 *
 *   hough IMAGE.pgm [SIZE [ANGLES [BLOCKS [THREADS]]]]
 *
 * Takes the SIZE x SIZE pixels in the middle of the image; edges are where the gradient is steep.
 * Block b has the ANGLES angles from b * ANGLES on, of ANGLES * BLOCKS in half a turn. The
 * distance of a line from the corner is cut to whole pixels. Prints the edge count and the line
 * with most votes, checks all votes on the CPU, and prints PASS or FAIL.
 */
#include <math.h>

#include "kernel.h"

#define MAX_ANGLES 1024
#define SCALE	   1024 /* of sines and cosines as integers */

static __constant__ int cosines[MAX_ANGLES], sines[MAX_ANGLES];

/* Edges are x | y << 16. Distances are counted from -size on: none is less. */
__global__ void hough(const uint32_t *edges, int n_edges, int size, int angles, int distances,
		      unsigned int *result)
{
	extern __shared__ unsigned int votes[];
	MEASURE_BEGIN();
	int first_angle = blockIdx.x * angles;

	for (int i = threadIdx.x; i < angles * distances; i += blockDim.x)
		votes[i] = 0;
	__syncthreads();

	for (int i = threadIdx.x; i < n_edges; i += blockDim.x) {
		int x = edges[i] & 0xffff, y = edges[i] >> 16;

		for (int a = 0; a < angles; a++) {
			int distance =
				(x * cosines[first_angle + a] + y * sines[first_angle + a]) /
					SCALE +
				size;

			atomicAdd(&votes[a * distances + distance], 1);
		}
	}
	__syncthreads();

	for (int i = threadIdx.x; i < angles * distances; i += blockDim.x)
		result[blockIdx.x * angles * distances + i] = votes[i];
	MEASURE_END();
}

/* Pixels of the middle of the image where the gradient is steep. Returns how many. */
static int find_edges(const uint8_t *pixels, int width, int height, int size, uint32_t *edges)
{
	int left = (width - size) / 2, top = (height - size) / 2, n = 0;

	for (int y = 1; y < size - 1; y++)
		for (int x = 1; x < size - 1; x++) {
			const uint8_t *p = pixels + (top + y) * width + left + x;
			int across = p[1 - width] + 2 * p[1] + p[1 + width] - p[-1 - width] -
				     2 * p[-1] - p[-1 + width];
			int down = p[width - 1] + 2 * p[width] + p[width + 1] - p[-width - 1] -
				   2 * p[-width] - p[-width + 1];

			if (abs(across) + abs(down) > 400)
				edges[n++] = x | y << 16;
		}
	return n;
}

int main(int argc, char **argv)
{
	int size = number_argument(argc, argv, 2, "SIZE", 256, 8, 4096);
	int angles = number_argument(argc, argv, 3, "ANGLES", 4, 1, 64);
	int blocks = number_argument(argc, argv, 4, "BLOCKS", 8, 1, 256);
	int threads = number_argument(argc, argv, 5, "THREADS", 256, 1, 1024);
	int distances = 5 * size / 2; /* from -size to the square root of 2 times size */
	int shared_bytes = (int)sizeof(unsigned int) * angles * distances;
	int n_votes = blocks * angles * distances, n_angles = blocks * angles;
	int width, height, best = 0, good = 1;
	int host_cosines[MAX_ANGLES], host_sines[MAX_ANGLES];

	if (argc < 2 || n_angles > MAX_ANGLES || shared_bytes > 48 * 1024) {
		fprintf(stderr,
			"%s: needs an image, at most %d angles in all, and at most "
			"48 KiB of shared memory\n",
			argv[0], MAX_ANGLES);
		return 2;
	}

	uint8_t *pixels = read_pgm(argv[1], &width, &height);

	size = size < width ? size : width;
	size = size < height ? size : height;

	uint32_t *edges = (uint32_t *)malloc(sizeof(uint32_t) * size * size);
	int n_edges = find_edges(pixels, width, height, size, edges);
	uint32_t *gpu_edges = (uint32_t *)to_gpu(edges, sizeof(uint32_t) * (n_edges + 1));
	unsigned int *result = (unsigned int *)malloc(sizeof(unsigned int) * n_votes);
	unsigned int *expected = (unsigned int *)calloc(n_votes, sizeof(unsigned int));
	unsigned int *gpu_result;

	for (int a = 0; a < n_angles; a++) {
		host_cosines[a] = (int)lround(SCALE * cos(M_PI * a / n_angles));
		host_sines[a] = (int)lround(SCALE * sin(M_PI * a / n_angles));
		for (int i = 0; i < n_edges; i++)
			expected[a * distances + size +
				 ((int)(edges[i] & 0xffff) * host_cosines[a] +
				  (int)(edges[i] >> 16) * host_sines[a]) /
					 SCALE]++;
	}
	CHECK(cudaMemcpyToSymbol(cosines, host_cosines, sizeof(host_cosines)));
	CHECK(cudaMemcpyToSymbol(sines, host_sines, sizeof(host_sines)));
	CHECK(cudaMalloc(&gpu_result, sizeof(unsigned int) * n_votes));
	for (int run = 0; run < MEASURE_RUNS; run++) {
		hough<<<blocks, threads, shared_bytes>>>(gpu_edges, n_edges, size, angles,
							 distances, gpu_result);
		CHECK(cudaGetLastError());
		measure_collect(run, blocks, threads, shared_bytes);
	}
	CHECK(cudaMemcpy(result, gpu_result, sizeof(unsigned int) * n_votes,
			 cudaMemcpyDeviceToHost));

	for (int i = 0; i < n_votes; i++) {
		good = good && result[i] == expected[i];
		best = result[i] > result[best] ? i : best;
	}
	printf("edges %d size %d angles %d distances %d blocks %d threads %d\n", n_edges, size,
	       angles, distances, blocks, threads);
	printf("best angle %d distance %d votes %u\n", best / distances,
	       best % distances - size, result[best]);
	for (int b = 0; b < blocks; b++)
		print_votes("add", b, 0, angles * distances, 0, 1,
			    result + b * angles * distances);
	return conclude(good);
}
