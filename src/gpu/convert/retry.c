/* SPDX-License-Identifier: MIT */
/* Retry loops (gpu/sass/loop.c) to the atomics that they stand for. */
#include "base/names.h"
#include "gpu/convert/internal.h"

static void set_values(const uint64_t *of_lane, Record *record)
{
	guint i = 0;

	record->has_values = true;
	for (LaneMask left = record->mask; left; left &= left - 1)
		record->value[i++] = of_lane[__builtin_ctzll(left)];
}

/*
 * Whether the lanes try again what they tried before: in the same loop, with the same words. Lanes
 * of one execution leave the loop together, so an attempt has no lane that the one before had not.
 * What cannot be distinguished is a loop around the loop with no event between, the same words, and
 * all lanes done at once: it counts as retry.
 */
static gboolean is_retry(const Step *step)
{
	const Warp *warp = step->warp;
	const uint32_t mask = step->event->mask;

	for (guint lane = 0, i = 0; lane < TRACE_MAX_LANES; lane++) {
		if (!(mask >> lane & 1))
			continue;
		if (warp->loop[lane] != step->instruction->loop ||
		    warp->word[lane] != convert_address_of(step, i++) ||
		    (mask & ~warp->attempt[lane]))
			return FALSE;
	}
	return TRUE;
}

static void note_attempt(const Step *step)
{
	Warp *warp = step->warp;
	const uint32_t mask = step->event->mask;

	for (guint lane = 0, i = 0; lane < TRACE_MAX_LANES; lane++) {
		if (!(mask >> lane & 1))
			continue;
		warp->loop[lane] = step->instruction->loop;
		warp->word[lane] = convert_address_of(step, i++);
		warp->attempt[lane] = mask;
	}
}

/* The atomic that the loop on global memory stands for; words that no buffer has are one access. */
static void append_update(Launch *launch, const Step *step, const SassLoop *loop)
{
	Record record;

	if (convert_begin_global(launch, step, RECORD_ATOMG, &record)) {
		record.operation = loop->operation;
		record.type = loop->type;
		record.result = loop->result;
	}
	launch->counts->unplaced_accesses += !record.buffer;
	convert_append(launch, step, &record);
}

static void append_loop(Launch *launch, const Step *step, const SassLoop *loop)
{
	Record record = {.kind = RECORD_ATOM,
			 .operation = loop->operation,
			 .type = loop->type,
			 .result = loop->result};

	if (!convert_shared_addresses(launch, step, &record)) {
		convert_append_unknown(launch, step, &launch->counts->out_of_range);
		return;
	}
	if (step->addends)
		set_values(step->addends, &record);
	convert_append(launch, step, &record);
}

/* An access of a retry loop. Its load is where an attempt begins; the first makes the record. */
void convert_loop(Launch *launch, const Step *step)
{
	const SassLoop *loop =
		&g_array_index(launch->function->loops, SassLoop, step->instruction->loop);
	gboolean again;

	if (step->index != loop->load) {
		launch->counts->folded_events++;
		return;
	}
	/* What was loaded is not what the loop swaps. */
	if (convert_width_of(step->event) != value_type_bytes[loop->type]) {
		convert_append_unknown(launch, step, &launch->counts->unknown_operations);
		return;
	}
	again = is_retry(step);
	note_attempt(step);
	if (again) {
		launch->counts->folded_events++;
		return;
	}
	launch->counts->folded_atomics++;
	if (step->event->kind == RAW_GLOBAL)
		append_update(launch, step, loop);
	else
		append_loop(launch, step, loop);
}
