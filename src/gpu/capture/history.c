/* SPDX-License-Identifier: MIT */
/*
 * What the program has allocated on the GPU, and what has happened to each allocation before a launch: the host has copied to it,
 * or it was set, or a kernel was given it. The parts of the L2 in which its lines are depend on that. Which kernels have run before
 * is counted, too: code that has never run is in no cache.
 *
 * A kernel is taken to use each allocation into which one of its parameters points, structs' members included; the sanitizer
 * says of no launch that is not recorded what it accesses.
 */
#include <stdlib.h>
#include <string.h>

#include "inject.h"

#define MAX_MEMORY                                                                             \
	65536 /* allocations at a time; what is beyond is recorded without its bounds */
#define MAX_FUNCTIONS 16384 /* whose launches are counted; a power of two */

static struct {
	RawMemory memory[MAX_MEMORY];
	unsigned char before[MAX_MEMORY]; /* RawBefore of each */
	unsigned n;
	RawMemory freed
		[MAX_MEMORY]; /* where allocations were that had met something; beyond: forgotten */
	unsigned n_freed;
	struct {
		const void *function; /* NULL: free */
		uint32_t launches;
		uint32_t functions; /* that had been launched when it was last */
	} functions[MAX_FUNCTIONS];
	uint32_t n_functions; /* that have been launched */
} state;

int history_subscribe(Sanitizer_SubscriberHandle subscriber)
{
	return inject_good(sanitizerEnableDomain(1, subscriber, SANITIZER_CB_DOMAIN_MEMCPY),
			   "watching copies") &&
	       inject_good(sanitizerEnableDomain(1, subscriber, SANITIZER_CB_DOMAIN_MEMSET),
			   "watching memsets");
}

/* Whether the allocation lies where one was: the driver hands out the same memory again. */
static int was_used(uint64_t address, uint64_t bytes)
{
	for (unsigned i = 0; i < state.n_freed; i++)
		if (address < state.freed[i].address + state.freed[i].bytes &&
		    state.freed[i].address < address + bytes)
			return 1;
	return 0;
}

void history_allocated(const Sanitizer_ResourceMemoryData *data)
{
	if (state.n == MAX_MEMORY)
		return;
	state.memory[state.n] = (RawMemory){data->address, data->size};
	state.before[state.n++] =
		(was_used(data->address, data->size) ? RAW_BEFORE_REUSED : RAW_BEFORE_FRESH) |
		(data->flags & SANITIZER_MEMORY_FLAG_MANAGED ? RAW_BEFORE_MANAGED : 0);
}

/* The number of the allocation in which the address is; state.n: in none. */
static unsigned find(uint64_t address)
{
	unsigned i = 0;

	while (i < state.n && address - state.memory[i].address >= state.memory[i].bytes)
		i++;
	return i;
}

static RawBefore met(unsigned i)
{
	return (RawBefore)(state.before[i] & ~RAW_BEFORE_MANAGED);
}

void history_freed(const Sanitizer_ResourceMemoryData *data)
{
	unsigned i = find(data->address);

	if (i == state.n || state.memory[i].address != data->address)
		return;
	if (met(i) != RAW_BEFORE_FRESH && state.n_freed < MAX_MEMORY &&
	    !was_used(state.memory[i].address, state.memory[i].bytes))
		state.freed[state.n_freed++] = state.memory[i];
	state.n--;
	state.memory[i] = state.memory[state.n];
	state.before[i] = state.before[state.n];
}

static void note(unsigned i, RawBefore before)
{
	state.before[i] = (unsigned char)((state.before[i] & RAW_BEFORE_MANAGED) | before);
}

/* A small part says nothing of the rest, unless that is new. */
static void written(uint64_t address, uint64_t bytes, RawBefore before)
{
	unsigned i = find(address);

	if (i == state.n || (bytes < state.memory[i].bytes / 2 && met(i) != RAW_BEFORE_FRESH))
		return;
	if (before == RAW_BEFORE_COPIED && met(i) != RAW_BEFORE_FRESH &&
	    met(i) != RAW_BEFORE_COPIED)
		before = RAW_BEFORE_REUSED;
	note(i, before);
}

void history_copied(const Sanitizer_MemcpyData *data)
{
	if (data->direction == SANITIZER_MEMCPY_DIRECTION_DEVICE_TO_HOST)
		return;
	written(data->dstAddress, data->size,
		data->direction == SANITIZER_MEMCPY_DIRECTION_DEVICE_TO_DEVICE
			? RAW_BEFORE_SET
			: RAW_BEFORE_COPIED);
}

void history_set(const Sanitizer_MemsetData *data)
{
	uint64_t rows = data->height > 1 ? data->height : 1;

	written(data->address, data->width * data->elementSize * rows, RAW_BEFORE_SET);
}

void history_used(const void *parameters, unsigned n_bytes)
{
	for (unsigned at = 0; at + sizeof(uint64_t) <= n_bytes; at += sizeof(uint64_t)) {
		uint64_t address;
		unsigned i;

		memcpy(&address, (const char *)parameters + at, sizeof(address));
		i = address ? find(address) : state.n;
		if (i < state.n)
			note(i, RAW_BEFORE_USED);
	}
}

Earlier history_launched(const void *function)
{
	unsigned h = (unsigned)((uintptr_t)function >> 4) * 2654435761u;

	for (unsigned i = 0; i < MAX_FUNCTIONS; i++) {
		unsigned at = (h + i) % MAX_FUNCTIONS;

		if (!state.functions[at].function) {
			state.functions[at].function = function;
			state.functions[at].functions = ++state.n_functions;
		}
		if (state.functions[at].function == function) {
			const Earlier earlier = {state.functions[at].launches++,
						 state.n_functions -
							 state.functions[at].functions};

			state.functions[at].functions = state.n_functions;
			return earlier;
		}
	}
	return (Earlier){RAW_LAUNCHES_UNKNOWN, 0};
}

void history_write(uint32_t launch, Earlier earlier, uint32_t registers)
{
	size_t bytes = sizeof(RawHistory) + (state.n + 7u) / 8 * 8;
	RawHistory *history = calloc(1, bytes);
	const RawCode code = {.new_kernels = earlier.new_kernels, .registers = registers};

	inject_write_chunk(RAW_CHUNK_MEMORY, launch, state.memory,
			   state.n * sizeof(*state.memory));
	if (!history)
		return;
	*history = (RawHistory){.earlier_launches = earlier.launches, .n_memory = state.n};
	memcpy(history + 1, state.before, state.n);
	inject_write_chunk(RAW_CHUNK_HISTORY, launch, history, bytes);
	free(history);
	if (earlier.launches != RAW_LAUNCHES_UNKNOWN)
		inject_write_chunk(RAW_CHUNK_CODE, launch, &code, sizeof(code));
}

const RawMemory *history_memory(unsigned *n)
{
	*n = state.n;
	return state.n < MAX_MEMORY ? state.memory : NULL;
}
