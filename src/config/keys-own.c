/* SPDX-License-Identifier: MIT */
/* Rows of the keys that belong to no part: of the SM, shared memory, atomics, global memory, the simulator. */
#include "config/keys-own.h"

#include <stddef.h>

#include "model/memory/coalesce.h"
#include "model/memory/l1.h"

#define PAPER KEY_PAPER
#define GUIDE KEY_GUIDE
#define H200  KEY_H200

#define MAX_WATCHDOG UINT64_C(1000000000000) /* cJSON writes 15 digits */

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

static const char *global_name(unsigned i)
{
	return i < N_GLOBAL_MODELS ? global_model_names[i] : NULL;
}

static const char *split_name(unsigned i)
{
	return i < N_L1_SPLITS ? l1_split_names[i] : NULL;
}

static const char *launch_l2_name(unsigned i)
{
	return i < N_LAUNCH_L2 ? launch_l2_names[i] : NULL;
}

static const char *launch_place_name(unsigned i)
{
	return i < N_LAUNCH_PLACES ? launch_place_names[i] : NULL;
}

static const char *launch_warps_name(unsigned i)
{
	return i < N_LAUNCH_WARPS ? launch_warps_names[i] : NULL;
}

static const char *const former_launch_places[N_LAUNCH_PLACES] = {"dealt", "median"};

static const KeyNames launch_l2 = {.name = launch_l2_name};
static const KeyNames launch_place = {.name = launch_place_name,
				      .formerly = former_launch_places};
static const KeyNames launch_warps = {.name = launch_warps_name};
static const KeyNames split_names = {.name = split_name};
static const KeyNames global_names = {.name = global_name};
static const KeyNames global_mechanism_names = {.name = global_mechanism_name,
						.plugin = global_mechanism_plugin};
static const KeyNames special_global_names = {.name = special_global_name,
					      .plugin = special_global_plugin};
static const KeyNames scheduler_names = {.name = scheduler_name, .plugin = scheduler_plugin};
static const KeyNames mechanism_names = {.name = mechanism_name, .plugin = mechanism_plugin};
static const KeyNames special_mechanism_names = {.name = special_mechanism_name,
						 .plugin = special_mechanism_plugin};

/* Path, offset and the field's type from one word; the type is checked by the compiler. */
#define FIELD(kind, ctype, field) .path = #field, KEY_FIELD(kind, ctype, Machine, field)
#define UINT32(field, from, to)	  FIELD(KEY_UINT32, uint32_t, field), .min = (from), .max = (to)
#define UINT64(field, from, to)	  FIELD(KEY_UINT64, uint64_t, field), .min = (from), .max = (to)
#define CYCLES(field, from)	  UINT32(field, from, KEY_MAX_CYCLES), .unit = "cycles"

#define GLOBAL_ATOMIC(field)                                                                   \
	.path = "global.atomic." #field,                                                       \
	KEY_FIELD(KEY_PLUGIN, const GlobalMechanism *, Machine, global_atomic.field)

const Key own_keys[] = {
	{FIELD(KEY_TEXT, const char *, name), .default_value = "GeForce GTX 580",
	 .doc = "Name of the GPU or design, for reports.", .source = PAPER},
	{UINT32(clock_mhz, 1, 100000), .unit = "MHz", .default_value = "1544",
	 .doc = "Clock that all cycles are counted in: Fermi's shader clock.",
	 .source = "NVIDIA's specification of the GTX 580"},
	{UINT32(launch_ns, 0, 1000000000), .unit = "ns", .default_value = "0",
	 .doc = "What a launch costs beside its cycles: in a report's elapsed_cycles and "
		"duration_us, where runs are added up (run --sequence), "
		"and in published times in validate.",
	 .neutral = true, .source = "not counted"},

	{UINT32(sm.count, 1, 1024), .unit = "SMs", .default_value = "16",
	 .doc = "SMs of the GPU. Blocks are dispatched to them as they have room.",
	 .source = "NVIDIA's specification of the GTX 580"},
	{UINT32(sm.max_warps, 1, MAX_WARP_SLOTS), .unit = "warps", .default_value = "48",
	 .doc = "Warps resident on an SM at a time.", .source = GUIDE ", appendix F"},
	{UINT32(sm.max_blocks, 1, 64), .unit = "blocks", .default_value = "8",
	 .doc = "Thread blocks resident on an SM at a time.", .source = GUIDE ", appendix F"},
	{UINT32(sm.schedulers, 1, MAX_SCHEDULERS), .unit = "schedulers", .default_value = "2",
	 .doc = "Warp schedulers of an SM. Warp slot w belongs to scheduler w mod this number.",
	 .source = GUIDE ", section F.4: one for odd, one for even warps"},
	{FIELD(KEY_PLUGIN, const Scheduler *, sm.scheduler), .names = &scheduler_names,
	 .default_value = "lrr", .assumption = TRUE, .acts_on = KEY_ACTS_CHOICE,
	 .doc = "Which of the ready warps issues next.",
	 .source = "not published; gto, which GPGPU-Sim configures for a GTX 480, livelocks "
		   "here once "
		   "enough warps retry on one word: the oldest retry for ever and starve the "
		   "lock's holder"},
	{CYCLES(sm.issue_cycles, 1), .default_value = "2",
	 .doc = "A scheduler is busy for this long with each warp instruction.",
	 .source = GUIDE ", section F.4"},
	{CYCLES(sm.alu_latency_cycles, 1), .default_value = "22",
	 .doc = "From the issue of an arithmetic instruction to that of one that needs its "
		"result.",
	 .source = GUIDE ", section 5.2.3"},
	{UINT32(sm.scoreboard, 0, 1), .default_value = "0",
	 .doc = "0: a warp waits for each access. 1: it goes on, and an instruction waits for "
		"the "
		"values that the trace says it reads; of a trace without data flow a load "
		"waits "
		"for "
		"nothing, an atomic for the loads before it, anything else for all results.",
	 .source = PAPER ": Algorithm 1 adds up waits"},
	{UINT32(sm.independent_thread_scheduling, 0, 1), .default_value = "0",
	 .formerly = "sm.issue.lanes_go_on", .acts_on = KEY_ACTS_SECTION,
	 .doc = "1: lanes of a warp that have released a software lock go on to their next one "
		"while others still try; 0: they wait for them.",
	 .source = "CUDA C++ Programming Guide, Independent Thread Scheduling: from compute "
		   "capability 7.0 on each lane has its own place in the program"},
	{CYCLES(sm.barrier_cycles, 0), .default_value = "2", .acts_on = KEY_ACTS_BARRIER,
	 .doc = "The barrier unit is busy for this long with each warp that arrives.",
	 .source = GUIDE ", section 5.4.3: 16 thread operations a cycle"},
	{CYCLES(sm.barrier_latency_cycles, 0), .default_value = "22", .assumption = TRUE,
	 .acts_on = KEY_ACTS_BARRIER,
	 .doc = "From the last warp's arrival at a barrier to the release of all.",
	 .source = "not published; taken as one arithmetic latency"},
	{CYCLES(sm.launch_cycles, 0), .default_value = "0",
	 .doc = "How long an SM counts as busy in a launch beside its blocks: before the first "
		"warp's "
		"begin and after the last one's end. Only cycles that are compared with a "
		"counter "
		"of busy SMs hold it (busy_cycles of a report, validate).",
	 .neutral = true, .source = "not counted"},
	{CYCLES(sm.dispatch_cycles, 0), .default_value = "256", .assumption = TRUE,
	 .acts_on = KEY_ACTS_ROOM,
	 .doc = "From the end of a block to the start of the block that takes its place.",
	 .source = "not published"},
	{UINT32(sm.rotate_first_scheduler, 0, 1), .default_value = "0",
	 .formerly = "sm.rotate_blocks",
	 .doc = "1: a block's first warp goes to the scheduler behind that of the last warp of "
		"the "
		"block before it, or, if that filled all alike, one further than its first. 0: "
		"to "
		"the first that has room.",
	 .neutral = true, .source = "not known of Fermi"},
	{CYCLES(sm.block_start_cycles, 0), .default_value = "0",
	 .doc = "Blocks start on an SM at least so long after one another.", .neutral = true,
	 .source = "not published"},
	{CYCLES(sm.warp_start_cycles, 0), .default_value = "0",
	 .doc = "Warps of a block start so long after one another, and the next block after "
		"the "
		"last of them.",
	 .neutral = true, .source = "not published"},

	{UINT32(shared.bytes, 4, 1048576), .multiple = 4, .unit = "bytes",
	 .default_value = "49152",
	 .doc = "Shared memory of an SM, for all blocks resident on it.",
	 .source = GUIDE ", appendix F"},
	{UINT32(shared.allocation_bytes, 4, 65536), .multiple = 4, .unit = "bytes",
	 .default_value = "128",
	 .doc = "A block's share of the shared memory is rounded up to a multiple of this.",
	 .source = "CUDA Occupancy Calculator, compute capability 2.0"},
	{UINT32(shared.reserved_bytes, 0, 65536), .multiple = 4, .unit = "bytes",
	 .default_value = "0",
	 .doc = "Taken by the system in front of each block's share. It moves the block's "
		"words "
		"to other banks and locks.",
	 .source = "CUDA Occupancy Calculator, compute capability 2.0"},
	{UINT32(shared.banks, 1, SHARED_MAX_BANKS), .unit = "banks", .default_value = "32",
	 .acts_on = KEY_ACTS_SHARED,
	 .doc = "Banks of the shared memory, each one 32-bit word wide.",
	 .source = GUIDE ", section F.4.3"},
	{FIELD(KEY_HASH, HashSpec, shared.bank_hash), .default_value = "mod",
	 .acts_on = KEY_ACTS_SHARED, .doc = "From a word's index to its bank.",
	 .source = GUIDE ", section F.4.3"},
	{UINT32(shared.pass_cycles, 1, 32), .unit = "cycles", .default_value = "2",
	 .doc = "The banks are busy for this long with each pass.",
	 .source = GUIDE ", section F.4.3: 32 bits per two clock cycles"},
	{UINT32(shared.conflict_latency_cycles, 1, 255), .unit = "cycles",
	 .default_value = "32", .formerly = "shared.t_bank_cycles", .acts_on = KEY_ACTS_SHARED,
	 .doc = "Latency that each pass after the first adds to its own warp.",
	 .source = PAPER ", t_bank"},
	{CYCLES(shared.load_cycles, 1), .default_value = "52", .assumption = TRUE,
	 .acts_on = KEY_ACTS_LOAD, .doc = "Latency of a load of one pass.",
	 .source = "not in the paper; GPGPU-Sim's GTX 480: 26 core cycles"},
	{CYCLES(shared.store_cycles, 1), .default_value = "36", .assumption = TRUE,
	 .acts_on = KEY_ACTS_STORE,
	 .doc = "From the issue of a store of one pass until its warp goes on.",
	 .source = "not in the paper; what is left of t_base after load and add"},
	{CYCLES(shared.scheduler_port_cycles, 0), .default_value = "0",
	 .formerly = "shared.port_cycles", .needs = "shared.queue",
	 .doc = "A scheduler's port to the shared memory is busy for this long with an access. "
		"Needs "
		"shared.queue.",
	 .neutral = true, .source = "no such port is known of Fermi"},
	{CYCLES(shared.scheduler_port_load_cycles, 0), .default_value = "0",
	 .formerly = "shared.load_port_cycles", .needs = "shared.queue",
	 .acts_on = KEY_ACTS_LOAD,
	 .doc = "As shared.scheduler_port_cycles, of a load in a trace that says what waits "
		"for what; 0: "
		"the "
		"same.",
	 .neutral = true, .source = "no such port is known of Fermi"},
	{CYCLES(shared.scheduler_port_register_cycles, 0), .default_value = "0",
	 .formerly = "shared.port_register_cycles",
	 .doc = "The port is busy for so much longer for each register beyond two that the "
		"lanes bring: two are an address and a value.",
	 .neutral = true, .source = "no such port is known of Fermi"},
	{CYCLES(shared.warp_pass_cycles, 0), .default_value = "0",
	 .formerly = "shared.port_pass_cycles", .needs = "shared.queue",
	 .doc = "A warp's accesses follow each other by at least this long a pass; those of "
		"others of its "
		"scheduler go between them.",
	 .neutral = true, .source = "no such port is known of Fermi"},
	{UINT32(shared.queue, 0, SHARED_MAX_QUEUE), .unit = "accesses", .default_value = "0",
	 .doc = "Accesses of an SM that can wait for the banks; a warp that finds no place "
		"waits to issue. 0: none but the one that each warp waits with, and no "
		"ports.",
	 .neutral = true, .source = "not published"},
	{CYCLES(shared.queue_release_cycles, 0), .default_value = "0",
	 .formerly = "shared.queue_cycles", .needs = "shared.queue",
	 .doc = "An access gives its place in the queue back so long after its first pass.",
	 .neutral = true, .source = "not published"},
	{UINT32(shared.split_wide_accesses, 0, 1), .default_value = "0",
	 .formerly = "shared.wide_groups", .acts_on = KEY_ACTS_SHARED,
	 .doc = "1: loads and stores of 8 and 16 bytes a lane go through the banks by groups "
		"of "
		"lanes. 0: all lanes together.",
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
	 .doc = "Lock bits of an SM's table, shared by all its blocks.",
	 .source = PAPER ": bits 11:2 of the byte address"},
	{FIELD(KEY_HASH, HashSpec, atomic.lock_hash), .default_value = "mod",
	 .acts_on = KEY_ACTS_LOCK_BITS, .doc = "From a word's index to its lock bit.",
	 .source = PAPER "; US patent 8,375,176"},

	{FIELD(KEY_CHOICE, GlobalModel, global.model), .names = &global_names,
	 .default_value = "flat", .acts_on = KEY_ACTS_BUFFERS,
	 .doc = "How accesses to global memory are timed whose addresses the trace says: flat, "
		"a "
		"latency and a bandwidth; slices, by l2, network and dram. All others are "
		"timed "
		"flat.",
	 .source = "a setting of the simulator"},
	{CYCLES(global.latency_cycles, 1), .default_value = "600", .assumption = TRUE,
	 .acts_on = KEY_ACTS_GLOBAL,
	 .doc = "Latency of a load from global memory with nothing queued.",
	 .source = GUIDE ", section 5.2.3: 400 to 800; the middle is taken"},
	{CYCLES(global.load_cycles, 0), .default_value = "685", .acts_on = KEY_ACTS_FLOW,
	 .doc = "The same in a trace that says what waits for what; 0: global.latency_cycles. "
		"Other traces make a chain of all arithmetic and need another latency.",
	 .source = "Andersch, Lucas, Alvarez-Mesa, Juurlink, ISPASS 2015: 685 on a GF106, the "
		   "same "
		   "generation"},
	{CYCLES(global.store_cycles, 0), .default_value = "310", .assumption = TRUE,
	 .acts_on = KEY_ACTS_GLOBAL_STORE,
	 .doc = "A block keeps its place on the SM until its last store has gone out and so "
		"much longer, in a trace that says what waits for what; 0: it waits for no "
		"store.",
	 .source =
		 "that a block waits: GPGPU-Sim ends a warp behind its stores; for how long: a "
		 "trip to the L2, 310 cycles on a GF106, Andersch et al., ISPASS 2015"},
	{UINT32(global.bandwidth_mb_per_s, 1, 100000000), .unit = "MB/s",
	 .default_value = "192400",
	 .doc = "Bandwidth of the global memory, of the whole GPU; 1 MB is 1,000,000 bytes.",
	 .source = "NVIDIA's specification of the GTX 580: 192.4 GB/s"},
	{UINT32(global.l1_bytes, 0, 1048576), .multiple = LINE_BYTES, .unit = "bytes",
	 .default_value = "0", .acts_on = KEY_ACTS_BUFFERS,
	 .doc = "First cache of global memory of an SM, in traces with addresses; 0: "
		"none.",
	 .neutral = true, .source = "which of Fermi's two splits was set is not published"},
	{FIELD(KEY_CHOICE, L1Split, global.l1_split), .names = &split_names,
	 .default_value = "none", .needs = "global.l1_bytes", .acts_on = KEY_ACTS_BUFFERS,
	 .doc = "Whether that cache shares its bytes with shared memory: hopper, the kernel's "
		"blocks that fit an SM take the least of 0, 8, 16, 32, 64, 100, 132, 164, 196 "
		"and 228 KiB that holds their shared memory.",
	 .source = "the steps: NVIDIA's CUDA C++ Programming Guide, compute capability 9.0"},
	{UINT32(global.l1_ways, 1, L1_MAX_WAYS), .unit = "lines", .default_value = "4",
	 .needs = "global.l1_bytes", .acts_on = KEY_ACTS_BUFFERS,
	 .doc = "Lines of a set of that cache, of which the least recently used goes. As many "
		"as it "
		"has, or more: any line goes anywhere.",
	 .assumption = true, .source = "as many as a GTX 580's is said to have; not measured"},
	{CYCLES(global.l1_cycles, 1), .default_value = "80", .needs = "global.l1_bytes",
	 .acts_on = KEY_ACTS_BUFFERS,
	 .doc = "Latency of a load that finds all its sectors there.",
	 .source = "GPGPU-Sim's GTX 480: 35 core cycles and more"},
	{CYCLES(global.l1_line_cycles, 0), .default_value = "2", .needs = "global.l1_bytes",
	 .acts_on = KEY_ACTS_BUFFERS,
	 .doc = "More for each line of 128 bytes beyond two that a load touches.",
	 .assumption = true, .source = "one issue slot"},
	{CYCLES(global.line_cycles, 0), .default_value = "0",
	 .doc = "That each line of 128 bytes of a load that the first cache has, or of an "
		"atomic "
		"without result, takes of its SM, from three lines on; such accesses wait for "
		"both.",
	 .neutral = true, .source = "not published"},
	{UINT32(global.sm_bytes_per_cycle, 0, 4096), .unit = "bytes", .default_value = "0",
	 .doc = "An SM moves no more to and from global memory in a cycle. With it, and in a "
		"trace that says what waits for what, SMs without a block leave their share to "
		"others. 0: each SM has its even share.",
	 .neutral = true, .source = "not published of Fermi"},
	{UINT32(global.sm_store_bytes_per_cycle, 0, 4096), .unit = "bytes",
	 .default_value = "0", .acts_on = KEY_ACTS_GLOBAL_STORE,
	 .doc = "An SM sends no more of its stores in a cycle, in a trace that says what waits "
		"for "
		"what; shared.queue of them wait for that, further ones in their warps. 0: no "
		"such "
		"limit.",
	 .neutral = true, .source = "not published of Fermi"},

	{GLOBAL_ATOMIC(mechanism), .names = &global_mechanism_names, .default_value = "l2",
	 .acts_on = KEY_ACTS_GLOBAL_ATOMIC,
	 .doc = "How an atomic on global memory is carried out whose addresses the trace says; "
		"others than l2 need global.model slices.",
	 .measured_on = "NVIDIA H200",
	 .source = H200 "/global-atomics.csv, all operations, floats too"},
	{GLOBAL_ATOMIC(mechanism_f32), .names = &special_global_names, .default_value = "same",
	 .acts_on = KEY_ACTS_GLOBAL_ATOMIC,
	 .doc = "The same of arithmetic on 32-bit floats; \"same\": as "
		"global.atomic.mechanism.",
	 .measured_on = "NVIDIA H200", .source = "as global.atomic.mechanism"},
	{GLOBAL_ATOMIC(mechanism_64bit), .names = &special_global_names,
	 .default_value = "same", .acts_on = KEY_ACTS_GLOBAL_ATOMIC,
	 .doc = "The same of arithmetic on 64-bit values; \"same\": as "
		"global.atomic.mechanism.",
	 .measured_on = "NVIDIA H200", .source = "as global.atomic.mechanism"},

	{FIELD(KEY_CHOICE, LaunchL2, launch.l2), .names = &launch_l2, .default_value = "warm",
	 .acts_on = KEY_ACTS_MEMORY, .replaces = "l2.copied",
	 .doc = "Where a launch finds the lines of its buffers: warm, SMs of both partitions "
		"of the "
		"L2 have loaded them, and as much as l2.copies_kib lies in both; written, all "
		"SMs "
		"have just written them, 16 KiB a block, and the partition of a line's writer "
		"has "
		"a copy; home, in their home partition alone, as a copy from the host leaves "
		"them; "
		"cold, in DRAM alone. What is missing is brought when it is first loaded.",
	 .source = H200
	 ": touch.csv, l2: the first pass of 1 to 25 MiB takes 366 cycles a load, the second "
	 "280; pages: 33 of 64 lines behind a cudaMemset take 180 more the first time, by one "
	 "side's SM or the other's, behind the host all far ones"},
	{FIELD(KEY_CHOICE, LaunchPlace, launch.place), .names = &launch_place,
	 .default_value = "round_robin", .acts_on = KEY_ACTS_MEMORY,
	 .doc = "How far a launch's SMs are from the slices of the L2: round_robin, as far as "
		"those SMs are that get a launch's first blocks, group by group "
		"(network.latency_spread_cycles); median, all as far as the mean, for kernels "
		"that were measured on many SMs, of which the median counts.",
	 .source = H200
	 "/l2: placement.csv: launches of 1 to 528 blocks, all dispatched in the same order"},
	{UINT32(launch.sms, 0, 1024), .unit = "SMs", .default_value = "0",
	 .doc = "SMs that take a launch's blocks; another kernel has the rest. 0, or more than "
		"there are: all.",
	 .source = "0: a launch has the GPU to itself"},
	{FIELD(KEY_CHOICE, LaunchWarps, launch.warps), .names = &launch_warps,
	 .default_value = "staggered", .needs = "sm.warp_start_cycles",
	 .doc = "When the warps of a block start: staggered, sm.warp_start_cycles after one "
		"another; together, at once, as programs do that are timed from behind a "
		"barrier "
		"on.",
	 .source = "staggered: as a GPU starts them"},

	{UINT64(sim.watchdog_cycles, 1000, MAX_WATCHDOG), .unit = "cycles",
	 .default_value = "10000000",
	 .doc = "An SM without any progress for this long ends the run as a livelock, unless a "
		"warp of it waits for memory.",
	 .source = "a setting of the simulator"},
};

const guint n_own_keys = G_N_ELEMENTS(own_keys);
