/* SPDX-License-Identifier: MIT */
/* Small raw captures for tests: one launch of one block of 32 threads. */
#ifndef ATOMSIM_TESTS_CAPTURE_TOOLS_H
#define ATOMSIM_TESTS_CAPTURE_TOOLS_H

#include "gpu/convert/convert.h"
#include "trace/reader.h"

#define CAPTURE_CODE                                                                           \
	".target sm_90\n.text.k:\n"                                                            \
	"/*0000*/ S2R R0, SR_TID.X ;\n"                                                        \
	"/*0010*/ LDS R1, [R0] ;\n"                                                            \
	"/*0020*/ IADD3 R1, R1, 0x1, RZ ;\n"                                                   \
	"/*0030*/ ATOMS.ADD RZ, [R0], R1 ;\n"                                                  \
	"/*0040*/ BAR.SYNC 0x0 ;\n"                                                            \
	"/*0050*/ LDG.E R1, [R2] ;\n"                                                          \
	"/*0060*/ EXIT ;\n"
#define CAPTURE_BASE 0x7000 /* program counter of the function */

/* Events that begin with the warp's start; 128 bytes of shared memory. */
GByteArray *capture_start(void);
/* The address of the i-th lane is first + i * step. */
void capture_add_event(GByteArray *events, uint64_t pc, RawEventKind kind, uint32_t mask,
		       uint32_t flags, uint32_t detail, uint64_t first, uint64_t step);
/* An event with the addresses of its lanes, from the lowest; NULL where it has none. */
void capture_put_event(GByteArray *events, const RawEvent *event, const uint64_t *addresses);
/* The launch as a file. Takes the events. */
GBytes *capture_raw(GByteArray *events, uint64_t n_events, uint64_t dropped);
/* The same, of a program with allocations of global memory. */
GBytes *capture_raw_memory(GByteArray *events, uint64_t n_events, uint64_t dropped,
			   const RawMemory *memory, guint n_memory);
/* The same, of several blocks of so many threads. */
GBytes *capture_raw_blocks(GByteArray *events, uint64_t n_events, uint64_t dropped,
			   const RawMemory *memory, guint n_memory, uint32_t n_blocks,
			   uint32_t n_threads);
/* Converts the only launch; NULL and an error if that fails. */
TraceReader *capture_convert(GBytes *raw, const char *code, ConvertCounts *counts,
			     GError **error);
/* "code 1, lds 32, ...": the records of a warp, with count, operations or lanes. Free with g_free. */
char *capture_print_warp(TraceReader *reader, uint64_t block, uint32_t warp);
/* The error is one of traces and has these words. */
void capture_expect_error(GError *error, const char *words);

#endif
