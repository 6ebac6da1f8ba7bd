/* SPDX-License-Identifier: MIT */
/*
 * Blocks that are equal. What refers to a stored block is equal to it if nothing moves, and but for places if all moves are whole
 * 128-byte segments. Of stored blocks, record by record: byte by byte, known before any of them is decompressed. A block's directory has
 * the checksum of each segment; where two have the same ones, the stored bytes are compared. But for places in global memory:
 * their records are read side by side.
 */
#include <xxhash.h>

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
static uint64_t digest_of(const Compared *compared, BlockEquality equality)
{
	const Directory *directory = compared->directory;
	const Place *place = &compared->place;
	const TraceIndexEntry *entry = &directory->reader->entries[directory->stored];
	uint64_t digest = digest_add(0, entry->shared_bytes, directory->n_warps);

	for (uint32_t w = 0; w < directory->n_warps; w++)
		digest = digest_add(digest, directory->warps[w].n_records,
				    equality == EQUAL_RECORDS ? directory->warps[w].n_segments
							      : 0);
	if (equality != EQUAL_RECORDS)
		return digest;
	for (uint32_t c = 0; place->span && c < place->span->template->n_classes; c++)
		digest = digest_add(
			digest, c,
			(uint64_t)references_shift(&directory->reader->references, place, c));
	for (uint32_t s = 0; s < directory->first_segment[directory->n_warps]; s++) {
		const TraceSegmentEntry *segment = &directory->segments[s];

		digest = digest_add(digest,
				    (uint64_t)segment->raw_bytes << 32 | segment->stored_bytes,
				    segment->xxh64);
	}
	return digest;
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

static Compared compared_open(TraceReader *reader, uint64_t block)
{
	const Place place = references_place(&reader->references, reader->entries, block);

	return (Compared){block, place, directory_open(reader, place.stored, NULL)};
}

static void compared_close(const Compared *compared)
{
	if (compared->directory)
		directory_close(compared->directory);
}

/* What cannot be read is equal to nothing: who opens it says why. */
static uint64_t find_same(TraceReader *reader, uint64_t block, BlockEquality equality)
{
	const Compared own = compared_open(reader, block);
	uint64_t digest, first;

	if (!own.directory)
		return block;
	digest = digest_of(&own, equality);
	first = first_with(reader, digest, block, equality);
	if (first != block) {
		const Compared other = compared_open(reader, first);

		if (!other.directory || !compared_equal(&own, &other, equality)) {
			note_difference(reader, digest, equality);
			first = block;
		}
		compared_close(&other);
	}
	compared_close(&own);
	return first;
}

/* Whether a stored block is but for places equal to what is moved by whole 128-byte segments: it is to itself, if it
   has no locks. */
static bool may_be_moved(TraceReader *reader, uint64_t stored)
{
	const uint64_t block = references_stored_place(&reader->references, stored);
	Compared own;
	uint8_t *known;
	uint8_t may;

	g_mutex_lock(&reader->lock);
	if (!reader->may_be_moved)
		reader->may_be_moved = g_new0(uint8_t, reader->n_stored);
	known = &reader->may_be_moved[stored];
	may = *known;
	g_mutex_unlock(&reader->lock);
	if (may)
		return may == 2;
	own = compared_open(reader, block);
	may = own.directory && compared_equal(&own, &own, EQUAL_BUT_PLACES) ? 2 : 1;
	compared_close(&own);
	g_mutex_lock(&reader->lock);
	*known = may;
	g_mutex_unlock(&reader->lock);
	return may == 2;
}

/* A block that is known to be equal without a look at its records: what it refers to; itself if nothing is known. */
static uint64_t known_same(TraceReader *reader, uint64_t block, BlockEquality equality)
{
	const References *references = &reader->references;
	const Place place = references_place(references, reader->entries, block);
	bool moved = false;

	if (!place.span)
		return block;
	for (uint32_t c = 0; c < place.span->template->n_classes; c++) {
		const int64_t shift = references_shift(references, &place, c);

		moved |= shift != 0;
		if (shift % 128 != 0 || (shift != 0 && equality == EQUAL_RECORDS))
			return block;
	}
	return moved && !may_be_moved(reader, place.stored)
		       ? block
		       : references_stored_place(references, place.stored);
}

/* The first block that was found to be equal, itself if it is the first. */
static uint64_t same_of(TraceReader *reader, uint64_t block, BlockEquality equality)
{
	uint64_t found = known_same(reader, block, equality);

	if (found == block && equality != EQUAL_RECORDS)
		found = reader_same_block(&reader->source, block, EQUAL_RECORDS);
	return found == block ? find_same(reader, block, equality)
			      : reader_same_block(&reader->source, found, equality);
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
	found = same_of(reader, block, equality);
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
	g_free(reader->may_be_moved);
}
