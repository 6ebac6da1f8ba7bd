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

#include "base/dataflow.h"
#include "base/words.h"

/* One record. Fields that the kind does not use are undefined unless said otherwise. */
typedef struct {
	uint8_t kind;	   /* RecordKind */
	uint8_t operation; /* atom, atomg with a buffer: Operation */
	uint8_t type;	   /* atom, atomg with a buffer: ValueType */
	uint8_t width;	 /* lds, sts, atom, and ldg, stg, atomg with a buffer: bytes a lane: 1,
			      2, 4, 8, 16; lock, unlock: 4 */
	uint8_t n_lanes; /* active lanes: bits set in mask; 0 for exit, alu, bar, unknown,
			      code, shfl, vote, fence */
	bool result;	 /* atom, atomg with a buffer: the program uses the old value */
	bool has_values; /* atom, atomg with a buffer: value (and, for cas, compare) are given */
	bool arrives;	 /* bar: does not wait for the others */
	uint8_t space;	 /* lock, unlock: MemorySpace */
	uint8_t scope;	 /* fence: Scope */
	uint8_t cache;	 /* ldg, stg, atomg with a buffer: CacheHint */
	uint8_t barrier;   /* bar: its number, 0 .. TRACE_MAX_BARRIERS-1; __syncthreads is 0 */
	uint8_t mechanism; /* atom: 0: the machine's; k: entry k-1 of KernelInfo.mechanisms.
			      Undefined where there are none */
	uint16_t buffer;   /* ldg, stg, atomg, and lock, unlock in global memory: 0: addresses
			      are not known; k: entry k-1 of the metadata's "buffers". Always set
			      for those kinds */
	LaneMask mask;	   /* lds, sts, atom, ldg, stg, atomg, lock, unlock: active lanes */
	uint32_t site;	   /* 0: unknown; k: entry k-1 of the metadata's "sites". Always set */
	uint32_t count;	   /* alu, unknown, shfl, vote: instructions (1 or more); bar: threads
			      that take part, 0: all of the block; ldg, stg, atomg: 128-byte
			      segments touched (0 or more) */
	uint32_t gap;	   /* code: entry of the data flow's gaps, from 0 */
	uint32_t bytes;	   /* ldg, stg, atomg: bytes that the program asked for, all lanes */
	uint64_t offset;   /* with a buffer: byte offset in it that the addresses count from */
	/* lds, sts, atom, lock, unlock: byte address within the block's shared memory of the
	   i-th active lane, counted from lane 0 upwards; with a buffer: the lane's byte is
	   offset + address[i] of the buffer. Entries from n_lanes on are undefined */
	uint32_t address[MAX_LANES];
	uint64_t value[MAX_LANES];   /* atoms: operand, low bytes used; cas: new value */
	uint64_t compare[MAX_LANES]; /* atoms, cas: value to compare with */
} Record;

/* Whether its addresses are offsets in a buffer of global memory. */
static inline bool record_in_buffer(const Record *record)
{
	switch (record->kind) {
	case RECORD_LDG:
	case RECORD_STG:
	case RECORD_ATOMG:
	case RECORD_LOCK:
	case RECORD_UNLOCK:
		return record->buffer > 0;
	default:
		return false;
	}
}

/* Warp instructions that it stands for. `dataflow`: of its source. */
static inline uint32_t record_instructions(const Record *record, const Dataflow *dataflow)
{
	switch (record->kind) {
	case RECORD_ALU:
	case RECORD_UNKNOWN:
	case RECORD_SHFL:
	case RECORD_VOTE:
		return record->count;
	case RECORD_CODE:
		return dataflow->gaps[record->gap].n_operations;
	default:
		return 1;
	}
}

/* A launch's parameters, in bank 0 of its constants. Bytes 0: not known. */
typedef struct {
	uint32_t offset, bytes; /* of the first, in the bank; of all */
	/* Numbers of the lines of constants from the first's on (a CodeOperation's `line`); 0, or more than there are: the launch reads
	   none of it. Owned by the source. */
	uint32_t n_lines;
	const uint16_t *lines;
} KernelParameters;

#define CONSTANT_LINE_BYTES 64

/* Lines that so many bytes, of 1 or more, reach. */
static inline uint32_t kernel_parameter_lines(uint32_t offset, uint32_t bytes)
{
	return (offset + bytes - 1) / CONSTANT_LINE_BYTES - offset / CONSTANT_LINE_BYTES + 1;
}

/* The first byte of the line that parameters->lines[i] numbers. */
static inline uint32_t kernel_parameter_line_at(const KernelParameters *parameters, uint32_t i)
{
	return (parameters->offset / CONSTANT_LINE_BYTES + i) * CONSTANT_LINE_BYTES;
}

/* Where a line of constants is. Bank 0 is the launch's own, the others are its module's. */
typedef struct {
	uint32_t bank, offset; /* offset: a multiple of CONSTANT_LINE_BYTES */
} ConstantPlace;

#define CONSTANT_MAX_BANK 31

/* What a source may not say of a kernel. */
typedef enum { KERNEL_UNKNOWN, KERNEL_HAS, KERNEL_HAS_NOT } KernelFact;

/* What holds for all blocks of a kernel. All zero is what a trace of version 1 says. A source that
   wraps another hands out the other's. */
typedef struct {
	uint32_t warp_lanes; /* lanes of a warp: 32 or 64; 0 is 32 */
	/* A lock record holds all lanes that want a lock, each its word (several may want the same
	   one), and the records up to its unlock are their critical section, recorded once with the
	   lanes of all; replay decides who gets in when. False (version 1): a lock record holds the
	   lanes that got their locks together, each its own. */
	bool lock_sections;
	/* What waits for what, or NULL: then there are no code records. Owned by the source. */
	const Dataflow *dataflow;
	/* Buffers of global memory: buffer k has buffer_bytes[k - 1]. Owned by the source. */
	uint32_t n_buffers;
	const uint64_t *buffer_bytes;
	const uint8_t *
		buffer_before; /* BufferBefore of each, or NULL: all unknown. Owned by the source. */
	uint32_t
		local_buffer; /* that of thread-local memory, of which each warp that an SM has room for has its own; 0: none */
	KernelFact was_launched; /* by its program, before the launch */
	KernelFact has_code;	 /* SMs have run it, and not lost it to a new kernel since */
	uint32_t
		launch; /* number among those of its program, of whatever kernel, from 1 on; 0: unknown */
	KernelParameters parameters;
	/* Of the first n_constants lines of constants, by number. 0: not known. Owned by the source. */
	uint32_t n_constants;
	const ConstantPlace *constants;
	/* Ways of doing atomics that records ask for in place of the machine's: names, NULL-terminated.
	   NULL: none does, and no trace; only a what-if does. Owned by the source. */
	const char *const *mechanisms;
	/* An atomic on global memory is in the program, executed or not. */
	KernelFact global_atomics;
	uint32_t registers; /* of 32 bits, of a thread: 1 .. 255; 0: not said */
	uint64_t n_records; /* of all blocks of the launch, before any change; 0: unknown */
	/* Bytes of its one array in a block's shared memory, or in buffer array_buffer, from byte 0 on; 0: an array is what accesses
	   reach. */
	uint64_t array_bytes;
	uint32_t array_buffer; /* 0: shared memory */
} KernelInfo;

/* Lanes of its warps. */
static inline uint32_t kernel_warp_lanes(const KernelInfo *kernel)
{
	return kernel->warp_lanes ? kernel->warp_lanes : 32;
}

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
	uint64_t
		asked_at; /* a run's cycle at which it asks for the next record, written before it does */
};

/* In what blocks are equal that need the same and ask for the same. */
typedef enum {
	EQUAL_RECORDS, /* record by record */
	EQUAL_BUT_PLACES, /* but for where in their buffers loads, stores and atomics on global memory go */
	N_BLOCK_EQUALITIES,
} BlockEquality;

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
	/* A number for each block: blocks of the same number are equal in that. From several threads at once, too. NULL:
	   nothing is known. */
	uint64_t (*same_block)(RecordSource *source, uint64_t block, BlockEquality equality);
	KernelInfo kernel;
};

#endif
