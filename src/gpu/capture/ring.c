/* SPDX-License-Identifier: MIT */
/*
 * Rings in the host's memory, which the GPU fills while a kernel runs (patch.cu) and a thread of
 * the host empties into the raw capture: a launch may have more events than any memory holds. When
 * the ring is full the GPU waits. raw.h says how a ring works.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "inject.h"

#define CHUNK_UNITS	 (1u << 17) /* of an EVENTS chunk, at most: 1 MiB */
#define NAP_US		 50	    /* of a reader that finds nothing */
#define SILENT_SECONDS	 2	    /* of a launch, before its progress is shown */
#define BYTES_A_MEGABYTE 1000000

/* What the GPU sees; all units that are free are 0. */
typedef struct {
	volatile uint64_t consumed; /* units that were read */
	uint64_t padding[31];
	volatile uint64_t units[];
} SharedRing;

struct Ring {
	int used;
	SharedRing *shared; /* stays for the next launch of the context; NULL: none yet */
	CUcontext context;
	uint32_t launch;
	uint64_t capacity; /* units */
	pthread_t reader;
	volatile uint64_t last; /* units in all; UINT64_MAX while the launch runs */
	volatile int failed;
	int dirty; /* it may have half an event of a launch that failed */
};

static Ring rings[MAX_IN_FLIGHT];

Ring *ring_take(CUcontext context, uint32_t launch, uint64_t bytes)
{
	Ring *ring = NULL;
	void *memory = NULL;

	/* Best one whose memory is there already. */
	for (unsigned i = 0; i < MAX_IN_FLIGHT; i++)
		if (!rings[i].used && (!ring || rings[i].shared) &&
		    (!rings[i].shared || rings[i].context == context))
			ring = &rings[i];
	if (!ring)
		return NULL;
	if (!ring->shared) {
		if (!inject_good(
			    sanitizerAllocHost(context, &memory, sizeof(SharedRing) + bytes),
			    "taking memory for the events (see --buffer)"))
			return NULL;
		memset(memory, 0, sizeof(SharedRing) + bytes);
		ring->shared = memory;
	}
	if (ring->dirty)
		memset((void *)ring->shared->units, 0, 8 * ring->capacity);
	ring->dirty = 0;
	ring->shared->consumed = 0;
	ring->context = context;
	ring->launch = launch;
	ring->capacity = bytes / 8;
	ring->last = UINT64_MAX;
	ring->failed = 0;
	return ring;
}

void ring_describe(const Ring *ring, RawDevice *device)
{
	device->ring = (uintptr_t)ring->shared->units;
	device->capacity = ring->capacity;
	device->consumed = (uintptr_t)&ring->shared->consumed;
}

static uint64_t units_of(uint64_t mask_and_detail, uint64_t warp_and_kind)
{
	uint32_t n_lanes = (uint32_t)__builtin_popcount((uint32_t)mask_and_detail);
	uint32_t kind = warp_and_kind >> 16 & 255, bytes = warp_and_kind >> 24 & 255;
	uint32_t flags = (uint32_t)(warp_and_kind >> 32);

	return RAW_EVENT_BYTES(kind, flags, bytes, n_lanes) / 8;
}

/* Moves whole events from unit `at` of the ring on to `chunk`. Returns the next unit. */
static uint64_t take_events(Ring *ring, uint64_t at, uint64_t *chunk, uint64_t *n)
{
	volatile uint64_t *from = ring->shared->units;
	uint64_t capacity = ring->capacity;

	while (*n + RAW_MAX_EVENT_UNITS <= CHUNK_UNITS && from[at % capacity] != 0) {
		uint64_t units;

		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		units = units_of(from[(at + 2) % capacity], from[(at + 3) % capacity]);
		for (uint64_t i = 0; i < units; i++) {
			chunk[(*n)++] = from[(at + i) % capacity];
			from[(at + i) % capacity] = 0;
		}
		at += units;
	}
	__atomic_thread_fence(__ATOMIC_RELEASE);
	ring->shared->consumed = at;
	return at;
}

/* Once a second, where somebody looks: a launch whose warps try one word again and again takes minutes. */
static void show_progress(const Ring *ring, time_t began, time_t *shown, uint64_t units)
{
	time_t now = time(NULL);

	if (now == *shown || now - began < SILENT_SECONDS || !isatty(STDERR_FILENO))
		return;
	*shown = now;
	fprintf(stderr, "\ratomsim capture: launch %u: %" PRIu64 " MB of events, %lld s",
		ring->launch + 1, 8 * units / BYTES_A_MEGABYTE, (long long)(now - began));
}

static void *read_ring(void *data)
{
	Ring *ring = data;
	uint64_t *chunk = malloc(8 * CHUNK_UNITS), at = 0, n = 0;
	time_t began = time(NULL), shown = 0;

	while (chunk && at < ring->last) {
		uint64_t before = at;
		int was_failed = ring->failed;

		at = take_events(ring, at, chunk, &n);
		if (n + RAW_MAX_EVENT_UNITS > CHUNK_UNITS) {
			inject_write_chunk(RAW_CHUNK_EVENTS, ring->launch, chunk, 8 * n);
			n = 0;
		} else if (at == before && was_failed) {
			break;
		} else if (at == before) {
			usleep(NAP_US);
		}
		show_progress(ring, began, &shown, at);
	}
	if (shown)
		fputc('\n', stderr);
	if (n > 0)
		inject_write_chunk(RAW_CHUNK_EVENTS, ring->launch, chunk, 8 * n);
	free(chunk);
	return NULL;
}

int ring_start(Ring *ring)
{
	if (pthread_create(&ring->reader, NULL, read_ring, ring) != 0) {
		inject_say("cannot start a thread to read events: %m");
		return 0;
	}
	ring->used = 1;
	return 1;
}

void ring_finish(Ring *ring, uint64_t last, int failed)
{
	if (failed)
		ring->failed = 1;
	else
		ring->last = last;
	pthread_join(ring->reader, NULL);
	ring->dirty = failed;
	ring->used = 0;
}

int ring_left(const Ring *ring, uint64_t *at, RawEvent *event, uint64_t *addresses)
{
	const volatile uint64_t *units = ring->shared->units;
	uint64_t first = ring->shared->consumed + *at, mask = ring->capacity - 1;
	uint64_t words[sizeof(RawEvent) / 8] = {0};
	int n;

	for (unsigned i = 0; i < sizeof(RawEvent) / 8; i++)
		words[i] = units[(first + i) & mask];
	memcpy(event, words, sizeof(*event));
	n = __builtin_popcount(event->mask);
	/* Where no lane has come yet, nothing says how far the event goes. */
	if (n == 0 || *at >= ring->capacity)
		return 0;
	for (int i = 0; i < n && RAW_ADDRESS_BYTES(event->kind) == 8; i++)
		addresses[i] = units[(first + sizeof(RawEvent) / 8 + (unsigned)i) & mask];
	*at += units_of(words[2], words[3]);
	return 1;
}

void ring_forget(CUcontext context)
{
	for (unsigned i = 0; i < MAX_IN_FLIGHT; i++)
		if (rings[i].context == context)
			rings[i].shared = NULL;
}
