/* SPDX-License-Identifier: MIT */
#include "transform/sample.h"

#include <glib.h>

static void sample_block_info(RecordSource *source, uint64_t block, BlockInfo *info)
{
	const Sample *sample = (const Sample *)source;

	sample->below->block_info(sample->below, sample->order[block], info);
}

static WarpStream *sample_open_warp(RecordSource *source, uint64_t block, uint32_t warp)
{
	const Sample *sample = (const Sample *)source;

	return sample->below->open_warp(sample->below, sample->order[block], warp);
}

static uint64_t sample_same_block(RecordSource *source, uint64_t block, BlockEquality equality)
{
	const Sample *sample = (const Sample *)source;

	return sample->below->same_block(sample->below, sample->order[block], equality);
}

Sample *sample_new(RecordSource *below)
{
	Sample *sample = g_new(Sample, 1);

	*sample = (Sample){.source = *below, .below = below};
	sample->source.block_info = sample_block_info;
	sample->source.open_warp = sample_open_warp;
	if (below->same_block)
		sample->source.same_block = sample_same_block;
	sample->order = g_new(uint64_t, below->n_blocks);
	for (uint64_t block = 0; block < below->n_blocks; block++)
		sample->order[block] = block;
	return sample;
}

void sample_free(Sample *sample)
{
	g_free(sample->order);
	g_free(sample);
}
