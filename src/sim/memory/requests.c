/* SPDX-License-Identifier: MIT */
/*
 * Room for what is under way. Nothing is given back before the end: the most that was under way at a time is what
 * it takes.
 */
#include <string.h>

#include "sim/memory/state.h"

#define SLAB_BYTES   4096 /* of requests, at least */
#define CHUNK	     1024 /* of Flying */
#define EVENT_CHUNKS 32

/* Requests with up to 2^c packets are one class. */
static uint32_t class_of(uint32_t n_packets)
{
	return n_packets > 1 ? 32 - (uint32_t)__builtin_clz(n_packets - 1) : 0;
}

static void add_slab(Memory *memory, Node *node, uint32_t class)
{
	const size_t bytes = sizeof(Request) + (sizeof(Packet) << class);
	const size_t n = MAX(SLAB_BYTES / bytes, 1);
	char *slab = arena_take(memory->arena, n * bytes);

	for (size_t i = 0; i < n; i++) {
		Request *request = (Request *)(void *)(slab + i * bytes);

		request->next = node->spare[class];
		node->spare[class] = request;
	}
}

Request *request_new(Memory *memory, Node *node, uint32_t n_packets)
{
	const uint32_t class = class_of(n_packets);
	Request *request;

	if (!node->spare[class])
		add_slab(memory, node, class);
	request = node->spare[class];
	node->spare[class] = request->next;
	__builtin_prefetch(request->next, 1);
	return request;
}

void request_free(Node *node, Request *request)
{
	const uint32_t class = class_of(request->n_packets);

	request->next = node->spare[class];
	node->spare[class] = request;
}

Flying *flying_new(Memory *memory)
{
	Flying *flying = memory->spare;

	if (!flying) {
		Flying *chunk = arena_take(memory->arena, CHUNK * sizeof *chunk);

		for (uint32_t i = 0; i < CHUNK; i++)
			chunk[i].spare = i + 1 < CHUNK ? &chunk[i + 1] : NULL;
		flying = chunk;
	}
	memory->spare = flying->spare;
	return flying;
}

void flying_free(Memory *memory, Flying *flying)
{
	flying->spare = memory->spare;
	memory->spare = flying;
}

/* The chunk that ends at `end`, or in which that is. */
static EventChunk *chunk_of(Event **end)
{
	return (EventChunk *)(void *)((char *)(end - 1) - (uintptr_t)(end - 1) % CHUNK_BYTES);
}

static EventChunk *new_chunks(Arena *arena)
{
	char *room = arena_take(arena, (EVENT_CHUNKS + 1) * CHUNK_BYTES);
	EventChunk *chunks =
		(EventChunk *)(void *)(room + (CHUNK_BYTES - (uintptr_t)room % CHUNK_BYTES) %
						      CHUNK_BYTES);

	memset(chunks, 0, EVENT_CHUNKS * sizeof *chunks);
	for (uint32_t i = 0; i + 1 < EVENT_CHUNKS; i++)
		chunks[i].next = &chunks[i + 1];
	return chunks;
}

void events_extend(EventWheel *wheel, EventSlot *slot)
{
	EventChunk *chunk = wheel->spare ? wheel->spare : new_chunks(wheel->arena);

	wheel->spare = chunk->next;
	chunk->next = NULL;
	if (slot->end)
		chunk_of(slot->end)->next = chunk;
	else
		slot->first = chunk->events;
	slot->end = chunk->events;
}

void events_leave_chunk(EventWheel *wheel, EventSlot *slot)
{
	EventChunk *chunk = chunk_of(slot->first);

	slot->first = slot->first == slot->end ? NULL : chunk->next->events;
	if (!slot->first)
		slot->end = NULL;
	chunk->next = wheel->spare;
	wheel->spare = chunk;
}
