/* SPDX-License-Identifier: MIT */
#include "sim/memory-state.h"

Request *request_new(uint32_t n_packets)
{
	return g_malloc(sizeof(Request) + n_packets * sizeof(Packet));
}

void request_free(Request *request)
{
	g_free(request);
}

#define CHUNK 1024

Flying *flying_new(Memory *memory)
{
	Flying *flying = memory->spare;

	if (!flying) {
		Flying *chunk = g_new(Flying, CHUNK);

		g_ptr_array_add(memory->chunks, chunk);
		for (uint32_t i = 0; i < CHUNK; i++) {
			chunk[i].event.next = i + 1 < CHUNK ? &chunk[i + 1].event : NULL;
			chunk[i].request = NULL;
		}
		flying = chunk;
	}
	memory->spare = (Flying *)flying->event.next;
	return flying;
}

void flying_free(Memory *memory, Flying *flying)
{
	flying->request = NULL;
	flying->event.next = (Event *)memory->spare;
	memory->spare = flying;
}

static void free_requests(Request *request)
{
	while (request) {
		Request *next = request->next;

		request_free(request);
		request = next;
	}
}

/* Those of which a packet is under way, in a run that did not reach its end. What has packets that have
   not left yet is in a node's list too, and its n_left counts them. */
static void free_flying(const Memory *memory)
{
	for (guint c = 0; c < memory->chunks->len; c++) {
		Flying *chunk = memory->chunks->pdata[c];

		for (uint32_t i = 0; i < CHUNK; i++)
			if (chunk[i].request && --chunk[i].request->n_left == 0)
				request_free(chunk[i].request);
	}
}

void requests_clear(Memory *memory)
{
	free_flying(memory);
	for (uint32_t i = 0; i < memory->n_nodes; i++) {
		free_requests(memory->nodes[i].first);
		free_requests(memory->nodes[i].asked);
	}
	g_ptr_array_unref(memory->chunks);
}
