/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a trace file, versions 1 to 3. docs/reference/trace-format.md specifies them.
 * Who may include it: trace, capture.
 */
#ifndef ATOMSIM_TRACE_FORMAT_H
#define ATOMSIM_TRACE_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "base/words.h"

#define TRACE_MAGIC	     "ATOMSIM\x1a" /* first 8 bytes of the file */
#define TRACE_FOOTER_MAGIC   "ATOMSEND"	   /* last 8 bytes of the file */
#define TRACE_VERSION	     1 /* that a writer writes unless it is asked for another */
#define TRACE_NEWEST_VERSION 3

/* Bounds that a reader checks before it believes a number in a file. */
#define TRACE_MAX_SEGMENT_BYTES	 8192 /* of one segment, decompressed */
#define TRACE_MAX_STORED_BYTES	 8704 /* of one segment, as stored */
#define TRACE_MAX_METADATA_BYTES (1u << 24)
#define TRACE_MAX_METADATA_VALUES                                                              \
	(1u << 20) /* numbers, texts, ...: each takes memory beside its bytes */
#define TRACE_MAX_DATAFLOW_BYTES (1u << 22)

/* Version 3: what blocks that are not stored may come to, however small the file is. */
#define TRACE_MAX_REFERRING	    (UINT64_C(1) << 24) /* blocks */
#define TRACE_MAX_REFERRING_RECORDS (UINT64_C(1) << 40) /* records of them, all together */
#define TRACE_MAX_CLASSES	    16 /* of a block's records, by how far they are moved */
#define TRACE_MAX_SHIFT		    (INT64_C(1) << 42) /* bytes, to both sides */

/* Tag byte of a record: kind, then flags, then the code of the addresses. Bits that a kind does
   not use are 0. */
#define TAG_KIND_MASK	  0x0f
#define TAG_FULL_MASK	  0x10 /* all lanes of a warp are active and no mask is stored */
#define TAG_SITE	  0x20 /* a site number is stored */
#define TAG_ADDRESS_SHIFT 6

typedef enum {
	ADDRESS_AFFINE = 0, /* base, stride: the i-th active lane has base + i * stride */
	ADDRESS_U8 = 1,	    /* base (the lowest), then one byte a lane: base + width * byte */
	ADDRESS_U16 = 2, /* base (the lowest), then two bytes a lane: base + width * number */
	ADDRESS_U32 = 3, /* four bytes a lane: the byte address */
} AddressCode;

/* Descriptor bytes of an atom record: the first holds these, the second the type. */
#define ATOM_OPERATION_MASK 0x1f
#define ATOM_RESULT	    0x20 /* the program uses the old value */
#define ATOM_VALUES	    0x40 /* operand values are stored */

/* Version 2. Byte of a load or store whose buffer is known, and, of an atomic, its type byte. */
#define GLOBAL_WIDTH_MASK  0x07 /* log2 of the bytes a lane; of an atomic its type */
#define GLOBAL_CACHE_SHIFT 3	/* three bits: CacheHint */
#define GLOBAL_TYPE_HIGH   0x40 /* of an atomic: bit 3 of its type */
#define GLOBAL_UNUSED	   0x80

/* Byte of a barrier. */
#define BARRIER_NUMBER_MASK 0x3f
#define BARRIER_ARRIVES	    0x40 /* does not wait */
#define BARRIER_COUNT	    0x80 /* a number of threads is stored */

/* First byte of an operation of a gap: its class, then flags. */
#define CODE_CLASS_MASK 0x1f
#define CODE_GUARD	0x20 /* a guard is stored */
#define CODE_LINE	0x40 /* a line of constants is stored */
#define CODE_INSTRUCTION                                                                       \
	0x80 /* the instruction is stored: it is not the one after that of the operation before */
/* Second byte of a site's data flow. */
#define SITE_GUARD	 0x10 /* a guard is stored */
#define SITE_INSTRUCTION 0x20 /* the instruction is */

/* The instruction of an operation that stores none: behind the one before it in its gap, 0: unknown as that. */
static inline uint32_t format_next_instruction(uint32_t before)
{
	return before > 0 ? before + 1 : 0;
}

/*
 * The fixed parts of the file. All are little-endian and their fields are
 * naturally aligned within the struct, so that the struct is the layout; its macro ..._LAYOUT names the fields' bytes
 * for base/little.h.
 * Segments and directories may start at any byte of the file; metadata, index and footer are its
 * end, in this order and without gaps.
 */
typedef struct {
	char magic[8];
	uint32_t version;
	uint32_t reserved; /* 0 */
} TraceFileHeader;	   /* 16 bytes, offset 0 */
#define TRACE_FILE_HEADER_LAYOUT "1111111144"

/* A block's directory: this, then n_warps TraceWarpEntry, then its TraceSegmentEntry
   in order of warp and, within a warp, of program order. Written when the block ends. */
typedef struct {
	uint32_t n_warps;
	uint32_t n_segments; /* of all its warps */
} TraceDirectoryHeader;	     /* 8 bytes */
#define TRACE_DIRECTORY_HEADER_LAYOUT "44"

typedef struct {
	uint64_t n_records; /* its exit included */
	uint32_t n_segments;
	uint32_t reserved; /* 0 */
} TraceWarpEntry;	   /* 16 bytes */
#define TRACE_WARP_ENTRY_LAYOUT "844"

typedef struct {
	uint64_t offset;       /* in the file, bytes */
	uint32_t stored_bytes; /* one zstd frame */
	uint32_t raw_bytes;    /* decompressed: 1 .. TRACE_MAX_SEGMENT_BYTES, whole records */
	uint64_t xxh64;	       /* of the stored bytes, seed 0 */
} TraceSegmentEntry;	       /* 24 bytes */
#define TRACE_SEGMENT_ENTRY_LAYOUT "8448"

/* The index: one entry a block, in order of block_id. */
typedef struct {
	uint64_t block_id; /* x + grid.x * (y + grid.y * z) */
	uint64_t directory_offset;
	uint64_t directory_xxh64;
	uint64_t n_records; /* of all its warps */
	uint32_t directory_bytes;
	uint32_t n_warps;      /* 1 .. TRACE_MAX_WARPS */
	uint32_t shared_bytes; /* 0 .. TRACE_MAX_SHARED_BYTES; every shared address is below */
	uint32_t reserved;     /* 0 */
} TraceIndexEntry;	       /* 48 bytes */
#define TRACE_INDEX_ENTRY_LAYOUT "88884444"

/* Version 2, in front of the footer, whose checksum covers it. */
typedef struct {
	uint64_t dataflow_offset; /* what waits for what, between the blocks and the metadata */
	uint64_t dataflow_bytes;  /* 0: not recorded */
	uint64_t dataflow_xxh64;
	uint32_t warp_lanes; /* 32 or 64 */
	uint32_t reserved;   /* 0 */
} TraceExtension;	     /* 32 bytes */
#define TRACE_EXTENSION_LAYOUT "88844"

typedef struct {
	uint64_t index_offset;
	uint64_t n_blocks; /* entries of the index */
	uint64_t index_xxh64;
	uint64_t metadata_offset; /* JSON, UTF-8, not terminated */
	uint64_t metadata_bytes;
	uint64_t metadata_xxh64;
	uint64_t footer_xxh64; /* of the 48 bytes before; version 2: of 80, version 3: of 112 */
	char magic[8];
} TraceFooter; /* 64 bytes, the end of the file */
#define TRACE_FOOTER_LAYOUT "888888811111111"

/* Version 3, in front of the extension, whose checksum covers it, too. */
typedef struct {
	uint64_t offset; /* of the references, between the metadata and the index */
	uint64_t bytes;
	uint64_t xxh64;
	uint32_t records;  /* the version that records are of: 1 or 2 */
	uint32_t reserved; /* 0 */
} TraceReferences;	   /* 32 bytes */
#define TRACE_REFERENCES_LAYOUT "88844"

/* The end of a file: of version 1 the footer alone, of version 2 from the extension on, of version 3 all. */
typedef struct {
	TraceReferences references;
	TraceExtension extension;
	TraceFooter footer;
} TraceTail; /* 128 bytes */
#define TRACE_TAIL_LAYOUT TRACE_REFERENCES_LAYOUT TRACE_EXTENSION_LAYOUT TRACE_FOOTER_LAYOUT

/* Bytes of it that a version has. */
static inline size_t trace_tail_bytes(uint32_t version)
{
	return sizeof(TraceFooter) + (version > 1 ? sizeof(TraceExtension) : 0) +
	       (version > 2 ? sizeof(TraceReferences) : 0);
}

#endif
