/* SPDX-License-Identifier: MIT */
/*
 * The experiments of a paper on atomics of AMD GPUs (Elteir, Lin, Feng, IEEE Cluster 2011), in CUDA.
 *
 *   apps [APPLICATION [BLOCKS [THREADS [SIZE [MATCHES]]]]]
 *
 * APPLICATION: `micro1` every thread adds its number to one word; `copy` every thread loads that word and stores it
 * to a place of its own; `micro2` the one, then the other: the parts of the paper's Fig 4; `take` adds and stores the old
 * value; `stream` copies a word of its own, `stream-atomic` adds 1 or 0 by it, `stream-both` both; `scalar` a product added
 * to one word; `matmul` SIZE x SIZE, `kmeans` map with SIZE clusters in 2 dimensions, `match` SIZE KiB of text with
 * MATCHES places: these three reserve room for each record by an atomic. Results are checked on the CPU.
 */
#include "launch.h"

enum {
	COPY,
	MICRO1,
	MICRO2,
	TAKE,
	STREAM_ATOMIC,
	STREAM,
	STREAM_BOTH,
	SCALAR,
	MATMUL,
	KMEANS,
	MATCH
};

typedef struct {
	const unsigned int *in, *second;
	unsigned int *word, *out; /* records of two words, or one a thread */
	int size, n_words;	  /* of the text */
} Work;

static __device__ void emit(const Work &w, unsigned int key, unsigned int value)
{
	unsigned int place = atomicAdd(w.word, 1);

	w.out[2 * place] = key;
	w.out[2 * place + 1] = value;
}

__global__ void apps_small(Work w, int application)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	LAUNCH_BEGIN();
	switch (application) {
	case COPY:
	case MICRO1:
	case MICRO2:
		/* From compute capability 8.0 on nvcc adds the lanes' operands up (REDUX), and one adds the sum. */
		if (application != COPY)
			atomicAdd(w.word, i);
		if (application != MICRO1)
			w.out[i] = *w.word;
		break;
	case TAKE:
		w.out[i] = atomicAdd(w.word, i);
		break;
	case SCALAR:
		atomicAdd(w.word, w.in[i] * w.second[i]);
		break;
	default:
		if (application != STREAM)
			atomicAdd(w.word, w.in[i] & 1);
		if (application != STREAM_ATOMIC)
			w.out[i] = w.in[i];
	}
	LAUNCH_END();
}

__global__ void apps_matmul(Work w)
{
	int m = w.size;

	LAUNCH_BEGIN();
	for (int z = blockIdx.x * blockDim.x + threadIdx.x; z < m * m;
	     z += gridDim.x * blockDim.x) {
		unsigned int sum = 0;

		for (int l = 0; l < m; l++)
			sum += w.in[z / m * m + l] * w.second[l * m + z % m];
		emit(w, z, sum);
	}
	LAUNCH_END();
}

__global__ void apps_kmeans(Work w)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
	int x = w.in[2 * i], y = w.in[2 * i + 1], least = 0x7fffffff;

	LAUNCH_BEGIN();
	for (int c = 0; c < w.size; c++) {
		int dx = x - (int)w.second[2 * c], dy = y - (int)w.second[2 * c + 1];

		if (dx * dx + dy * dy < least) {
			least = dx * dx + dy * dy;
			best = c;
		}
	}
	emit(w, i, best);
	LAUNCH_END();
}

__global__ void apps_match(Work w)
{
	int n_threads = gridDim.x * blockDim.x, piece = (w.n_words + n_threads - 1) / n_threads;
	int first = (blockIdx.x * blockDim.x + threadIdx.x) * piece;

	LAUNCH_BEGIN();
	for (int i = first; i < first + piece && i < w.n_words; i++) {
		unsigned int word = w.in[i];

		for (int keyword = 0; keyword < 4; keyword++)
			if (word == w.second[keyword])
				emit(w, i, keyword);
	}
	LAUNCH_END();
}

static void launch(int application, const Work &w, int blocks, int threads)
{
	if (application == MATMUL)
		apps_matmul<<<blocks, threads>>>(w);
	else if (application == KMEANS)
		apps_kmeans<<<blocks, threads>>>(w);
	else if (application == MATCH)
		apps_match<<<blocks, threads>>>(w);
	else
		apps_small<<<blocks, threads>>>(w, application);
}

/* The records' number and the sum of key times 31 plus value, whatever their order. */
static bool check_records(const Work &w, unsigned int n, unsigned int expected)
{
	unsigned int count, sum = 0, *out = (unsigned int *)malloc(8 * (n ? n : 1));

	CHECK(cudaMemcpy(&count, w.word, 4, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(out, w.out, 8 * n, cudaMemcpyDeviceToHost));
	for (unsigned int i = 0; i < n; i++)
		sum += 31 * out[2 * i] + out[2 * i + 1];
	return count == n && sum == expected;
}

static unsigned int cpu_element(const unsigned int *a, const unsigned int *b, int m, int z)
{
	unsigned int sum = 0;

	for (int l = 0; l < m; l++)
		sum += a[z / m * m + l] * b[l * m + z % m];
	return sum;
}

static unsigned int cpu_nearest(const unsigned int *in, const unsigned int *second, int k,
				int i)
{
	int least = 0x7fffffff, best = 0;

	for (int c = 0; c < k; c++) {
		int dx = (int)in[2 * i] - (int)second[2 * c];
		int dy = (int)in[2 * i + 1] - (int)second[2 * c + 1];

		if (dx * dx + dy * dy < least) {
			least = dx * dx + dy * dy;
			best = c;
		}
	}
	return best;
}

/* What the kernel must leave, and whether it did. */
static bool check(int application, const Work &w, const unsigned int *in,
		  const unsigned int *second, int n_threads)
{
	unsigned int n = n_threads, sum = 0, word;

	if (application >= MATMUL) {
		n = application == MATMUL   ? w.size * w.size
		    : application == KMEANS ? n_threads
					    : 0;
		for (int i = 0; application == MATCH && i < w.n_words; i++)
			for (int keyword = 0; keyword < 4; keyword++)
				if (in[i] == second[keyword]) {
					sum += 31 * i + keyword;
					n++;
				}
		for (unsigned int i = 0; application != MATCH && i < n; i++)
			sum += 31 * i + (application == MATMUL
						 ? cpu_element(in, second, w.size, i)
						 : cpu_nearest(in, second, w.size, i));
		return check_records(w, n, sum);
	}
	for (unsigned int i = 0; i < n; i++)
		sum += application == SCALAR			      ? in[i] * second[i]
		       : application == COPY || application == STREAM ? 0
		       : application <= TAKE			      ? i
								      : in[i] & 1;
	CHECK(cudaMemcpy(&word, w.word, 4, cudaMemcpyDeviceToHost));
	return word == sum;
}

int main(int argc, char **argv)
{
	int application = word_argument(argc, argv, 1,
					"copy micro1 micro2 take stream-atomic stream "
					"stream-both scalar matmul kmeans match");
	int blocks = number_argument(argc, argv, 2, "BLOCKS", 32, 1, 65535);
	int threads = number_argument(argc, argv, 3, "THREADS", 64, 32, 1024);
	int size = number_argument(argc, argv, 4, "SIZE", 32, 1, 65536);
	int matches = number_argument(argc, argv, 5, "MATCHES", 87, 0, 1 << 20);
	static const char *const names[] = {"copy",	     "micro1", "micro2",      "take",
					    "stream-atomic", "stream", "stream-both", "scalar",
					    "matmul",	     "kmeans", "match"};
	int n_threads = blocks * threads, n_words = size * 256;
	int n = application == MATMUL	? size * size
		: application == MATCH	? n_words
		: application == KMEANS ? 2 * n_threads
					: n_threads;
	int n_second = n > 2 * size ? n : 2 * size;
	unsigned int *in = (unsigned int *)malloc(4 * n);
	unsigned int *second = (unsigned int *)malloc(4 * n_second), random = 2463534242u;
	size_t out_bytes = 8 * (size_t)(application == MATCH ? matches + 1 : n_second);
	Work w = {NULL, NULL, NULL, NULL, size, n_words};

	for (int i = 0; i < n; i++)
		in[i] = next_random(&random) % 1024;
	for (int i = 0; i < n_second; i++)
		second[i] = application == MATCH ? 2000 + i : next_random(&random) % 1024;
	for (int i = 0; application == MATCH && i < matches; i++)
		in[(long long)i * n_words / matches] = 2000 + i % 4;
	w.in = (unsigned int *)to_gpu(in, 4 * n);
	w.second = (unsigned int *)to_gpu(second, 4 * n_second);
	CHECK(cudaMalloc(&w.word, 4));
	CHECK(cudaMalloc(&w.out, out_bytes));
	launch_measure(
		names[application], [&] { CHECK(cudaMemset(w.word, 0, 4)); },
		[&] { launch(application, w, blocks, threads); });
	if (application == MATCH)
		print_votes("addg", -1, 0, 1, 0, 1, (const unsigned int *)&matches);
	return launch_conclude(check(application, w, in, second, n_threads));
}
