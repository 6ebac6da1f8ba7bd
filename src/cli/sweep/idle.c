/* SPDX-License-Identifier: MIT */
/*
 * What a sweep varied, or set, without effect: said on stderr. That it had none the results say
 * (explore/sweep/idle.h), why the table of keys (config/acts.h), where it knows.
 */
#include <string.h>

#include "cli/reasons.h"
#include "cli/sweep/sweep.h"
#include "explore/sweep/idle.h"

#define TRACES_SHOWN 5

struct SweepReasons {
	GPtrArray *settings; /* paths of --set */
	Reasons *reasons;
};

SweepReasons *sweep_reasons_new(const GPtrArray *settings)
{
	SweepReasons *reasons = g_new0(SweepReasons, 1);

	reasons->settings = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < settings->len; i++) {
		const char *setting = settings->pdata[i];

		g_ptr_array_add(reasons->settings, g_strndup(setting, strcspn(setting, "=")));
	}
	reasons->reasons = reasons_new();
	return reasons;
}

void sweep_reasons_free(SweepReasons *reasons)
{
	if (reasons == NULL)
		return;
	g_ptr_array_unref(reasons->settings);
	reasons_free(reasons->reasons);
	g_free(reasons);
}

/* The path in the table of keys of a sweep's key. */
static const char *path_of(const char *key)
{
	return g_str_equal(key, "what_if.mechanism") ? "atomic.mechanism" : key;
}

void sweep_reasons_see(gpointer data, const SweepPoint *point)
{
	SweepReasons *reasons = data;
	const GPtrArray *axes = point->sweep->plan->axes;
	const char *trace = point->input->name;
	const KeyRun run = key_run(config_machine(point->config),
				   &trace_source(point->input->reader)->kernel, point->result);

	for (guint i = 0; i < axes->len; i++)
		reasons_see(reasons->reasons, path_of(((const SweepAxis *)axes->pdata[i])->key),
			    trace, &run);
	for (guint i = 0; i < reasons->settings->len; i++)
		reasons_see(reasons->reasons, reasons->settings->pdata[i], trace, &run);
}

/* Why the key acted in none of the points that were run of the trace; NULL: that is not known. */
static const char *reason_of(const SweepReasons *reasons, const char *key, const char *trace)
{
	return reasons != NULL ? reasons_of(reasons->reasons, path_of(key), trace) : NULL;
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
