/* SPDX-License-Identifier: MIT */
#include "validate/frame/metric-runs.h"

#include <string.h>

#include "base/error.h"
#include "replay/launch-time.h"
#include "replay/replay.h"
#include "workloads/workload.h"

#define EACH	  "each"
#define MECHANISM "mechanism="

/* --- Parameters --- */

/* The values that a parameter's value stands for. g_strfreev. */
static char **values_of(const char *value, GError **error)
{
	const char *dots = strstr(value, "..");
	g_autofree char *from = dots ? g_strndup(value, (gsize)(dots - value)) : NULL;
	g_autoptr(GPtrArray) list = NULL;
	guint64 first, last;

	if (dots == NULL)
		return g_strsplit(value, ",", METRIC_MAX_RUNS + 1);
	if (!g_ascii_string_to_unsigned(from, 10, 1, G_MAXUINT32, &first, NULL) ||
	    !g_ascii_string_to_unsigned(dots + 2, 10, first, G_MAXUINT32, &last, NULL)) {
		atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			     "found '%s'; allowed: two numbers from 1 up, the smaller first",
			     value);
		return NULL;
	}
	list = g_ptr_array_new();
	for (guint64 v = first; v <= last; v *= 2)
		g_ptr_array_add(list, g_strdup_printf("%" G_GUINT64_FORMAT, v));
	g_ptr_array_add(list, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&list), FALSE);
}

/* The text for each value of its first parameter that has several, or NULL if none has. */
static GPtrArray *expand_first(const char *parameters, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(parameters, ";", -1);

	for (guint i = 0; parts[i] != NULL; i++) {
		const char *equals = strchr(parts[i], '=');
		g_auto(GStrv) values = equals ? values_of(equals + 1, error) : NULL;
		g_autofree char *part = NULL;
		GPtrArray *texts;

		if (equals == NULL)
			atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				     "found '%s'; allowed: KEY=VALUE", parts[i]);
		if (values == NULL)
			return NULL;
		if (values[0] == NULL || values[1] == NULL)
			continue;
		texts = g_ptr_array_new_with_free_func(g_free);
		part = g_steal_pointer(&parts[i]);
		for (guint v = 0; values[v] != NULL; v++) {
			parts[i] = g_strdup_printf("%.*s=%s", (int)(equals - part), part,
						   values[v]);
			g_ptr_array_add(texts, g_strjoinv(";", parts));
			g_free(parts[i]);
		}
		parts[i] = g_steal_pointer(&part);
		return texts;
	}
	return NULL;
}

GPtrArray *metric_expand(const char *parameters, GError **error)
{
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(texts, g_strdup(parameters));
	for (guint done = 0; done < texts->len;) {
		GError *why = NULL;
		g_autoptr(GPtrArray) each = expand_first(g_ptr_array_index(texts, done), &why);

		if (why != NULL) {
			g_propagate_error(error, why);
			return NULL;
		}
		if (each == NULL) {
			done++;
			continue;
		}
		g_ptr_array_remove_index(texts, done);
		g_ptr_array_extend(texts, each, (GCopyFunc)(void *)g_strdup, NULL);
		if (texts->len > METRIC_MAX_RUNS) {
			atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				     "'%s' is more than %d runs; allowed: up to %d", parameters,
				     METRIC_MAX_RUNS, METRIC_MAX_RUNS);
			return NULL;
		}
	}
	return g_steal_pointer(&texts);
}

/* The value of a key in a text of parameters, or NULL. g_free. */
static char *find_value(const char *parameters, const char *key, gsize length)
{
	g_auto(GStrv) parts = g_strsplit(parameters, ";", -1);

	for (guint i = 0; parts[i] != NULL; i++)
		if (strncmp(parts[i], key, length) == 0 && parts[i][length] == '=')
			return g_strdup(parts[i] + length + 1);
	return NULL;
}

char *metric_fill(const char *parameters, const char *own, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(parameters, ";", -1);

	for (guint i = 0; parts[i] != NULL; i++) {
		const char *equals = strchr(parts[i], '=');
		g_autofree char *key = NULL, *value = NULL;

		if (equals == NULL || strcmp(equals + 1, EACH) != 0)
			continue;
		key = g_strndup(parts[i], (gsize)(equals - parts[i]));
		value = find_value(own, key, strlen(key));
		if (value == NULL) {
			atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				     "found '%s', but the row that it is for has no '%s'",
				     parts[i], key);
			return NULL;
		}
		g_free(parts[i]);
		parts[i] = g_strconcat(key, "=", value, NULL);
	}
	return g_strjoinv(";", parts);
}

/* --- Runs --- */

struct MetricRuns {
	const Machine *machine;
	guint n_threads;
	GHashTable *known; /* "workload;parameters" to MetricTime */
};

MetricRuns *metric_runs_new(const Machine *machine, guint n_threads)
{
	MetricRuns *runs = g_new0(MetricRuns, 1);

	runs->machine = machine;
	runs->n_threads = n_threads > 0 ? n_threads : g_get_num_processors();
	runs->known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	return runs;
}

void metric_runs_free(MetricRuns *runs)
{
	g_hash_table_unref(runs->known);
	g_free(runs);
}

/* Settings of each launch: arrays of "key=value" in an array. g_ptr_array_unref. */
static GPtrArray *launches_of(const char *parameters, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(parameters, ";", -1);
	g_autoptr(GPtrArray) launches =
		g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	guint n = 1;

	for (guint i = 0; parts[i] != NULL; i++) {
		g_auto(GStrv) values = g_strsplit(parts[i], "+", METRIC_MAX_LAUNCHES + 1);
		guint n_values = g_strv_length(values);

		if (n_values > METRIC_MAX_LAUNCHES ||
		    (n > 1 && n_values > 1 && n_values != n)) {
			atomsim_fail(
				error, ATOMSIM_ERROR_INPUT,
				"'%s' has %u launches; allowed: as many as other parameters "
				"of the row, up to %d",
				parts[i], n_values, METRIC_MAX_LAUNCHES);
			return NULL;
		}
		n = MAX(n, n_values);
	}
	for (guint l = 0; l < n; l++)
		g_ptr_array_add(launches, g_ptr_array_new_with_free_func(g_free));
	for (guint i = 0; parts[i] != NULL; i++) {
		const char *equals = strchr(parts[i], '=');
		g_auto(GStrv) values = g_strsplit(equals ? equals + 1 : "", "+", -1);

		for (guint l = 0; l < n; l++)
			g_ptr_array_add(g_ptr_array_index(launches, l),
					g_strdup_printf("%.*s=%s",
							(int)(equals ? equals - parts[i] : 0),
							parts[i],
							values[values[1] != NULL ? l : 0]));
	}
	for (guint l = 0; l < n; l++)
		g_ptr_array_add(g_ptr_array_index(launches, l), NULL);
	return g_steal_pointer(&launches);
}

/* The machine of a run: where its parameters name a mechanism, that carries out atomics on global words. They
   are left without it. */
static gboolean take_mechanism(Machine *machine, GPtrArray *settings, GError **error)
{
	for (guint i = 0; i + 1 < settings->len; i++) {
		const char *setting = g_ptr_array_index(settings, i);
		const char *name = setting + strlen(MECHANISM);
		guint m = 0;

		if (!g_str_has_prefix(setting, MECHANISM))
			continue;
		while (m < N_GLOBAL_MECHANISMS && strcmp(global_mechanisms[m]->name, name) != 0)
			m++;
		if (m == N_GLOBAL_MECHANISMS)
			return atomsim_fail(
				error, ATOMSIM_ERROR_INPUT,
				"'%s' found; allowed: a mechanism of words in "
				"global memory, as atomsim list mechanisms has them",
				setting);
		machine->global_atomic.mechanism = global_mechanisms[m];
		g_ptr_array_remove_index(settings, i);
		return TRUE;
	}
	return TRUE;
}

static gboolean launch(const MetricRuns *runs, const Workload *workload, GPtrArray *settings,
		       MetricTime *time, GError **error)
{
	Machine machine = *runs->machine;
	gboolean good = take_mechanism(&machine, settings, error);
	g_autoptr(GBytes) bytes =
		good ? workload_generate_bytes(workload, (const char *const *)settings->pdata,
					       error)
		     : NULL;
	g_autoptr(TraceReader) reader =
		bytes ? trace_open_bytes(workload->name, bytes, error) : NULL;
	g_auto(ReplayResult) result = {0};
	const Replay replay = {
		.machine = &machine, .reader = reader, .n_threads = runs->n_threads};

	if (reader == NULL || !replay_run(&replay, &result, error))
		return FALSE;
	time->cycles += (double)result.run.statistics.cycles;
	time->time_us +=
		launch_time_us(&machine, launch_ended_cycles(&machine, &result.run.statistics));
	return TRUE;
}

gboolean metric_run(MetricRuns *runs, const char *workload, const char *parameters,
		    MetricTime *time, GError **error)
{
	g_autofree char *name = g_strconcat(workload, ";", parameters, NULL);
	const MetricTime *known = g_hash_table_lookup(runs->known, name);
	const Workload *found = workload_find(workload, error);
	g_autoptr(GPtrArray) launches = found ? launches_of(parameters, error) : NULL;

	if (launches == NULL)
		return FALSE;
	if (known != NULL) {
		*time = *known;
		return TRUE;
	}
	*time = (MetricTime){0, 0};
	for (guint l = 0; l < launches->len; l++)
		if (!launch(runs, found, g_ptr_array_index(launches, l), time, error))
			return FALSE;
	g_hash_table_insert(runs->known, g_steal_pointer(&name), g_memdup2(time, sizeof *time));
	return TRUE;
}
