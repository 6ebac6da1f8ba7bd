/* SPDX-License-Identifier: MIT */
/* Keys of global memory, of launches and of the simulator. */
#include "config/keys-own.h"

#include <stddef.h>

#include "model/memory/coalesce.h"
#include "model/memory/l1.h"

#define GUIDE KEY_GUIDE
#define H200  KEY_H200

#define MAX_WATCHDOG UINT64_C(1000000000000) /* cJSON writes 15 digits */

static const char *global_mechanism_name(unsigned i)
{
	return global_mechanisms[i] ? global_mechanisms[i]->name : NULL;
}

static const void *global_mechanism_plugin(unsigned i)
{
	return global_mechanisms[i];
}

static const char *special_global_name(unsigned i)
{
	return i == 0 ? "same" : global_mechanism_name(i - 1);
}

static const void *special_global_plugin(unsigned i)
{
	return i == 0 ? NULL : global_mechanism_plugin(i - 1);
}

static const char *const former_launch_places[N_LAUNCH_PLACES] = {"dealt", "median"};
static const KeyNames launch_l2 = {KEY_NAME_LIST(launch_l2_names)};
static const KeyNames launch_code = {KEY_NAME_LIST(launch_code_names)};
static const KeyNames launch_parameters = {KEY_NAME_LIST(launch_parameters_names)};
static const KeyNames launch_tlb = {KEY_NAME_LIST(launch_tlb_names)};
static const KeyNames launch_place = {KEY_NAME_LIST(launch_place_names),
				      .formerly = former_launch_places};
static const KeyNames launch_warps = {KEY_NAME_LIST(launch_warps_names)};
static const KeyNames split_names = {KEY_NAME_LIST(l1_split_names)};
static const KeyNames stores_names = {KEY_NAME_LIST(l1_stores_names)};
static const KeyNames global_names = {KEY_NAME_LIST(global_model_names)};
static const KeyNames global_mechanism_names = {.name = global_mechanism_name,
						.plugin = global_mechanism_plugin};
static const KeyNames special_global_names = {.name = special_global_name,
					      .plugin = special_global_plugin};

#define GLOBAL_ATOMIC(field)                                                                   \
	.path = "global.atomic." #field,                                                       \
	KEY_FIELD(KEY_PLUGIN, const GlobalMechanism *, Machine, global_atomic.field)

const Key global_keys[] = {
	{FIELD(KEY_CHOICE, GlobalModel, global.model), .names = &global_names,
	 .default_value = "flat", .acts_on = KEY_ACTS_BUFFERS,
	 .doc = "Timing of global accesses whose addresses are in the trace: flat, a latency "
		"and a bandwidth; slices, by l2, network and dram. Accesses without addresses "
		"are always timed flat.",
	 .source = "a setting of the simulator"},
	{CYCLES(global.latency_cycles, 1), .default_value = "600", .assumption = TRUE,
	 .acts_on = KEY_ACTS_GLOBAL,
	 .doc = "Latency of a load from global memory when nothing is queued.",
	 .source = GUIDE ", section 5.2.3: 400 to 800; the middle is taken"},
	{CYCLES(global.load_cycles, 0), .default_value = "685", .acts_on = KEY_ACTS_FLOW,
	 .doc = "Latency of a load in traces with data flow; 0: global.latency_cycles. Traces "
		"without data flow make a chain of all arithmetic and need another latency.",
	 .source = "Andersch, Lucas, Alvarez-Mesa, Juurlink, ISPASS 2015: 685 on a GF106, the "
		   "same generation"},
	{CYCLES(global.store_cycles, 0), .default_value = "310", .assumption = TRUE,
	 .acts_on = KEY_ACTS_GLOBAL_STORE,
	 .doc = "From the departure of a block's last store to the end of the block, in traces "
		"with data flow; 0: a block waits for no store.",
	 .source = "that a block waits: GPGPU-Sim ends a warp after its stores; for how long: "
		   "a trip to the L2, 310 cycles on a GF106, Andersch et al., ISPASS 2015"},
	{UINT32(global.bandwidth_mb_per_s, 1, 100000000), .unit = "MB/s",
	 .default_value = "192400",
	 .doc = "Bandwidth of the global memory of the whole GPU; 1 MB is 1,000,000 bytes.",
	 .source = "NVIDIA's specification of the GTX 580: 192.4 GB/s"},
	{UINT32(global.l1_bytes, 0, 1048576), .multiple = LINE_BYTES, .unit = "bytes",
	 .default_value = "0", .acts_on = KEY_ACTS_BUFFERS,
	 .doc = "Size of an SM's L1 cache of global memory, in traces with addresses; 0: none.",
	 .neutral = true, .source = "which of Fermi's two splits was set is not published"},
	{FIELD(KEY_CHOICE, L1Split, global.l1_split), .names = &split_names,
	 .default_value = "none", .needs = "global.l1_bytes", .acts_on = KEY_ACTS_BUFFERS,
	 .doc = "Whether the L1 shares its bytes with shared memory: hopper, the resident "
		"blocks of a kernel take the least of 0, 8, 16, 32, 64, 100, 132, 164, 196 and "
		"228 KiB that holds their shared memory.",
	 .source = "the steps: NVIDIA's CUDA C++ Programming Guide, compute capability 9.0"},
	{UINT32(global.l1_ways, 1, L1_MAX_WAYS), .unit = "lines", .default_value = "4",
	 .needs = "global.l1_bytes", .acts_on = KEY_ACTS_BUFFERS,
	 .doc = "Associativity of the L1: lines of a set, replaced least recently used first. "
		"With as many as the L1 has lines, or more, a line can be anywhere.",
	 .assumption = true, .source = "as many as a GTX 580's is said to have; not measured"},
	{FIELD(KEY_CHOICE, L1Stores, global.l1_stores), .names = &stores_names,
	 .default_value = "ignored", .needs = "global.l1_bytes", .acts_on = KEY_ACTS_BUFFERS,
	 .doc = "What stores leave in the L1 of their SM. ignored: nothing. words: later loads "
		"find the 4-byte words that a store has written completely, and do not find "
		"the 32-byte sectors that an atomic has operated on.",
	 .neutral = true, .source = "not published"},
	{CYCLES(global.l1_cycles, 1), .default_value = "80", .needs = "global.l1_bytes",
	 .acts_on = KEY_ACTS_BUFFERS,
	 .doc = "Latency of a load that finds all its sectors in the L1.",
	 .source = "GPGPU-Sim's GTX 480: 35 core cycles and more"},
	{CYCLES(global.l1_line_cycles, 0), .default_value = "2", .needs = "global.l1_bytes",
	 .acts_on = KEY_ACTS_BUFFERS,
	 .doc = "Added for each further pass of a load through the L1's data, where lanes "
		"access different words of a bank. Without global.model slices: added for each "
		"128-byte line beyond two.",
	 .assumption = true, .source = "one issue slot"},
	{UINT32(global.l1_tags, 1, 32), .default_value = "1", .unit = "lines",
	 .needs = "global.line_cycles", .acts_on = KEY_ACTS_BUFFERS,
	 .doc = "128-byte lines of a load that the L1 looks up at a time.", KEY_NOT_PUBLISHED},
	{CYCLES(global.line_cycles, 0), .default_value = "0",
	 .doc = "Time for which the L1 and the LSU of an SM are busy with each pass of a load: "
		"a pass for each word of a bank, or for each global.l1_tags lines. Also with "
		"each line of an atomic without result that has three or more lines.",
	 .neutral = true, .source = "not published"},
	{UINT32(global.sm_bytes_per_cycle, 0, 4096), .unit = "bytes", .default_value = "0",
	 .doc = "Most bytes that an SM moves to and from global memory in a cycle. With it, in "
		"traces with data flow, SMs without a block leave their share of the bandwidth "
		"to other SMs. 0: each SM has an equal share.",
	 .neutral = true, .source = "not published of Fermi"},
	{UINT32(global.sm_store_bytes_per_cycle, 0, 4096), .unit = "bytes",
	 .default_value = "0", .acts_on = KEY_ACTS_GLOBAL_STORE,
	 .doc = "Most bytes of stores that an SM sends in a cycle, in traces with data flow. "
		"shared.queue lines of stores can wait for this, further ones wait in their "
		"warps. 0: no limit.",
	 .neutral = true, .source = "not published of Fermi"},

	{UINT32(global.sm_store_lines, 0, MAX_STORE_LINES), .unit = "lines",
	 .default_value = "0", .needs = "global.sm_store_bytes_per_cycle",
	 .acts_on = KEY_ACTS_GLOBAL_STORE,
	 .doc = "128-byte lines that wait to leave an SM and take other stores to them along, "
		"in traces with data flow. 0: each store leaves by itself.",
	 .neutral = true, .source = "not published of Fermi"},

	{GLOBAL_ATOMIC(mechanism), .names = &global_mechanism_names, .default_value = "l2",
	 .acts_on = KEY_ACTS_GLOBAL_ATOMIC,
	 .doc = "How an atomic on global memory is carried out whose addresses are in the "
		"trace. Mechanisms other than l2 need global.model slices.",
	 .measured_on = "NVIDIA H200",
	 .source = H200 "/global-atomics.csv, all operations, floats too"},
	{GLOBAL_ATOMIC(mechanism_f32), .names = &special_global_names, .default_value = "same",
	 .acts_on = KEY_ACTS_GLOBAL_ATOMIC,
	 .doc = "How arithmetic on 32-bit floats in global memory is carried out; \"same\": as "
		"global.atomic.mechanism.",
	 .measured_on = "NVIDIA H200", .source = "as global.atomic.mechanism"},
	{GLOBAL_ATOMIC(mechanism_64bit), .names = &special_global_names,
	 .default_value = "same", .acts_on = KEY_ACTS_GLOBAL_ATOMIC,
	 .doc = "How arithmetic on 64-bit values in global memory is carried out; \"same\": as "
		"global.atomic.mechanism.",
	 .measured_on = "NVIDIA H200", .source = "as global.atomic.mechanism"},
};

const guint n_global_keys = G_N_ELEMENTS(global_keys);

const Key launch_keys[] = {
	{FIELD(KEY_CHOICE, LaunchL2, launch.l2), .names = &launch_l2, .default_value = "warm",
	 .acts_on = KEY_ACTS_MEMORY, .replaces = "l2.copied",
	 .doc = "Where a launch finds the lines of its buffers. warm: SMs of both L2 "
		"partitions have loaded them, and as much as l2.copies_kib is in both. "
		"written: all SMs have just written them, 16 KiB a block, and the partition of "
		"a line's writer has a copy. home: in their home partition alone, as after a "
		"copy from the host. cold: in DRAM alone. recorded: by what "
		"the trace says of each buffer: used, warm; set, or used and now written to, "
		"written; reused, home; fresh, or copied and over 16 MiB, cold; else home. The "
		"first load of half a line fetches it, or a copy of it, where that is missing.",
	 .source = H200
	 ": touch.csv, l2: the first pass of 1 to 25 MiB takes 366 cycles a load, the second "
	 "280; pages: 33 of 64 lines after a cudaMemset take 180 more the first time, by one "
	 "side's SM or the other's, after a copy from the host all far ones; sectors.csv: "
	 "the first sector of each half of a line takes longer"},
	{FIELD(KEY_CHOICE, LaunchCode, launch.code), .names = &launch_code,
	 .default_value = "warm", .acts_on = KEY_ACTS_FLOW,
	 .doc = "Whether SMs have run the kernel's code before. cold: instructions that "
		"an SM runs for the first time come one after the other, "
		"sm.issue.code_fetch_mcycles each, and constants of its module from DRAM "
		"(sm.issue.module_constant_cold_cycles). "
		"recorded: cold where the trace says that it is the program's first launch of "
		"the kernel, or that another kernel was new since the last one, else warm.",
	 .source = H200
	 "/first.csv: line, jumps: the first launch and later ones; history.csv: other"},
	{FIELD(KEY_CHOICE, LaunchTlb, launch.tlb), .names = &launch_tlb,
	 .default_value = "warm", .needs = "tlb.entry_kib",
	 .acts_on = KEY_ACTS_MEMORY | KEY_ACTS_FLOW,
	 .doc = "Whether the TLBs have the translations of a launch's buffers, and of its "
		"module's constants. warm: all. "
		"cold: none. recorded: as under Nsight Compute, which empties the TLBs before "
		"the first launch that it counts: cold where the trace does not say that the "
		"program had launched a kernel before, and says that none had used any of the "
		"buffers (of the program's first launch: does not say that one had), else "
		"warm.",
	 .source = H200 "/translation-first.csv: launches of a program under Nsight Compute"},
	{FIELD(KEY_CHOICE, LaunchParameters, launch.parameters), .names = &launch_parameters,
	 .default_value = "warm", .acts_on = KEY_ACTS_FLOW,
	 .needs = "sm.issue.parameter_miss_cycles",
	 .doc = "Whether an earlier launch has used the memory in which the launch's "
		"parameters come. cold: none has, and the last of them come "
		"sm.issue.parameter_miss_cycles later. recorded: cold where the trace "
		"says that the launch is one of the first of its program "
		"(sm.issue.parameter_buffers), else warm.",
	 .source =
		 H200 "/parameters.csv: the first eight launches of a process and later ones"},
	{FIELD(KEY_CHOICE, LaunchPlace, launch.place), .names = &launch_place,
	 .default_value = "round_robin", .acts_on = KEY_ACTS_MEMORY,
	 .doc = "Distance of a launch's SMs from the L2 slices. round_robin: that of the SMs "
		"which get a launch's first blocks, group by group "
		"(network.latency_spread_cycles). median: the mean distance for all SMs; for "
		"kernels that were measured on many SMs, of which the median counts.",
	 .source = H200
	 "/l2: placement.csv: launches of 1 to 528 blocks, all dispatched in the same order"},
	{UINT32(launch.sms, 0, 1024), .unit = "SMs", .default_value = "0",
	 .doc = "SMs that take a launch's blocks; another kernel has the rest. 0, or more than "
		"there are: all.",
	 .source = "0: a launch has the GPU to itself"},
	{UINT32(launch.registers, 0, 255), .unit = "registers", .default_value = "0",
	 .doc = "Registers of 32 bits that a thread has, as another limit of the compiler "
		"would "
		"give it; the program stays as it is. 0: as many as the trace says; where it "
		"says none, registers limit no block.",
	 .source = "0: as the kernel was compiled"},
	{FIELD(KEY_CHOICE, LaunchWarps, launch.warps), .names = &launch_warps,
	 .default_value = "staggered", .needs = "sm.warp_start_cycles",
	 .doc = "When the warps of a block start. staggered: sm.warp_start_cycles after one "
		"another. together: at once, as in programs that start their timing after a "
		"barrier.",
	 .source = "staggered: as a GPU starts them"},

	{UINT64(sim.watchdog_cycles, 1000, MAX_WATCHDOG), .unit = "cycles",
	 .default_value = "10000000",
	 .doc = "Livelock limit: an SM without progress for this long ends the run as a "
		"livelock, unless one of its warps waits for memory.",
	 .source = "a setting of the simulator"},
};

const guint n_launch_keys = G_N_ELEMENTS(launch_keys);
