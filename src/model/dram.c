/* SPDX-License-Identifier: MIT */
#include "model/dram.h"

#define MAX(a, b) ((a) > (b) ? (a) : (b))

uint64_t memory_share(uint32_t capacity_kib, uint64_t footprint_bytes)
{
	uint64_t capacity = (uint64_t)capacity_kib * 1024;

	/* Both shifted so that the quotient keeps 32 bits. */
	return capacity && footprint_bytes > capacity
		       ? (capacity << 16) / ((footprint_bytes >> 16) + 1) << 32
		       : UINT64_MAX;
}

bool memory_holds(uint64_t share, uint64_t line)
{
	return line * UINT64_C(0x9e3779b97f4a7c15) <= share;
}

void dram_init(Dram *dram, const DramParameters *p, uint64_t footprint_bytes)
{
	*dram = (Dram){
		.resident = memory_share(p->capacity_kib, footprint_bytes),
		.latency = (Tick)p->latency_cycles * TICKS_PER_CYCLE,
		.load = (Tick)p->load_mcycles * TICKS_PER_CYCLE,
		.atomic = (Tick)p->atomic_mcycles * TICKS_PER_CYCLE,
	};
}

bool dram_holds(const Dram *dram, uint64_t line)
{
	return memory_holds(dram->resident, line);
}

Tick dram_fetch(Dram *dram, AccessKind kind, Tick now)
{
	dram->free =
		MAX(dram->free, now * 1000) + (kind == ACCESS_LOAD ? dram->load : dram->atomic);
	return dram->free / 1000 + dram->latency;
}
