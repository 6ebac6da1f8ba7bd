/* SPDX-License-Identifier: MIT */
/* A closed form as text, JSON and CSV. */
#include <stdio.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "base/json.h"
#include "base/names.h"
#include "cli/model/model.h"
#include "cli/option.h"
#include "cli/schemas.h"

static bool is_active(const ModelPattern *pattern, guint lane)
{
	return pattern->lanes.mask >> lane & 1;
}

/* The closed form knows the active lanes alone, by rank: bit 0 is the lowest of them. */
static uint32_t lanes_of_ranks(const ModelPattern *pattern, LaneMask ranks)
{
	uint32_t lanes = 0;

	for (guint lane = 0, rank = 0; lane < pattern->n_written; lane++)
		if (is_active(pattern, lane))
			lanes |= (uint32_t)(ranks >> rank++ & 1) << lane;
	return lanes;
}

/* "0,2-31": the lanes of a mask. */
static char *lanes_to_text(uint32_t lanes)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint first = 0; first < 32; first++) {
		guint last = first;

		if (!(lanes >> first & 1))
			continue;
		while (last < 31 && lanes >> (last + 1) & 1)
			last++;
		g_string_append_printf(text, "%s%u", text->len ? "," : "", first);
		if (last > first)
			g_string_append_printf(text, "-%u", last);
		first = last;
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static const char *plural(guint64 n)
{
	return n == 1 ? "" : "s";
}

static void print_text(const ModelJob *job, const ModelPattern *pattern)
{
	g_autofree char *words = cli_atomic_words(job->operation, job->type, job->result);
	const ClosedForm *result = &pattern->result;
	const Machine *machine = job->machine;
	uint64_t sum = 0;

	printf("%s, %u lane%s on %s, by %s: %" G_GUINT64_FORMAT " cycle%s\n", words,
	       pattern->lanes.n_words, plural(pattern->lanes.n_words), job->machine->name,
	       job->mechanism->has_locks ? "Algorithm 1" : job->mechanism->name, result->cycles,
	       plural(result->cycles));
	printf("  %" G_GUINT64_FORMAT " base + %" G_GUINT64_FORMAT
	       " lock conflicts + %" G_GUINT64_FORMAT " bank conflicts; ",
	       result->base_cycles, result->lock_cycles, result->bank_cycles);
	if (job->mechanism->has_locks && atomic_cam_entries(&machine->atomic) > 0)
		printf("CAM of %u locks, ", atomic_cam_entries(&machine->atomic));
	else if (job->mechanism->has_locks)
		printf("%u lock%s, ", machine->atomic.locks, plural(machine->atomic.locks));
	printf("%u bank%s\n\n", machine->shared.banks, plural(machine->shared.banks));
	printf("round  tried  winners  read_degree  write_degree  base_cycles  bank_cycles    "
	       "sum  "
	       "winning lanes\n");
	for (uint32_t i = 0; i < result->n_rounds; i++) {
		const ClosedFormRound *round = &result->rounds[i];
		g_autofree char *winners =
			lanes_to_text(lanes_of_ranks(pattern, round->winners));

		sum += round->base_cycles + round->bank_cycles;
		printf("%5u  %5d  %7d  %11u  %12u  %11u  %11u  %5" G_GUINT64_FORMAT "  %s\n",
		       i + 1, __builtin_popcountll(round->tried),
		       __builtin_popcountll(round->winners), round->read_degree,
		       round->write_degree, round->base_cycles, round->bank_cycles, sum,
		       winners);
	}
	if (job->many)
		printf("\n");
}

static void add_lanes(cJSON *object, const char *name, uint32_t lanes)
{
	cJSON *array = cJSON_AddArrayToObject(object, name);

	for (guint i = 0; i < 32; i++)
		if (lanes >> i & 1)
			cJSON_AddItemToArray(array, cJSON_CreateNumber(i));
}

/* clang-format off */
static const ShapeRow shape_rows[] = {
	{.path = "mechanism", .type = "string", .doc = "of the atomics, as atomsim list has them"},
	{.path = "operation", .type = "string", .doc = "of the atomic", .values = operation_names, .n_values = N_OPERATIONS},
	{.path = "type", .type = "string", .doc = "of the words", .values = value_type_names, .n_values = N_VALUE_TYPES},
	{.path = "result", .type = "boolean", .doc = "the program uses the old values"},
	{.path = "cycles", .type = "count", .doc = "in all"},
	{.path = "base_cycles", .type = "count", .doc = "of them, without conflicts"},
	{.path = "lock_cycles", .type = "count", .doc = "of them, by lock conflicts"},
	{.path = "bank_cycles", .type = "count", .doc = "of them, by bank conflicts"},
	{.path = "rounds", .type = "[object]", .doc = "one after the other"},
	{.path = "rounds[].tried", .type = "[count]", .doc = "lanes"},
	{.path = "rounds[].winners", .type = "[count]", .doc = "lanes"},
	{.path = "rounds[].read_degree", .type = "count", .doc = "passes of the read"},
	{.path = "rounds[].write_degree", .type = "count", .doc = "passes of the write"},
	{.path = "rounds[].base_cycles", .type = "count", .doc = "of the round"},
	{.path = "rounds[].bank_cycles", .type = "count", .doc = "of the round"},
	{.path = "addresses", .type = "[count|null]", .doc = "word of each lane; null: an idle one"},
};
/* clang-format on */

const Shape model_shape = {
	.name = "model",
	.version = 1,
	.title = "What atomsim model --format json says of a pattern",
	.rows = shape_rows,
	.n_rows = G_N_ELEMENTS(shape_rows),
};

static void print_json(const ModelJob *job, const ModelPattern *pattern)
{
	const ClosedForm *result = &pattern->result;
	g_autoptr(cJSON) root = shape_object(&model_shape);

	cJSON_AddStringToObject(root, "mechanism", job->mechanism->name);
	cJSON_AddStringToObject(root, "operation", operation_names[job->operation]);
	cJSON_AddStringToObject(root, "type", value_type_names[job->type]);
	cJSON_AddBoolToObject(root, "result", job->result);
	cJSON_AddNumberToObject(root, "cycles", result->cycles);
	cJSON_AddNumberToObject(root, "base_cycles", result->base_cycles);
	cJSON_AddNumberToObject(root, "lock_cycles", result->lock_cycles);
	cJSON_AddNumberToObject(root, "bank_cycles", result->bank_cycles);
	cJSON *rounds = cJSON_AddArrayToObject(root, "rounds");
	for (uint32_t i = 0; i < result->n_rounds; i++) {
		const ClosedFormRound *round = &result->rounds[i];
		cJSON *object = cJSON_CreateObject();

		add_lanes(object, "tried", lanes_of_ranks(pattern, round->tried));
		add_lanes(object, "winners", lanes_of_ranks(pattern, round->winners));
		cJSON_AddNumberToObject(object, "read_degree", round->read_degree);
		cJSON_AddNumberToObject(object, "write_degree", round->write_degree);
		cJSON_AddNumberToObject(object, "base_cycles", round->base_cycles);
		cJSON_AddNumberToObject(object, "bank_cycles", round->bank_cycles);
		cJSON_AddItemToArray(rounds, object);
	}
	cJSON *addresses = cJSON_AddArrayToObject(root, "addresses");
	for (guint lane = 0, rank = 0; lane < pattern->n_written; lane++)
		cJSON_AddItemToArray(addresses,
				     is_active(pattern, lane)
					     ? cJSON_CreateNumber(pattern->lanes.words[rank++])
					     : cJSON_CreateNull());

	char *text = job->many ? cJSON_PrintUnformatted(root) : cJSON_Print(root);
	printf("%s\n", text);
	free(text);
}

static void print_chosen(const ModelJob *job, GString *text)
{
	csv_columns_take(job->columns, text);
	fputs(text->str, stdout);
}

static void print_csv(const ModelJob *job, const ModelPattern *pattern)
{
	const ClosedForm *result = &pattern->result;
	g_autoptr(GString) text = g_string_new(NULL);

	g_string_append_printf(text,
			       "%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT
			       ",%" G_GUINT64_FORMAT ",%u,",
			       result->cycles, result->base_cycles, result->lock_cycles,
			       result->bank_cycles, result->n_rounds);
	for (guint lane = 0, rank = 0; lane < pattern->n_written; lane++)
		if (is_active(pattern, lane))
			g_string_append_printf(text, "%s%u", lane ? " " : "",
					       pattern->lanes.words[rank++]);
		else
			g_string_append(text, lane ? " -" : "-");
	g_string_append_c(text, '\n');
	print_chosen(job, text);
}

void model_print_header(const ModelJob *job)
{
	g_autoptr(GString) text = g_string_new(MODEL_COLUMNS "\n");

	if (job->format == FORMAT_CSV)
		print_chosen(job, text);
}

void model_print(const ModelJob *job, const ModelPattern *pattern)
{
	if (job->format == FORMAT_TEXT)
		print_text(job, pattern);
	else if (job->format == FORMAT_JSON)
		print_json(job, pattern);
	else
		print_csv(job, pattern);
}
