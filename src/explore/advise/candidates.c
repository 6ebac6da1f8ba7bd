/* SPDX-License-Identifier: MIT */
/* Which changes fit which causes. */
#include "explore/advise/internal.h"

#include <string.h>

#include "replay/expected-error.h"

#define MAX_LOCKS	  65536
#define MAX_THREAD_WORDS  16 /* private=thread takes no more */
#define MAX_BUFFER_COPIES 64
#define MAX_ROW		  128 /* words of rows that are tried on any array */
/* What a launch takes besides its blocks: sm__cycles_elapsed.max less sm__cycles_active.max, median of
   measurements/h200/variants.csv. */
#define LAUNCH_CYCLES 3100

static void candidate_free(gpointer data)
{
	Candidate *candidate = data;

	g_free(candidate->change);
	g_free(candidate->words);
	g_free(candidate);
}

double advice_most_gain(const Unchanged *unchanged, unsigned ideal)
{
	const uint64_t cycles = unchanged->replayed->run.statistics.cycles;
	const Cause *cause = &unchanged->replayed->causes.without[ideal];

	if (cause_saves(cause, cycles) == 0)
		return 1;
	return (double)cycles / (double)MAX(cause->cycles, 1);
}

static bool costs(const Unchanged *unchanged, unsigned ideal)
{
	return advice_most_gain(unchanged, ideal) >= ADVICE_LEAST_GAIN;
}

static Candidate *add(GPtrArray *candidates, AdviceCause cause, const SharedArray *array,
		      char *change, char *words)
{
	Candidate *candidate = g_new0(Candidate, 1);

	candidate->cause = cause;
	candidate->array = array;
	candidate->of_design = array == NULL;
	candidate->words = words;
	candidate->change = change;
	if (array && array->buffer > 0)
		candidate->change = g_strdup_printf("%s,buffer=%u", change, array->buffer);
	else if (array)
		candidate->change = g_strdup_printf("%s,bytes=%u..%u", change, array->first,
						    array->end - 1);
	if (array)
		g_free(change);
	g_ptr_array_add(candidates, candidate);
	return candidate;
}

/* --- Arrays of shared memory --- */

static void add_copies(GPtrArray *candidates, AdviceCause cause, const SharedArray *array,
		       uint32_t n_warps)
{
	const uint32_t pad = array->widest > 4 ? array->widest / 4 : 1;
	const char *gap =
		pad == 1 ? ", padded by one word each;" : ", padded by one element each;";

	for (uint32_t copies = 2; copies <= 32; copies *= 2)
		for (uint32_t padded = 0; padded < 2; padded++)
			add(candidates, cause, array,
			    padded ? g_strdup_printf("replicate=%u,pad=%u", copies, pad)
				   : g_strdup_printf("replicate=%u", copies),
			    g_strdup_printf("keep %u copies of the array%s sum them at the "
					    "end; thread t uses copy t mod %u",
					    copies, padded ? gap : ";", copies));
	if (n_warps > 1)
		add(candidates, cause, array,
		    g_strdup_printf("replicate=%u,map=warp,pad=%u", n_warps, pad),
		    g_strdup_printf("keep one copy of the array per warp%s sum them at the end",
				    gap));
}

static void add_in_registers(GPtrArray *candidates, AdviceCause cause, const SharedArray *array)
{
	if (array->end - array->first <= MAX_THREAD_WORDS * array->widest)
		add(candidates, cause, array, g_strdup("private=thread"),
		    g_strdup("accumulate in registers per thread, reduce within the warp "
			     "(shuffles or __reduce_*_sync), one atomic per word at the end"));
}

static void add_aggregation(GPtrArray *candidates, AdviceCause cause, const SharedArray *array)
{
	const bool one = array->end - array->first <= array->widest;

	add(candidates, cause, array, g_strdup("aggregate=warp"),
	    one ? g_strdup("aggregate within the warp (shuffles or __reduce_*_sync): one "
			   "atomic per warp")
		: g_strdup("aggregate within the warp (__match_any_sync): one atomic per "
			   "distinct address"));
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
		add(candidates, CAUSE_LOOP, array, g_strdup("type=s32"),
		    g_strdup("use fixed-point integers instead of floats"));
	if (array->types & wide && is_apart(&machine->atomic, ATOMIC_64BIT))
		add(candidates, CAUSE_LOOP, array,
		    g_strdup(array->types & 1u << TYPE_U64 ? "type=u32" : "type=s32"),
		    g_strdup("use 32-bit integers instead of 64-bit ones, where the sums of a "
			     "block fit"));
	if (array->types & 1u << TYPE_F64 && is_apart(&machine->atomic, ATOMIC_64BIT))
		add(candidates, CAUSE_WIDE_LOOP, array, g_strdup("type=f32"),
		    g_strdup("use floats instead of doubles, where their precision is enough"));
}

/* Rows of so many words; a gap of a word, or of an access's words, for accesses that stay whole. */
static void add_padded_rows(GPtrArray *candidates, AdviceCause cause, const SharedArray *array,
			    uint32_t row)
{
	for (uint32_t pad = 1; pad <= 4; pad *= 2) {
		/* A word of its atomics cannot be cut. */
		if ((pad > 1 || array->atomics > 0) && 4 * pad != array->widest)
			continue;
		add(candidates, cause, array, g_strdup_printf("pad=%u:%u", row, pad),
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
		add(candidates, CAUSE_BANKS, array, g_strdup("hash=xor"),
		    g_strdup("swizzle: word w of row r (32 words) at index w xor r"));
}

static void add_for_array(GPtrArray *candidates, const Unchanged *unchanged,
			  const SharedArray *array)
{
	const bool words = costs(unchanged, IDEAL_same_word);
	const bool banks = costs(unchanged, IDEAL_bank_conflicts);
	const uint32_t n_locks = unchanged->machine->atomic.locks;
	const bool aliases = costs(unchanged, IDEAL_lock_aliases);
	const bool contended =
		unchanged->replayed->has_baseline &&
		(double)unchanged->replayed->run.statistics.cycles >=
			ADVICE_LEAST_GAIN *
				(double)unchanged->replayed->baseline.statistics.cycles;
	/* Rows of as many words as there are locks: their aliases go. */
	const bool rows = aliases && atomic_has_lock_bits(&unchanged->machine->atomic) &&
			  array->atomics > 0 && n_locks < (array->end - array->first) / 4;
	const AdviceCause cause = words ? CAUSE_WORDS : aliases ? CAUSE_ALIAS : CAUSE_BANKS;

	if (array->locks > 0 && costs(unchanged, IDEAL_spin_locks)) {
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
	if (!costs(unchanged, IDEAL_l2_atomics) && !costs(unchanged, IDEAL_same_word) &&
	    !costs(unchanged, IDEAL_global_bandwidth))
		return;
	add(candidates, CAUSE_L2, array, g_strdup("private=block"),
	    g_strdup("accumulate per block in shared memory, add the result to global memory "
		     "at the end of the block"));
	add_aggregation(candidates, CAUSE_L2, array);
	add_in_registers(candidates, CAUSE_L2, array);
	for (uint32_t copies = 4; copies <= MAX_BUFFER_COPIES; copies *= 4) {
		Candidate *candidate = add(
			candidates, CAUSE_L2, array, g_strdup_printf("replicate=%u", copies),
			g_strdup_printf("keep %u copies of the array in global memory, block b "
					"uses copy b mod %u; a second kernel sums the copies",
					copies, copies));

		candidate->behind_cycles = LAUNCH_CYCLES;
	}
}

/* --- Designs --- */

static void add_setting(GPtrArray *candidates, AdviceCause cause, const char *key,
			const char *value, const char *words)
{
	add(candidates, cause, NULL, g_strdup_printf("%s=%s", key, value), g_strdup(words));
}

/* Whether another value of the key might change the run. */
static bool may_act(const char *path, const Unchanged *unchanged)
{
	const KeyRun run =
		key_run(unchanged->machine, unchanged->kernel, &unchanged->replayed->run);

	return key_acts(key_find(path), run.machine, run.had);
}

static void add_designs(GPtrArray *candidates, const Unchanged *unchanged)
{
	const Machine *machine = unchanged->machine;

	if (costs(unchanged, IDEAL_lock_aliases) && may_act("atomic.locks", unchanged)) {
		for (uint32_t locks = 2 * machine->atomic.locks;
		     locks <= MIN(4 * machine->atomic.locks, MAX_LOCKS); locks *= 2)
			add(candidates, CAUSE_ALIAS, NULL,
			    g_strdup_printf("atomic.locks=%u", locks),
			    g_strdup_printf("hardware: %u locks", locks));
		add_setting(candidates, CAUSE_ALIAS, "atomic.lock_hash", "xor",
			    "hardware: XOR lock hash");
		add_setting(candidates, CAUSE_ALIAS, "atomic.lock_hash", "ipoly",
			    "hardware: polynomial lock hash");
	}
	if (costs(unchanged, IDEAL_lock_aliases) &&
	    may_act("atomic.lock_bits.cam_entries", unchanged)) {
		const uint32_t entries = atomic_cam_entries(&machine->atomic);

		for (uint32_t n = 2 * entries; n <= MIN(4 * entries, MAX_LOCKS); n *= 2)
			add(candidates, CAUSE_ALIAS, NULL,
			    g_strdup_printf("atomic.lock_bits.cam_entries=%u", n),
			    g_strdup_printf("hardware: a CAM of %u locks", n));
	}
	if (costs(unchanged, IDEAL_bank_conflicts)) {
		add_setting(candidates, CAUSE_BANKS, "shared.bank_hash", "xor",
			    "hardware: XOR bank hash");
		add_setting(candidates, CAUSE_BANKS, "shared.bank_hash", "ipoly",
			    "hardware: polynomial bank hash");
	}
}

GPtrArray *advice_candidates(const Unchanged *unchanged, const GPtrArray *arrays)
{
	GPtrArray *candidates = g_ptr_array_new_with_free_func(candidate_free);

	for (guint i = 0; i < arrays->len; i++) {
		const SharedArray *array = arrays->pdata[i];

		if (array->buffer > 0)
			add_for_buffer(candidates, unchanged, array);
		else
			add_for_array(candidates, unchanged, array);
	}
	add_designs(candidates, unchanged);
	return candidates;
}

void advice_set_expected_errors(Advice *advice, const Machine *machine)
{
	const ExpectedError *error = expected_change_error(machine, advice->change);

	/* The measured changes are of arrays of atomics in shared memory, and those of types of floats to integers. */
	if (!error || advice->cause == CAUSE_LOCKS || advice->cause == CAUSE_WIDE_LOOP ||
	    advice->buffer > 0 || g_str_has_prefix(advice->change, "type=u32"))
		return;
	advice->expected_points = error->points;
	advice->expected_median = error->median;
	advice->expected_max = error->high;
}
