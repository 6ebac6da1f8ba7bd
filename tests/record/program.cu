/* SPDX-License-Identifier: MIT */
/*
 * Runs a kernel of marked.cu, with -DPLAIN of plain.cu, and checks its result on the CPU.
 *
 *   program KERNEL small|large [FOLDER [BYTES]]    records into the folder by a buffer; exit status 0: PASS
 *
 * nvcc compiles it, and for tests/record.sh g++ with emulate/cuda_runtime.h.
 */
#ifdef PLAIN
#include "plain.cu"
namespace atomsim
{
template <class Launch> bool record(const char *, Launch launch, unsigned long long)
{
	launch();
	return true;
}
} // namespace atomsim
#else
#include "marked.cu"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#ifndef LAUNCH
#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
#endif

static bool is_large;
static const char *folder = "recorded";
static unsigned long long buffer_bytes = 64 << 20;

/* An array on the GPU. */
template <class T> struct Array {
	std::vector<T> host;
	T *gpu;

	explicit Array(size_t n) : host(n)
	{
		if (cudaMalloc((void **)&gpu, n * sizeof(T)) != cudaSuccess)
			exit(2);
	}
	~Array()
	{
		cudaFree(gpu);
	}
	void send()
	{
		cudaMemcpy(gpu, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
	}
	void fetch()
	{
		cudaMemcpy(host.data(), gpu, host.size() * sizeof(T), cudaMemcpyDeviceToHost);
	}
};

static unsigned scatter(unsigned i)
{
	return (i * 2654435761u) >> 16;
}

static bool run_histogram()
{
	int blocks = is_large ? 132 : 2, threads = is_large ? 256 : 64;
	int n = is_large ? 1 << 18 : 300;
	Array<unsigned char> data(n);
	Array<unsigned int> result(256);
	std::vector<unsigned int> expected(256);

	for (int i = 0; i < n; i++)
		expected[data.host[i] = (unsigned char)scatter(i)]++;
	data.send();
	result.send();
	if (!atomsim::record(
		    folder,
		    [&] { LAUNCH(histogram, blocks, threads, data.gpu, n, result.gpu); },
		    buffer_bytes))
		return false;
	result.fetch();
	return result.host == expected;
}

static bool run_transpose()
{
	int width = is_large ? 512 : 64;
	Array<float> in(width * width), out(width * width);
	bool good = true;

	for (int i = 0; i < width * width; i++)
		in.host[i] = (float)i;
	in.send();
	if (!atomsim::record(
		    folder,
		    [&] {
			    LAUNCH(transpose, dim3(width / 32, width / 32), dim3(32, 8), in.gpu,
				   out.gpu, width);
		    },
		    buffer_bytes))
		return false;
	out.fetch();
	for (int i = 0; i < width * width; i++)
		good = good && out.host[i] == in.host[i % width * width + i / width];
	return good;
}

static bool run_sums()
{
	int blocks = is_large ? 132 : 2, threads = is_large ? 256 : 64;
	int n = is_large ? 1 << 17 : 300;
	Array<float> values(n), result(64);
	Array<int> groups(n);
	std::vector<float> expected(64);

	for (int i = 0; i < n; i++) {
		groups.host[i] = (int)(scatter(i) % 64);
		values.host[i] = (float)(i % 3);
		expected[groups.host[i]] += values.host[i];
	}
	values.send();
	groups.send();
	result.send();
	if (!atomsim::record(
		    folder,
		    [&] {
			    LAUNCH(sums, blocks, threads, values.gpu, groups.gpu, n,
				   result.gpu);
		    },
		    buffer_bytes))
		return false;
	result.fetch();
	return result.host == expected;
}

static bool run_keep()
{
	int threads = is_large ? 256 : 64, n = is_large ? 1 << 16 : 100;
	Array<int> values(n), kept(n + 1);
	Array<unsigned int> count(1);
	long long sum = 0;
	unsigned int expected = 0;
	int most = 0;

	for (int i = 0; i < n; i++) {
		values.host[i] = (int)(scatter(i) % 100) - 50;
		most = values.host[i] > most ? values.host[i] : most;
		expected += values.host[i] > 0;
		sum += values.host[i] > 0 ? values.host[i] : 0;
	}
	values.send();
	kept.send();
	count.send();
	if (!atomsim::record(
		    folder,
		    [&] {
			    LAUNCH(keep, (n + threads - 1) / threads, threads, values.gpu, n,
				   kept.gpu, count.gpu);
		    },
		    buffer_bytes))
		return false;
	kept.fetch();
	count.fetch();
	for (unsigned int i = 0; i < expected; i++)
		sum -= kept.host[i];
	return count.host[0] == expected && sum == 0 && kept.host[n] == most;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		bool (*run)();
	} runs[] = {{"histogram", run_histogram},
		    {"transpose", run_transpose},
		    {"sums", run_sums},
		    {"keep", run_keep}};

	if (argc < 3)
		return 2;
	is_large = strcmp(argv[2], "large") == 0;
	if (argc > 3)
		folder = argv[3];
	if (argc > 4)
		buffer_bytes = strtoull(argv[4], NULL, 10);
	for (const auto &run : runs)
		if (strcmp(run.name, argv[1]) == 0) {
			bool good = run.run();

			puts(good ? "PASS" : "FAIL");
			return !good;
		}
	return 2;
}
