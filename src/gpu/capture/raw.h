/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a raw capture, version 6: what the GPU and the injected library write, before
 * it becomes a trace. docs/guide/capture.md describes the folder around it.
 *
 * Includes stdint only: patch.cu and inject.c are built with the CUDA toolkit and libc alone.
 * A leaf; nobody outside capture/ includes it. Little-endian, as every machine with CUDA is.
 *
 * A file is a RawFileHeader, then chunks, each a RawChunkHeader and its payload of `bytes`
 * bytes (a multiple of 8). The chunks of a launch are LAUNCH, MEMORY, HISTORY and PARAMETERS (or none),
 * EVENTS (none or more), SAMPLE (or none), END, in this order; chunks of other launches may be between them.
 */
#ifndef ATOMSIM_GPU_CAPTURE_RAW_H
#define ATOMSIM_GPU_CAPTURE_RAW_H

#include <stdint.h>

#define RAW_MAGIC "ATOMRAW\x1a"
/* Read too: 1 had no MEMORY chunks and no events from SHUFFLE on, 2 no PARAMETERS and no values, 3 no HISTORY, 4 no LOCAL_AT, 5 no targets of calls. */
#define RAW_VERSION	    6
#define RAW_VERSION_TARGETS 6

#define RAW_MAX_NAME_BYTES 65536

typedef struct {
	char magic[8];
	uint32_t version;
	uint32_t reserved; /* 0 */
} RawFileHeader;

typedef enum {
	RAW_CHUNK_LAUNCH = 1,	  /* RawLaunch, then the kernel's name, padded with NULs */
	RAW_CHUNK_EVENTS = 2,	  /* RawEvents with their payload, whole events */
	RAW_CHUNK_END = 3,	  /* RawEnd */
	RAW_CHUNK_MEMORY = 4,	  /* RawMemory, one for each allocation when the launch began */
	RAW_CHUNK_PARAMETERS = 5, /* RawParameters, then the bytes, padded with NULs */
	RAW_CHUNK_HISTORY =
		6,	    /* RawHistory, then a byte for each of MEMORY, padded with NULs */
	RAW_CHUNK_CODE = 7, /* RawCode */
	RAW_CHUNK_SAMPLE =
		8, /* RawSample, of a launch of which some waves of blocks are recorded; before END */
} RawChunkKind;

typedef struct {
	uint32_t kind;	 /* RawChunkKind */
	uint32_t launch; /* counts the program's launches from 0, recorded or not */
	uint64_t bytes;	 /* of the payload */
} RawChunkHeader;

typedef struct {
	uint64_t function_pc;	 /* program counter of the kernel's first instruction */
	uint64_t function_bytes; /* 0: unknown */
	uint32_t grid[3];	 /* blocks: x, y, z */
	uint32_t block[3];	 /* threads: x, y, z */
	uint32_t cluster[3];	 /* blocks of a cluster; 0 or 1 where there is none */
	uint32_t module;	 /* module-PROCESS-N.cubin and .sass of the folder */
	uint32_t name_bytes;	 /* of the kernel's name, mangled, its NUL included */
	uint32_t reserved;	 /* 0 */
} RawLaunch;

typedef struct {
	uint64_t address, bytes; /* in global memory */
} RawMemory;

/* What an allocation has met last before the launch. Copies and memsets of less than half of it count only if it had met
   nothing. */
typedef enum {
	RAW_BEFORE_FRESH = 0,  /* nothing since it was allocated, for the first time */
	RAW_BEFORE_COPIED = 1, /* a copy from the host to what was fresh */
	RAW_BEFORE_SET = 2,    /* a memset, or a copy within the GPU */
	RAW_BEFORE_USED = 3,   /* a kernel that had its address as a parameter */
	RAW_BEFORE_REUSED =
		4, /* a copy from the host, or nothing, where memory had been copied to, set or used before */
	RAW_BEFORE_MANAGED =
		0x80, /* a bit beside these: memory that moves between host and GPU */
} RawBefore;

#define RAW_LAUNCHES_UNKNOWN UINT32_MAX

typedef struct {
	uint32_t earlier_launches; /* of the kernel, by the program; or RAW_LAUNCHES_UNKNOWN */
	uint32_t n_memory;	   /* entries of MEMORY, a byte each (RawBefore) */
} RawHistory;

/* The driver loads a kernel's code when a program first launches it, and SMs then lose the code that they have. */
typedef struct {
	uint32_t
		new_kernels; /* that were launched for the first time since the kernel's last launch */
	uint32_t registers; /* of a thread; 0: not known */
} RawCode;

/* The blocks that sample.h chooses are recorded. After it comes a RawWave for each whole wave of the launch. */
typedef struct {
	uint64_t wave_blocks; /* of a wave */
	uint64_t waves;	      /* that are recorded */
} RawSample;

/* Events of a wave, whether they are recorded or not: in all, and the least and the most that a block had. */
typedef struct {
	uint64_t sum;
	uint32_t least, most;
} RawWave;

/* The kernel's parameters, as they lie in constant bank 0. */
typedef struct {
	uint32_t offset; /* of the first, in the bank */
	uint32_t bytes;	 /* of all */
} RawParameters;

typedef struct {
	uint64_t n_events;     /* that wanted to be recorded */
	uint64_t dropped;      /* of these, were lost */
	uint64_t buffer_bytes; /* of the buffer */
	uint32_t failed;       /* 1: the GPU or the driver reported an error */
	uint32_t reserved;     /* 0 */
} RawEnd;

typedef enum {
	RAW_ENTER = 1,	 /* lanes of a warp start; detail: shared bytes of the block */
	RAW_EXIT = 2,	 /* lanes of a warp end */
	RAW_SHARED = 3,	 /* access to the block's own shared memory */
	RAW_GLOBAL = 4,	 /* access to global memory */
	RAW_BARRIER = 5, /* detail: number of the barrier, thread count << 8 (0: all threads) */
	RAW_REMOTE = 6,	 /* access to the shared memory of another block of the cluster */
	RAW_MATRIX = 7,	 /* load or store of matrices in shared memory; detail: matrices */
	RAW_COPY = 8,	 /* asynchronous copy from global memory; the shared addresses */
	/* These say which way a warp went, and have no addresses: */
	RAW_SHUFFLE = 9,   /* exchange of values between lanes */
	RAW_SYNCWARP = 10, /* lanes of a warp wait for each other; detail: mask asked for */
	RAW_CALL =
		11, /* detail: instructions from pc to the call's target, signed; of a program that records itself: instructions of its
		       listing, from pc on */
	RAW_RETURN = 12,
	RAW_LOCAL =
		13, /* access to thread-local memory: of version 4, and of a program that records itself */
	/* This has addresses again: */
	RAW_LOCAL_AT = 14, /* access to thread-local memory */
} RawEventKind;

/* The largest event: 32 addresses of 8 bytes, 32 values of 16. */
#define RAW_MAX_EVENT_UNITS (4 + 32 + 64)

/* Bits of RawEvent.flags of an access; a read that writes is an atomic. */
#define RAW_READ  1u
#define RAW_WRITE 2u
/* The values that a load gets, or that an atomic of a program that records itself adds, follow its addresses. */
#define RAW_VALUES 0x10000u
/* of a barrier */
#define RAW_BARRIER_SYNC 2u

/*
 * One event of one warp instruction: the lanes that executed it together. Events of a warp
 * are in program order; between warps the order means nothing. After it come the addresses
 * of the lanes in mask, from lane 0 upwards: 4 bytes each for SHARED, MATRIX and COPY (as the
 * hardware names them: offset in the shared window), 8 bytes each for GLOBAL and REMOTE, none
 * for the others; then zeros up to a multiple of 8 bytes. With VALUES, after that what each lane loads, in
 * units of 4 bytes, and zeros again.
 */
typedef struct {
	uint64_t pc;	   /* of the instruction */
	uint64_t block_id; /* x + grid.x * (y + grid.y * z) */
	uint32_t mask;	   /* lanes, never 0 */
	uint32_t detail;   /* by kind, else 0 */
	uint16_t warp;	   /* of the block */
	uint8_t kind;	   /* RawEventKind */
	uint8_t bytes; /* accesses: bytes a lane; of a load those that somebody reads, as 12 of 16 or 3 of 4 */
	uint32_t flags; /* RAW_READ ... */
} RawEvent;		/* 32 bytes */

/* Bytes of each address after an event of this kind. A macro, for GPU code uses it too. */
#define RAW_ADDRESS_BYTES(kind)                                                                \
	((kind) == RAW_SHARED || (kind) == RAW_MATRIX || (kind) == RAW_COPY ||                 \
			 (kind) == RAW_LOCAL_AT                                                \
		 ? 4u                                                                          \
	 : (kind) == RAW_GLOBAL || (kind) == RAW_REMOTE ? 8u                                   \
							: 0u)

/* Bytes of all addresses of an event, and of all its values. */
#define RAW_ADDRESSES_BYTES(kind, n_lanes) ((RAW_ADDRESS_BYTES(kind) * (n_lanes) + 7) / 8 * 8)
#define RAW_VALUE_BYTES(bytes)		   (((bytes) + 3u) / 4 * 4)
#define RAW_VALUES_BYTES(flags, bytes, n_lanes)                                                \
	((flags)&RAW_VALUES ? (RAW_VALUE_BYTES(bytes) * (n_lanes) + 7) / 8 * 8 : 0u)
/* Bytes of an event in all. */
#define RAW_EVENT_BYTES(kind, flags, bytes, n_lanes)                                           \
	(sizeof(RawEvent) + RAW_ADDRESSES_BYTES(kind, n_lanes) +                               \
	 RAW_VALUES_BYTES(flags, bytes, n_lanes))

/*
 * In the GPU's memory, one for each recorded launch: where the patches write. The events go into a
 * ring in the host's memory, which a thread of the host empties while the kernel runs; units are
 * 8 bytes, counted from the launch's first, and unit u is at u mod capacity. A unit that is
 * free is 0. An event is whole when the first of its units, the pc, is not 0; the patches write
 * it last.
 */
typedef struct {
	uint64_t ring;	   /* address of the ring */
	uint64_t capacity; /* of the ring, in units; a power of two */
	uint64_t
		consumed; /* address, in the host's memory, of the count of units that were read */
	uint64_t cursor; /* next unit to be written */
	uint64_t n_events;
	/* Blocks first_block, first_block + block_step, ... up to last_block are recorded. */
	uint64_t first_block, last_block, block_step;
	/* Unless 0: so many waves of blocks are, in place of these (sample.h). */
	uint64_t sample_waves;
	uint64_t wave_blocks; /* of a wave, written by block 0 then */
	uint64_t
		counts; /* address: events of each block (uint32_t), recorded or not; 0: not counted */
	uint32_t grid[3];
	uint32_t block[3];
} RawDevice;

#endif
