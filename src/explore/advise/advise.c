/* SPDX-License-Identifier: MIT */
/*
 * Advice: the unchanged run says which causes there are, each candidate is simulated, and those that
 * pay are ranked.
 *
 * When nothing is advised: contention costs less than LEAST_GAIN; or the atomics conflict no more than those on
 * random words would, which is what the size of the array alone makes of them, and nothing but another
 * size would help.
 */
#include "explore/advise/advise.h"

#include "base/error.h"
#include "explore/advise/internal.h"
#include "replay/replay.h"

#define LEAST_GAIN 1.05 /* smaller ones are not reported */
#define CLOSE_GAIN 1.05 /* of two this near the one with less shared memory is reported */

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
	g_free(advice);
}

void advice_report_clear(AdviceReport *report)
{
	g_clear_pointer(&report->advice, g_ptr_array_unref);
	g_clear_pointer(&report->nothing, g_free);
	g_clear_pointer(&report->refused, g_free);
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

/* Blocks of that size that an SM holds at a time. */
static uint32_t resident_blocks(const Machine *machine, uint32_t shared_bytes, uint32_t n_warps)
{
	const SharedParameters *shared = &machine->shared;
	uint32_t unit = MAX(shared->allocation_bytes, 1);
	uint32_t bytes = (shared_bytes + shared->reserved_bytes + unit - 1) / unit * unit;
	uint32_t blocks = MIN(machine->sm.max_blocks, machine->sm.max_warps / MAX(n_warps, 1));

	return bytes > 0 ? MIN(blocks, shared->bytes / bytes) : blocks;
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
	Replay replay = {.reader = request->reader,
			 .seed = request->seed,
			 .n_threads = request->n_threads,
			 .progress = request->progress};
	uint32_t n_warps;

	if (designed == NULL || (!of_design && !what_if_add(what_if, change, why)))
		return FALSE;
	config = replay_config(designed, what_if, why);
	if (config == NULL || !replay_change(request->reader, what_if, &changed, why))
		return FALSE;
	replay.machine = config_machine(config);
	replay.source = changed.source;
	find_largest(changed.source, &advice->shared_bytes, &n_warps);
	advice->resident_blocks =
		resident_blocks(replay.machine, advice->shared_bytes, n_warps);
	if (!replay_run(&replay, &outcome, why))
		return FALSE;
	*result = outcome.run;
	return TRUE;
}

/* The line of the costliest instruction that reaches the array. */
static uint32_t line_of(const AdviceRequest *request, const SharedArray *array,
			const GArray *costly)
{
	g_autofree uint32_t *lines = replay_site_lines(request->reader);

	for (guint i = 0; i < costly->len; i++) {
		const uint32_t site = g_array_index(costly, HotSpot, i).id;

		for (guint k = 0; k < array->sites->len; k++)
			if (site == g_array_index(array->sites, uint32_t, k) && site > 0)
				return lines[site - 1];
	}
	return 0;
}

static void try_candidate(const AdviceRequest *request, const Candidate *candidate,
			  const ReplayResult *unchanged, AdviceReport *report)
{
	Advice *advice = g_new0(Advice, 1);
	SimResult *result = g_new0(SimResult, 1);
	g_autoptr(GError) why = NULL;

	advice->cause = candidate->cause;
	advice->of_design = candidate->of_design;
	advice->change = g_strdup(candidate->change);
	advice->words = g_strdup(candidate->words);
	if (candidate->array) {
		advice->first_byte = candidate->array->first;
		advice->last_byte = candidate->array->end - 1;
		advice->line = line_of(request, candidate->array, unchanged->sites);
	}
	if (replay_changed(request, candidate->change, candidate->of_design, advice, result,
			   &why)) {
		report->tried++;
		advice->cycles = result->statistics.cycles;
		advice->gain = (double)report->cycles / (double)MAX(advice->cycles, 1);
	}
	if (why != NULL && report->refused == NULL)
		report->refused = g_strdup(why->message);
	g_free(result);
	if (advice->gain < LEAST_GAIN) {
		advice_free(advice);
		return;
	}
	advice_set_known_errors(advice, config_machine(request->config));
	g_ptr_array_add(report->advice, advice);
}

/* The larger gain first; of equal ones what a programmer can do, then what takes less shared memory. */
static gint compare(gconstpointer a, gconstpointer b)
{
	const Advice *x = *(Advice *const *)a, *y = *(Advice *const *)b;

	if (x->cycles != y->cycles)
		return x->cycles < y->cycles ? -1 : 1;
	if (x->of_design != y->of_design)
		return x->of_design ? 1 : -1;
	return (x->shared_bytes > y->shared_bytes) - (x->shared_bytes < y->shared_bytes);
}

/* Whether two are the same thought in other sizes. */
static bool is_alike(const Advice *a, const Advice *b)
{
	return a->of_design == b->of_design && a->first_byte == b->first_byte &&
	       a->cause == b->cause && *a->change == *b->change &&
	       g_strrstr(a->change, "map=warp") == NULL &&
	       g_strrstr(b->change, "map=warp") == NULL;
}

/* Of advice alike keeps the best, or one that is nearly as good and takes less shared memory. */
static void keep_best(GPtrArray *all)
{
	g_ptr_array_sort(all, compare);
	for (guint i = 0; i < all->len; i++) {
		for (guint k = i + 1; k < all->len;) {
			Advice *best = all->pdata[i], *other = all->pdata[k];

			if (!is_alike(best, other)) {
				k++;
				continue;
			}
			if (best->gain < other->gain * CLOSE_GAIN &&
			    other->shared_bytes < best->shared_bytes) {
				all->pdata[i] = other;
				all->pdata[k] = best;
			}
			g_ptr_array_remove_index(all, k);
		}
	}
	g_ptr_array_sort(all, compare);
}

/* What random words of the same arrays would cost; 0 if that cannot be said. */
static uint64_t random_cycles(const AdviceRequest *request, const GPtrArray *arrays)
{
	SimResult *result = g_new0(SimResult, 1);
	Advice unused = {0};
	uint64_t cycles = 0;

	for (guint i = 0; i < arrays->len; i++) {
		const SharedArray *array = arrays->pdata[i];
		g_autofree char *change =
			g_strdup_printf("scatter=1,bytes=%u..%u", array->first, array->end - 1);

		/* With several arrays the one that matters most for the run stands for all. */
		if (array->atomics > 0 &&
		    replay_changed(request, change, false, &unused, result, NULL))
			cycles = cycles ? MIN(cycles, result->statistics.cycles)
					: result->statistics.cycles;
	}
	g_free(result);
	return cycles;
}

static void try_all(const AdviceRequest *request, const ReplayResult *unchanged,
		    const GPtrArray *arrays, uint32_t n_warps, AdviceReport *report)
{
	const KeyRun run = key_run(config_machine(request->config),
				   &trace_source(request->reader)->kernel, &unchanged->run);
	g_autoptr(GPtrArray) candidates = advice_candidates(&run, arrays, n_warps);
	bool is_random = false;

	/* Random words say nothing of the lanes that wait for a lock. */
	if (!advice_locks_contend(&unchanged->run))
		report->random_cycles = random_cycles(request, arrays);
	is_random = report->random_cycles > 0 &&
		    (double)report->cycles < LEAST_GAIN * (double)report->random_cycles;
	for (guint i = 0; i < candidates->len && !is_random; i++)
		try_candidate(request, candidates->pdata[i], unchanged, report);
	keep_best(report->advice);
	if (report->advice->len > 0)
		return;
	report->nothing =
		is_random ? g_strdup("the atomics conflict no more than those on random words "
				     "of their array would: nothing but a larger array helps")
			  : g_strdup("no change that was tried makes it 5 % faster");
}

gboolean advise(const AdviceRequest *request, AdviceReport *report, GError **error)
{
	g_auto(ReplayResult) unchanged = {0};
	g_autoptr(GPtrArray) arrays = NULL;
	const Replay replay = {.machine = config_machine(request->config),
			       .reader = request->reader,
			       .seed = request->seed,
			       .n_threads = request->n_threads,
			       .baseline = true,
			       .sites = true,
			       .progress = request->progress};
	uint32_t n_warps;

	*report = (AdviceReport){.advice = g_ptr_array_new_with_free_func(advice_free)};
	if (!replay_run(&replay, &unchanged, error))
		return FALSE;
	report->cycles = unchanged.run.statistics.cycles;
	report->contention_free_cycles = unchanged.baseline.statistics.cycles;
	find_largest(trace_source(request->reader), &report->shared_bytes, &n_warps);
	report->resident_blocks =
		resident_blocks(replay.machine, report->shared_bytes, n_warps);
	if (!unchanged.has_baseline ||
	    (double)report->cycles < LEAST_GAIN * (double)report->contention_free_cycles) {
		report->nothing = g_strdup("contention costs less than 5 % of the time");
		return TRUE;
	}
	arrays = shared_arrays_find(trace_source(request->reader));
	if (arrays == NULL) {
		g_propagate_error(error, g_error_copy(trace_failure(request->reader)));
		return FALSE;
	}
	try_all(request, &unchanged, arrays, n_warps, report);
	return TRUE;
}
