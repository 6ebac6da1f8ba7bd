/* SPDX-License-Identifier: MIT */
/* Keys of SMs, shared memory and atomics on it. */
#include "config/keys-own.h"

#include <stddef.h>

#define PAPER KEY_PAPER
#define GUIDE KEY_GUIDE

static const char *scheduler_name(unsigned i)
{
	return schedulers[i] ? schedulers[i]->name : NULL;
}

static const void *scheduler_plugin(unsigned i)
{
	return schedulers[i];
}

static const char *mechanism_name(unsigned i)
{
	return mechanisms[i] ? mechanisms[i]->name : NULL;
}

static const void *mechanism_plugin(unsigned i)
{
	return mechanisms[i];
}

/* For keys of some types: those that nothing is said of have atomic.mechanism. */
static const char *special_mechanism_name(unsigned i)
{
	return i == 0 ? "same" : mechanism_name(i - 1);
}

static const void *special_mechanism_plugin(unsigned i)
{
	return i == 0 ? NULL : mechanism_plugin(i - 1);
}

static const KeyNames scheduler_names = {.name = scheduler_name, .plugin = scheduler_plugin};
static const KeyNames mechanism_names = {.name = mechanism_name, .plugin = mechanism_plugin};
static const KeyNames special_mechanism_names = {.name = special_mechanism_name,
						 .plugin = special_mechanism_plugin};

const Key sm_keys[] = {
	{FIELD(KEY_TEXT, const char *, name), .default_value = "GeForce GTX 580",
	 .doc = "Name of the GPU or design, shown in reports.", .source = PAPER},
	{UINT32(clock_mhz, 1, 100000), .unit = "MHz", .default_value = "1544",
	 .doc = "Clock of all cycle counts (GTX 580: the shader clock).",
	 .source = "NVIDIA's specification of the GTX 580"},
	{UINT32(launch_ns, 0, 1000000000), .unit = "ns", .default_value = "0",
	 .doc = "Launch overhead, in addition to the cycles. It is part of elapsed_cycles and "
		"duration_us of a report, of sums of runs (run --sequence), and of published "
		"times in validate.",
	 .neutral = true, .source = "not counted"},

	{UINT32(sm.count, 1, 1024), .unit = "SMs", .default_value = "16",
	 .doc = "SMs of the GPU. A block is dispatched to an SM as soon as the SM has room.",
	 .source = "NVIDIA's specification of the GTX 580"},
	{UINT32(sm.max_warps, 1, MAX_WARP_SLOTS), .unit = "warps", .default_value = "48",
	 .doc = "Warps resident on an SM at a time.", .source = GUIDE ", appendix F"},
	{UINT32(sm.max_blocks, 1, 64), .unit = "blocks", .default_value = "8",
	 .doc = "Thread blocks resident on an SM at a time.", .source = GUIDE ", appendix F"},
	{UINT32(sm.registers, 0, 1 << 24), .unit = "registers", .default_value = "32768",
	 .acts_on = KEY_ACTS_REGISTERS,
	 .doc = "Registers of 32 bits of an SM, an equal part for each scheduler: a block is "
		"resident only where its warps find room for theirs (launch.registers). 0: "
		"registers limit no block.",
	 .source = GUIDE ", appendix F"},
	{UINT32(sm.register_allocation, 1, 1 << 16), .unit = "registers", .default_value = "64",
	 .acts_on = KEY_ACTS_REGISTERS, .needs = "sm.registers",
	 .doc = "Registers that a warp gets are a multiple of this.",
	 .source = "NVIDIA's occupancy calculator, compute capability 2.0"},
	{UINT32(sm.schedulers, 1, MAX_SCHEDULERS), .unit = "schedulers", .default_value = "2",
	 .doc = "Warp schedulers of an SM. Warp slot w belongs to scheduler w mod this number.",
	 .source = GUIDE ", section F.4: one for odd, one for even warps"},
	{FIELD(KEY_PLUGIN, const Scheduler *, sm.scheduler), .names = &scheduler_names,
	 .default_value = "lrr", .assumption = TRUE, .acts_on = KEY_ACTS_CHOICE,
	 .doc = "Scheduling policy: which eligible warp issues next.",
	 .source = "not published; gto, which GPGPU-Sim configures for a GTX 480, livelocks "
		   "here once enough warps retry on one word: the oldest retry for ever and "
		   "starve the lock's holder"},
	{CYCLES(sm.issue_cycles, 1), .default_value = "2",
	 .doc = "Time for which a scheduler is busy with each warp instruction.",
	 .source = GUIDE ", section F.4"},
	{CYCLES(sm.alu_latency_cycles, 1), .default_value = "22",
	 .doc = "Latency of arithmetic: from the issue of an instruction to the issue of one "
		"that needs its result.",
	 .source = GUIDE ", section 5.2.3"},
	{UINT32(sm.scoreboard, 0, 1), .default_value = "0",
	 .doc = "Scoreboard. 0: a warp waits for each access to complete. 1: the warp "
		"continues, and an instruction waits for the values that it reads (traces with "
		"data flow). In traces without data flow a load waits for nothing, an atomic "
		"for the loads before it, any other instruction for all results.",
	 .source = PAPER ": Algorithm 1 adds up waits"},
	{UINT32(sm.independent_thread_scheduling, 0, 1), .default_value = "0",
	 .formerly = "sm.issue.lanes_go_on", .acts_on = KEY_ACTS_SECTION,
	 .doc = "Independent thread scheduling. 1: lanes that have released a software lock go "
		"on to their next lock while other lanes of the warp still try. 0: they wait "
		"for those lanes.",
	 .source = "CUDA C++ Programming Guide, Independent Thread Scheduling: from compute "
		   "capability 7.0 on each lane has its own place in the program"},
	{CYCLES(sm.barrier_cycles, 0), .default_value = "2", .acts_on = KEY_ACTS_BARRIER,
	 .doc = "Time for which the barrier unit is busy with each arriving warp.",
	 .source = GUIDE ", section 5.4.3: 16 thread operations a cycle"},
	{CYCLES(sm.barrier_latency_cycles, 0), .default_value = "22", .assumption = TRUE,
	 .acts_on = KEY_ACTS_BARRIER,
	 .doc = "From the arrival of the last warp at a barrier to the release of all warps.",
	 .source = "not published; taken as one arithmetic latency"},
	{CYCLES(sm.launch_cycles, 0), .default_value = "0",
	 .doc = "Time for which an SM counts as busy in a launch outside its blocks: before "
		"its first warp begins and after its last warp ends. Only figures that are "
		"compared with a counter of busy SMs include it (busy_cycles of a report, "
		"validate).",
	 .neutral = true, .source = "not counted"},
	{CYCLES(sm.dispatch_cycles, 0), .default_value = "256", .assumption = TRUE,
	 .acts_on = KEY_ACTS_ROOM,
	 .doc = "From the end of a block to the start of the block that replaces it.",
	 .source = "not published"},
	{UINT32(sm.block_end_mcycles, 0, KEY_MAX_CYCLES), .default_value = "0",
	 .unit = "1/1000 cycle",
	 .doc = "Time that the GPU takes for the end of a block, one after another, whichever "
		"SM "
		"it ran on. The next block comes into its place afterwards; a launch has "
		"elapsed (elapsed_cycles) when all have been taken note of.",
	 .neutral = true, .source = "not published"},
	{CYCLES(sm.block_start_cycles, 0), .default_value = "0",
	 .doc = "Least time between the starts of two blocks on an SM.", KEY_NOT_PUBLISHED},
	{CYCLES(sm.warp_start_cycles, 0), .default_value = "0",
	 .doc = "Time between the starts of successive warps of a block; the next block starts "
		"after the last of them.",
	 .neutral = true, .source = "not published"},
};

const guint n_sm_keys = G_N_ELEMENTS(sm_keys);

const Key shared_keys[] = {
	{UINT32(shared.bytes, 4, 1048576), .multiple = 4, .unit = "bytes",
	 .default_value = "49152", .doc = "Shared memory of an SM, for all resident blocks.",
	 .source = GUIDE ", appendix F"},
	{UINT32(shared.allocation_bytes, 4, 65536), .multiple = 4, .unit = "bytes",
	 .default_value = "128",
	 .doc = "Granularity of allocation: a block's shared memory is rounded up to a "
		"multiple of this.",
	 .source = "CUDA Occupancy Calculator, compute capability 2.0"},
	{UINT32(shared.reserved_bytes, 0, 65536), .multiple = 4, .unit = "bytes",
	 .default_value = "0",
	 .doc = "Bytes that the system reserves in front of each block's shared memory. They "
		"move the block's words to other banks and locks.",
	 .source = "CUDA Occupancy Calculator, compute capability 2.0"},
	{UINT32(shared.banks, 1, SHARED_MAX_BANKS), .unit = "banks", .default_value = "32",
	 .acts_on = KEY_ACTS_SHARED,
	 .doc = "Banks of shared memory, each one 32-bit word wide.",
	 .source = GUIDE ", section F.4.3"},
	{FIELD(KEY_HASH, HashSpec, shared.bank_hash), .default_value = "mod",
	 .acts_on = KEY_ACTS_SHARED, .doc = "Hash from a word's index to its bank.",
	 .source = GUIDE ", section F.4.3"},
	{UINT32(shared.pass_cycles, 1, 32), .unit = "cycles", .default_value = "2",
	 .doc = "Time for which the banks are busy with each pass (wavefront).",
	 .source = GUIDE ", section F.4.3: 32 bits per two clock cycles"},
	{UINT32(shared.conflict_latency_cycles, 1, 255), .unit = "cycles",
	 .default_value = "32", .formerly = "shared.t_bank_cycles", .acts_on = KEY_ACTS_SHARED,
	 .doc = "Latency that each pass after the first adds for its own warp.",
	 .source = PAPER ", t_bank"},
	{CYCLES(shared.load_cycles, 1), .default_value = "52", .assumption = TRUE,
	 .acts_on = KEY_ACTS_LOAD, .doc = "Latency of a load of one pass.",
	 .source = "not in the paper; GPGPU-Sim's GTX 480: 26 core cycles"},
	{CYCLES(shared.store_cycles, 1), .default_value = "36", .assumption = TRUE,
	 .acts_on = KEY_ACTS_STORE,
	 .doc = "From the issue of a store of one pass until its warp continues.",
	 .source = "not in the paper; 108 of t_base less a load of 52 and an add of 20"},
	{CYCLES(shared.scheduler_port_cycles, 0), .default_value = "0",
	 .formerly = "shared.port_cycles", .needs = "shared.queue",
	 .doc = "Time for which a scheduler's port to shared memory is busy with an access. "
		"Needs shared.queue.",
	 .neutral = true, .source = "no such port is known of Fermi"},
	{CYCLES(shared.scheduler_port_load_cycles, 0), .default_value = "0",
	 .formerly = "shared.load_port_cycles", .needs = "shared.queue",
	 .acts_on = KEY_ACTS_LOAD,
	 .doc = "Time for which the port is busy with a load, in traces with data flow; 0: "
		"shared.scheduler_port_cycles.",
	 .neutral = true, .source = "no such port is known of Fermi"},
	{CYCLES(shared.scheduler_port_register_cycles, 0), .default_value = "0",
	 .formerly = "shared.port_register_cycles",
	 .doc = "Added to the time at the port for each register that the lanes provide beyond "
		"two (an address and a value).",
	 .neutral = true, .source = "no such port is known of Fermi"},
	{CYCLES(shared.warp_pass_cycles, 0), .default_value = "0",
	 .formerly = "shared.port_pass_cycles", .needs = "shared.queue",
	 .doc = "Least time, per pass, between two accesses of one warp. Accesses of other "
		"warps of its scheduler can go between them.",
	 .neutral = true, .source = "no such port is known of Fermi"},
	{UINT32(shared.queue, 0, SHARED_MAX_QUEUE), .unit = "accesses", .default_value = "0",
	 .doc = "Length of the LSU queue: accesses of an SM that can wait for the banks. A "
		"warp that finds the queue full waits to issue. 0: each warp has one waiting "
		"access, and there are no ports.",
	 .neutral = true, .source = "not published"},
	{CYCLES(shared.queue_release_cycles, 0), .default_value = "0",
	 .formerly = "shared.queue_cycles", .needs = "shared.queue",
	 .doc = "From the first pass of an access to the release of its place in the LSU "
		"queue.",
	 .neutral = true, .source = "not published"},
	{UINT32(shared.split_wide_accesses, 0, 1), .default_value = "0",
	 .formerly = "shared.wide_groups", .acts_on = KEY_ACTS_SHARED,
	 .doc = "Splitting of wide accesses. 1: loads and stores of 8 and 16 bytes a lane go "
		"through the banks in groups of lanes. 0: all lanes go together.",
	 .neutral = true, .source = "not known of Fermi"},

	{FIELD(KEY_PLUGIN, const Mechanism *, atomic.mechanism), .names = &mechanism_names,
	 .default_value = "lock-bits", .acts_on = KEY_ACTS_ATOMIC_PLAIN,
	 .doc = "How an atomic on shared memory is carried out.",
	 .source = PAPER "; US patent 8,055,856"},
	{FIELD(KEY_PLUGIN, const Mechanism *, atomic.mechanism_f32),
	 .names = &special_mechanism_names, .default_value = "same",
	 .acts_on = KEY_ACTS_ATOMIC_F32,
	 .doc = "How arithmetic on 32-bit floats is carried out; \"same\": as "
		"atomic.mechanism.",
	 .source = "one mechanism for all on Fermi"},
	{FIELD(KEY_PLUGIN, const Mechanism *, atomic.mechanism_64bit),
	 .names = &special_mechanism_names, .default_value = "same",
	 .acts_on = KEY_ACTS_ATOMIC_64BIT,
	 .doc = "How arithmetic on 64-bit values is carried out; \"same\": as "
		"atomic.mechanism.",
	 .source = "one mechanism for all on Fermi"},
	{UINT32(atomic.locks, 1, HASH_MAX_SIZE), .unit = "lock bits", .default_value = "1024",
	 .acts_on = KEY_ACTS_LOCK_BITS,
	 .doc = "Lock bits of an SM's lock table, shared by all its blocks.",
	 .source = PAPER ": bits 11:2 of the byte address"},
	{FIELD(KEY_HASH, HashSpec, atomic.lock_hash), .default_value = "mod",
	 .acts_on = KEY_ACTS_LOCK_BITS, .doc = "Hash from a word's index to its lock bit.",
	 .source = PAPER "; US patent 8,375,176"},
};

const guint n_shared_keys = G_N_ELEMENTS(shared_keys);
