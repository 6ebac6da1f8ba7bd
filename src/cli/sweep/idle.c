/* SPDX-License-Identifier: MIT */
/*
 * What a sweep varied, or set, without effect: said on stderr. That it had none the results say
 * (explore/sweep/idle.h), why the table of keys (config/acts.h), where it knows.
 */
#include <string.h>

#include "cli/sweep/sweep.h"
#include "config/acts.h"
#include "explore/sweep/idle.h"

#define TRACES_SHOWN 5

/* What is known of one key on one trace. */
typedef struct {
	guint n;   /* points that were seen */
	char *why; /* of the first; NULL: in some it acts */
	gboolean acts;
} Reason;

struct SweepReasons {
	GMutex mutex;
	GPtrArray *settings; /* paths of --set */
	GHashTable *reasons; /* "KEY\nTRACE" to Reason */
};

static void reason_free(gpointer data)
{
	Reason *reason = data;

	g_free(reason->why);
	g_free(reason);
}

SweepReasons *sweep_reasons_new(const GPtrArray *settings)
{
	SweepReasons *reasons = g_new0(SweepReasons, 1);

	g_mutex_init(&reasons->mutex);
	reasons->settings = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < settings->len; i++) {
		const char *setting = settings->pdata[i];

		g_ptr_array_add(reasons->settings, g_strndup(setting, strcspn(setting, "=")));
	}
	reasons->reasons = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, reason_free);
	return reasons;
}

void sweep_reasons_free(SweepReasons *reasons)
{
	if (reasons == NULL)
		return;
	g_mutex_clear(&reasons->mutex);
	g_ptr_array_unref(reasons->settings);
	g_hash_table_unref(reasons->reasons);
	g_free(reasons);
}

/* The key of the table that a sweep's key is; NULL: it is another's. */
static const Key *key_of(const char *path)
{
	return key_find(g_str_equal(path, "what_if.mechanism") ? "atomic.mechanism" : path);
}

static void see_key(SweepReasons *reasons, const char *path, const char *trace,
		    const KeyRun *run)
{
	const Key *key = key_of(path);
	char *why = key != NULL && run->result->status == SIM_OK ? key_why_idle(key, run, NULL)
								 : NULL;
	g_autofree char *name = g_strconcat(path, "\n", trace, NULL);
	Reason *reason;

	g_mutex_lock(&reasons->mutex);
	reason = g_hash_table_lookup(reasons->reasons, name);
	if (reason == NULL) {
		reason = g_new0(Reason, 1);
		g_hash_table_insert(reasons->reasons, g_steal_pointer(&name), reason);
	}
	reason->n++;
	reason->acts |= why == NULL;
	if (reason->why == NULL)
		reason->why = g_steal_pointer(&why);
	g_mutex_unlock(&reasons->mutex);
	g_free(why);
}

void sweep_reasons_see(gpointer data, const SweepPoint *point)
{
	SweepReasons *reasons = data;
	const GPtrArray *axes = point->sweep->plan->axes;
	const KeyRun run = key_run(config_machine(point->config),
				   &trace_source(point->input->reader)->kernel, point->result);

	for (guint i = 0; i < axes->len; i++)
		see_key(reasons, ((const SweepAxis *)axes->pdata[i])->key, point->input->name,
			&run);
	for (guint i = 0; i < reasons->settings->len; i++)
		see_key(reasons, reasons->settings->pdata[i], point->input->name, &run);
}

/* Why the key acted in none of the points that were run of the trace; NULL: that is not known. */
static const char *reason_of(const SweepReasons *reasons, const char *key, const char *trace)
{
	g_autofree char *name = g_strconcat(key, "\n", trace, NULL);
	const Reason *reason =
		reasons != NULL ? g_hash_table_lookup(reasons->reasons, name) : NULL;

	return reason != NULL && !reason->acts ? reason->why : NULL;
}

/* --- Report --- */

/* Lines in the order in which they came, each with the names of the traces that it is of. */
typedef struct {
	GPtrArray *lines;   /* "KEY\nWORDS" */
	GHashTable *traces; /* of each: GPtrArray of names */
} Lines;

static void lines_add(Lines *lines, const char *key, const char *trace, char *words)
{
	g_autofree char *rest = words;
	g_autofree char *line = g_strconcat(key, "\n", words, NULL);
	GPtrArray *traces = g_hash_table_lookup(lines->traces, line);

	if (traces == NULL) {
		traces = g_ptr_array_new_with_free_func(g_free);
		g_ptr_array_add(lines->lines, g_strdup(line));
		g_hash_table_insert(lines->traces, g_strdup(line), traces);
	}
	g_ptr_array_add(traces, g_strdup(trace));
}

static void report_line(const char *line, const GPtrArray *traces)
{
	g_auto(GStrv) parts = g_strsplit(line, "\n", 2);
	g_autoptr(GString) names = g_string_new(NULL);
	const guint shown = MIN(traces->len, TRACES_SHOWN);

	for (guint i = 0; i < shown; i++)
		g_string_append_printf(names, "%s%s", i > 0 ? ", " : "",
				       (char *)traces->pdata[i]);
	if (traces->len > shown)
		g_string_append_printf(names, " and %u more", traces->len - shown);
	g_printerr("atomsim: %s no effect on %s%s\n", parts[0], names->str, parts[1]);
}

static void add_found(Lines *lines, const SweepIdle *idle, const SweepReasons *reasons)
{
	const char *why = idle->some ? NULL : reason_of(reasons, idle->key, idle->trace);
	g_autofree char *key =
		g_strconcat(idle->key, strchr(idle->key, ',') ? " have" : " has", NULL);

	lines_add(lines, key, idle->trace,
		  g_strconcat(idle->some ? " " : ": ", idle->words, why != NULL ? "; " : "",
			      why, NULL));
}

/* Keys of --set have one value: there is no other run to hold theirs against. */
static void add_settings(Lines *lines, const SweepReasons *reasons, const Sweep *sweep)
{
	for (guint i = 0; i < reasons->settings->len; i++)
		for (guint t = 0; t < sweep->inputs->len; t++) {
			const SweepInput *input = sweep->inputs->pdata[t];
			const char *key = reasons->settings->pdata[i];
			const char *why = reason_of(reasons, key, input->name);
			g_autofree char *has = g_strconcat(key, " has", NULL);

			if (why != NULL)
				lines_add(lines, has, input->name,
					  g_strconcat(": ", why, NULL));
		}
}

void sweep_report_idle(const char *folder, const SweepReasons *reasons, const Sweep *sweep)
{
	g_autofree char *table = g_build_filename(folder, SWEEP_TABLE, NULL);
	g_autoptr(GPtrArray) found = sweep_idle_find(table);
	Lines lines = {g_ptr_array_new_with_free_func(g_free),
		       g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					     (GDestroyNotify)g_ptr_array_unref)};

	for (guint i = 0; i < found->len; i++)
		add_found(&lines, found->pdata[i], reasons);
	if (reasons != NULL && sweep != NULL)
		add_settings(&lines, reasons, sweep);
	for (guint i = 0; i < lines.lines->len; i++)
		report_line(lines.lines->pdata[i],
			    g_hash_table_lookup(lines.traces, lines.lines->pdata[i]));
	g_ptr_array_unref(lines.lines);
	g_hash_table_unref(lines.traces);
}
