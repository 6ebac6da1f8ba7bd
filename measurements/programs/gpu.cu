/* SPDX-License-Identifier: MIT */
/*
 * What the CUDA runtime says of the GPU: a fact a line, `name,value`. Has no kernel, so it is compiled for any GPU.
 */
#include "probe.h"

static void print_name(const char *name, const char *value)
{
	printf("%s,%s\n", name, value);
}

static void print_fact(const char *name, long long value)
{
	printf("%s,%lld\n", name, value);
}

int main(void)
{
	cudaDeviceProp gpu;
	char uuid[64];
	const unsigned char *id;
	int driver = 0;

	CHECK(cudaSetDevice(0));
	CHECK(cudaGetDeviceProperties(&gpu, 0));
	CHECK(cudaDriverGetVersion(&driver));
	id = (const unsigned char *)gpu.uuid.bytes;
	snprintf(uuid, sizeof(uuid),
		 "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
		 id[0], id[1], id[2], id[3], id[4], id[5], id[6], id[7], id[8], id[9], id[10],
		 id[11], id[12], id[13], id[14], id[15]);
	print_name("name", gpu.name);
	print_name("uuid", uuid);
	print_fact("compute_capability", 10 * gpu.major + gpu.minor);
	print_fact("sms", gpu.multiProcessorCount);
	print_fact("shared_bytes_per_sm", (long long)gpu.sharedMemPerMultiprocessor);
	print_fact("shared_bytes_per_block", (long long)gpu.sharedMemPerBlockOptin);
	print_fact("max_threads_per_sm", gpu.maxThreadsPerMultiProcessor);
	print_fact("max_blocks_per_sm", gpu.maxBlocksPerMultiProcessor);
	print_fact("registers_per_sm", gpu.regsPerMultiprocessor);
	print_fact("l2_bytes", gpu.l2CacheSize);
	print_fact("memory_mib", (long long)(gpu.totalGlobalMem >> 20));
	print_fact("memory_bus_bits", gpu.memoryBusWidth);
	print_fact("clock_khz", device_attribute(cudaDevAttrClockRate));
	print_fact("memory_clock_khz", device_attribute(cudaDevAttrMemoryClockRate));
	print_fact("cuda_driver", driver);
	print_fact("cuda_toolkit", CUDART_VERSION);
	return 0;
}
