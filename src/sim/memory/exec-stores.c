/* SPDX-License-Identifier: MIT */
/* Stores as they leave their SM, through the load/store unit and the SM's egress. */
#include "sim/memory/exec-memory.h"

#define SEGMENT_BYTES 128
#define SECTOR_BYTES  32
#define ALL_BYTES     UINT32_MAX /* of a sector, a bit each */
#define PART_SECTORS  2 /* whole sectors that leave in the time of one that is stored in part */

/* Registers that lanes bring: an address of 64 bits, and of a store the value. */
#define ADDRESS_REGISTERS 2
#define REGISTER_BYTES	  4
#define MAX_STORE_BYTES	  16

/* Bytes that a lane stores. A trace that does not say where says how many all lanes store, which may be any number. */
static uint32_t store_bytes(const Record *record)
{
	if (record->buffer > 0)
		return record->width;
	return (uint32_t)MIN(((uint64_t)record->bytes + record->n_lanes - 1) / record->n_lanes,
			     MAX_STORE_BYTES);
}

/* What leaves the SM, in whole sectors: one that is stored in part takes twice as long (measurements/h200/issue/issue-lines.csv: 32 warps'
   stores to 4 lines of a whole sector each take 4.6 cycles, to 8, 16 and 32 of a part of one 16, 32 and 64). */
static uint32_t sent_sectors(const Record *record)
{
	uint64_t sectors[MAX_LANES];
	uint32_t bytes[MAX_LANES], n = 0, sent = 0, mask;

	if (record->buffer == 0)
		return record->count * (SEGMENT_BYTES / SECTOR_BYTES);
	mask = ALL_BYTES >> (SECTOR_BYTES - MIN(record->width, SECTOR_BYTES));
	for (uint32_t i = 0; i < record->n_lanes; i++) {
		const uint64_t byte = record->offset + record->address[i];
		uint32_t k = n;

		while (k > 0 && sectors[k - 1] != byte / SECTOR_BYTES)
			k--;
		if (k == 0) {
			sectors[n] = byte / SECTOR_BYTES;
			bytes[n++] = 0;
			k = n;
		}
		bytes[k - 1] |= mask << byte % SECTOR_BYTES;
	}
	for (uint32_t i = 0; i < n; i++)
		sent += bytes[i] == ALL_BYTES ? 1 : PART_SECTORS;
	return sent;
}

Cycle exec_send_store(Sm *sm, const Record *record, Cycle now)
{
	const SharedParameters *p = &sm->machine->shared;
	const uint32_t bytes = sm->machine->global.sm_store_bytes_per_cycle;
	const Cycle time = ((uint64_t)sent_sectors(record) * SECTOR_BYTES + bytes - 1) / bytes;
	const Cycle room = (Cycle)p->queue * time;
	const uint32_t registers =
		ADDRESS_REGISTERS + (store_bytes(record) + REGISTER_BYTES - 1) / REGISTER_BYTES;
	Cycle start = now, sent;

	if (p->queue > 0)
		start = shared_begin_other(&sm->shared, now, shared_port_cycles(p, registers));
	sent = MAX(start, sm->store_free > room ? sm->store_free - room : 0);
	sm->store_free = MAX(sent, sm->store_free) + time;
	if (p->queue == 0)
		return sent + fetch_access_stall(sm);
	shared_end_other(&sm->shared, start, (uint32_t)(sent - start));
	return MAX(now + fetch_access_stall(sm), sm->shared.queued_at);
}
