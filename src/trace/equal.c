/* SPDX-License-Identifier: MIT */
/* Whether two blocks of a trace are equal. */
#include <string.h>

#include "trace/internal.h"

static bool segments_equal(const Directory *a, const Directory *b, uint32_t s)
{
	const TraceSegmentEntry *of_a = &a->segments[s], *of_b = &b->segments[s];
	uint8_t buffer_a[TRACE_MAX_STORED_BYTES], buffer_b[TRACE_MAX_STORED_BYTES];
	const uint8_t *bytes_a, *bytes_b;

	if (of_a->raw_bytes != of_b->raw_bytes || of_a->stored_bytes != of_b->stored_bytes ||
	    of_a->xxh64 != of_b->xxh64)
		return false;
	bytes_a = segment_stored(a, s, buffer_a, NULL);
	bytes_b = segment_stored(b, s, buffer_b, NULL);
	return bytes_a && bytes_b && memcmp(bytes_a, bytes_b, of_a->stored_bytes) == 0;
}

static bool bytes_equal(const Directory *a, const Directory *b)
{
	for (uint32_t s = 0; s < a->first_segment[a->n_warps]; s++)
		if (!segments_equal(a, b, s))
			return false;
	return true;
}

/* Of accesses to shared memory, or of atomics. */
static bool lanes_equal(const Record *a, const Record *b, bool atomic)
{
	if (a->mask != b->mask || a->width != b->width)
		return false;
	if (!atomic)
		return true;
	return a->operation == b->operation && a->type == b->type && a->result == b->result &&
	       a->has_values == b->has_values &&
	       (!a->has_values ||
		(memcmp(a->value, b->value, a->n_lanes * sizeof *a->value) == 0 &&
		 (a->operation != OPERATION_CAS ||
		  memcmp(a->compare, b->compare, a->n_lanes * sizeof *a->compare) == 0)));
}

/* But for places in buffers. Of locks always false: which lanes go on together depends on more than how many segments
   all of them touch. */
static bool records_equal(const Record *a, const Record *b)
{
	if (a->kind != b->kind || a->site != b->site)
		return false;
	switch ((RecordKind)a->kind) {
	case RECORD_EXIT:
		return true;
	case RECORD_ALU:
	case RECORD_UNKNOWN:
	case RECORD_SHFL:
	case RECORD_VOTE:
		return a->count == b->count;
	case RECORD_BAR:
		return a->barrier == b->barrier && a->arrives == b->arrives &&
		       a->count == b->count;
	case RECORD_FENCE:
		return a->scope == b->scope;
	case RECORD_CODE:
		return a->gap == b->gap;
	case RECORD_LDS:
	case RECORD_STS:
	case RECORD_ATOM:
		return lanes_equal(a, b, a->kind == RECORD_ATOM) &&
		       memcmp(a->address, b->address, a->n_lanes * sizeof *a->address) == 0;
	case RECORD_LDG:
	case RECORD_STG:
	case RECORD_ATOMG:
		return a->buffer == b->buffer && a->mask == b->mask && a->bytes == b->bytes &&
		       a->count == b->count &&
		       (a->buffer == 0 ||
			(a->cache == b->cache && lanes_equal(a, b, a->kind == RECORD_ATOMG)));
	default:
		return false;
	}
}

static bool warps_equal(const Compared *a, const Compared *b, uint32_t warp)
{
	WarpStream *of_a = stream_open(a->directory, a->block, warp);
	WarpStream *of_b = stream_open(b->directory, b->block, warp);
	StreamStatus status = STREAM_FAILED;
	Record record_a, record_b;
	bool equal;

	do {
		status = of_a->next(of_a, &record_a);
		equal = status == of_b->next(of_b, &record_b) && status != STREAM_FAILED &&
			(status == STREAM_END || records_equal(&record_a, &record_b));
	} while (equal && status == STREAM_RECORD);
	of_a->close(of_a);
	of_b->close(of_b);
	return equal;
}

/* Of the same stored block and moved alike. */
static bool references_equal(const References *references, const Place *a, const Place *b)
{
	if (!a->span || !b->span || a->stored != b->stored)
		return false;
	for (uint32_t c = 0; c < a->span->template->n_classes; c++)
		if (references_shift(references, a, c) != references_shift(references, b, c))
			return false;
	return true;
}

bool compared_equal(const Compared *a, const Compared *b, BlockEquality equality)
{
	const Directory *of_a = a->directory, *of_b = b->directory;
	bool equal = of_a->rules.shared_bytes == of_b->rules.shared_bytes &&
		     of_a->n_warps == of_b->n_warps;

	if (equal && equality == EQUAL_RECORDS) {
		if (a->place.span || b->place.span)
			return references_equal(&of_a->reader->references, &a->place,
						&b->place);
		return memcmp(of_a->warps, of_b->warps, of_a->n_warps * sizeof *of_a->warps) ==
			       0 &&
		       bytes_equal(of_a, of_b);
	}
	for (uint32_t w = 0; equal && w < of_a->n_warps; w++)
		equal = warps_equal(a, b, w);
	return equal;
}
