/* SPDX-License-Identifier: MIT */
#include "sim/scoreboard.h"

#include <glib.h>
#include <string.h>

void scoreboard_init(Scoreboard *board, const Dataflow *dataflow,
		     const IssueParameters *parameters, uint32_t n_schedulers)
{
	size_t n = dataflow ? (size_t)dataflow->n_values * MAX_WARP_SLOTS : 0, n_operations = 0;

	*board = (Scoreboard){
		.dataflow = dataflow, .parameters = parameters, .n_schedulers = n_schedulers};
	if (!dataflow)
		return;
	board->ready = g_new0(Cycle, n);
	board->state = g_new0(uint8_t, n);
	board->site = g_new0(uint32_t, n);
	board->line_at = g_new0(Cycle, dataflow->n_lines);
	board->operand_at = g_new0(Cycle, (size_t)dataflow->n_lines * n_schedulers);
	board->loaded_at = g_new0(Cycle, MAX_WARP_SLOTS);
	scoreboard_share_lines(board, 1, n_schedulers);
	for (uint32_t g = 0; g < dataflow->n_gaps; g++)
		n_operations += dataflow->gaps[g].n_operations;
	board->first_operation = n_operations > 0 ? dataflow->gaps[0].operations : NULL;
	board->indexed_at = g_new0(Cycle, n_operations);
}

void scoreboard_share_lines(Scoreboard *board, uint32_t n_sms, uint32_t n_schedulers)
{
	const IssueParameters *p = board->parameters;
	const uint32_t once = n_sms * p->constant_request_cycles;

	board->operand_cycles =
		p->operand_line_cycles ? MAX(p->operand_line_cycles, once * n_schedulers) : 0;
	board->load_gap_cycles = MAX(p->constant_next_cycles, once);
}

void scoreboard_clear(Scoreboard *board)
{
	g_free(board->ready);
	g_free(board->state);
	g_free(board->site);
	g_free(board->line_at);
	g_free(board->operand_at);
	g_free(board->loaded_at);
	g_free(board->indexed_at);
}

void scoreboard_start_warp(Scoreboard *board, uint32_t slot)
{
	uint32_t n = board->dataflow->n_values;

	if (n > 0)
		memset(board->ready + (size_t)slot * n, 0, n * sizeof(Cycle));
	board->loaded_at[slot] = 0;
}

static void need(const Scoreboard *board, uint32_t slot, const uint8_t *values, uint32_t n,
		 uint32_t extra, Wait *wait)
{
	size_t first = (size_t)slot * board->dataflow->n_values;

	for (uint32_t i = 0; i < n; i++) {
		size_t value = first + values[i];
		Cycle at = board->ready[value];

		/* Only arithmetic reaches addresses and guards later than it reaches arithmetic. */
		if (at > 0 && board->state[value] == STATE_ARITHMETIC)
			at += extra;
		if (at <= wait->at)
			continue;
		*wait = (Wait){at, (WarpState)board->state[value], board->site[value]};
	}
}

/* What is written must not be overtaken by a result from memory: the hardware's scoreboard holds both. */
static void need_written(const Scoreboard *board, uint32_t slot, const uint8_t *values,
			 uint32_t n, Wait *wait)
{
	size_t first = (size_t)slot * board->dataflow->n_values;

	for (uint32_t i = 0; board->pends && i < n; i++)
		if (board->state[first + values[i]] == STATE_GLOBAL)
			need(board, slot, &values[i], 1, 0, wait);
}

/* How much later a guard is there than data. */
static uint32_t guard_extra(const IssueParameters *p)
{
	uint32_t data = p->latency[CODE_COMPARE];

	return p->predicate_cycles > data ? p->predicate_cycles - data : 0;
}

void scoreboard_operation_at(const Scoreboard *board, uint32_t slot,
			     const CodeOperation *operation, Wait *wait)
{
	uint32_t extra = guard_extra(board->parameters);

	need(board, slot, operation->reads, operation->n_reads,
	     issue_reads_as_guard(operation->class) ? extra : 0, wait);
	if (operation->guard != DATAFLOW_NO_VALUE)
		need(board, slot, &operation->guard, 1, extra, wait);
	need_written(board, slot, operation->writes, operation->n_writes, wait);
}

void scoreboard_site_at(const Scoreboard *board, uint32_t slot, uint32_t site, Wait *wait)
{
	const SiteFlow *flow = scoreboard_site(board, site);
	uint32_t later = board->parameters->address_cycles;

	need(board, slot, flow->address, flow->n_address, later, wait);
	need(board, slot, flow->data, flow->n_data, later, wait);
	if (flow->guard != DATAFLOW_NO_VALUE)
		need(board, slot, &flow->guard, 1, guard_extra(board->parameters), wait);
	need_written(board, slot, flow->writes, flow->n_writes, wait);
}

void scoreboard_want(Scoreboard *board, uint32_t slot, const CodeOperation *operation)
{
	uint64_t bit = UINT64_C(1) << slot;

	for (uint32_t pipe = 0; pipe < N_PIPES; pipe++)
		board->wants[pipe] &= ~bit;
	if (operation && issue_pipe(board->parameters, operation) < N_PIPES)
		board->wants[issue_pipe(board->parameters, operation)] |= bit;
}

/* Whether its constant comes before it is issued, and not as a value later. */
static bool waits_to_issue(const Scoreboard *board, const CodeOperation *operation)
{
	return board->operand_cycles > 0 && operation->line > 0 &&
	       operation->class != CODE_CONSTANT && operation->class != CODE_MATCH;
}

Cycle scoreboard_operand_at(Scoreboard *board, uint32_t slot, const CodeOperation *operation,
			    Cycle at)
{
	const size_t first = (size_t)(slot % board->n_schedulers) * board->dataflow->n_lines;
	Cycle *line;

	if (!waits_to_issue(board, operation))
		return at;
	line = &board->operand_at[first + operation->line - 1];
	if (*line == 0)
		*line = at + board->operand_cycles;
	return MAX(*line, at);
}

/* How much longer an operation takes because its line of constants is not there yet. */
static Cycle line_wait(Scoreboard *board, const CodeOperation *operation, Cycle now)
{
	bool indexed = operation->line == 0 && issue_cost(operation) == COST_INDEXED;
	uint32_t cycles = indexed ? board->parameters->indexed_first_cycles
				  : board->parameters->constant_line_cycles;
	Cycle *at;

	if (operation->class == CODE_MATCH || waits_to_issue(board, operation))
		return 0; /* the line of a match is a number of values */
	if (operation->line > 0)
		at = &board->line_at[operation->line - 1];
	else if (indexed)
		at = &board->indexed_at[operation - board->first_operation];
	else
		return 0;
	if (*at == 0) {
		*at = now + cycles;
		if (!indexed && cycles > 0)
			*at = MAX(*at, board->load_line_at + board->load_gap_cycles);
		board->load_line_at = MAX(board->load_line_at, *at);
	}
	return *at > now ? *at - now : 0;
}

/* Scheduler k's pipe takes nothing before `until`. */
static void take_pipe(Scoreboard *board, uint32_t k, Pipe pipe, Cycle until)
{
	board->pipe_free[k][pipe] = MAX(board->pipe_free[k][pipe], until);
	board->pipes_free[k] = MAX(board->pipes_free[k], until);
}

void scoreboard_issue(Scoreboard *board, uint32_t slot, uint32_t k,
		      const CodeOperation *operation, Cycle now)
{
	const IssueParameters *p = board->parameters;
	Pipe pipe = issue_pipe(p, operation);
	uint32_t sm_busy = issue_sm_busy(p, operation);
	Cycle at = now + issue_latency(p, operation) + line_wait(board, operation, now);
	size_t first = (size_t)slot * board->dataflow->n_values;

	for (uint32_t i = 0; i < operation->n_writes; i++) {
		board->ready[first + operation->writes[i]] = at;
		board->state[first + operation->writes[i]] = STATE_ARITHMETIC;
		board->site[first + operation->writes[i]] = 0;
	}
	if (operation->class == CODE_CONSTANT)
		board->loaded_at[slot] = MAX(board->loaded_at[slot], at);
	if (pipe < N_PIPES) {
		take_pipe(board, k, pipe, now + issue_busy(p, operation));
		for (uint32_t i = 0; sm_busy > 0 && i < board->n_schedulers; i++)
			take_pipe(board, i, pipe, now + sm_busy);
	}
}

void scoreboard_result(Scoreboard *board, uint32_t slot, uint32_t site, Cycle at,
		       WarpState state)
{
	const SiteFlow *flow = scoreboard_site(board, site);
	size_t first = (size_t)slot * board->dataflow->n_values;

	for (uint32_t i = 0; flow && i < flow->n_writes; i++) {
		board->ready[first + flow->writes[i]] = at;
		board->state[first + flow->writes[i]] = (uint8_t)state;
		board->site[first + flow->writes[i]] = site;
	}
}

void scoreboard_arrive(Scoreboard *board, uint32_t slot, uint32_t site, Cycle at)
{
	const SiteFlow *flow = scoreboard_site(board, site);
	size_t first = (size_t)slot * board->dataflow->n_values;

	for (uint32_t i = 0; flow && i < flow->n_writes; i++)
		if (board->ready[first + flow->writes[i]] == SCOREBOARD_PENDING)
			board->ready[first + flow->writes[i]] = at;
}

uint64_t scoreboard_eligible(const Scoreboard *board, uint32_t k, uint64_t ready, Cycle now,
			     Cycle *next)
{
	uint64_t eligible = ready;
	Cycle first = UINT64_MAX;

	if (board->pipes_free[k] <= now)
		return ready;
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
