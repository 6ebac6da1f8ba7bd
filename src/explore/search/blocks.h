/* SPDX-License-Identifier: MIT */
/*
 * Every n-th block of a source, as a source of its own: to search on some blocks and to judge on
 * others. Who may include it: explore and cli.
 */
#ifndef ATOMSIM_EXPLORE_SEARCH_BLOCKS_H
#define ATOMSIM_EXPLORE_SEARCH_BLOCKS_H

#include <glib.h>

#include "base/record.h"
#include "trace/reader.h"

typedef struct {
	RecordSource source;
	RecordSource *whole;
	uint64_t first, stride;
} BlockSubset;

/* Blocks first, first + stride, ... of `whole` (stride 1 or more), which must outlive it. Streams
   are those of `whole`. Nothing to free. */
void block_subset_init(BlockSubset *subset, RecordSource *whole, uint64_t first,
		       uint64_t stride);

/* Even blocks are searched, odd ones judge. A single block must do both. */
void block_subset_split(TraceReader *reader, gboolean judge, BlockSubset *subset);

#endif
