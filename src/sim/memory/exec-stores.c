/* SPDX-License-Identifier: MIT */
/* Stores as they leave their SM, through the load/store unit and the SM's egress. */
#include "sim/memory/exec-memory.h"

#define SEGMENT_BYTES 128

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

Cycle exec_send_store(Sm *sm, const Record *record, Cycle now)
{
	const SharedParameters *p = &sm->machine->shared;
	const uint32_t bytes = sm->machine->global.sm_store_bytes_per_cycle;
	const Cycle time = ((uint64_t)record->count * SEGMENT_BYTES + bytes - 1) / bytes;
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
