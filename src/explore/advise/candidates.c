/* SPDX-License-Identifier: MIT */
/* Which changes fit which causes. */
#include "explore/advise/internal.h"

#include "replay/expected-error.h"

#define MAX_THREAD_WORDS  16 /* private=thread takes no more */
#define MAX_BUFFER_COPIES 64
#define LEAST_LANES	  16u /* half a warp, as DISTWAR (arXiv 2401.05345) has it */
#define MAX_ROW		  128 /* words of rows that are tried on any array */
/* What a launch takes besides its blocks: sm__cycles_elapsed.max less sm__cycles_active.max, median of
   measurements/h200/variants.csv. */
#define LAUNCH_CYCLES 3100

/* --- Arrays of shared memory --- */

static void add_copies(GPtrArray *candidates, AdviceCause cause, const SharedArray *array,
		       uint32_t n_warps)
{
	const uint32_t pad = array->widest > 4 ? array->widest / 4 : 1;
	const char *gap =
		pad == 1 ? ", padded by one word each;" : ", padded by one element each;";

	for (uint32_t copies = 2; copies <= 32; copies *= 2)
		for (uint32_t padded = 0; padded < 2; padded++)
			advice_add(
				candidates, cause, array,
				padded ? g_strdup_printf("replicate=%u,pad=%u", copies, pad)
				       : g_strdup_printf("replicate=%u", copies),
				g_strdup_printf("keep %u copies of the array%s sum them at the "
						"end; thread t uses copy t mod %u",
						copies, padded ? gap : ";", copies));
	if (n_warps > 1)
		advice_add(candidates, cause, array,
			   g_strdup_printf("replicate=%u,map=warp,pad=%u", n_warps, pad),
			   g_strdup_printf(
				   "keep one copy of the array per warp%s sum them at the end",
				   gap));
}

static void add_in_registers(GPtrArray *candidates, AdviceCause cause, const SharedArray *array)
{
	if (array->end - array->first <= MAX_THREAD_WORDS * array->widest)
		advice_add(
			candidates, cause, array, g_strdup("private=thread"),
			g_strdup("accumulate in registers per thread, reduce within the warp "
				 "(shuffles or __reduce_*_sync), one atomic per word at the "
				 "end"));
}

/* Aggregation of a warp's lanes in all ways that may fit; which of them is fastest, replay says. */
static void add_aggregation(GPtrArray *candidates, AdviceCause cause, const SharedArray *array)
{
	const bool one = array->end - array->first <= array->widest;

	advice_add(
		candidates, cause, array, g_strdup("aggregate=warp"),
		one ? g_strdup("aggregate within the warp (shuffles or __reduce_*_sync): one "
			       "atomic per warp")
		    : g_strdup("aggregate within the warp (__match_any_sync): one atomic per "
			       "distinct address"));
	if (array->atomics_apart == 0) {
		if (!one)
			advice_add(candidates, cause, array, g_strdup("aggregate=tree"),
				   g_strdup("aggregate within the warp by a tree of shuffles, "
					    "as its "
					    "lanes never access different words here: one "
					    "atomic per "
					    "warp"));
		advice_add(candidates, cause, array,
			   g_strdup_printf("aggregate=tree,least=%u", LEAST_LANES),
			   g_strdup_printf(
				   "aggregate within the warp by a tree of shuffles where %u "
				   "or more lanes are active, as its lanes never access "
				   "different words here; fewer act for themselves",
				   LEAST_LANES));
		advice_add(candidates, cause, array,
			   g_strdup_printf("aggregate=serial,least=%u", LEAST_LANES),
			   g_strdup_printf(
				   "aggregate within the warp where %u or more lanes are "
				   "active: one lane fetches each other lane's operand; fewer "
				   "act for themselves",
				   LEAST_LANES));
	} else if (array->atomics_with_result == 0) {
		advice_add(candidates, cause, array, g_strdup("aggregate=segments"),
			   g_strdup("sum up runs of lanes that access the same word by "
				    "shuffles: one "
				    "atomic per run"));
	}
}

/* Whether the machine does arithmetic of that kind otherwise than that on 32-bit integers. */
static bool is_apart(const AtomicParameters *atomic, unsigned kind)
{
	return mechanism_of_use(atomic, kind) != mechanism_of_use(atomic, ATOMIC_PLAIN);
}

static void add_types(GPtrArray *candidates, const Machine *machine, const SharedArray *array)
{
	const uint32_t wide = 1u << TYPE_U64 | 1u << TYPE_S64;

	if (array->types & 1u << TYPE_F32 && is_apart(&machine->atomic, ATOMIC_F32))
		advice_add(candidates, CAUSE_LOOP, array, g_strdup("type=s32"),
			   g_strdup("use fixed-point integers instead of floats"));
	if (array->types & wide && is_apart(&machine->atomic, ATOMIC_64BIT))
		advice_add(candidates, CAUSE_LOOP, array,
			   g_strdup(array->types & 1u << TYPE_U64 ? "type=u32" : "type=s32"),
			   g_strdup("use 32-bit integers instead of 64-bit ones, where the "
				    "sums of a "
				    "block fit"));
	if (array->types & 1u << TYPE_F64 && is_apart(&machine->atomic, ATOMIC_64BIT))
		advice_add(candidates, CAUSE_WIDE_LOOP, array, g_strdup("type=f32"),
			   g_strdup("use floats instead of doubles, where their precision is "
				    "enough"));
}

/* Rows of so many words; a gap of a word, or of an access's words, for accesses that stay whole. */
static void add_padded_rows(GPtrArray *candidates, AdviceCause cause, const SharedArray *array,
			    uint32_t row)
{
	for (uint32_t pad = 1; pad <= 4; pad *= 2) {
		/* A word of its atomics cannot be cut. */
		if ((pad > 1 || array->atomics > 0) && 4 * pad != array->widest)
			continue;
		advice_add(candidates, cause, array, g_strdup_printf("pad=%u:%u", row, pad),
			   g_strdup_printf("pad the array by %s after every %u words",
					   pad == 1   ? "one word"
					   : pad == 2 ? "two words"
						      : "four words",
					   row));
	}
}

/* Rows that tiles and structures have, and those that lanes are apart but for `tried`, which is a candidate already. */
static void add_padding(GPtrArray *candidates, const SharedArray *array, uint32_t tried)
{
	const uint32_t size = (array->end - array->first) / 4;
	const uint32_t own = shared_array_stride(array) / 4;

	for (uint32_t row = 4; row <= MAX_ROW && row < size; row *= 2)
		add_padded_rows(candidates, CAUSE_BANKS, array, row);
	if (own > 1 && own < size && own != tried &&
	    (own < 4 || own > MAX_ROW || (own & (own - 1)) != 0))
		add_padded_rows(candidates, CAUSE_BANKS, array, own);
	if (array->widest <= 4)
		advice_add(candidates, CAUSE_BANKS, array, g_strdup("hash=xor"),
			   g_strdup("swizzle: word w of row r (32 words) at index w xor r"));
}

static void add_for_array(GPtrArray *candidates, const Unchanged *unchanged,
			  const SharedArray *array)
{
	const bool words = advice_costs(unchanged, IDEAL_same_word);
	const bool banks = advice_costs(unchanged, IDEAL_bank_conflicts);
	const uint32_t n_locks = unchanged->machine->atomic.locks;
	const bool aliases = advice_costs(unchanged, IDEAL_lock_aliases);
	const bool contended =
		unchanged->replayed->has_baseline &&
		(double)unchanged->replayed->run.statistics.cycles >=
			ADVICE_LEAST_GAIN *
				(double)unchanged->replayed->baseline.statistics.cycles;
	/* Rows of as many words as there are locks: their aliases go. */
	const bool rows = aliases && atomic_has_lock_bits(&unchanged->machine->atomic) &&
			  array->atomics > 0 && n_locks < (array->end - array->first) / 4;
	const AdviceCause cause = words ? CAUSE_WORDS : aliases ? CAUSE_ALIAS : CAUSE_BANKS;

	if (array->locks > 0 && advice_costs(unchanged, IDEAL_spin_locks)) {
		add_copies(candidates, CAUSE_LOCKS, array, unchanged->n_warps);
	} else if (array->atomics > 0 && (words || banks || contended)) {
		add_copies(candidates, cause, array, unchanged->n_warps);
		add_aggregation(candidates, cause, array);
		add_in_registers(candidates, cause, array);
	}
	if (array->atomics > 0)
		add_types(candidates, unchanged->machine, array);
	if (rows)
		add_padded_rows(candidates, CAUSE_ALIAS, array, n_locks);
	if (banks)
		add_padding(candidates, array, rows ? n_locks : 0);
}

/* --- Arrays of global memory --- */

static void add_for_buffer(GPtrArray *candidates, const Unchanged *unchanged,
			   const SharedArray *array)
{
	if (!advice_costs(unchanged, IDEAL_l2_atomics) &&
	    !advice_costs(unchanged, IDEAL_same_word) &&
	    !advice_costs(unchanged, IDEAL_global_bandwidth))
		return;
	advice_add(candidates, CAUSE_L2, array, g_strdup("private=block"),
		   g_strdup("accumulate per block in shared memory, add the result to global "
			    "memory "
			    "at the end of the block"));
	add_aggregation(candidates, CAUSE_L2, array);
	add_in_registers(candidates, CAUSE_L2, array);
	for (uint32_t copies = 4; copies <= MAX_BUFFER_COPIES; copies *= 4) {
		Candidate *candidate = advice_add(
			candidates, CAUSE_L2, array, g_strdup_printf("replicate=%u", copies),
			g_strdup_printf("keep %u copies of the array in global memory, block b "
					"uses copy b mod %u; a second kernel sums the copies",
					copies, copies));

		candidate->behind_cycles = LAUNCH_CYCLES;
	}
}

GPtrArray *advice_candidates(const Unchanged *unchanged, const GPtrArray *arrays)
{
	GPtrArray *candidates = g_ptr_array_new_with_free_func(advice_free_candidate);

	for (guint i = 0; i < arrays->len; i++) {
		const SharedArray *array = arrays->pdata[i];

		if (array->buffer > 0)
			add_for_buffer(candidates, unchanged, array);
		else
			add_for_array(candidates, unchanged, array);
	}
	advice_add_designs(candidates, unchanged);
	return candidates;
}

void advice_set_expected_errors(Advice *advice, const Machine *machine)
{
	const ExpectedError *error = expected_change_error(machine, advice->change);

	/* The measured changes are of arrays of atomics in shared memory, and those of types of floats to integers. */
	if (!error || advice->cause == CAUSE_LOCKS || advice->cause == CAUSE_WIDE_LOOP ||
	    advice->buffer > 0 || g_str_has_prefix(advice->change, "type=u32") ||
	    (g_str_has_prefix(advice->change, "aggregate=") &&
	     !g_str_has_prefix(advice->change, "aggregate=warp")))
		return;
	advice->expected_points = error->points;
	advice->expected_median = error->median;
	advice->expected_max = error->high;
}
