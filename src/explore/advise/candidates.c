/* SPDX-License-Identifier: MIT */
/* Which changes fit which causes. */
#include "explore/advise/internal.h"

#include <string.h>

#include "replay/known-errors.h"

#define LEAST_SHARE 0.02 /* of all tries, that a cause must explain to be looked into */
#define MAX_LOCKS   65536

static void candidate_free(gpointer data)
{
	Candidate *candidate = data;

	g_free(candidate->change);
	g_free(candidate->words);
	g_free(candidate);
}

static void add(GPtrArray *candidates, AdviceCause cause, const SharedArray *array,
		char *change, char *words)
{
	Candidate *candidate = g_new0(Candidate, 1);

	candidate->cause = cause;
	candidate->array = array;
	candidate->of_design = array == NULL;
	candidate->words = words;
	candidate->change = change;
	if (array) {
		candidate->change = g_strdup_printf("%s,bytes=%u..%u", change, array->first,
						    array->end - 1);
		g_free(change);
	}
	g_ptr_array_add(candidates, candidate);
}

static void add_copies(GPtrArray *candidates, AdviceCause cause, const SharedArray *array,
		       uint32_t n_warps)
{
	for (uint32_t copies = 2; copies <= 32; copies *= 2)
		for (uint32_t pad = 0; pad < 2; pad++)
			add(candidates, cause, array,
			    g_strdup_printf(pad ? "replicate=%u,pad=%u" : "replicate=%u",
					    copies, pad),
			    g_strdup_printf("keep %u copies of the array%s and add them up at "
					    "the end; thread t uses copy t mod %u",
					    copies, pad ? ", a word left out behind each," : "",
					    copies));
	if (n_warps > 1)
		add(candidates, cause, array,
		    g_strdup_printf("replicate=%u,map=warp,pad=1", n_warps),
		    g_strdup("keep a copy of the array for each warp, a word left out behind "
			     "each, and add them up at the end"));
}

bool advice_locks_contend(const SimResult *result)
{
	const double tries = (double)result->statistics.spin_attempts;
	const double taken = (double)result->statistics.records[RECORD_LOCK];

	return tries - taken > LEAST_SHARE * tries;
}

/* Whether the machine does arithmetic on floats another way than that on integers. */
static bool floats_are_apart(const AtomicParameters *atomic)
{
	return mechanism_of_way(atomic, ATOMIC_WAY_F32) !=
	       mechanism_of_way(atomic, ATOMIC_WAY_PLAIN);
}

static void add_for_array(GPtrArray *candidates, const KeyRun *run, const SharedArray *array,
			  uint32_t n_warps)
{
	const SimResult *result = run->result;
	const AtomicCounters *atomics = &result->statistics.atomics;
	double tries = LEAST_SHARE * (double)atomics->attempts;
	bool position = (double)atomics->failures.intra_position > tries;
	bool between = (double)atomics->failures.inter_position > tries;

	if (array->locks > 0 && advice_locks_contend(result))
		add_copies(candidates, CAUSE_LOCKS, array, n_warps);
	else if (array->atomics > 0 && (position || between))
		add_copies(candidates, position ? CAUSE_POSITION : CAUSE_BETWEEN_WARPS, array,
			   n_warps);
	if (array->atomics > 0 && position)
		add(candidates, CAUSE_POSITION, array, g_strdup("aggregate=warp"),
		    g_strdup("let the lanes of a warp that want one word combine their "
			     "operands, and one of them do the atomic (__match_any_sync)"));
	if (array->types & 1u << TYPE_F32 && floats_are_apart(&run->machine->atomic))
		add(candidates, CAUSE_LOOP, array, g_strdup("type=s32"),
		    g_strdup("add fixed-point integers in place of floats"));
	if (result->statistics.shared.conflict_passes > 0) {
		add(candidates, CAUSE_BANKS, array, g_strdup("pad=32:1"),
		    g_strdup("leave a word out after every 32 of the array"));
		add(candidates, CAUSE_BANKS, array, g_strdup("hash=xor"),
		    g_strdup("place word w of row r of 32 at w xor r"));
	}
}

static void add_setting(GPtrArray *candidates, AdviceCause cause, const char *key,
			const char *value, const char *words)
{
	add(candidates, cause, NULL, g_strdup_printf("%s=%s", key, value), g_strdup(words));
}

/* Whether another value of the key might change the run. */
static bool may_act(const char *path, const KeyRun *run)
{
	return key_acts(key_find(path), run->machine, run->had);
}

static void add_designs(GPtrArray *candidates, const KeyRun *run)
{
	const Machine *machine = run->machine;
	const SimResult *result = run->result;
	const AtomicCounters *atomics = &result->statistics.atomics;
	uint64_t aliases = atomics->failures.intra_alias + atomics->failures.inter_alias;

	if ((double)aliases > LEAST_SHARE * (double)atomics->attempts &&
	    may_act("atomic.locks", run)) {
		for (uint32_t locks = 2 * machine->atomic.locks;
		     locks <= MIN(4 * machine->atomic.locks, MAX_LOCKS); locks *= 2)
			add(candidates, CAUSE_ALIAS, NULL,
			    g_strdup_printf("atomic.locks=%u", locks),
			    g_strdup_printf("a design with %u locks", locks));
		add_setting(candidates, CAUSE_ALIAS, "atomic.lock_hash", "xor",
			    "a design that hashes lock numbers by exclusive or");
		add_setting(candidates, CAUSE_ALIAS, "atomic.lock_hash", "ipoly",
			    "a design that hashes lock numbers by a polynomial");
	}
	if (result->statistics.shared.conflict_passes > 0) {
		add_setting(candidates, CAUSE_BANKS, "shared.bank_hash", "xor",
			    "a design that hashes bank numbers by exclusive or");
		add_setting(candidates, CAUSE_BANKS, "shared.bank_hash", "ipoly",
			    "a design that hashes bank numbers by a polynomial");
	}
}

GPtrArray *advice_candidates(const KeyRun *run, const GPtrArray *arrays, uint32_t n_warps)
{
	GPtrArray *candidates = g_ptr_array_new_with_free_func(candidate_free);

	for (guint i = 0; i < arrays->len; i++)
		add_for_array(candidates, run, arrays->pdata[i], n_warps);
	add_designs(candidates, run);
	return candidates;
}

void advice_set_known_errors(Advice *advice, const Machine *machine)
{
	const KnownError *known = known_change_error(machine, advice->change);

	/* The measured copies are of arrays of atomics. */
	if (!known || advice->cause == CAUSE_LOCKS)
		return;
	advice->known_points = known->points;
	advice->known_median = known->median;
	advice->known_max = known->max;
}
