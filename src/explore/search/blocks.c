/* SPDX-License-Identifier: MIT */
#include "explore/search/blocks.h"

static uint64_t block_of(const BlockSubset *subset, uint64_t block)
{
	return subset->first + block * subset->stride;
}

static void block_info(RecordSource *source, uint64_t block, BlockInfo *info)
{
	BlockSubset *subset = (BlockSubset *)source;

	subset->whole->block_info(subset->whole, block_of(subset, block), info);
}

static WarpStream *open_warp(RecordSource *source, uint64_t block, uint32_t warp)
{
	BlockSubset *subset = (BlockSubset *)source;

	return subset->whole->open_warp(subset->whole, block_of(subset, block), warp);
}

void block_subset_init(BlockSubset *subset, RecordSource *whole, uint64_t first,
		       uint64_t stride)
{
	uint64_t n = whole->n_blocks;

	g_assert(stride > 0);
	*subset = (BlockSubset){
		.source = {.n_blocks = n > first ? (n - first + stride - 1) / stride : 0,
			   .block_info = block_info,
			   .open_warp = open_warp,
			   .kernel = whole->kernel},
		.whole = whole,
		.first = first,
		.stride = stride,
	};
}

void block_subset_split(TraceReader *reader, gboolean judge, BlockSubset *subset)
{
	RecordSource *whole = trace_source(reader);
	gboolean one = whole->n_blocks < 2;

	block_subset_init(subset, whole, judge && !one ? 1 : 0, one ? 1 : 2);
}
