/* SPDX-License-Identifier: MIT */
/* Makes random records and small traces, for the tests of src/trace. */
#ifndef ATOMSIM_TESTS_TRACE_TOOLS_H
#define ATOMSIM_TESTS_TRACE_TOOLS_H

#include <glib.h>

#include "trace/reader.h"
#include "trace/summary.h"
#include "trace/writer.h"

#define SITES 3 /* that make_trace's metadata names */

/* Two numbers one after the other, the first above: what an expression calls twice goes in the compiler's order. */
uint64_t random_wide(GRand *random);

/* A valid record of any kind but exit, within `shared_bytes` (16 or more). */
void random_record(GRand *random, uint32_t shared_bytes, Record *record);

/* Fails the test if two records differ in a field that their kind uses. */
void assert_same_record(const Record *a, const Record *b);

/* A trace whose every record can be made again from the seed: record_of. Blocks 3, 5, 7, ... are
   written side by side and end in falling order. */
GBytes *make_trace(uint32_t seed, uint32_t n_blocks, uint32_t n_warps, uint32_t n_records);
uint64_t block_id_of(uint32_t block); /* in the order of the index */
void record_of(uint32_t seed, uint64_t block_id, uint32_t warp, uint32_t number,
	       Record *record);
uint32_t shared_bytes_of(uint64_t block_id);

/* What open or check find: NULL if the trace is good. g_free. */
char *first_problem(GBytes *bytes);

/* Fails the test unless the trace has a problem that names a byte of the file and says `part`. */
void assert_problem(GBytes *bytes, const char *part);

/* The same of every file that differs from a good one in a bit, or ends before it does. */
void assert_damage_is_reported(GBytes *whole);

#endif
