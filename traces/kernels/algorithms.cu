/* SPDX-License-Identifier: MIT */
/*
 * Algorithms of CUB and Thrust, as the CUDA toolkit has them: kernels that we did not write.
 *
 *   algorithms NAME [RUNS]
 *
 * runs the algorithm RUNS times (2), each with the same input; launches.sh counts and captures its launches. Four launches
 * that fill memory come before the first run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#include <cub/cub.cuh>
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/gather.h>
#include <thrust/inner_product.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>

#define N	   20000
#define N_SEGMENTS 100
#define ROOM_BYTES (1 << 22)

typedef thrust::device_vector<int> Numbers;

/* A sequence of random numbers (xorshift), the same on every machine. */
static int number(int high)
{
	static unsigned int state = 2463534242u;

	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return (int)(state % (unsigned int)high);
}

static Numbers numbers(int n, int high, bool sorted)
{
	std::vector<int> list(n);
	int sum = 0;

	for (int &x : list)
		x = sorted ? sum += number(high) : number(high);
	return Numbers(list);
}

struct Odd {
	__host__ __device__ bool operator()(int x) const
	{
		return x & 1;
	}
};

struct Square {
	__host__ __device__ int operator()(int x) const
	{
		return x * x;
	}
};

static const char *name;

static bool is(const char *word)
{
	return strcmp(name, word) == 0;
}

int main(int argc, char **argv)
{
	thrust::device_vector<char> room(ROOM_BYTES);
	size_t bytes = ROOM_BYTES;
	void *memory = thrust::raw_pointer_cast(room.data());
	Numbers a = numbers(N, 1000, false), b = numbers(6000, 4, true),
		c = numbers(5000, 5, true);
	Numbers out(2 * N), counts(2 * N), one(1);
	int *in = thrust::raw_pointer_cast(a.data()),
	    *sorted = thrust::raw_pointer_cast(b.data());
	int *to = thrust::raw_pointer_cast(out.data()),
	    *n = thrust::raw_pointer_cast(one.data());
	int *lengths = thrust::raw_pointer_cast(counts.data());
	std::vector<int> list;

	for (int i = 0; i <= N_SEGMENTS; i++)
		list.push_back(i * (N / N_SEGMENTS));

	Numbers segments(list);
	int *begin = thrust::raw_pointer_cast(segments.data());

	name = argc > 1 ? argv[1] : "";
	cudaDeviceSynchronize();
	for (int run = 0; run < (argc > 2 ? atoi(argv[2]) : 2); run++) {
		if (is("inclusive-sum"))
			cub::DeviceScan::InclusiveSum(memory, bytes, in, to, N);
		if (is("encode"))
			cub::DeviceRunLengthEncode::Encode(memory, bytes, sorted, to, lengths,
							   n, 6000);
		if (is("segmented-sum"))
			cub::DeviceSegmentedReduce::Sum(memory, bytes, in, to, N_SEGMENTS,
							begin, begin + 1);
		if (is("select-flagged"))
			cub::DeviceSelect::If(memory, bytes, in, to, n, N, Odd());
		if (is("partition"))
			cub::DevicePartition::If(memory, bytes, in, to, n, N, Odd());
		if (is("histogram-range"))
			cub::DeviceHistogram::HistogramEven(memory, bytes, in, lengths, 101, 0,
							    1000, N);
		if (is("argmin"))
			cub::DeviceReduce::Min(memory, bytes, in, to, N);
		if (is("merge-sort")) {
			cudaMemcpy(to, in, 4000 * sizeof(int), cudaMemcpyDeviceToDevice);
			cub::DeviceMergeSort::SortKeys(memory, bytes, to, 4000,
						       thrust::less<int>());
		}
		if (is("adjacent"))
			cub::DeviceAdjacentDifference::SubtractLeftCopy(memory, bytes, in, to,
									N);
		if (is("set-union"))
			thrust::set_union(b.begin(), b.end(), c.begin(), c.end(), out.begin());
		if (is("merge"))
			thrust::merge(b.begin(), b.end(), c.begin(), c.end(), out.begin());
		if (is("inner"))
			printf("%d\n", thrust::inner_product(b.begin(), b.begin() + 5000,
							     c.begin(), 0));
		if (is("transform-scan"))
			thrust::transform_inclusive_scan(a.begin(), a.end(), out.begin(),
							 Square(), thrust::plus<int>());
		if (is("scan-by-key"))
			thrust::inclusive_scan_by_key(b.begin(), b.end(), a.begin(),
						      out.begin());
		/* From here on those of later-launches.csv. */
		if (is("count"))
			printf("%d\n",
			       (int)thrust::count_if(a.begin(), a.begin() + 7000, Odd()));
		if (is("exclusive-max"))
			cub::DeviceScan::ExclusiveScan(memory, bytes, in, to,
						       thrust::maximum<int>(), 0, 9000);
		if (is("gather"))
			thrust::gather(a.begin(), a.begin() + 4000, c.begin(), out.begin());
		if (is("lower-bound"))
			thrust::lower_bound(b.begin(), b.end(), a.begin(), a.begin() + 3000,
					    out.begin());
		if (is("max-by-segment"))
			cub::DeviceSegmentedReduce::Max(memory, bytes, in, to, N_SEGMENTS / 2,
							begin, begin + 1);
		if (is("partition-stable"))
			thrust::stable_partition_copy(a.begin(), a.begin() + 9000, out.begin(),
						      counts.begin(), Odd());
		if (is("reduce-by-key"))
			thrust::reduce_by_key(b.begin(), b.end(), a.begin(), out.begin(),
					      counts.begin());
		if (is("sum-of-squares"))
			printf("%d\n",
			       thrust::transform_reduce(a.begin(), a.begin() + 12000, Square(),
							0, thrust::plus<int>()));
		if (is("intersection"))
			thrust::set_intersection(b.begin(), b.begin() + 3000, c.begin(),
						 c.end(), out.begin());
		if (is("unique"))
			cub::DeviceSelect::Unique(memory, bytes, sorted, to, n, 5000);
		/* From here on those of unseen-launches.csv. */
		if (is("copy-if"))
			thrust::copy_if(a.begin(), a.begin() + 7500, out.begin(), Odd());
		if (is("exclusive-sum"))
			cub::DeviceScan::ExclusiveSum(memory, bytes, in, to, 15000);
		if (is("flagged"))
			cub::DeviceSelect::Flagged(memory, bytes, in, sorted, to, n, 5500);
		if (is("histogram-32"))
			cub::DeviceHistogram::HistogramEven(memory, bytes, in, lengths, 33, 0,
							    1000, 14000);
		if (is("is-sorted"))
			printf("%d\n", (int)thrust::is_sorted(b.begin(), b.end()));
		if (is("max-element"))
			printf("%d\n", (int)(thrust::max_element(a.begin(), a.begin() + 13000) -
					     a.begin()));
		if (is("min-by-segment"))
			cub::DeviceSegmentedReduce::Min(memory, bytes, in, to, N_SEGMENTS / 4,
							begin, begin + 3);
		if (is("neighbours"))
			thrust::adjacent_difference(a.begin(), a.begin() + 8000, out.begin());
		if (is("radix-sort"))
			cub::DeviceRadixSort::SortKeys(memory, bytes, in, to, 3000);
		if (is("runs"))
			cub::DeviceRunLengthEncode::NonTrivialRuns(memory, bytes, sorted, to,
								   lengths, n, 4500);
		if (is("scatter"))
			thrust::scatter(a.begin(), a.begin() + 4500, c.begin(), out.begin());
		if (is("set-difference"))
			thrust::set_difference(b.begin(), b.begin() + 4000, c.begin(), c.end(),
					       out.begin());
		if (is("sum"))
			cub::DeviceReduce::Sum(memory, bytes, in, to, 17000);
		if (is("sum-by-key"))
			thrust::exclusive_scan_by_key(b.begin(), b.begin() + 5000, a.begin(),
						      out.begin());
		if (is("upper-bound"))
			thrust::upper_bound(b.begin(), b.end(), a.begin(), a.begin() + 2200,
					    out.begin());
		cudaDeviceSynchronize();
	}
	if (cudaGetLastError() != cudaSuccess) {
		fprintf(stderr, "algorithms: %s failed\n", name);
		return 1;
	}
	return 0;
}
