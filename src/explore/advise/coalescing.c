/* SPDX-License-Identifier: MIT */
/* How loads and stores coalesce: the sectors that they reach, and how few their bytes would fill. */
#include "explore/advise/internal.h"
#include "model/memory/coalesce.h"

static uint32_t n_sectors(const Record *record)
{
	uint64_t seen[MAX_LANES];
	uint32_t n = 0;

	for (uint32_t i = 0; i < record->n_lanes; i++) {
		const uint64_t sector = (record->offset + record->address[i]) / SECTOR_BYTES;
		uint32_t k = 0;

		while (k < n && seen[k] != sector)
			k++;
		if (k == n)
			seen[n++] = sector;
	}
	return n;
}

static void add_record(Coalescing *sum, const Record *record)
{
	const uint32_t least = (record->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
	uint32_t sectors;

	if ((record->kind != RECORD_LDG && record->kind != RECORD_STG) ||
	    !record_in_buffer(record) || record->n_lanes == 0)
		return;
	sectors = n_sectors(record);
	sum->accesses++;
	sum->sectors += sectors;
	sum->least_sectors += MIN(sectors, least);
}

static gboolean add_warp(Coalescing *sum, WarpStream *stream)
{
	StreamStatus status = STREAM_FAILED;
	Record record;

	while (stream != NULL && (status = stream->next(stream, &record)) == STREAM_RECORD)
		add_record(sum, &record);
	if (stream != NULL)
		stream->close(stream);
	return status == STREAM_END;
}

gboolean coalescing_find(RecordSource *source, Coalescing *coalescing)
{
	*coalescing = (Coalescing){0};
	for (uint64_t block = 0; block < source->n_blocks; block++) {
		BlockInfo info;

		source->block_info(source, block, &info);
		for (uint32_t warp = 0; warp < info.n_warps; warp++)
			if (!add_warp(coalescing, source->open_warp(source, block, warp)))
				return FALSE;
	}
	return TRUE;
}
