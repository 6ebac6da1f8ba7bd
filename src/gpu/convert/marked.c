/* SPDX-License-Identifier: MIT */
/*
 * The steps of a warp whose program recorded itself (src/gpu/record): its listing has an instruction
 * for each mark of the source, in no order that a warp goes, so the events are the way. What the warp executed
 * between two of them is known where the program says it (ATOMSIM_WORK), and counted where not.
 */
#include "gpu/convert/internal.h"

static void add_step(Launch *launch, const RawEvent *event, int index, uint32_t mask)
{
	GArray *steps = launch->steps;
	WalkStep step = {.event = event,
			 .index = index,
			 .mask = mask,
			 .follows =
				 steps->len > 0 &&
				 g_array_index(steps, WalkStep, steps->len - 1).mask == mask};

	g_array_append_val(steps, step);
}

/* The instructions of a RAW_CALL. False if the listing has not as many. */
static bool add_work(Launch *launch, const RawEvent *event, int index)
{
	const GArray *instructions = launch->function->instructions;

	if (index < 0 || event->detail > instructions->len - (guint)index)
		return false;
	for (int i = index; i < index + (int)event->detail; i++) {
		/* Only what the listing has for this: a record would need an event. */
		if (sass_instruction(launch->function, i)->recorded)
			return false;
		add_step(launch, NULL, i, event->mask);
	}
	return true;
}

/* Whether the kernel has to come to it by instructions that nobody recorded. */
static bool comes_after_a_gap(const RawEvent *event)
{
	return event->kind == RAW_SHARED || event->kind == RAW_GLOBAL ||
	       event->kind == RAW_REMOTE || event->kind == RAW_BARRIER;
}

void convert_marked_steps(Launch *launch, const Warp *warp)
{
	uint64_t function_pc = launch->recording->launch->function_pc;
	bool after_work = false;

	for (guint i = 0; i < warp->events->len; i++) {
		const RawEvent *event = g_ptr_array_index(warp->events, i);
		int index = sass_find(launch->function, event->pc - function_pc);

		if (event->kind == RAW_CALL) {
			after_work = add_work(launch, event, index);
			launch->counts->unresolved_paths += !after_work;
			continue;
		}
		launch->counts->unresolved_paths += index < 0;
		launch->counts->unmarked_gaps += comes_after_a_gap(event) && !after_work;
		after_work = false;
		add_step(launch, event, index, event->mask);
	}
}
