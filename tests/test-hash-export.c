/* SPDX-License-Identifier: MIT */
/* Exported hashes are the hash: the C is compiled and run, the Verilog and the JSON read back. */
#include <glib/gstdio.h>
#include <string.h>

#include "config/config.h"
#include "report/hash.h"

#define N_INPUTS 14

static const struct {
	const char *hash;
	uint32_t size;
} cases[] = {
	{"mod", 32},
	{"mod", 1000},
	{"mod", 1},
	{"xor", 32},
	{"ipoly", 1024},
	{"{\"xor\": [3, 7]}", 64},
	{"{\"matrix\": [\"0x1f3\", 5, 0, 12289]}", 16},
};

static HashDesign design_of(guint i, HashSpec *spec)
{
	HashDesign design = {.name = cases[i].hash, .entry = "lock", .n_inputs = N_INPUTS};

	g_assert_true(config_parse_hash("test", FALSE, cases[i].hash, strlen(cases[i].hash),
					spec, NULL));
	hash_build(spec, cases[i].size, &design.hash);
	return design;
}

static char *export_as(const char *language, guint i, Hash *hash)
{
	HashSpec spec;
	HashDesign design = design_of(i, &spec);

	*hash = design.hash;
	for (const HashExport *export = hash_exports; export->name; export ++) {
		if (strcmp(export->name, language) == 0)
			return export->write(&design);
	}
	g_assert_not_reached();
}

static gboolean spawn(const char *const *argv, char **output)
{
	int status = 0;

	return g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, output,
			    NULL, &status, NULL) &&
	       g_spawn_check_wait_status(status, NULL);
}

/* One program of all cases: each its own function, every word's image printed. */
static void test_exported_c_compiles_and_agrees_with_the_hash(void)
{
	static const char main_text[] =
		"#include <stdio.h>\nint main(void)\n{\nfor (uint32_t w = 0; w < 16384; w++)\n";
	g_autofree char *folder = g_dir_make_tmp("atomsim-export-XXXXXX", NULL);
	g_autofree char *source = g_build_filename(folder, "all.c", NULL);
	g_autofree char *program = g_build_filename(folder, "all", NULL);
	g_autofree char *compiler = g_find_program_in_path("cc");
	const char *compile[] = {"cc",	"-std=c99", "-Wall", "-Wextra", "-Werror",
				 "-O0", "-o",	    program, source,	NULL};
	const char *run[] = {program, NULL};
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *output = NULL;
	char *image = NULL;
	Hash hashes[G_N_ELEMENTS(cases)];

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *c = export_as("c", i, &hashes[i]);
		g_autofree char *name = g_strdup_printf("lock%u_of", i);
		g_autoptr(GString) renamed = g_string_new(c);

		g_string_replace(renamed, "lock_of", name, 0);
		g_string_append(text, renamed->str);
	}
	g_string_append(text, main_text);
	g_string_append(text, "{");
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
		g_string_append_printf(text, "printf(\"%%u \", lock%u_of(w));\n", i);
	g_string_append(text, "}\nreturn 0;\n}\n");
	g_assert_true(g_file_set_contents(source, text->str, -1, NULL));
	if (!compiler) {
		g_test_skip("no cc");
	} else {
		g_assert_true(spawn(compile, NULL));
		g_assert_true(spawn(run, &output));
		image = output;
		for (uint32_t word = 0; word < 1u << N_INPUTS; word++) {
			for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
				g_assert_cmpuint(g_ascii_strtoull(image, &image, 10), ==,
						 hash_apply(&hashes[i], word));
		}
	}
	g_remove(program);
	g_remove(source);
	g_rmdir(folder);
}

/* The value of "word[3] ^ word[5]" or of "word % 1000". */
static uint32_t evaluate(const char *terms, uint32_t word)
{
	uint32_t value = 0;

	if (g_str_has_prefix(terms, "word % "))
		return word % (uint32_t)g_ascii_strtoull(terms + strlen("word % "), NULL, 10);
	while ((terms = strchr(terms, '[')))
		value ^= word >> g_ascii_strtoull(++terms, NULL, 10) & 1;
	return value;
}

static void test_exported_verilog_says_what_the_hash_does(void)
{
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		Hash hash;
		g_autofree char *verilog = export_as("verilog", i, &hash);
		g_auto(GStrv) lines = g_strsplit(verilog, "\n", -1);

		for (uint32_t word = 0; word < 1u << N_INPUTS; word += 37) {
			uint32_t image = 0;

			for (guint k = 0; lines[k]; k++) {
				const char *terms = strstr(lines[k], " = ");
				const char *bit = strchr(lines[k], '[');

				if (!g_str_has_prefix(lines[k], "  assign "))
					continue;
				g_assert_nonnull(terms);
				image |= evaluate(terms + 3, word)
					 << (bit && bit < terms
						     ? g_ascii_strtoull(bit + 1, NULL, 10)
						     : 0);
			}
			g_assert_cmpuint(image, ==, hash_apply(&hash, word));
		}
	}
}

static void test_exported_json_is_the_same_hash_to_a_config(void)
{
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		Hash hash, again;
		HashSpec spec;
		g_autofree char *json = export_as("json", i, &hash);

		g_assert_true(
			config_parse_hash("file.json", TRUE, json, strlen(json), &spec, NULL));
		hash_build(&spec, cases[i].size, &again);
		for (uint32_t word = 0; word < 1u << N_INPUTS; word++)
			g_assert_cmpuint(hash_apply(&again, word), ==, hash_apply(&hash, word));
	}
}

/* Entry and row give back which word it was. */
static gboolean is_bijection(const Hash *hash)
{
	uint32_t n_words = hash->size * (16384 / hash->size);
	g_autofree guint8 *seen = g_malloc0(n_words);

	for (uint32_t word = 0; word < n_words; word++) {
		uint32_t place = word / hash->size * hash->size + hash_apply(hash, word);

		if (seen[place]++)
			return FALSE;
	}
	return TRUE;
}

static void test_facts_agree_with_counting(void)
{
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GHashTable) used = g_hash_table_new(NULL, NULL);
		HashSpec spec;
		HashDesign design = design_of(i, &spec);
		HashFacts facts;

		hash_facts(&design, &facts);
		g_assert_cmpint(facts.bijection, ==, is_bijection(&design.hash));
		for (uint32_t word = 0; word < 1u << N_INPUTS; word++)
			g_hash_table_add(used,
					 GUINT_TO_POINTER(hash_apply(&design.hash, word)));
		if (facts.linear)
			g_assert_cmpuint(g_hash_table_size(used), ==, 1u << facts.rank);
		g_assert_cmpint(facts.singular, ==, g_hash_table_size(used) < design.hash.size);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/hash-export/c-compiles-and-agrees-with-the-hash",
			test_exported_c_compiles_and_agrees_with_the_hash);
	g_test_add_func("/hash-export/verilog-says-what-the-hash-does",
			test_exported_verilog_says_what_the_hash_does);
	g_test_add_func("/hash-export/json-is-the-same-hash-to-a-config",
			test_exported_json_is_the_same_hash_to_a_config);
	g_test_add_func("/hash-export/facts-agree-with-counting",
			test_facts_agree_with_counting);
	return g_test_run();
}
