/* SPDX-License-Identifier: MIT */
#include "sim/sm/scoreboard.h"

#include <glib.h>
#include <string.h>

void issue_table_init(IssueTable *table, const Dataflow *dataflow,
		      const IssueParameters *parameters, uint32_t ideal)
{
	const CodeOperation yield = {.class = CODE_YIELD, .guard = DATAFLOW_NO_VALUE};

	*table = (IssueTable){0};
	if (!dataflow)
		return;
	for (uint32_t g = 0; g < dataflow->n_gaps; g++)
		table->n_operations += dataflow->gaps[g].n_operations;
	table->first = table->n_operations > 0 ? dataflow->gaps[0].operations : NULL;
	table->operations = g_new(IssueOperation, MAX(table->n_operations, 1));
	for (uint32_t i = 0; i < table->n_operations; i++)
		issue_prepare(parameters, &table->first[i], &table->operations[i]);
	issue_prepare(parameters, &yield, &table->yield);
	code_table_init(&table->code, dataflow, table->operations, table->n_operations);
	for (uint32_t i = 0; ideal && i < table->n_operations; i++) {
		table->operations[i].pipe = PIPE_NONE;
		if (ideal != IDEAL_BUT_PORTS)
			table->operations[i].lsu = 0;
		table->operations[i].sm_busy = 0;
	}
	if (ideal)
		table->yield.pipe = PIPE_NONE;
}

void issue_table_clear(IssueTable *table)
{
	g_clear_pointer(&table->operations, g_free);
	code_table_clear(&table->code);
}

void scoreboard_init(Scoreboard *board, const Dataflow *dataflow,
		     const IssueParameters *parameters, const IssueTable *table,
		     uint32_t n_schedulers)
{
	*board = (Scoreboard){
		.dataflow = dataflow,
		.parameters = parameters,
		.table = table,
		.n_schedulers = n_schedulers,
		.guard_extra = issue_guard_extra(parameters),
	};
	for (CodeUnit from = 0; from < N_UNITS; from++)
		for (CodeUnit to = 0; to < N_UNITS; to++)
			board->cross[from][to] = issue_cross(parameters, from, to);
	if (!dataflow)
		return;
	board->n_values = dataflow->n_values;
	/* Room for one where the data flow names none, so that it is no null pointer to count from. */
	board->values = g_new(Result, MAX((size_t)board->n_values * MAX_WARP_SLOTS, 1));
	constant_lines_init(&board->lines, parameters, dataflow->n_lines, table->code.n_code,
			    n_schedulers);
	board->loaded_at = g_new0(Cycle, MAX_WARP_SLOTS);
	code_cache_init(&board->code, &table->code, parameters, n_schedulers);
	memset(board->wanted, N_PIPES, sizeof board->wanted);
}

void scoreboard_clear(Scoreboard *board)
{
	g_free(board->values);
	constant_lines_clear(&board->lines);
	g_free(board->loaded_at);
	code_cache_clear(&board->code);
}

void scoreboard_start_warp(Scoreboard *board, uint32_t slot, Cycle at)
{
	uint32_t n = board->n_values;

	constant_lines_begin(&board->lines, at);
	if (n > 0)
		memset(board->values + (size_t)slot * n, 0, n * sizeof *board->values);
	board->loaded_at[slot] = 0;
	code_cache_start_warp(&board->code, slot);
}

static void need(const Scoreboard *board, uint32_t slot, const uint8_t *values, uint32_t n,
		 uint32_t extra, Result *wait)
{
	const Result *mine = board->values + (size_t)slot * board->n_values;

	for (uint32_t i = 0; i < n; i++)
		scoreboard_need(board, &mine[values[i]], extra, UNIT_ANY, wait);
}

/* Of what is written: as for an operation. */
static void need_written(const Scoreboard *board, uint32_t slot, const uint8_t *values,
			 uint32_t n, Result *wait)
{
	const Result *mine = board->values + (size_t)slot * board->n_values;

	for (uint32_t i = 0; board->pends && i < n; i++)
		if (delay_is_global(mine[values[i]].delay))
			scoreboard_need(board, &mine[values[i]], 0, UNIT_ANY, wait);
}

void scoreboard_site_at(const Scoreboard *board, uint32_t slot, uint32_t site, Result *wait)
{
	const SiteFlow *flow = scoreboard_site(board, site);
	uint32_t later = board->parameters->address_cycles;

	need(board, slot, flow->address, flow->n_address, later, wait);
	need(board, slot, flow->data, flow->n_data, later, wait);
	if (flow->guard != DATAFLOW_NO_VALUE)
		need(board, slot, &flow->guard, 1, board->guard_extra, wait);
	need_written(board, slot, flow->writes, flow->n_writes, wait);
}

void scoreboard_result(Scoreboard *board, uint32_t slot, const Result *result)
{
	const SiteFlow *flow = scoreboard_site(board, result->site);

	if (flow)
		scoreboard_set(board, slot, flow->writes, flow->n_writes, *result);
}

void scoreboard_arrive(Scoreboard *board, uint32_t slot, uint32_t site, Cycle at,
		       WarpState state)
{
	const SiteFlow *flow = scoreboard_site(board, site);
	Result *values = board->values + (size_t)slot * board->n_values;

	for (uint32_t i = 0; flow && i < flow->n_writes; i++)
		if (values[flow->writes[i]].at == SCOREBOARD_PENDING) {
			values[flow->writes[i]].at = at;
			values[flow->writes[i]].delay = DELAY_ALL(state);
		}
}

uint64_t scoreboard_pick_free(const Scoreboard *board, uint32_t k, uint64_t ready, Cycle now,
			      Cycle *next)
{
	uint64_t eligible = ready;
	Cycle first = UINT64_MAX;

	for (uint32_t pipe = 0; pipe < N_PIPES; pipe++) {
		uint64_t held = ready & board->wants[pipe];

		if (held && board->pipe_free[k][pipe] > now) {
			eligible &= ~held;
			first = MIN(first, board->pipe_free[k][pipe]);
		}
	}
	*next = MIN(*next, first);
	return eligible;
}
