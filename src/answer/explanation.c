/* SPDX-License-Identifier: MIT */
#include "answer/explanation.h"

#include "base/names.h"

/* clang-format off */
static const ShapeRow shape_rows[] = {
	{.path = "machine", .type = "string", .doc = "name of the config"},
	{.path = "access", .type = "string", .doc = "what the warps do", .values = explain_access_names, .n_values = N_EXPLAIN_ACCESSES},
	{.path = "mechanism?", .type = "string", .doc = "of the atomics, as atomsim list has them; this and the next three of atomics only"},
	{.path = "operation?", .type = "string", .doc = "of the atomic", .values = operation_names, .n_values = N_OPERATIONS},
	{.path = "type?", .type = "string", .doc = "of the words", .values = value_type_names, .n_values = N_VALUE_TYPES},
	{.path = "result?", .type = "boolean", .doc = "the program uses the old values"},
	{.path = "warps", .type = "count", .doc = "that do the atomic"},
	{.path = "explained_cycles", .type = "count", .doc = "from the first round to the end of the last"},
	{.path = "rounds", .type = "[object]", .doc = "in the order of their begin"},
	{.path = "rounds[].warp", .type = "count", .doc = "whose round it is, from 0"},
	{.path = "rounds[].round", .type = "count", .doc = "of that warp, from 1"},
	{.path = "rounds[].begin_cycle", .type = "count", .doc = "of the round"},
	{.path = "rounds[].end_cycle", .type = "count", .doc = "of the round"},
	{.path = "rounds[].locked_cycle?", .type = "count", .doc = "when its lanes that win have their locks; this and the next where some do"},
	{.path = "rounds[].freed_cycle?", .type = "count", .doc = "when they have released them"},
	{.path = "rounds[].instructions", .type = "[object]", .doc = "of the round"},
	{.path = "rounds[].instructions[].name", .type = "string", .doc = "LK, CAS, ..."},
	{.path = "rounds[].instructions[].start_cycle", .type = "count", .doc = "its issue"},
	{.path = "rounds[].instructions[].ready_cycle", .type = "count", .doc = "when its result is there"},
	{.path = "rounds[].instructions[].passes", .type = "count", .doc = "through the banks"},
	{.path = "rounds[].lanes", .type = "[object]", .doc = "that try in the round"},
	{.path = "rounds[].lanes[].lane", .type = "count", .doc = "its number"},
	{.path = "rounds[].lanes[].word", .type = "count", .doc = "address"},
	{.path = "rounds[].lanes[].bank", .type = "count", .doc = "of the word"},
	{.path = "rounds[].lanes[].lock?", .type = "count", .doc = "of the word, where the mechanism has locks"},
	{.path = "rounds[].lanes[].fate", .type = "string", .doc = "what comes of it", .values = lane_fate_names, .n_values = N_LANE_FATES},
	{.path = "rounds[].lanes[].by_lane?", .type = "count", .doc = "of its own warp, that it lost to"},
	{.path = "rounds[].lanes[].by_warp?", .type = "count", .doc = "that it lost to"},
};
/* clang-format on */

const Shape explanation_shape = {
	.name = "explain",
	.version = 1,
	.title = "What atomsim explain --format json says",
	.rows = shape_rows,
	.n_rows = G_N_ELEMENTS(shape_rows),
};

static cJSON *lane_object(const ExplainWarp *warp, const ExplainRound *round, guint lane,
			  bool has_locks)
{
	const LaneOutcome *outcome = &round->lanes[lane];
	cJSON *object = cJSON_CreateObject();

	cJSON_AddNumberToObject(object, "lane", lane);
	cJSON_AddNumberToObject(object, "word", warp->word[lane]);
	cJSON_AddNumberToObject(object, "bank", warp->bank[lane]);
	if (has_locks)
		cJSON_AddNumberToObject(object, "lock", warp->lock[lane]);
	cJSON_AddStringToObject(object, "fate", lane_fate_names[outcome->fate]);
	if (outcome->by_lane >= 0)
		cJSON_AddNumberToObject(object, "by_lane", outcome->by_lane);
	if (outcome->by_warp >= 0)
		cJSON_AddNumberToObject(object, "by_warp", outcome->by_warp);
	return object;
}

static cJSON *round_object(const ExplainRequest *request, const ExplainRound *round,
			   bool has_locks)
{
	cJSON *object = cJSON_CreateObject();
	cJSON *lanes, *instructions;

	cJSON_AddNumberToObject(object, "warp", round->warp);
	cJSON_AddNumberToObject(object, "round", round->number + 1);
	cJSON_AddNumberToObject(object, "begin_cycle", (double)round->begin);
	cJSON_AddNumberToObject(object, "end_cycle", (double)round->end);
	if (round->freed > 0) {
		cJSON_AddNumberToObject(object, "locked_cycle", (double)round->locked);
		cJSON_AddNumberToObject(object, "freed_cycle", (double)round->freed);
	}
	instructions = cJSON_AddArrayToObject(object, "instructions");
	for (guint i = 0; i < round->n_instructions; i++) {
		const RoundInstruction *instruction = &round->instructions[i];
		cJSON *row = cJSON_CreateObject();

		cJSON_AddStringToObject(row, "name", instruction->name);
		cJSON_AddNumberToObject(row, "start_cycle", (double)instruction->start);
		cJSON_AddNumberToObject(row, "ready_cycle", (double)instruction->ready);
		cJSON_AddNumberToObject(row, "passes", instruction->passes);
		cJSON_AddItemToArray(instructions, row);
	}
	lanes = cJSON_AddArrayToObject(object, "lanes");
	for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (round->tried >> lane & 1)
			cJSON_AddItemToArray(lanes, lane_object(&request->warps[round->warp],
								round, lane, has_locks));
	return object;
}

cJSON *explanation_object(const ExplainRequest *request, const Explanation *explanation)
{
	cJSON *object = shape_object(&explanation_shape);
	cJSON *rounds;

	cJSON_AddStringToObject(object, "machine", request->machine->name);
	cJSON_AddStringToObject(object, "access", explain_access_names[request->access]);
	if (explanation->mechanism)
		cJSON_AddStringToObject(object, "mechanism", explanation->mechanism->name);
	if (request->access == EXPLAIN_ATOMIC) {
		cJSON_AddStringToObject(object, "operation",
					operation_names[request->operation]);
		cJSON_AddStringToObject(object, "type", value_type_names[request->type]);
		cJSON_AddBoolToObject(object, "result", request->result);
	}
	cJSON_AddNumberToObject(object, "warps", request->n_warps);
	cJSON_AddNumberToObject(object, "explained_cycles", (double)explanation->cycles);
	rounds = cJSON_AddArrayToObject(object, "rounds");
	for (guint i = 0; i < explanation->rounds->len; i++)
		cJSON_AddItemToArray(rounds, round_object(request,
							  &g_array_index(explanation->rounds,
									 ExplainRound, i),
							  explanation->has_locks));
	return object;
}
