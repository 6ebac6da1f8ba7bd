/* SPDX-License-Identifier: MIT */
/*
 * What a warp asked for, and where the simulator gets it from.
 *
 * A RecordSource hands out the records of each warp in program order. A trace
 * file is one, a list in a test is another; sim knows only this. Who may include
 * it: sim, and every layer above that makes or reads records.
 */
#ifndef ATOMSIM_BASE_RECORD_H
#define ATOMSIM_BASE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/words.h"

/* One record. Fields that the kind does not use are undefined unless said otherwise. */
typedef struct {
	uint8_t kind;	   /* RecordKind */
	uint8_t operation; /* atom: Operation */
	uint8_t type;	   /* atom: ValueType */
	uint8_t width;	   /* lds, sts, atom: bytes a lane: 1, 2, 4, 8, 16; lock, unlock: 4 */
	uint8_t n_lanes;   /* active lanes: bits set in mask; 0 for exit, alu, bar, unknown */
	bool result;	   /* atom: the program uses the old value */
	bool has_values;   /* atom: value (and, for cas, compare) are given */
	uint32_t mask;	   /* lds, sts, atom, ldg, stg, atomg, lock, unlock: active lanes */
	uint32_t site;	   /* 0: unknown; k: entry k-1 of the metadata's "sites". Always set */
	uint32_t count;	   /* alu, unknown: instructions (1 or more); ldg, stg, atomg: 128-byte
	                      segments touched (0 or more) */
	uint32_t bytes;	   /* ldg, stg, atomg: bytes that the program asked for, all lanes */
	/* lds, sts, atom, lock, unlock: byte address within the block's shared memory of the
	   i-th active lane, counted from lane 0 upwards; entries from n_lanes on are undefined */
	uint32_t address[TRACE_MAX_LANES];
	uint64_t value[TRACE_MAX_LANES];   /* atom: operand, low bytes used; cas: new value */
	uint64_t compare[TRACE_MAX_LANES]; /* atom cas: value to compare with */
} Record;

typedef struct {
	uint64_t block_id;
	uint32_t n_warps;      /* 1 .. TRACE_MAX_WARPS */
	uint32_t shared_bytes; /* every shared address is below */
} BlockInfo;

typedef enum {
	STREAM_RECORD, /* *record was filled */
	STREAM_END,    /* the warp's exit was already handed out */
	STREAM_FAILED, /* the source keeps why */
} StreamStatus;

/* The records of one warp in one block, in program order, the last an exit. */
typedef struct WarpStream WarpStream;
struct WarpStream {
	StreamStatus (*next)(WarpStream *stream, Record *record);
	void (*close)(WarpStream *stream);
};

/*
 * Blocks 0 .. n_blocks-1 in launch order. block_info and open_warp may be called
 * from several threads at once; one stream belongs to one thread at a time.
 */
typedef struct RecordSource RecordSource;
struct RecordSource {
	uint64_t n_blocks;
	void (*block_info)(RecordSource *source, uint64_t block, BlockInfo *info);
	/* Returns NULL on failure; the source keeps why. */
	WarpStream *(*open_warp)(RecordSource *source, uint64_t block, uint32_t warp);
};

#endif
