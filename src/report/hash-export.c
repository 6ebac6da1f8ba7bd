/* SPDX-License-Identifier: MIT */
/*
 * A hash as a function in another language. C and Verilog hold the equations for the input bits that
 * exist, so they agree with the simulator for words below 2^n_inputs; JSON is the value of a
 * config's key, whole.
 */
#include "report/hash.h"

/* Appends the row's terms, joined by ^; `none` for a row without any. */
static void append_terms(GString *text, uint32_t row, const char *before, const char *after,
			 const char *none)
{
	const char *operator= "";

	if (!row)
		g_string_append(text, none);
	for (uint32_t bit = 0; bit < 32; bit++) {
		if (!(row >> bit & 1))
			continue;
		g_string_append_printf(text, "%s%s%u%s", operator, before, bit, after);
		operator= " ^ ";
	}
}

/* What a comment may hold of a name that came from the command line. */
static char *comment_name(const HashDesign *design)
{
	return g_strcanon(g_strdup(design->name),
			  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			  "_-.,:{}[]\" ",
			  '_');
}

static char *write_c(const HashDesign *design)
{
	GString *text = g_string_new(NULL);
	g_autofree char *name = comment_name(design);
	HashFacts facts;

	hash_facts(design, &facts);
	g_string_append_printf(text,
			       "/* %s: the %s, of %u, of a word's index. The %u lowest bits of "
			       "the index count. */\n"
			       "#include <stdint.h>\n\n"
			       "uint32_t %s_of(uint32_t word);\n\n"
			       "uint32_t %s_of(uint32_t word)\n{\n",
			       name, design->entry, design->hash.size, design->n_inputs,
			       design->entry, design->entry);
	if (!facts.linear) {
		g_string_append_printf(text, "\treturn word %% %uu;\n}\n", design->hash.size);
		return g_string_free(text, FALSE);
	}
	if (facts.n_outputs == 0)
		g_string_append(text, "\t(void)word;\n");
	g_string_append_printf(text, "\tuint32_t %s = 0;\n\n", design->entry);
	for (uint32_t i = 0; i < facts.n_outputs; i++) {
		g_string_append_printf(text, "\t%s |= ((", design->entry);
		append_terms(text, facts.rows[i], "word >> ", "", "0");
		g_string_append_printf(text, ") & 1u) << %u;\n", i);
	}
	g_string_append_printf(text, "\treturn %s;\n}\n", design->entry);
	return g_string_free(text, FALSE);
}

static uint32_t bits_of(uint32_t size)
{
	uint32_t bits = 1;

	while (UINT64_C(1) << bits < size)
		bits++;
	return bits;
}

static char *write_verilog(const HashDesign *design)
{
	GString *text = g_string_new(NULL);
	g_autofree char *name = comment_name(design);
	HashFacts facts;

	hash_facts(design, &facts);
	g_string_append_printf(text,
			       "// %s: the %s, of %u, of a word's index\n"
			       "module %s_of (\n"
			       "  input  wire [%u:0] word,\n"
			       "  output wire [%u:0] %s\n"
			       ");\n",
			       name, design->entry, design->hash.size, design->entry,
			       design->n_inputs - 1, bits_of(design->hash.size) - 1,
			       design->entry);
	if (!facts.linear)
		g_string_append_printf(text, "  assign %s = word %% %u;\n", design->entry,
				       design->hash.size);
	else if (facts.n_outputs == 0)
		g_string_append_printf(text, "  assign %s = 1'b0;\n", design->entry);
	for (uint32_t i = 0; i < facts.n_outputs; i++) {
		g_string_append_printf(text, "  assign %s[%u] = ", design->entry, i);
		append_terms(text, facts.rows[i], "word[", "]", "1'b0");
		g_string_append(text, ";\n");
	}
	g_string_append(text, "endmodule\n");
	return g_string_free(text, FALSE);
}

/* A linear hash as its matrix, so that the file means the same without atomsim's names. */
static char *write_json(const HashDesign *design)
{
	uint32_t rows[HASH_MAX_BITS];
	uint32_t n = hash_rows(&design->hash, rows);
	GString *text = g_string_new(NULL);

	/* A config knows no matrix without rows. */
	if (n == UINT32_MAX || n == 0)
		return g_string_free(g_string_append(text, "\"mod\"\n"), FALSE);
	g_string_append(text, "{\"matrix\": [");
	for (uint32_t i = 0; i < n; i++)
		g_string_append_printf(text, "%s\"0x%08x\"", i ? ", " : "", rows[i]);
	return g_string_free(g_string_append(text, "]}\n"), FALSE);
}

const HashExport hash_exports[] = {
	{"c", write_c},
	{"verilog", write_verilog},
	{"json", write_json},
	{NULL, NULL},
};
