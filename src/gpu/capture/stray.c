/* SPDX-License-Identifier: MIT */
/*
 * Why a launch failed, where its events show it. The patches write what lanes are about to access before they do, so a
 * load that ends the launch is left in the ring. Of a store or an atomic the event is whole and taken before it ends anything.
 */
#include <inttypes.h>

#include "inject.h"

/* The allocation that ends last before the address, or holds it. NULL: none. */
static const RawMemory *find_before(const RawMemory *memory, unsigned n, uint64_t address)
{
	const RawMemory *best = NULL;

	for (unsigned i = 0; i < n; i++)
		if (memory[i].address <= address &&
		    (!best || memory[i].address > best->address))
			best = &memory[i];
	return best;
}

static int is_inside(const RawMemory *memory, uint64_t address, uint32_t bytes)
{
	return memory && address - memory->address <= memory->bytes &&
	       bytes <= memory->bytes - (address - memory->address);
}

static int say_access(const RawEvent *event, uint64_t address, const RawMemory *memory,
		      unsigned n, const char *kernel)
{
	const RawMemory *before = find_before(memory, n, address);
	const char *verb = event->flags & RAW_WRITE ? "writes" : "reads";

	if (is_inside(before, address, event->bytes))
		return 0;
	if (before)
		inject_say("kernel %s: block %" PRIu64 ", warp %u %s %u bytes at 0x%" PRIx64
			   ", which no allocation holds: it is %" PRIu64
			   " bytes after the start of one of %" PRIu64
			   ". The program accesses memory out of bounds; compute-sanitizer, "
			   "of the CUDA toolkit, says which line does",
			   kernel, event->block_id, event->warp, verb, event->bytes, address,
			   address - before->address, before->bytes);
	else
		inject_say(
			"kernel %s: block %" PRIu64 ", warp %u %s %u bytes at 0x%" PRIx64
			", before all allocations. The program accesses memory out of "
			"bounds; compute-sanitizer, of the CUDA toolkit, says which line does",
			kernel, event->block_id, event->warp, verb, event->bytes, address);
	return 1;
}

void stray_advise(void)
{
	inject_say("a program that runs alone may still access memory out of bounds: "
		   "compute-sanitizer, of the CUDA toolkit, says whether it does");
}

void stray_say(const Ring *ring, const RawMemory *memory, unsigned n, const char *kernel)
{
	uint64_t at = 0, addresses[32];
	RawEvent event;

	while (ring_left(ring, &at, &event, addresses))
		for (int i = 0; event.kind == RAW_GLOBAL && i < __builtin_popcount(event.mask);
		     i++)
			/* 0: a warp that was stopped before its lanes had written where they go. */
			if (addresses[i] != 0 &&
			    say_access(&event, addresses[i], memory, n, kernel))
				return;
	stray_advise();
}
