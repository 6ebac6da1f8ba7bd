/* SPDX-License-Identifier: MIT */
/* The source around a source: each record that reaches the array is replaced, as a change says. */
#include "transform/change.h"
#include "transform/unloop.h"

typedef struct {
	RecordSource source; /* first: what the run sees */
	Change change;
	RecordSource *below;
	RecordSource *unloop; /* which is below; NULL: none is */
	Code *code; /* of the change; NULL: the trace has no data flow, or the change adds none */
	uint64_t *buffer_bytes; /* with one changed; NULL: as below */
} Transform;

typedef struct {
	WarpStream stream; /* first */
	const Change *change;
	WarpStream *below;
	Place place;
	uint64_t held;	/* version 1: lanes that hold a spin lock */
	uint32_t depth; /* version 2: sections that the warp is in */
	bool lock_sections;
	bool first;	  /* nothing below gives atomics a mechanism */
	Record record;	  /* that is being replaced */
	uint32_t next;	  /* of the records that stand for it; 0: none is being replaced */
	WarpState *state; /* of a change that rewrites */
	/* Of one that rewrites or surrounds: */
	GArray *pending; /* of Record: what is to be handed out, from n_out on */
	guint n_out;
	bool begun;
} TransformStream;

/* What lies behind the array moves up. */
static void move_behind(const Change *change, Record *record)
{
	if (change->grown_bytes == 0 || !record_has_shared_addresses(record) ||
	    record->address[0] < change->end)
		return;
	for (uint32_t i = 0; i < record->n_lanes; i++)
		record->address[i] += change->grown_bytes;
}

/* Whether the record is of a critical section: a lock is, and so is its unlock. */
static void follow_locks(TransformStream *stream)
{
	const Record *record = &stream->record;
	bool lock = record->kind == RECORD_LOCK, unlock = record->kind == RECORD_UNLOCK;

	stream->depth += lock;
	stream->held |= lock ? record->mask : 0;
	stream->place.in_section =
		stream->lock_sections ? stream->depth > 0 : stream->held != 0;
	stream->depth -= unlock && stream->depth > 0;
	stream->held &= unlock ? ~(uint64_t)record->mask : UINT64_MAX;
}

/* The next record below; what follows it is kept up. */
static StreamStatus read_below(TransformStream *stream)
{
	StreamStatus status = stream->below->next(stream->below, &stream->record);

	if (status != STREAM_RECORD)
		return status;
	stream->place.n_before++;
	if (stream->first)
		stream->record.mechanism = 0;
	follow_locks(stream);
	return status;
}

static StreamStatus next_rewritten(WarpStream *base, Record *record)
{
	TransformStream *stream = (TransformStream *)base;
	const Change *change = stream->change;

	while (stream->n_out == stream->pending->len) {
		StreamStatus status = STREAM_RECORD;

		g_array_set_size(stream->pending, 0);
		stream->n_out = 0;
		if (stream->begun)
			status = read_below(stream);
		if (status != STREAM_RECORD)
			return status;
		change->kind->rewrite(change, &stream->place, stream->state,
				      stream->begun ? &stream->record : NULL, stream->pending);
		stream->begun = true;
	}
	*record = g_array_index(stream->pending, Record, stream->n_out++);
	return STREAM_RECORD;
}

/* Puts what a change does at a warp's begin or end before the record. */
static void surround(TransformStream *stream, const Record *before)
{
	g_array_set_size(stream->pending, 0);
	stream->n_out = 0;
	stream->change->kind->surround(stream->change, &stream->place, before == NULL,
				       stream->pending);
	if (before != NULL)
		g_array_append_val(stream->pending, *before);
}

static StreamStatus next(WarpStream *base, Record *record)
{
	TransformStream *stream = (TransformStream *)base;
	const Change *change = stream->change;
	StreamStatus status;

	for (;;) {
		if (stream->pending != NULL && !stream->begun) {
			surround(stream, NULL);
			stream->begun = true;
		}
		if (stream->pending != NULL && stream->n_out < stream->pending->len) {
			*record = g_array_index(stream->pending, Record, stream->n_out++);
			return STREAM_RECORD;
		}
		if (stream->next > 0) {
			if (change->kind->expand(change, &stream->place, &stream->record,
						 stream->next++, record))
				return STREAM_RECORD;
			stream->next = 0;
		}
		status = read_below(stream);
		if (status != STREAM_RECORD)
			return status;
		if (stream->pending != NULL && stream->record.kind == RECORD_EXIT) {
			surround(stream, &stream->record);
			continue;
		}
		if (!change_reaches(change, &stream->record)) {
			*record = stream->record;
			move_behind(change, record);
			return STREAM_RECORD;
		}
		if (change->kind->expand(change, &stream->place, &stream->record, 0, record)) {
			stream->next = 1;
			return STREAM_RECORD;
		}
	}
}

static void stream_close(WarpStream *base)
{
	TransformStream *stream = (TransformStream *)base;

	stream->below->close(stream->below);
	g_clear_pointer(&stream->pending, g_array_unref);
	g_free(stream->state);
	g_free(stream);
}

static void block_info(RecordSource *base, uint64_t block, BlockInfo *info)
{
	const Transform *transform = (const Transform *)base;

	transform->below->block_info(transform->below, block, info);
	info->shared_bytes += transform->change.grown_bytes;
	if (transform->change.shared_bytes > 0)
		info->shared_bytes = transform->change.shared_bytes;
}

static uint64_t same_block(RecordSource *base, uint64_t block, BlockEquality equality)
{
	const Transform *transform = (const Transform *)base;

	/* What is made of atomics in a buffer depends on their places. */
	return transform->below->same_block(transform->below, block,
					    transform->change.buffer > 0 ? EQUAL_RECORDS
									 : equality);
}

static WarpStream *open_warp(RecordSource *base, uint64_t block, uint32_t warp)
{
	const Transform *transform = (const Transform *)base;
	WarpStream *below = transform->below->open_warp(transform->below, block, warp);
	TransformStream *stream;
	uint32_t lanes = kernel_warp_lanes(&base->kernel);
	BlockInfo info;

	if (!below)
		return NULL;
	transform->below->block_info(transform->below, block, &info);
	stream = g_new0(TransformStream, 1);
	stream->stream = (WarpStream){.next = next, .close = stream_close};
	stream->change = &transform->change;
	if (stream->change->kind->rewrite) {
		stream->stream.next = next_rewritten;
		stream->state = g_new0(WarpState, 1);
	}
	if (stream->change->kind->rewrite || stream->change->kind->surround)
		stream->pending = g_array_new(FALSE, FALSE, sizeof(Record));
	stream->below = below;
	stream->lock_sections = base->kernel.lock_sections;
	stream->first = transform->below->kernel.mechanisms == NULL;
	stream->place = (Place){warp, info.n_warps, lanes, false, block, 0};
	return &stream->stream;
}

/* The data flow with what the change computes. */
static void add_code(Transform *transform, const SharedArray *array)
{
	Change *change = &transform->change;
	const Dataflow *below = transform->below->kernel.dataflow;

	if (below == NULL || change->kind->add_code == NULL)
		return;
	transform->code = code_new(below);
	change->n_sites = below->n_sites;
	change->kind->add_code(change, array, transform->code);
	transform->source.kernel.dataflow = code_dataflow(transform->code);
}

/* The buffers, one of which has become larger. */
static void resize_buffer(Transform *transform)
{
	const Change *change = &transform->change;
	KernelInfo *kernel = &transform->source.kernel;

	if (change->buffer_bytes == 0)
		return;
	transform->buffer_bytes = g_memdup2(kernel->buffer_bytes,
					    kernel->n_buffers * sizeof *kernel->buffer_bytes);
	transform->buffer_bytes[change->buffer - 1] = change->buffer_bytes;
	kernel->buffer_bytes = transform->buffer_bytes;
}

RecordSource *transform_open(const Change *change, const SharedArray *array,
			     const char *const *mechanisms, RecordSource *below)
{
	Transform *transform = g_new0(Transform, 1);

	/* All that the source says of the whole kernel holds for the changed one. */
	transform->change = *change;
	transform->below = below;
	if (change->kind->drops_tries && change->atom_loops)
		transform->below = transform->unloop = unloop_open(change, below);
	transform->source = *transform->below;
	transform->source.block_info = block_info;
	transform->source.open_warp = open_warp;
	transform->source.same_block =
		below->same_block && !change->by_block ? same_block : NULL;
	if (change->grown_bytes > 0 || change->shared_bytes > 0 || change->buffer_bytes > 0)
		transform->source.kernel.array_bytes = 0;
	if (mechanisms[0] != NULL)
		transform->source.kernel.mechanisms = mechanisms;
	add_code(transform, array);
	resize_buffer(transform);
	return &transform->source;
}

void transform_close(RecordSource *source)
{
	Transform *transform = (Transform *)source;

	code_free(transform->code);
	if (transform->unloop)
		unloop_close(transform->unloop);
	g_free(transform->buffer_bytes);
	g_free(transform->change.gaps);
	g_clear_pointer(&transform->change.reached, g_ptr_array_unref);
	g_free(transform);
}
