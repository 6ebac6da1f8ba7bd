/* SPDX-License-Identifier: MIT */
/*
 * Blocks that are equal. Record by record: byte by byte, known before any of them is decompressed. A block's directory has
 * the checksum of each segment; where two have the same ones, the stored bytes are compared. But for places in global memory:
 * their records are read side by side.
 */
#include <string.h>
#include <xxhash.h>

#include "trace/codec.h"
#include "trace/internal.h"

/* The first block that was found with a digest: no other is compared with those of that digest. */
typedef struct {
	uint64_t digest; /* first: the key */
	uint64_t block;
	bool differs; /* from one of these */
} First;

static uint64_t digest_add(uint64_t digest, uint64_t a, uint64_t b)
{
	const uint64_t parts[] = {digest, a, b};

	return XXH64(parts, sizeof parts, 0);
}

/* Of all that equal blocks have in common but the bytes of their segments; or but their segments. */
static uint64_t digest_of(const Directory *directory, BlockEquality equality)
{
	const TraceIndexEntry *entry = &directory->reader->index[directory->block];
	uint64_t digest = digest_add(0, entry->shared_bytes, directory->n_warps);

	for (uint32_t w = 0; w < directory->n_warps; w++)
		digest = digest_add(digest, directory->warps[w].n_records,
				    equality == EQUAL_RECORDS ? directory->warps[w].n_segments
							      : 0);
	if (equality != EQUAL_RECORDS)
		return digest;
	for (uint32_t s = 0; s < directory->first_segment[directory->n_warps]; s++) {
		const TraceSegmentEntry *segment = &directory->segments[s];

		digest = digest_add(digest,
				    (uint64_t)segment->raw_bytes << 32 | segment->stored_bytes,
				    segment->xxh64);
	}
	return digest;
}

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

static bool warps_equal(Directory *a, Directory *b, uint32_t warp)
{
	WarpStream *of_a = stream_open(a, warp), *of_b = stream_open(b, warp);
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

static bool blocks_equal(Directory *a, Directory *b, BlockEquality equality)
{
	const TraceIndexEntry *index = a->reader->index;
	bool equal = index[a->block].shared_bytes == index[b->block].shared_bytes &&
		     a->n_warps == b->n_warps;

	if (equal && equality == EQUAL_RECORDS)
		return memcmp(a->warps, b->warps, a->n_warps * sizeof *a->warps) == 0 &&
		       bytes_equal(a, b);
	for (uint32_t w = 0; equal && w < a->n_warps; w++)
		equal = warps_equal(a, b, w);
	return equal;
}

/* A block to compare with, this one if there is none. */
static uint64_t first_with(TraceReader *reader, uint64_t digest, uint64_t block,
			   BlockEquality equality)
{
	g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&reader->lock);
	GHashTable **firsts = &reader->firsts[equality];
	First *first;

	if (!*firsts)
		*firsts = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	first = g_hash_table_lookup(*firsts, &digest);
	if (first)
		return first->differs ? block : first->block;
	first = g_new(First, 1);
	*first = (First){digest, block, false};
	g_hash_table_insert(*firsts, first, first);
	return block;
}

/* Blocks of one shape are often all equal or all different: after one that differs no more are read. */
static void note_difference(TraceReader *reader, uint64_t digest, BlockEquality equality)
{
	g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&reader->lock);
	First *first = g_hash_table_lookup(reader->firsts[equality], &digest);

	first->differs = true;
}

/* What cannot be read is equal to nothing: who opens it says why. */
static uint64_t find_same(TraceReader *reader, uint64_t block, BlockEquality equality)
{
	Directory *own = directory_open(reader, block, NULL), *other;
	uint64_t digest, first;

	if (!own)
		return block;
	digest = digest_of(own, equality);
	first = first_with(reader, digest, block, equality);
	if (first != block) {
		other = directory_open(reader, first, NULL);
		if (!other || !blocks_equal(own, other, equality)) {
			note_difference(reader, digest, equality);
			first = block;
		}
		if (other)
			directory_close(other);
	}
	directory_close(own);
	return first;
}

uint64_t reader_same_block(RecordSource *source, uint64_t block, BlockEquality equality)
{
	TraceReader *reader = (TraceReader *)source;
	uint64_t *known, found;

	g_mutex_lock(&reader->lock);
	if (!reader->same[equality])
		reader->same[equality] = g_new0(uint64_t, source->n_blocks);
	known = &reader->same[equality][block];
	found = *known;
	g_mutex_unlock(&reader->lock);
	if (found)
		return found - 1;
	found = equality == EQUAL_RECORDS ? block
					  : reader_same_block(source, block, EQUAL_RECORDS);
	found = found == block ? find_same(reader, block, equality)
			       : reader_same_block(source, found, equality);
	g_mutex_lock(&reader->lock);
	*known = found + 1;
	g_mutex_unlock(&reader->lock);
	return found;
}

void same_clear(TraceReader *reader)
{
	for (int equality = 0; equality < N_BLOCK_EQUALITIES; equality++) {
		g_clear_pointer(&reader->firsts[equality], g_hash_table_unref);
		g_free(reader->same[equality]);
	}
}
