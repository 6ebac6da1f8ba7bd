/* SPDX-License-Identifier: MIT */
#include "explore/sweep/share.h"

#include <string.h>

#define MAX_KEPT 4096 /* results, of some KiB each */

/* What the result of one run depends on of a key that need not matter. */
typedef struct {
	const char *key; /* or the beginning of keys, ending in a point */
	/* Whether the run would have been the same with any value that the key has in `other`. */
	gboolean (*same)(const SimResult *result, const Machine *other);
} Shared;

static gboolean within(const SimResult *result, SimLimitKind kind, uint64_t value)
{
	return result->limits[kind].met <= value && value < result->limits[kind].refused;
}

static gboolean same_warps(const SimResult *result, const Machine *other)
{
	return within(result, SIM_LIMIT_WARPS, other->sm.max_warps);
}

static gboolean same_blocks(const SimResult *result, const Machine *other)
{
	return within(result, SIM_LIMIT_BLOCKS, other->sm.max_blocks);
}

static gboolean same_bytes(const SimResult *result, const Machine *other)
{
	return within(result, SIM_LIMIT_BYTES, other->shared.bytes);
}

static gboolean no_atomics(const SimResult *result, const Machine *other)
{
	const uint64_t *records = result->statistics.records;

	(void)other;
	return records[RECORD_ATOM] + records[RECORD_ATOMG] + records[RECORD_LOCK] +
		       records[RECORD_UNLOCK] ==
	       0;
}

static gboolean no_barriers(const SimResult *result, const Machine *other)
{
	(void)other;
	return result->statistics.records[RECORD_BAR] == 0;
}

static gboolean always(const SimResult *result, const Machine *other)
{
	(void)result;
	(void)other;
	return TRUE;
}

static const Shared shared_keys[] = {
	{"sm.max_warps", same_warps},
	{"sm.max_blocks", same_blocks},
	{"shared.bytes", same_bytes},
	{"atomic.", no_atomics},
	{"sm.barrier_cycles", no_barriers},
	{"sm.barrier_latency_cycles", no_barriers},
	{"cost.", always},
};

static const Shared *find_shared(const char *key)
{
	for (guint i = 0; i < G_N_ELEMENTS(shared_keys); i++)
		if (strcmp(key, shared_keys[i].key) == 0 ||
		    (g_str_has_suffix(shared_keys[i].key, ".") &&
		     g_str_has_prefix(key, shared_keys[i].key)))
			return &shared_keys[i];
	return NULL;
}

typedef struct Kept Kept;
struct Kept {
	SimResult result;
	guint point;
	Kept *next;
};

struct SweepShare {
	const Sweep *sweep;
	const Shared **of_axis; /* of each axis; NULL: results depend on it */
	gboolean any;		/* of them is there */
	GMutex mutex;
	GHashTable *classes; /* by class_of */
	guint n_kept;
};

/* Points that differ only in keys that need not matter. */
typedef struct {
	Kept *first; /* the latest */
} Class;

static void class_free(gpointer data)
{
	Class *class = data;

	for (Kept *kept = class->first, *next; kept != NULL; kept = next) {
		next = kept->next;
		g_free(kept);
	}
	g_free(class);
}

SweepShare *sweep_share_new(const Sweep *sweep)
{
	SweepShare *share = g_new0(SweepShare, 1);

	share->sweep = sweep;
	share->of_axis = g_new0(const Shared *, sweep->plan->axes->len);
	for (guint i = 0; i < sweep->plan->axes->len; i++) {
		const SweepAxis *axis = g_ptr_array_index(sweep->plan->axes, i);

		if (!axis->of_workload)
			share->of_axis[i] = find_shared(axis->key);
		share->any = share->any || share->of_axis[i] != NULL;
	}
	g_mutex_init(&share->mutex);
	share->classes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, class_free);
	return share;
}

void sweep_share_free(SweepShare *share)
{
	g_hash_table_unref(share->classes);
	g_mutex_clear(&share->mutex);
	g_free(share->of_axis);
	g_free(share);
}

/* All that a point is but the values of keys that need not matter. g_free. */
static char *class_of(const SweepShare *share, guint point)
{
	const Sweep *sweep = share->sweep;
	const guint combination = sweep_combination(sweep, point);
	GString *text = g_string_new(NULL);

	g_string_append_printf(text, "%u", sweep_input(sweep, point));
	for (guint i = 0; i < sweep->plan->axes->len; i++)
		if (share->of_axis[i] == NULL)
			g_string_append_printf(text, "\n%s",
					       sweep_plan_value(sweep->plan, combination, i));
	return g_string_free(text, FALSE);
}

typedef struct {
	guint point, turn; /* how many of its class come before it */
} Ordered;

static gint compare_turns(gconstpointer a, gconstpointer b)
{
	const Ordered *x = a, *y = b;

	return x->turn != y->turn ? (x->turn > y->turn) - (x->turn < y->turn)
				  : (x->point > y->point) - (x->point < y->point);
}

void sweep_share_order(const SweepShare *share, GArray *points)
{
	g_autoptr(GHashTable) turns = NULL;
	g_autoptr(GArray) ordered = NULL;

	if (!share->any)
		return;
	turns = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	ordered = g_array_sized_new(FALSE, FALSE, sizeof(Ordered), points->len);
	for (guint i = 0; i < points->len; i++) {
		Ordered entry = {.point = g_array_index(points, guint, i)};
		char *class = class_of(share, entry.point);

		entry.turn = GPOINTER_TO_UINT(g_hash_table_lookup(turns, class));
		g_hash_table_replace(turns, class, GUINT_TO_POINTER(entry.turn + 1));
		g_array_append_val(ordered, entry);
	}
	g_array_sort(ordered, compare_turns);
	for (guint i = 0; i < points->len; i++)
		g_array_index(points, guint, i) = g_array_index(ordered, Ordered, i).point;
}

/* Whether each key has the value that it had in the kept run, or one that makes no difference to it. */
static gboolean is_same(const SweepShare *share, const Kept *kept, guint point,
			const Machine *machine)
{
	const Sweep *sweep = share->sweep;

	for (guint i = 0; i < sweep->plan->axes->len; i++) {
		const char *ours, *theirs;

		if (share->of_axis[i] == NULL)
			continue;
		ours = sweep_plan_value(sweep->plan, sweep_combination(sweep, point), i);
		theirs =
			sweep_plan_value(sweep->plan, sweep_combination(sweep, kept->point), i);
		if (strcmp(ours, theirs) != 0 &&
		    !share->of_axis[i]->same(&kept->result, machine))
			return FALSE;
	}
	return TRUE;
}

const SimResult *sweep_share_find(SweepShare *share, guint point, const Machine *machine)
{
	g_autofree char *name = share->any ? class_of(share, point) : NULL;
	const Kept *kept = NULL;
	const Class *class;

	if (!share->any)
		return NULL;
	g_mutex_lock(&share->mutex);
	class = g_hash_table_lookup(share->classes, name);
	if (class != NULL)
		kept = class->first;
	g_mutex_unlock(&share->mutex);
	/* What is kept stays as it is. */
	while (kept != NULL && !is_same(share, kept, point, machine))
		kept = kept->next;
	return kept != NULL ? &kept->result : NULL;
}

void sweep_share_add(SweepShare *share, guint point, const SimResult *result)
{
	Class *class;
	Kept *kept;

	if (!share->any || result->status != SIM_OK)
		return;
	g_mutex_lock(&share->mutex);
	if (share->n_kept < MAX_KEPT) {
		g_autofree char *name = class_of(share, point);

		class = g_hash_table_lookup(share->classes, name);
		if (class == NULL) {
			class = g_new0(Class, 1);
			g_hash_table_insert(share->classes, g_steal_pointer(&name), class);
		}
		kept = g_new(Kept, 1);
		kept->result = *result;
		kept->point = point;
		kept->next = class->first;
		class->first = kept;
		share->n_kept++;
	}
	g_mutex_unlock(&share->mutex);
}
