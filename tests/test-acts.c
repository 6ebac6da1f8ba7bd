/* SPDX-License-Identifier: MIT */
/*
 * What is said to have no effect on a run (config/acts.h) has none: of every shipped trace on every shipped machine all
 * keys of which that is said are given other values, and the run counts the same.
 */
#include <string.h>

#include "config/acts.h"
#include "config/config.h"
#include "config/value.h"
#include "replay/replay.h"
#include "shipped.h"
#include "workloads/workload.h"

#define N_DRAWS 2 /* of other values, for each run */

/* Traces without data flow, made here: of votes, and of one array of warps without conflicts. */
static const struct {
	const char *name, *workload;
	const char *settings[8];
} made[] = {
	{"voting", "voting", {"words=4096", "kernel=full", "blocks=3", "warps=4", "steps=8"}},
	{"transpose (made)", "transpose", {"blocks=2"}},
	{"kmeans (made)", "kmeans", {"objects=512", "clusters=4", "components=1"}},
};

static TraceReader *open_trace(const char *name)
{
	g_autofree char *path = g_build_filename(g_getenv("SOURCE"), "traces", name, NULL);
	g_autoptr(GError) error = NULL;
	TraceReader *reader = NULL;

	for (guint i = 0; i < G_N_ELEMENTS(made); i++) {
		g_autoptr(GBytes) bytes = NULL;

		if (!g_str_equal(name, made[i].name))
			continue;
		bytes = workload_generate_bytes(workload_find(made[i].workload, NULL),
						made[i].settings, &error);
		g_assert_no_error(error);
		reader = trace_open_bytes(name, bytes, &error);
	}
	if (reader == NULL && error == NULL)
		reader = trace_open(path, &error);
	g_assert_no_error(error);
	trace_keep_decoded(reader, UINT64_C(1) << 28);
	return reader;
}

static gboolean run(const Config *config, TraceReader *reader, ReplayResult *result)
{
	const Replay replay = {.machine = config_machine(config),
			       .reader = reader,
			       .n_threads = 1,
			       .sites = true};

	return replay_run(&replay, result, NULL);
}

/* All that a report says of a run. */
static gboolean same(const ReplayResult *x, const ReplayResult *y)
{
	const SimResult *a = &x->run, *b = &y->run;

	return x->sites->len == y->sites->len &&
	       memcmp(x->sites->data, y->sites->data, x->sites->len * sizeof(HotSpot)) == 0 &&
	       memcmp(&a->statistics, &b->statistics, sizeof(a->statistics)) == 0 &&
	       memcmp(a->addresses, b->addresses, sizeof(a->addresses)) == 0 &&
	       memcmp(a->locks, b->locks, sizeof(a->locks)) == 0 &&
	       memcmp(a->banks, b->banks, sizeof(a->banks)) == 0;
}

/* "KEY=VALUE" of a value that the key does not have; NULL: it is no number and no choice. g_free. */
static char *other_value(const Machine *machine, const Key *key, GRand *random)
{
	if (key->type == KEY_UINT32 || key->type == KEY_UINT64) {
		const guint64 value = value_number(machine, key);
		const guint64 other = g_rand_boolean(random) ? MIN(value * 2 + 7, key->max)
							     : MAX(value / 2, key->min);

		return g_strdup_printf("%s=%" G_GUINT64_FORMAT, key->path,
				       key->multiple > 1 ? other / key->multiple * key->multiple
							 : other);
	}
	if (key->type == KEY_HASH)
		return g_strdup_printf("%s=%s", key->path,
				       g_rand_boolean(random) ? "xor" : "ipoly");
	if (key->names != NULL) {
		guint n = 0;

		while (key_name(key->names, n) != NULL)
			n++;
		return g_strdup_printf(
			"%s=%s", key->path,
			key_name(key->names, (guint)g_rand_int_range(random, 0, (gint32)n)));
	}
	return NULL;
}

/* The config with other values of the keys, but for those that it cannot have. */
static Config *with_others(const Config *config, GPtrArray *keys, GRand *random)
{
	Config *with = config_with(config, NULL, NULL);

	for (guint i = 0; i < keys->len; i++) {
		const Key *key = keys->pdata[i];
		g_autofree char *setting = other_value(config_machine(config), key, random);
		const char *const settings[] = {setting, NULL};
		Config *next = setting ? config_with(with, settings, NULL) : NULL;

		if (next == NULL)
			continue;
		config_free(with);
		with = next;
	}
	return with;
}

/* Which of them it is. */
static void blame(const Config *config, TraceReader *reader, GPtrArray *keys,
		  const ReplayResult *unchanged, GRand *random)
{
	for (guint i = 0; i < keys->len; i++)
		for (guint k = 0; k < 4; k++) {
			g_autoptr(GPtrArray) one = g_ptr_array_new();
			g_autoptr(Config) other = NULL;
			g_auto(ReplayResult) result = {0};
			const Key *key = keys->pdata[i];

			g_ptr_array_add(one, keys->pdata[i]);
			other = with_others(config, one, random);
			if (!run(other, reader, &result) || !same(&result, unchanged)) {
				g_test_message("%s changes the run", key->path);
				break;
			}
		}
}

static void hold(const char *config_name, const char *const *settings, TraceReader *reader,
		 guint32 seed)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = config_load(config_name, settings, &error);
	g_autoptr(GPtrArray) idle = g_ptr_array_new();
	GRand *random = g_rand_new_with_seed(seed);
	g_auto(ReplayResult) result = {0};
	KeyRun had;

	g_assert_no_error(error);
	if (run(config, reader, &result)) {
		had = key_run(config_machine(config), &trace_source(reader)->kernel,
			      &result.run);
		for (guint i = 0; i < key_count(); i++) {
			g_autofree char *why = key_why_idle(key_at(i), &had, NULL);

			g_assert_cmpint(why == NULL, ==,
					key_acts(key_at(i), had.machine, had.had));
			if (why != NULL)
				g_ptr_array_add(idle, (gpointer)key_at(i));
		}
	}
	for (guint draw = 0; idle->len > 0 && draw < N_DRAWS; draw++) {
		g_autoptr(Config) other = with_others(config, idle, random);
		g_auto(ReplayResult) changed = {0};

		if (run(other, reader, &changed) && same(&changed, &result))
			continue;
		g_test_message("%s, %s:", config_name, settings[0]);
		blame(config, reader, idle, &result, random);
		g_test_fail();
		break;
	}
	g_rand_free(random);
}

static guint n_runs; /* of all that there would be; a share of them is done */

/* As shipped, and with the other ways to do things. */
static void test_idle(gconstpointer name)
{
	static const char *const configs[] = {"fermi", "h200", "a100", "gtx1080", "hd5870"};
	static const char *const settings[][3] = {
		{NULL},
		{"shared.queue=0", "sm.scoreboard=0", NULL},
		{"atomic.mechanism=none", "global.model=flat", NULL},
		{"atomic.mechanism=lock-bits", "atomic.mechanism_f32=cas-loop", NULL},
	};
	g_autoptr(TraceReader) reader = open_trace(name);

	for (guint c = 0; c < G_N_ELEMENTS(configs); c++)
		for (guint s = 0; s < G_N_ELEMENTS(settings); s++) {
			if (n_runs++ % test_share() != 0)
				continue;
			g_autoptr(Config) config = config_load(configs[c], settings[s], NULL);

			if (config != NULL)
				hold(configs[c], settings[s], reader, c * 7 + s);
		}
}

int main(int argc, char **argv)
{
	g_autofree char *folder = NULL;
	g_autoptr(GDir) traces = NULL;
	const char *name;

	g_test_init(&argc, &argv, NULL);
	folder = g_build_filename(g_getenv("SOURCE"), "traces", NULL);
	traces = g_dir_open(folder, 0, NULL);
	g_assert_nonnull(traces);
	while ((name = g_dir_read_name(traces)) != NULL) {
		g_autofree char *test = g_strconcat("/acts/", name, NULL);

		if (g_str_has_suffix(name, ".bin"))
			g_test_add_data_func_full(test, g_strdup(name), test_idle, g_free);
	}
	for (guint i = 0; i < G_N_ELEMENTS(made); i++) {
		g_autofree char *test = g_strconcat("/acts/", made[i].name, NULL);

		g_test_add_data_func(test, made[i].name, test_idle);
	}
	return g_test_run();
}
