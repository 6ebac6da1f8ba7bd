/* SPDX-License-Identifier: MIT */
/* The table of all that a report says; where the values come from: fields-internal.h. */
#include "report/fields.h"

#include <stddef.h>

#include "report/fields-internal.h"

#define COUNT(name, member, its_unit, its_doc, ...)                                            \
	{                                                                                      \
		.path = name, .type = FIELD_COUNT, .unit = its_unit, .doc = its_doc,           \
		.offset = offsetof(Statistics, member), __VA_ARGS__                            \
	}
#define VALUE(name, its_type, function, its_doc, ...)                                          \
	{                                                                                      \
		.path = name, .type = its_type, .of_report = function, .doc = its_doc,         \
		__VA_ARGS__                                                                    \
	}
#define PART(name, its_type, function, owner, member, its_doc, ...)                            \
	{                                                                                      \
		.path = name, .type = its_type, .of_part = function, .doc = its_doc,           \
		.offset = offsetof(owner, member), __VA_ARGS__                                 \
	}
#define ROWS(name, function, its_doc)                                                          \
	{                                                                                      \
		.path = name, .type = FIELD_ROWS, .rows = function, .doc = its_doc             \
	}
#define IN_ROW(name, its_type, function, its_unit, its_doc, ...)                               \
	{                                                                                      \
		.path = name, .type = its_type, .of_row = function, .unit = its_unit,          \
		.doc = its_doc, __VA_ARGS__                                                    \
	}

#define ROW_COUNT(name, member, its_unit, its_doc, ...)                                        \
	IN_ROW(name, FIELD_COUNT, field_row_count, its_unit, its_doc,                          \
	       .offset = offsetof(FieldRow, member), __VA_ARGS__)
#define SPOT(name, member, its_unit, its_doc, ...)                                             \
	IN_ROW(name, FIELD_COUNT, field_spot_count, its_unit, its_doc,                         \
	       .offset = offsetof(HotSpot, member), __VA_ARGS__)
#define COMBINED(name, member, its_doc, ...)                                                   \
	IN_ROW("hot_spots.sites[]." name, FIELD_COUNT, field_spot_combined, "lanes", its_doc,  \
	       .presence = FIELD_OPTIONAL, .offset = offsetof(HotSpot, combined.member),       \
	       __VA_ARGS__)

#define FAILURES "failures.*"

/* clang-format off */
static cJSON *field_schema(const RunReport *report)
{
	(void)report;
	return field_count_item(REPORT_SCHEMA);
}

const Field report_fields[] = {
	VALUE("schema", FIELD_COUNT, field_schema, "version of these keys; it changes when a key goes or changes its meaning"),
	PART("version", FIELD_TEXT, field_text, RunReport, version, "version of atomsim", .presence = FIELD_OR_NULL),
	VALUE("status", FIELD_TEXT, field_status, "complete, or interrupted: then all counts are of what was simulated until then"),

	PART("trace.name", FIELD_TEXT, field_text, RunReport, trace_name, "file name of the trace, without folders", .presence = FIELD_OR_NULL),
	PART("trace.sha256", FIELD_TEXT, field_text, RunReport, trace_sha256, "SHA-256 of the file", .presence = FIELD_OR_NULL),
	COUNT("trace.warp_instructions", trace_warp_instructions, "warp instructions", "warp instructions of the trace that were replayed"),
	COUNT("trace.records", trace_records, "records", "records of the trace that were replayed", .law = "trace.records = records.*"),
	PART("trace.blocks", FIELD_COUNT, field_count, RunReport, trace_blocks, "thread blocks of the launch, of which a sample has some (`estimates.blocks_simulated`)", .unit = "blocks", .counter = "launch__grid_size"),
	{.path = "trace.kernel", .type = FIELD_TEXT, .of_part = field_metadata_text, .doc = "name of the kernel", .presence = FIELD_OR_NULL},
	{.path = "trace.source", .type = FIELD_TEXT, .of_part = field_metadata_text, .doc = "tool that made the trace", .presence = FIELD_OR_NULL},
	{.path = "trace.gpu", .type = FIELD_TEXT, .of_part = field_metadata_text, .doc = "GPU on which the trace was captured", .presence = FIELD_OR_NULL},

	PART("seed", FIELD_COUNT, field_count, RunReport, seed, "seed of the random winner rule (--seed)"),
	COUNT("cycles", cycles, "cycles", "kernel time: from the start of the kernel to the end of its last store", .within = WITHIN_ESTIMATED),
	VALUE("time_us", FIELD_NUMBER, field_time_us, "kernel time at the clock of the config", .unit = "us", .within = WITHIN_ESTIMATED),
	COUNT("blocks_end_cycles", busy_cycles, "cycles", "from the start of the kernel to the end of its last block; stores may still be in flight", .within = WITHIN_ESTIMATED),
	VALUE("busy_cycles", FIELD_COUNT, field_busy_cycles,
	      "`blocks_end_cycles` plus sm.launch_cycles; null where the config has none",
	      .unit = "cycles", .counter = "sm__cycles_active.max", .presence = FIELD_OR_NULL, .within = WITHIN_ESTIMATED),
	VALUE("elapsed_cycles", FIELD_COUNT, field_elapsed_cycles, "`cycles`, or until the GPU has noted the ends of all blocks (sm.block_end_mcycles), plus launch_ns in cycles; null where the config has none",
	      .unit = "cycles", .counter = "sm__cycles_elapsed.max", .presence = FIELD_OR_NULL, .within = WITHIN_ESTIMATED),
	VALUE("duration_us", FIELD_NUMBER, field_duration_us, "`elapsed_cycles` as time; null where the config has no launch_ns",
	      .unit = "us", .counter = "gpu__time_duration.sum", .presence = FIELD_OR_NULL, .within = WITHIN_ESTIMATED),
	VALUE("expected_error.class", FIELD_TEXT, field_expected_class,
	      "class of launches to which the run belongs; null if the trace has no data flow, or lacks something",
	      .presence = FIELD_OR_NULL, .within = WITHIN_NOT_AVAILABLE),
	VALUE("expected_error.launches", FIELD_COUNT, field_expected_launches,
	      "measured launches of that class on this machine; 0: no expected error", .unit = "launches", .within = WITHIN_NOT_AVAILABLE),
	VALUE("expected_error.median", FIELD_NUMBER, field_expected_median, "median relative error of their busy cycles (sm__cycles_active.max); null without launches",
	      .presence = FIELD_OR_NULL, .within = WITHIN_NOT_AVAILABLE),
	VALUE("expected_error.p90", FIELD_NUMBER, field_expected_p90, "90th percentile of these errors; null without launches",
	      .presence = FIELD_OR_NULL, .within = WITHIN_NOT_AVAILABLE),
	VALUE("expected_error.none", FIELD_TEXT, field_expected_none, "why there is no expected error: another config, a trace that was not captured or lacks something, too few such launches; null if there is one",
	      .presence = FIELD_OR_NULL, .within = WITHIN_NOT_AVAILABLE),
	VALUE("cost_bits", FIELD_COUNT, field_cost_bits, "hardware cost of the config's atomics, by the weights of `cost` (config --cost)", .unit = "bits"),
	VALUE("estimates.within_percent", FIELD_NUMBER, field_within_percent, "goal of --within; left out without the option, with all of `estimates` unless the trace is a sample",
	      .unit = "%", .presence = FIELD_OPTIONAL),
	VALUE("estimates.confidence", FIELD_NUMBER, field_confidence, "confidence of the interval", .presence = FIELD_OPTIONAL),
	PART("estimates.cycles_low", FIELD_COUNT, field_estimated, Estimate, low, "lower end of the interval of `cycles`", .unit = "cycles", .presence = FIELD_OPTIONAL),
	PART("estimates.cycles_high", FIELD_COUNT, field_estimated, Estimate, high, "upper end of the interval of `cycles`", .unit = "cycles", .presence = FIELD_OPTIONAL),
	PART("estimates.waves", FIELD_COUNT, field_estimated, Estimate, n_waves, "waves of the launch: a wave is as many blocks as are resident at a time; 0: too few to sample", .unit = "waves", .presence = FIELD_OPTIONAL),
	PART("estimates.waves_simulated", FIELD_COUNT, field_estimated, Estimate, waves, "waves that were simulated", .unit = "waves", .presence = FIELD_OPTIONAL),
	PART("estimates.blocks_simulated", FIELD_COUNT, field_estimated, Estimate, blocks, "blocks that were simulated", .unit = "blocks", .presence = FIELD_OPTIONAL),
	PART("estimates.records_skipped", FIELD_COUNT, field_estimated, Estimate, records_skipped, "records of loops in steady state that were left out; 0: none, or blocks were left out", .unit = "records", .presence = FIELD_OPTIONAL),
	PART("estimates.warp_instructions_simulated", FIELD_COUNT, field_estimated, Estimate, simulated_instructions,
	      "warp instructions that were simulated, including samples that were given up for a whole simulation", .unit = "warp instructions", .presence = FIELD_OPTIONAL),
	VALUE("estimates.sampled", FIELD_TEXT, field_sampled, "yes: what is not available is null; no, and why: the whole launch was simulated and all is counted",
	      .presence = FIELD_OPTIONAL),
	VALUE("what_if.changes", FIELD_TEXTS, field_changes, "changes of --what-if; without any, all of `what_if` is left out",
	      .presence = FIELD_OPTIONAL),
	VALUE("what_if.unchanged_cycles", FIELD_COUNT, field_unchanged_cycles, "`cycles` without the changes", .unit = "cycles",
	      .presence = FIELD_OPTIONAL),
	VALUE("what_if.gain", FIELD_NUMBER, field_gain, "speedup by the changes: what_if.unchanged_cycles / cycles",
	      .presence = FIELD_OPTIONAL),
	VALUE("contention_free.cycles", FIELD_COUNT, field_baseline_cycles,
	      "`cycles` of a run without contention: no access waits for a bank, no atomic for a word or a lock, no warp for a spin lock, and atomics cost the L2 what loads cost; null with --no-baseline",
	      .unit = "cycles", .presence = FIELD_OR_NULL, .within = WITHIN_NOT_AVAILABLE),
	VALUE("contention_free.time_us", FIELD_NUMBER, field_baseline_time_us, "contention_free.cycles at the clock of the config",
	      .unit = "us", .presence = FIELD_OR_NULL, .within = WITHIN_NOT_AVAILABLE),
	VALUE("contention_free.order", FIELD_TEXT, field_baseline_order, "order of warps in that run, as causes[].order",
	      .presence = FIELD_OR_NULL, .within = WITHIN_NOT_AVAILABLE),
	VALUE("contention_free.slowdown", FIELD_NUMBER, field_slowdown, "slowdown from contention: cycles / contention_free.cycles; below 1 where the run without contention takes longer in every order tried",
	      .presence = FIELD_OR_NULL, .within = WITHIN_NOT_AVAILABLE),

	ROWS("causes", field_causes, "runs with one thing ideal at a time, of the things that can have cost the run anything; none with --causes=no"),
	IN_ROW("causes[].cause", FIELD_TEXT, field_cause_name, NULL, "what is ideal, a key of `ideal` in the config; all: all of them together"),
	ROW_COUNT("causes[].cycles", cycles, "cycles", "`cycles` of the run without this cause; at most `cycles` of the run"),
	IN_ROW("causes[].order", FIELD_TEXT, field_cause_order, NULL, "order of warps in the run without this cause: own; kept, that of the original run, where its own takes longer; paced, also with the original run's times between attempts; timed, no instruction before its time in the original run; original, every order that was tried takes longer than the original run, so that removing the cause saves nothing"),
	ROW_COUNT("causes[].saves_cycles", saves, "cycles", "`cycles` less causes[].cycles; savings of several causes overlap and need not add up"),
	IN_ROW("causes[].saves", FIELD_NUMBER, field_cause_saves, NULL, "share of time that removing the cause saves: causes[].saves_cycles / cycles"),

	VALUE("blocks", FIELD_COUNT, field_blocks, "thread blocks that ran to their end", .unit = "blocks", .within = WITHIN_NOT_AVAILABLE),
	COUNT("warps", warps, "warps", "warps of the blocks that ran", .counter = "sm__warps_launched.sum"),
	COUNT("warp_instructions", warp_instructions, "warp instructions", "warp instructions executed, retries included: an atomic counts all instructions of its rounds",
	      .counter = "smsp__inst_executed.sum"),

	COUNT("atomics.warp_instructions", atomics.warp_instructions, "warp instructions",
	      "atomics on shared memory in the trace", .law = "atomics.warp_instructions >= records.atom"),
	COUNT("atomics.lane_operations", atomics.lane_operations, "lanes", "lane operations of these atomics"),
	COUNT("atomics.rounds", atomics.rounds, "rounds", "load-and-lock instructions executed, or their equivalent in other mechanisms"),
	COUNT("atomics.attempts", atomics.attempts, "lanes", "attempts of lanes, over all rounds",
	      .law = "atomics.attempts = atomics.successes + " FAILURES),
	COUNT("atomics.retries", atomics.retries, "lanes", "attempts after a lane's first", .law = "atomics.retries = " FAILURES),
	COUNT("atomics.successes", atomics.successes, "lanes", "lanes whose operation was done, each once",
	      .law = "atomics.lane_operations = atomics.successes + atomics.merged_lanes"),
	COUNT("atomics.merged_lanes", merged[MEMORY_SHARED], "lanes", "lane operations that another lane of the warp has done (atomic.merge)"),
	COUNT("atomics.bank_merged_lanes", bank_merged, "lanes", "of atomics.successes: lane operations that their bank merged with another of the warp's, for the same word (atomic.native.merge_operations)",
	      .law = "atomics.successes >= atomics.bank_merged_lanes"),
	ROWS("atomics.lock_degree", field_lock_degrees, "atomics by number of rounds; 64: or more"),
	ROW_COUNT("atomics.lock_degree[].degree", degree, "rounds", "rounds of an atomic"),
	ROW_COUNT("atomics.lock_degree[].count", count, "warp instructions", "atomics with this number of rounds"),

	COUNT("failures.intra_position", atomics.failures.intra_position, "lanes", "failed attempts: lost to a lane of the same warp, for the same word"),
	COUNT("failures.intra_alias", atomics.failures.intra_alias, "lanes", "failed attempts: lost to a lane of the same warp, for another word of the same lock"),
	COUNT("failures.inter_position", atomics.failures.inter_position, "lanes", "failed attempts: lost to another warp, for the same word"),
	COUNT("failures.inter_alias", atomics.failures.inter_alias, "lanes", "failed attempts: lost to another warp, for another word of the same lock"),
	COUNT("failures.full", atomics.failures.full, "lanes", "failed attempts: the word has no entry of the lock table, and none is free (atomic.lock_bits.table)"),

	COUNT("spin_locks.attempts", spin_attempts, "warp instructions", "attempts at software spin locks (atomic exchanges of records.lock); attempts beyond records.lock failed"),

	COUNT("shared.accesses", shared.accesses, "accesses", "accesses to shared memory: trips of a warp instruction through the LSU"),
	COUNT("shared.passes", shared.passes, "passes", "passes (wavefronts) through the banks", .law = "shared.passes = shared.accesses + shared.conflict_passes",
	      .counter = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"),
	COUNT("shared.conflict_passes", shared.conflict_passes, "passes", "passes after the first of an access: bank conflicts",
	      .counter = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"),
	COUNT("shared.bank_busy_cycles", shared.bank_busy_cycles, "cycles", "cycles in which the banks of an SM served a pass, summed over SMs"),
	COUNT("shared.atomic_busy_cycles", atomic_busy_cycles, "cycles", "of shared.bank_busy_cycles: with passes of atomics and spin locks",
	      .law = "shared.bank_busy_cycles >= shared.atomic_busy_cycles"),
	COUNT("shared.lock_busy_cycles", lock_busy_cycles, "cycles", "of shared.atomic_busy_cycles: with passes that set or clear lock bits",
	      .law = "shared.atomic_busy_cycles >= shared.lock_busy_cycles"),
	ROWS("shared.degree", field_shared_degrees, "accesses by number of passes; 64: or more"),
	ROW_COUNT("shared.degree[].degree", degree, "passes", "passes of an access"),
	ROW_COUNT("shared.degree[].count", count, "accesses", "accesses with this number of passes"),

#define X(constant, name, its_doc) COUNT("warp_cycles." name, warp_cycles[STATE_##constant], "cycles", its_doc ", summed over warps"),
	WARP_STATES(X)
#undef X
	COUNT("resident_warp_cycles", resident_warp_cycles, "cycles", "cycles in which warps were resident, summed over warps",
	      .law = "resident_warp_cycles = warp_cycles.*"),

#define X(constant, name, number) COUNT("records." name, records[number], "records", "records of kind " name),
	TRACE_RECORD_KINDS(X)
#undef X
	COUNT("global_segments", global_segments, "segments", "128-byte segments moved to and from global memory"),
	COUNT("local.loads", local_loads, "warp instructions", "loads from thread-local memory (arrays indexed at run time, spilled registers; buffers[].local of the trace)",
	      .law = "records.ldg >= local.loads"),
	COUNT("local.stores", local_stores, "warp instructions", "stores to thread-local memory", .law = "records.stg >= local.stores"),
	COUNT("local.segments", local_segments, "segments", "of global_segments: those of thread-local memory", .law = "global_segments >= local.segments"),
	COUNT("memory.accesses", memory.accesses, "warp accesses", "accesses to global memory timed by l2, network and dram: those with addresses in the trace, with global.model slices"),
	COUNT("memory.packets", memory.packets, "packets", "packets that left an SM for the L2; each round of an atomic is one"),
	COUNT("memory.sectors", memory.sectors, "sectors", "32-byte sectors that slices of the L2 served"),
	COUNT("memory.far_packets", memory.far_packets, "packets", "packets that passed through the other partition of the L2"),
	COUNT("memory.missed_sectors", memory.missed_sectors, "sectors", "sectors that missed in the L2"),
	COUNT("memory.complete_accesses", memory.complete_accesses, "warp accesses", "accesses on the slower of two paths (paths.rule)"),
	COUNT("memory.failed_lanes", memory.failed_lanes, "lanes", "lanes whose compare-and-swap in global memory failed, as the word had changed"),
	COUNT("memory.wait_loop_accesses", memory.wait_loop_accesses, "warp accesses", "accesses of wait loops, by which warps poll whether a coordinator has served them"),
	COUNT("memory.coordinator_rounds", memory.coordinator_rounds, "rounds", "rounds of the coordinator (global.atomic.coordinator)"),
	COUNT("memory.merged_lanes", merged[MEMORY_GLOBAL], "lanes", "lane operations of atomics that another lane of the warp has done (global.atomic.merge)"),
	COUNT("memory.sent_lanes", memory.sent_lanes, "lanes", "lane operations of atomics that left SMs for the L2"),
	COUNT("memory.served_lanes", memory.served_lanes, "lanes", "of memory.sent_lanes: lane operations that slices of the L2 carried out"),
	COUNT("memory.slice_merged_lanes", memory.merged_lanes, "lanes", "of memory.sent_lanes: lane operations that a slice merged with one that waited there (l2.merge_packets)",
	      .law = "memory.sent_lanes = memory.served_lanes + memory.slice_merged_lanes"),
	COUNT("memory.buffered_lanes", buffered, "lanes", "lane operations of atomics that were buffered in their SM (global.atomic.buffer)"),
	COUNT("memory.fused_lanes", fused, "lanes", "buffered lane operations that were fused with an entry of the same word and operation"),
	COUNT("memory.drained_words", drained, "words", "words that left a buffer with their operation",
	      .law = "memory.buffered_lanes = memory.fused_lanes + memory.drained_words"),
	COUNT("locks_set_at_end", locks_set_at_end, "locks", "lock bits still set when the run ended", .law = "locks_set_at_end = 0"),

	ROWS("hot_spots.addresses", field_hot_addresses, "hot words: 32-bit words of an SM's shared memory by failed attempts, most first"),
	IN_ROW("hot_spots.addresses[].word", FIELD_COUNT, field_spot_id, NULL, "index of the 32-bit word in the SM's shared memory"),
	IN_ROW("hot_spots.addresses[].block_word", FIELD_COUNT, field_spot_block_word, NULL, "index of the word in its block's shared memory: `word` less what the system reserves and other blocks take; null where blocks differ in size", .presence = FIELD_OR_NULL),
	SPOT("hot_spots.addresses[].failures", failures, "lanes", "failed attempts at the word"),
	ROWS("hot_spots.locks", field_hot_locks, "hot locks: lock bits by failed attempts, most first"),
	IN_ROW("hot_spots.locks[].lock", FIELD_COUNT, field_spot_id, NULL, "number of the lock"),
	SPOT("hot_spots.locks[].failures", failures, "lanes", "failed attempts at the lock"),
	ROWS("hot_spots.banks", field_hot_banks, "hot banks: banks by further passes that they caused, most first"),
	IN_ROW("hot_spots.banks[].bank", FIELD_COUNT, field_spot_id, NULL, "number of the bank"),
	SPOT("hot_spots.banks[].passes", passes, "passes", "passes after the first of an access, caused by the bank"),
	SPOT("hot_spots.banks[].accesses", accesses, "accesses", "accesses with a conflict in the bank"),
	ROWS("hot_spots.sites", field_hot_sites, "instructions (sites) of the program that cost time, by the time of warps, most first"),
	IN_ROW("hot_spots.sites[].site", FIELD_COUNT, field_spot_id, NULL, "entry of the trace's table of sites, from 1. It includes the instructions since the previous site; the last site of a warp also those to its end. 0: instructions of warps without a site"),
	SPOT("hot_spots.sites[].failures", failures, "lanes", "failed attempts of its atomics, at a lock or by a compare-and-swap in global memory",
	       .law = "hot_spots.sites[].failures = " FAILURES " + memory.failed_lanes"),
	SPOT("hot_spots.sites[].passes", passes, "passes", "passes after the first of its accesses",
	       .law = "hot_spots.sites[].passes = shared.conflict_passes"),
	SPOT("hot_spots.sites[].lane_operations", lane_operations, "lanes", "lane operations of its atomics on shared memory",
	       .law = "hot_spots.sites[].lane_operations = atomics.lane_operations"),
	SPOT("hot_spots.sites[].cycles", cycles, "cycles", "time of warps at the site",
	       .law = "resident_warp_cycles = hot_spots.sites[].cycles + warp_cycles.done"),
	IN_ROW("hot_spots.sites[].local_segments", FIELD_COUNT, field_spot_local, "segments", "128-byte segments of thread-local memory that it moved; left out if none",
	       .presence = FIELD_OPTIONAL, .law = "hot_spots.sites[].local_segments = local.segments"),
	COMBINED("merged_lanes", merged, "lane operations that another lane of the warp has done; left out, with the next six, where the config merges and buffers nothing",
	       .law = "hot_spots.sites[].merged_lanes = atomics.merged_lanes + memory.merged_lanes"),
	COMBINED("buffered_lanes", buffered, "lane operations that were buffered in their SM",
	       .law = "hot_spots.sites[].buffered_lanes = memory.buffered_lanes"),
	COMBINED("bank_merged_lanes", bank_merged, "lane operations that their bank merged with another",
	       .law = "hot_spots.sites[].bank_merged_lanes = atomics.bank_merged_lanes"),
	COMBINED("slice_merged_lanes", slice_merged, "lane operations that a slice of the L2 merged with one that waited there",
	       .law = "hot_spots.sites[].slice_merged_lanes = memory.slice_merged_lanes"),
#define X(constant, name, its_doc) COMBINED(name, refused[COMBINE_##constant], its_doc),
	COMBINE_REFUSALS(X)
#undef X
	IN_ROW("hot_spots.sites[].pc", FIELD_TEXT, field_site_text, NULL, "address of the instruction", .presence = FIELD_OPTIONAL),
	IN_ROW("hot_spots.sites[].function", FIELD_TEXT, field_site_text, NULL, "function of the program", .presence = FIELD_OPTIONAL),
	IN_ROW("hot_spots.sites[].file", FIELD_TEXT, field_site_text, NULL, "source file", .presence = FIELD_OPTIONAL),
	IN_ROW("hot_spots.sites[].line", FIELD_COUNT, field_site_line, NULL, "line in that file, from 1", .presence = FIELD_OPTIONAL),

	VALUE("assumptions", FIELD_TEXTS, field_assumptions, "values of the config that no source fixes, as \"key = value\", where the run used what the key acts on"),
	VALUE("provenance", FIELD_OBJECT, field_provenance, "number of config values by source: its own `measured`, `published`, `fitted`, `assumed`, `neutral` (nothing is known, so it costs nothing) and `set` values, and `inherited`, a list of GPUs with their `values` (atomsim config --explain); `not_measured` where none is measured and most are inherited", .presence = FIELD_OPTIONAL),
	VALUE("config", FIELD_OBJECT, field_config, "effective config, whole (its schema: atomsim list --schema config)", .presence = FIELD_OPTIONAL),
#define X(constant, name, its_doc, ncu)                                                        \
	PART("utilization." #name "_mean", FIELD_NUMBER, field_utilized, Utilization, times[UTILIZED_##constant].mean, its_doc ": share of time busy over the run; with --utilization=no all of `utilization` is left out. Nearest ncu counter: " ncu, \
	      .unit = "%", .presence = FIELD_OPTIONAL),                                        \
	PART("utilization." #name "_busiest", FIELD_NUMBER, field_utilized, Utilization, times[UTILIZED_##constant].busiest, its_doc ": share of time busy in the busiest 1 % of the units' time", \
	      .unit = "%", .presence = FIELD_OPTIONAL),
	UTILIZED(X)
#undef X
	VALUE("performance.wall_s", FIELD_NUMBER, field_wall_s, "wall time of the simulation; left out with --reproducible, as all of `performance`",
	      .unit = "s", .presence = FIELD_OPTIONAL),
	VALUE("performance.threads", FIELD_COUNT, field_threads, "threads of the simulation", .unit = "threads", .presence = FIELD_OPTIONAL),
	VALUE("performance.sms_simulated", FIELD_COUNT, field_sms_simulated, "SMs that were simulated; the other SMs had identical blocks at the same times and the same results",
	      .unit = "SMs", .presence = FIELD_OPTIONAL),
	PART("performance.warp_instructions_per_s", FIELD_NUMBER, field_per_second, Statistics, warp_instructions, "executed warp instructions of all SMs per second of wall time",
	      .unit = "warp instructions/s", .presence = FIELD_OPTIONAL),
	PART("performance.warp_atomics_per_s", FIELD_NUMBER, field_per_second, Statistics, atomics.warp_instructions, "atomics of the trace per second of wall time",
	      .unit = "warp instructions/s", .presence = FIELD_OPTIONAL),
	VALUE("launch.sms", FIELD_COUNT, field_launch_sms, "SMs that take blocks of the launch (launch.sms of the config; all, where that is 0)", .unit = "SMs"),
	VALUE("launch.sms_with_block", FIELD_COUNT, field_busy_sms, "of these: SMs that get a block; the others are idle", .unit = "SMs"),
	VALUE("launch.code", FIELD_TEXT, field_found_code, "whether SMs have its code, `cold` or `warm`: as the trace says, if the config's launch.code is `recorded`; null if the fetch of code is not simulated or the trace has no data flow", .presence = FIELD_OR_NULL),
	VALUE("launch.parameters", FIELD_TEXT, field_found_parameters, "whether an earlier launch has used the memory of its parameters, `cold` or `warm`: as the trace says, if the config's launch.parameters is `recorded`; null if that is not simulated or the trace does not say where they are", .presence = FIELD_OR_NULL),
	VALUE("launch.tlb", FIELD_TEXT, field_found_tlb, "what the launch finds in the TLBs, `cold` or `warm`: as the trace says, if the config's launch.tlb is `recorded`; null if no TLB is simulated or no access to global memory is timed", .presence = FIELD_OR_NULL),
};
/* clang-format on */

const guint n_report_fields = G_N_ELEMENTS(report_fields);

gboolean report_field_is_counter(const Field *field)
{
	return field->type == FIELD_COUNT && !field->of_report && !field->of_part &&
	       !field->of_row;
}

FieldWithin report_field_within(const Field *field)
{
	if (field->within != WITHIN_DEFAULT)
		return field->within;
	return field->of_report || field->of_part ? WITHIN_COUNTED : WITHIN_NOT_AVAILABLE;
}

const char *report_field_within_words(const Field *field)
{
	static const char *const words[] = {[WITHIN_COUNTED] = "counted",
					    [WITHIN_ESTIMATED] = "estimated",
					    [WITHIN_NOT_AVAILABLE] = "not available"};

	return words[report_field_within(field)];
}
