/* SPDX-License-Identifier: MIT */
/* What a hash is: equations over the bits of a word's index, and what follows from them. */
#include "report/hash.h"

#include "base/text.h"
#include "model/shared/gf2.h"
#include "report/format.h"

/* Gates one after the other in a balanced tree of n inputs. */
static uint32_t tree_depth(uint32_t n)
{
	uint32_t depth = 0;

	while (n > UINT32_C(1) << depth)
		depth++;
	return depth;
}

void hash_facts(const HashDesign *design, HashFacts *facts)
{
	uint32_t rows[HASH_MAX_BITS], low[HASH_MAX_BITS];
	uint32_t n = hash_rows(&design->hash, rows);

	*facts = (HashFacts){.linear = n != UINT32_MAX};
	/* word % size and word / size give the word back, whatever the size. */
	facts->bijection = !facts->linear;
	if (!facts->linear)
		return;
	facts->n_outputs = n;
	facts->singular = gf2_rank(rows, n) < n;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = rows[i] & gf2_mask(design->n_inputs);
		uint32_t n_inputs = (uint32_t)__builtin_popcount(row);

		facts->rows[i] = row;
		low[i] = rows[i] & gf2_mask(n);
		facts->max_inputs = MAX(facts->max_inputs, n_inputs);
	}
	facts->n_gates = hash_gates(&design->hash, design->n_inputs);
	facts->depth = tree_depth(facts->max_inputs);
	facts->rank = gf2_rank(facts->rows, n);
	/* The row of a word is its bits above the lowest n; given these, the entry must give the
	   lowest n back. */
	facts->low_rank = gf2_rank(low, n);
	facts->bijection = facts->low_rank == n;
}

/* --- Text --- */

#define WIDTH  80
#define INDENT 4 /* of a line that goes on */

static void append_equation(GString *text, const char *entry, uint32_t output, uint32_t row)
{
	g_autoptr(GString) terms = g_string_new(row ? NULL : " = 0");
	const char *before = " = ";

	for (uint32_t bit = 0; bit < GF2_MAX_BITS; bit++) {
		if (!(row >> bit & 1))
			continue;
		g_string_append_printf(terms, "%sw%u", before, bit);
		before = " ^ ";
	}
	g_string_append_printf(text, "  %s[%u]", entry, output);
	text_wrap(text, terms->str, INDENT, WIDTH);
	g_string_append_c(text, '\n');
}

static void append_bijection(GString *text, const HashDesign *design, const HashFacts *facts)
{
	g_string_append_printf(text, "  Word <-> (%s, row): ", design->entry);
	if (facts->bijection)
		g_string_append_printf(text, "a bijection; the row is word / %u\n",
				       design->hash.size);
	else
		g_string_append_printf(
			text, "no bijection; the words of a row fall on %u of %u %ss\n",
			1u << facts->low_rank, design->hash.size, design->entry);
}

static void append_null_space(GString *text, const HashDesign *design, const HashFacts *facts)
{
	uint32_t basis[GF2_MAX_BITS];
	uint32_t n = gf2_null_space(facts->rows, facts->n_outputs, design->n_inputs, basis);
	g_autoptr(GString) words = g_string_new(NULL);

	if (n == 0) {
		g_string_append_printf(text, "  No two words share a %s\n", design->entry);
		return;
	}
	g_string_append_printf(text,
			       "  Words share a %s if their indexes' XOR is one of these "
			       "or an XOR of them:\n   ",
			       design->entry);
	for (uint32_t i = 0; i < n; i++)
		g_string_append_printf(words, " 0x%x", basis[i]);
	text_wrap(text, words->str, INDENT, WIDTH);
	g_string_append_c(text, '\n');
}

char *hash_text(const HashDesign *design)
{
	GString *text = g_string_new(NULL);
	g_autofree char *name = format_name(design->name, 60);
	HashFacts facts;

	hash_facts(design, &facts);
	g_string_append_printf(text, "%s: %u %ss, of the %u bits of a word's index\n", name,
			       design->hash.size, design->entry, design->n_inputs);
	if (!facts.linear) {
		g_string_append_printf(text, "  %s = word %% %u: a division, no XORs\n",
				       design->entry, design->hash.size);
		append_bijection(text, design, &facts);
		return g_string_free(text, FALSE);
	}
	for (uint32_t i = 0; i < facts.n_outputs; i++)
		append_equation(text, design->entry, i, facts.rows[i]);
	g_string_append_printf(text,
			       "  Cost: at most %u inputs an output; %u XOR gates of two "
			       "inputs, %u deep\n",
			       facts.max_inputs, facts.n_gates, facts.depth);
	append_bijection(text, design, &facts);
	if (facts.rank < facts.n_outputs)
		g_string_append_printf(text, "  Rank %u of %u: %u of %u %ss are used\n",
				       facts.rank, facts.n_outputs, 1u << facts.rank,
				       design->hash.size, design->entry);
	append_null_space(text, design, &facts);
	return g_string_free(text, FALSE);
}

/* --- JSON --- */

static void add_bits(cJSON *list, uint32_t row)
{
	cJSON *bits = cJSON_CreateArray();

	for (uint32_t bit = 0; bit < GF2_MAX_BITS; bit++)
		if (row >> bit & 1)
			cJSON_AddItemToArray(bits, cJSON_CreateNumber(bit));
	cJSON_AddItemToArray(list, bits);
}

/* clang-format off */
static const ShapeRow shape_rows[] = {
	{.path = "name", .type = "string", .doc = "of the hash"},
	{.path = "entry", .type = "string", .doc = "what it chooses: bank or lock"},
	{.path = "size", .type = "count", .doc = "banks or locks"},
	{.path = "inputs", .type = "count", .doc = "bits of a word's index"},
	{.path = "linear", .type = "boolean", .doc = "over GF(2)"},
	{.path = "bijection", .type = "boolean", .doc = "between words and pairs of entry and row"},
	{.path = "equations?", .type = "[[count]]", .doc = "bits of the index of which each output is the XOR; this and what follows of linear ones"},
	{.path = "max_inputs?", .type = "count", .doc = "of an output"},
	{.path = "xor_gates?", .type = "count", .doc = "of two inputs"},
	{.path = "depth?", .type = "count", .doc = "in gates"},
	{.path = "rank?", .type = "count", .doc = "of the matrix"},
	{.path = "null_space?", .type = "[count]", .doc = "words whose indexes differ by one of these, or an XOR of them, share an entry"},
};
/* clang-format on */

const Shape hash_shape = {
	.name = "hash",
	.version = 1,
	.title = "What atomsim list --hash --format json says",
	.rows = shape_rows,
	.n_rows = G_N_ELEMENTS(shape_rows),
};

cJSON *hash_object(const HashDesign *design)
{
	cJSON *object = shape_object(&hash_shape);
	cJSON *list = NULL;
	HashFacts facts;
	uint32_t basis[GF2_MAX_BITS], n_basis;

	hash_facts(design, &facts);
	cJSON_AddStringToObject(object, "name", design->name);
	cJSON_AddStringToObject(object, "entry", design->entry);
	cJSON_AddNumberToObject(object, "size", design->hash.size);
	cJSON_AddNumberToObject(object, "inputs", design->n_inputs);
	cJSON_AddBoolToObject(object, "linear", facts.linear);
	cJSON_AddBoolToObject(object, "bijection", facts.bijection);
	if (!facts.linear)
		return object;
	list = cJSON_AddArrayToObject(object, "equations");
	for (uint32_t i = 0; i < facts.n_outputs; i++)
		add_bits(list, facts.rows[i]);
	cJSON_AddNumberToObject(object, "max_inputs", facts.max_inputs);
	cJSON_AddNumberToObject(object, "xor_gates", facts.n_gates);
	cJSON_AddNumberToObject(object, "depth", facts.depth);
	cJSON_AddNumberToObject(object, "rank", facts.rank);
	n_basis = gf2_null_space(facts.rows, facts.n_outputs, design->n_inputs, basis);
	list = cJSON_AddArrayToObject(object, "null_space");
	for (uint32_t i = 0; i < n_basis; i++)
		cJSON_AddItemToArray(list, cJSON_CreateNumber(basis[i]));
	return object;
}
