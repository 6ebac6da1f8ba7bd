/* SPDX-License-Identifier: MIT */
#include "report/cost.h"

#include <glib.h>

#include "report/format.h"

uint64_t cost_bits(const Machine *machine)
{
	const CostMachine hardware = machine_hardware(machine);

	return cost_total(&hardware);
}

/* The numbers of a row, in the order of its columns. */
#define N_NUMBERS 7
static const char *const columns[N_NUMBERS] = {"units", "entries", "bits",     "tag_bits",
					       "ports", "gates",   "cost_bits"};

static void numbers_of(const CostLine *line, uint64_t numbers[N_NUMBERS])
{
	const CostPart *part = &line->part;
	const uint64_t all[N_NUMBERS] = {part->units, part->entries, part->bits, part->tag_bits,
					 part->ports, part->gates,   line->bits};

	for (guint i = 0; i < N_NUMBERS; i++)
		numbers[i] = all[i];
}

char *cost_text(const Machine *machine)
{
	const CostMachine hardware = machine_hardware(machine);
	CostLine lines[COST_MAX_LINES];
	const uint32_t n = cost_lines(&hardware, lines);
	g_autofree char *name = format_name(machine->name, 60);
	g_autofree char *sum = format_count(cost_total(&hardware));
	GString *text = g_string_new(NULL);

	g_string_append_printf(text, "%s: what its atomics cost in hardware\n", name);
	g_string_append_printf(text, "  %-16s %7s %9s %9s %9s %5s %9s %14s\n", "", "units",
			       "entries", "bits", "tag bits", "ports", "gates", "cost, bits");
	for (uint32_t i = 0; i < n; i++) {
		uint64_t numbers[N_NUMBERS];

		numbers_of(&lines[i], numbers);
		g_string_append_printf(text, "  %-16s", lines[i].row->name);
		for (guint k = 0; k < N_NUMBERS; k++) {
			static const int widths[N_NUMBERS] = {7, 9, 9, 9, 5, 9, 14};
			g_autofree char *number = format_count(numbers[k]);

			g_string_append_printf(text, " %*s", widths[k], number);
		}
		g_string_append_c(text, '\n');
	}
	g_string_append_printf(text, "  %-16s %69s\n", "all", sum);
	for (uint32_t i = 0; i < n; i++)
		g_string_append_printf(text, "%s%s: %s\n", i == 0 ? "\n" : "",
				       lines[i].row->name, lines[i].row->doc);
	return g_string_free(text, FALSE);
}

/* clang-format off */
static const ShapeRow shape_rows[] = {
	{.path = "name", .type = "string", .doc = "of the config"},
	{.path = "cost_bits", .type = "count", .doc = "of all parts, in bits"},
	{.path = "rows", .type = "[object]", .doc = "the parts"},
	{.path = "rows[].part", .type = "string", .doc = "its name"},
	{.path = "rows[].units", .type = "count", .doc = "that the machine has"},
	{.path = "rows[].entries", .type = "count", .doc = "of a unit"},
	{.path = "rows[].bits", .type = "count", .doc = "of an entry"},
	{.path = "rows[].tag_bits", .type = "count", .doc = "of an entry, that are compared"},
	{.path = "rows[].ports", .type = "count", .doc = "of a unit"},
	{.path = "rows[].gates", .type = "count", .doc = "of a unit"},
	{.path = "rows[].cost_bits", .type = "count", .doc = "of all units, by the weights of the config"},
	{.path = "rows[].doc", .type = "string", .doc = "what is counted"},
};
/* clang-format on */

const Shape cost_shape = {
	.name = "cost",
	.version = 1,
	.title = "What atomsim config --cost --format json says",
	.rows = shape_rows,
	.n_rows = G_N_ELEMENTS(shape_rows),
};

cJSON *cost_object(const Machine *machine)
{
	const CostMachine hardware = machine_hardware(machine);
	CostLine lines[COST_MAX_LINES];
	const uint32_t n = cost_lines(&hardware, lines);
	cJSON *object = shape_object(&cost_shape), *rows;

	cJSON_AddStringToObject(object, "name", machine->name);
	cJSON_AddNumberToObject(object, "cost_bits", (double)cost_total(&hardware));
	rows = cJSON_AddArrayToObject(object, "rows");
	for (uint32_t i = 0; i < n; i++) {
		cJSON *row = cJSON_CreateObject();
		uint64_t numbers[N_NUMBERS];

		numbers_of(&lines[i], numbers);
		cJSON_AddStringToObject(row, "part", lines[i].row->name);
		for (guint k = 0; k < N_NUMBERS; k++)
			cJSON_AddNumberToObject(row, columns[k], (double)numbers[k]);
		cJSON_AddStringToObject(row, "doc", lines[i].row->doc);
		cJSON_AddItemToArray(rows, row);
	}
	return object;
}
