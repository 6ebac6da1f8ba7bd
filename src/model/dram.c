/* SPDX-License-Identifier: MIT */
#include "model/dram.h"

#define MAX(a, b) ((a) > (b) ? (a) : (b))

void dram_init(Dram *dram, const DramParameters *p, uint64_t footprint_bytes)
{
	uint64_t capacity = (uint64_t)p->capacity_kib * 1024;

	*dram = (Dram){
		.resident = UINT64_MAX,
		.latency = (Tick)p->latency_cycles * TICKS_PER_CYCLE,
		.load_sector = (Tick)p->load_sector_mcycles * TICKS_PER_CYCLE,
		.atomic_sector = (Tick)p->atomic_sector_mcycles * TICKS_PER_CYCLE,
	};
	/* Both shifted so that the quotient keeps 32 bits. */
	if (capacity && footprint_bytes > capacity)
		dram->resident = (capacity << 16) / ((footprint_bytes >> 16) + 1) << 32;
}

bool dram_holds(const Dram *dram, uint64_t line)
{
	return line * UINT64_C(0x9e3779b97f4a7c15) <= dram->resident;
}

Tick dram_fetch(Dram *dram, AccessKind kind, const Packet *packet, Tick now)
{
	Tick sector = kind == ACCESS_LOAD ? dram->load_sector : dram->atomic_sector;

	dram->free = MAX(dram->free, now * 1000) +
		     (Tick)__builtin_popcount(packet->sectors) * sector;
	return dram->free / 1000 + dram->latency;
}
