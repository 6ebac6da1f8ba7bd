/* SPDX-License-Identifier: MIT */
/* Accesses that wait for translations stand aside, so that those behind them leave the SM. */
#include "sim/memory/state.h"

void memory_translate(Memory *memory, Tlb *tlb)
{
	memory->tlb = tlb;
}

static Tick translated_at(const Memory *memory, const Request *request, Tick now)
{
	Tick at = now;

	for (uint32_t i = 0; i < request->n_packets; i++)
		at = MAX(at, tlb_translate(memory->tlb, request->packets[i].line, now));
	return at;
}

bool translation_stands_aside(Memory *memory, Node *node, Tick now)
{
	Request *request = node->first;
	const Tick at = request->n_sent > 0 ? now : translated_at(memory, request, now);
	Flying *flying;

	if (at <= now)
		return false;
	node->first = request->next;
	flying = flying_new(memory);
	flying->event.sm = node->event.sm;
	flying->request = request;
	events_post(&memory->events, &flying->event, EVENT_TRANSLATED, at);
	node->busy = node->first != NULL;
	if (node->busy)
		events_post(&memory->events, &node->event, EVENT_SEND,
			    MAX(now, node->first->at));
	return true;
}

void translation_comes(Memory *memory, Flying *flying)
{
	Node *node = &memory->nodes[flying->event.sm];
	Request *request = flying->request;
	const Tick now = flying->event.at;

	flying_free(memory, flying);
	request->at = now;
	request->next = NULL;
	if (node->first)
		node->last->next = request;
	else
		node->first = request;
	node->last = request;
	if (node->busy)
		return;
	node->busy = true;
	events_post(&memory->events, &node->event, EVENT_SEND, MAX(node->link.out_free, now));
}
