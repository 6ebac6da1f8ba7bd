/* SPDX-License-Identifier: MIT */
#include "explore/sweep/idle.h"

#include <xxhash.h>

#include "config/keys.h"
#include "explore/sweep/idle-table.h"
#include "explore/sweep/sweep.h"

#define VALUES_SHOWN 6

/* Points that differ in one key alone. */
typedef struct {
	guint64 figures; /* of the first */
	guint32 value;	 /* the first's */
	gboolean varies; /* there is another value */
	gboolean same;	 /* all have the figures of the first */
} Group;

/* One axis on one trace. */
typedef struct {
	GHashTable *groups;   /* by what the points are beside */
	guint64 *sums;	      /* of each value: of all groups with the figures in each */
	guint *counts;	      /* and how many rows it has */
	guint n_rows, n_vary; /* rows; groups of several values, */
	guint n_same;	      /* and of these: those that are all the same */
} Held;

/* Whether it is of the machine or a change to a trace, and no option of the workload that makes the traces. */
static gboolean is_of_run(const char *key)
{
	return key_find(key) != NULL || g_str_equal(key, SWEEP_CONFIG_AXIS) ||
	       g_str_has_prefix(key, "what_if.");
}

/* All that the row is but its value of the axis: the trace, too, unless the axis makes another. */
static guint64 beside(const IdleTable *table, guint row, guint axis, gboolean same_trace)
{
	const guint32 *places = idle_places(table, row);
	guint64 sum = same_trace ? g_array_index(table->rows, IdleRow, row).sha256 : 0;

	for (guint i = 0; i < table->keys->len; i++) {
		const guint64 words[] = {sum, i == axis ? G_MAXUINT32 : places[i]};

		sum = XXH64(words, sizeof(words), 0);
	}
	return sum;
}

static void hold_row(Held *held, const IdleTable *table, guint r, guint axis,
		     gboolean same_trace)
{
	const IdleRow *row = &g_array_index(table->rows, IdleRow, r);
	const guint32 value = idle_places(table, r)[axis];
	const guint64 key = beside(table, r, axis, same_trace), words[] = {key, row->figures};
	Group *group = g_hash_table_lookup(held->groups, &key);

	held->n_rows++;
	held->counts[value]++;
	held->sums[value] += XXH64(words, sizeof(words), 0);
	if (group == NULL) {
		group = g_new(Group, 1);
		*group = (Group){row->figures, value, FALSE, TRUE};
		g_hash_table_insert(held->groups, g_memdup2(&key, sizeof(key)), group);
		return;
	}
	group->varies |= group->value != value;
	group->same &= group->figures == row->figures;
}

static void held_init(Held *held, const IdleTable *table, guint32 trace, guint axis)
{
	const GArray *rows = table->lists->pdata[trace];
	const gboolean same_trace = is_of_run(table->keys->pdata[axis]);
	GHashTableIter iter;
	gpointer group;

	*held = (Held){
		.groups = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free),
		.sums = g_new0(guint64, table->values[axis].texts->len),
		.counts = g_new0(guint, table->values[axis].texts->len)};
	for (guint i = 0; i < rows->len; i++)
		hold_row(held, table, g_array_index(rows, guint, i), axis, same_trace);
	g_hash_table_iter_init(&iter, held->groups);
	while (g_hash_table_iter_next(&iter, NULL, &group)) {
		held->n_vary += ((Group *)group)->varies;
		held->n_same += ((Group *)group)->varies && ((Group *)group)->same;
	}
}

static void held_clear(Held *held)
{
	g_hash_table_unref(held->groups);
	g_free(held->sums);
	g_free(held->counts);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Held, held_clear)

/* --- In words --- */

/* "64, 128 and 256", or how many of how many. g_free. */
static char *list_values(const IdleNames *values, const GArray *places)
{
	GString *text = g_string_new(NULL);

	if (places->len > VALUES_SHOWN && places->len == values->texts->len)
		g_string_printf(text, "all its %u values", places->len);
	else if (places->len > VALUES_SHOWN)
		g_string_printf(text, "%u of its %u values", places->len, values->texts->len);
	for (guint i = 0; places->len <= VALUES_SHOWN && i < places->len; i++)
		g_string_append_printf(
			text, "%s%s",
			i == 0		       ? ""
			: i + 1 == places->len ? " and "
					       : ", ",
			(char *)values->texts->pdata[g_array_index(places, guint32, i)]);
	return g_string_free(text, FALSE);
}

static GArray *all_values(const Held *held, const IdleNames *values)
{
	GArray *places = g_array_new(FALSE, FALSE, sizeof(guint32));

	for (guint32 v = 0; v < values->texts->len; v++)
		if (held->counts[v] > 0)
			g_array_append_val(places, v);
	return places;
}

/* Values of which each can stand for any other, in every combination with the other keys: "between 1024, 2048 and 4096, between
   ...". NULL: there are none, or not every combination is there. g_free. */
static char *list_alike(const Held *held, const IdleNames *values)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GHashTable) first = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL,
							    (GDestroyNotify)g_array_unref);

	if (held->n_rows != g_hash_table_size(held->groups) * values->texts->len)
		return NULL;
	for (guint32 v = 0; v < values->texts->len; v++) {
		GArray *alike = g_hash_table_lookup(first, &held->sums[v]);

		if (alike == NULL) {
			alike = g_array_new(FALSE, FALSE, sizeof(guint32));
			g_hash_table_insert(first, &held->sums[v], alike);
		}
		g_array_append_val(alike, v);
	}
	for (guint32 v = 0; v < values->texts->len; v++) {
		const GArray *alike = g_hash_table_lookup(first, &held->sums[v]);
		g_autofree char *list = NULL;

		if (alike->len < 2 || g_array_index(alike, guint32, 0) != v)
			continue;
		list = list_values(values, alike);
		g_string_append_printf(text, "%sbetween %s", text->len > 0 ? ", nor " : "",
				       list);
	}
	return text->len > 0 ? g_strdup(text->str) : NULL;
}

static void idle_free(gpointer data)
{
	SweepIdle *idle = data;

	g_free(idle->key);
	g_free(idle->trace);
	g_free(idle->words);
	g_free(idle);
}

static void add(GPtrArray *found, const char *key, const char *trace, char *words,
		gboolean some)
{
	SweepIdle *idle = g_new(SweepIdle, 1);

	*idle = (SweepIdle){g_strdup(key), g_strdup(trace), words, some};
	g_ptr_array_add(found, idle);
}

/* Returns whether points could be compared that differ in this key alone. */
static gboolean find_of_axis(GPtrArray *found, const IdleTable *table, guint32 trace,
			     guint axis)
{
	const IdleNames *values = &table->values[axis];
	const char *key = table->keys->pdata[axis], *name = table->traces.texts->pdata[trace];
	g_auto(Held) held;
	char *alike;

	held_init(&held, table, trace, axis);
	if (held.n_same > 0 && held.n_same == held.n_vary) {
		g_autoptr(GArray) places = all_values(&held, values);
		g_autofree char *list = list_values(values, places);

		add(found, key, name, g_strdup_printf("every figure is the same with %s", list),
		    FALSE);
	} else if ((alike = list_alike(&held, values)) != NULL) {
		add(found, key, name, alike, TRUE);
	} else if (held.n_same > 0) {
		add(found, key, name,
		    g_strdup_printf("in %u of %u combinations of the other keys", held.n_same,
				    held.n_vary),
		    TRUE);
	}
	return held.n_vary > 0;
}

/* Keys that were varied together only: whether all that came of it is one and the same. */
static void find_together(GPtrArray *found, const IdleTable *table, guint32 trace)
{
	g_autoptr(GString) keys = g_string_new(NULL);
	const GArray *rows = table->lists->pdata[trace];
	const IdleRow *first =
		&g_array_index(table->rows, IdleRow, g_array_index(rows, guint, 0));

	for (guint i = 1; i < rows->len; i++)
		if (g_array_index(table->rows, IdleRow, g_array_index(rows, guint, i))
			    .figures != first->figures)
			return;
	if (rows->len < 2)
		return;
	for (guint axis = 0; axis < table->keys->len; axis++)
		if (table->values[axis].texts->len > 1)
			g_string_append_printf(keys, "%s%s", keys->len > 0 ? ", " : "",
					       (char *)table->keys->pdata[axis]);
	if (keys->len > 0)
		add(found, keys->str, table->traces.texts->pdata[trace],
		    g_strdup_printf("every figure is the same in its %u points", rows->len),
		    FALSE);
}

GPtrArray *sweep_idle_find(const char *path)
{
	GPtrArray *found = g_ptr_array_new_with_free_func(idle_free);
	g_auto(IdleTable) table = {0};

	if (!idle_table_read(&table, path))
		return found;
	for (guint32 trace = 0; trace < table.lists->len; trace++) {
		gboolean compared = FALSE;

		for (guint axis = 0; axis < table.keys->len; axis++)
			compared |= find_of_axis(found, &table, trace, axis);
		if (!compared)
			find_together(found, &table, trace);
	}
	return found;
}
