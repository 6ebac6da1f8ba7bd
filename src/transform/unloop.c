/* SPDX-License-Identifier: MIT */
/*
 * What a captured kernel has because its atomics are loops, taken out: a source around another, below a change that makes them something else.
 *
 * Atomics on floats and on 64-bit integers in shared memory are loops on NVIDIA's GPUs since Maxwell. The trace holds the code of each
 * try that failed in the run that was captured. And the compiler moves
 * no load across a loop: the loads of an unrolled loop over elements are each behind the atomic before. Without loops it puts them first, as
 * far as there is no other branch (on an H200: sum-uniform and sum-uniform-fixed of measurements/h200/variants.csv).
 * Not modelled: registers that so many loads take, and a compiler that unrolls further.
 */
#include "transform/unloop.h"

typedef struct {
	RecordSource source; /* first */
	Change change;
	RecordSource *below;
	bool loads_first;
	UnloopValues *values; /* NULL: there is no data flow, and no code */
} Unloop;

typedef struct {
	WarpStream stream; /* first */
	const Unloop *unloop;
	WarpStream *below;
	GArray *held; /* of Record: atomics, each behind the code before it, that loads go before */
	GArray *out; /* of Record, from n_out on: to be handed out */
	guint n_out;
	Record code; /* read ahead: what comes next decides where it goes */
	bool has_code, after_atom;
} UnloopStream;

/* Whether there is a branch in it: the compiler moves no load across one. */
static bool branches(const UnloopStream *stream, const Record *code)
{
	const Gap *gap = &stream->unloop->below->kernel.dataflow->gaps[code->gap];

	for (uint32_t i = 0; i < gap->n_operations; i++)
		if (gap->operations[i].class == CODE_BRANCH ||
		    code_is_taken(gap->operations[i].class))
			return true;
	return false;
}

static void hand_out_held(UnloopStream *stream)
{
	g_array_append_vals(stream->out, stream->held->data, stream->held->len);
	g_array_set_size(stream->held, 0);
}

static void hand_out_code(UnloopStream *stream, GArray *to)
{
	if (stream->has_code)
		g_array_append_val(to, stream->code);
	stream->has_code = false;
}

static void take(UnloopStream *stream, const Record *record)
{
	const bool atom =
		record->kind == RECORD_ATOM && change_reaches(&stream->unloop->change, record);

	if (record->kind == RECORD_CODE) {
		if (stream->after_atom &&
		    unloop_values_failed(stream->unloop->values, record->gap))
			return;
		stream->after_atom = false;
		if (stream->has_code && branches(stream, &stream->code))
			hand_out_held(stream);
		hand_out_code(stream, stream->out);
		stream->code = *record;
		stream->has_code = true;
		return;
	}
	if (atom && stream->unloop->loads_first) {
		if (stream->has_code && branches(stream, &stream->code))
			hand_out_held(stream);
		hand_out_code(stream, stream->held);
		g_array_append_val(stream->held, *record);
		stream->after_atom = true;
		return;
	}
	if (record->kind != RECORD_LDG || (stream->has_code && branches(stream, &stream->code)))
		hand_out_held(stream);
	hand_out_code(stream, stream->out);
	stream->after_atom = atom;
	g_array_append_val(stream->out, *record);
}

static StreamStatus next(WarpStream *base, Record *record)
{
	UnloopStream *stream = (UnloopStream *)base;

	while (stream->n_out == stream->out->len) {
		StreamStatus status = stream->below->next(stream->below, record);

		if (status != STREAM_RECORD)
			return status;
		g_array_set_size(stream->out, 0);
		stream->n_out = 0;
		take(stream, record);
	}
	*record = g_array_index(stream->out, Record, stream->n_out++);
	return STREAM_RECORD;
}

static void stream_close(WarpStream *base)
{
	UnloopStream *stream = (UnloopStream *)base;

	stream->below->close(stream->below);
	g_array_unref(stream->held);
	g_array_unref(stream->out);
	g_free(stream);
}

static void block_info(RecordSource *base, uint64_t block, BlockInfo *info)
{
	const Unloop *unloop = (const Unloop *)base;

	unloop->below->block_info(unloop->below, block, info);
}

static uint64_t same_block(RecordSource *base, uint64_t block, BlockEquality equality)
{
	const Unloop *unloop = (const Unloop *)base;

	return unloop->below->same_block(unloop->below, block, equality);
}

static WarpStream *open_warp(RecordSource *base, uint64_t block, uint32_t warp)
{
	const Unloop *unloop = (const Unloop *)base;
	WarpStream *below = unloop->below->open_warp(unloop->below, block, warp);
	UnloopStream *stream;

	if (below == NULL)
		return NULL;
	stream = g_new0(UnloopStream, 1);
	stream->stream = (WarpStream){.next = next, .close = stream_close};
	stream->unloop = unloop;
	stream->below = below;
	stream->held = g_array_new(FALSE, FALSE, sizeof(Record));
	stream->out = g_array_new(FALSE, FALSE, sizeof(Record));
	return &stream->stream;
}

RecordSource *unloop_open(const Change *change, RecordSource *below)
{
	Unloop *unloop = g_new0(Unloop, 1);

	unloop->source = *below;
	unloop->source.block_info = block_info;
	unloop->source.open_warp = open_warp;
	unloop->source.same_block = below->same_block ? same_block : NULL;
	unloop->change = *change;
	unloop->below = below;
	unloop->loads_first = change->kind->ends_loops && !change->still_loops;
	if (below->kernel.dataflow != NULL) {
		unloop->values = unloop_values_new(change, unloop->loads_first, below);
		unloop->source.kernel.dataflow = unloop_values_dataflow(unloop->values);
	}
	return &unloop->source;
}

void unloop_close(RecordSource *source)
{
	unloop_values_free(((Unloop *)source)->values);
	g_free(source);
}
