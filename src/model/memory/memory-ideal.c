/* SPDX-License-Identifier: MIT */
#include "model/memory/memory-ideal.h"

#define MIN(a, b)  ((a) < (b) ? (a) : (b))
#define ANY_NUMBER (1u << 30) /* twice of it can be added up */

static void take_latency(NetworkParameters *network, DramParameters *dram)
{
	network->one_way_cycles = network->load_cycles = network->atomic_cycles = 1;
	network->writeback_cycles = network->writeback_nonuniform_cycles = 0;
	network->far_cycles = network->far_load_cycles = network->latency_spread_cycles = 0;
	network->fence_cycles = 0;
	network->fence_near_partition_cycles = network->fence_far_partition_cycles = 0;
	network->fence_batch_interval_cycles = network->fence_batch_window_cycles = 0;
	network->fence_batch_overlap_cycles = 0;
	dram->latency_cycles = dram->slow_cycles = 0;
}

static void take_bandwidth(NetworkParameters *network)
{
	network->issue_cycles = 1;
	network->lock_attempt_flits = ANY_NUMBER;
	network->network_flits = network->queue_flits = ANY_NUMBER;
	network->slice_rounds = 0;
	network->group_egress_packet_mcycles = network->group_egress_flit_mcycles = 0;
	network->group_ingress_sector_mcycles = network->group_ingress_word_mcycles = 0;
	network->egress_mix_mcycles = network->egress_flit_mcycles = 0;
	network->ingress_word_mcycles = network->ingress_bank_conflict_mcycles = 0;
	network->ingress_packet_mcycles = network->ingress_load_mcycles = 0;
}

static void take_slices(L2Parameters *l2, DramParameters *dram)
{
	l2->port_packets = l2->slice_packets = ANY_NUMBER;
	l2->port_flit_mclk = l2->port_turnaround_mclk = 0;
	l2->store_sector_mclk = l2->load_request_mclk = l2->load_sector_mclk = 0;
	l2->repeat_request_mclk = l2->repeat_sector_mclk = 0;
	l2->same_line_mclk = l2->neighbour_mclk = l2->other_line_mclk = 0;
	l2->forward_packet_mclk = l2->forward_flit_mclk = l2->group_packet_mclk = 0;
	l2->link_sector_mclk = l2->link_word_mclk = 0;
	dram->load_mcycles = dram->store_mcycles = dram->atomic_mcycles = 0;
}

/* Of a load's sectors at the least: one may be cheaper by repetition, or a request cost more than its sector. */
static void take_atomics(L2Parameters *l2)
{
	const uint32_t load = l2->load_sector_mclk;

	l2->sector_mclk = MIN(l2->sector_mclk, load);
	l2->full_sector_mclk = MIN(l2->full_sector_mclk, load);
	l2->cas_sector_mclk = MIN(l2->cas_sector_mclk, load);
	l2->double_sector_mclk = MIN(l2->double_sector_mclk, load);
	l2->same_line_mclk = l2->neighbour_mclk = l2->other_line_mclk = 0;
	l2->float_gap_mclk = l2->double_gap_mclk = 0;
}

void memory_make_ideal(const Ideals *ideals, L2Parameters *l2, NetworkParameters *network,
		       DramParameters *dram)
{
	if (ideals->global_latency)
		take_latency(network, dram);
	if (ideals->global_bandwidth) {
		take_bandwidth(network);
		take_slices(l2, dram);
	}
	if (ideals->l2_atomics)
		take_atomics(l2);
}
