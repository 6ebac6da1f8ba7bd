/* SPDX-License-Identifier: MIT */
/* From the steps of a warp (walk.h) to its records: each in its place, and what lies between two of
   them as a gap. */
#include <string.h>

#include "base/sass-class.h"
#include "gpu/convert/internal.h"
#include "gpu/sass/operand.h"

/* ---- Barriers, fences, ends */

/* Lanes of a warp may come to a barrier one after the other; the warp waits when all have. What the
   others execute is an instruction like any. */
static void convert_barrier(Launch *launch, const Step *step)
{
	Warp *warp = step->warp;
	uint32_t n_threads = step->event->detail >> 8;
	Record record = {.kind = RECORD_BAR,
			 .barrier = (uint8_t)(step->event->detail & 255),
			 .count = n_threads >= launch->n_threads ? 0 : n_threads};

	if (record.barrier >= TRACE_MAX_BARRIERS) {
		convert_append_unknown(launch, step, &launch->counts->partial_barriers);
		return;
	}
	warp->arrived |= step->event->mask;
	if ((warp->arrived & ~warp->exited) == (warp->entered & ~warp->exited)) {
		warp->arrived = 0;
		convert_append(launch, step, &record);
	} else {
		convert_collect(launch, step, false, true);
	}
}

/* BAR.ARV 0x1, 0x40: no event has it, so its operands say it; those in registers are not known. */
static void convert_arrival(Launch *launch, const Step *step)
{
	SassOperand operands[SASS_MAX_OPERANDS];
	guint n = sass_operands(step->instruction, operands);
	Record record = {.kind = RECORD_BAR, .arrives = true};

	if (n < 2 || operands[0].kind != OPERAND_INTEGER ||
	    operands[1].kind != OPERAND_INTEGER || operands[0].bits >= TRACE_MAX_BARRIERS) {
		convert_append_unknown(launch, step, &launch->counts->partial_barriers);
		return;
	}
	record.barrier = (uint8_t)operands[0].bits;
	record.count = operands[1].bits >= launch->n_threads ? 0 : operands[1].bits;
	convert_append(launch, step, &record);
}

static void convert_exit(Launch *launch, const Step *step)
{
	Warp *warp = step->warp;
	Record end = {.kind = RECORD_EXIT}, barrier = {.kind = RECORD_BAR};

	warp->exited |= step->event->mask;
	if (warp->exited == warp->entered) {
		convert_append(launch, step, &end);
		return;
	}
	convert_collect(launch, step, false, false);
	if (warp->arrived && (warp->arrived | warp->exited) == warp->entered) {
		/* The others waited for lanes that are gone now. */
		warp->arrived = 0;
		convert_append(launch, step, &barrier);
	}
}

/* MEMBAR.SC.CTA, .GPU, .SYS. */
static void convert_fence(Launch *launch, const Step *step)
{
	Record record = {.kind = RECORD_FENCE,
			 .scope = sass_fence_scope(step->instruction->opcode)};

	convert_append(launch, step, &record);
}

/* ---- Steps */

static bool is_in_loop(const Launch *launch, const Step *step)
{
	return step->instruction && step->instruction->loop >= 0 && !launch->raw;
}

static void convert_event(Launch *launch, const Step *step)
{
	Warp *warp = step->warp;

	if (is_in_loop(launch, step) &&
	    (step->event->kind == RAW_SHARED || step->event->kind == RAW_GLOBAL)) {
		convert_loop(launch, step);
		return;
	}
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (step->event->mask >> lane & 1)
			warp->loop[lane] = -1;
	switch (step->event->kind) {
	case RAW_SHARED:
		convert_shared(launch, step);
		break;
	case RAW_COPY:
		launch->counts->async_copies++;
		convert_shared(launch, step);
		break;
	case RAW_GLOBAL:
		convert_global(launch, step);
		break;
	case RAW_BARRIER:
		convert_barrier(launch, step);
		break;
	case RAW_MATRIX:
		convert_append_unknown(launch, step, &launch->counts->matrix_accesses);
		break;
	case RAW_REMOTE:
		convert_append_unknown(launch, step, &launch->counts->remote_accesses);
		break;
	case RAW_EXIT:
		convert_exit(launch, step);
		break;
	case RAW_LOCAL:
		launch->counts->local_accesses++;
		convert_collect(launch, step, false, false);
		break;
	case RAW_LOCAL_AT:
		launch->counts->local_accesses++;
		convert_local(launch, step);
		break;
	}
}

static void record_step(Launch *launch, Step *step, const ComputeWarp *values,
			const WalkStep *walked, StepRole role)
{
	step->event = walked->event;
	step->addresses = walked->event ? walked->event + 1 : NULL;
	step->index = walked->index;
	step->distinct = walked->distinct;
	step->value = walked->value;
	step->addends = compute_noted(values, walked->noted);
	step->instruction =
		step->index >= 0 ? sass_instruction(launch->function, step->index) : NULL;
	if (!walked->follows)
		convert_gap(launch, step);
	if (role != STEP_PLAIN)
		convert_lock(launch, step, role);
	else if (step->event &&
		 (step->event->kind < RAW_SHUFFLE || step->event->kind >= RAW_LOCAL))
		convert_event(launch, step);
	else if (!step->instruction || is_in_loop(launch, step))
		return;
	else if (step->instruction->special == SASS_FENCE)
		convert_fence(launch, step);
	else if (step->instruction->special == SASS_ARRIVAL)
		convert_arrival(launch, step);
	else {
		launch->counts->texture_accesses += step->instruction->special == SASS_TEXTURE;
		convert_collect(launch, step, walked->taken,
				step->instruction->recorded ||
					launch->site_of[step->index] > 0);
	}
}

void convert_warp(Launch *launch, Block *block, uint64_t block_id, uint32_t number)
{
	Warp *warp = &block->warps[number];
	Step step = {.block_id = block_id, .warp_number = number, .block = block, .warp = warp};
	g_autoptr(GByteArray) roles = NULL;
	g_autoptr(GPtrArray) made = NULL;
	WalkCounts counts = {0};
	g_autoptr(ComputeWarp) values = compute_warp_new(launch->code, block_id, number);

	g_array_set_size(launch->steps, 0);
	if (launch->function->marked)
		convert_marked_steps(launch, warp);
	else
		walk_warp(launch->map, warp->events, warp->entered,
			  launch->recording->launch->function_pc, values, launch->steps,
			  &counts);
	launch->counts->guessed_branches += counts.guesses;
	launch->counts->refuted_branches += counts.refuted;
	for (guint i = 0; i < launch->steps->len; i++) {
		const WalkStep *walked = &g_array_index(launch->steps, WalkStep, i);

		launch->counts->n_instructions += walked->index >= 0 && !walked->again;
	}
	launch->counts->unresolved_paths += counts.unresolved;
	launch->counts->outside_calls += counts.outside;
	if (launch->locks)
		roles = convert_fold_locks(launch, &made);
	warp->exited = 0;
	memset(warp->loop, 0xff, sizeof(warp->loop));
	for (guint i = 0; i < launch->steps->len; i++)
		record_step(launch, &step, values, &g_array_index(launch->steps, WalkStep, i),
			    roles ? roles->data[i] : STEP_PLAIN);
}
