/* SPDX-License-Identifier: MIT */
/*
 * The words of the domain: what a trace can say and the model act upon.
 *
 * Includes stdint only. A leaf: every layer may include it.
 */
#ifndef ATOMSIM_BASE_WORDS_H
#define ATOMSIM_BASE_WORDS_H

#include <stdint.h>

/* Bounds of what one trace can ask for. */
#define TRACE_MAX_LANES	       32 /* of a warp of version 1, and of what knows no other */
#define MAX_LANES	       64 /* of a warp: 32, or 64 on GPUs of AMD */
#define TRACE_MAX_WARPS	       64 /* of one thread block */
#define TRACE_MAX_SHARED_BYTES (1u << 20) /* of one thread block: 1 MiB, four times any GPU */

#define TRACE_MAX_REGISTERS 255 /* of a thread */
#define TRACE_MAX_PARAMETER_BYTES                                                              \
	65536 /* of a launch, and where the first of them lies in its bank */
#define TRACE_MAX_SITES	       65535
#define TRACE_MAX_BUFFERS      65535
#define TRACE_MAX_BUFFER_BYTES (UINT64_C(1) << 40) /* of one buffer of global memory */
#define TRACE_MAX_BARRIERS     64

/* Bit i: lane i. */
typedef uint64_t LaneMask;

/* Lanes 0 .. n-1; n is 1 .. MAX_LANES. */
static inline LaneMask lanes_below(uint32_t n)
{
	return UINT64_MAX >> (MAX_LANES - n);
}

/* Record kinds: low four bits of a record's tag. X(constant, name, number) */
#define TRACE_RECORD_KINDS(X)                                                                  \
	X(EXIT, "exit", 0)	  /* the warp ends; the last record of each warp */            \
	X(ALU, "alu", 1)	  /* n arithmetic instructions */                              \
	X(LDS, "lds", 2)	  /* load from shared memory */                                \
	X(STS, "sts", 3)	  /* store to shared memory */                                 \
	X(ATOM, "atom", 4)	  /* atomic on shared memory */                                \
	X(LDG, "ldg", 5)	  /* load from global memory */                                \
	X(STG, "stg", 6)	  /* store to global memory */                                 \
	X(ATOMG, "atomg", 7)	  /* atomic on global memory */                                \
	X(BAR, "bar", 8)	  /* barrier of the thread block */                            \
	X(LOCK, "lock", 9)	  /* acquire a software spin lock in shared memory */          \
	X(UNLOCK, "unlock", 10)	  /* release it */                                             \
	X(UNKNOWN, "unknown", 11) /* n instructions that the tool did not understand */        \
	X(CODE, "code", 12)	  /* a gap of the trace's data flow (base/dataflow.h) */       \
	X(SHFL, "shfl", 13)	  /* n exchanges between lanes */                              \
	X(VOTE, "vote", 14)	  /* n votes of the warp */                                    \
	X(FENCE, "fence", 15)	  /* memory fence */

typedef enum {
#define X(constant, name, number) RECORD_##constant = number,
	TRACE_RECORD_KINDS(X)
#undef X
		N_RECORD_KINDS,
} RecordKind;

/* Operations of atomics; update: another one, which a program carries out by a loop of compare-and-swaps. X(constant, name, number) */
#define TRACE_OPERATIONS(X)                                                                    \
	X(ADD, "add", 0)                                                                       \
	X(INC, "inc", 1)                                                                       \
	X(DEC, "dec", 2)                                                                       \
	X(MIN, "min", 3)                                                                       \
	X(MAX, "max", 4)                                                                       \
	X(AND, "and", 5)                                                                       \
	X(OR, "or", 6)                                                                         \
	X(XOR, "xor", 7)                                                                       \
	X(EXCH, "exch", 8)                                                                     \
	X(CAS, "cas", 9)                                                                       \
	X(UPDATE, "update", 10)

typedef enum {
#define X(constant, name, number) OPERATION_##constant = number,
	TRACE_OPERATIONS(X)
#undef X
		N_OPERATIONS,
} Operation;

/* Value types of atomics. X(constant, name, number, bytes) */
#define TRACE_SCALAR_TYPES(X)                                                                  \
	X(U32, "u32", 0, 4)                                                                    \
	X(S32, "s32", 1, 4)                                                                    \
	X(F32, "f32", 2, 4)                                                                    \
	X(U64, "u64", 3, 8)                                                                    \
	X(S64, "s64", 4, 8)                                                                    \
	X(F64, "f64", 5, 8)
/* Pairs of half precision; vectors, of atomics on global memory alone. */
#define TRACE_VALUE_TYPES(X)                                                                   \
	TRACE_SCALAR_TYPES(X)                                                                  \
	X(F16X2, "f16x2", 6, 4)                                                                \
	X(BF16X2, "bf16x2", 7, 4)                                                              \
	X(F32X2, "f32x2", 8, 8)                                                                \
	X(F32X4, "f32x4", 9, 16)                                                               \
	X(F16X4, "f16x4", 10, 8)                                                               \
	X(BF16X4, "bf16x4", 11, 8)                                                             \
	X(F16X8, "f16x8", 12, 16)                                                              \
	X(BF16X8, "bf16x8", 13, 16)

typedef enum {
#define X(constant, name, number, bytes) TYPE_##constant = number,
	TRACE_VALUE_TYPES(X)
#undef X
		N_VALUE_TYPES,
} ValueType;

#define N_SCALAR_TYPES TYPE_F16X2 /* those of one number */
#define N_SHARED_TYPES TYPE_F32X2 /* those that atomics on shared memory have, too */

/* What chooses the mechanism of an atomic (atomic.mechanism, ..._f32, ..._64bit): the values that it does arithmetic on. */
typedef enum {
	ATOMIC_PLAIN, /* integers of 32 bits; exchange and compare-and-swap, which need no arithmetic */
	ATOMIC_F32, /* and updates of 32 bits, for which no GPU has arithmetic either */
	ATOMIC_64BIT,
	N_ATOMIC_KINDS,
} AtomicKind;

static inline AtomicKind atomic_kind(Operation operation, ValueType type)
{
	if (operation == OPERATION_EXCH || operation == OPERATION_CAS)
		return ATOMIC_PLAIN;
	if (type == TYPE_U64 || type == TYPE_S64 || type == TYPE_F64)
		return ATOMIC_64BIT;
	return operation == OPERATION_UPDATE || type == TYPE_F32 || type >= TYPE_F16X2
		       ? ATOMIC_F32
		       : ATOMIC_PLAIN;
}

/* Where a lock is. X(constant, name, number) */
#define TRACE_MEMORY_SPACES(X)                                                                 \
	X(SHARED, "shared", 0)                                                                 \
	X(GLOBAL, "global", 1)

typedef enum {
#define X(constant, name, number) MEMORY_##constant = number,
	TRACE_MEMORY_SPACES(X)
#undef X
		N_MEMORY_SPACES,
} MemorySpace;

/* Whom a fence is for. X(constant, name, number) */
#define TRACE_SCOPES(X)                                                                        \
	X(BLOCK, "block", 0)                                                                   \
	X(DEVICE, "device", 1)                                                                 \
	X(SYSTEM, "system", 2)

typedef enum {
#define X(constant, name, number) SCOPE_##constant = number,
	TRACE_SCOPES(X)
#undef X
		N_SCOPES,
} Scope;

/* What an access to global memory asks of the caches. X(constant, name, number) */
#define TRACE_CACHE_HINTS(X)                                                                   \
	X(NORMAL, "normal", 0)                                                                 \
	X(BYPASS, "bypass", 1)	     /* past L1: .cg, volatile, .relaxed, .acquire */          \
	X(STREAM, "stream", 2)	     /* used once: .cs, .lu */                                 \
	X(READ_ONLY, "read-only", 3) /* nobody writes it during the kernel: .nc */

typedef enum {
#define X(constant, name, number) CACHE_##constant = number,
	TRACE_CACHE_HINTS(X)
#undef X
		N_CACHE_HINTS,
} CacheHint;

/* What a buffer had met last before the launch. */
typedef enum {
	BUFFER_UNKNOWN,
	BUFFER_FRESH,  /* nothing since it was allocated */
	BUFFER_COPIED, /* a copy from the host, the first that happened to it */
	BUFFER_REUSED, /* a copy from the host, or nothing, where the GPU had used memory before */
	BUFFER_SET,    /* a memset, or a copy within the GPU */
	BUFFER_USED, /* a kernel that was given its address */
	BUFFER_WRITTEN, /* the same, and the launch writes to it, as that kernel is taken to have done */
	N_BUFFER_BEFORE,
} BufferBefore;

#endif
