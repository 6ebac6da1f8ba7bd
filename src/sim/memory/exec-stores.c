/* SPDX-License-Identifier: MIT */
/* Stores as they leave their SM, through the load/store unit and the SM's egress. */
#include "sim/memory/exec-memory.h"

#define SECTOR_BYTES 32
#define ALL_BYTES    UINT32_MAX			 /* of a sector, a bit each */
#define WORD_BYTES   ((1u << L1_WORD_BYTES) - 1) /* of a word, a bit each */

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

/* The sectors that a store touches, each with the bytes (bits) of it that it writes. */
static void written_sectors(const Record *record, uint64_t first_line, StoredSectors *stored)
{
	const uint32_t mask = ALL_BYTES >> (SECTOR_BYTES - MIN(record->width, SECTOR_BYTES));

	stored->n = 0;
	for (uint32_t i = 0; i < record->n_lanes; i++) {
		const uint64_t byte = record->offset + record->address[i];
		const uint64_t sector = first_line * L1_LINE_SECTORS + byte / SECTOR_BYTES;
		uint32_t k = stored->n;

		while (k > 0 && stored->sector[k - 1] != sector)
			k--;
		if (k == 0) {
			stored->sector[stored->n] = sector;
			stored->bytes[stored->n++] = 0;
			k = stored->n;
		}
		stored->bytes[k - 1] |= mask << byte % SECTOR_BYTES;
	}
}

/* What leaves the SM, in sectors: those that are touched, and one more for each line of which one is stored in part
   (measurements/h200/issue/issue-access-lines.csv: 32 warps' stores to 1 and 2 lines of whole sectors take 4 cycles; to 4, 8 and 16 lines
   of a part of one sector each 8, 16 and 32; to 2, 4 and 8 lines of parts of four sectors each 10, 20 and 39). */
static uint32_t sent_sectors(const StoredSectors *stored)
{
	uint32_t in_part = 0;

	for (uint32_t i = 0; i < stored->n; i++) {
		uint32_t k = i;

		if (stored->bytes[i] == ALL_BYTES)
			continue;
		while (k > 0 && (stored->bytes[k - 1] == ALL_BYTES ||
				 stored->sector[k - 1] / L1_LINE_SECTORS !=
					 stored->sector[i] / L1_LINE_SECTORS))
			k--;
		in_part += k == 0;
	}
	return stored->n + in_part;
}

static Cycle egress_cycles(const Sm *sm, uint32_t sectors)
{
	const uint32_t bytes = sm->machine->global.sm_store_bytes_per_cycle;

	return ((uint64_t)sectors * SECTOR_BYTES + bytes - 1) / bytes;
}

static uint32_t lines_of(const StoredSectors *stored)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < stored->n; i++) {
		uint32_t k = i;

		while (k > 0 && stored->sector[k - 1] / L1_LINE_SECTORS !=
					stored->sector[i] / L1_LINE_SECTORS)
			k--;
		n += k == 0;
	}
	return n;
}

Cycle exec_send_store(Sm *sm, const Record *record, const StoredSectors *stored, Cycle now)
{
	const SharedParameters *p = &sm->machine->shared;
	const Cycle time =
		egress_cycles(sm, record->buffer > 0 ? sent_sectors(stored)
						     : record->count * L1_LINE_SECTORS);
	/* What waits are lines (stores.csv: 128 lines by stores of 16 bytes a lane keep an SM busy for 596 cycles, by stores of 4 for 604). */
	const uint32_t n_lines = record->buffer > 0 ? lines_of(stored) : record->count;
	const Cycle room = p->queue * time / MAX(n_lines, 1);
	const uint32_t registers =
		ADDRESS_REGISTERS + (store_bytes(record) + REGISTER_BYTES - 1) / REGISTER_BYTES;
	Cycle start = now, sent;

	if (p->queue > 0)
		start = shared_begin_other(&sm->shared, now, shared_port_cycles(p, registers));
	sent = MAX(start, time > 0 && sm->stores.free > room ? sm->stores.free - room : 0);
	if (time > 0)
		sm->stores.free = MAX(sent, sm->stores.free) + time;
	if (stored->n > 0)
		store_queue_leaves(&sm->stores, sm->machine->global.sm_store_lines,
				   sm->stores.free);
	if (p->queue == 0)
		return sent + fetch_access_stall(sm);
	shared_end_other(&sm->shared, start, (uint32_t)(sent - start), MAX(n_lines, 1));
	return MAX(now + fetch_access_stall(sm), sm->shared.queued_at);
}

/* Whether stores and atomics change what the SM's first cache has. */
static bool l1_changes(const Sm *sm, const Record *record)
{
	return sm->machine->global.l1_stores == L1_STORES_WORDS && sm->l1.n_sets > 0 &&
	       record->buffer > 0;
}

static void keep_stored(Sm *sm, const StoredSectors *stored, Cycle now)
{
	for (uint32_t i = 0; i < stored->n; i++) {
		const uint32_t shift = stored->sector[i] % L1_LINE_SECTORS * L1_SECTOR_WORDS;
		uint32_t words = 0;

		l1_write(&sm->l1, stored->sector[i] / L1_LINE_SECTORS, now);
		for (uint32_t word = 0; word < L1_SECTOR_WORDS; word++)
			if ((stored->bytes[i] >> word * L1_WORD_BYTES & WORD_BYTES) ==
			    WORD_BYTES)
				words |= 1u << (shift + word);
		if (words)
			l1_store(&sm->l1, stored->sector[i] / L1_LINE_SECTORS, words);
	}
}

void exec_store(Sm *sm, const Record *record, uint64_t first_line, Cycle now,
		StoredSectors *stored)
{
	stored->n = 0;
	if (record->buffer == 0)
		return;
	written_sectors(record, first_line, stored);
	if (record->cache == CACHE_BYPASS)
		return;
	if (l1_changes(sm, record))
		keep_stored(sm, stored, now);
	if (sm->machine->global.sm_store_lines > 0 && sm->scoreboard.dataflow)
		store_queue_take(&sm->stores, stored, sm->machine->global.sm_store_lines, now);
}

void exec_merge_lanes(MemoryAccess *access, uint64_t *addresses, const StoredSectors *stored)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < access->n_lanes; i++) {
		uint32_t k = stored->n;

		while (k > 0 && stored->sector[k - 1] != addresses[i] / SECTOR_BYTES)
			k--;
		if (k > 0)
			addresses[n++] = addresses[i];
	}
	access->n_lanes = n;
}

void exec_drop_operated(Sm *sm, const Record *record, uint64_t first_line)
{
	if (!l1_changes(sm, record))
		return;
	for (uint32_t i = 0; i < record->n_lanes; i++) {
		const uint64_t sector = (record->offset + record->address[i]) / SECTOR_BYTES;

		l1_drop(&sm->l1, first_line + sector / L1_LINE_SECTORS,
			1u << sector % L1_LINE_SECTORS);
	}
}
