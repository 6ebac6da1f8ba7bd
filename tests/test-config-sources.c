/* SPDX-License-Identifier: MIT */
/*
 * Every value of a shipped config says where it comes from, in the one form of config/provenance.h; what a GPU inherits is named;
 * a key that is new gets into no machine unsaid.
 */
#include <string.h>

#include "config/config.h"
#include "config/keys.h"
#include "config/provenance.h"

#define DEFAULTS_GPU "GeForce GTX 580" /* whose values the defaults of keys are */

static Config *load(const char *name)
{
	g_autoptr(GError) error = NULL;
	Config *config = config_load(name, NULL, &error);

	g_assert_no_error(error);
	return config;
}

/* What is wrong with the key's provenance; NULL: nothing. */
static const char *problem_of(const Config *config, guint i)
{
	Provenance entry;

	if (!config_provenance(config, i, &entry))
		return NULL;
	if (entry.kind == PROVENANCE_SET)
		return "does not say where it comes from";
	if (!provenance_counts_key(config, i))
		return NULL;
	if (provenance_is_inherited(config, &entry) && strcmp(entry.on, DEFAULTS_GPU) == 0)
		return "has the default, a GTX 580's, and nothing says that this is meant";
	return NULL;
}

static guint count_problems(const Config *config)
{
	guint n = 0;

	for (guint i = 0; i < key_count(); i++) {
		const char *problem = problem_of(config, i);

		if (!problem)
			continue;
		g_test_message("%s: %s %s", config_machine(config)->name, key_at(i)->path,
			       problem);
		n++;
	}
	return n;
}

static void every_value_says_where_it_comes_from(void)
{
	g_autoptr(GPtrArray) names = config_names();
	guint n_machines = 0;

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = config_find_installed(names->pdata[i]);
		g_autoptr(Config) config = load(path);

		if (g_str_equal(names->pdata[i], "nvidia.json"))
			continue; /* a base, no machine */
		g_assert_cmpuint(count_problems(config), ==, 0);
		n_machines++;
	}
	g_assert_cmpuint(n_machines, >=, 5);
}

/* The test can fail: a value that is set, one that an extending GPU does not mention. */
static void what_says_nothing_is_seen(void)
{
	static const char *const texts[] = {
		"{\"extends\": \"h200.json\", \"sm\": {\"count\": 131}}",
		"{\"extends\": \"fermi.json\", \"name\": \"another GPU\"}",
	};

	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(Config) config =
			config_load_text("t.json", texts[i], strlen(texts[i]), NULL, NULL);

		g_assert_nonnull(config);
		g_assert_cmpuint(count_problems(config), >, 0);
	}
}

static Provenance entry_of(const Config *config, const char *path)
{
	Provenance entry;

	g_assert_true(config_provenance(config, key_index(key_find(path)), &entry));
	return entry;
}

static void the_same_value_is_measured_there_and_inherited_here(void)
{
	g_autoptr(Config) h200 = load("h200.json");
	g_autoptr(Config) a100 = load("a100.json");
	g_auto(ProvenanceCounts) counts = {0};
	g_autofree char *text = NULL;
	Provenance own = entry_of(h200, "atomic.native.cycles");
	Provenance other = entry_of(a100, "atomic.native.cycles");

	g_assert_cmpint(own.kind, ==, PROVENANCE_MEASURED);
	g_assert_false(provenance_is_inherited(h200, &own));
	g_assert_cmpstr(own.source, ==, other.source);
	g_assert_true(provenance_is_inherited(a100, &other));
	g_assert_cmpstr(other.on, ==, "NVIDIA H200");
	provenance_count(a100, &counts);
	text = provenance_counts_text(&counts);
	g_assert_nonnull(strstr(text, " from NVIDIA H200, "));
	g_assert_cmpuint(counts.n[PROVENANCE_MEASURED], ==, 0);
}

/* What a later file or --set gives is its own; an entry alone changes no value. */
static void later_layers_count(void)
{
	static const char text[] =
		"{\"extends\": \"fermi.json\", \"sm\": {\"count\": 15, \"max_warps\": 40, "
		"\"provenance\": {\"max_*\": {\"assumed\": \"a pattern\"}, "
		"\"max_warps\": {\"fitted\": \"t.csv\", \"error\": \"2 %\"}}}}";
	static const char *const settings[] = {"sm.max_blocks=4", NULL};
	g_autoptr(Config) config = config_load_text("t.json", text, strlen(text), NULL, NULL);
	g_autoptr(Config) set = config_with(config, settings, NULL);

	g_assert_cmpint(entry_of(config, "sm.count").kind, ==, PROVENANCE_SET);
	g_assert_cmpstr(entry_of(config, "sm.max_warps").error, ==, "2 %");
	g_assert_cmpstr(entry_of(config, "sm.max_blocks").source, ==, "a pattern");
	g_assert_cmpuint(config_machine(config)->sm.max_blocks, ==, 8);
	g_assert_cmpint(entry_of(set, "sm.max_blocks").kind, ==, PROVENANCE_SET);
	g_assert_cmpstr(entry_of(set, "sm.max_warps").source, ==, "t.csv");
	g_assert_cmpint(entry_of(config, "sm.schedulers").kind, ==, PROVENANCE_PUBLISHED);
}

/* What is explained as JSON is a config with the same values and the same provenance. */
static void explained_json_is_the_same_config(gconstpointer name)
{
	g_autoptr(Config) config = load(name);
	g_autofree char *json = config_explain_json(config);
	g_autoptr(Config) again =
		config_load_text("again.json", json, strlen(json), NULL, NULL);
	g_autofree char *once_more = again ? config_explain_json(again) : NULL;

	g_assert_cmpstr(once_more, ==, json);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/config-sources/every value says where it comes from",
			every_value_says_where_it_comes_from);
	g_test_add_func("/config-sources/what says nothing is seen", what_says_nothing_is_seen);
	g_test_add_func("/config-sources/the same value is measured there and inherited here",
			the_same_value_is_measured_there_and_inherited_here);
	g_test_add_func("/config-sources/later layers count", later_layers_count);
	g_test_add_data_func("/config-sources/explained JSON is the same config, h200",
			     "h200.json", explained_json_is_the_same_config);
	g_test_add_data_func("/config-sources/explained JSON is the same config, hd5870",
			     "hd5870.json", explained_json_is_the_same_config);
	return g_test_run();
}
