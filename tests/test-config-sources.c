/* SPDX-License-Identifier: MIT */
/*
 * Every value of a shipped config has a source or is marked as assumed. In a section's "description" each key that the
 * section gives is named, by its name or by a pattern ("*_pipe_cycles"), or "All else" speaks of it; of a key that the file
 * does not give "All else" speaks, there or in a section around it. Where that says "All else: 0", it is 0: a key that is
 * new and whose default was measured on another GPU does not slip in.
 *
 * What was measured on one GPU reaches another unsaid neither through the file that it extends nor through a key's default:
 * what a config extends is a base and no GPU's; a value that the base gives is named there; and a default that is not 0 is
 * named in full, in the config or in the base, except by the GPU that defaults were measured on.
 */
#include <string.h>

#include "config/acts.h"
#include "config/config.h"
#include "config/keys.h"
#include "config/value.h"

#define ALL_ELSE      "All else"
#define ALL_ELSE_ZERO "All else: 0"
#define MEASURED                                                                               \
	"h200.json" /* the GPU that keys' defaults were measured on, where not a GTX 580's */
#define BASE "nvidia.json"

static cJSON *read_config(const char *name)
{
	g_autofree char *path = config_find_installed(name);
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

/* A config's file, and the base that it extends; NULL: none. */
typedef struct {
	cJSON *own, *base;
	gboolean
		is_measured; /* defaults of keys were measured on this GPU: "All else" may speak of them */
} Files;

/* Whether the description names that key: with patterns, or in full only. */
static gboolean names(const char *description, const char *key, gboolean patterns)
{
	g_auto(GStrv) words = g_strsplit_set(description, " ,:;.()\"", -1);

	for (guint i = 0; words[i]; i++) {
		if (strlen(words[i]) > 1 && (patterns ? g_pattern_match_simple(words[i], key)
						      : g_str_equal(words[i], key)))
			return TRUE;
	}
	return FALSE;
}

static gboolean is_zero(const Machine *machine, const Key *key)
{
	return (key->type == KEY_UINT32 || key->type == KEY_UINT64) &&
	       !value_number(machine, key);
}

/* The section of a file that the path's last name would stand in; NULL: it has none. */
static const cJSON *section_of(const cJSON *file, char **path)
{
	for (guint i = 0; path[i + 1]; i++)
		file = cJSON_GetObjectItemCaseSensitive(file, path[i]);
	return file;
}

/* Whether "All else" speaks of the path in that file, in its section or one around it. */
static gboolean all_else(const cJSON *file, char **path)
{
	for (guint i = 0; file; i++) {
		if (strstr(description_of(file), ALL_ELSE))
			return TRUE;
		file = path[i + 1] ? cJSON_GetObjectItemCaseSensitive(file, path[i]) : NULL;
	}
	return FALSE;
}

/* The same of a key that the file leaves to the base or to its default. */
static const char *problem_of_left(const Files *files, const Machine *machine, const Key *key,
				   char **path, const char *name)
{
	const cJSON *base = section_of(files->base, path);
	const char *said = description_of(base);

	if (cJSON_HasObjectItem(base, name))
		return names(said, name, TRUE) ? NULL : "is given by the base without a source";
	if (!files->base || files->is_measured)
		return all_else(files->own, path) ? NULL
						  : "is neither given nor said to be assumed";
	return is_zero(machine, key) || !key_acts(key, machine, UINT64_MAX) ||
			       names(said, name, FALSE) ||
			       names(description_of(section_of(files->own, path)), name, FALSE)
		       ? NULL
		       : "has a default that neither the config nor its base names in full";
}

/* What is wrong with that key; NULL: nothing. */
static const char *problem_of(const Files *files, const Machine *machine, const Key *key)
{
	g_auto(GStrv) path = g_strsplit(key->path, ".", -1);
	const char *name = path[g_strv_length(path) - 1];
	const cJSON *section = section_of(files->own, path);
	const char *own = description_of(section);

	if (!cJSON_HasObjectItem(section, name) && files->base)
		return problem_of_left(files, machine, key, path, name);
	if (names(own, name, TRUE))
		return NULL;
	if (strstr(own, ALL_ELSE_ZERO))
		return is_zero(machine, key) ? NULL : "is not 0, as its section says";
	if (cJSON_HasObjectItem(section, name))
		return strstr(own, ALL_ELSE) ? NULL : "is given without a word on its source";
	return problem_of_left(files, machine, key, path, name);
}

/* That GPU's; that it extends nothing but the base. */
static Files read_files(const char *name)
{
	Files files = {read_config(name), NULL, g_str_equal(name, MEASURED)};
	const char *extends =
		cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(files.own, "extends"));

	if (extends) {
		g_assert_cmpstr(extends, ==, BASE);
		files.base = read_config(BASE);
		g_assert_false(cJSON_HasObjectItem(files.base, "extends"));
	}
	return files;
}

static void every_value_has_a_source(gconstpointer name)
{
	Files files = read_files(name);
	g_autoptr(Config) config = config_load(name, NULL, NULL);
	guint n_problems = 0;

	for (guint i = 0; i < key_count(); i++) {
		const Key *key = key_at(i);
		/* What a launch finds is no property of a GPU. */
		const char *problem =
			key->type == KEY_TEXT || g_str_has_prefix(key->path, "launch.")
				? NULL
				: problem_of(&files, config_machine(config), key);

		if (problem) {
			g_test_message("%s: %s %s", (const char *)name, key->path, problem);
			n_problems++;
		}
	}
	cJSON_Delete(files.own);
	cJSON_Delete(files.base);
	g_assert_cmpuint(n_problems, ==, 0);
}

/* The test can fail. */
static void what_has_none_is_seen(void)
{
	/* A config, and its base. */
	static const char *const texts[][2] = {
		{"{\"l2\": {\"slices\": 8}}", NULL},
		{"{\"l2\": {\"description\": \"page_slices: x.\", \"slices\": 8}}", NULL},
		{"{\"l2\": {\"description\": \"All else: 0.\"}}", NULL},
		{"{\"description\": \"x\"}", NULL},
		/* The default is the H200's, and nobody says that it is meant. */
		{"{\"l2\": {\"description\": \"All else: assumed.\"}}", "{}"},
		{"{\"l2\": {\"description\": \"sl*: assumed.\"}}",
		 "{\"l2\": {\"description\": \"sl*: assumed. All else: assumed.\"}}"},
		/* The base's value, likewise. */
		{"{\"l2\": {\"description\": \"All else: assumed.\"}}",
		 "{\"l2\": {\"description\": \"All else: assumed.\", \"slices\": 8}}"},
	};
	g_autoptr(Config) config = config_load(MEASURED, NULL, NULL);
	const Key *key = key_find("l2.slices");

	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		Files files = {cJSON_Parse(texts[i][0]),
			       texts[i][1] ? cJSON_Parse(texts[i][1]) : NULL, FALSE};

		g_assert_nonnull(problem_of(&files, config_machine(config), key));
		cJSON_Delete(files.own);
		cJSON_Delete(files.base);
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
