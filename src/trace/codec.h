/* SPDX-License-Identifier: MIT */
/*
 * One record to bytes and back. Who may include it: src/trace and its tests and benchmarks; others
 * use reader.h and writer.h.
 */
#ifndef ATOMSIM_TRACE_CODEC_H
#define ATOMSIM_TRACE_CODEC_H

#include <stddef.h>

#include "base/record.h"
#include "trace/format.h"

/* No record is longer, and the decoder reads no further than this from a record's first byte:
   tag 1, head 6, mask 8, site 5, addresses 10 + 256, values 1024, rounded up. */
#define TRACE_MAX_RECORD_BYTES 1344

/* What a record's bytes mean depends on these. */
typedef struct {
	uint32_t version;      /* of the format: 1 or 2 */
	uint32_t lanes;	       /* of a warp: 32, or 64 in version 2 */
	uint32_t shared_bytes; /* of the block: every shared address is below */
	uint32_t n_buffers;    /* of global memory: records name buffers 0 .. this */
	uint32_t
		local_buffer; /* that of thread-local memory, which has loads and stores alone; 0: none */
	/* n_buffers entries; NULL: their sizes are not known, and TRACE_MAX_BUFFER_BYTES bounds all */
	const uint64_t *buffer_bytes;
} TraceRules;

/* Of a buffer, 1 .. n_buffers. */
static inline uint64_t trace_buffer_bytes(const TraceRules *rules, uint32_t buffer)
{
	return rules->buffer_bytes ? rules->buffer_bytes[buffer - 1] : TRACE_MAX_BUFFER_BYTES;
}

/* Those of version 1 with the largest shared memory. */
#define TRACE_RULES_1                                                                          \
	((TraceRules){.version = 1, .lanes = 32, .shared_bytes = TRACE_MAX_SHARED_BYTES})

/* Writes a record with the smallest code for its addresses and returns its bytes. Asserts that
   n_lanes agrees with mask; for all else that makes a record valid, decode what it wrote. */
size_t trace_encode_record(const TraceRules *rules, const Record *record,
			   uint8_t bytes[TRACE_MAX_RECORD_BYTES]);

/* Where a record's bytes say where in its buffer it is: a varint. */
typedef struct {
	uint32_t at; /* 0: its addresses lie in no buffer */
	uint32_t length;
	uint64_t value;
} EncodedBase;

/* The same, and where its base is. */
size_t trace_encode_based(const TraceRules *rules, const Record *record,
			  uint8_t bytes[TRACE_MAX_RECORD_BYTES], EncodedBase *base);

/* Decodes a record. Returns its bytes, or 0 and *problem, a constant string.
   TRACE_MAX_RECORD_BYTES from `bytes` must be readable: without bounds to check at each step,
   decoding is twice as fast. The caller compares the result with what was left. */
size_t trace_decode_padded(const TraceRules *rules, const uint8_t *bytes, Record *record,
			   const char **problem);

/* The same, reading nothing at or past `end`. */
size_t trace_decode_record(const TraceRules *rules, const uint8_t *bytes, const uint8_t *end,
			   Record *record, const char **problem);

#endif
