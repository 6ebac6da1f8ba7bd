/* SPDX-License-Identifier: MIT */
/* Changes that fit a cause and that no what-if makes: what the run without the cause says they could gain at most. */
#include "explore/advise/internal.h"

#define COALESCED 2 /* sectors over the least: what is twice as much has a remedy */

static void add(GArray *limits, const Unchanged *unchanged, unsigned ideal, AdviceCause cause,
		const char *words)
{
	const AdviceLimit limit = {cause, words, advice_most_gain(unchanged, ideal)};

	if (limit.most_gain >= ADVICE_LEAST_GAIN)
		g_array_append_val(limits, limit);
}

static gint compare(gconstpointer a, gconstpointer b)
{
	const AdviceLimit *x = a, *y = b;

	return (x->most_gain < y->most_gain) - (x->most_gain > y->most_gain);
}

/* In another order the lanes of a warp want different words only where they want the same now, and there are others. */
static bool has_better_order(const SharedArray *array)
{
	return array->buffer == 0 && array->meetings > 0 &&
	       array->end - array->first > array->widest;
}

static void add_of_arrays(GArray *limits, const Unchanged *unchanged, const GPtrArray *arrays)
{
	bool orders = false, results = false, tables = false;

	for (guint i = 0; i < arrays->len; i++) {
		const SharedArray *array = arrays->pdata[i];

		orders = orders || has_better_order(array);
		results = results || (array->buffer > 0 && array->atomics_with_result > 0);
		tables = tables || (array->operations & 1u << OPERATION_CAS) != 0;
	}
	if (results)
		add(limits, unchanged, IDEAL_l2_atomics, CAUSE_L2,
		    "one atomic per block reserves slots for all its threads, which number "
		    "themselves in shared memory");
	if (tables)
		add(limits, unchanged, IDEAL_same_word, CAUSE_WORDS,
		    "a larger table, with fewer collisions");
	if (orders)
		add(limits, unchanged, IDEAL_same_word, CAUSE_WORDS,
		    "reorder elements so that the lanes of a warp access different words");
}

static void add_of_memory(GArray *limits, const Unchanged *unchanged,
			  const Coalescing *coalescing)
{
	const Statistics *s = &unchanged->replayed->run.statistics;
	const uint64_t *in = s->warp_cycles;

	add(limits, unchanged, IDEAL_global_latency, CAUSE_LATENCY,
	    in[STATE_FENCE] > statistics_global_wait(in) + in[STATE_GLOBAL_QUEUE]
		    ? "fewer fences, each after more stores, or block fences "
		      "(__threadfence_block) where enough"
		    : "more resident warps, or several loads per thread before their first "
		      "use");
	if (2 * coalescing->sectors <= s->memory.sectors || coalescing->accesses == 0)
		return; /* atomics are most of what is moved */
	if (coalescing->sectors >= COALESCED * coalescing->least_sectors)
		add(limits, unchanged, IDEAL_global_bandwidth, CAUSE_BANDWIDTH,
		    "coalesced accesses: neighboring lanes access neighboring words");
	else
		add(limits, unchanged, IDEAL_global_bandwidth, CAUSE_BANDWIDTH,
		    "fewer bytes: smaller types, or keep data in registers or shared memory");
}

GArray *advice_limits(const Unchanged *unchanged, const GPtrArray *arrays,
		      const Coalescing *coalescing)
{
	GArray *limits = g_array_new(FALSE, FALSE, sizeof(AdviceLimit));

	add(limits, unchanged, IDEAL_spin_locks, CAUSE_LOCKS,
	    "more locks, each for fewer words, or atomics instead of critical sections");
	add_of_arrays(limits, unchanged, arrays);
	add(limits, unchanged, IDEAL_bank_conflicts, CAUSE_BANKS,
	    "reorder accesses, or use a structure of arrays");
	add_of_memory(limits, unchanged, coalescing);
	add(limits, unchanged, IDEAL_barriers, CAUSE_BARRIERS,
	    "balance work between barriers, or use barriers of fewer warps (__syncwarp, named "
	    "barriers)");
	add(limits, unchanged, IDEAL_issue, CAUSE_ISSUE,
	    "fewer or cheaper instructions, or more SMs");
	add(limits, unchanged, IDEAL_instruction_latency, CAUSE_RESULTS,
	    "more resident warps, or independent instructions between a result and its use");
	g_array_sort(limits, compare);
	return limits;
}
