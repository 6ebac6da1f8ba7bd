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

static void add_record(void *data, const Record *record)
{
	Coalescing *sum = data;
	uint32_t least, sectors;

	if (record == NULL)
		return;
	least = (record->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
	if (record->kind != RECORD_LDG && record->kind != RECORD_STG)
		return;
	sectors = n_sectors(record);
	sum->accesses++;
	sum->sectors += sectors;
	sum->least_sectors += MIN(sectors, least);
}

gboolean coalescing_find(RecordSource *source, Coalescing *coalescing)
{
	*coalescing = (Coalescing){0};
	return buffer_accesses_visit(source, add_record, coalescing);
}
