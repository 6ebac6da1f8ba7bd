/* SPDX-License-Identifier: MIT */
/* The keys of the memory side. Defaults are neutral: what a config does not set costs nothing and is in nobody's way. */
#include "model/memory/memory-keys.h"

#include "model/memory/coalesce.h"
#include "model/memory/path-keys.h"
#include "model/memory/slice-map.h"
#include "model/memory/slice.h"

/* What no config has set. */
#define NEUTRAL .neutral = true, .source = "costs nothing unless a config sets it"

#define N_ROWS(rows) (sizeof(rows) / sizeof *(rows))

#define L2(field, from, to) .path = "l2." #field, KEY_NUMBER(L2Parameters, field, from, to)
#define CLK(field)	    L2(field, 0, MAX_MILLI), .unit = "1/1000 L2 clock"

static const Key l2_rows[] = {
	{L2(clock_khz, 1000, 100000000), .unit = "kHz", .default_value = "1000000",
	 .doc = "Clock of the L2.", NEUTRAL},
	{.path = "l2.map",
	 KEY_FIELD(KEY_MAP, SliceMap, L2Parameters, map),
	 .default_value = "walk",
	 .doc = "Which slice serves a line, and which partition an SM is near to: a map of "
		"what was measured; walk, pages round robin and SMs in runs of 8.",
	 .source = "walk: assumed where nothing was measured"},
	{L2(partitions, 1, MAX_PARTITIONS), .default_value = "1",
	 .doc = "Halves of the L2; an SM is near to one.", NEUTRAL},
	{L2(slices, 1, MAX_SLICES), .default_value = "1", .unit = "slices",
	 .doc = "Slices of a partition.", NEUTRAL},
	{L2(page_bytes, LINE_BYTES, 1 << 21), .default_value = "4096", .unit = "bytes",
	 .multiple = LINE_BYTES, .doc = "A page lies in one partition.",
	 .measured_on = "NVIDIA H200", .source = KEY_H200 "/global-atomics.csv"},
	{L2(page_slices, 1, 8), .default_value = "1", .unit = "slices",
	 .doc = "A page lies in so many slices of its partition.", NEUTRAL},
	{L2(partition_mask, 0, UINT32_MAX), .default_value = "0",
	 .doc = "The parity of these bits of a page's number is its partition.", NEUTRAL},
	{L2(copies_kib, 0, UINT32_MAX), .default_value = "0", .unit = "KiB",
	 .doc = "Of what a kernel's buffers hold so much is in both partitions for loads, the "
		"rest a far way off for half of the SMs; 0: all.",
	 NEUTRAL},
	{L2(port_packets, 2, 1024), .default_value = "1024", .unit = "packets",
	 .doc = "Packets that each of a slice's two ports holds; others wait in their SMs.",
	 NEUTRAL},
	{CLK(port_flit_mclk), .default_value = "0", .doc = "A slice's port takes in a flit.",
	 NEUTRAL},
	{CLK(port_turnaround_mclk), .formerly = "l2.port_mix_mclk", .default_value = "0",
	 .doc = "It loses so much between a packet of one flit and one of several.", NEUTRAL},
	{CLK(sector_mclk), .default_value = "0", .doc = "Service of an atomic's sector.",
	 NEUTRAL},
	{CLK(same_line_mclk), .default_value = "0",
	 .doc = "Added when the packet before was of the same line, or of the other one of an "
		"aligned pair.",
	 NEUTRAL},
	{CLK(neighbour_mclk), .default_value = "0",
	 .doc = "Added in place of that in the second case, when a packet has one sector.",
	 NEUTRAL},
	{CLK(other_line_mclk), .default_value = "0",
	 .doc = "Added after a packet of any other line.", NEUTRAL},
	{CLK(full_sector_mclk), .default_value = "0",
	 .doc = "Service of a sector all of whose words take part.", NEUTRAL},
	{CLK(cas_sector_mclk), .default_value = "0",
	 .doc = "Service of a sector of a compare-and-swap by several lanes.", NEUTRAL},
	{CLK(double_sector_mclk), .default_value = "0",
	 .doc = "Service of a sector with doubles in both halves in floating-point arithmetic.",
	 NEUTRAL},
	{CLK(double_gap_mclk), .default_value = "0",
	 .doc = "Between the starts of an operation on doubles in both halves and the next one "
		"on the sector.",
	 NEUTRAL},
	{CLK(float_gap_mclk), .default_value = "0",
	 .doc = "Between the starts of two float operations on one sector.", NEUTRAL},
	{CLK(store_sector_mclk), .default_value = "0", .assumption = true,
	 .acts_on = KEY_ACTS_MEMORY, .doc = "Service of a store's sector.", NEUTRAL},
	{CLK(load_request_mclk), .default_value = "0", .doc = "Service of a load, at least.",
	 NEUTRAL},
	{CLK(load_sector_mclk), .default_value = "0",
	 .doc = "Service of each sector of a load.", NEUTRAL},
	{CLK(repeat_request_mclk), .default_value = "0",
	 .doc = "Service of a load that asks the same of its line as the load before.",
	 NEUTRAL},
	{CLK(repeat_sector_mclk), .default_value = "0", .doc = "Of each sector of such a load.",
	 NEUTRAL},
	{L2(repeat_sectors, 0, SLICE_LOAD_SETS *SLICE_LOAD_WAYS), .multiple = SLICE_LOAD_SETS,
	 .default_value = "0", .unit = "sectors",
	 .doc = "Of the last loads, that a slice remembers.", NEUTRAL},
	{L2(merge_packets, 0, SLICE_MERGE_PACKETS), .default_value = "0", .unit = "packets",
	 .acts_on = KEY_ACTS_GLOBAL_ATOMIC,
	 .doc = "Of the last ones of atomics without result that a slice knows while they "
		"wait: "
		"others like them are merged with them; 0: none.",
	 .neutral = true, .source = "no GPU is known to merge so"},
	{CLK(forward_packet_mclk), .default_value = "0",
	 .doc = "A packet for the other partition takes so long of the slice that it passes.",
	 NEUTRAL},
	{CLK(forward_flit_mclk), .default_value = "0", .doc = "Added for each of its flits.",
	 NEUTRAL},
	{CLK(group_packet_mclk), .default_value = "0",
	 .doc = "Packets of a group's SMs for one slice are so far apart; one that waits holds "
		"up what its SM sends behind it.",
	 NEUTRAL},
	{L2(links, 1, MAX_LINKS), .default_value = "1", .unit = "links",
	 .doc = "By which results of one partition come to SMs of the other; two pages in a "
		"row share one.",
	 NEUTRAL},
	{CLK(link_sector_mclk), .default_value = "0",
	 .doc = "A link takes a sector of a result, or a word of its own.", NEUTRAL},
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
	 .doc = "Least time from an SM's access to its port's first packet; SMs run side by "
		"side for so long.",
	 .assumption = true, .acts_on = KEY_ACTS_MEMORY, NEUTRAL},
	{NET_CYCLES(load_cycles, 1), .default_value = "1",
	 .doc = "Round trip of a load that hits in the L2.", NEUTRAL},
	{NET_CYCLES(writeback_cycles, 0), .formerly = "network.use_cycles",
	 .default_value = "0",
	 .doc = "From the data of a load at its SM until registers have them and they can be "
		"used, in a trace that says what waits for what.",
	 NEUTRAL},
	{NET_CYCLES(writeback_nonuniform_cycles, 0), .formerly = "network.use_warp_cycles",
	 .default_value = "0", .doc = "Added for a load whose lanes do not all name one word.",
	 NEUTRAL},
	{NET_CYCLES(atomic_cycles, 1), .default_value = "1",
	 .doc = "Round trip of an atomic, without its ports and service.", NEUTRAL},
	{NET_CYCLES(far_cycles, 0), .default_value = "0",
	 .doc = "Added for a page of the other partition.", NEUTRAL},
	{NET_CYCLES(far_load_cycles, 0), .default_value = "0",
	 .doc = "The same for a load of which its SM's partition keeps no copy.", NEUTRAL},
	{NET_CYCLES(issue_cycles, 1), .default_value = "1",
	 .doc = "From a warp's access to its next instruction, at least.", NEUTRAL},
	{NET(in_flight, 1, 1024), .default_value = "64", .unit = "accesses", .assumption = true,
	 .acts_on = KEY_ACTS_MEMORY,
	 .doc = "Accesses of a warp on their way, at most; it waits to issue more.",
	 .source = "no less is seen: measurements/h200, red_add_u32 one warp"},
	{NET(network_flits, 1, 1 << 20), .default_value = "1048576", .unit = "flits",
	 .acts_on = KEY_ACTS_MEMORY,
	 .doc = "Flits of an SM's stores and atomics that leave it before slices have served "
		"them, at most; further ones wait in the SM, which is busy as long as some "
		"do, though its warps have ended.",
	 NEUTRAL},
	{NET(queue_flits, 1, 1 << 20), .default_value = "1048576", .unit = "flits",
	 .acts_on = KEY_ACTS_MEMORY,
	 .doc = "Flits of an SM's stores and atomics that wait in it, at most; while there are "
		"more, its warps wait with their next access to global memory.",
	 NEUTRAL},
	{NET(lock_attempt_flits, 2, 1 << 20), .formerly = "network.try_flits",
	 .default_value = "1048576", .unit = "flits", .acts_on = KEY_ACTS_MEMORY,
	 .doc = "Flits of an SM's lock attempts on their way to slices, or waiting there, at "
		"most; further ones wait in the SM, and all that is behind them. Other "
		"accesses wait for l2.port_packets.",
	 NEUTRAL},
	{NET_CYCLES(fence_cycles, 0), .default_value = "0",
	 .doc = "A fence of the device ends no sooner after what the warp has under way, and "
		"what it asks; sm.issue.fence_device_cycles after its begin, if that is later.",
	 NEUTRAL},
	{NET_CYCLES(fence_other_warps_cycles, 0), .formerly = "network.fence_others_cycles",
	 .default_value = "0",
	 .doc = "A fence of the device ends no sooner after stores and atomics that other "
		"warps of its SM had under way when it began.",
	 NEUTRAL},
	{NET(fence_lines, 0, FENCE_MAX_LINES), .default_value = "0", .unit = "lines",
	 .doc = "A fence of the device asks the slices of so many lines in which the warp has "
		"tried locks or stored since the last one; 0: it only waits.",
	 NEUTRAL},
	{NET_CYCLES(fence_near_partition_cycles, 0), .formerly = "network.fence_near_cycles",
	 .default_value = "0",
	 .doc = "Least time of such a fence when the warp has accessed lines of its SM's own "
		"partition since its last one, but by loads that may hit a first cache; 0: as "
		"without.",
	 NEUTRAL},
	{NET_CYCLES(fence_far_partition_cycles, 0), .formerly = "network.fence_far_cycles",
	 .default_value = "0", .doc = "The same of lines of the other partition.", NEUTRAL},
	{NET_CYCLES(fence_batch_interval_cycles, 0), .formerly = "network.fence_wave_cycles",
	 .default_value = "0",
	 .doc = "Fences of the device leave an SM in batches: those that are issued while a "
		"batch is on its round trip wait for the next, which leaves when that is over, "
		"so many cycles behind it at least; 0: each leaves at once.",
	 NEUTRAL},
	{NET_CYCLES(fence_batch_window_cycles, 0), .formerly = "network.fence_join_cycles",
	 .default_value = "0", .needs = "network.fence_batch_interval_cycles",
	 .doc = "A batch of fences has those that are issued within so many cycles of its "
		"first.",
	 NEUTRAL},
	{NET_CYCLES(fence_batch_overlap_cycles, 0), .formerly = "network.fence_back_cycles",
	 .default_value = "0", .needs = "network.fence_batch_interval_cycles",
	 .doc = "A batch of fences is back so many cycles before its fences end: by so much "
		"the next overlaps it.",
	 NEUTRAL},
	{NET_CYCLES(latency_spread_cycles, 0), .formerly = "network.spread_cycles",
	 .default_value = "0",
	 .doc = "Round trips differ by up to so much either way, by group of SMs and slice.",
	 NEUTRAL},
	{NET(group_sms, 1, 1024), .default_value = "1", .unit = "SMs",
	 .doc = "SMs (a GPC) that share an ingress from the crossbar, and an egress to it "
		"where the map knows no other, and whose distances agree.",
	 NEUTRAL},
	{MCYCLES(group_egress_packet_mcycles), .formerly = "network.group_packet_mcycles",
	 .default_value = "0", .doc = "The egress that SMs of a group share takes a packet.",
	 NEUTRAL},
	{MCYCLES(group_egress_flit_mcycles), .formerly = "network.group_flit_mcycles",
	 .default_value = "0", .doc = "Added for each of its flits.", NEUTRAL},
	{MCYCLES(group_ingress_sector_mcycles),
	 .formerly = "network.group_reply_sector_mcycles", .default_value = "0",
	 .doc = "Their ingress takes a sector of a load.", NEUTRAL},
	{MCYCLES(group_ingress_word_mcycles), .formerly = "network.group_reply_word_mcycles",
	 .default_value = "0", .doc = "Added for each word of it.", NEUTRAL},
	{MCYCLES(egress_mix_mcycles), .formerly = "network.mix_mcycles", .default_value = "0",
	 .doc = "Added at the egress port to an SM's atomic on v lines of several words and s "
		"lines of one: v s (v + 4 s) / (v + s)^2 times so much.",
	 NEUTRAL},
	{MCYCLES(egress_flit_mcycles), .formerly = "network.flit_mcycles", .default_value = "0",
	 .doc = "An SM's egress port sends a flit.", NEUTRAL},
	{MCYCLES(egress_load_mcycles), .formerly = "network.load_mcycles", .default_value = "0",
	 .doc = "Each warp instruction that loads takes it so long, at least.", NEUTRAL},
	{MCYCLES(ingress_word_mcycles), .formerly = "network.reply_word_mcycles",
	 .default_value = "0", .doc = "A bank of an SM's ingress port takes a result.",
	 NEUTRAL},
	{MCYCLES(ingress_bank_conflict_mcycles), .formerly = "network.reply_other_word_mcycles",
	 .default_value = "0",
	 .doc = "The same of one lane behind one of another word of its bank.", NEUTRAL},
	{MCYCLES(ingress_packet_mcycles), .formerly = "network.reply_packet_mcycles",
	 .default_value = "0", .doc = "The ingress port takes each result.", NEUTRAL},
	{MCYCLES(ingress_load_mcycles), .formerly = "network.reply_load_mcycles",
	 .default_value = "0", .doc = "The ingress port takes a load's packet.", NEUTRAL},
	{MCYCLES(ingress_load_sector_mcycles), .formerly = "network.reply_load_sector_mcycles",
	 .default_value = "0", .doc = "Added for each further sector of that.", NEUTRAL},
};

#define DRAM(field, from, to)                                                                  \
	.path = "dram." #field, KEY_NUMBER(DramParameters, field, from, to)

static const Key dram_rows[] = {
	{DRAM(capacity_kib, 0, UINT32_MAX), .default_value = "0", .unit = "KiB",
	 .doc = "Of what a kernel's buffers hold so much is in the L2 when it begins; 0: all.",
	 NEUTRAL},
	{DRAM(home_capacity_kib, 0, UINT32_MAX), .default_value = "0", .unit = "KiB",
	 .doc = "The same where lines are in their home partition alone when it begins "
		"(launch.l2 home); 0: dram.capacity_kib.",
	 NEUTRAL},
	{.path = "dram.latency_cycles",
	 KEY_CYCLES(DramParameters, latency_cycles, 0),
	 .default_value = "0",
	 .doc = "Added to what is not.",
	 NEUTRAL},
	{DRAM(slow_lines, 0, 1 << 20), .default_value = "0", .unit = "lines",
	 .doc = "One in so many takes longer, with those of its page and slice; which, a hash "
		"of its address says. 0: none.",
	 NEUTRAL},
	{DRAM(slow_cycles, 0, 1000000), .default_value = "0", .needs = "dram.slow_lines",
	 .unit = "cycles", .doc = "By up to so much, all as likely.", NEUTRAL},
	{DRAM(channels, 1, 1024), .default_value = "1", .unit = "channels",
	 .doc = "That share its rate, each its part; slices go to them round robin, and there "
		"are no more than slices.",
	 NEUTRAL},
	{DRAM(load_mcycles, 0, MAX_MILLI), .default_value = "0", .unit = "1/1000 cycle",
	 .doc = "The whole memory takes so long for a line of which something is read.",
	 NEUTRAL, .replaces = "dram.load_sector_mcycles"},
	{DRAM(atomic_mcycles, 0, MAX_MILLI), .default_value = "0", .unit = "1/1000 cycle",
	 .doc = "The same for one that is written back too.", NEUTRAL,
	 .replaces = "dram.atomic_sector_mcycles"},
};

const MemoryKeys memory_keys[] = {
	{{"l2", l2_rows, N_ROWS(l2_rows), sizeof(L2Parameters), NULL},
	 "Slices of the L2, where atomics on global memory are done"},
	{{"network", network_rows, N_ROWS(network_rows), sizeof(NetworkParameters), NULL},
	 "Between SMs and L2"},
	{{"dram", dram_rows, N_ROWS(dram_rows), sizeof(DramParameters), NULL}, "Behind the L2"},
	{{"paths", path_keys, N_PATH_KEYS, sizeof(PathParameters), NULL},
	 "Two paths to memory, of GPUs that have them"},
};
