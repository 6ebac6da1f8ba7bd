/* SPDX-License-Identifier: MIT */
#include "sim/sm/code-table.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

/* Operations without a number of their instruction count from here on. */
#define NO_NUMBER DATAFLOW_MAX_INSTRUCTIONS

/* Of code whose caches are simulated: 8 MiB, for what a trace names must not decide how much memory an SM takes. */
#define MAX_LINES (1u << 16)

static int compare(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* The keys in ascending order, each once; *n: how many. */
static uint32_t *sort_keys(const uint32_t *keys, uint32_t n_keys, uint32_t *n)
{
	uint32_t *sorted = g_new(uint32_t, MAX(n_keys, 1));

	memcpy(sorted, keys, n_keys * sizeof *keys);
	qsort(sorted, n_keys, sizeof *sorted, compare);
	*n = 0;
	for (uint32_t i = 0; i < n_keys; i++)
		if (*n == 0 || sorted[*n - 1] != sorted[i])
			sorted[(*n)++] = sorted[i];
	return sorted;
}

/* Branches that their gap goes on behind: what ends in one goes back to what was run, as loops do. */
static void number_jumps(CodeTable *table, const Dataflow *dataflow, IssueOperation *operation)
{
	for (uint32_t g = 0; g < dataflow->n_gaps; g++)
		for (uint32_t i = 0; i < dataflow->gaps[g].n_operations; i++, operation++)
			if (code_is_taken(operation->class) &&
			    i + 1 < dataflow->gaps[g].n_operations &&
			    dataflow->gaps[g].operations[i].instruction == 0)
				operation->jump = ++table->n_jumps;
}

/* The lines of the instructions, of which those before `own` have a number. Returns the number of each's line, from 1. */
static uint32_t *number_lines(CodeTable *table, const uint32_t *instructions)
{
	uint32_t *line_of = g_new0(uint32_t, MAX(table->n_code, 1));

	table->places = g_new(uint32_t, MAX(table->n_code, 1));
	for (uint32_t i = 0; i < table->n_code && instructions[i] < NO_NUMBER; i++) {
		const uint32_t place = instructions[i] / CODE_LINE_INSTRUCTIONS;

		if (table->n_lines == 0 || table->places[table->n_lines - 1] != place)
			table->places[table->n_lines++] = place;
		line_of[i] = table->n_lines;
	}
	if (table->n_lines > MAX_LINES) {
		memset(line_of, 0, table->n_code * sizeof *line_of);
		table->n_lines = 0;
	}
	return line_of;
}

void code_table_init(CodeTable *table, const Dataflow *dataflow, IssueOperation *operations,
		     uint32_t n_operations)
{
	const CodeOperation *code = n_operations > 0 ? dataflow->gaps[0].operations : NULL;
	g_autofree uint32_t *keys = g_new(uint32_t, MAX(n_operations, 1));
	g_autofree uint32_t *instructions = NULL;
	uint32_t own = NO_NUMBER;

	*table = (CodeTable){0};
	for (uint32_t i = 0; i < n_operations; i++)
		keys[i] = code[i].instruction > 0 ? code[i].instruction - 1 : own++;
	instructions = sort_keys(keys, n_operations, &table->n_code);
	table->line_of = number_lines(table, instructions);
	for (uint32_t i = 0; i < n_operations; i++) {
		const uint32_t *found =
			bsearch(&keys[i], instructions, table->n_code, sizeof *keys, compare);

		operations[i].code = (uint32_t)(found - instructions);
		operations[i].code_line = table->line_of[operations[i].code];
	}
	number_jumps(table, dataflow, operations);
}

void code_table_clear(CodeTable *table)
{
	g_clear_pointer(&table->places, g_free);
	g_clear_pointer(&table->line_of, g_free);
}
