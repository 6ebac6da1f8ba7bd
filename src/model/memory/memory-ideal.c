/* SPDX-License-Identifier: MIT */
#include "model/memory/memory-ideal.h"

#define MIN(a, b)  ((a) < (b) ? (a) : (b))
#define ANY_NUMBER (1u << 30) /* twice of it can be added up */

static void take_latency(NetworkParameters *network, DramParameters *dram)
{
	network->one_way_cycles = network->load_cycles = network->atomic_cycles = 1;
	network->use_cycles = network->use_warp_cycles = 0;
	network->far_cycles = network->far_load_cycles = network->spread_cycles = 0;
	network->fence_cycles = network->fence_others_cycles = 0;
	network->fence_near_cycles = network->fence_far_cycles = 0;
	network->fence_wave_cycles = network->fence_join_cycles = 0;
	network->fence_back_cycles = 0;
	dram->latency_cycles = dram->slow_cycles = 0;
}

static void take_ways(NetworkParameters *network)
{
	network->try_flits = ANY_NUMBER;
	network->group_packet_mcycles = network->group_flit_mcycles = 0;
	network->group_reply_sector_mcycles = network->group_reply_word_mcycles = 0;
	network->mix_mcycles = network->flit_mcycles = 0;
	network->packet_mcycles = network->load_mcycles = network->instruction_mcycles = 0;
	network->reply_word_mcycles = network->reply_other_word_mcycles = 0;
	network->reply_packet_mcycles = network->reply_load_mcycles = 0;
	network->reply_load_sector_mcycles = 0;
}

static void take_slices(L2Parameters *l2, DramParameters *dram)
{
	l2->port_packets = ANY_NUMBER;
	l2->port_flit_mclk = l2->port_mix_mclk = 0;
	l2->store_sector_mclk = l2->load_request_mclk = l2->load_sector_mclk = 0;
	l2->repeat_request_mclk = l2->repeat_sector_mclk = 0;
	l2->same_line_mclk = l2->neighbour_mclk = l2->other_line_mclk = 0;
	l2->forward_packet_mclk = l2->forward_flit_mclk = l2->group_packet_mclk = 0;
	l2->link_sector_mclk = l2->link_word_mclk = 0;
	dram->load_mcycles = dram->atomic_mcycles = 0;
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
		take_ways(network);
		take_slices(l2, dram);
	}
	if (ideals->l2_atomics)
		take_atomics(l2);
}
