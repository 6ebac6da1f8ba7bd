/* SPDX-License-Identifier: MIT */
#include "model/memory/dram.h"

#include <glib.h>

#include "base/spread.h"

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
	return spread_key(line) <= share;
}

void dram_init(Dram *dram, const DramParameters *p, uint32_t n_slices, uint64_t footprint_bytes,
	       Tick *free)
{
	const uint32_t n_channels = p->channels < n_slices ? p->channels : n_slices;

	*dram = (Dram){
		.resident = memory_share(p->capacity_kib, footprint_bytes),
		.latency = (Tick)p->latency_cycles * TICKS_PER_CYCLE,
		.load = (Tick)p->load_mcycles * TICKS_PER_CYCLE * n_channels,
		.store = (Tick)p->store_mcycles * TICKS_PER_CYCLE * n_channels,
		.atomic = (Tick)p->atomic_mcycles * TICKS_PER_CYCLE * n_channels,
		.slow_lines = p->slow_lines,
		.slow = (Tick)p->slow_cycles * TICKS_PER_CYCLE,
		.n_channels = n_channels,
		.free = free,
	};
}

bool dram_holds(const Dram *dram, uint64_t line)
{
	return memory_holds(dram->resident, line);
}

/* What a line takes beside the latency. Other bits than those that decide whether the L2 holds it. */
static Tick slow_time(const Dram *dram, uint64_t line)
{
	const uint64_t row =
		line & ~(uint64_t)5; /* lines of a page that share a slice: slice_place */
	uint64_t h = (row ^ row >> 15) * UINT64_C(0xd6e8feb86659fd93);
	uint64_t
		among; /* of 2^32 a line that is slow, and how slow: what is left of the same draw */

	h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93) >> 32;
	among = h * dram->slow_lines;
	return among >> 32 ? 0 : dram->slow * (among & UINT32_MAX) >> 32;
}

/* Of a channel. */
static Tick channel_time(const Dram *dram, DramUse use)
{
	return use == DRAM_READ ? dram->load : use == DRAM_WRITE ? dram->store : dram->atomic;
}

Tick dram_latency(const Dram *dram, uint64_t line)
{
	return dram->latency + slow_time(dram, line);
}

Tick dram_access(Dram *dram, DramUse use, uint64_t line, uint32_t slice, Tick now)
{
	Tick *free = &dram->free[slice % dram->n_channels];

	*free = MAX(*free, now * 1000) + channel_time(dram, use);
	return *free / 1000 + (use == DRAM_WRITE ? 0 : dram_latency(dram, line));
}
