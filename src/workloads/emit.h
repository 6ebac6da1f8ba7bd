/* SPDX-License-Identifier: MIT */
/*
 * Appends the records of one warp to a trace, and the choices that workloads share. Only files of
 * workloads include it.
 */
#ifndef ATOMSIM_WORKLOADS_EMIT_H
#define ATOMSIM_WORKLOADS_EMIT_H

#include "workloads/workload.h"

#define WARP_LANES TRACE_MAX_LANES

/* In the order of Operation and ValueType. */
#define CHOICE(constant, name, ...) "|" name
#define OPERATION_CHOICES	    (&("" TRACE_OPERATIONS(CHOICE))[1])
#define TYPE_CHOICES		    (&("" TRACE_SCALAR_TYPES(CHOICE))[1])

/* Rows that a workload with votes puts among its own; vote_read reads them. */
#define VOTE_ROWS                                                                              \
	CHOICE_ROW("op", OPERATION_CHOICES, "add", "operation of the atomics"),                \
		CHOICE_ROW("type", TYPE_CHOICES, "u32", "type of the words"),                  \
		CHOICE_ROW("result", "no|yes", "no",                                           \
			   "whether the program uses the old value"),                          \
		CHOICE_ROW("values", "none|one", "none",                                       \
			   "operands: none recorded, or a 1 of the type in every lane")

typedef struct Flow Flow; /* workloads/flow.h */

/* One warp of an open block. `record` is scratch: it needs no clearing each time. */
typedef struct {
	TraceWriter *writer;
	uint64_t block;
	uint32_t warp;
	uint32_t site; /* of the records to come; 0: none */
	const Flow *flow;
	/* Of emit_global, with data flow; 0: without addresses. */
	uint16_t buffer;
	Record record;
} Emitter;

/* What a vote does. */
typedef struct {
	uint8_t operation;
	uint8_t type;
	uint8_t width; /* bytes, as the type says */
	bool result;   /* the program uses the old value */
	bool values;   /* every vote carries the operand 1 */
} Vote;

/* Writes one warp; `data` is the workload's own. */
typedef void (*EmitWarp)(gconstpointer data, Emitter *emitter);
/* The blocks of the launch one after the other, the warps of each, of so many lanes, in order. */
void emit_blocks(TraceWriter *writer, const Flow *flow, const WorkloadLaunch *launch,
		 uint32_t warp_lanes, EmitWarp write, gconstpointer data);

/* Reads op, type, result and values. Errors: ATOMSIM_ERROR_USAGE for an operation that CUDA does
   not have for the type. */
gboolean vote_read(const WorkloadParameters *parameters, Vote *vote, GError **error);

/* Lanes of a warp whose thread is below n_threads; 0 if none is. */
uint32_t warp_mask(uint64_t first_thread, uint64_t n_threads);

/* n instructions: RECORD_ALU, or RECORD_SHFL, RECORD_VOTE in version 2; nothing for 0. */
void emit_count(Emitter *emitter, RecordKind kind, uint32_t n);
/* n arithmetic ones. */
void emit_alu(Emitter *emitter, uint32_t n);
void emit_bar(Emitter *emitter);
/* lds, sts: the i-th active lane accesses address[i]. */
void emit_shared(Emitter *emitter, RecordKind kind, uint8_t width, LaneMask mask,
		 const uint32_t *address);
void emit_vote(Emitter *emitter, const Vote *vote, LaneMask mask, const uint32_t *address);
/* ldg, stg, atomg by the active lanes on consecutive elements, the first at byte `offset` of an
   array that starts on a segment boundary: of emitter->buffer with data flow, and a lane can access an
   element by one instruction. */
void emit_global(Emitter *emitter, RecordKind kind, uint32_t mask, uint64_t offset,
		 uint32_t element_bytes);

/* The same as an atomic. */
void emit_global_vote(Emitter *emitter, const Vote *vote, uint32_t mask, uint64_t offset);

/* The rest is version 2 of the trace. */
void emit_fence(Emitter *emitter, Scope scope);
/* One that has a site with data flow too. */
void emit_fence_at(Emitter *emitter, Scope scope, uint32_t site);
/* What programs wait for each other by: CUDA's __syncthreads, or C++ AMP's tile_barrier::wait, behind a fence of all memory. */
typedef enum { BARRIER_CUDA, BARRIER_AMP } Barrier;
void emit_barrier(Emitter *emitter, Barrier barrier);
/* A workload's row of it. With amp the trace is of version 2. */
#define BARRIER_ROW                                                                            \
	CHOICE_ROW("barrier", "cuda|amp", "cuda",                                              \
		   "what threads wait for each other by: __syncthreads, or C++ AMP's "         \
		   "tile_barrier::wait, which is a fence of all memory, too")
/* ldg, stg of `width` bytes a lane: the i-th active lane accesses byte[i] of the buffer. */
void emit_buffer(Emitter *emitter, RecordKind kind, CacheHint cache, uint16_t buffer,
		 uint8_t width, LaneMask mask, const uint64_t *byte);
/* An atomic of the active lanes on a buffer; value[i] is the i-th one's operand, or NULL: those of
   the vote. */
void emit_buffer_vote(Emitter *emitter, const Vote *vote, uint16_t buffer, LaneMask mask,
		      const uint64_t *byte, const uint64_t *value);
/* An atomic of the active lanes on shared memory with these operands. */
void emit_vote_values(Emitter *emitter, const Vote *vote, LaneMask mask,
		      const uint32_t *address, const uint64_t *value);
/* All lanes that want a lock (RECORD_LOCK), several perhaps the same, or have gone through with it
   (RECORD_UNLOCK); the records between the two are the section of all. Buffer 0: in shared memory. */
void emit_lock(Emitter *emitter, RecordKind kind, uint16_t buffer, LaneMask mask,
	       const uint64_t *byte);

#endif
