/* SPDX-License-Identifier: MIT */
#include "gpu/sass/sass.h"

#include <string.h>

void sass_function_free(SassFunction *function)
{
	g_array_unref(function->instructions);
	g_array_unref(function->loops);
	g_array_unref(function->targets);
	g_array_unref(function->entries);
	g_ptr_array_unref(function->parts);
	g_hash_table_unref(function->paths);
	g_free(function);
}

Sass *sass_new(void)
{
	Sass *sass = g_new0(Sass, 1);

	sass->strings = g_string_chunk_new(4096);
	sass->functions = g_ptr_array_new_with_free_func((GDestroyNotify)sass_function_free);
	sass->tables = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					     (GDestroyNotify)g_byte_array_unref);
	return sass;
}

SassFunction *sass_function_make(const char *name)
{
	SassFunction *function = g_new0(SassFunction, 1);

	function->name = name;
	function->instructions = g_array_new(FALSE, TRUE, sizeof(SassInstruction));
	function->loops = g_array_new(FALSE, TRUE, sizeof(SassLoop));
	function->targets = g_array_new(FALSE, TRUE, sizeof(int));
	function->entries = g_array_new(FALSE, TRUE, sizeof(int));
	function->parts = g_ptr_array_new_with_free_func(g_free);
	function->paths = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	return function;
}

SassFunction *sass_function_new(Sass *sass, const char *name)
{
	SassFunction *function = sass_function_make(g_string_chunk_insert(sass->strings, name));

	function->marked = sass->marked;
	g_ptr_array_add(sass->functions, function);
	return function;
}

void sass_free(Sass *sass)
{
	g_ptr_array_unref(sass->functions);
	g_hash_table_unref(sass->tables);
	g_string_chunk_free(sass->strings);
	g_free(sass);
}

SassFunction *sass_function(const Sass *sass, const char *name)
{
	return sass_nth_function(sass, name, 0);
}

SassFunction *sass_nth_function(const Sass *sass, const char *name, guint n)
{
	for (guint i = 0; i < sass->functions->len; i++) {
		SassFunction *function = g_ptr_array_index(sass->functions, i);

		if (strcmp(function->name, name) == 0 && n-- == 0)
			return function;
	}
	return NULL;
}

char *sass_label(const char *operands)
{
	const char *label = strstr(operands, "`(");

	return label ? g_strndup(label + 2, strcspn(label + 2, ")")) : NULL;
}

int sass_find(const SassFunction *function, uint64_t offset)
{
	int low = 0, high = (int)function->instructions->len;
	const uint64_t nth = offset / SASS_INSTRUCTION_BYTES;

	/* Where the text has them all, the offset says which it is. */
	if (nth < (uint64_t)high && sass_instruction(function, (int)nth)->offset == offset)
		return (int)nth;
	while (low < high) {
		int middle = low + (high - low) / 2;

		if (sass_instruction(function, middle)->offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < (int)function->instructions->len &&
	    sass_instruction(function, low)->offset == offset)
		return low;
	return -1;
}
