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
   tag 1, head 2, mask 4, site 5, addresses 10 + 128, values 512, rounded up. */
#define TRACE_MAX_RECORD_BYTES 704

/* Writes a record with the smallest code for its addresses and returns its bytes. Asserts that
   n_lanes agrees with mask; for all else that makes a record valid, decode what it wrote. */
size_t trace_encode_record(const Record *record, uint8_t bytes[TRACE_MAX_RECORD_BYTES]);

/* Decodes a record of a block that has `shared_bytes`. Returns its bytes, or 0 and *problem, a
   constant string. TRACE_MAX_RECORD_BYTES from `bytes` must be readable: without bounds to check
   at each step, decoding is twice as fast. The caller compares the result with what was left. */
size_t trace_decode_padded(const uint8_t *bytes, uint32_t shared_bytes, Record *record,
			   const char **problem);

#endif
