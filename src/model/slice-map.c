/* SPDX-License-Identifier: MIT */
#include "model/slice-map.h"

#include "model/coalesce.h"

SlicePlace slice_place(const L2Parameters *p, uint64_t line)
{
	uint32_t page_lines = p->page_bytes / LINE_BYTES;
	uint64_t page = line / page_lines;
	uint32_t within = (uint32_t)(line % page_lines);
	/* Bits 1, 3 and 4 of the line pick one of eight; fewer slices fold that. */
	uint32_t pick = (within >> 1 & 1) | (within >> 2 & 6);
	SlicePlace place = {0, 0};

	if (p->partitions > 1)
		place.partition = (uint32_t)__builtin_parityll(page & p->partition_mask);
	place.slice =
		(uint32_t)((page / p->partitions * p->page_slices + pick % p->page_slices) %
			   p->slices);
	return place;
}

int32_t slice_distance(uint32_t sm, uint32_t slice, uint32_t spread)
{
	/* Of 12. Most are near the mean, and neighbours make up for each other. */
	static const int8_t levels[8] = {-1, 1, -12, 12, -3, 3, -6, 6};
	/* The finalizer of MurmurHash3 mixes all bits. */
	uint64_t h = (uint64_t)sm << 32 | slice / 8;

	h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
	h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return levels[slice % 8 ^ (uint32_t)(h >> 61)] * (int32_t)spread / 12;
}
