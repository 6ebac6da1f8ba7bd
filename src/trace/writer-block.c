/* SPDX-License-Identifier: MIT */
#include "trace/writer-block.h"

WriterBlock *writer_block_new(uint64_t block_id, uint32_t n_warps, uint32_t shared_bytes,
			      bool held)
{
	WriterBlock *block = g_malloc0(sizeof(*block) + n_warps * sizeof(WarpBuffer));

	block->block_id = block_id;
	block->n_warps = n_warps;
	block->shared_bytes = shared_bytes;
	block->held = held;
	block->segments = g_array_new(FALSE, FALSE, sizeof(HeldSegment));
	for (uint32_t w = 0; w < n_warps; w++) {
		block->warps[w].bytes = g_byte_array_new();
		block->warps[w].bases = g_array_new(FALSE, FALSE, sizeof(Base));
		block->warps[w].segments = g_array_new(FALSE, FALSE, sizeof(TraceSegmentEntry));
	}
	return block;
}

void writer_block_free(void *data)
{
	WriterBlock *block = data;

	for (uint32_t w = 0; w < block->n_warps; w++) {
		g_byte_array_unref(block->warps[w].bytes);
		g_array_unref(block->warps[w].bases);
		g_array_unref(block->warps[w].segments);
	}
	g_array_unref(block->segments);
	g_free(block);
}

size_t writer_block_append(WriterBlock *block, uint32_t warp_number, const uint8_t *bytes,
			   uint32_t n, const EncodedBase *encoded)
{
	WarpBuffer *warp = &block->warps[warp_number];
	const Base base = {warp->bytes->len + encoded->at, encoded->length, encoded->value};
	size_t added = n;

	if (block->held && encoded->at > 0) {
		g_array_append_val(warp->bases, base);
		added += sizeof base;
	}
	g_byte_array_append(warp->bytes, bytes, n);
	block->n_bytes += block->held ? added : 0;
	return block->held ? added : 0;
}
