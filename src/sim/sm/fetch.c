/* SPDX-License-Identifier: MIT */
#include "sim/sm/fetch.h"

#include <glib.h>

#include "sim/memory/exec-memory.h"
#include "sim/locks/exec-section.h"
#include "sim/sm/exec.h"
#include "sim/sm/fast-forward.h"

void fetch_open(Sm *sm)
{
	const RunContext *context = sm->context;
	const KernelInfo *kernel = &context->source->kernel;
	ConstantLines *lines = &sm->scoreboard.lines;
	const FirstUse *use;

	if (!context->first_use)
		return;
	use = &context->first_use[sm->id];
	if (launch_code_is_cold(&context->machine->launch, kernel))
		code_cache_forget(&sm->scoreboard.code, use->code);
	constant_lines_share(lines, use->sms, context->line_schedulers);
	constant_lines_group(lines, kernel->constants, kernel->n_constants,
			     context->module_constant_cycles,
			     context->first_module_constant_cycles);
	constant_lines_delay_parameters(lines, &kernel->parameters,
					launch_late_parameters(&kernel->parameters),
					use->parameters);
}

void fetch_answered(Sm *sm, uint32_t slot, Cycle ready)
{
	Warp *warp = &sm->warps[slot];

	warp->phase = WARP_RUNNING;
	warp->memory_wait = WAIT_NOTHING;
	fetch_next(sm, slot, ready);
	fast_forward_woken(sm, ready);
}

void fetch_expect(Sm *sm, Warp *warp, const Result *result, bool is_load)
{
	if (sm->scoreboard.dataflow)
		scoreboard_result(&sm->scoreboard, (uint32_t)(warp - sm->warps), result);
	warp->has_result = true;
	if (result->at > warp->result.at)
		warp->result = *result;
	if (is_load && result->at > warp->load.at)
		warp->load = *result;
}

/* Books cycles from `from` on, in which a warp waits for a result, by what that is delayed by then. */
static G_NO_INLINE void book_delay(Sm *sm, Cycle from, const Result *result)
{
	const Cycle wait = result->at - from;
	const Cycle bank = MIN(wait, result->delay & DELAY_MOST);
	const Cycle latency = MIN(wait - bank, result->delay >> DELAY_BITS & DELAY_MOST);

	sm->statistics.warp_cycles[STATE_BANK] += bank;
	sm->statistics.warp_cycles[delay_state(result->delay)] += latency;
	sm_book_queue(sm, from, result->at - bank - latency, STATE_QUEUE);
}

/* The instruction whose result it is pays; that of arithmetic is waited for by the warp's next one. */
static inline void book_wait(Sm *sm, Warp *warp, Cycle from, const Result *result)
{
	const WarpState state = delay_state(result->delay);
	const uint32_t site = result->site > 0 ? result->site : warp->record.site;

	if (result->at == from)
		return;
	if (result->delay == DELAY_ALL(state))
		sm->statistics.warp_cycles[state] += result->at - from;
	else
		book_delay(sm, from, result);
	site_book(sm->sites, warp, site, result->at - from);
}

/*
 * A warp that may run ahead of its results waits for those that its next record may need. A trace
 * does not say which, so: a load needs none, an atomic those of loads, anything else all.
 */
static Cycle wait_for_results(Sm *sm, Warp *warp, Cycle ready)
{
	const Result *needed = warp->record.kind == RECORD_ATOM ? &warp->load : &warp->result;

	if (warp->record.kind == RECORD_LDS || warp->record.kind == RECORD_LDG ||
	    needed->at <= ready)
		return ready;
	book_wait(sm, warp, ready, needed);
	return needed->at;
}

/* The same where the trace says what waits for what. */
static Result values_needed(const Sm *sm, uint32_t slot, Cycle ready)
{
	const Scoreboard *board = &sm->scoreboard;
	const Warp *warp = &sm->warps[slot];
	const Record *record = &warp->record;
	Result wait = {ready, 0, DELAY_ALL(STATE_ARITHMETIC)};

	if (record->kind == RECORD_CODE)
		scoreboard_operation_at(board, slot, warp->operation, &wait);
	else if (scoreboard_site(board, record->site))
		scoreboard_site_at(board, slot, record->site, &wait);
	/* CUDA: behind a barrier all see what was stored before it. */
	if (record->kind == RECORD_BAR && warp->stored_at > wait.at)
		wait = (Result){warp->stored_at, 0,
				delay_of(STATE_SHARED, sm->machine->shared.store_cycles, 0)};
	return wait;
}

/* The same once the values are there: an operand's line of constants must be, too. */
static void wait_for_operand(Sm *sm, uint32_t slot, Result *wait)
{
	const Warp *warp = &sm->warps[slot];
	const Record *record = &warp->record;
	Cycle at;

	if (record->kind != RECORD_CODE)
		return;
	at = constant_lines_operand_at(&sm->scoreboard.lines,
				       slot % sm->scoreboard.n_schedulers, warp->operation,
				       wait->at);
	at = code_cache_fetch(&sm->scoreboard.code, slot, warp->operation, at);
	if (at > wait->at)
		*wait = (Result){at, 0, DELAY_ALL(STATE_ARITHMETIC)};
}

Cycle fetch_wait_out(Sm *sm, uint32_t slot, Cycle ready, Result *wait)
{
	if (G_UNLIKELY(wait->at == SCOREBOARD_PENDING)) {
		sm->warps[slot].memory_wait = WAIT_VALUES;
		sm_park(sm, slot, ready, STATE_L2);
		return NEVER;
	}
	wait_for_operand(sm, slot, wait);
	book_wait(sm, &sm->warps[slot], ready, wait);
	return wait->at;
}

bool fetch_value_arrived(Sm *sm, uint32_t slot)
{
	Warp *warp = &sm->warps[slot];
	Result wait = values_needed(sm, slot, warp->since);
	Cycle ready;

	if (wait.at == SCOREBOARD_PENDING)
		return false;
	wait_for_operand(sm, slot, &wait);
	ready = wait.at;
	book_wait(sm, warp, warp->since, &wait);
	warp->record_since += wait.at - warp->since;
	warp->since = wait.at;
	warp->memory_wait = WAIT_NOTHING;
	if (!global_may_begin(sm, slot, &ready))
		return false;
	warp->since = ready; /* booked already */
	sm_wake(sm, slot, ready);
	return true;
}

/* Begins the warp's new record: when it can, as far as values are concerned. What the trace does not describe waits
   as where it says nothing. */
static Cycle begin_with_values(Sm *sm, uint32_t slot, Cycle ready)
{
	Scoreboard *board = &sm->scoreboard;
	Warp *warp = &sm->warps[slot];
	const Record *record = &warp->record;
	Result wait;

	if (record->kind == RECORD_CODE) {
		const Gap *gap = &board->dataflow->gaps[record->gap];

		warp->operation =
			board->table->operations + (gap->operations - board->table->first);
		warp->last_operation = warp->operation + gap->n_operations - 1;
		scoreboard_want(board, slot, warp->operation);
		/* While it waits for values. */
		code_cache_fetch(&board->code, slot, warp->operation, ready);
	} else {
		warp->after_loop = false;
		scoreboard_want(board, slot, NULL);
		if (!scoreboard_site(board, record->site) && record->kind != RECORD_BAR &&
		    record->kind != RECORD_EXIT && warp->result.at > ready)
			ready = wait_for_results(sm, warp, ready);
	}
	warp->record_since = ready;
	wait = values_needed(sm, slot, ready);
	return fetch_wait_out(sm, slot, ready, &wait);
}

/* What was read behind a load that waited for other blocks. */
static bool next_ahead(WaitLoop *wait_loop, Record *record)
{
	RecordLog *ahead = wait_loop->ahead;

	if (wait_loop->at == ahead->n_added)
		return false;
	record_log_keep_open(ahead, RECORD_LOG_FEW);
	section_copy(record, record_log_at(ahead, wait_loop->at++));
	if (wait_loop->at < ahead->n_added || wait_loop->ended) {
		record_log_drop(ahead, wait_loop->at);
		return true;
	}
	record_log_clear(ahead);
	wait_loop->at = 0;
	return true;
}

/* False: the stream is broken. */
static inline bool next_record(Sm *sm, uint32_t slot, Cycle ready)
{
	Warp *warp = &sm->warps[slot];

	if (G_UNLIKELY(warp_locks_in_section(&warp->locks)))
		return exec_section_next(sm, slot, ready);
	if (G_UNLIKELY(warp->wait_loop && warp->wait_loop->ahead->n_added > 0))
		return next_ahead(warp->wait_loop, &warp->record);
	warp->stream->asked_at = ready;
	return warp->stream->next(warp->stream, &warp->record) == STREAM_RECORD;
}

void fetch_next(Sm *sm, uint32_t slot, Cycle ready)
{
	Warp *warp = &sm->warps[slot];

	site_book(sm->sites, warp, warp->record.site, ready - warp->record_since);
	if (G_UNLIKELY(!next_record(sm, slot, ready))) {
		/* A stream that ends without an exit is a broken source: readers check for it. */
		sm_fail(sm, SIM_SOURCE_FAILED, warp, NULL, ready);
		return;
	}
	warp->in_record = false;
	if (warp->record.site > 0)
		site_reach(sm->sites, warp, warp->record.site);
	if (sm->scoreboard.dataflow)
		ready = begin_with_values(sm, slot, ready);
	else if (G_UNLIKELY(warp->has_result) && warp->result.at > ready)
		ready = wait_for_results(sm, warp, ready);
	if (G_UNLIKELY(ready == NEVER))
		return;
	warp->record_since = ready;
	if (G_UNLIKELY(warp->n_flying | (warp->results_at > ready) |
		       (sm->context->memory && memory_is_full(sm->context->memory, sm->id))) &&
	    !global_may_begin(sm, slot, &ready))
		return;
	warp->since = ready;
	wheel_add(&sm->wheel, slot, ready);
}
