/* SPDX-License-Identifier: MIT */
/*
 * Events of a launch to its warps. Events of one warp are in its program order in the raw capture;
 * they are kept until the warp has ended, and recorded then (records.c).
 */
#include "gpu/convert/internal.h"

#include <string.h>

#include "base/error.h"
#include "gpu/sass/link.h"

static void block_free(gpointer data)
{
	Block *block = data;

	for (uint32_t w = 0; w < block->n_warps; w++)
		if (block->warps[w].events)
			g_ptr_array_unref(block->warps[w].events);
	g_free(block);
}

static Block *open_block(Launch *launch, const RawEvent *event)
{
	Block *block = g_malloc0(sizeof(Block) + launch->n_warps * sizeof(Warp));

	block->shared_bytes = event->detail;
	block->n_warps = launch->n_warps;
	for (uint32_t w = 0; w < launch->n_warps; w++)
		block->warps[w].events = g_ptr_array_new();
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
			step->block_id = event->block_id;
			step->warp_number = event->warp;
			if (enters ? !(event->mask & step->warp->entered)
				   : !(event->mask &
				       (~step->warp->entered | step->warp->exited)))
				return TRUE;
		}
	}
	return atomsim_fail(
		error, ATOMSIM_ERROR_TRACE,
		"%s: launch %u: an event of lanes that do not run (block %" G_GUINT64_FORMAT
		", warp %u); capture again",
		launch->recording->file->path, launch->recording->number + 1, event->block_id,
		event->warp);
}

static gboolean is_whole(const RawRecording *recording, GError **error)
{
	const RawEnd *end = recording->end;
	const char *path = recording->file->path;
	uint32_t number = recording->number + 1;

	if (!end || end->failed)
		atomsim_fail(
			error, ATOMSIM_ERROR_TRACE,
			"%s: launch %u (%s) did not end well: the program or the GPU failed",
			path, number, recording->name);
	else if (end->dropped)
		atomsim_fail(error, ATOMSIM_ERROR_TRACE,
			     "%s: launch %u (%s): %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
			     " events were lost; capture again",
			     path, number, recording->name, end->dropped, end->n_events);
	return end && !end->failed && !end->dropped;
}

/* What must be known of all events before the first is recorded: which instructions make records, and
   which memory they access. Sites are in the order of the code, so that numbers do not depend on which
   warp came first. Damaged events end it: who converts them will say so. */
static void look_ahead(Launch *launch, GArray *sites)
{
	guint n = launch->function->instructions->len;
	g_autofree bool *seen = g_new0(bool, n + 1);
	g_autofree bool *local = g_new0(bool, n + 1);
	RawCursor cursor = {.recording = launch->recording};
	const RawEvent *event;
	const void *addresses;

	while (raw_next_event(&cursor, &event, &addresses, NULL)) {
		int index = sass_find_pc(launch->function,
					 launch->recording->launch->function_pc, event->pc);
		guint n_lanes = (guint)__builtin_popcount(event->mask);

		if (index >= 0)
			seen[index] = true;
		if (index >= 0 && event->kind == RAW_LOCAL_AT)
			local[index] = true;
		for (guint i = 0; event->kind == RAW_GLOBAL && i < n_lanes; i++)
			buffers_add(launch->buffers, raw_address(event, addresses, i),
				    event->bytes);
		for (guint i = 0; event->kind == RAW_LOCAL_AT && i < n_lanes; i++)
			buffers_add_local(launch->buffers, raw_address(event, addresses, i),
					  event->bytes);
	}
	buffers_number(launch->buffers);
	launch->site_of = g_new0(uint32_t, n + 1);
	for (guint i = 0; i < n; i++) {
		const SassInstruction *instruction = sass_instruction(launch->function, (int)i);
		ConvertSite site = {instruction, (int)i};
		/* These make records without an event. */
		bool is_recorded = instruction->special == SASS_FENCE ||
				   instruction->special == SASS_ARRIVAL;

		if (!is_recorded && !local[i] &&
		    (!seen[i] || !instruction->recorded || instruction->flow == SASS_EXIT))
			continue;
		g_array_append_val(sites, site);
		launch->site_of[i] = sites->len;
		gaps_add_site(launch->gaps, (int)i, sites->len);
	}
}

static void end_warp(Launch *launch, const Step *step)
{
	convert_warp(launch, step->block, step->block_id, step->warp_number);
	g_clear_pointer(&step->warp->events, g_ptr_array_unref);
	if (++step->block->n_ended < launch->n_warps)
		return;
	trace_writer_end_block(launch->writer, step->block_id);
	launch->counts->n_blocks++;
	g_hash_table_remove(launch->blocks, &step->block_id);
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
		g_ptr_array_add(step.warp->events, (gpointer)step.event);
		if (step.event->kind == RAW_EXIT)
			step.warp->exited |= step.event->mask;
		if (step.warp->exited == step.warp->entered)
			end_warp(launch, &step);
	}
	if (problem) {
		g_propagate_error(error, g_steal_pointer(&problem));
		return FALSE;
	}
	if (launch->counts->n_events != launch->recording->end->n_events ||
	    g_hash_table_size(launch->blocks) > 0)
		return atomsim_fail(error, ATOMSIM_ERROR_TRACE,
				    "%s: launch %u (%s): events are missing; capture again",
				    launch->recording->file->path,
				    launch->recording->number + 1, launch->recording->name);
	return TRUE;
}

/* Kernels that the kernel starts run with its patches, and their events cannot be known from its
   own. */
static gboolean starts_kernels(const RawRecording *recording, const SassFunction *function,
			       GError **error)
{
	for (guint i = 0; i < function->instructions->len; i++)
		if (strstr(sass_instruction(function, i)->operands, "LaunchDevice")) {
			atomsim_fail(error, ATOMSIM_ERROR_TRACE,
				     "%s: launch %u (%s) starts kernels from the GPU, which no "
				     "trace can say; record others with --kernel",
				     recording->file->path, recording->number + 1,
				     recording->name);
			return TRUE;
		}
	return FALSE;
}

/* What the kernel's code is given. */
static void describe_shape(const RawRecording *recording, ComputeLaunch *shape)
{
	const RawParameters *parameters = recording->parameters;

	memcpy(shape->grid, recording->launch->grid, sizeof(shape->grid));
	memcpy(shape->block, recording->launch->block, sizeof(shape->block));
	memcpy(shape->cluster, recording->launch->cluster, sizeof(shape->cluster));
	if (!parameters)
		return;
	shape->parameters = (const unsigned char *)(parameters + 1);
	shape->parameters_offset = parameters->offset;
	shape->parameters_bytes = parameters->bytes;
}

static void list_parameters(const Launch *launch, GArray *lines)
{
	const RawParameters *raw = launch->recording->parameters;
	const KernelParameters parameters = {.offset = raw ? raw->offset : 0,
					     .bytes = raw ? raw->bytes : 0};

	if (parameters.bytes == 0)
		return;
	for (uint32_t i = 0; i < kernel_parameter_lines(raw->offset, raw->bytes); i++) {
		const uint16_t line = gap_lines_find(gaps_lines(launch->gaps), 0,
						     kernel_parameter_line_at(&parameters, i));

		g_array_append_val(lines, line);
	}
}

static void list_constants(const Launch *launch, GArray *constants)
{
	const GArray *places = gap_lines_places(gaps_lines(launch->gaps));

	g_array_append_vals(constants, places->data, places->len);
}

void convert_lists_init(ConvertLists *lists)
{
	lists->sites = g_array_new(FALSE, FALSE, sizeof(ConvertSite));
	lists->buffers = g_array_new(FALSE, FALSE, sizeof(ConvertBuffer));
	lists->parameter_lines = g_array_new(FALSE, FALSE, sizeof(uint16_t));
	lists->constants = g_array_new(FALSE, FALSE, sizeof(ConstantPlace));
}

void convert_lists_clear(ConvertLists *lists)
{
	g_clear_pointer(&lists->sites, g_array_unref);
	g_clear_pointer(&lists->buffers, g_array_unref);
	g_clear_pointer(&lists->parameter_lines, g_array_unref);
	g_clear_pointer(&lists->constants, g_array_unref);
}

gboolean convert_launch(const RawRecording *recording, SassFunction *function, unsigned target,
			gboolean raw, TraceWriter *writer, ConvertLists *lists,
			ConvertCounts *counts, GError **error)
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
	g_autofree bool *open = NULL;
	gboolean ok;

	if (starts_kernels(recording, function, error) || !is_whole(recording, error))
		return FALSE;
	launch.blocks = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, block_free);
	launch.buffers = buffers_new(recording);
	trace_writer_set_version_2(writer, TRACE_MAX_LANES);
	launch.gaps = gaps_new(function, writer);
	launch.map = walk_map_new(function, recording->file->version >= 2);
	describe_shape(recording, &launch.shape);
	open = walk_open_branches(launch.map);
	launch.code = compute_code_new(function, &launch.shape, open);
	launch.steps = g_array_new(FALSE, FALSE, sizeof(WalkStep));
	look_ahead(&launch, lists->sites);
	if (!raw)
		launch.locks = convert_find_locks(&launch);
	ok = convert_events(&launch, error);
	counts->dropped_values = gaps_n_dropped(launch.gaps);
	for (guint i = 0; i < buffers_count(launch.buffers); i++) {
		ConvertBuffer buffer = buffers_get(launch.buffers, i);

		g_array_append_val(lists->buffers, buffer);
	}
	list_parameters(&launch, lists->parameter_lines);
	list_constants(&launch, lists->constants);
	g_hash_table_unref(launch.blocks);
	buffers_free(launch.buffers);
	gaps_free(launch.gaps);
	walk_map_free(launch.map);
	compute_code_free(launch.code);
	g_array_unref(launch.steps);
	g_free(launch.site_of);
	g_free(launch.locks);
	return ok;
}
