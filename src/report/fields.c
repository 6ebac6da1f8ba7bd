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
#define ROWS(name, function, its_doc)                                                          \
	{                                                                                      \
		.path = name, .type = FIELD_ROWS, .rows = function, .doc = its_doc             \
	}
#define IN_ROW(name, its_type, function, its_unit, its_doc, ...)                               \
	{                                                                                      \
		.path = name, .type = its_type, .of_row = function, .unit = its_unit,          \
		.doc = its_doc, __VA_ARGS__                                                    \
	}

#define FAILURES "failures.*"

/* clang-format off */
const Field report_fields[] = {
	VALUE("schema", FIELD_COUNT, field_schema, "version of these keys: another number when one goes or changes its meaning"),
	VALUE("version", FIELD_TEXT, field_version, "version of atomsim", .presence = FIELD_OR_NULL),
	VALUE("status", FIELD_TEXT, field_status, "complete, or interrupted: then all counts are of what was done until then"),

	VALUE("trace.name", FIELD_TEXT, field_trace_name, "the trace's file without folders", .presence = FIELD_OR_NULL),
	VALUE("trace.sha256", FIELD_TEXT, field_trace_sha256, "SHA-256 of the file", .presence = FIELD_OR_NULL),
	COUNT("trace.warp_instructions", trace_warp_instructions, "warp instructions", "replayed, as the trace has them"),
	COUNT("trace.records", trace_records, "records", "replayed", .law = "trace.records = records.*"),
	VALUE("trace.blocks", FIELD_COUNT, field_trace_blocks, "thread blocks in the trace", .unit = "blocks", .counter = "launch__grid_size"),
	VALUE("trace.kernel", FIELD_TEXT, field_trace_kernel, "name of the kernel", .presence = FIELD_OR_NULL),
	VALUE("trace.source", FIELD_TEXT, field_trace_source, "what made the trace", .presence = FIELD_OR_NULL),
	VALUE("trace.gpu", FIELD_TEXT, field_trace_gpu, "the GPU that it was captured on", .presence = FIELD_OR_NULL),

	VALUE("seed", FIELD_COUNT, field_seed, "of the random winner rule (--seed)"),
	COUNT("cycles", cycles, "cycles", "from the start of the kernel to the last store drained", .within = WITHIN_ESTIMATED),
	VALUE("time_us", FIELD_NUMBER, field_time_us, "the cycles at the machine's clock", .unit = "us", .within = WITHIN_ESTIMATED),
	COUNT("blocks_end_cycles", busy_cycles, "cycles", "from the start of the kernel to the end of its last block, though stores may be under way", .within = WITHIN_ESTIMATED),
	VALUE("busy_cycles", FIELD_COUNT, field_busy_cycles,
	      "`blocks_end_cycles`, and sm.launch_cycles; null where the config has none",
	      .unit = "cycles", .counter = "sm__cycles_active.max", .presence = FIELD_OR_NULL, .within = WITHIN_ESTIMATED),
	VALUE("elapsed_cycles", FIELD_COUNT, field_elapsed_cycles, "`cycles`, and launch_ns in cycles; null where the config has none",
	      .unit = "cycles", .counter = "sm__cycles_elapsed.max", .presence = FIELD_OR_NULL, .within = WITHIN_ESTIMATED),
	VALUE("duration_us", FIELD_NUMBER, field_duration_us, "`time_us`, and launch_ns; null where the config has none",
	      .unit = "us", .counter = "gpu__time_duration.sum", .presence = FIELD_OR_NULL, .within = WITHIN_ESTIMATED),
	VALUE("expected_error.class", FIELD_TEXT, field_expected_class,
	      "the class of launches that it belongs to; null if the trace does not say what waits for what, or lacks something",
	      .presence = FIELD_OR_NULL, .within = WITHIN_NOT_AVAILABLE),
	VALUE("expected_error.launches", FIELD_COUNT, field_expected_launches,
	      "so many of that class were measured on this machine; 0: nothing is promised", .unit = "launches", .within = WITHIN_NOT_AVAILABLE),
	VALUE("expected_error.median", FIELD_NUMBER, field_expected_median, "relative error of their busy cycles (ncu's sm__cycles_active.max); null without launches",
	      .presence = FIELD_OR_NULL, .within = WITHIN_NOT_AVAILABLE),
	VALUE("expected_error.p90", FIELD_NUMBER, field_expected_p90, "the 90th percentile of these errors; null without launches",
	      .presence = FIELD_OR_NULL, .within = WITHIN_NOT_AVAILABLE),
	VALUE("expected_error.none", FIELD_TEXT, field_expected_none, "why nothing is promised: another config, a trace that was not captured or lacks something, too few such launches; null if something is",
	      .presence = FIELD_OR_NULL, .within = WITHIN_NOT_AVAILABLE),
	VALUE("cost_bits", FIELD_COUNT, field_cost_bits, "what the hardware of the config's atomics costs, by its weights `cost`: config --cost", .unit = "bits"),
	VALUE("estimates.within_percent", FIELD_NUMBER, field_within_percent, "as --within has it; left out without, as all of `estimates`",
	      .unit = "%", .presence = FIELD_OPTIONAL),
	VALUE("estimates.confidence", FIELD_NUMBER, field_confidence, "of the interval", .presence = FIELD_OPTIONAL),
	VALUE("estimates.cycles_low", FIELD_COUNT, field_cycles_low, "where the interval that `cycles` lies in begins", .unit = "cycles", .presence = FIELD_OPTIONAL),
	VALUE("estimates.cycles_high", FIELD_COUNT, field_cycles_high, "where it ends", .unit = "cycles", .presence = FIELD_OPTIONAL),
	VALUE("estimates.waves", FIELD_COUNT, field_waves, "of the launch: as many blocks as are resident at a time, all of them; 0: it has too few to sample", .unit = "waves", .presence = FIELD_OPTIONAL),
	VALUE("estimates.waves_simulated", FIELD_COUNT, field_waves_simulated, "of these", .unit = "waves", .presence = FIELD_OPTIONAL),
	VALUE("estimates.blocks_simulated", FIELD_COUNT, field_blocks_simulated, "of the launch's", .unit = "blocks", .presence = FIELD_OPTIONAL),
	VALUE("estimates.warp_instructions_simulated", FIELD_COUNT, field_instructions_simulated,
	      "executed, also where a sample was given up and the launch simulated whole", .unit = "warp instructions", .presence = FIELD_OPTIONAL),
	VALUE("estimates.sampled", FIELD_TEXT, field_sampled, "yes: what is not available is null; no, and why: the launch was simulated whole and all is counted",
	      .presence = FIELD_OPTIONAL),
	VALUE("what_if.changes", FIELD_TEXTS, field_changes, "as --what-if has them; left out without any, as all of `what_if`",
	      .presence = FIELD_OPTIONAL),
	VALUE("what_if.unchanged_cycles", FIELD_COUNT, field_unchanged_cycles, "the same without the changes", .unit = "cycles",
	      .presence = FIELD_OPTIONAL),
	VALUE("what_if.gain", FIELD_NUMBER, field_gain, "what_if.unchanged_cycles / cycles: how many times faster the changes make it",
	      .presence = FIELD_OPTIONAL),
	VALUE("contention_free.cycles", FIELD_COUNT, field_baseline_cycles,
	      "the same without contention: no access waits for a bank, no atomic for a word or a lock, no warp for a spin lock, and atomics cost the L2 what loads do; null with --no-baseline",
	      .unit = "cycles", .presence = FIELD_OR_NULL, .within = WITHIN_NOT_AVAILABLE),
	VALUE("contention_free.time_us", FIELD_NUMBER, field_baseline_time_us, "those cycles at the machine's clock",
	      .unit = "us", .presence = FIELD_OR_NULL, .within = WITHIN_NOT_AVAILABLE),
	VALUE("contention_free.order", FIELD_TEXT, field_baseline_order, "as causes[].order",
	      .presence = FIELD_OR_NULL, .within = WITHIN_NOT_AVAILABLE),
	VALUE("contention_free.slowdown", FIELD_NUMBER, field_slowdown, "cycles / contention_free.cycles: what contention makes of them; below 1 where it takes longer without, whatever order is tried",
	      .presence = FIELD_OR_NULL, .within = WITHIN_NOT_AVAILABLE),

	ROWS("causes", field_causes, "what the run would take with one thing ideal at a time: of those that can have cost it anything; none with --causes=no"),
	IN_ROW("causes[].cause", FIELD_TEXT, field_cause_name, NULL, "what is ideal, a key of `ideal` in the config; all: all of them together, and what is left"),
	IN_ROW("causes[].cycles", FIELD_COUNT, field_cause_cycles, "cycles", "of the run without it; more than `cycles` where it takes longer, whatever order is tried"),
	IN_ROW("causes[].order", FIELD_TEXT, field_cause_order, NULL, "of that run's warps: own; kept, of the run itself, where their own takes longer than the run; paced, the run's times between attempts, too"),
	IN_ROW("causes[].saves_cycles", FIELD_COUNT, field_cause_saves_cycles, "cycles", "`cycles` less those, or 0; of several together more or less than the sum"),
	IN_ROW("causes[].saves", FIELD_NUMBER, field_cause_saves, NULL, "causes[].saves_cycles / cycles"),

	VALUE("blocks", FIELD_COUNT, field_blocks, "thread blocks that ran to their end", .unit = "blocks", .within = WITHIN_NOT_AVAILABLE),
	COUNT("warps", warps, "warps", "of the blocks that ran", .counter = "sm__warps_launched.sum"),
	COUNT("warp_instructions", warp_instructions, "warp instructions", "executed: an atomic counts all instructions of its rounds",
	      .counter = "smsp__inst_executed.sum"),

	COUNT("atomics.warp_instructions", atomics.warp_instructions, "warp instructions",
	      "atomics on shared memory in the trace", .law = "atomics.warp_instructions >= records.atom"),
	COUNT("atomics.lane_operations", atomics.lane_operations, "lanes", "lanes of those"),
	COUNT("atomics.rounds", atomics.rounds, "rounds", "load-and-lock instructions executed, or what stands for one"),
	COUNT("atomics.attempts", atomics.attempts, "lanes", "lanes that tried, over all rounds",
	      .law = "atomics.attempts = atomics.successes + " FAILURES),
	COUNT("atomics.retries", atomics.retries, "lanes", "attempts after a lane's first", .law = "atomics.retries = " FAILURES),
	COUNT("atomics.successes", atomics.successes, "lanes", "lanes whose operation was done, each once",
	      .law = "atomics.lane_operations = atomics.successes + atomics.merged_lanes"),
	COUNT("atomics.merged_lanes", merged[MEMORY_SHARED], "lanes", "of those, that another lane of their warp has operated for (atomic.merge)"),
	ROWS("atomics.lock_degree", field_lock_degrees, "atomics by the rounds that they took; 64: or more"),
	IN_ROW("atomics.lock_degree[].degree", FIELD_COUNT, field_row_degree, "rounds", "that an atomic took"),
	IN_ROW("atomics.lock_degree[].count", FIELD_COUNT, field_row_count, "warp instructions", "that took so many"),

	COUNT("failures.intra_position", atomics.failures.intra_position, "lanes", "lost to a lane of the same warp, for the same word"),
	COUNT("failures.intra_alias", atomics.failures.intra_alias, "lanes", "lost to a lane of the same warp, for another word of the same lock"),
	COUNT("failures.inter_position", atomics.failures.inter_position, "lanes", "lost to another warp, for the same word"),
	COUNT("failures.inter_alias", atomics.failures.inter_alias, "lanes", "lost to another warp, for another word of the same lock"),

	COUNT("spin_locks.attempts", spin_attempts, "warp instructions", "exchanges that try a software spin lock of the trace's records.lock; those beyond these records failed"),

	COUNT("shared.accesses", shared.accesses, "accesses", "trips of a warp instruction through the load/store unit"),
	COUNT("shared.passes", shared.passes, "passes", "trips through the banks", .law = "shared.passes = shared.accesses + shared.conflict_passes",
	      .counter = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"),
	COUNT("shared.conflict_passes", shared.conflict_passes, "passes", "passes after the first of an access: bank conflicts",
	      .counter = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"),
	COUNT("shared.bank_busy_cycles", shared.bank_busy_cycles, "cycles", "in which the banks of an SM served a pass, summed over SMs"),
	ROWS("shared.degree", field_shared_degrees, "accesses by their passes; 64: or more"),
	IN_ROW("shared.degree[].degree", FIELD_COUNT, field_row_degree, "passes", "of an access"),
	IN_ROW("shared.degree[].count", FIELD_COUNT, field_row_count, "accesses", "that took so many"),

#define X(constant, name, its_doc) COUNT("warp_cycles." name, warp_cycles[STATE_##constant], "cycles", its_doc ", summed over warps"),
	WARP_STATES(X)
#undef X
	COUNT("resident_warp_cycles", resident_warp_cycles, "cycles", "that warps were resident, summed over warps",
	      .law = "resident_warp_cycles = warp_cycles.*"),

#define X(constant, name, number) COUNT("records." name, records[number], "records", "of the kind " name),
	TRACE_RECORD_KINDS(X)
#undef X
	COUNT("global_segments", global_segments, "segments", "of 128 bytes moved from and to global memory"),
	COUNT("memory.accesses", memory.accesses, "warp accesses", "to global memory that the memory side has timed: those whose addresses the trace says, with global.model slices"),
	COUNT("memory.packets", memory.packets, "packets", "that left an SM for the L2, each round of an atomic one"),
	COUNT("memory.sectors", memory.sectors, "sectors", "of 32 bytes that slices of the L2 have served"),
	COUNT("memory.far_packets", memory.far_packets, "packets", "that went through the L2's other partition"),
	COUNT("memory.missed_sectors", memory.missed_sectors, "sectors", "that were not in the L2"),
	COUNT("memory.complete_accesses", memory.complete_accesses, "warp accesses", "on the slow one of two paths (paths.rule)"),
	COUNT("memory.failed_lanes", memory.failed_lanes, "lanes", "whose compare-and-swap in a loop found its word changed"),
	COUNT("memory.wait_loop_accesses", memory.wait_loop_accesses, "warp accesses", "by which warps looked, in a loop, whether a coordinator has served them"),
	COUNT("memory.coordinator_rounds", memory.coordinator_rounds, "rounds", "of the coordinator (global.atomic.coordinator)"),
	COUNT("memory.merged_lanes", merged[MEMORY_GLOBAL], "lanes", "of atomics, that another lane of their warp has operated for (global.atomic.merge)"),
	COUNT("memory.buffered_lanes", buffered, "lanes", "of atomics, that their SM has kept for a while (global.atomic.buffer)"),
	COUNT("memory.fused_lanes", fused, "lanes", "of those, whose word and operation were there already"),
	COUNT("memory.drained_words", drained, "words", "whose operation has left a buffer again",
	      .law = "memory.buffered_lanes = memory.fused_lanes + memory.drained_words"),
	COUNT("locks_set_at_end", locks_set_at_end, "locks", "lock bits still set when the run ended", .law = "locks_set_at_end = 0"),

	ROWS("hot_spots.addresses", field_hot_addresses, "words of an SM's shared memory that lanes lost most often, most first"),
	IN_ROW("hot_spots.addresses[].word", FIELD_COUNT, field_spot_id, NULL, "index of the 32-bit word in the SM's shared memory"),
	IN_ROW("hot_spots.addresses[].failures", FIELD_COUNT, field_spot_failures, "lanes", "that lost it"),
	ROWS("hot_spots.locks", field_hot_locks, "locks that lanes lost most often, most first"),
	IN_ROW("hot_spots.locks[].lock", FIELD_COUNT, field_spot_id, NULL, "number of the lock"),
	IN_ROW("hot_spots.locks[].failures", FIELD_COUNT, field_spot_failures, "lanes", "that lost it"),
	ROWS("hot_spots.banks", field_hot_banks, "banks that cost most further passes, most first"),
	IN_ROW("hot_spots.banks[].bank", FIELD_COUNT, field_spot_id, NULL, "number of the bank"),
	IN_ROW("hot_spots.banks[].passes", FIELD_COUNT, field_spot_passes, "passes", "beyond the first that accesses needed because of it"),
	IN_ROW("hot_spots.banks[].accesses", FIELD_COUNT, field_spot_accesses, "accesses", "with conflicts in it"),
	ROWS("hot_spots.sites", field_hot_sites, "instructions of the program that cost anything, where warps spent most time first"),
	IN_ROW("hot_spots.sites[].site", FIELD_COUNT, field_spot_id, NULL, "entry of the trace's sites, from 1: its instruction, and those from the one before to it, behind the last site those to the warp's end; 0: of warps that come to none"),
	IN_ROW("hot_spots.sites[].failures", FIELD_COUNT, field_spot_failures, "lanes", "of its atomics that lost a lock, or whose compare-and-swap in global memory found its word changed",
	       .law = "hot_spots.sites[].failures = " FAILURES " + memory.failed_lanes"),
	IN_ROW("hot_spots.sites[].passes", FIELD_COUNT, field_spot_passes, "passes", "beyond the first of its accesses",
	       .law = "hot_spots.sites[].passes = shared.conflict_passes"),
	IN_ROW("hot_spots.sites[].lane_operations", FIELD_COUNT, field_spot_lane_operations, "lanes", "of its atomics on shared memory",
	       .law = "hot_spots.sites[].lane_operations = atomics.lane_operations"),
	IN_ROW("hot_spots.sites[].cycles", FIELD_COUNT, field_spot_cycles, "cycles", "of warps' time",
	       .law = "resident_warp_cycles = hot_spots.sites[].cycles + warp_cycles.done"),
	IN_ROW("hot_spots.sites[].merged_lanes", FIELD_COUNT, field_spot_merged, "lanes", "that another lane of their warp has operated for; left out, with the next four, where a config merges and buffers nothing",
	       .presence = FIELD_OPTIONAL, .law = "hot_spots.sites[].merged_lanes = atomics.merged_lanes + memory.merged_lanes"),
	IN_ROW("hot_spots.sites[].buffered_lanes", FIELD_COUNT, field_spot_buffered, "lanes", "that their SM has kept for a while",
	       .presence = FIELD_OPTIONAL, .law = "hot_spots.sites[].buffered_lanes = memory.buffered_lanes"),
#define X(constant, name, its_doc) IN_ROW("hot_spots.sites[]." name, FIELD_COUNT, field_spot_refused_##constant, "lanes", its_doc, .presence = FIELD_OPTIONAL),
	COMBINE_REFUSALS(X)
#undef X
	IN_ROW("hot_spots.sites[].pc", FIELD_TEXT, field_site_pc, NULL, "address of the instruction", .presence = FIELD_OPTIONAL),
	IN_ROW("hot_spots.sites[].function", FIELD_TEXT, field_site_function, NULL, "of the program", .presence = FIELD_OPTIONAL),
	IN_ROW("hot_spots.sites[].file", FIELD_TEXT, field_site_file, NULL, "of its source", .presence = FIELD_OPTIONAL),
	IN_ROW("hot_spots.sites[].line", FIELD_COUNT, field_site_line, NULL, "in that file, from 1", .presence = FIELD_OPTIONAL),

	VALUE("assumptions", FIELD_TEXTS, field_assumptions, "\"key = value\" of the config that no source fixes, where the run had what the key acts on"),
	VALUE("provenance", FIELD_OBJECT, field_provenance, "how many values of the config come from where: its own `measured`, `published`, `fitted`, `assumed`, `neutral` (nothing is known, so it costs nothing) and `set` ones, and `inherited`, a list of GPUs with their `values` (atomsim config --explain); `not_measured` where none is measured and most are inherited", .presence = FIELD_OPTIONAL),
	VALUE("config", FIELD_OBJECT, field_config, "the effective config, whole (its schema: atomsim config --schema)", .presence = FIELD_OPTIONAL),
#define X(constant, name, its_doc, ncu)                                                        \
	VALUE("utilisation." #name "_mean", FIELD_NUMBER, field_mean_##name, its_doc "; how busy over the run; left out without --utilisation, as all of `utilisation`. Near it in ncu: " ncu, \
	      .unit = "%", .presence = FIELD_OPTIONAL),                                        \
	VALUE("utilisation." #name "_busiest", FIELD_NUMBER, field_busiest_##name, "the same in the busiest hundredth of the units' time", \
	      .unit = "%", .presence = FIELD_OPTIONAL),
	UTILISED(X)
#undef X
	VALUE("performance.wall_s", FIELD_NUMBER, field_wall_s, "of the simulation; left out with --reproducible, as all of `performance`",
	      .unit = "s", .presence = FIELD_OPTIONAL),
	VALUE("performance.threads", FIELD_COUNT, field_threads, "that simulated", .unit = "threads", .presence = FIELD_OPTIONAL),
	VALUE("performance.sms_simulated", FIELD_COUNT, field_sms_simulated, "others had blocks equal to those of one of them, at the same times, and did what it did",
	      .unit = "SMs", .presence = FIELD_OPTIONAL),
	VALUE("performance.warp_instructions_per_s", FIELD_NUMBER, field_instructions_per_s, "executed ones of all SMs in a second of wall time",
	      .unit = "warp instructions/s", .presence = FIELD_OPTIONAL),
	VALUE("performance.warp_atomics_per_s", FIELD_NUMBER, field_atomics_per_s, "atomics of the trace in a second of wall time",
	      .unit = "warp instructions/s", .presence = FIELD_OPTIONAL),
};
/* clang-format on */

const guint n_report_fields = G_N_ELEMENTS(report_fields);

FieldWithin report_field_within(const Field *field)
{
	if (field->within != WITHIN_DEFAULT)
		return field->within;
	return field->of_report ? WITHIN_COUNTED : WITHIN_NOT_AVAILABLE;
}

const char *report_field_within_words(const Field *field)
{
	static const char *const words[] = {[WITHIN_COUNTED] = "counted",
					    [WITHIN_ESTIMATED] = "estimated",
					    [WITHIN_NOT_AVAILABLE] = "not available"};

	return words[report_field_within(field)];
}
