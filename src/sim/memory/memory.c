/* SPDX-License-Identifier: MIT */
#include "sim/memory/memory.h"

#include <string.h>

#include "sim/memory/state.h"

/* Ideal l2_atomics: lanes of an atomic that want one word go as one. */
static uint32_t coalesce_merged(const MemoryAccess *access, Packet *packets)
{
	uint64_t addresses[COALESCE_MAX_LANES];
	uint32_t n = 0;

	for (uint32_t i = 0; i < access->n_lanes; i++) {
		uint32_t k = 0;

		while (k < n && addresses[k] != access->addresses[i])
			k++;
		addresses[k] = access->addresses[i];
		n += k == n;
	}
	return coalesce(access->kind, access->width, n, addresses, packets);
}

/* The packets that it goes out as. */
static uint32_t packets_of(const Memory *memory, const MemoryAccess *access, Packet *packets)
{
	if (access->in_row)
		return coalesce_row(access->kind, access->width, access->n_lanes,
				    access->addresses[0], packets);
	if (G_UNLIKELY(memory->merges) && access->kind >= ACCESS_ATOMIC)
		return coalesce_merged(access, packets);
	return coalesce(access->kind, access->width, access->n_lanes, access->addresses,
			packets);
}

void memory_access(Memory *memory, const MemoryAccess *access)
{
	Node *node = &memory->nodes[access->sm];
	Packet packets[COALESCE_MAX_PACKETS];
	uint32_t n = packets_of(memory, access, packets);
	Request *request = request_new(memory, node, n);

	*request = (Request){
		.at = (access->issue + memory->network->one_way_cycles) * TICKS_PER_CYCLE,
		.id = access->id,
		.kind = (uint8_t)access->kind,
		.result = access->result,
		.cached = access->cached,
		.tries = access->tries,
		.served = access->served,
		.served_data = access->served_data,
		.miss = access->miss,
		.n_packets = (uint8_t)n,
		.n_left = (uint8_t)n,
	};
	memcpy(request->packets, packets, n * sizeof *packets);
	queue_enter(memory, node, access, packets, n);
	if (node->asked)
		node->asked_last->next = request;
	else
		node->asked = request;
	node->asked_last = request;
	node->n_asked++;
	node->n_atomic += access->kind >= ACCESS_ATOMIC;
	memory->has_asked[access->sm] = 1;
}

bool memory_reply(Memory *memory, MemoryReply *reply)
{
	if (memory->n_taken == memory->replies->len) {
		g_array_set_size(memory->replies, 0);
		memory->n_taken = 0;
		return false;
	}
	*reply = g_array_index(memory->replies, MemoryReply, memory->n_taken++);
	return true;
}

/* What an SM has asked for joins what waits to leave it. */
static void collect_node(Memory *memory, uint32_t sm)
{
	Node *node = &memory->nodes[sm];

	memory->has_asked[sm] = 0;
	if (node->first)
		node->last->next = node->asked;
	else
		node->first = node->asked;
	node->last = node->asked_last;
	memory->counters.accesses += node->n_asked;
	memory->counters.complete_accesses += node->n_atomic;
	node->n_asked = node->n_atomic = 0;
	node->asked = NULL;
	if (!node->busy) {
		node->busy = true;
		events_post(&memory->events, &node->event, EVENT_SEND,
			    MAX(node->link.out_free, node->first->at));
	}
}

/* SMs looked at: in most windows few have asked, or none. has_asked ends in as many more. */
#define AT_A_TIME sizeof(uint64_t)

static void collect(Memory *memory)
{
	for (uint32_t first = 0; first < memory->n_nodes; first += AT_A_TIME) {
		const uint32_t end = MIN(first + AT_A_TIME, memory->n_nodes);
		uint64_t asked;

		memcpy(&asked, &memory->has_asked[first], sizeof asked);
		for (uint32_t i = first; asked && i < end; i++)
			if (memory->has_asked[i])
				collect_node(memory, i);
	}
}

void memory_serve(Memory *memory, Cycle limit)
{
	Event *event;

	if (memory->meters)
		memory_look(memory, limit, limit + memory->network->one_way_cycles);
	limit += memory->network->one_way_cycles;
	while ((event = events_take(&memory->events, limit)))
		memory_happen(memory, event);
}

Cycle memory_next(Memory *memory)
{
	collect(memory);
	return events_first(&memory->events);
}

Cycle memory_sent_at(const Memory *memory, uint32_t sm)
{
	/* What is at the port then was asked for one way before. */
	Cycle left = memory->nodes[sm].link.out_free / TICKS_PER_CYCLE;

	return left - MIN(left, memory->network->one_way_cycles);
}

static Tick last_of(const Tick *times, size_t n)
{
	Tick last = 0;

	for (size_t i = 0; i < n; i++)
		last = MAX(last, times[i]);
	return last;
}

Cycle memory_drained_at(const Memory *memory)
{
	const uint32_t one_way = memory->network->one_way_cycles;
	Tick last = last_of(memory->links, MAX_LINKS);
	Cycle at;

	last = MAX(last, last_of(memory->groups_in, memory->n_groups));
	last = MAX(last, last_of(memory->egresses, memory->n_egresses));
	last = MAX(last,
		   last_of(memory->to_slices, (size_t)memory->n_groups * memory->n_slices));
	last = MAX(last, last_of(memory->channels_free, memory->dram.n_channels) / 1000);
	for (uint32_t i = 0; i < memory->n_slices; i++)
		last = MAX(last, memory->slices[i].free);
	for (uint32_t i = 0; i < memory->n_slices * 2; i++)
		last = MAX(last, memory->ports[i].intake.free);
	for (uint32_t i = 0; i < memory->n_nodes; i++)
		last = MAX(last, memory->nodes[i].link.out_free);
	at = (last + TICKS_PER_CYCLE - 1) / TICKS_PER_CYCLE;
	return at - MIN(at, one_way);
}

static void measure_distances(Memory *memory, LaunchPlace place)
{
	const uint32_t spread =
		place == LAUNCH_PLACE_MEDIAN ? 0 : memory->network->latency_spread_cycles;
	const uint32_t n = memory->n_slices, n_groups = memory->n_groups;

	memory->distance = g_new(int32_t, (size_t)n_groups * n);
	for (uint32_t group = 0; group < n_groups; group++)
		for (uint32_t slice = 0; slice < n; slice++)
			memory->distance[group * n + slice] =
				slice_distance(group, slice, spread);
}

static void remember_writers(Memory *memory, uint32_t n_all)
{
	memory->n_writers = n_all;
	memory->written_by = g_new(uint8_t, n_all);
	for (uint32_t i = 0; i < n_all; i++)
		memory->written_by[i] =
			(uint8_t)slice_sm_place(memory->l2, memory->network->group_sms, n_all,
						i)
				.partition;
}

/* Which lines and copies there are when the kernel begins. */
static void find_lines(Memory *memory, const DramParameters *dram, LaunchL2 found,
		       uint32_t n_all, uint64_t footprint_bytes)
{
	memory->copies = memory_share(memory->l2->copies_kib, footprint_bytes);
	memory->found_all = found;
	if (found == LAUNCH_L2_WARM)
		return;
	if (memory->copies == UINT64_MAX)
		memory->copied = line_table_new();
	else
		memory->copies = 0; /* none stay */
	if ((found == LAUNCH_L2_WRITTEN || found == LAUNCH_L2_RECORDED) && memory->copied)
		remember_writers(memory, n_all);
	if ((found == LAUNCH_L2_HOME || found == LAUNCH_L2_RECORDED) &&
	    dram->home_capacity_kib > 0)
		memory->dram.resident = memory_share(dram->home_capacity_kib, footprint_bytes);
	if (found == LAUNCH_L2_COLD || found == LAUNCH_L2_RECORDED)
		memory->fetched = line_table_new();
}

Memory *memory_new(const L2Parameters *l2, const NetworkParameters *network,
		   const DramParameters *dram, const LaunchState *launch, const Ideals *ideals,
		   uint32_t clock_mhz, uint32_t n_sms, uint32_t n_all, uint64_t footprint_bytes,
		   Arena *arena)
{
	Memory *memory = g_new0(Memory, 1);
	uint32_t n_groups = 0, n_clusters = 0;

	memory->network = network;
	memory->l2 = l2;
	memory->merges = ideals->l2_atomics;
	memory->slice_timing = memory->result_timing = slice_timing(l2, clock_mhz);
	memory->result_timing.merge_packets = 0;
	if (l2->result_turns)
		memory->result_timing.sector *= l2->result_turns;
	memory->link_timing = link_timing(network);
	memory->n_slices = l2->partitions * l2->slices;
	memory->channels_free = g_new0(Tick, dram->channels);
	dram_init(&memory->dram, dram, memory->n_slices, footprint_bytes,
		  memory->channels_free);
	find_lines(memory, dram, launch->l2, n_all, footprint_bytes);
	memory->slices = g_new(Slice, memory->n_slices);
	for (uint32_t i = 0; i < memory->n_slices; i++)
		slice_init(&memory->slices[i]);
	memory->ports = g_new0(Port, memory->n_slices * 2);
	memory->arena = memory->events.arena = arena;
	memory->n_nodes = n_sms;
	memory->nodes = g_new0(Node, n_sms);
	memory->backlogs = g_new0(Backlog, (size_t)n_sms * memory->n_slices);
	memory->has_asked = g_new0(uint8_t, n_sms + AT_A_TIME);
	memory->replies = g_array_new(FALSE, FALSE, sizeof(MemoryReply));
	for (uint32_t i = 0; i < n_sms; i++) {
		memory->nodes[i].event.sm = i;
		memory->nodes[i].backlogs = &memory->backlogs[(size_t)i * memory->n_slices];
		memory->nodes[i].place = slice_sm_place(l2, network->group_sms, n_sms, i);
		n_groups = MAX(n_groups, memory->nodes[i].place.group + 1);
		n_clusters = MAX(n_clusters, memory->nodes[i].place.cluster + 1);
	}
	memory->n_groups = n_groups;
	memory->n_egresses = n_clusters * CLUSTER_EGRESSES;
	memory->egresses = g_new0(Tick, memory->n_egresses);
	memory->nodes_waiting = by_turns_new(memory->n_slices * 2, n_clusters);
	memory->packets_waiting = by_turns_new(memory->n_slices * 2, n_clusters);
	memory->turns = g_new0(SliceTurns, memory->n_slices);
	memory->to_slices = g_new0(Tick, (size_t)n_groups * memory->n_slices);
	memory->groups_in = g_new0(Tick, n_groups);
	measure_distances(memory, launch->place);
	return memory;
}

void memory_find(Memory *memory, FoundLines *found, uint32_t n)
{
	memory->found = found;
	memory->n_found = n;
}

void memory_free(Memory *memory)
{
	g_array_unref(memory->replies);
	line_table_free(memory->copied);
	line_table_free(memory->fetched);
	residency_free(memory->residency);
	tlb_free(memory->tlb);
	g_free(memory->written_by);
	g_free(memory->found);
	g_free(memory->has_asked);
	g_free(memory->nodes);
	g_free(memory->backlogs);
	g_free(memory->egresses);
	g_free(memory->to_slices);
	g_free(memory->groups_in);
	g_free(memory->distance);
	g_free(memory->channels_free);
	g_free(memory->ports);
	by_turns_free(memory->nodes_waiting);
	by_turns_free(memory->packets_waiting);
	g_free(memory->turns);
	for (uint32_t i = 0; i < memory->n_slices; i++)
		slice_clear(&memory->slices[i]);
	memory_busy_free(memory);
	g_free(memory->slices);
	g_free(memory);
}
