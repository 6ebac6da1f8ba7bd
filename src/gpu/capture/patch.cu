/* SPDX-License-Identifier: MIT */
/*
 * What runs on the GPU, called by the Compute Sanitizer's patches before each instruction of
 * the kinds that inject.c names: every active lane calls, the lanes that are together make one
 * event. Built by capture.sh:
 *
 *   nvcc -fatbin --keep-device-functions -Xptxas --compile-as-tools-patch
 *
 * A lane's event goes to memory before the lane goes on, and the leader takes the place in the
 * ring, so that a warp's events are in its program order. raw.h says how the ring works.
 */
#include <stdint.h>
#include <sanitizer_patching.h>

#include "raw.h"
#include "sample.h"

/* Takes room for an event: where in the ring its first unit is. Waits while the ring is full. */
static __device__ uint32_t reserve(RawDevice *device, uint32_t units)
{
	uint64_t at =
		atomicAdd((unsigned long long *)&device->cursor, (unsigned long long)units);
	volatile uint64_t *consumed = (volatile uint64_t *)device->consumed;
	uint64_t capacity = device->capacity;

	atomicAdd((unsigned long long *)&device->n_events, 1ull);
	while (at + units - *consumed > capacity)
		__nanosleep(500);
	return (uint32_t)at & ((uint32_t)capacity - 1);
}

/* Where the i-th unit of an event is that begins at `start`. */
static __device__ volatile uint64_t *unit(const RawDevice *device, uint32_t start, uint32_t i)
{
	return (volatile uint64_t *)device->ring + (start + i & (uint32_t)device->capacity - 1);
}

/* clang-format off */
#define LOOK(space, constraint, type, at)                                                      \
	asm volatile("ld." space "." type " %0, [%1];" : "=r"(word) : constraint(at) : "memory")
/* clang-format on */
#define LOOK_AT(space, constraint, at)                                                         \
	do {                                                                                   \
		if (bytes >= 4)                                                                \
			LOOK(space, constraint, "u32", at);                                    \
		else if (bytes == 2)                                                           \
			LOOK(space, constraint, "u16", at);                                    \
		else                                                                           \
			LOOK(space, constraint, "u8", at);                                     \
	} while (0)

/* One word of what the lane's load of `bytes` will get, from where the instruction takes it. */
static __device__ uint32_t look(uint8_t kind, uint64_t address, uint32_t bytes)
{
	uint32_t word;

	if (kind == RAW_GLOBAL)
		LOOK_AT("volatile.global", "l", address);
	else if (kind == RAW_SHARED)
		LOOK_AT("volatile.shared", "r", (uint32_t)address);
	else
		LOOK_AT("local", "r", (uint32_t)address);
	return word;
}

/* What an SM of the GPU has, by compute capability (NVIDIA's CUDA C++ Programming Guide). */
#if __CUDA_ARCH__ == 750
#define SM_THREADS	1024
#define SM_BLOCKS	16
#define SM_SHARED_BYTES 65536
#elif __CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870
#define SM_THREADS	1536
#define SM_BLOCKS	16
#define SM_SHARED_BYTES 102400
#elif __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200
#define SM_THREADS	1536
#define SM_BLOCKS	24
#define SM_SHARED_BYTES 102400
#elif __CUDA_ARCH__ == 800
#define SM_THREADS	2048
#define SM_BLOCKS	32
#define SM_SHARED_BYTES 167936
#else
#define SM_THREADS	2048
#define SM_BLOCKS	32
#define SM_SHARED_BYTES 233472
#endif
#define RESERVED_SHARED_BYTES (__CUDA_ARCH__ < 800 ? 0 : 1024) /* of each block */

/* Blocks that the GPU has room for at a time, as far as their threads and their shared memory decide. */
static __device__ uint32_t wave_blocks(const RawDevice *device)
{
	const uint32_t threads = device->block[0] * device->block[1] * device->block[2];
	uint32_t shared_bytes, sms, each = SM_BLOCKS, more;

	asm("mov.u32 %0, %%total_smem_size;" : "=r"(shared_bytes));
	asm("mov.u32 %0, %%nsmid;" : "=r"(sms));
	more = SM_THREADS / 32 / ((threads + 31) / 32);
	each = more < each ? more : each;
	shared_bytes = (shared_bytes + RESERVED_SHARED_BYTES + 127) / 128 * 128;
	more = shared_bytes ? SM_SHARED_BYTES / shared_bytes : each;
	each = more < each ? more : each;
	return sms * (each ? each : 1);
}

/* Whether the selection has the block. */
static __device__ int is_selected(RawDevice *device, uint64_t block_id)
{
	if (device->sample_waves) {
		const uint64_t n_blocks =
			(uint64_t)device->grid[0] * device->grid[1] * device->grid[2];
		const uint32_t wave = wave_blocks(device);

		if (block_id == 0)
			device->wave_blocks = wave;
		return !sample_is_part(n_blocks, wave, device->sample_waves) ||
		       sample_has(block_id, n_blocks, wave, device->sample_waves);
	}
	return block_id >= device->first_block && block_id <= device->last_block &&
	       (block_id - device->first_block) % device->block_step == 0;
}

static __device__ void record(void *userdata, uint64_t pc, uint8_t kind, uint64_t address,
			      uint32_t bytes, uint32_t flags, uint32_t detail)
{
	RawDevice *device = (RawDevice *)userdata;

	if (!device)
		return;

	uint64_t block_id =
		blockIdx.x + (uint64_t)device->grid[0] *
				     (blockIdx.y + (uint64_t)device->grid[1] * blockIdx.z);

	uint32_t mask = __activemask();
	uint32_t thread =
		threadIdx.x + device->block[0] * (threadIdx.y + device->block[1] * threadIdx.z);
	uint32_t lane = thread % 32;
	uint32_t leader = __ffs(mask) - 1;

	if (device->counts && lane == leader)
		atomicAdd((uint32_t *)device->counts + block_id, 1u);
	if (!is_selected(device, block_id))
		return;

	uint32_t rank = __popc(mask & ((1u << lane) - 1));
	uint32_t address_bytes = RAW_ADDRESS_BYTES(kind);
	uint32_t n_lanes = __popc(mask);
	uint32_t start = 0;

	/* What an atomic gets is not known before it is done, and a prefetch gets nothing. */
	if ((kind == RAW_GLOBAL || kind == RAW_SHARED || kind == RAW_LOCAL_AT) &&
	    flags == RAW_READ && bytes <= 16)
		flags |= RAW_VALUES;

	if (lane == leader)
		start = reserve(device, RAW_EVENT_BYTES(kind, flags, bytes, n_lanes) / 8);
	start = __shfl_sync(mask, start, leader);
	if (lane == leader) {
		*unit(device, start, 1) = block_id;
		*unit(device, start, 2) = mask | (uint64_t)detail << 32;
		*unit(device, start, 3) = (thread / 32) | (uint64_t)kind << 16 |
					  (uint64_t)(bytes & 255) << 24 | (uint64_t)flags << 32;
		/* The upper half of the last unit, if no lane writes it, is 0 as all free units. */
	}
	if (address_bytes == 4)
		((volatile uint32_t *)unit(device, start, 4 + rank / 2))[rank % 2] =
			(uint32_t)address;
	else if (address_bytes == 8)
		*unit(device, start, 4 + rank) = address;
	if (flags & RAW_VALUES) {
		uint32_t n_words = RAW_VALUE_BYTES(bytes) / 4;
		/* Halves of units from the first value on. */
		uint32_t word = rank * n_words +
				2 * (4 + (uint32_t)RAW_ADDRESSES_BYTES(kind, n_lanes) / 8);

#pragma unroll 1
		for (uint32_t i = 0; i < n_words; i++, word++, address += 4)
			((volatile uint32_t *)unit(device, start, word / 2))[word % 2] =
				look(kind, address, bytes);
	}
	__threadfence_system();
	__syncwarp(mask);
	if (lane == leader)
		*unit(device, start, 0) = pc;
}

extern "C" __device__ __noinline__ SanitizerPatchResult atomsim_enter(void *userdata,
								      uint64_t pc)
{
	uint32_t shared_bytes;

	asm("mov.u32 %0, %%total_smem_size;" : "=r"(shared_bytes));
	record(userdata, pc, RAW_ENTER, 0, 0, 0, shared_bytes);
	return SANITIZER_PATCH_SUCCESS;
}

extern "C" __device__ __noinline__ SanitizerPatchResult atomsim_exit(void *userdata,
								     uint64_t pc)
{
	record(userdata, pc, RAW_EXIT, 0, 0, 0, 0);
	return SANITIZER_PATCH_SUCCESS;
}

extern "C" __device__ __noinline__ SanitizerPatchResult
atomsim_shared(void *userdata, uint64_t pc, void *address, uint32_t bytes, uint32_t flags,
	       const void *data)
{
	record(userdata, pc, RAW_SHARED, (uint64_t)address, bytes, flags, 0);
	return SANITIZER_PATCH_SUCCESS;
}

extern "C" __device__ __noinline__ SanitizerPatchResult
atomsim_global(void *userdata, uint64_t pc, void *address, uint32_t bytes, uint32_t flags,
	       const void *data)
{
	record(userdata, pc, RAW_GLOBAL, (uint64_t)address, bytes, flags, 0);
	return SANITIZER_PATCH_SUCCESS;
}

extern "C" __device__ __noinline__ SanitizerPatchResult
atomsim_remote(void *userdata, uint64_t pc, void *address, uint32_t bytes, uint32_t flags,
	       const void *data)
{
	record(userdata, pc, RAW_REMOTE, (uint64_t)address, bytes, flags, 0);
	return SANITIZER_PATCH_SUCCESS;
}

extern "C" __device__ __noinline__ SanitizerPatchResult atomsim_barrier(
	void *userdata, uint64_t pc, uint32_t number, uint32_t n_threads, uint32_t flags)
{
	record(userdata, pc, RAW_BARRIER, 0, 0, flags, (number & 255) | n_threads << 8);
	return SANITIZER_PATCH_SUCCESS;
}

extern "C" __device__ __noinline__ SanitizerPatchResult
atomsim_matrix(void *userdata, uint64_t pc, uint32_t address, uint32_t bytes, uint32_t flags,
	       uint32_t count, const void *data)
{
	record(userdata, pc, RAW_MATRIX, address, bytes, flags, count);
	return SANITIZER_PATCH_SUCCESS;
}

extern "C" __device__ __noinline__ SanitizerPatchResult atomsim_copy(void *userdata,
								     uint64_t pc, void *source,
								     uint32_t address,
								     uint32_t bytes)
{
	record(userdata, pc, RAW_COPY, address, bytes, RAW_WRITE, 0);
	return SANITIZER_PATCH_SUCCESS;
}

extern "C" __device__ __noinline__ SanitizerPatchResult atomsim_shuffle(void *userdata,
									uint64_t pc)
{
	record(userdata, pc, RAW_SHUFFLE, 0, 0, 0, 0);
	return SANITIZER_PATCH_SUCCESS;
}

extern "C" __device__ __noinline__ SanitizerPatchResult atomsim_syncwarp(void *userdata,
									 uint64_t pc,
									 uint32_t mask)
{
	record(userdata, pc, RAW_SYNCWARP, 0, 0, 0, mask);
	return SANITIZER_PATCH_SUCCESS;
}

extern "C" __device__ __noinline__ SanitizerPatchResult atomsim_call(void *userdata,
								     uint64_t pc,
								     uint64_t target,
								     uint32_t flags)
{
	record(userdata, pc, RAW_CALL, 0, 0, 0, (uint32_t)((int64_t)(target - pc) / 16));
	return SANITIZER_PATCH_SUCCESS;
}

extern "C" __device__ __noinline__ SanitizerPatchResult atomsim_return(void *userdata,
								       uint64_t pc)
{
	record(userdata, pc, RAW_RETURN, 0, 0, 0, 0);
	return SANITIZER_PATCH_SUCCESS;
}

extern "C" __device__ __noinline__ SanitizerPatchResult
atomsim_local(void *userdata, uint64_t pc, void *address, uint32_t bytes, uint32_t flags,
	      const void *data)
{
	record(userdata, pc, RAW_LOCAL_AT, (uint64_t)address, bytes, flags, 0);
	return SANITIZER_PATCH_SUCCESS;
}
