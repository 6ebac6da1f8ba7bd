/* SPDX-License-Identifier: MIT */
/*
 * Inputs of fuzz targets that are traces: a head, then the records of warps as they lie in a file. What a fuzzer cannot
 * guess (lengths, checksums, the index) is made right around them.
 *
 * The head, TRACE_INPUT_HEAD bytes:
 *   0     INPUT_*; the other bits are the target's
 *   1     KiB of shared memory of each block, modulo 49
 *   2     blocks less one, modulo INPUT_MAX_BLOCKS: they get equal numbers of warps, the last one the rest
 *   3..5  the target's
 * Then for each part, a warp: a length of two bytes, and so many bytes of records.
 */
#ifndef ATOMSIM_TESTS_TRACE_INPUT_H
#define ATOMSIM_TESTS_TRACE_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include <glib.h>

#include "trace/codec.h"

#define TRACE_INPUT_HEAD 6
#define INPUT_MAX_WARPS	 12 /* of all blocks together */
#define INPUT_MAX_BLOCKS 6
#define INPUT_MAX_PART	 6000 /* bytes of records of a warp that are looked at */

#define INPUT_VERSION_2 0x80
#define INPUT_LANES_64	0x40 /* of version 2 */
#define INPUT_DATAFLOW	0x20 /* of version 2: the first part is the data flow's */
#define INPUT_AS_IS                                                                            \
	0x10 /* records are what the bytes say; else of these what makes a good trace */
#define INPUT_OWN_BITS 0x0f /* of the first byte: the target's */

/* What input_metadata says. */
#define INPUT_SITES   15 /* of them each but the last four is of a line of its own */
#define INPUT_BUFFERS 3	 /* a small one, a usual one, one as large as can be */
extern const uint64_t input_buffer_bytes[INPUT_BUFFERS];
extern const char input_metadata[];

/* By which its records are read; the head is there. */
TraceRules trace_input_rules(const uint8_t *data);

/* One part of an input: a warp's, or the data flow's. */
typedef struct {
	size_t at, n; /* its bytes, behind its length */
} InputPart;

/* The parts of an input, at most `max`, in their order; *n of them. A length that goes beyond the end ends there. */
void trace_input_parts(const uint8_t *data, size_t size, InputPart *parts, size_t max,
		       size_t *n);

/* The trace file of an input, with this metadata, which has INPUT_SITES sites and those buffers. NULL: no head, or no
   warp. g_bytes_unref. */
GBytes *trace_input_file(const uint8_t *data, size_t size, const char *metadata);

/* For libFuzzer: works on whole records and keeps lengths right. `mutate` is LLVMFuzzerMutate. */
typedef size_t (*InputMutate)(uint8_t *data, size_t size, size_t max_size);
size_t trace_input_mutate(uint8_t *data, size_t size, size_t max_size, unsigned seed,
			  InputMutate mutate);

#endif
