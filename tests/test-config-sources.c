/* SPDX-License-Identifier: MIT */
/*
 * Every value of a shipped config has a source or is marked as assumed. In a section's "description" each key that the
 * section gives is named, by its name or by a pattern ("*_pipe_cycles"), or "All else" speaks of it; of a key that the file
 * does not give "All else" speaks, there or in a section around it. Where that says "All else: 0", it is 0: a key that is
 * new and whose default was measured on another GPU does not slip in.
 */
#include <string.h>

#include "config/config.h"
#include "config/keys.h"
#include "config/value.h"

#define ALL_ELSE      "All else"
#define ALL_ELSE_ZERO "All else: 0"

static cJSON *read_config(const char *name)
{
	g_autofree char *path = g_build_filename(g_getenv("ATOMSIM_CONFIG_PATH"), name, NULL);
	g_autofree char *text = NULL;
	cJSON *json;

	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	json = cJSON_Parse(text);
	g_assert_nonnull(json);
	return json;
}

/* "" without one. */
static const char *description_of(const cJSON *section)
{
	const char *text =
		cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(section, "description"));

	return text ? text : "";
}

static gboolean names(const char *description, const char *key)
{
	g_auto(GStrv) words = g_strsplit_set(description, " ,:;.()\"", -1);

	for (guint i = 0; words[i]; i++) {
		if (strlen(words[i]) > 1 && g_pattern_match_simple(words[i], key))
			return TRUE;
	}
	return FALSE;
}

static gboolean is_zero(const Machine *machine, const Key *key)
{
	return (key->type == KEY_UINT32 || key->type == KEY_UINT64) &&
	       !value_number(machine, key);
}

/* What is wrong with that key of that file; NULL: nothing. */
static const char *problem_of(const cJSON *file, const Machine *machine, const Key *key)
{
	g_auto(GStrv) path = g_strsplit(key->path, ".", -1);
	const guint last = g_strv_length(path) - 1;
	const cJSON *section = file;
	const char *own = description_of(file);
	gboolean spoken_of = strstr(own, ALL_ELSE) != NULL;

	for (guint i = 0; i < last; i++) {
		section = cJSON_GetObjectItemCaseSensitive(section, path[i]);
		own = description_of(section);
		spoken_of = spoken_of || strstr(own, ALL_ELSE);
	}
	if (names(own, path[last]))
		return NULL;
	if (strstr(own, ALL_ELSE_ZERO))
		return is_zero(machine, key) ? NULL : "is not 0, as its section says";
	if (cJSON_HasObjectItem(section, path[last]))
		return strstr(own, ALL_ELSE) ? NULL : "is given without a word on its source";
	return spoken_of ? NULL : "is neither given nor said to be assumed";
}

static void every_value_has_a_source(gconstpointer name)
{
	cJSON *file = read_config(name);
	g_autoptr(Config) config = config_load(name, NULL, NULL);
	guint n_problems = 0;

	for (guint i = 0; i < key_count(); i++) {
		const Key *key = key_at(i);
		const char *problem = key->type == KEY_TEXT
					      ? NULL
					      : problem_of(file, config_machine(config), key);

		if (problem) {
			g_test_message("%s: %s %s", (const char *)name, key->path, problem);
			n_problems++;
		}
	}
	cJSON_Delete(file);
	g_assert_cmpuint(n_problems, ==, 0);
}

/* The test can fail. */
static void what_has_none_is_seen(void)
{
	static const char *const texts[] = {
		"{\"l2\": {\"slices\": 8}}",
		"{\"l2\": {\"description\": \"page_slices: x.\", \"slices\": 8}}",
		"{\"l2\": {\"description\": \"All else: 0.\"}}",
		"{\"description\": \"x\"}",
	};
	g_autoptr(Config) config = config_load("h200.json", NULL, NULL);
	const Key *key = key_find("l2.slices");

	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		cJSON *file = cJSON_Parse(texts[i]);

		g_assert_nonnull(problem_of(file, config_machine(config), key));
		cJSON_Delete(file);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_data_func("/config-sources/a100", "a100.json", every_value_has_a_source);
	g_test_add_data_func("/config-sources/gtx1080", "gtx1080.json",
			     every_value_has_a_source);
	g_test_add_data_func("/config-sources/hd5870", "hd5870.json", every_value_has_a_source);
	g_test_add_data_func("/config-sources/h200", "h200.json", every_value_has_a_source);
	g_test_add_func("/config-sources/what has none is seen", what_has_none_is_seen);
	return g_test_run();
}
