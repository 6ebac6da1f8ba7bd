/* SPDX-License-Identifier: MIT */
/*
 * What the files of the reader share: reader.c opens, by layout.c, segment.c reads and decompresses,
 * stream.c hands out records, check.c looks at everything. Nobody else may include it.
 */
#ifndef ATOMSIM_TRACE_INTERNAL_H
#define ATOMSIM_TRACE_INTERNAL_H

#include <cjson/cJSON.h>
#include <glib.h>

#include "trace/codec.h"
#include "trace/dataflow.h"
#include "trace/format.h"
#include "trace/reader.h"

struct TraceReader {
	RecordSource source; /* first, so that a source is its reader */
	char *name;
	int fd;			/* -1: all bytes are in memory */
	GBytes *bytes;		/* NULL: they are in the file, which is too large for that */
	const uint8_t *memory;	/* of bytes */
	uint64_t n_bytes;	/* of the file */
	uint64_t end_of_blocks; /* segments and directories lie between the header and this */
	uint32_t version;
	char *metadata;
	cJSON *metadata_json;
	uint32_t n_sites;
	uint64_t *buffer_bytes; /* of each buffer of the metadata */
	Dataflow *dataflow;	/* NULL: none */
	TraceRules rules;	/* all but the shared bytes of a block */
	TraceIndexEntry *index; /* one entry a block */

	GMutex lock;		 /* of all that follows */
	GHashTable *directories; /* block number to Directory, of the blocks in use */
	uint64_t keep_bytes;	 /* still free for segments that are kept */
	bool keep;
	struct TraceStream *closed_streams; /* a list */
	char *sha256;
	GError *failure; /* of the lowest block and warp */
	uint64_t failure_block;
	uint32_t failure_warp;
};

/* The directory of a block that is in use, and what is kept of its segments. */
typedef struct {
	TraceReader *reader;
	uint64_t block;
	unsigned n_users; /* streams, and the reader if it keeps segments */
	uint32_t n_warps;
	/* Of the file, from byte `from` on, the directory last: the two tables lie in it, at multiples of 8; and what
	   lies in front of it, where the block's segments are so short. */
	uint8_t *bytes;
	uint64_t from;
	const TraceWarpEntry *warps;
	const TraceSegmentEntry *segments;
	uint32_t *first_segment; /* of each warp; the last entry is the end */
	uint8_t **kept;		 /* padded segments or NULL; NULL if the reader keeps none */
} Directory;

/* The parts of a reader's life that are not reader.c's. */
void segments_init(TraceReader *reader);
void segments_clear(TraceReader *reader);
void source_init(TraceReader *reader);
void source_clear(TraceReader *reader);

/* Takes a user's reference to a block's directory, reading it if it is not in use yet. */
Directory *directory_open(TraceReader *reader, uint64_t block, GError **error);
void directory_close(Directory *directory);

/* Reads, checks and decompresses a segment into `buffer` of its raw_bytes, and if it is to be padded of
   TRACE_MAX_RECORD_BYTES zeros more. */
bool segment_read(Directory *directory, uint32_t segment, uint8_t *buffer, bool pad,
		  GError **error);

/* A warp's stream with an error of its own: the reader's failure is left alone. */
WarpStream *stream_open(Directory *directory, uint32_t warp);
const GError *stream_error(const WarpStream *stream);
/* Segments of the warp that were opened so far, the one that failed included. */
uint32_t stream_segments(const WarpStream *stream);
/* Decompressed bytes of the records that were handed out so far. */
uint64_t stream_bytes(const WarpStream *stream);

/* Reads and checks the header, the footer and the extension of it; of version 1 that is zeros and 32. */
bool layout_read(TraceReader *reader, TraceFooter *footer, TraceExtension *extension,
		 GError **error);

/* Sets an error of the file `name` at a byte. False. */
bool reader_refuse(GError **error, const char *name, uint64_t offset, const char *format, ...)
	G_GNUC_PRINTF(4, 5);

/* Gives a pointer to file bytes: into memory, or into `buffer` of at least `length` bytes. */
const uint8_t *reader_bytes(TraceReader *reader, uint64_t offset, size_t length, void *buffer,
			    GError **error);

/* What a reader and a writer need of the metadata. */
typedef struct {
	uint32_t n_sites;
	uint32_t n_buffers;
	uint64_t *buffer_bytes; /* g_free */
	cJSON *json;		/* all of it; cJSON_Delete */
	KernelFact global_atomics;
} MetadataFacts;

/* False and an error if it is no JSON object, or if version 2's "buffers" are not as the format says;
   version 1 has none. metadata[length] is NUL. */
bool metadata_check(const char *metadata, size_t length, const char *name, uint32_t version,
		    MetadataFacts *facts, GError **error);

#endif
