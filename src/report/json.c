/* SPDX-License-Identifier: MIT */
/*
 * The report as a JSON object. A key is the name of the C field that it shows. Counts are written
 * as raw digits, for cJSON's numbers are doubles and would round counts above 2^53.
 */
#include "report/report.h"

static void add_count(cJSON *object, const char *name, uint64_t count)
{
	char digits[24];

	g_snprintf(digits, sizeof(digits), "%" G_GUINT64_FORMAT, count);
	cJSON_AddRawToObject(object, name, digits);
}

static void add_text(cJSON *object, const char *name, const char *text)
{
	if (text != NULL)
		cJSON_AddStringToObject(object, name, text);
	else
		cJSON_AddNullToObject(object, name);
}

static const cJSON *metadata_item(const RunReport *report, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(report->metadata, name);
}

/* The degrees that occurred. The last bin (64) also holds what was higher. */
static void add_degrees(cJSON *object, const char *name, const uint64_t *bins)
{
	cJSON *array = cJSON_AddArrayToObject(object, name);

	for (guint degree = 0; degree < DEGREE_BINS; degree++) {
		cJSON *row;

		if (bins[degree] == 0)
			continue;
		row = cJSON_CreateObject();
		add_count(row, "degree", degree);
		add_count(row, "count", bins[degree]);
		cJSON_AddItemToArray(array, row);
	}
}

static void add_trace(cJSON *root, const RunReport *report)
{
	const Statistics *statistics = &report->result->statistics;
	cJSON *trace = cJSON_AddObjectToObject(root, "trace");

	add_text(trace, "name", report->trace_name);
	add_text(trace, "sha256", report->trace_sha256);
	add_count(trace, "warp_instructions", statistics->trace_warp_instructions);
	add_count(trace, "records", statistics->trace_records);
	add_count(trace, "blocks", report->trace_blocks);
	add_text(trace, "kernel", cJSON_GetStringValue(metadata_item(report, "kernel")));
	add_text(trace, "source", cJSON_GetStringValue(metadata_item(report, "source")));
	add_text(trace, "gpu", cJSON_GetStringValue(metadata_item(report, "gpu")));
}

static void add_atomics(cJSON *root, const AtomicCounters *atomics)
{
	cJSON *object = cJSON_AddObjectToObject(root, "atomics");
	cJSON *failures = cJSON_AddObjectToObject(root, "failures");

	add_count(object, "warp_instructions", atomics->warp_instructions);
	add_count(object, "lane_operations", atomics->lane_operations);
	add_count(object, "rounds", atomics->rounds);
	add_count(object, "attempts", atomics->attempts);
	add_count(object, "retries", atomics->retries);
	add_count(object, "successes", atomics->successes);
	add_degrees(object, "lock_degree", atomics->lock_degree);

	add_count(failures, "intra_position", atomics->failures.intra_position);
	add_count(failures, "intra_alias", atomics->failures.intra_alias);
	add_count(failures, "inter_position", atomics->failures.inter_position);
	add_count(failures, "inter_alias", atomics->failures.inter_alias);
}

static void add_shared(cJSON *root, const SharedCounters *shared)
{
	cJSON *object = cJSON_AddObjectToObject(root, "shared");

	add_count(object, "accesses", shared->accesses);
	add_count(object, "passes", shared->passes);
	add_count(object, "conflict_passes", shared->conflict_passes);
	add_count(object, "busy_cycles", shared->busy_cycles);
	add_degrees(object, "degree", shared->degree);
}

static void add_records(cJSON *root, const Statistics *statistics)
{
	static const char *const names[N_RECORD_KINDS] = {
#define X(constant, name, number) [number] = name,
		TRACE_RECORD_KINDS(X)
#undef X
	};
	cJSON *records = cJSON_AddObjectToObject(root, "records");

	for (guint kind = 0; kind < N_RECORD_KINDS; kind++)
		add_count(records, names[kind], statistics->records[kind]);
}

static void add_warp_cycles(cJSON *root, const Statistics *statistics)
{
	cJSON *states = cJSON_AddObjectToObject(root, "warp_cycles");

	for (guint state = 0; state < N_WARP_STATES; state++)
		add_count(states, warp_state_names[state], statistics->warp_cycles[state]);
	add_count(root, "resident_warp_cycles", statistics->resident_warp_cycles);
}

/* A table's rows have only the figures that sim counts for it: with_locks the failures, with_banks
   the passes and lane operations. */
static void add_hot_spots(cJSON *hot_spots, const char *name, const char *id,
			  const HotSpot *spots, guint n, gboolean with_locks,
			  gboolean with_banks)
{
	cJSON *array = cJSON_AddArrayToObject(hot_spots, name);

	for (guint i = 0; i < n; i++) {
		cJSON *row = cJSON_CreateObject();

		add_count(row, id, spots[i].id);
		if (with_locks)
			add_count(row, "failures", spots[i].failures);
		if (with_banks) {
			add_count(row, "passes", spots[i].passes);
			add_count(row, "lane_operations", spots[i].lane_operations);
		}
		cJSON_AddItemToArray(array, row);
	}
}

/* Sites also get what the metadata knows: pc, function, file, line. */
static void add_sites(cJSON *hot_spots, const RunReport *report)
{
	static const char *const keys[] = {"pc", "function", "file", "line"};
	const cJSON *sites = metadata_item(report, "sites");
	cJSON *array, *row;

	add_hot_spots(hot_spots, "sites", "site", report->result->sites,
		      report->result->n_sites, TRUE, TRUE);
	array = cJSON_GetObjectItemCaseSensitive(hot_spots, "sites");
	for (guint i = 0; i < report->result->n_sites; i++) {
		const HotSpot *spot = &report->result->sites[i];
		const cJSON *site =
			spot->id > 0 ? cJSON_GetArrayItem(sites, spot->id - 1) : NULL;

		row = cJSON_GetArrayItem(array, i);
		add_count(row, "cycles", spot->cycles);
		for (guint k = 0; k < G_N_ELEMENTS(keys); k++) {
			const cJSON *item = cJSON_GetObjectItemCaseSensitive(site, keys[k]);

			if (item != NULL)
				cJSON_AddItemToObject(row, keys[k], cJSON_Duplicate(item, 1));
		}
	}
}

static void add_baseline(cJSON *root, const RunReport *report)
{
	uint64_t cycles;
	cJSON *object;

	if (report->baseline == NULL) {
		/* The keys stay, so that CSV has the same columns with --no-baseline. */
		object = cJSON_AddObjectToObject(root, "contention_free");
		cJSON_AddNullToObject(object, "cycles");
		cJSON_AddNullToObject(object, "time_us");
		cJSON_AddNullToObject(object, "slowdown");
		return;
	}
	cycles = report->baseline->statistics.cycles;
	object = cJSON_AddObjectToObject(root, "contention_free");
	add_count(object, "cycles", cycles);
	cJSON_AddNumberToObject(object, "time_us", report_time_us(report, cycles));
	if (cycles > 0)
		cJSON_AddNumberToObject(object, "slowdown",
					(double)report->result->statistics.cycles / cycles);
	else
		cJSON_AddNullToObject(object, "slowdown");
}

static void add_performance(cJSON *root, const RunReport *report)
{
	const Statistics *statistics = &report->result->statistics;
	cJSON *object;

	if (report->wall_s < 0)
		return;
	object = cJSON_AddObjectToObject(root, "performance");
	cJSON_AddNumberToObject(object, "wall_s", report->wall_s);
	add_count(object, "threads", report->threads);
	if (report->wall_s > 0) {
		cJSON_AddNumberToObject(object, "warp_instructions_per_s",
					statistics->warp_instructions / report->wall_s);
		cJSON_AddNumberToObject(object, "warp_atomics_per_s",
					statistics->atomics.warp_instructions / report->wall_s);
	}
}

cJSON *report_object(const RunReport *report)
{
	const SimResult *result = report->result;
	const Statistics *statistics = &result->statistics;
	cJSON *object = cJSON_CreateObject();
	cJSON *hot_spots, *assumptions;

	add_text(object, "version", report->version);
	cJSON_AddStringToObject(object, "status",
				result->status == SIM_INTERRUPTED ? "interrupted" : "complete");
	add_trace(object, report);
	add_count(object, "seed", report->seed);
	add_count(object, "cycles", statistics->cycles);
	cJSON_AddNumberToObject(object, "time_us", report_time_us(report, statistics->cycles));
	add_baseline(object, report);
	add_count(object, "blocks", result->blocks_done);
	add_count(object, "warps", statistics->warps);
	add_count(object, "warp_instructions", statistics->warp_instructions);
	add_atomics(object, &statistics->atomics);
	add_shared(object, &statistics->shared);
	add_warp_cycles(object, statistics);
	add_records(object, statistics);
	add_count(object, "global_segments", statistics->global_segments);
	add_count(object, "locks_set_at_end", statistics->locks_set_at_end);

	hot_spots = cJSON_AddObjectToObject(object, "hot_spots");
	add_hot_spots(hot_spots, "addresses", "word", result->addresses, result->n_addresses,
		      TRUE, FALSE);
	add_hot_spots(hot_spots, "locks", "lock", result->locks, result->n_locks, TRUE, FALSE);
	add_hot_spots(hot_spots, "banks", "bank", result->banks, result->n_banks, FALSE, TRUE);
	add_sites(hot_spots, report);

	assumptions = cJSON_AddArrayToObject(object, "assumptions");
	for (guint i = 0; report->assumptions != NULL && report->assumptions[i] != NULL; i++)
		cJSON_AddItemToArray(assumptions, cJSON_CreateString(report->assumptions[i]));
	if (report->config != NULL)
		cJSON_AddItemToObject(object, "config", cJSON_Duplicate(report->config, 1));
	add_performance(object, report);
	return object;
}

/* One run is an object, several are an array of such objects. */
static char *write_json(const RunReport *reports, guint n)
{
	cJSON *root = n == 1 ? report_object(&reports[0]) : cJSON_CreateArray();
	char *printed, *text;

	for (guint i = 0; n > 1 && i < n; i++)
		cJSON_AddItemToArray(root, report_object(&reports[i]));
	printed = cJSON_Print(root);
	text = g_strconcat(printed, "\n", NULL);
	cJSON_free(printed);
	cJSON_Delete(root);
	return text;
}

const ReportFormat report_json = {
	.name = "json",
	.summary = "everything, for programs; an array if there are several traces",
	.write = write_json,
};
