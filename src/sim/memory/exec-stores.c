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

/* The sectors that a store touches, counted from its buffer's first byte, each with the bytes (bits) of it that it writes. Returns how
   many. */
static uint32_t written_sectors(const Record *record, uint64_t *sectors, uint32_t *bytes)
{
	const uint32_t mask = ALL_BYTES >> (SECTOR_BYTES - MIN(record->width, SECTOR_BYTES));
	uint32_t n = 0;

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
	return n;
}

/* What leaves the SM, in sectors: those that are touched, and one more for each line of which one is stored in part
   (measurements/h200/issue/issue-access-lines.csv: 32 warps' stores to 1 and 2 lines of whole sectors take 4 cycles; to 4, 8 and 16 lines
   of a part of one sector each 8, 16 and 32; to 2, 4 and 8 lines of parts of four sectors each 10, 20 and 39). */
static uint32_t sent_sectors(const Record *record)
{
	uint64_t sectors[MAX_LANES];
	uint32_t bytes[MAX_LANES], n, in_part = 0;

	if (record->buffer == 0)
		return record->count * L1_LINE_SECTORS;
	n = written_sectors(record, sectors, bytes);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = i;

		if (bytes[i] == ALL_BYTES)
			continue;
		while (k > 0 &&
		       (bytes[k - 1] == ALL_BYTES ||
			sectors[k - 1] / L1_LINE_SECTORS != sectors[i] / L1_LINE_SECTORS))
			k--;
		in_part += k == 0;
	}
	return n + in_part;
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

/* Whether stores and atomics change what the SM's first cache has. */
static bool l1_changes(const Sm *sm, const Record *record)
{
	return sm->machine->global.l1_stores == L1_STORES_WORDS && sm->l1.n_sets > 0 &&
	       record->buffer > 0;
}

void exec_keep_stored(Sm *sm, const Record *record, uint64_t first_line)
{
	uint64_t sectors[MAX_LANES];
	uint32_t bytes[MAX_LANES], n;

	if (!l1_changes(sm, record) || record->cache == CACHE_BYPASS)
		return;
	n = written_sectors(record, sectors, bytes);
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t shift = sectors[i] % L1_LINE_SECTORS * L1_SECTOR_WORDS;
		uint32_t words = 0;

		for (uint32_t word = 0; word < L1_SECTOR_WORDS; word++)
			if ((bytes[i] >> word * L1_WORD_BYTES & WORD_BYTES) == WORD_BYTES)
				words |= 1u << (shift + word);
		if (words)
			l1_store(&sm->l1, first_line + sectors[i] / L1_LINE_SECTORS, words);
	}
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
