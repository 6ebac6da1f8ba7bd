/* SPDX-License-Identifier: MIT */
#include "answer/explanation.h"

#include "base/names.h"

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
	cJSON *object = cJSON_CreateObject();
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
