/* SPDX-License-Identifier: MIT */
/*
 * What runs on the GPU, called by the Compute Sanitizer's patches before each instruction of
 * the kinds that inject.c names: every active lane calls, the lanes that are together make one
 * event. Built by capture.sh:
 *
 *   nvcc -fatbin --keep-device-functions -Xptxas --compile-as-tools-patch
 *
 * A lane's event goes to memory before the lane goes on, and the leader takes the place in the
 * buffer, so that a warp's events stand in its program order.
 */
#include <stdint.h>
#include <sanitizer_patching.h>

#include "raw.h"

/* Takes room for an event. Returns 0 if there is none, or the block is not wanted. */
static __device__ uint64_t reserve(RawDevice *device, uint32_t units)
{
	unsigned long long *cursor = (unsigned long long *)&device->cursor;
	uint64_t at = atomicAdd(cursor, (unsigned long long)units);

	atomicAdd((unsigned long long *)&device->n_events, 1ull);
	if (at + units > device->capacity) {
		atomicMin((unsigned long long *)&device->end, (unsigned long long)at);
		atomicAdd((unsigned long long *)&device->dropped, 1ull);
		return 0;
	}
	return device->events + 8 * at;
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

	if (block_id < device->first_block || block_id > device->last_block)
		return;

	uint32_t mask = __activemask();
	uint32_t thread =
		threadIdx.x + device->block[0] * (threadIdx.y + device->block[1] * threadIdx.z);
	uint32_t lane = thread % 32;
	uint32_t leader = __ffs(mask) - 1;
	uint32_t rank = __popc(mask & ((1u << lane) - 1));
	uint32_t address_bytes = RAW_ADDRESS_BYTES(kind);
	uint32_t units = (sizeof(RawEvent) + address_bytes * __popc(mask) + 7) / 8;
	uint64_t place = 0;

	if (lane == leader)
		place = reserve(device, units);
	place = __shfl_sync(mask, place, leader);
	if (!place)
		return;

	if (lane == leader) {
		RawEvent *event = (RawEvent *)place;

		event->pc = pc;
		event->block_id = block_id;
		event->mask = mask;
		event->detail = detail;
		event->warp = thread / 32;
		event->kind = kind;
		event->bytes = bytes;
		event->flags = flags;
		if (address_bytes == 4 && __popc(mask) % 2)
			((uint32_t *)(event + 1))[__popc(mask)] = 0;
	}
	if (address_bytes == 4)
		((uint32_t *)(place + sizeof(RawEvent)))[rank] = (uint32_t)address;
	else if (address_bytes == 8)
		((uint64_t *)(place + sizeof(RawEvent)))[rank] = address;
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
