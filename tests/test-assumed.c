/* SPDX-License-Identifier: MIT */
/*
 * What a report calls assumed, held against runs in which each such key has another value: a key whose
 * change changes the run is listed; and of one that is listed, what it acts on was there, which in some
 * of the runs shows. (Cycles that nobody waits for show nowhere.)
 */
#include <string.h>

#include "config/acts.h"
#include "config/config.h"
#include "config/keys.h"
#include "config/provenance.h"
#include "config/value.h"
#include "replay/replay.h"
#include "report/report.h"
#include "workloads/workload.h"

#define VOTING "voting" /* a trace without data flow, made here */

/* A shipped trace, or votes for words of which many share a lock, with all that is around them. */
static TraceReader *open_trace(const char *name)
{
	static const char *const settings[] = {"words=4096", "kernel=full", "blocks=3",
					       "warps=4",    "steps=8",	    NULL};
	g_autofree char *path = g_build_filename(g_getenv("SOURCE"), "traces", name, NULL);
	g_autoptr(GBytes) bytes = NULL;
	g_autoptr(GError) error = NULL;
	TraceReader *reader;

	if (g_str_equal(name, VOTING)) {
		bytes = workload_generate_bytes(workload_find(name, NULL), settings, &error);
		g_assert_no_error(error);
		reader = trace_open_bytes(name, bytes, &error);
	} else {
		reader = trace_open(path, &error);
	}
	g_assert_no_error(error);
	return reader;
}

static void run(const Config *config, TraceReader *reader, ReplayResult *result)
{
	const Replay replay = {
		.machine = config_machine(config), .reader = reader, .n_threads = 1};

	replay_run(&replay, result, NULL);
}

/* Other values of a key, of which a config can have at least one: NULL after the last. g_strfreev. */
static char **other_values(const Config *config, const Key *key)
{
	GPtrArray *values = g_ptr_array_new();

	if (key->type == KEY_UINT32 || key->type == KEY_UINT64) {
		guint64 value = value_number(config_machine(config), key);

		g_ptr_array_add(values, g_strdup_printf("%s=%" G_GUINT64_FORMAT, key->path,
							MIN(value * 2 + 7, key->max)));
		g_ptr_array_add(values, g_strdup_printf("%s=%" G_GUINT64_FORMAT, key->path,
							MAX(value / 2, key->min)));
	} else {
		for (guint i = 0; key_name(key->names, i) != NULL; i++)
			g_ptr_array_add(values, g_strdup_printf("%s=%s", key->path,
								key_name(key->names, i)));
	}
	g_ptr_array_add(values, NULL);
	return (char **)g_ptr_array_free(values, FALSE);
}

/* Whether any other value changes what the run counts. */
static gboolean acts(const Config *config, TraceReader *reader, const Key *key,
		     const Statistics *unchanged)
{
	g_auto(GStrv) values = other_values(config, key);

	for (guint i = 0; values[i] != NULL; i++) {
		const char *const settings[] = {values[i], NULL};
		g_autoptr(Config) other = config_with(config, settings, NULL);
		g_auto(ReplayResult) result = {0};

		if (other == NULL)
			continue;
		run(other, reader, &result);
		if (memcmp(&result.run.statistics, unchanged, sizeof(*unchanged)) != 0)
			return TRUE;
	}
	return FALSE;
}

static gboolean is_listed(char **lines, const char *path)
{
	g_autofree char *start = g_strconcat(path, " = ", NULL);

	for (guint i = 0; lines[i] != NULL; i++)
		if (g_str_has_prefix(lines[i], start))
			return TRUE;
	return FALSE;
}

static GHashTable *were_listed, *have_acted; /* paths, over all runs */

static void hold_assumed(const char *config_name, const char *trace)
{
	g_autoptr(Config) config = config_load(config_name, NULL, NULL);
	g_autoptr(TraceReader) reader = open_trace(trace);
	g_auto(ReplayResult) result = {0};
	g_auto(GStrv) lines = NULL;

	run(config, reader, &result);
	g_assert_cmpint(result.run.status, ==, SIM_OK);
	lines = config_assumptions(config, key_run(config_machine(config),
						   &trace_source(reader)->kernel, &result.run)
						   .had);
	for (guint i = 0; i < key_count(); i++) {
		const Key *key = key_at(i);
		gboolean listed = is_listed(lines, key->path), changes;
		Provenance entry;

		if (!config_provenance(config, i, &entry) || entry.kind != PROVENANCE_ASSUMED ||
		    key->type == KEY_MAP)
			continue;
		changes = acts(config, reader, key, &result.run.statistics);
		if (changes && !listed) {
			g_test_message("%s on %s: %s changes the run and is not listed", trace,
				       config_name, key->path);
			g_test_fail();
		}
		if (listed && !changes)
			g_test_message("%s on %s: %s does not show", trace, config_name,
				       key->path);
		if (listed)
			g_hash_table_add(were_listed, (gpointer)key->path);
		if (changes)
			g_hash_table_add(have_acted, (gpointer)key->path);
	}
}

static void test_assumed(gconstpointer trace)
{
	hold_assumed("fermi.json", trace);
	hold_assumed("h200.json", trace);
}

/* Limits and costs that none of these programs comes to. */
static const char *const never_reached[] = {"network.in_flight",
					    "l2.store_sector_mclk",
					    "dram.channels",
					    "global.l1_ways",
					    "sm.issue.indexed_constant_stall_cycles",
					    "sm.issue.indexed_constant_pipe_cycles",
					    NULL};

/* Last. */
static void test_what_is_listed_acts(void)
{
	GHashTableIter iter;
	gpointer path;

	g_hash_table_iter_init(&iter, were_listed);
	while (g_hash_table_iter_next(&iter, &path, NULL))
		if (!g_hash_table_contains(have_acted, path) &&
		    !g_strv_contains(never_reached, path)) {
			g_test_message("%s is listed and acts on none of the runs",
				       (const char *)path);
			g_test_fail();
		}
	g_assert_cmpuint(g_hash_table_size(have_acted), >, 12);
}

int main(int argc, char **argv)
{
	static const char *const traces[] = {
		VOTING,	    "bins-global.bin", "kmeans-lock.bin", "transpose-padded.bin",
		"scan.bin", "histogram.bin"};
	int status;

	g_test_init(&argc, &argv, NULL);
	were_listed = g_hash_table_new(g_str_hash, g_str_equal);
	have_acted = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; i < G_N_ELEMENTS(traces); i++) {
		g_autofree char *name = g_strconcat("/assumed/", traces[i], NULL);

		g_test_add_data_func(name, traces[i], test_assumed);
	}
	g_test_add_func("/assumed/what is listed acts", test_what_is_listed_acts);
	status = g_test_run();
	g_hash_table_unref(were_listed);
	g_hash_table_unref(have_acted);
	return status;
}
