/* SPDX-License-Identifier: MIT */
/*
 * What the files of the reader share: reader.c opens, by parts.c and layout.c; directory.c finds the segments of a block, segment.c
 * reads and decompresses them, stream.c hands out records, check.c looks at everything. Nobody else may include it.
 */
#ifndef ATOMSIM_TRACE_INTERNAL_H
#define ATOMSIM_TRACE_INTERNAL_H

#include <cjson/cJSON.h>
#include <glib.h>

#include "base/error.h"
#include "trace/codec.h"
#include "trace/dataflow.h"
#include "trace/format.h"
#include "trace/reader.h"
#include "trace/references.h"

#define N_WINDOWS 32

/* A piece of the file. The directories of blocks that lie in it keep it. */
typedef struct {
	uint64_t from, n_bytes;
	uint8_t *bytes; /* and TRACE_MAX_RECORD_BYTES more, whatever they are */
} Window;

struct TraceReader {
	RecordSource source; /* first, so that a source is its reader */
	char *name;
	int fd;			/* -1: all bytes are in memory */
	GBytes *bytes;		/* NULL: they are in the file, which is too large for that */
	const uint8_t *memory;	/* of bytes */
	uint64_t n_bytes;	/* of the file */
	uint64_t end_of_blocks; /* segments and directories lie between the header and this */
	uint32_t version;	/* of the file; that of its records: rules */
	char *metadata;
	cJSON *metadata_json;
	uint32_t n_sites;
	uint64_t *buffer_bytes; /* of each buffer of the metadata */
	uint8_t *buffer_before;
	uint16_t *parameter_lines;
	ConstantPlace *constants;
	Dataflow *dataflow;	  /* NULL: none */
	TraceRules rules;	  /* all but the shared bytes of a block */
	TraceIndexEntry *entries; /* of the index, one a stored block */
	uint64_t n_stored;
	References references; /* which of them each block of the launch is */

	char *sha256; /* atomically; NULL: not asked for yet */

	GMutex lock;		 /* of all that follows */
	GHashTable *directories; /* entry of the index to Directory, of the blocks in use */
	struct Directory *last_found; /* of these; NULL: it is no longer in use */
	uint64_t keep_bytes;	      /* still free for segments that are kept */
	bool keep; /* those of all blocks, not only of those that others refer to */
	Window *windows[N_WINDOWS]; /* read last, by their places in the file; NULL: none was */
	struct TraceStream *closed_streams; /* a list */
	/* Of each block the one that stands for all that are equal to it, and 1 more; 0: not looked for yet. */
	uint64_t *same[N_BLOCK_EQUALITIES];
	GHashTable *firsts[N_BLOCK_EQUALITIES]; /* of same.c */
	uint8_t *
		may_be_moved; /* of same.c, of each stored block: 0: not looked for, 1: no, 2: yes */
	GError *failure;      /* of the lowest block and warp */
	uint64_t failure_block;
	uint32_t failure_warp;
};

/* The directory of a stored block that is in use, and what is kept of its segments. */
typedef struct Directory {
	TraceReader *reader;
	uint64_t stored;  /* entry of the index */
	unsigned n_users; /* streams, and the reader if it keeps its segments */
	uint32_t n_warps;
	Window *window; /* where segments near it lie; NULL: in memory */
	uint8_t *bytes; /* of the file: both tables lie in it, at multiples of 8 */
	const TraceWarpEntry *warps;
	const TraceSegmentEntry *segments;
	uint32_t *first_segment;  /* of each warp; the last entry is the end */
	TraceRules rules;	  /* the reader's, and the block's shared bytes */
	uint32_t n_sites, n_gaps; /* the reader's */
	uint8_t **kept; /* padded segments or NULL; NULL if the reader keeps none of them */
} Directory;

/* Where the block's directory is, and if that is not much the block's segments, of a file that is not in memory. */
Window *window_open(TraceReader *reader, uint64_t stored, GError **error);
void window_close(Window *window);
/* So many bytes at an offset of the file; NULL: they are not in it. window: NULL has none. */
const uint8_t *window_bytes(const Window *window, uint64_t offset, uint64_t length);

/* The parts of a reader's life that are not reader.c's. */
void directories_init(TraceReader *reader);
void directories_clear(TraceReader *reader);
void streams_clear(TraceReader *reader);

/* Takes a user's reference to a stored block's directory, reading it if it is not in use yet. */
Directory *directory_open(TraceReader *reader, uint64_t stored, GError **error);
void directory_close(Directory *directory);
/* The same with the reader's lock held, the first without reading it: NULL if the block is not in use. */
Directory *directory_find(TraceReader *reader, uint64_t stored);
void directory_release(Directory *directory);

/* A segment that has been read and is not compressed, checked, with TRACE_MAX_RECORD_BYTES that may be looked at behind
   it, whatever they are. NULL: it is to be read, or there is an error. */
const uint8_t *segment_in_place(const Directory *directory, uint32_t segment, GError **error);

/* Reads, checks and decompresses a segment into `buffer` of its raw_bytes, and if it is to be padded of
   TRACE_MAX_RECORD_BYTES zeros more. */
bool segment_read(Directory *directory, uint32_t segment, uint8_t *buffer, bool pad,
		  GError **error);

/* A segment that is kept, read now if it has not been. NULL if there is no room to keep it, or on
   failure. Two threads may read the same one: then the second copy is dropped. */
const uint8_t *segment_keep(Directory *directory, uint32_t segment, GError **error);

/* The segment as the file has it, in memory or in `buffer` of TRACE_MAX_STORED_BYTES. Not checked. */
const uint8_t *segment_stored(const Directory *directory, uint32_t segment, uint8_t *buffer,
			      GError **error);

/* A block of the launch that is compared. */
typedef struct {
	uint64_t block;
	Place place;
	Directory *directory;
} Compared;

bool compared_equal(const Compared *a, const Compared *b, BlockEquality equality);

/* RecordSource.open_warp, .same_block. */
WarpStream *reader_open_warp(RecordSource *source, uint64_t block, uint32_t warp);
uint64_t reader_same_block(RecordSource *source, uint64_t block, BlockEquality equality);
void same_clear(TraceReader *reader);

/* How a warp's accesses to buffers are moved in a block that refers to another. */
typedef struct {
	const ClassPiece *piece; /* of the next ones: their class; NULL: class 0 */
	uint32_t left;		 /* how many more are of it */
	int64_t shifts[TRACE_MAX_CLASSES];
} Mover;

/* False: nothing is moved. */
bool mover_init(Mover *mover, const References *references, const Place *place, uint32_t warp);
/* A record in a buffer. False and *problem if it cannot be there. */
bool mover_move(Mover *mover, const TraceRules *rules, Record *record, const char **problem);

/* Of a block of the launch, in whose directory it is, a warp's stream with an error of its own: the reader's failure is left alone. */
WarpStream *stream_open(Directory *directory, uint64_t block, uint32_t warp);
/* Whether its error is that the block refers to another in a way that cannot be. */
bool stream_misplaced(const WarpStream *stream);
const GError *stream_error(const WarpStream *stream);
/* Segments of the warp that were opened so far, the one that failed included. */
uint32_t stream_segments(const WarpStream *stream);
/* Decompressed bytes of the records that were handed out so far. */
uint64_t stream_bytes(const WarpStream *stream);

/* Reads and checks the header and the tail; what a version has not is zeros, and 32 lanes. */
bool layout_read(TraceReader *reader, TraceTail *tail, GError **error);

/* Reads and checks all but the blocks. */
bool parts_read(TraceReader *reader, GError **error);

/* What index and references may take together, as they are in memory while a trace is open: what a pointer of 32 bits can reach, less
   a byte for an end. Of 64 bits no file comes to it. */
#define PARTS_MAX_BYTES ((uint64_t)G_MAXSSIZE - 1)
/* Whether they take no more than `most`; how much they take. The file has them: layout_read() has seen that. */
bool parts_fit(const TraceTail *tail, uint64_t most, uint64_t *bytes);

/* Sets an error of the file `name` at a byte. False. */
bool reader_refuse(GError **error, const char *name, uint64_t offset, const char *format, ...)
	G_GNUC_PRINTF(4, 5);

/* Keeps the error of the lowest block and warp. Takes the error. */
void reader_fail(TraceReader *reader, uint64_t block, uint32_t warp, GError *error);

/* Gives a pointer to file bytes: into memory, or into `buffer` of at least `length` bytes. */
const uint8_t *reader_bytes(TraceReader *reader, uint64_t offset, size_t length, void *buffer,
			    GError **error);

/* What a reader and a writer need of the metadata. */
typedef struct {
	uint32_t n_sites;
	uint32_t n_buffers;
	uint64_t *buffer_bytes; /* g_free */
	uint8_t *buffer_before; /* NULL: nothing is known of any; g_free */
	uint32_t local_buffer;	/* 0: none */
	cJSON *json;		/* all of it; cJSON_Delete */
	KernelFact global_atomics, was_launched, has_code;
	uint32_t launch; /* 0: not said */
	KernelParameters parameters;
	uint16_t *parameter_lines; /* those of `parameters`; g_free */
	uint32_t n_constants;
	ConstantPlace *constants; /* g_free */
	uint32_t registers;	  /* of a thread; 0: not said */
	uint64_t array_bytes;	  /* 0: not said */
	uint32_t array_buffer;
} MetadataFacts;

void metadata_facts_clear(MetadataFacts *facts);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MetadataFacts, metadata_facts_clear)

/* Always false: says of trace `name` what problem its metadata has. */
static inline bool metadata_refuse(GError **error, const char *name, const char *problem)
{
	return atomsim_fail(error, ATOMSIM_ERROR_TRACE, "%s: the metadata %s", name, problem);
}

/* Where the parameters are and which lines of constants they are; where each line of constants is. `fact`: what the metadata
   says; NULL: nothing. */
bool metadata_read_parameters(const cJSON *fact, const char *name, MetadataFacts *facts,
			      GError **error);
bool metadata_read_constants(const cJSON *fact, const char *name, MetadataFacts *facts,
			     GError **error);

/* False and an error if it is no JSON object, or if version 2's "buffers" are not as the format says;
   version 1 has none. metadata[length] is NUL. */
bool metadata_check(const char *metadata, size_t length, const char *name, uint32_t version,
		    MetadataFacts *facts, GError **error);

#endif
