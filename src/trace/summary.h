/* SPDX-License-Identifier: MIT */
/*
 * What a trace holds, in numbers, and whether it holds what it says. Both look at one block at a
 * time, so that a caller can show progress. Who may include it: cli, explore, report.
 */
#ifndef ATOMSIM_TRACE_SUMMARY_H
#define ATOMSIM_TRACE_SUMMARY_H

#include "trace/reader.h"

typedef struct {
	uint64_t n_blocks;
	uint64_t n_stored; /* of these; the others refer to them */
	uint64_t n_warps;
	uint64_t n_records;
	uint64_t n_segments;			  /* of the blocks that are stored */
	uint64_t raw_bytes;			  /* of all records, decompressed */
	uint64_t stored_bytes;			  /* of the segments, in the file */
	uint32_t shared_bytes;			  /* largest of any block */
	uint64_t records[N_RECORD_KINDS];	  /* by RecordKind */
	uint64_t record_bytes[N_RECORD_KINDS];	  /* decompressed */
	uint64_t lane_operations[N_RECORD_KINDS]; /* active lanes, summed */
	uint64_t instructions; /* of warps: alu, unknown, shfl, vote count n, code its gap's */
	uint64_t with_buffer;  /* accesses to global memory whose addresses are known */
	uint64_t atoms[N_OPERATIONS][N_VALUE_TYPES];
	uint64_t atom_lane_operations[N_OPERATIONS][N_VALUE_TYPES];
	uint64_t atoms_with_result;
	uint64_t atoms_with_values;
	uint64_t named_barriers;   /* of a number but 0, or of a part of the block */
	uint64_t barrier_arrivals; /* that do not wait */
	bool has_addresses;
	uint32_t lowest_address;  /* shared, bytes; if has_addresses */
	uint32_t highest_address; /* the last byte that is touched */
} TraceSummary;

/* Adds a block (0 .. n_blocks-1) to a summary that began as zeros. Errors: ATOMSIM_ERROR_IO;
   ATOMSIM_ERROR_TRACE with the byte of what is damaged; the block may be added in part then. */
bool trace_summary_add(TraceSummary *summary, TraceReader *reader, uint64_t block,
		       GError **error);

typedef struct TraceCheck TraceCheck;

/* A check of an open trace, which must outlive it. Counts all problems, and keeps the text of the first
   max_problems (0: of all). */
TraceCheck *trace_check_new(TraceReader *reader, uint32_t max_problems);
/* Checks every checksum and decodes every record of a block (0 .. n_blocks-1), each block once. What is
   wrong is a problem of the check, and no error. */
void trace_check_block(TraceCheck *check, uint64_t block);
/* After all blocks, once: whether the parts cover the file without gaps or overlaps. */
void trace_check_end(TraceCheck *check);
/* Texts, each with file and byte, in the order in which they were found. Owned by the check. */
const GPtrArray *trace_check_problems(const TraceCheck *check);
uint64_t trace_check_n_problems(const TraceCheck *check);
void trace_check_free(TraceCheck *check);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceCheck, trace_check_free)

#endif
