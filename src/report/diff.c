/* SPDX-License-Identifier: MIT */
/* Which reports of two lists are compared. What differs is in diff-rows.c, the words in diff-text.c. */
#include "report/diff.h"

#include "base/error.h"

static void pair_free(gpointer data)
{
	DiffPair *pair = data;

	g_free(pair->label);
	g_free(pair);
}

/* --- Numbers of a report --- */

const cJSON *diff_item(const cJSON *report, const char *path)
{
	g_auto(GStrv) keys = g_strsplit(path, ".", -1);
	const cJSON *item = report;

	for (guint i = 0; keys[i] != NULL && item != NULL; i++)
		item = cJSON_GetObjectItemCaseSensitive(item, keys[i]);
	return item;
}

static double number_of(const cJSON *item)
{
	if (cJSON_IsRaw(item))
		return g_ascii_strtod(item->valuestring, NULL);
	return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

double diff_number(const cJSON *report, const char *path)
{
	return number_of(diff_item(report, path));
}

/* --- Pairs --- */

/* What a report is of. g_free. */
static char *label_of(const cJSON *report)
{
	const cJSON *varied = cJSON_GetObjectItemCaseSensitive(report, "varied");
	const char *trace = cJSON_GetStringValue(diff_item(report, "trace.name"));
	GString *label = g_string_new(trace);
	const cJSON *item;

	cJSON_ArrayForEach(item, varied)
	{
		char *value = cJSON_IsString(item) ? g_strdup(item->valuestring)
						   : cJSON_PrintUnformatted(item);

		g_string_append_printf(label, " %s=%s", item->string, value);
		g_free(value);
	}
	return g_string_free(label, FALSE);
}

gboolean diff_is_complete(const cJSON *report)
{
	return g_strcmp0(cJSON_GetStringValue(diff_item(report, "status")), "complete") == 0;
}

static void add_pair(GPtrArray *pairs, char *label, const cJSON *before, const cJSON *after)
{
	DiffPair *pair = g_new0(DiffPair, 1);

	*pair = (DiffPair){label, before, after};
	g_ptr_array_add(pairs, pair);
}

/* Reports by their labels, and those of one label in their order: label -> GQueue of cJSON. */
static GHashTable *by_label(const GPtrArray *reports)
{
	GHashTable *labels = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						   (GDestroyNotify)g_queue_free);

	for (guint i = 0; i < reports->len; i++) {
		g_autofree char *label = label_of(g_ptr_array_index(reports, i));
		GQueue *queue = g_hash_table_lookup(labels, label);

		if (queue == NULL) {
			queue = g_queue_new();
			g_hash_table_insert(labels, g_strdup(label), queue);
		}
		g_queue_push_tail(queue, g_ptr_array_index(reports, i));
	}
	return labels;
}

static void add_pairs(GPtrArray *pairs, const GPtrArray *before, const GPtrArray *after,
		      DiffLeftOut *left_out)
{
	g_autoptr(GHashTable) others = by_label(after);

	left_out->unpaired = after->len;
	for (guint i = 0; i < before->len; i++) {
		const cJSON *report = g_ptr_array_index(before, i);
		g_autofree char *label = label_of(report);
		GQueue *queue = g_hash_table_lookup(others, label);
		const cJSON *other = queue != NULL ? g_queue_pop_head(queue) : NULL;

		if (other == NULL) {
			left_out->unpaired++;
			continue;
		}
		left_out->unpaired--;
		if (diff_is_complete(report) && diff_is_complete(other))
			add_pair(pairs, g_steal_pointer(&label), report, other);
		else
			left_out->incomplete++;
	}
}

GPtrArray *diff_pairs(const GPtrArray *before, const GPtrArray *after, DiffLeftOut *left_out,
		      GError **error)
{
	g_autoptr(GPtrArray) pairs = g_ptr_array_new_with_free_func(pair_free);

	*left_out = (DiffLeftOut){0};
	if (before->len == 1 && after->len == 1 &&
	    diff_is_complete(g_ptr_array_index(before, 0)) &&
	    diff_is_complete(g_ptr_array_index(after, 0)))
		add_pair(pairs, label_of(g_ptr_array_index(before, 0)),
			 g_ptr_array_index(before, 0), g_ptr_array_index(after, 0));
	else
		add_pairs(pairs, before, after, left_out);
	if (pairs->len > 0)
		return g_steal_pointer(&pairs);
	atomsim_fail(error, ATOMSIM_ERROR_INPUT,
		     "diff: no two reports are of the same trace or point and ran to "
		     "their end");
	return NULL;
}

gboolean diff_interval(const cJSON *report, double *low, double *high)
{
	*low = diff_number(report, "estimates.cycles_low");
	*high = diff_number(report, "estimates.cycles_high");
	if (*low > 0 && *high > *low)
		return TRUE;
	*low = *high = diff_number(report, "cycles");
	return FALSE;
}

double diff_percent(const DiffPair *pair)
{
	double before = diff_number(pair->before, "time_us");

	/* A hundred times a difference could be beyond what a double holds. */
	return 100 * (diff_number(pair->after, "time_us") / before - 1);
}

double diff_speedup(const DiffPair *pair)
{
	return diff_number(pair->before, "time_us") / diff_number(pair->after, "time_us");
}

double diff_worst(const GPtrArray *pairs)
{
	double worst = -100;

	for (guint i = 0; i < pairs->len; i++)
		worst = MAX(worst, diff_percent(g_ptr_array_index(pairs, i)));
	return worst;
}
