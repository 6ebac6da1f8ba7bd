/* SPDX-License-Identifier: MIT */
/* Configs that load: what takes effect, and the table that drives it. */
#include <cjson/cJSON.h>
#include <string.h>

#include "config-text.h"
#include "config/keys.h"
#include "config/layers.h"
#include "config/config.h"
#include "config/value.h"
#include "base/error.h"
#include "model/atomic/lock-bits.h"

#define FERMI "fermi.json"

static const LockBitsParameters *lock_bits_of(const Machine *machine)
{
	return machine->atomic.own[MECHANISM_lock_bits];
}

static void test_defaults_equal_fermi_json(void)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) fermi = config_load(FERMI, NULL, &error);
	g_autoptr(Config) defaults = load_text("{}", NULL);
	g_autofree char *a = NULL;
	g_autofree char *b = NULL;

	g_assert_no_error(error);
	a = config_to_json(fermi);
	b = config_to_json(defaults);
	g_assert_cmpstr(a, ==, b);
	/* Its figures stand once: the file gives its name and leaves the rest to the defaults. */
	for (guint i = 0; i < key_count(); i++)
		g_assert_cmpuint(fermi->origins[i].layer, ==, key_at(i) == key_find("name"));
}

static void test_fermi_has_the_figures_of_the_paper(void)
{
	g_autoptr(Config) config = load_text("{}", NULL);
	const Machine *machine = config_machine(config);

	g_assert_cmpstr(machine->name, ==, "GeForce GTX 580");
	g_assert_cmpuint(machine->clock_mhz, ==, 1544);
	g_assert_cmpuint(machine->sm.count, ==, 16);
	g_assert_cmpuint(machine->shared.banks, ==, 32);
	g_assert_cmpuint(machine->shared.bytes, ==, 49152);
	g_assert_cmpuint(machine->shared.conflict_latency_cycles, ==, 32);
	g_assert_cmpuint(machine->atomic.locks, ==, 1024);
	g_assert_cmpuint(lock_bits_of(machine)->t_base_cycles, ==, 108);
	g_assert_cmpuint(lock_bits_of(machine)->t_position_cycles, ==, 120);
	g_assert_cmpstr(machine->atomic.mechanism->name, ==, "lock-bits");
	g_assert_cmpstr(machine->sm.scheduler->name, ==, "lrr");
	g_assert_cmpstr(machine->atomic.lock_hash.name, ==, "mod");
	g_assert_cmpuint(lock_bits_of(machine)->winner, ==, WINNER_LOWEST);
	g_assert_cmpuint(machine->sim.watchdog_cycles, ==, 10000000);
}

/* A valid value other than the default, as --set takes it. */
static char *other_value(const Key *key)
{
	guint64 step = key->multiple ? key->multiple : 1;
	guint64 number = g_ascii_strtoull(key->default_value, NULL, 10);

	switch (key->type) {
	case KEY_UINT32:
	case KEY_UINT64:
		/* Twice the default fits all rules between keys but those of a hash or a half. */
		if (strcmp(key->path, "atomic.lock_bits.t_base_cycles") == 0)
			return g_strdup("110");
		if (number + step <= key->max && number < 100)
			return g_strdup_printf("%" G_GUINT64_FORMAT, number + step);
		return g_strdup_printf("%" G_GUINT64_FORMAT,
				       number * 2 <= key->max ? number * 2 : number - step);
	case KEY_TEXT:
		return g_strdup("another");
	case KEY_CHOICE:
	case KEY_PLUGIN:
		for (guint i = 0;; i++) {
			if (strcmp(key_name(key->names, i), key->default_value) != 0)
				return g_strdup(key_name(key->names, i));
		}
	case KEY_HASH:
		return g_strdup("{\"xor\":[7,9]}");
	case KEY_MAP:
		return g_strdup("{\"line_bits\":[1],\"pages\":[[0,1]],\"way_bits\":[],"
				"\"group_sms\":[8],\"group_partition\":[0],\"first_sms\":0,"
				"\"tpc_sms\":1,\"clusters\":1}");
	}
	g_assert_not_reached();
}

/* Flat memory leaves some keys without a choice, and so do the neutral times of the other. */
static const char *base_of(const Key *key)
{
	return strcmp(key->path, "global.model") == 0
		       ? "{}"
		       : "{\"global\": {\"model\": \"slices\"}, \"l2\": {\"slices\": 2}, "
			 "\"network\": {\"load_cycles\": 9, \"atomic_cycles\": 9}}";
}

static void test_every_key_can_be_set(void)
{
	for (guint i = 0; i < key_count(); i++) {
		g_autofree char *value = other_value(key_at(i));
		g_autofree char *setting = g_strdup_printf("%s=%s", key_at(i)->path, value);
		const char *const settings[] = {setting, NULL};
		g_autoptr(Config) config = load_text(base_of(key_at(i)), settings);
		g_autoptr(Config) defaults = load_text(base_of(key_at(i)), NULL);

		for (guint k = 0; k < key_count(); k++) {
			g_autofree char *effect = value_text(config_machine(config), key_at(k));
			g_autofree char *default_value =
				value_text(config_machine(defaults), key_at(k));

			g_assert_cmpstr(effect, ==, k == i ? value : default_value);
		}
	}
}

/* The same through a file, so that the table's paths are those of the JSON. */
static void test_every_key_comes_back_from_its_own_json(void)
{
	for (guint i = 0; i < key_count(); i++) {
		g_autofree char *value = other_value(key_at(i));
		g_autofree char *setting = g_strdup_printf("%s=%s", key_at(i)->path, value);
		const char *const settings[] = {setting, NULL};
		g_autoptr(Config) config = load_text(base_of(key_at(i)), settings);
		g_autofree char *json = config_to_json(config);
		g_autoptr(Config) again = load_text(json, NULL);
		g_autofree char *json_again = config_to_json(again);

		g_assert_cmpstr(json, ==, json_again);
		g_assert_nonnull(strstr(json, key_at(i)->type == KEY_HASH  ? "[7, 9]"
					      : key_at(i)->type == KEY_MAP ? "[[0, 1]]"
									   : value));
	}
}

static void test_later_settings_win(void)
{
	const char *const settings[] = {"atomic.locks=64", "atomic.locks=128", NULL};
	g_autoptr(Config) config = load_text("{\"atomic\": {\"locks\": 32}}", settings);

	g_assert_cmpuint(config_machine(config)->atomic.locks, ==, 128);
}

static void test_settings_take_words_texts_and_objects(void)
{
	const char *const settings[] = {"name=My GPU",
					"sm.scheduler=lrr",
					"atomic.lock_bits.winner=\"random\"",
					"sm={\"count\": 2, \"max_warps\": 1e1}",
					"atomic.lock_hash={\"xor\": [\"0xa\"]}",
					NULL};
	g_autoptr(Config) config = load_text("{}", settings);
	const Machine *machine = config_machine(config);

	g_assert_cmpstr(machine->name, ==, "My GPU");
	g_assert_cmpstr(machine->sm.scheduler->name, ==, "lrr");
	g_assert_cmpuint(lock_bits_of(machine)->winner, ==, WINNER_RANDOM);
	g_assert_cmpuint(machine->sm.count, ==, 2);
	g_assert_cmpuint(machine->sm.max_warps, ==, 10);
	g_assert_cmpstr(machine->atomic.lock_hash.name, ==, "xor");
	g_assert_cmpuint(machine->atomic.lock_hash.n_shifts, ==, 1);
	g_assert_cmpuint(machine->atomic.lock_hash.shifts[0], ==, 10);
}

static void test_matrices_take_numbers_and_hexadecimal_texts(void)
{
	g_autoptr(Config) config = load_text("{\"shared\": {\"banks\": 4, \"bank_hash\": "
					     "{\"matrix\": [4294967295, \"0xffffFFFE\"]}}}",
					     NULL);
	const HashSpec *spec = &config_machine(config)->shared.bank_hash;
	g_autofree char *json = config_to_json(config);

	g_assert_cmpstr(spec->name, ==, "matrix");
	g_assert_cmpuint(spec->n_rows, ==, 2);
	g_assert_cmphex(spec->rows[0], ==, 0xffffffff);
	g_assert_cmphex(spec->rows[1], ==, 0xfffffffe);
	g_assert_nonnull(strstr(json, "[4294967295, 4294967294]"));
}

static void test_config_with_leaves_the_original_alone(void)
{
	const char *const settings[] = {"name=B", "atomic.locks=64", NULL};
	g_autoptr(Config) a = load_text("{\"name\": \"A\"}", NULL);
	g_autoptr(GError) error = NULL;
	Config *b = config_with(a, settings, &error);
	g_autoptr(Config) c = config_with(b, NULL, &error);

	config_free(b);
	g_assert_no_error(error);
	g_assert_cmpstr(config_machine(a)->name, ==, "A");
	g_assert_cmpuint(config_machine(a)->atomic.locks, ==, 1024);
	g_assert_cmpstr(config_machine(c)->name, ==, "B");
	g_assert_cmpuint(config_machine(c)->atomic.locks, ==, 64);
}

/* Each may be freed before the next; the last does not keep all of them. */
static void test_a_config_may_be_changed_for_ever(void)
{
	const char *const settings[] = {"atomic.locks=64", NULL};
	g_autoptr(Config) config = load_text("{\"name\": \"A\"}", NULL);

	for (guint i = 0; i < 100; i++) {
		Config *next = config_with(config, settings, NULL);

		config_free(config);
		config = next;
	}
	g_assert_cmpstr(config_machine(config)->name, ==, "A");
	g_assert_cmpuint(config->texts->n_older, <, 10);
}

static void test_config_with_refuses_what_does_not_fit_the_file(void)
{
	const char *const settings[] = {"atomic.lock_bits.t_base_cycles=130", NULL};
	g_autoptr(Config) config = load_text("{\"name\": \"A\"}", NULL);
	g_autoptr(GError) error = NULL;

	g_assert_null(config_with(config, settings, &error));
	g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_CONFIG);
	g_assert_cmpstr(
		error->message, ==,
		"--set atomic.lock_bits.t_base_cycles=130: /atomic/lock_bits/t_base_cycles: "
		"atomic.lock_bits.t_position_cycles is 120, atomic.lock_bits.t_base_cycles is "
		"130; "
		"allowed: atomic.lock_bits.t_position_cycles of at least "
		"atomic.lock_bits.t_base_cycles");
}

static void test_assumptions_are_listed_with_their_values(void)
{
	const char *const settings[] = {"atomic.lock_bits.winner=rotate", NULL};
	g_autoptr(Config) config = load_text("{}", settings);
	g_auto(GStrv) lines = config_assumptions(config, UINT64_MAX);

	g_assert_true(g_strv_contains((const char *const *)lines,
				      "atomic.lock_bits.winner = rotate"));
	g_assert_true(
		g_strv_contains((const char *const *)lines, "atomic.lock_bits.lk_cycles = 28"));
	g_assert_cmpuint(g_strv_length(lines), >, 10);
}

static void test_remarks_are_allowed(void)
{
	g_autoptr(Config) config = load_text(
		"{\"$schema\": \"s.json\", \"description\": \"d\", "
		"\"provenance\": {\"a\": [1.5, null, true, {\"b\": \"\\ud83d\\ude00\"}]}, "
		"\"sm\": {\"description\": \"e\"}}\r\n\t ",
		NULL);

	g_assert_cmpuint(config_machine(config)->sm.count, ==, 16);
}

static void test_the_largest_number_is_kept_exactly(void)
{
	g_autoptr(Config) config =
		load_text("{\"sim\": {\"watchdog_cycles\": 1000000000000}}", NULL);
	g_autofree char *json = config_to_json(config);

	g_assert_cmpuint(config_machine(config)->sim.watchdog_cycles, ==, 1000000000000);
	g_assert_nonnull(strstr(json, "1000000000000"));
}

static void test_every_row_is_complete(void)
{
	for (guint i = 0; i < key_count(); i++) {
		const Key *key = key_at(i);

		g_assert_nonnull(key->default_value);
		g_assert_true(g_str_has_suffix(key->doc, "."));
		g_assert_nonnull(key->source);
		g_assert_false(g_str_has_suffix(key->source, "."));
		g_assert_true(key_find(key->path) == key);
		if (key->type == KEY_UINT32)
			g_assert_cmpuint(key->max, <=, UINT32_MAX);
		g_assert_true((key->type == KEY_CHOICE || key->type == KEY_PLUGIN) ==
			      (key->names != NULL));
		if (g_str_has_suffix(key->path, "_cycles"))
			g_assert_cmpstr(key->unit, ==, "cycles");
		if (g_str_has_suffix(key->path, "bytes"))
			g_assert_cmpstr(key->unit, ==, "bytes");
	}
}

/* {"sm": {"count": 3}} of sm.count and 3. g_free. */
static char *nested(const char *path, const char *value)
{
	g_auto(GStrv) names = g_strsplit(path, ".", -1);
	g_autoptr(GString) text = g_string_new(value);

	for (guint i = g_strv_length(names); i > 0; i--) {
		g_autofree char *inner = g_string_free(g_steal_pointer(&text), FALSE);

		text = g_string_new(NULL);
		g_string_printf(text, "{\"%s\": %s}", names[i - 1], inner);
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static void assert_former_name(const Key *key, const char *former)
{
	g_autofree char *value = other_value(key);
	g_autofree char *setting = g_strdup_printf("%s=%s", former, value);
	g_autofree char *json =
		key->type == KEY_CHOICE ? g_strdup_printf("\"%s\"", value) : g_strdup(value);
	g_autofree char *text = nested(former, json);
	const char *const settings[] = {setting, NULL};
	g_autoptr(Config) of_file = load_text(text, NULL);
	g_autoptr(Config) of_setting = load_text("{}", settings);
	g_autofree char *in_file = value_text(config_machine(of_file), key);
	g_autofree char *set = value_text(config_machine(of_setting), key);

	g_assert_cmpstr(in_file, ==, value);
	g_assert_cmpstr(set, ==, value);
}

static void test_a_key_is_taken_by_the_names_that_it_had(void)
{
	guint n_former = 0;

	for (guint i = 0; i < key_count(); i++) {
		const Key *key = key_at(i);
		g_auto(GStrv) former = g_strsplit(key->formerly ? key->formerly : "", " ", -1);

		for (guint j = 0; former[j]; j++, n_former++)
			assert_former_name(key, former[j]);
	}
	g_assert_cmpuint(n_former, >, 0);
}

static void test_a_value_is_taken_by_the_name_that_it_had(void)
{
	guint n_former = 0;

	for (guint i = 0; i < key_count(); i++) {
		const Key *key = key_at(i);

		for (guint j = 0; key->names && key->names->formerly && key_name(key->names, j);
		     j++, n_former++) {
			g_autofree char *setting =
				g_strdup_printf("%s=%s", key->path, key->names->formerly[j]);
			const char *const settings[] = {setting, NULL};
			g_autoptr(Config) config = load_text("{}", settings);
			g_autofree char *value = value_text(config_machine(config), key);

			g_assert_cmpstr(value, ==, key_name(key->names, j));
		}
	}
	g_assert_cmpuint(n_former, >, 0);
}

static void test_the_schema_is_json_and_has_every_key(void)
{
	g_autofree char *text = shape_schema(&config_shape);
	cJSON *schema = cJSON_Parse(text);

	g_assert_nonnull(schema);
	for (guint i = 0; i < key_count(); i++) {
		g_auto(GStrv) names = g_strsplit(key_at(i)->path, ".", -1);
		const cJSON *at = schema;

		for (guint n = 0; names[n]; n++) {
			at = cJSON_GetObjectItemCaseSensitive(at, "properties");
			at = cJSON_GetObjectItemCaseSensitive(at, names[n]);
		}
		g_assert_nonnull(at);
		g_assert_true(cJSON_HasObjectItem(at, "default"));
		g_assert_true(cJSON_HasObjectItem(at, "description"));
	}
	cJSON_Delete(schema);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/config/defaults-equal-fermi-json", test_defaults_equal_fermi_json);
	g_test_add_func("/config/fermi-has-the-figures-of-the-paper",
			test_fermi_has_the_figures_of_the_paper);
	g_test_add_func("/config/every-key-can-be-set", test_every_key_can_be_set);
	g_test_add_func("/config/every-key-comes-back-from-its-own-json",
			test_every_key_comes_back_from_its_own_json);
	g_test_add_func("/config/later-settings-win", test_later_settings_win);
	g_test_add_func("/config/settings-take-words-texts-and-objects",
			test_settings_take_words_texts_and_objects);
	g_test_add_func("/config/matrices-take-numbers-and-hexadecimal-texts",
			test_matrices_take_numbers_and_hexadecimal_texts);
	g_test_add_func("/config/config-with-leaves-the-original-alone",
			test_config_with_leaves_the_original_alone);
	g_test_add_func("/config/a-config-may-be-changed-for-ever",
			test_a_config_may_be_changed_for_ever);
	g_test_add_func("/config/config-with-refuses-what-does-not-fit-the-file",
			test_config_with_refuses_what_does_not_fit_the_file);
	g_test_add_func("/config/assumptions-are-listed-with-their-values",
			test_assumptions_are_listed_with_their_values);
	g_test_add_func("/config/remarks-are-allowed", test_remarks_are_allowed);
	g_test_add_func("/config/the-largest-number-is-kept-exactly",
			test_the_largest_number_is_kept_exactly);
	g_test_add_func("/config/every-row-is-complete", test_every_row_is_complete);
	g_test_add_func("/config/a-key-is-taken-by-the-names-that-it-had",
			test_a_key_is_taken_by_the_names_that_it_had);
	g_test_add_func("/config/a-value-is-taken-by-the-name-that-it-had",
			test_a_value_is_taken_by_the_name_that_it_had);
	g_test_add_func("/config/the-schema-is-json-and-has-every-key",
			test_the_schema_is_json_and_has_every_key);
	return g_test_run();
}
