/* SPDX-License-Identifier: MIT */
/*
 * Room for what is under way. Nothing is given back before the end: the most that was under way at a time is what
 * it takes.
 */
#include "sim/memory-state.h"

#define SLAB_BYTES 4096 /* of requests, at least */
#define CHUNK	   1024 /* of Flying */

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
			chunk[i].event.next = i + 1 < CHUNK ? &chunk[i + 1].event : NULL;
		flying = chunk;
	}
	memory->spare = (Flying *)flying->event.next;
	return flying;
}

void flying_free(Memory *memory, Flying *flying)
{
	flying->event.next = (Event *)memory->spare;
	memory->spare = flying;
}
