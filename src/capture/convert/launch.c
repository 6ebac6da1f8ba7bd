/* SPDX-License-Identifier: MIT */
/*
 * Events of a launch to the records of its warps. Events of one warp stand in its program order
 * in the raw capture, so each is told as it comes; nothing is kept but where each lane stands.
 */
#include "capture/convert/internal.h"

#include <string.h>

#include "base/error.h"

static void leave_place(const Step *step)
{
	Warp *warp = step->warp;

	warp->n_events++;
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (step->event->mask >> lane & 1) {
			warp->last_event[lane] = warp->n_events;
			warp->at[lane] = step->index;
		}
}

/* Lanes of a warp may come to a barrier one after the other; the warp waits when all have. */
static void convert_barrier(Launch *launch, const Step *step)
{
	Warp *warp = step->warp;
	uint32_t n_threads = step->event->detail >> 8;
	gboolean arrives_only =
		step->instruction && g_str_has_prefix(step->instruction->opcode, "BAR.ARV");

	if (arrives_only || (n_threads != 0 && n_threads < launch->n_threads)) {
		convert_append_unknown(launch, step, &launch->counts->partial_barriers);
		return;
	}
	warp->arrived |= step->event->mask;
	if ((warp->arrived & ~warp->exited) == (warp->entered & ~warp->exited)) {
		warp->arrived = 0;
		convert_append_plain(launch, step, RECORD_BAR, 0);
	}
}

static void end_warp(Launch *launch, const Step *step)
{
	Record record = {.kind = RECORD_EXIT};

	convert_append(launch, step, &record);
	if (++step->block->n_ended == launch->n_warps) {
		trace_writer_end_block(launch->writer, step->event->block_id);
		launch->counts->n_blocks++;
		g_hash_table_remove(launch->blocks, &step->event->block_id);
	}
}

static void convert_exit(Launch *launch, const Step *step)
{
	Warp *warp = step->warp;

	warp->exited |= step->event->mask;
	if (warp->exited == warp->entered)
		end_warp(launch, step);
	else if (warp->arrived && (warp->arrived | warp->exited) == warp->entered) {
		/* The others waited for lanes that are gone now. */
		warp->arrived = 0;
		convert_append_plain(launch, step, RECORD_BAR, 0);
	}
}

static void convert_event(Launch *launch, const Step *step)
{
	Warp *warp = step->warp;

	if (launch->locks) {
		convert_settle_locks(launch, step);
		if (convert_lock(launch, step)) {
			leave_place(step);
			return;
		}
	}
	if (step->instruction && step->instruction->loop >= 0 && !launch->raw &&
	    step->event->kind == RAW_SHARED) {
		convert_loop(launch, step);
		leave_place(step);
		return;
	}
	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (step->event->mask >> lane & 1)
			warp->loop[lane] = -1;
	convert_append_arithmetic(launch, step);
	leave_place(step);
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
		convert_exit(launch, step); /* may free the block */
		break;
	}
}

static Block *open_block(Launch *launch, const RawEvent *event)
{
	Block *block = g_malloc0(sizeof(Block) + launch->n_warps * sizeof(Warp));

	block->shared_bytes = event->detail;
	for (uint32_t w = 0; w < launch->n_warps; w++)
		memset(block->warps[w].loop, 0xff, sizeof(block->warps[w].loop));
	g_hash_table_insert(launch->blocks, g_memdup2(&event->block_id, sizeof(uint64_t)),
			    block);
	trace_writer_begin_block(launch->writer, event->block_id, launch->n_warps,
				 event->detail);
	return block;
}

/* Finds where the event belongs. False, with an error, if it cannot be. */
static gboolean place_event(Launch *launch, Step *step, GError **error)
{
	const RawEvent *event = step->event;
	const uint32_t *grid = launch->recording->launch->grid;
	uint64_t n_blocks = (uint64_t)grid[0] * grid[1] * grid[2];
	gboolean enters = event->kind == RAW_ENTER;

	step->block = g_hash_table_lookup(launch->blocks, &event->block_id);
	if (event->block_id < n_blocks && event->warp < launch->n_warps) {
		if (enters && !step->block && event->detail <= TRACE_MAX_SHARED_BYTES)
			step->block = open_block(launch, event);
		if (step->block) {
			step->warp = &step->block->warps[event->warp];
			if (enters ? !(event->mask & step->warp->entered)
				   : !(event->mask &
				       (~step->warp->entered | step->warp->exited)))
				return TRUE;
		}
	}
	g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_TRACE,
		    "%s: launch %u: an event of lanes that do not run (block %" G_GUINT64_FORMAT
		    ", warp %u); capture again",
		    launch->recording->file->path, launch->recording->number + 1,
		    event->block_id, event->warp);
	return FALSE;
}

static gboolean is_whole(const RawRecording *recording, GError **error)
{
	const RawEnd *end = recording->end;
	const char *path = recording->file->path;
	uint32_t number = recording->number + 1;

	if (!end || end->failed)
		g_set_error(
			error, ATOMSIM_ERROR, ATOMSIM_ERROR_TRACE,
			"%s: launch %u (%s) did not end well: the program or the GPU failed",
			path, number, recording->name);
	else if (end->dropped)
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_TRACE,
			    "%s: launch %u (%s): %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
			    " events were lost; capture again",
			    path, number, recording->name, end->dropped, end->n_events);
	return end && !end->failed && !end->dropped;
}

/* Instructions that access shared memory in bulk, and make no event: of compute capability 9.0 and
   later. */
static bool is_bulk(const SassInstruction *instruction)
{
	static const char *const prefixes[] = {"UBLK",	"UTMA",	 "UTMC",  "HGMMA",
					       "IGMMA", "QGMMA", "BGMMA", "SYNCS"};

	for (guint i = 0; i < G_N_ELEMENTS(prefixes); i++)
		if (g_str_has_prefix(instruction->opcode, prefixes[i]))
			return true;
	return false;
}

/* All instructions that make records, in the order of the code, so that numbers do not depend on
   which warp came first. */
static void number_sites(Launch *launch, GArray *sites)
{
	guint n = launch->function->instructions->len;

	launch->site_of = g_new0(uint32_t, n);
	for (guint i = 0; i < n; i++) {
		const SassInstruction *instruction = sass_instruction(launch->function, i);
		ConvertSite site = {instruction, (int)i};

		launch->counts->bulk_instructions += is_bulk(instruction);
		if (!instruction->recorded || instruction->flow == SASS_EXIT)
			continue;
		g_array_append_val(sites, site);
		launch->site_of[i] = sites->len;
	}
}

static gboolean convert_events(Launch *launch, GError **error)
{
	RawCursor cursor = {.recording = launch->recording};
	g_autoptr(GError) problem = NULL;
	Step step = {0};

	while (raw_next_event(&cursor, &step.event, &step.addresses, &problem)) {
		launch->counts->n_events++;
		if (!place_event(launch, &step, error))
			return FALSE;
		if (step.event->kind == RAW_ENTER) {
			step.warp->entered |= step.event->mask;
			continue;
		}
		step.index = sass_find(launch->function,
				       step.event->pc - launch->recording->launch->function_pc);
		step.instruction =
			step.index >= 0 ? sass_instruction(launch->function, step.index) : NULL;
		convert_event(launch, &step);
	}
	if (problem) {
		g_propagate_error(error, g_steal_pointer(&problem));
		return FALSE;
	}
	if (launch->counts->n_events != launch->recording->end->n_events ||
	    g_hash_table_size(launch->blocks) > 0) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_TRACE,
			    "%s: launch %u (%s): events are missing; capture again",
			    launch->recording->file->path, launch->recording->number + 1,
			    launch->recording->name);
		return FALSE;
	}
	return TRUE;
}

/* Kernels that the kernel starts run with its patches, and their events cannot be told from its
   own. */
static gboolean starts_kernels(const RawRecording *recording, const SassFunction *function,
			       GError **error)
{
	for (guint i = 0; i < function->instructions->len; i++)
		if (strstr(sass_instruction(function, i)->operands, "LaunchDevice")) {
			g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_TRACE,
				    "%s: launch %u (%s) starts kernels from the GPU, which no "
				    "trace can tell; record others with --kernel",
				    recording->file->path, recording->number + 1,
				    recording->name);
			return TRUE;
		}
	return FALSE;
}

gboolean convert_launch(const RawRecording *recording, SassFunction *function, unsigned target,
			gboolean raw, TraceWriter *writer, GArray *sites, ConvertCounts *counts,
			GError **error)
{
	const uint32_t *block = recording->launch->block;
	uint32_t n_threads = block[0] * block[1] * block[2];
	Launch launch = {
		.recording = recording,
		.function = function,
		.target = target,
		.raw = raw,
		.writer = writer,
		.counts = counts,
		.n_threads = n_threads,
		.n_warps = (n_threads + 31) / 32,
	};
	gboolean ok;

	if (starts_kernels(recording, function, error) || !is_whole(recording, error))
		return FALSE;
	launch.blocks = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	number_sites(&launch, sites);
	if (!raw)
		launch.locks = convert_find_locks(&launch);
	ok = convert_events(&launch, error);
	g_hash_table_unref(launch.blocks);
	g_free(launch.site_of);
	g_free(launch.locks);
	return ok;
}
