/* SPDX-License-Identifier: MIT */
/* The source around a source: each record that reaches the array is replaced, as a change says. */
#include "transform/change.h"

typedef struct {
	RecordSource source; /* first: what the run sees */
	Change change;
	RecordSource *below;
} Transform;

typedef struct {
	WarpStream stream; /* first */
	const Change *change;
	WarpStream *below;
	Place place;
	uint64_t held;	/* version 1: lanes that hold a spin lock */
	uint32_t depth; /* version 2: sections that the warp is in */
	bool lock_sections;
	bool first;    /* nothing below gives atomics a mechanism */
	Record record; /* that is being replaced */
	uint32_t next; /* of the records that stand for it; 0: none is being replaced */
} TransformStream;

static bool reaches(const Change *change, const Record *record)
{
	return record_has_shared_addresses(record) && record->address[0] >= change->first &&
	       record->address[0] < change->end;
}

/* What lies behind the array moves up. */
static void move_behind(const Change *change, Record *record)
{
	if (!record_has_shared_addresses(record) || record->address[0] < change->end)
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

static StreamStatus next(WarpStream *base, Record *record)
{
	TransformStream *stream = (TransformStream *)base;
	const Change *change = stream->change;
	StreamStatus status;

	for (;;) {
		if (stream->next > 0) {
			if (change->kind->expand(change, &stream->place, &stream->record,
						 stream->next++, record))
				return STREAM_RECORD;
			stream->next = 0;
		}
		status = stream->below->next(stream->below, &stream->record);
		if (status != STREAM_RECORD)
			return status;
		stream->place.n_before++;
		if (stream->first)
			stream->record.mechanism = 0;
		follow_locks(stream);
		if (!reaches(change, &stream->record)) {
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
	g_free(stream);
}

static void block_info(RecordSource *base, uint64_t block, BlockInfo *info)
{
	const Transform *transform = (const Transform *)base;

	transform->below->block_info(transform->below, block, info);
	info->shared_bytes += transform->change.grown_bytes;
}

static uint64_t same_block(RecordSource *base, uint64_t block, BlockEquality equality)
{
	const Transform *transform = (const Transform *)base;

	return transform->below->same_block(transform->below, block, equality);
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
	stream->stream = (WarpStream){next, stream_close};
	stream->change = &transform->change;
	stream->below = below;
	stream->lock_sections = base->kernel.lock_sections;
	stream->first = transform->below->kernel.mechanisms == NULL;
	stream->place = (Place){warp, info.n_warps, lanes, false, block, 0};
	return &stream->stream;
}

RecordSource *transform_open(const Change *change, const char *const *mechanisms,
			     RecordSource *below)
{
	Transform *transform = g_new0(Transform, 1);

	/* All that the source says of the whole kernel holds for the changed one. */
	transform->source = *below;
	transform->source.block_info = block_info;
	transform->source.open_warp = open_warp;
	transform->source.same_block =
		below->same_block && !change->kind->by_block ? same_block : NULL;
	if (mechanisms[0] != NULL)
		transform->source.kernel.mechanisms = mechanisms;
	transform->change = *change;
	transform->below = below;
	return &transform->source;
}

void transform_close(RecordSource *source)
{
	g_free(source);
}
