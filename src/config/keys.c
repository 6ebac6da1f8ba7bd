/* SPDX-License-Identifier: MIT */
#include "config/keys.h"

#include <stddef.h>
#include <string.h>

#define PAPER "Gomez-Luna et al., TPDS 2013"
#define GUIDE "CUDA C Programming Guide 4.2"
#define H200  "measurements/h200"

#define MAX_CYCLES   1000000		     /* of one step of one warp */
#define MAX_WATCHDOG UINT64_C(1000000000000) /* cJSON writes 15 digits */

static const char *scheduler_name(guint i)
{
	return schedulers[i] ? schedulers[i]->name : NULL;
}

static const void *scheduler_plugin(guint i)
{
	return schedulers[i];
}

static const char *mechanism_name(guint i)
{
	return mechanisms[i] ? mechanisms[i]->name : NULL;
}

static const void *mechanism_plugin(guint i)
{
	return mechanisms[i];
}

/* For keys of some types: those that nothing is said of have atomic.mechanism. */
static const char *special_mechanism_name(guint i)
{
	return i == 0 ? "same" : mechanism_name(i - 1);
}

static const void *special_mechanism_plugin(guint i)
{
	return i == 0 ? NULL : mechanism_plugin(i - 1);
}

static const char *winner_name(guint i)
{
	return i < N_WINNER_RULES ? winner_names[i] : NULL;
}

static const KeyNames scheduler_names = {scheduler_name, scheduler_plugin};
static const KeyNames mechanism_names = {mechanism_name, mechanism_plugin};
static const KeyNames special_mechanism_names = {special_mechanism_name,
						 special_mechanism_plugin};
static const KeyNames winner_rule_names = {winner_name, NULL};

/* Path, offset and the field's type from one word; the type is checked by the compiler. */
#define FIELD(kind, ctype, field)                                                              \
	.path = #field, .type = kind,                                                          \
	.offset = offsetof(Machine, field) + 0 * sizeof((ctype *)0 == &((Machine *)0)->field)
#define UINT32(field, from, to) FIELD(KEY_UINT32, uint32_t, field), .min = (from), .max = (to)
#define UINT64(field, from, to) FIELD(KEY_UINT64, uint64_t, field), .min = (from), .max = (to)
#define CYCLES(field, from)	UINT32(field, from, MAX_CYCLES), .unit = "cycles"

const Key keys[] = {
	{FIELD(KEY_TEXT, const char *, name), .preset = "GeForce GTX 580",
	 .doc = "Name of the GPU or design, for reports.", .source = PAPER},
	{UINT32(clock_mhz, 1, 100000), .unit = "MHz", .preset = "1544",
	 .doc = "Clock that all cycles are counted in: Fermi's shader clock.",
	 .source = "NVIDIA's specification of the GTX 580"},

	{UINT32(sm.count, 1, 1024), .unit = "SMs", .preset = "16",
	 .doc = "SMs of the GPU. Blocks are dealt out to them as they have room.",
	 .source = "NVIDIA's specification of the GTX 580"},
	{UINT32(sm.max_warps, 1, MAX_WARP_SLOTS), .unit = "warps", .preset = "48",
	 .doc = "Warps resident on an SM at a time.", .source = GUIDE ", appendix F"},
	{UINT32(sm.max_blocks, 1, 64), .unit = "blocks", .preset = "8",
	 .doc = "Thread blocks resident on an SM at a time.", .source = GUIDE ", appendix F"},
	{UINT32(sm.schedulers, 1, MAX_SCHEDULERS), .unit = "schedulers", .preset = "2",
	 .doc = "Warp schedulers of an SM. Warp slot w belongs to scheduler w mod this number.",
	 .source = GUIDE ", section F.4: one for odd, one for even warps"},
	{FIELD(KEY_PLUGIN, const Scheduler *, sm.scheduler), .names = &scheduler_names,
	 .preset = "lrr", .assumption = TRUE, .doc = "Which of the ready warps issues next.",
	 .source = "not published; gto, which GPGPU-Sim configures for a GTX 480, livelocks "
		   "here once "
		   "enough warps retry on one word: the oldest retry for ever and starve the "
		   "lock's holder"},
	{UINT32(sm.two_level_warps, 1, 64), .unit = "warps", .preset = "8", .assumption = TRUE,
	 .doc = "Warps of a fetch group of the two-level scheduler; without effect on the "
		"others.",
	 .source = "a design parameter: no GPU documents one"},
	{CYCLES(sm.issue_cycles, 1), .preset = "2",
	 .doc = "A scheduler is busy for this long with each warp instruction.",
	 .source = GUIDE ", section F.4"},
	{CYCLES(sm.alu_latency_cycles, 1), .preset = "22",
	 .doc = "From the issue of an arithmetic instruction to that of one that needs its "
		"result.",
	 .source = GUIDE ", section 5.2.3"},
	{UINT32(sm.scoreboard, 0, 1), .preset = "0",
	 .doc = "1: a warp goes on after an access to shared memory, and waits for results at "
		"its "
		"next arithmetic. 0: it waits for each access.",
	 .source = PAPER
	 ": Algorithm 1 adds up waits. H200: 1, warp-latency.csv, st and iadd_noret"},
	{CYCLES(sm.barrier_cycles, 0), .preset = "2",
	 .doc = "The barrier unit is busy for this long with each warp that arrives.",
	 .source = GUIDE ", section 5.4.3: 16 thread operations a cycle"},
	{CYCLES(sm.barrier_latency_cycles, 0), .preset = "22", .assumption = TRUE,
	 .doc = "From the last warp's arrival at a barrier to the release of all.",
	 .source = "not published; taken as one arithmetic latency"},
	{CYCLES(sm.dispatch_cycles, 0), .preset = "256", .assumption = TRUE,
	 .doc = "From the end of a block to the start of the block that takes its place.",
	 .source = "not published"},

	{UINT32(shared.bytes, 4, 1048576), .multiple = 4, .unit = "bytes", .preset = "49152",
	 .doc = "Shared memory of an SM, for all blocks resident on it.",
	 .source = GUIDE ", appendix F"},
	{UINT32(shared.allocation_bytes, 4, 65536), .multiple = 4, .unit = "bytes",
	 .preset = "128",
	 .doc = "A block's share of the shared memory is rounded up to a multiple of this.",
	 .source = "CUDA Occupancy Calculator, compute capability 2.0"},
	{UINT32(shared.reserved_bytes, 0, 65536), .multiple = 4, .unit = "bytes", .preset = "0",
	 .doc = "Taken by the system in front of each block's share. It moves the block's "
		"words "
		"to other banks and locks.",
	 .source = "CUDA Occupancy Calculator, compute capability 2.0"},
	{UINT32(shared.banks, 1, SHARED_MAX_BANKS), .unit = "banks", .preset = "32",
	 .doc = "Banks of the shared memory, each one 32-bit word wide.",
	 .source = GUIDE ", section F.4.3"},
	{FIELD(KEY_HASH, HashSpec, shared.bank_hash), .preset = "mod",
	 .doc = "From a word's index to its bank.", .source = GUIDE ", section F.4.3"},
	{UINT32(shared.pass_cycles, 1, 32), .unit = "cycles", .preset = "2",
	 .doc = "The banks are busy for this long with each pass.",
	 .source = GUIDE ", section F.4.3: 32 bits per two clock cycles"},
	{UINT32(shared.t_bank_cycles, 1, 255), .unit = "cycles", .preset = "32",
	 .doc = "Latency that each pass after the first adds to its own warp.",
	 .source = PAPER ", t_bank"},
	{CYCLES(shared.load_cycles, 1), .preset = "52", .assumption = TRUE,
	 .doc = "Latency of a load of one pass.",
	 .source = "not in the paper; GPGPU-Sim's GTX 480: 26 core cycles"},
	{CYCLES(shared.store_cycles, 1), .preset = "36", .assumption = TRUE,
	 .doc = "From the issue of a store of one pass until its warp goes on.",
	 .source = "not in the paper; what is left of t_base after load and add"},
	{CYCLES(shared.port_cycles, 0), .preset = "0",
	 .doc = "A scheduler's port to the shared memory is busy for this long with an access. "
		"Needs "
		"shared.queue.",
	 .source = "0: no such port is known of Fermi. H200: 4, warp-throughput.csv, pos/1"},
	{CYCLES(shared.port_pass_cycles, 0), .preset = "0",
	 .doc = "The port is busy for at least this long with each pass.",
	 .source = "0: no such port is known of Fermi. H200: 2, warp-throughput.csv, bank32"},
	{UINT32(shared.queue, 0, SHARED_MAX_QUEUE), .unit = "accesses", .preset = "0",
	 .doc = "Accesses of an SM that can wait for the banks; who finds no place waits to "
		"issue. "
		"0: any number, and no ports.",
	 .source = "0: not published. H200: 18, warp-latency.csv, st and iadd_noret"},
	{CYCLES(shared.queue_cycles, 0), .preset = "0",
	 .doc = "An access gives its place in the queue back so long after its first pass.",
	 .source = "0: not published. H200: 10, warp-latency.csv, st and iadd_noret"},
	{UINT32(shared.conflict_free, 0, 1), .preset = "0",
	 .doc = "1: every access takes one pass, whatever its words. A what-if: no such memory "
		"exists.",
	 .source = "0 is what hardware does"},

	{FIELD(KEY_PLUGIN, const Mechanism *, atomic.mechanism), .names = &mechanism_names,
	 .preset = "lock-bits", .doc = "How an atomic on shared memory is carried out.",
	 .source = PAPER "; US patent 8,055,856"},
	{FIELD(KEY_PLUGIN, const Mechanism *, atomic.mechanism_f32),
	 .names = &special_mechanism_names, .preset = "same",
	 .doc = "How arithmetic on 32-bit floats is carried out; \"same\": as "
		"atomic.mechanism.",
	 .source = "one mechanism for all on Fermi; H200: the loop that nvcc emits, " H200},
	{FIELD(KEY_PLUGIN, const Mechanism *, atomic.mechanism_64bit),
	 .names = &special_mechanism_names, .preset = "same",
	 .doc = "How arithmetic on 64-bit values is carried out; \"same\": as "
		"atomic.mechanism.",
	 .source = "one mechanism for all on Fermi; H200: the loop that nvcc emits, " H200},
	{UINT32(atomic.locks, 1, HASH_MAX_SIZE), .unit = "lock bits", .preset = "1024",
	 .doc = "Lock bits of an SM's table, shared by all its blocks.",
	 .source = PAPER ": bits 11:2 of the byte address"},
	{FIELD(KEY_HASH, HashSpec, atomic.lock_hash), .preset = "mod",
	 .doc = "From a word's index to its lock bit.",
	 .source = PAPER "; US patent 8,375,176"},
	{FIELD(KEY_CHOICE, WinnerRule, atomic.winner), .names = &winner_rule_names,
	 .preset = "lowest", .assumption = TRUE,
	 .doc = "Which of the lanes that try one free lock bit gets it.",
	 .source = "not published"},
	{CYCLES(atomic.t_base_cycles, 1), .preset = "108",
	 .doc = "An atomic of one warp without any conflict.", .source = PAPER ", t_base"},
	{CYCLES(atomic.t_position_cycles, 1), .preset = "120",
	 .doc = "Each further round of an atomic: t_base and the branch back.",
	 .source = PAPER ", t_position"},
	{CYCLES(atomic.lk_cycles, 1), .preset = "52", .assumption = TRUE,
	 .doc = "Part of t_base: load-and-lock, until its data are there.",
	 .source = "the paper gives the sum only; taken as a load"},
	{CYCLES(atomic.operation_cycles, 1), .preset = "20", .assumption = TRUE,
	 .doc = "Part of t_base: the operation. What is left of t_base is store-and-unlock.",
	 .source = "the paper gives the sum only; taken as an arithmetic latency"},
	{CYCLES(atomic.hold_cycles, 0), .preset = "0", .assumption = TRUE,
	 .doc = "A lock bit stays set for this long after its unlocking store. Above 46 with "
		"the other keys as they are, a lone warp meets its own locks and costs more "
		"than "
		"Algorithm 1 says.",
	 .source = "not published"},

	{CYCLES(atomic.native_cycles, 1), .preset = "27",
	 .doc = "native: from issue to result, one lane a bank.",
	 .source = H200 ": warp-latency.csv, iadd_ret, pos/1"},
	{CYCLES(atomic.native_cas_cycles, 1), .preset = "31",
	 .doc = "native, cas-loop: the same of a compare-and-swap.",
	 .source = H200 ": warp-latency.csv, cas_ret, pos/1"},
	{UINT32(atomic.native_cas_passes, 1, 16), .preset = "2",
	 .doc = "native, cas-loop: a compare-and-swap's pass takes as long as so many others.",
	 .source = H200 ": warp-latency.csv, cas_ret"},
	{UINT32(atomic.native_merge, 0, 1), .preset = "0",
	 .doc = "native: 1: adds of 1 without result merge the lanes of one word.",
	 .source = "0: Fermi has no such instruction. H200: 1, warp-latency.csv, inc_noret"},
	{UINT32(atomic.loop_swap_passes, 1, 16), .preset = "2",
	 .doc = "cas-loop: the loop's compare-and-swap keeps the banks busy for so many "
		"passes.",
	 .source = H200 ": warp-throughput.csv, fadd_noret, pos/1, shift_words 32, 32 warps"},
	{CYCLES(atomic.loop_exit_cycles, 1), .preset = "28",
	 .doc = "cas-loop: from the swap's result to the next instruction, all lanes done.",
	 .source = H200 ": warp-latency.csv, fadd_noret, pos/1"},
	{CYCLES(atomic.loop_retry_cycles, 1), .preset = "15",
	 .doc = "cas-loop: from the swap's result to the retry's load, all lanes having "
		"failed.",
	 .source = H200 ": warp-throughput.csv, fadd_ret, pos/1, 2 and 4 warps"},
	{CYCLES(atomic.loop_split_cycles, 1), .preset = "31",
	 .doc = "cas-loop: the same when some lanes are done and some retry.",
	 .source = H200 ": warp-latency.csv, fadd_noret, pos/17 to pos/32"},
	{CYCLES(atomic.loop_switch_cycles, 1), .preset = "66",
	 .doc = "cas-loop: the same, the first time after a split of which most lanes were "
		"done.",
	 .source = H200 ": warp-latency.csv, fadd_noret, pos/3 to pos/16"},
	{CYCLES(atomic.loop_leave_cycles, 0), .preset = "3",
	 .doc = "cas-loop: added to a split of which most lanes are done.",
	 .source = H200 ": warp-latency.csv, fadd_noret, pos/2"},
	{CYCLES(atomic.loop_wide_cycles, 0), .preset = "16",
	 .doc = "cas-loop: added to each round of a 64-bit operation.",
	 .source = H200 ": warp-latency.csv, u64add_ret"},
	{CYCLES(atomic.loop_halves_cycles, 0), .preset = "4",
	 .doc = "cas-loop: added to a 64-bit round in which both halves of the warp take part.",
	 .source = H200 ": warp-latency.csv, u64add_ret, bank32/19"},

	{CYCLES(global.latency_cycles, 1), .preset = "600", .assumption = TRUE,
	 .doc = "Latency of a load from global memory with nothing queued.",
	 .source = GUIDE ", section 5.2.3: 400 to 800; the middle is taken"},
	{UINT32(global.bandwidth_mb_per_s, 1, 100000000), .unit = "MB/s", .preset = "192400",
	 .doc = "Bandwidth of the global memory, of the whole GPU; 1 MB is 1,000,000 bytes.",
	 .source = "NVIDIA's specification of the GTX 580: 192.4 GB/s"},

	{UINT64(sim.watchdog_cycles, 1000, MAX_WATCHDOG), .unit = "cycles",
	 .preset = "10000000",
	 .doc = "An SM without any progress for this long ends the run as a livelock.",
	 .source = "a setting of the simulator"},
};

const guint n_keys = G_N_ELEMENTS(keys);

static const struct {
	const char *name, *doc;
} sections[] = {
	{"sm", "Streaming multiprocessor"},
	{"shared", "Shared memory"},
	{"atomic", "Atomics on shared memory"},
	{"global", "Global memory"},
	{"sim", "Simulator"},
};

const Key *key_find(const char *path)
{
	for (guint i = 0; i < n_keys; i++) {
		if (strcmp(keys[i].path, path) == 0)
			return &keys[i];
	}
	return NULL;
}

gboolean key_is_section(const char *path)
{
	gsize length = strlen(path);

	for (guint i = 0; i < n_keys; i++) {
		if (strncmp(keys[i].path, path, length) == 0 && keys[i].path[length] == '.')
			return TRUE;
	}
	return FALSE;
}

const char *section_doc(const char *section)
{
	for (guint i = 0; i < G_N_ELEMENTS(sections); i++) {
		if (strcmp(sections[i].name, section) == 0)
			return sections[i].doc;
	}
	g_assert_not_reached();
}

char *key_pointer(const Key *key)
{
	char *pointer = g_strconcat("/", key->path, NULL);

	return g_strdelimit(pointer, ".", '/');
}
