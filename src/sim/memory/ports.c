/* SPDX-License-Identifier: MIT */
/* Room that packets under way take: at the ports of slices, and of an SM's attempts at locks; who finds none waits. Clusters of SMs
   take turns for places that become free. */
#include "sim/memory/state.h"

/* A try's with all its rounds, of which an SM has room for two at least. */
static uint32_t lock_attempt_flits(const Memory *memory, const Packet *packet)
{
	return MIN((uint32_t)packet->n_rounds * packet->flits,
		   memory->network->lock_attempt_flits / 2);
}

bool port_has_to_wait(const Memory *memory, Node *node, Port *port, const Packet *packet)
{
	if (node->first->tries) {
		node->full = node->n_flits + lock_attempt_flits(memory, packet) >
			     memory->network->lock_attempt_flits;
		return node->full;
	}
	if (port->n_packets < memory->l2->port_packets)
		return false;
	by_turns_wait(&memory->nodes_waiting[port - memory->ports], node->place.cluster,
		      &node->waiter);
	return true;
}

void port_take_room(const Memory *memory, Node *node, Port *port, const Packet *packet)
{
	if (node->first->tries)
		node->n_flits += lock_attempt_flits(memory, packet);
	else
		port->n_packets++;
}

void port_make_room(Memory *memory, const Flying *flying)
{
	Node *node = &memory->nodes[flying->event.sm];
	Port *port = &memory->ports[flying->slice * 2 + flying->far];
	ByTurns *nodes = &memory->nodes_waiting[port - memory->ports];
	Node *waiting;

	if (flying->tries) {
		node->n_flits -= lock_attempt_flits(memory, &flying->packet);
		if (node->full)
			events_post(&memory->events, &node->event, EVENT_SEND,
				    MAX(flying->event.at, node->link.out_free));
		node->full = false;
		return;
	}
	port->n_packets--;
	if (!nodes->first || port->n_packets >= memory->l2->port_packets)
		return;
	waiting = WAITER_OF(Node, by_turns_take(nodes));
	events_post(&memory->events, &waiting->event, EVENT_SEND,
		    MAX(flying->event.at, waiting->link.out_free));
}
