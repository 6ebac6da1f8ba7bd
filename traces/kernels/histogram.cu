/* SPDX-License-Identifier: MIT */
/*
 * Histogram of a grey image by atomic votes in shared memory, as written for Fermi: each block
 * keeps `replicas` copies of the bins in shared memory, each thread votes in one of them, and
 * the block adds its copies to the result at the end.
 *
 *   histogram IMAGE.pgm [BINS [REPLICAS [MAPPING [PADDING [BLOCKS [THREADS]]]]]]
 *
 * MAPPING says which copy thread t votes in: `cyclic` t mod replicas, `block` the copies in
 * order to equal runs of threads. Copy r begins at word r * (BINS + PADDING). Prints the
 * histogram, checks it on the CPU, and prints PASS or FAIL.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                                            \
	do {                                                                                   \
		cudaError_t error = (call);                                                    \
		if (error != cudaSuccess) {                                                    \
			fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));         \
			exit(1);                                                               \
		}                                                                              \
	} while (0)

__global__ void histogram(const uint8_t *pixels, int n_pixels, unsigned int *result, int bins,
			  int replicas, int cyclic, int stride)
{
	extern __shared__ unsigned int votes[];
	int replica = cyclic ? threadIdx.x % replicas : threadIdx.x / (blockDim.x / replicas);

	for (int i = threadIdx.x; i < replicas * stride; i += blockDim.x)
		votes[i] = 0;
	__syncthreads();

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n_pixels;
	     i += gridDim.x * blockDim.x)
		atomicAdd(&votes[replica * stride + pixels[i] * bins / 256], 1);
	__syncthreads();

	for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
		unsigned int sum = 0;

		for (int r = 0; r < replicas; r++)
			sum += votes[r * stride + bin];
		atomicAdd(&result[bin], sum);
	}
}

/* Reads the next number of a PGM header; `#` begins a comment. */
static int header_number(FILE *file)
{
	int c, number = 0;

	while ((c = fgetc(file)) != EOF && (c < '0' || c > '9'))
		if (c == '#')
			while ((c = fgetc(file)) != EOF && c != '\n')
				;
	for (; c >= '0' && c <= '9' && number < 100000; c = fgetc(file))
		number = 10 * number + c - '0';
	return number;
}

static uint8_t *read_pgm(const char *path, int *width, int *height)
{
	FILE *file = fopen(path, "rb");

	if (!file || fgetc(file) != 'P' || fgetc(file) != '5') {
		fprintf(stderr, "%s: not a readable binary PGM image\n", path);
		exit(1);
	}
	*width = header_number(file);
	*height = header_number(file);

	int white = header_number(file);
	size_t n = (size_t)*width * *height;
	uint8_t *pixels = (uint8_t *)malloc(n ? n : 1);

	if (white < 1 || white > 255 || n < 1 || fread(pixels, 1, n, file) != n) {
		fprintf(stderr, "%s: not a whole 8-bit image\n", path);
		exit(1);
	}
	fclose(file);
	return pixels;
}

int main(int argc, char **argv)
{
	int bins = argc > 2 ? atoi(argv[2]) : 256;
	int replicas = argc > 3 ? atoi(argv[3]) : 1;
	int cyclic = argc <= 4 || strcmp(argv[4], "block") != 0;
	int padding = argc > 5 ? atoi(argv[5]) : 0;
	int blocks = argc > 6 ? atoi(argv[6]) : 16;
	int threads = argc > 7 ? atoi(argv[7]) : 256;
	int stride = bins + padding;
	size_t shared_bytes = sizeof(unsigned int) * replicas * stride;
	int width, height, good = 1;

	if (argc < 2 || bins < 1 || bins > 256 || replicas < 1 || replicas > threads ||
	    threads % replicas || padding < 0 || blocks < 1 || threads < 1 || threads > 1024 ||
	    shared_bytes > 48 * 1024) {
		fprintf(stderr,
			"usage: %s IMAGE.pgm [BINS [REPLICAS [cyclic|block [PADDING "
			"[BLOCKS [THREADS]]]]]]\n",
			argv[0]);
		return 2;
	}

	uint8_t *pixels = read_pgm(argv[1], &width, &height), *gpu_pixels;
	int n_pixels = width * height;
	unsigned int result[256], expected[256] = {0}, *gpu_result;

	CHECK(cudaMalloc(&gpu_pixels, n_pixels));
	CHECK(cudaMalloc(&gpu_result, sizeof(result)));
	CHECK(cudaMemcpy(gpu_pixels, pixels, n_pixels, cudaMemcpyHostToDevice));
	CHECK(cudaMemset(gpu_result, 0, sizeof(result)));
	histogram<<<blocks, threads, shared_bytes>>>(gpu_pixels, n_pixels, gpu_result, bins,
						     replicas, cyclic, stride);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(result, gpu_result, sizeof(result), cudaMemcpyDeviceToHost));

	for (int i = 0; i < n_pixels; i++)
		expected[pixels[i] * bins / 256]++;
	printf("pixels %d bins %d replicas %d mapping %s padding %d blocks %d threads %d\n",
	       n_pixels, bins, replicas, cyclic ? "cyclic" : "block", padding, blocks, threads);
	for (int bin = 0; bin < bins; bin++) {
		printf("%d %u\n", bin, result[bin]);
		good = good && result[bin] == expected[bin];
	}
	puts(good ? "PASS" : "FAIL");
	return good ? 0 : 1;
}
