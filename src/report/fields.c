/* SPDX-License-Identifier: MIT */
#include "report/fields.h"

#include <stddef.h>

#include "replay/known-errors.h"

/* Raw digits: cJSON's numbers are doubles and would round counts above 2^53. */
static cJSON *count_item(uint64_t count)
{
	char digits[24];

	g_snprintf(digits, sizeof(digits), "%" G_GUINT64_FORMAT, count);
	return cJSON_CreateRaw(digits);
}

static cJSON *text_item(const char *text)
{
	return text != NULL ? cJSON_CreateString(text) : NULL;
}

/* --- Values that are no plain counter --- */

static cJSON *schema(const RunReport *report)
{
	(void)report;
	return count_item(REPORT_SCHEMA);
}

static cJSON *version(const RunReport *report)
{
	return text_item(report->version);
}

static cJSON *status(const RunReport *report)
{
	return cJSON_CreateString(report->result->status == SIM_INTERRUPTED ? "interrupted"
									    : "complete");
}

static cJSON *trace_name(const RunReport *report)
{
	return text_item(report->trace_name);
}

static cJSON *trace_sha256_of(const RunReport *report)
{
	return text_item(report->trace_sha256);
}

static cJSON *trace_blocks(const RunReport *report)
{
	return count_item(report->trace_blocks);
}

static cJSON *metadata_text(const RunReport *report, const char *name)
{
	return text_item(
		cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(report->metadata, name)));
}

static cJSON *trace_kernel(const RunReport *report)
{
	return metadata_text(report, "kernel");
}

static cJSON *trace_source_of(const RunReport *report)
{
	return metadata_text(report, "source");
}

static cJSON *trace_gpu(const RunReport *report)
{
	return metadata_text(report, "gpu");
}

static cJSON *seed(const RunReport *report)
{
	return count_item(report->seed);
}

static cJSON *time_us(const RunReport *report)
{
	return cJSON_CreateNumber(report_time_us(report, report->result->statistics.cycles));
}

static cJSON *changes(const RunReport *report)
{
	cJSON *list = report->what_if != NULL ? cJSON_CreateArray() : NULL;

	for (guint i = 0; list != NULL && i < what_if_length(report->what_if); i++)
		cJSON_AddItemToArray(list,
				     cJSON_CreateString(what_if_text(report->what_if, i)));
	return list;
}

static cJSON *unchanged_cycles(const RunReport *report)
{
	return report->what_if ? count_item(report->unchanged->statistics.cycles) : NULL;
}

static cJSON *gain(const RunReport *report)
{
	return report->what_if ? cJSON_CreateNumber(report_gain(report)) : NULL;
}

static cJSON *baseline_cycles(const RunReport *report)
{
	return report->baseline ? count_item(report->baseline->statistics.cycles) : NULL;
}

static cJSON *baseline_time_us(const RunReport *report)
{
	if (report->baseline == NULL)
		return NULL;
	return cJSON_CreateNumber(report_time_us(report, report->baseline->statistics.cycles));
}

static cJSON *slowdown(const RunReport *report)
{
	uint64_t cycles = report->baseline ? report->baseline->statistics.cycles : 0;

	if (cycles == 0)
		return NULL;
	return cJSON_CreateNumber((double)report->result->statistics.cycles / (double)cycles);
}

static cJSON *blocks(const RunReport *report)
{
	return count_item(report->result->blocks_done);
}

static cJSON *assumptions(const RunReport *report)
{
	cJSON *list = cJSON_CreateArray();

	for (guint i = 0; report->assumptions != NULL && report->assumptions[i] != NULL; i++)
		cJSON_AddItemToArray(list, cJSON_CreateString(report->assumptions[i]));
	return list;
}

static cJSON *config(const RunReport *report)
{
	return report->config != NULL ? config_to_cjson(report->config) : NULL;
}

/* --- Performance of atomsim itself, left out where equal runs must give equal bytes --- */

static cJSON *wall_s(const RunReport *report)
{
	return report->wall_s >= 0 ? cJSON_CreateNumber(report->wall_s) : NULL;
}

static const KnownError *known(const RunReport *report)
{
	return report_known_error(report, NULL);
}

static cJSON *known_kernels_of(const RunReport *report)
{
	const char *kernels = known_kernels(&report->result->statistics);

	return kernels ? cJSON_CreateString(kernels) : NULL;
}

static cJSON *known_points(const RunReport *report)
{
	return count_item(known(report) ? known(report)->points : 0);
}

static cJSON *known_median(const RunReport *report)
{
	return known(report) ? cJSON_CreateNumber(known(report)->median) : NULL;
}

static cJSON *known_max(const RunReport *report)
{
	return known(report) ? cJSON_CreateNumber(known(report)->max) : NULL;
}

static cJSON *threads(const RunReport *report)
{
	return report->wall_s >= 0 ? count_item(report->threads) : NULL;
}

static cJSON *per_second(const RunReport *report, uint64_t count)
{
	return report->wall_s > 0 ? cJSON_CreateNumber((double)count / report->wall_s) : NULL;
}

static cJSON *instructions_per_s(const RunReport *report)
{
	return per_second(report, report->result->statistics.warp_instructions);
}

static cJSON *atomics_per_s(const RunReport *report)
{
	return per_second(report, report->result->statistics.atomics.warp_instructions);
}

/* --- Rows --- */

/* The degrees that occurred. */
static guint degree_rows(const uint64_t *bins, FieldRow *rows)
{
	guint n = 0;

	G_STATIC_ASSERT(DEGREE_BINS <= FIELD_MAX_ROWS);
	for (guint degree = 0; degree < DEGREE_BINS; degree++)
		if (bins[degree] > 0)
			rows[n++] = (FieldRow){.degree = degree, .count = bins[degree]};
	return n;
}

static guint lock_degrees(const RunReport *report, FieldRow *rows)
{
	return degree_rows(report->result->statistics.atomics.lock_degree, rows);
}

static guint shared_degrees(const RunReport *report, FieldRow *rows)
{
	return degree_rows(report->result->statistics.shared.degree, rows);
}

static guint spot_rows(const HotSpot *spots, guint n, FieldRow *rows)
{
	G_STATIC_ASSERT(HOT_SPOTS <= FIELD_MAX_ROWS);
	for (guint i = 0; i < n; i++)
		rows[i] = (FieldRow){.spot = &spots[i]};
	return n;
}

static guint hot_addresses(const RunReport *report, FieldRow *rows)
{
	return spot_rows(report->result->addresses, report->result->n_addresses, rows);
}

static guint hot_locks(const RunReport *report, FieldRow *rows)
{
	return spot_rows(report->result->locks, report->result->n_locks, rows);
}

static guint hot_banks(const RunReport *report, FieldRow *rows)
{
	return spot_rows(report->result->banks, report->result->n_banks, rows);
}

static guint hot_sites(const RunReport *report, FieldRow *rows)
{
	const cJSON *sites = cJSON_GetObjectItemCaseSensitive(report->metadata, "sites");
	guint n = spot_rows(report->result->sites, report->result->n_sites, rows);

	for (guint i = 0; i < n; i++)
		if (rows[i].spot->id > 0)
			rows[i].site = cJSON_GetArrayItem(sites, (int)rows[i].spot->id - 1);
	return n;
}

static cJSON *row_degree(const FieldRow *row)
{
	return count_item(row->degree);
}

static cJSON *row_count(const FieldRow *row)
{
	return count_item(row->count);
}

static cJSON *spot_id(const FieldRow *row)
{
	return count_item(row->spot->id);
}

static cJSON *spot_failures(const FieldRow *row)
{
	return count_item(row->spot->failures);
}

static cJSON *spot_passes(const FieldRow *row)
{
	return count_item(row->spot->passes);
}

static cJSON *spot_lane_operations(const FieldRow *row)
{
	return count_item(row->spot->lane_operations);
}

static cJSON *spot_accesses(const FieldRow *row)
{
	return count_item(row->spot->accesses);
}

static cJSON *spot_cycles(const FieldRow *row)
{
	return count_item(row->spot->cycles);
}

static cJSON *site_item(const FieldRow *row, const char *name)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(row->site, name);

	return item != NULL ? cJSON_Duplicate(item, 1) : NULL;
}

static cJSON *site_pc(const FieldRow *row)
{
	return site_item(row, "pc");
}

static cJSON *site_function(const FieldRow *row)
{
	return site_item(row, "function");
}

static cJSON *site_file(const FieldRow *row)
{
	return site_item(row, "file");
}

static cJSON *site_line(const FieldRow *row)
{
	return site_item(row, "line");
}

/* --- The table --- */

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
	VALUE("schema", FIELD_COUNT, schema, "version of these keys: another number when one goes or changes its meaning"),
	VALUE("version", FIELD_TEXT, version, "version of atomsim", .presence = FIELD_OR_NULL),
	VALUE("status", FIELD_TEXT, status, "complete, or interrupted: then all counts are of what was done until then"),

	VALUE("trace.name", FIELD_TEXT, trace_name, "the trace's file without folders", .presence = FIELD_OR_NULL),
	VALUE("trace.sha256", FIELD_TEXT, trace_sha256_of, "SHA-256 of the file", .presence = FIELD_OR_NULL),
	COUNT("trace.warp_instructions", trace_warp_instructions, "warp instructions", "replayed, as the trace has them"),
	COUNT("trace.records", trace_records, "records", "replayed", .law = "trace.records = records.*"),
	VALUE("trace.blocks", FIELD_COUNT, trace_blocks, "thread blocks in the trace", .unit = "blocks"),
	VALUE("trace.kernel", FIELD_TEXT, trace_kernel, "name of the kernel", .presence = FIELD_OR_NULL),
	VALUE("trace.source", FIELD_TEXT, trace_source_of, "what made the trace", .presence = FIELD_OR_NULL),
	VALUE("trace.gpu", FIELD_TEXT, trace_gpu, "the GPU that it was captured on", .presence = FIELD_OR_NULL),

	VALUE("seed", FIELD_COUNT, seed, "of the random winner rule (--seed)"),
	COUNT("cycles", cycles, "cycles", "from the start of the kernel to the last store drained"),
	VALUE("time_us", FIELD_NUMBER, time_us, "the cycles at the machine's clock", .unit = "us"),
	VALUE("known_error.kernels", FIELD_TEXT, known_kernels_of,
	      "which measured kernels it is like; null if the trace does not say what waits for what",
	      .presence = FIELD_OR_NULL),
	VALUE("known_error.points", FIELD_COUNT, known_points,
	      "so many of them were measured, on this machine; 0: nothing is known, as of any config but the shipped one and of a trace that was not captured", .unit = "kernels"),
	VALUE("known_error.median", FIELD_NUMBER, known_median, "relative error of their simulated cycles; null without points",
	      .presence = FIELD_OR_NULL),
	VALUE("known_error.max", FIELD_NUMBER, known_max, "the greatest of these errors; null without points",
	      .presence = FIELD_OR_NULL),
	VALUE("what_if.changes", FIELD_TEXTS, changes, "as --what-if has them; left out without any, as all of `what_if`",
	      .presence = FIELD_OPTIONAL),
	VALUE("what_if.unchanged_cycles", FIELD_COUNT, unchanged_cycles, "the same without the changes", .unit = "cycles",
	      .presence = FIELD_OPTIONAL),
	VALUE("what_if.gain", FIELD_NUMBER, gain, "what_if.unchanged_cycles / cycles: how many times faster the changes make it",
	      .presence = FIELD_OPTIONAL),
	VALUE("contention_free.cycles", FIELD_COUNT, baseline_cycles,
	      "the same where no atomic waits for another and no access for a bank; null with --no-baseline",
	      .unit = "cycles", .presence = FIELD_OR_NULL),
	VALUE("contention_free.time_us", FIELD_NUMBER, baseline_time_us, "those cycles at the machine's clock",
	      .unit = "us", .presence = FIELD_OR_NULL),
	VALUE("contention_free.slowdown", FIELD_NUMBER, slowdown, "cycles / contention_free.cycles: what contention makes of them",
	      .presence = FIELD_OR_NULL),

	VALUE("blocks", FIELD_COUNT, blocks, "thread blocks that ran to their end", .unit = "blocks"),
	COUNT("warps", warps, "warps", "of the blocks that ran"),
	COUNT("warp_instructions", warp_instructions, "warp instructions", "executed: an atomic counts all instructions of its rounds"),

	COUNT("atomics.warp_instructions", atomics.warp_instructions, "warp instructions",
	      "atomics on shared memory in the trace", .law = "atomics.warp_instructions = records.atom"),
	COUNT("atomics.lane_operations", atomics.lane_operations, "lanes", "lanes of those"),
	COUNT("atomics.rounds", atomics.rounds, "rounds", "load-and-lock instructions executed, or what stands for one"),
	COUNT("atomics.attempts", atomics.attempts, "lanes", "lanes that tried, over all rounds",
	      .law = "atomics.attempts = atomics.successes + " FAILURES),
	COUNT("atomics.retries", atomics.retries, "lanes", "attempts after a lane's first", .law = "atomics.retries = " FAILURES),
	COUNT("atomics.successes", atomics.successes, "lanes", "lanes whose operation was done, each once",
	      .law = "atomics.successes = atomics.lane_operations"),
	ROWS("atomics.lock_degree", lock_degrees, "atomics by the rounds that they took; 64: or more"),
	IN_ROW("atomics.lock_degree[].degree", FIELD_COUNT, row_degree, "rounds", "that an atomic took"),
	IN_ROW("atomics.lock_degree[].count", FIELD_COUNT, row_count, "warp instructions", "that took so many"),

	COUNT("failures.intra_position", atomics.failures.intra_position, "lanes", "lost to a lane of the same warp, for the same word"),
	COUNT("failures.intra_alias", atomics.failures.intra_alias, "lanes", "lost to a lane of the same warp, for another word of the same lock"),
	COUNT("failures.inter_position", atomics.failures.inter_position, "lanes", "lost to another warp, for the same word"),
	COUNT("failures.inter_alias", atomics.failures.inter_alias, "lanes", "lost to another warp, for another word of the same lock"),

	COUNT("spin_locks.attempts", spin_attempts, "warp instructions", "exchanges that try a software spin lock of the trace's records.lock; those beyond are in vain"),

	COUNT("shared.accesses", shared.accesses, "accesses", "trips of a warp instruction through the load/store unit"),
	COUNT("shared.passes", shared.passes, "passes", "trips through the banks", .law = "shared.passes = shared.accesses + shared.conflict_passes"),
	COUNT("shared.conflict_passes", shared.conflict_passes, "passes", "passes after the first of an access: bank conflicts"),
	COUNT("shared.busy_cycles", shared.busy_cycles, "cycles", "in which the banks of an SM served a pass, summed over SMs"),
	ROWS("shared.degree", shared_degrees, "accesses by their passes; 64: or more"),
	IN_ROW("shared.degree[].degree", FIELD_COUNT, row_degree, "passes", "of an access"),
	IN_ROW("shared.degree[].count", FIELD_COUNT, row_count, "accesses", "that took so many"),

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
	COUNT("memory.polls", memory.polls, "warp accesses", "by which warps looked whether a coordinator has served them"),
	COUNT("memory.coordinator_turns", memory.coordinator_turns, "turns", "of the coordinator (global.atomic.coordinator)"),
	COUNT("locks_set_at_end", locks_set_at_end, "locks", "lock bits still set when the run ended", .law = "locks_set_at_end = 0"),

	ROWS("hot_spots.addresses", hot_addresses, "words of an SM's shared memory that lanes lost most often, most first"),
	IN_ROW("hot_spots.addresses[].word", FIELD_COUNT, spot_id, NULL, "index of the 32-bit word in the SM's shared memory"),
	IN_ROW("hot_spots.addresses[].failures", FIELD_COUNT, spot_failures, "lanes", "that lost it"),
	ROWS("hot_spots.locks", hot_locks, "locks that lanes lost most often, most first"),
	IN_ROW("hot_spots.locks[].lock", FIELD_COUNT, spot_id, NULL, "number of the lock"),
	IN_ROW("hot_spots.locks[].failures", FIELD_COUNT, spot_failures, "lanes", "that lost it"),
	ROWS("hot_spots.banks", hot_banks, "banks that cost most further passes, most first"),
	IN_ROW("hot_spots.banks[].bank", FIELD_COUNT, spot_id, NULL, "number of the bank"),
	IN_ROW("hot_spots.banks[].passes", FIELD_COUNT, spot_passes, "passes", "beyond the first that accesses needed because of it"),
	IN_ROW("hot_spots.banks[].accesses", FIELD_COUNT, spot_accesses, "accesses", "with conflicts in it"),
	ROWS("hot_spots.sites", hot_sites, "instructions of the program where warps spent most time, most first"),
	IN_ROW("hot_spots.sites[].site", FIELD_COUNT, spot_id, NULL, "entry of the trace's sites, from 1; 0: not known"),
	IN_ROW("hot_spots.sites[].failures", FIELD_COUNT, spot_failures, "lanes", "of its atomics that lost a lock"),
	IN_ROW("hot_spots.sites[].passes", FIELD_COUNT, spot_passes, "passes", "beyond the first of its accesses"),
	IN_ROW("hot_spots.sites[].lane_operations", FIELD_COUNT, spot_lane_operations, "lanes", "of its atomics"),
	IN_ROW("hot_spots.sites[].cycles", FIELD_COUNT, spot_cycles, "cycles", "of warps' time"),
	IN_ROW("hot_spots.sites[].pc", FIELD_TEXT, site_pc, NULL, "address of the instruction", .presence = FIELD_OPTIONAL),
	IN_ROW("hot_spots.sites[].function", FIELD_TEXT, site_function, NULL, "of the program", .presence = FIELD_OPTIONAL),
	IN_ROW("hot_spots.sites[].file", FIELD_TEXT, site_file, NULL, "of its source", .presence = FIELD_OPTIONAL),
	IN_ROW("hot_spots.sites[].line", FIELD_COUNT, site_line, NULL, "in that file, from 1", .presence = FIELD_OPTIONAL),

	VALUE("assumptions", FIELD_TEXTS, assumptions, "\"key = value\" of the config that no source fixes, where the run had what the key acts on"),
	VALUE("config", FIELD_OBJECT, config, "the effective config, whole (its schema: atomsim config --schema)", .presence = FIELD_OPTIONAL),
	VALUE("performance.wall_s", FIELD_NUMBER, wall_s, "of the simulation; left out with --reproducible, as all of `performance`",
	      .unit = "s", .presence = FIELD_OPTIONAL),
	VALUE("performance.threads", FIELD_COUNT, threads, "that simulated", .unit = "threads", .presence = FIELD_OPTIONAL),
	VALUE("performance.warp_instructions_per_s", FIELD_NUMBER, instructions_per_s, "executed ones simulated in a second of wall time",
	      .unit = "warp instructions/s", .presence = FIELD_OPTIONAL),
	VALUE("performance.warp_atomics_per_s", FIELD_NUMBER, atomics_per_s, "atomics of the trace simulated in a second of wall time",
	      .unit = "warp instructions/s", .presence = FIELD_OPTIONAL),
};
/* clang-format on */

const guint n_report_fields = G_N_ELEMENTS(report_fields);
