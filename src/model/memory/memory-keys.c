/* SPDX-License-Identifier: MIT */
/* The keys of the memory side. Defaults are neutral: what a config does not set costs nothing and is in nobody's way. */
#include "model/memory/memory-keys.h"

#include "model/memory/coalesce.h"
#include "model/memory/dram-keys.h"
#include "model/memory/key-parts.h"
#include "model/memory/path-keys.h"
#include "model/memory/slice-map.h"
#include "model/memory/slice.h"
#include "model/memory/tlb-keys.h"

#define N_ROWS(rows) (sizeof(rows) / sizeof *(rows))

#define L2(field, from, to) .path = "l2." #field, KEY_NUMBER(L2Parameters, field, from, to)
#define CLK(field)	    L2(field, 0, MAX_MILLI), .unit = "1/1000 L2 clock"

static const Key l2_rows[] = {
	{L2(clock_khz, 1000, 100000000), .unit = "kHz", .default_value = "1000000",
	 .doc = "Clock of the L2.", NEUTRAL},
	{.path = "l2.map",
	 KEY_FIELD(KEY_MAP, SliceMap, L2Parameters, map),
	 .default_value = "walk",
	 .doc = "Which slice serves a line, and which partition an SM is near to: a measured "
		"map; walk, pages round robin and SMs in runs of 8.",
	 .source = "walk: assumed where nothing was measured"},
	{L2(partitions, 1, MAX_PARTITIONS), .default_value = "1",
	 .doc = "Partitions of the L2; an SM is near to one.", NEUTRAL},
	{L2(slices, 1, MAX_SLICES), .default_value = "1", .unit = "slices",
	 .doc = "Slices of a partition.", NEUTRAL},
	{L2(page_bytes, LINE_BYTES, 1 << 21), .default_value = "4096", .unit = "bytes",
	 .multiple = LINE_BYTES, .doc = "Size of a page. A page is in one partition.",
	 .measured_on = "NVIDIA H200", .source = KEY_H200 "/global-atomics.csv"},
	{L2(page_slices, 1, 8), .default_value = "1", .unit = "slices",
	 .doc = "Slices over which a page is spread, all of one partition.", NEUTRAL},
	{L2(partition_mask, 0, UINT32_MAX), .default_value = "0",
	 .doc = "Bits of a page's number whose parity is its partition.", NEUTRAL},
	{L2(copies_kib, 0, UINT32_MAX), .default_value = "0", .unit = "KiB",
	 .doc = "How much of a kernel's buffers is in both partitions for loads; the rest is "
		"far for half of the SMs. 0: all.",
	 NEUTRAL},
	{L2(port_packets, 2, 1024), .default_value = "1024", .unit = "packets",
	 .doc = "Packets that each of a slice's two ports holds; further packets wait in their "
		"SMs. Clusters of SMs (of each network.group_sms where l2.map does not say) "
		"take turns for places that become free.",
	 NEUTRAL},
	{L2(slice_packets, 1, 1 << 20), .default_value = "1048576", .unit = "packets",
	 .doc = "Packets of stores and atomics that a slice works on at a time, in the order "
		"of arrival, in addition to l2.merge_packets. Further packets wait at its "
		"ports. It serves these by turns: of the ports, and of the clusters of SMs at "
		"a port.",
	 NEUTRAL},
	{CLK(port_flit_mclk), .default_value = "0", .doc = "Time of a flit at a slice's port.",
	 NEUTRAL},
	{CLK(port_turnaround_mclk), .formerly = "l2.port_mix_mclk", .default_value = "0",
	 .doc = "Added at the port between a packet of one flit and a packet of several.",
	 NEUTRAL},
	{CLK(sector_mclk), .default_value = "0", .doc = "Service time of an atomic's sector.",
	 NEUTRAL},
	{CLK(same_line_mclk), .default_value = "0",
	 .doc = "Added when the previous packet was of the same line, or of the other line of "
		"an aligned pair.",
	 NEUTRAL},
	{CLK(neighbour_mclk), .default_value = "0",
	 .doc = "Replaces l2.same_line_mclk when the previous packet was of the other line of "
		"the pair and the packet has one sector.",
	 NEUTRAL},
	{CLK(other_line_mclk), .default_value = "0",
	 .doc = "Added after a packet of any other line.", NEUTRAL},
	{CLK(full_sector_mclk), .default_value = "0",
	 .doc = "Service time of a sector all of whose words take part.", NEUTRAL},
	{CLK(cas_sector_mclk), .default_value = "0",
	 .doc = "Service time of a sector of a compare-and-swap by several lanes.", NEUTRAL},
	{CLK(double_sector_mclk), .default_value = "0",
	 .doc = "Service time of floating-point arithmetic on a sector with doubles in both "
		"halves.",
	 NEUTRAL},
	{CLK(double_gap_mclk), .default_value = "0",
	 .doc = "Least time between the start of an operation on doubles in both halves of a "
		"sector and the start of the next operation on it.",
	 NEUTRAL},
	{CLK(float_gap_mclk), .default_value = "0",
	 .doc = "Least time between the starts of two float operations on one sector.",
	 NEUTRAL},
	{CLK(store_sector_mclk), .default_value = "0", .assumption = true,
	 .acts_on = KEY_ACTS_MEMORY, .doc = "Service time of a store's sector.", NEUTRAL},
	{CLK(load_request_mclk), .default_value = "0", .doc = "Least service time of a load.",
	 NEUTRAL},
	{CLK(load_sector_mclk), .default_value = "0",
	 .doc = "Service time of each sector of a load.", NEUTRAL},
	{CLK(repeat_request_mclk), .default_value = "0",
	 .doc = "Service time of a load of the same sectors as the previous load of the line.",
	 NEUTRAL},
	{CLK(repeat_sector_mclk), .default_value = "0",
	 .doc = "Service time of each sector of such a repeated load.", NEUTRAL},
	{L2(repeat_sectors, 0, SLICE_LOAD_SETS *SLICE_LOAD_WAYS), .multiple = SLICE_LOAD_SETS,
	 .default_value = "0", .unit = "sectors",
	 .doc = "Sectors of the latest loads that a slice remembers, to recognize repeated "
		"loads.",
	 NEUTRAL},
	{L2(merge_packets, 0, SLICE_MERGE_PACKETS), .default_value = "0", .unit = "packets",
	 .acts_on = KEY_ACTS_GLOBAL_ATOMIC,
	 .doc = "Latest packets of waiting atomics without result that a slice remembers; "
		"packets like them are merged with them. 0: none.",
	 .neutral = true, .source = "no GPU is known to merge so"},
	{CLK(forward_packet_mclk), .default_value = "0",
	 .doc = "Time for which a packet of the other partition occupies the slice that it "
		"passes through.",
	 NEUTRAL},
	{CLK(forward_flit_mclk), .default_value = "0",
	 .doc = "Added for each flit of such a packet.", NEUTRAL},
	{CLK(group_packet_mclk), .default_value = "0",
	 .doc = "Least time between packets of a group's SMs for one slice. A packet that "
		"waits delays all that its SM sends after it.",
	 NEUTRAL},
	{L2(links, 1, MAX_LINKS), .default_value = "1", .unit = "links",
	 .doc = "Links from one partition to the SMs of the other, for results; two successive "
		"pages share one.",
	 NEUTRAL},
	{CLK(link_sector_mclk), .default_value = "0",
	 .doc = "Time of a sector of a result, or of a single word, at a link.", NEUTRAL},
	{CLK(link_word_mclk), .default_value = "0",
	 .doc = "Added for each further word of a sector.", NEUTRAL},
};

#define NET(field, from, to)                                                                   \
	.path = "network." #field, KEY_NUMBER(NetworkParameters, field, from, to)
#define NET_CYCLES(field, from)                                                                \
	.path = "network." #field, KEY_CYCLES(NetworkParameters, field, from)
#define MCYCLES(field) NET(field, 0, MAX_MILLI), .unit = "1/1000 cycle"

static const Key network_rows[] = {
	{NET_CYCLES(one_way_cycles, 1), .default_value = "1",
	 .doc = "Least time from an SM's access to the first packet at its port. SMs are "
		"simulated independently of each other for this long.",
	 .assumption = true, .acts_on = KEY_ACTS_MEMORY, NEUTRAL},
	{NET_CYCLES(load_cycles, 1), .default_value = "1",
	 .doc = "Round trip of a load that hits in the L2.", NEUTRAL},
	{NET_CYCLES(writeback_cycles, 0), .formerly = "network.use_cycles",
	 .default_value = "0",
	 .doc = "From the arrival of a load's data at its SM until instructions can use them, "
		"in traces with data flow.",
	 NEUTRAL},
	{NET_CYCLES(writeback_nonuniform_cycles, 0), .formerly = "network.use_warp_cycles",
	 .default_value = "0",
	 .doc = "Added for a load whose lanes do not all access one word.", NEUTRAL},
	{NET_CYCLES(atomic_cycles, 1), .default_value = "1",
	 .doc = "Round trip of an atomic, without its ports and service.", NEUTRAL},
	{NET_CYCLES(far_cycles, 0), .default_value = "0",
	 .doc = "Added for a page of the other partition.", NEUTRAL},
	{NET_CYCLES(far_load_cycles, 0), .default_value = "0",
	 .doc = "Added for a load whose line has no copy in the partition of its SM.", NEUTRAL},
	{NET_CYCLES(issue_cycles, 1), .default_value = "1",
	 .doc = "Least time from a warp's access to its next instruction.", NEUTRAL},
	{NET(in_flight, 1, 1024), .default_value = "64", .unit = "accesses", .assumption = true,
	 .acts_on = KEY_ACTS_MEMORY,
	 .doc = "Most accesses of a warp in flight; the warp waits to issue more.",
	 .source = "no less is seen: measurements/h200, red_add_u32 one warp"},
	{NET(network_flits, 1, 1 << 20), .default_value = "1048576", .unit = "flits",
	 .acts_on = KEY_ACTS_MEMORY,
	 .doc = "Most flits of an SM's stores and atomics that have left the SM and are not "
		"served by slices. Further flits wait in the SM, which is busy until they "
		"leave, even if its warps have ended.",
	 NEUTRAL},
	{NET(slice_rounds, 0, 1 << 20), .default_value = "0", .unit = "rounds",
	 .acts_on = KEY_ACTS_MEMORY, .needs = "network.network_flits",
	 .doc = "Rounds of an SM's atomics to one slice that wait there, without a "
		"part in network.network_flits and network.queue_flits. The SM is busy until "
		"its port has sent them.",
	 NEUTRAL},
	{NET(queue_flits, 1, 1 << 20), .default_value = "1048576", .unit = "flits",
	 .acts_on = KEY_ACTS_MEMORY,
	 .doc = "Most flits of an SM's stores and atomics that wait in the SM. While there are "
		"more, its warps wait with their next access to global memory.",
	 NEUTRAL},
	{NET(lock_attempt_flits, 2, 1 << 20), .formerly = "network.try_flits",
	 .default_value = "1048576", .unit = "flits", .acts_on = KEY_ACTS_MEMORY,
	 .doc = "Most flits of an SM's lock attempts that are on their way to slices or wait "
		"there. Further ones wait in the SM, with all later accesses. Other "
		"accesses wait for l2.port_packets.",
	 NEUTRAL},
	{NET_CYCLES(fence_cycles, 0), .default_value = "0",
	 .doc = "Least time from the completion of a warp's outstanding accesses, and of the "
		"requests of its fence, to the end of a device fence. The fence ends no sooner "
		"than sm.issue.fence_device_cycles after its start.",
	 NEUTRAL},
	{NET_CYCLES(fence_near_partition_cycles, 0), .formerly = "network.fence_near_cycles",
	 .default_value = "0",
	 .doc = "Least time of a device fence when the warp has accessed lines of its SM's own "
		"partition since its last fence, except by loads that may hit the L1; 0: no "
		"such limit.",
	 NEUTRAL},
	{NET_CYCLES(fence_far_partition_cycles, 0), .formerly = "network.fence_far_cycles",
	 .default_value = "0",
	 .doc = "As network.fence_near_partition_cycles, for lines of the other partition.",
	 NEUTRAL},
	{NET_CYCLES(fence_batch_interval_cycles, 0), .formerly = "network.fence_wave_cycles",
	 .default_value = "0",
	 .doc = "Interval of fence batches: device fences that are issued while a batch of the "
		"SM is on its round trip wait for the next batch, which leaves at least this "
		"long after the round trip ends. 0: each fence leaves at once.",
	 NEUTRAL},
	{NET_CYCLES(fence_batch_window_cycles, 0), .formerly = "network.fence_join_cycles",
	 .default_value = "0", .needs = "network.fence_batch_interval_cycles",
	 .doc = "Window of a fence batch: fences that are issued within this time of its first "
		"fence belong to it.",
	 NEUTRAL},
	{NET_CYCLES(fence_batch_overlap_cycles, 0), .formerly = "network.fence_back_cycles",
	 .default_value = "0", .needs = "network.fence_batch_interval_cycles",
	 .doc = "Overlap of fence batches: a batch is back this long before its fences end, "
		"and the next batch can leave.",
	 NEUTRAL},
	{NET_CYCLES(latency_spread_cycles, 0), .formerly = "network.spread_cycles",
	 .default_value = "0",
	 .doc = "Largest deviation of a round trip, up or down, by group of SMs and slice.",
	 NEUTRAL},
	{NET(group_sms, 1, 1024), .default_value = "1", .unit = "SMs",
	 .doc = "SMs of a group (a GPC). They have the same distances, and share an ingress "
		"from the crossbar and an egress to it, unless the map has other egresses.",
	 NEUTRAL},
	{MCYCLES(group_egress_packet_mcycles), .formerly = "network.group_packet_mcycles",
	 .default_value = "0",
	 .doc = "Time of a packet at the egress that the SMs of a group share.", NEUTRAL},
	{MCYCLES(group_egress_flit_mcycles), .formerly = "network.group_flit_mcycles",
	 .default_value = "0", .doc = "Added for each flit of the packet.", NEUTRAL},
	{MCYCLES(group_ingress_sector_mcycles),
	 .formerly = "network.group_reply_sector_mcycles", .default_value = "0",
	 .doc = "Time of a sector of a load at the ingress that the SMs of a group share.",
	 NEUTRAL},
	{MCYCLES(group_ingress_word_mcycles), .formerly = "network.group_reply_word_mcycles",
	 .default_value = "0", .doc = "Added for each word of the sector.", NEUTRAL},
	{MCYCLES(egress_mix_mcycles), .formerly = "network.mix_mcycles", .default_value = "0",
	 .doc = "Added at an SM's egress port to an atomic on v lines with several words and s "
		"lines with one: v s (v + 4 s) / (v + s)^2 times this.",
	 NEUTRAL},
	{MCYCLES(egress_flit_mcycles), .formerly = "network.flit_mcycles", .default_value = "0",
	 .doc = "Time of a flit at an SM's egress port.", NEUTRAL},
	{MCYCLES(ingress_word_mcycles), .formerly = "network.reply_word_mcycles",
	 .default_value = "0", .doc = "Time of a result at a bank of an SM's ingress port.",
	 NEUTRAL},
	{MCYCLES(ingress_bank_conflict_mcycles), .formerly = "network.reply_other_word_mcycles",
	 .default_value = "0",
	 .doc = "Time of a lane's result at the bank after another word of the same bank.",
	 NEUTRAL},
	{MCYCLES(ingress_packet_mcycles), .formerly = "network.reply_packet_mcycles",
	 .default_value = "0", .doc = "Time of each result at the ingress port.", NEUTRAL},
	{MCYCLES(ingress_load_mcycles), .formerly = "network.reply_load_mcycles",
	 .default_value = "0", .doc = "Time of a load's packet at the ingress port.", NEUTRAL},
};

const KeyTable memory_keys[] = {
	{"l2", "L2 slices, which carry out global atomics", l2_rows, N_ROWS(l2_rows),
	 sizeof(L2Parameters), NULL},
	{"network", "Network between SMs and L2", network_rows, N_ROWS(network_rows),
	 sizeof(NetworkParameters), NULL},
	{"dram", "DRAM", dram_keys, N_DRAM_KEYS, sizeof(DramParameters), NULL},
	{"tlb", "TLBs", tlb_keys, N_TLB_KEYS, sizeof(TlbParameters), NULL},
	{"paths", "Two paths to memory (HD 5870)", path_keys, N_PATH_KEYS,
	 sizeof(PathParameters), NULL},
};
