/* SPDX-License-Identifier: MIT */
/*
 * Advice: the unchanged run says which causes there are, each candidate is simulated, and those that pay are ranked.
 *
 * Candidates come from causes: what a run without bank conflicts, say, saves (replay/causes.h) is what changes against them can
 * gain, and where that is less than ADVICE_LEAST_GAIN none is tried. A change of type is always tried where atomics are loops, since
 * those cost time without contention, too.
 */
#include "explore/advise/advise.h"

#include "explore/advise/internal.h"
#include "replay/launch-time.h"

const char *const advice_cause_names[N_ADVICE_CAUSES] = {
#define X(constant, name, words) name,
	ADVICE_CAUSES(X)
#undef X
};

const char *const advice_cause_words[N_ADVICE_CAUSES] = {
#define X(constant, name, words) words,
	ADVICE_CAUSES(X)
#undef X
};

static void advice_free(gpointer data)
{
	Advice *advice = data;

	g_free(advice->change);
	g_free(advice->words);
	g_free(advice->place);
	g_free(advice);
}

static void refusal_free(gpointer data)
{
	AdviceRefusal *refusal = data;

	g_free(refusal->change);
	g_free(refusal->why);
	g_free(refusal);
}

void advice_report_clear(AdviceReport *report)
{
	g_clear_pointer(&report->advice, g_ptr_array_unref);
	g_clear_pointer(&report->designs, g_ptr_array_unref);
	g_clear_pointer(&report->refused, g_ptr_array_unref);
	g_clear_pointer(&report->limits, g_array_unref);
	g_clear_pointer(&report->nothing, g_free);
	g_clear_pointer(&report->no_error, g_free);
}

/* The most shared memory and warps of a block. */
static void find_largest(RecordSource *source, uint32_t *shared_bytes, uint32_t *n_warps)
{
	*shared_bytes = *n_warps = 0;
	for (uint64_t block = 0; block < source->n_blocks; block++) {
		BlockInfo info;

		source->block_info(source, block, &info);
		*shared_bytes = MAX(*shared_bytes, info.shared_bytes);
		*n_warps = MAX(*n_warps, info.n_warps);
	}
}

/* Blocks that an SM holds at a time, whatever their shared memory. */
static uint32_t most_blocks(const Machine *machine, uint32_t n_warps)
{
	return MIN(machine->sm.max_blocks, machine->sm.max_warps / MAX(n_warps, 1));
}

/* Blocks of that size that an SM holds at a time. */
static uint32_t resident_blocks(const Machine *machine, uint32_t shared_bytes, uint32_t n_warps)
{
	const SharedParameters *shared = &machine->shared;
	uint32_t unit = MAX(shared->allocation_bytes, 1);
	uint32_t bytes = (shared_bytes + shared->reserved_bytes + unit - 1) / unit * unit;
	uint32_t blocks = most_blocks(machine, n_warps);

	return bytes > 0 ? MIN(blocks, shared->bytes / bytes) : blocks;
}

static Replay replay_of(const AdviceRequest *request)
{
	return (Replay){.reader = request->reader,
			.seed = request->seed,
			.n_threads = request->n_threads,
			.progress = request->progress,
			.progress_data = request->progress_data};
}

/* Replays with what-ifs or settings. FALSE: the change cannot be made, and *why says so. */
static gboolean replay_changed(const AdviceRequest *request, const char *change, bool of_design,
			       Advice *advice, SimResult *result, GError **why)
{
	const char *settings[] = {of_design ? change : NULL, NULL};
	g_autoptr(WhatIf) what_if = what_if_new();
	g_autoptr(Config) designed = config_with(request->config, settings, why);
	g_autoptr(Config) config = NULL;
	g_auto(ChangedSource) changed = {0};
	g_auto(ReplayResult) outcome = {0};
	Replay replay = replay_of(request);
	uint32_t n_warps;

	if (designed == NULL || (!of_design && !what_if_add(what_if, change, why)))
		return FALSE;
	config = replay_config(designed, what_if, why);
	if (config == NULL || !replay_change(request->reader, what_if, &changed, why))
		return FALSE;
	replay.machine = config_machine(config);
	replay.source = changed.source;
	advice->cost_bits = advice_hardware_bits(replay.machine);
	find_largest(changed.source, &advice->shared_bytes, &n_warps);
	advice->resident_blocks =
		resident_blocks(replay.machine, advice->shared_bytes, n_warps);
	if (!replay_run(&replay, &outcome, why))
		return FALSE;
	*result = outcome.run;
	advice->duration_us = launch_duration_us(replay.machine, &result->statistics);
	return TRUE;
}

/* The costliest instruction that reaches the array; 0: none is known. */
static uint32_t site_of(const SharedArray *array, const GArray *costly)
{
	for (guint i = 0; i < costly->len; i++) {
		const uint32_t site = g_array_index(costly, HotSpot, i).id;

		for (guint k = 0; k < array->sites->len; k++)
			if (site == g_array_index(array->sites, uint32_t, k) && site > 0)
				return site;
	}
	return 0;
}

static void try_candidate(const AdviceRequest *request, const Candidate *candidate,
			  const ReplayResult *unchanged, AdviceReport *report)
{
	Advice *advice = g_new0(Advice, 1);
	g_autofree SimResult *result = g_new0(SimResult, 1);
	g_autoptr(GError) why = NULL;

	advice->cause = candidate->cause;
	advice->of_design = candidate->of_design;
	advice->change = g_strdup(candidate->change);
	advice->words = g_strdup(candidate->words);
	if (candidate->array) {
		g_autofree uint32_t *lines = replay_site_lines(request->reader);

		advice->buffer = candidate->array->buffer;
		if (advice->buffer == 0) {
			advice->first_byte = candidate->array->first;
			advice->last_byte = candidate->array->end - 1;
		}
		advice->site = site_of(candidate->array, unchanged->sites);
		advice->line = advice->site > 0 ? lines[advice->site - 1] : 0;
	}
	if (replay_changed(request, candidate->change, candidate->of_design, advice, result,
			   &why)) {
		report->tried++;
		advice->cycles = result->statistics.cycles;
		advice->behind_cycles = candidate->behind_cycles;
		if (advice->duration_us > 0)
			advice->duration_us += (double)advice->behind_cycles /
					       config_machine(request->config)->clock_mhz;
		advice->gain = (double)report->cycles /
			       (double)MAX(advice->cycles + advice->behind_cycles, 1);
	}
	if (why != NULL)
		advice_refuse(report, candidate, why);
	if (advice->gain < ADVICE_LEAST_GAIN) {
		advice_free(advice);
		return;
	}
	advice_set_expected_errors(advice, config_machine(request->config));
	g_ptr_array_add(advice->of_design ? report->designs : report->advice, advice);
}

/* The arrays of shared memory, and behind them those of buffers. NULL: the trace failed. */
static GPtrArray *find_arrays(RecordSource *source)
{
	GPtrArray *arrays = shared_arrays_find(source);
	GPtrArray *global = arrays ? global_arrays_find(source) : NULL;

	if (global == NULL) {
		g_clear_pointer(&arrays, g_ptr_array_unref);
		return NULL;
	}
	g_ptr_array_extend_and_steal(arrays, global);
	return arrays;
}

static void try_all(const AdviceRequest *request, const Unchanged *unchanged,
		    const GPtrArray *arrays, AdviceReport *report)
{
	g_autoptr(GPtrArray) candidates = advice_candidates(unchanged, arrays);

	report->limits = advice_limits(unchanged, arrays, &report->coalescing);
	report->too_long = request->most_instructions > 0 &&
			   candidates->len * report->statistics.warp_instructions >
				   request->most_instructions;
	for (guint i = 0; !report->too_long && i < candidates->len; i++)
		try_candidate(request, candidates->pdata[i], unchanged->replayed, report);
	advice_keep_best(report->advice);
	advice_keep_best(report->designs);
	if (report->advice->len == 0 && !report->too_long)
		report->nothing =
			g_strdup(report->tried + report->refused->len > 0
					 ? "no simulated change gains 5 % or more"
					 : "contention costs less than 5 % of the time");
}

static void fill_in(const AdviceRequest *request, Unchanged *unchanged, AdviceReport *report)
{
	report->cycles = unchanged->replayed->run.statistics.cycles;
	report->contention_free_cycles = unchanged->replayed->baseline.statistics.cycles;
	report->causes = unchanged->replayed->causes;
	report->statistics = unchanged->replayed->run.statistics;
	report->duration_us = launch_duration_us(unchanged->machine, &report->statistics);
	report->cost_bits = advice_hardware_bits(unchanged->machine);
	find_largest(trace_source(request->reader), &report->shared_bytes, &unchanged->n_warps);
	report->resident_blocks =
		resident_blocks(unchanged->machine, report->shared_bytes, unchanged->n_warps);
	report->bound_by_shared =
		report->resident_blocks < most_blocks(unchanged->machine, unchanged->n_warps);
}

gboolean advise(const AdviceRequest *request, AdviceReport *report, GError **error)
{
	g_auto(ReplayResult) replayed = {0};
	RecordSource *source = trace_source(request->reader);
	g_autoptr(GPtrArray) arrays = NULL;
	Replay replay = replay_of(request);
	Unchanged unchanged = {config_machine(request->config),
			       request->unchanged ? request->unchanged : &replayed,
			       &source->kernel, 0};

	*report = (AdviceReport){.advice = g_ptr_array_new_with_free_func(advice_free),
				 .designs = g_ptr_array_new_with_free_func(advice_free),
				 .refused = g_ptr_array_new_with_free_func(refusal_free)};
	replay.machine = unchanged.machine;
	replay.baseline = replay.sites = true;
	replay.causes = WANTED_YES;
	if (request->unchanged == NULL && !replay_run(&replay, &replayed, error))
		return FALSE;
	if (request->seen && unchanged.replayed->run.status == SIM_OK)
		request->seen(request->seen_data, &unchanged.replayed->run);
	fill_in(request, &unchanged, report);
	arrays = find_arrays(source);
	if (arrays == NULL || !coalescing_find(source, &report->coalescing)) {
		g_propagate_error(error, g_error_copy(trace_failure(request->reader)));
		return FALSE;
	}
	try_all(request, &unchanged, arrays, report);
	return TRUE;
}
