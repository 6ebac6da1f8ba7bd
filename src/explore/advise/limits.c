/* SPDX-License-Identifier: MIT */
/* Changes that fit a cause and that no what-if makes: what the run without the cause says they could gain at most. */
#include "explore/advise/internal.h"

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

GArray *advice_limits(const Unchanged *unchanged, const GPtrArray *arrays)
{
	GArray *limits = g_array_new(FALSE, FALSE, sizeof(AdviceLimit));
	bool atomics = false, results = false, tables = false;

	for (guint i = 0; i < arrays->len; i++) {
		const SharedArray *array = arrays->pdata[i];

		atomics = atomics || array->atomics > 0;
		results = results || (array->buffer > 0 && array->atomics_with_result > 0);
		tables = tables || (array->operations & 1u << OPERATION_CAS) != 0;
	}
	add(limits, unchanged, IDEAL_spin_locks, CAUSE_LOCKS,
	    "more locks, each for fewer words, or atomics in place of what they guard");
	if (results)
		add(limits, unchanged, IDEAL_l2_atomics, CAUSE_L2,
		    "one atomic a block that reserves places for all its threads, which number "
		    "themselves in shared memory");
	if (tables)
		add(limits, unchanged, IDEAL_same_word, CAUSE_WORDS,
		    "a larger table, in which fewer keys meet");
	if (atomics)
		add(limits, unchanged, IDEAL_same_word, CAUSE_WORDS,
		    "another order of the elements, in which the lanes of a warp want "
		    "different "
		    "words");
	add(limits, unchanged, IDEAL_bank_conflicts, CAUSE_BANKS,
	    "another order of the accesses, or an array for each field of a structure");
	add(limits, unchanged, IDEAL_global_latency, CAUSE_LATENCY,
	    "more threads or blocks at a time, or several loads of a thread before their first "
	    "use");
	g_array_sort(limits, compare);
	return limits;
}
