/* SPDX-License-Identifier: MIT */
/*
 * In the place of CUDA's header where there is neither nvcc nor GPU: what tests/record/program.cu and
 * atomsim_record.cuh use. The threads of a block are coroutines: each runs until it comes to an
 * exchange with others. Lanes of a warp that come to __activemask() from the same mark are together.
 */
#ifndef ATOMSIM_TESTS_EMULATE_H
#define ATOMSIM_TESTS_EMULATE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <map>
#include <vector>

#define __device__
#define __global__
#define __host__
#define __forceinline__ inline
#define __shared__	static __attribute__((section("shared_memory")))

extern "C" char __start_shared_memory[], __stop_shared_memory[];

struct dim3 {
	unsigned x, y, z;
	dim3(unsigned its_x = 1, unsigned its_y = 1, unsigned its_z = 1)
	    : x(its_x), y(its_y), z(its_z)
	{
	}
};
static dim3 gridDim, blockDim, blockIdx, threadIdx;

/* ---- Threads */

enum Exchange { RUNS, ACTIVE, MATCH, SHUFFLE, WARP, BLOCK, ENDED };

#define STACK_BYTES 65536

struct Thread {
	ucontext_t context;
	Exchange waits;
	unsigned mask;		  /* of MATCH, SHUFFLE, WARP */
	unsigned long long value; /* that others are to see; then what the exchange returns */
	unsigned source;	  /* of SHUFFLE */
};

static std::vector<Thread> threads;
static ucontext_t scheduler;
static unsigned running;
static void (*run_kernel)(void *);
static void *kernel_arguments;

static unsigned long long exchange(Exchange waits, unsigned mask, unsigned long long value,
				   unsigned source = 0)
{
	Thread &thread = threads[running];

	thread.waits = waits;
	thread.mask = mask;
	thread.value = value;
	thread.source = source;
	swapcontext(&thread.context, &scheduler);
	return threads[running].value;
}

#define __activemask()		       ((unsigned)exchange(ACTIVE, 0, place))
#define __match_any_sync(mask, value)  ((unsigned)exchange(MATCH, mask, value))
#define __shfl_sync(mask, value, from) exchange(SHUFFLE, mask, value, from)
#define __syncwarp(mask)	       ((void)exchange(WARP, mask, 0))
#define __syncthreads()		       ((void)exchange(BLOCK, 0, 0))

static void thread_main()
{
	run_kernel(kernel_arguments);
	threads[running].waits = ENDED;
	swapcontext(&threads[running].context, &scheduler);
}

/* Lanes of a warp that wait for an exchange, of those whose values are alike if that is asked. */
static unsigned lanes_that_wait(unsigned warp, Exchange waits, bool alike,
				unsigned long long value)
{
	unsigned lanes = 0;

	for (unsigned i = 32 * warp; i < 32 * warp + 32 && i < threads.size(); i++)
		if (threads[i].waits == waits && (!alike || threads[i].value == value))
			lanes |= 1u << i % 32;
	return lanes;
}

/* Ends the exchange that a thread waits for, if all that take part are there. */
static bool resolve(unsigned number)
{
	Exchange waits = threads[number].waits;
	unsigned warp = number / 32, mask = threads[number].mask, lanes;
	unsigned long long results[32] = {0};

	if (waits == RUNS || waits == BLOCK || waits == ENDED)
		return false;
	lanes = lanes_that_wait(warp, waits, waits == ACTIVE, threads[number].value);
	if (waits == ACTIVE)
		for (unsigned lane = 0; lane < 32; lane++)
			results[lane] = lanes;
	else if (mask & ~lanes)
		return false;
	else
		lanes = mask;
	for (unsigned lane = 0; lane < 32; lane++) {
		if (!(lanes >> lane & 1))
			continue;
		Thread &thread = threads[32 * warp + lane];

		if (waits == MATCH)
			results[lane] =
				lanes & lanes_that_wait(warp, MATCH, true, thread.value);
		else if (waits == SHUFFLE)
			results[lane] = threads[32 * warp + thread.source].value;
	}
	for (unsigned lane = 0; lane < 32; lane++)
		if (lanes >> lane & 1) {
			threads[32 * warp + lane].value = results[lane];
			threads[32 * warp + lane].waits = RUNS;
		}
	return true;
}

/* What lanes have begun together ends first; then those go on that are first in the source, as if all
   waited for them where their ways join. */
static void resolve_any()
{
	unsigned first = (unsigned)threads.size();

	for (unsigned i = 0; i < threads.size(); i++)
		if (threads[i].waits == ACTIVE &&
		    (first == threads.size() || threads[i].value < threads[first].value))
			first = i;
	for (unsigned i = 0; i < threads.size(); i++)
		if (threads[i].waits != ACTIVE && resolve(i))
			return;
	if (first < threads.size()) {
		resolve(first);
		return;
	}
	for (unsigned i = 0; i < threads.size(); i++)
		if (threads[i].waits == BLOCK)
			threads[i].waits = RUNS;
}

static bool run_threads()
{
	bool alive = false;

	for (running = 0; running < threads.size(); running++) {
		if (threads[running].waits == RUNS) {
			threadIdx =
				dim3(running % blockDim.x, running / blockDim.x % blockDim.y,
				     running / blockDim.x / blockDim.y);
			swapcontext(&scheduler, &threads[running].context);
		}
		alive = alive || threads[running].waits != ENDED;
	}
	return alive;
}

template <class Kernel> void emulate(dim3 grid, dim3 block, const Kernel &kernel)
{
	std::vector<char> stacks(block.x * block.y * block.z * STACK_BYTES);

	gridDim = grid;
	blockDim = block;
	run_kernel = [](void *its) { (*(const Kernel *)its)(); };
	kernel_arguments = (void *)&kernel;
	for (blockIdx.z = 0; blockIdx.z < grid.z; blockIdx.z++)
		for (blockIdx.y = 0; blockIdx.y < grid.y; blockIdx.y++)
			for (blockIdx.x = 0; blockIdx.x < grid.x; blockIdx.x++) {
				threads = std::vector<Thread>(block.x * block.y * block.z);
				for (Thread &thread : threads) {
					getcontext(&thread.context);
					thread.context.uc_stack.ss_sp =
						&stacks[(&thread - &threads[0]) * STACK_BYTES];
					thread.context.uc_stack.ss_size = STACK_BYTES;
					makecontext(&thread.context, thread_main, 0);
				}
				while (run_threads())
					resolve_any();
			}
}

#define LAUNCH(kernel, grid, block, ...) emulate(grid, block, [&] { kernel(__VA_ARGS__); })

/* ---- Of the GPU */

#define total_shared_bytes ((unsigned)(__stop_shared_memory - __start_shared_memory))

static bool __isShared(const void *pointer)
{
	return (const char *)pointer >= __start_shared_memory &&
	       (const char *)pointer < __stop_shared_memory;
}
#define __isGlobal(pointer) (!__isShared(pointer))
#define __isLocal(pointer)  false
/* As on compute capability 9.0: 1 KiB at the start is the system's. */
#define __cvta_generic_to_shared(pointer)                                                      \
	((unsigned long long)((const char *)(pointer)-__start_shared_memory) + 0x400)
#define __popc(mask) ((unsigned)__builtin_popcount(mask))
#define __clz(mask)  __builtin_clz((unsigned)(mask))
#define __ffs(mask)  ((unsigned)__builtin_ffs((int)(mask)))

static int __float_as_int(float value)
{
	int bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}
static long long __double_as_longlong(double value)
{
	long long bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* Threads run one at a time. */
#define EMULATE(name, ...)                                                                     \
	template <class T> T atomic##name(T *pointer, T operand)                               \
	{                                                                                      \
		T old = *pointer;                                                              \
                                                                                               \
		*pointer = __VA_ARGS__;                                                        \
		return old;                                                                    \
	}
EMULATE(Add, old + operand)
EMULATE(Sub, old - operand)
EMULATE(Min, old < operand ? old : operand)
EMULATE(Max, old > operand ? old : operand)
EMULATE(Inc, old >= operand ? 0 : old + 1)
EMULATE(Dec, old == 0 || old > operand ? operand : old - 1)
EMULATE(And, old &operand)
EMULATE(Or, old | operand)
EMULATE(Xor, old ^ operand)
EMULATE(Exch, (void(old), operand))
template <class T> T atomicCAS(T *pointer, T compare, T operand)
{
	T old = *pointer;

	*pointer = old == compare ? operand : old;
	return old;
}

/* ---- Of the runtime */

#define CUDART_VERSION	  13000
#define cudaEnableDefault 0

enum cudaError_t { cudaSuccess, cudaErrorUnknown };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
struct cudaDeviceProp {
	char name[256];
	int major, minor;
};
typedef int cudaDriverEntryPointQueryResult;

static std::map<unsigned long long, size_t> allocations;

/* Addresses grow, and each begins a KiB of its own. */
static cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
	static char *memory = (char *)aligned_alloc(1 << 21, 1 << 28);
	static size_t used;

	*pointer = memory + used;
	memset(*pointer, 0, bytes);
	allocations[(unsigned long long)*pointer] = bytes;
	used += (bytes + 1023) / 1024 * 1024;
	return used > 1 << 28 ? cudaErrorUnknown : cudaSuccess;
}
static int get_range(unsigned long long *base, size_t *bytes, unsigned long long address)
{
	auto next = allocations.upper_bound(address);

	if (next == allocations.begin())
		return 1;
	*base = (--next)->first;
	*bytes = next->second;
	return address - *base >= *bytes;
}
static void cudaFree(void *)
{
}
static cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind)
{
	memcpy(to, from, bytes);
	return cudaSuccess;
}
#define cudaMemcpyToSymbol(to, from, bytes)                                                    \
	cudaMemcpy(&(to), from, bytes, cudaMemcpyHostToDevice)
#define cudaMemcpyFromSymbol(to, from, bytes)                                                  \
	cudaMemcpy(to, &(from), bytes, cudaMemcpyDeviceToHost)
#define cudaGetLastError()	  cudaSuccess
#define cudaDeviceSynchronize()	  cudaSuccess
#define cudaGetErrorString(error) "an error"
#define cudaGetDevice(device)	  (*(device) = 0, cudaSuccess)
#define cudaGetDriverEntryPointByVersion(name, function, version, flags, found)                \
	((void)(found), *(function) = (void *)get_range)

static cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int)
{
	*properties = {"emulated", 9, 0};
	return cudaSuccess;
}

#endif
