/* SPDX-License-Identifier: MIT */
#include "model/memory/slice.h"

#include <glib.h>
#include <string.h>

#include "base/spread.h"

typedef BusySector Recent;

/* Thousandths of an L2 clock in ticks. */
static Tick ticks(const L2Parameters *p, uint32_t clock_mhz, uint32_t milliclocks)
{
	return ((uint64_t)milliclocks * clock_mhz * TICKS_PER_CYCLE + p->clock_khz / 2) /
	       p->clock_khz;
}

SliceTiming slice_timing(const L2Parameters *p, uint32_t clock_mhz)
{
	return (SliceTiming){
		.port_flit = ticks(p, clock_mhz, p->port_flit_mclk),
		.port_mix = ticks(p, clock_mhz, p->port_turnaround_mclk),
		.sector = ticks(p, clock_mhz, p->sector_mclk),
		.full_sector = ticks(p, clock_mhz, p->full_sector_mclk),
		.cas_sector = ticks(p, clock_mhz, p->cas_sector_mclk),
		.double_sector = ticks(p, clock_mhz, p->double_sector_mclk),
		.float_gap = ticks(p, clock_mhz, p->float_gap_mclk),
		.double_gap = ticks(p, clock_mhz, p->double_gap_mclk),
		.same_line = ticks(p, clock_mhz, p->same_line_mclk),
		.neighbour = ticks(p, clock_mhz, p->neighbour_mclk),
		.other_line = ticks(p, clock_mhz, p->other_line_mclk),
		.store_sector = ticks(p, clock_mhz, p->store_sector_mclk),
		.load_request = ticks(p, clock_mhz, p->load_request_mclk),
		.load_sector = ticks(p, clock_mhz, p->load_sector_mclk),
		.repeat_request = ticks(p, clock_mhz, p->repeat_request_mclk),
		.repeat_sector = ticks(p, clock_mhz, p->repeat_sector_mclk),
		.forward_packet = ticks(p, clock_mhz, p->forward_packet_mclk),
		.forward_flit = ticks(p, clock_mhz, p->forward_flit_mclk),
		.group_packet = ticks(p, clock_mhz, p->group_packet_mclk),
		.link_sector = ticks(p, clock_mhz, p->link_sector_mclk),
		.link_word = ticks(p, clock_mhz, p->link_word_mclk),
		.repeat_ways = p->repeat_sectors / SLICE_LOAD_SETS,
	};
}

void slice_init(Slice *slice)
{
	memset(slice, 0, sizeof *slice);
	slice->last_line = UINT64_MAX;
	for (uint32_t i = 0; i < SLICE_RECENT; i++)
		slice->recent[i].sector = UINT64_MAX;
}

Tick slice_enter(SlicePort *port, const SliceTiming *timing, const Packet *packet, Tick now)
{
	const bool several = packet->flits > 1;
	const Tick round = packet->flits * timing->port_flit;
	Tick start;

	if (several != port->several)
		port->free += timing->port_mix;
	start = MAX(port->free, now);
	port->several = several;
	port->free = start + packet->n_rounds * round;
	return start + round;
}

/* When an operation that takes its sector for longer than the slice can start there, at `start` or later. */
static Tick start_of(const Slice *slice, uint64_t sector, Tick start)
{
	/* The latest first: an older one of the same sector does not count. */
	for (uint32_t i = 1; i <= SLICE_RECENT; i++) {
		const Recent *recent = &slice->recent[(slice->n_recent - i) % SLICE_RECENT];

		if (recent->sector == sector)
			return MAX(start, recent->until);
	}
	return start;
}

static void remember(Slice *slice, uint64_t sector, Tick until)
{
	slice->recent[slice->n_recent++ % SLICE_RECENT] = (Recent){sector, until};
}

/* What each sector that is only partly written costs more, after the line before. */
static Tick turn_around(const Slice *slice, const SliceTiming *timing, const Packet *packet)
{
	bool single = (packet->sectors & (packet->sectors - 1)) == 0;

	if (slice->last_line == packet->line)
		return timing->same_line;
	if ((slice->last_line ^ packet->line) == 1)
		return single ? timing->neighbour : timing->same_line;
	return timing->other_line;
}

/* For how long a sector takes the slice. */
static Tick sector_time(const SliceTiming *timing, AccessKind kind, const Packet *packet,
			uint32_t s, Tick turn)
{
	if (kind == ACCESS_CAS && packet->n_lanes > 1)
		return timing->cas_sector;
	if (kind == ACCESS_DOUBLE && packet->both >> s & 1)
		return timing->double_sector;
	return packet->full >> s & 1 ? timing->full_sector : timing->sector + turn;
}

/* The same of floats, whose sector is busy for longer than the slice: the one that can start first. */
static Tick serve_floats(Slice *slice, const SliceTiming *timing, AccessKind kind,
			 const Packet *packet, Tick turn, Tick free)
{
	const uint64_t first_sector = packet->line * LINE_SECTORS;

	for (uint32_t left = packet->sectors; left;) {
		uint32_t best = 0;
		Tick start = UINT64_MAX, gap;

		for (uint32_t rest = left; rest && start > free; rest &= rest - 1) {
			uint32_t s = (uint32_t)__builtin_ctz(rest);
			Tick can = start_of(slice, first_sector + s, free);

			if (can < start) {
				start = can;
				best = s;
			}
		}
		gap = kind == ACCESS_DOUBLE && packet->both >> best & 1 ? timing->double_gap
									: timing->float_gap;
		remember(slice, first_sector + best, start + gap);
		slice->slack += start - free;
		free = start + sector_time(timing, kind, packet, best, turn);
		left &= ~(1u << best);
	}
	return free;
}

/* One round, sector by sector. */
static Tick serve_sectors(Slice *slice, const SliceTiming *timing, AccessKind kind,
			  const Packet *packet, Tick free)
{
	Tick turn = turn_around(slice, timing, packet);

	slice->last_line = packet->line;
	if (kind == ACCESS_FLOAT || kind == ACCESS_DOUBLE)
		return serve_floats(slice, timing, kind, packet, turn, free);
	for (uint32_t left = packet->sectors; left; left &= left - 1)
		free += sector_time(timing, kind, packet, (uint32_t)__builtin_ctz(left), turn);
	return free;
}

/* Whether the last load of the line is remembered and asked for the same sectors; remembers this one too. */
static bool load_repeats(Slice *slice, const SliceTiming *timing, const Packet *packet)
{
	/* The lines of a slice agree in some of their low bits. */
	uint64_t h = spread_key(packet->line) >> 32;
	SliceLoadSet *set = &slice->loads[h % SLICE_LOAD_SETS];
	SliceLoad load = {packet->line, packet->sectors};
	uint32_t i = 0;
	bool found, same;

	while (i < set->n && set->loads[i].line != load.line)
		i++;
	found = i < set->n;
	same = found && set->loads[i].sectors == load.sectors;
	if (found)
		set->n_sectors -= (uint32_t)__builtin_popcount(set->loads[i].sectors);
	else
		set->n++;
	memmove(&set->loads[1], &set->loads[0], i * sizeof load);
	set->loads[0] = load;
	set->n_sectors += (uint32_t)__builtin_popcount(load.sectors);
	/* The oldest make room. */
	while (set->n_sectors > timing->repeat_ways)
		set->n_sectors -= (uint32_t)__builtin_popcount(set->loads[--set->n].sectors);
	return same;
}

static Tick load_time(Slice *slice, const SliceTiming *timing, const Packet *packet)
{
	Tick n_sectors = (Tick)packet_sectors(packet);

	if (timing->repeat_ways && load_repeats(slice, timing, packet))
		return timing->repeat_request + n_sectors * timing->repeat_sector;
	return MAX(n_sectors * timing->load_sector, timing->load_request);
}

/* The rounds behind the first one of a packet, which is done at `free`: they are there from `now` on, a flit's time
   each behind the other. */
static Tick serve_further(Slice *slice, const SliceTiming *timing, AccessKind kind,
			  const Packet *packet, Tick now, Tick free)
{
	const Tick between = packet->flits * timing->port_flit;
	const uint32_t n = packet->n_rounds - 1u;
	Tick time;

	if (kind == ACCESS_FLOAT || kind == ACCESS_DOUBLE) {
		for (uint32_t round = 0; round < n; round++)
			free = serve_sectors(slice, timing, kind, packet,
					     MAX(free, now + round * between));
		return free;
	}
	/* All take the slice alike: so long after the one before, or the last or the first of them so long after it is
	   there. */
	time = serve_sectors(slice, timing, kind, packet, 0);
	return MAX(MAX(free, now) + n * time, now + (n - 1) * between + time);
}

Tick slice_serve(Slice *slice, const SliceTiming *timing, AccessKind kind, const Packet *packet,
		 Tick now, Tick *first)
{
	Tick between = packet->flits * timing->port_flit;
	Tick start = MAX(slice->free, now);

	if (slice->free < now)
		slice->slack = 0;
	if (kind == ACCESS_LOAD)
		start += load_time(slice, timing, packet);
	else if (kind == ACCESS_STORE)
		start += (Tick)packet_sectors(packet) * timing->store_sector;
	if (kind >= ACCESS_ATOMIC)
		start = serve_sectors(slice, timing, kind, packet, start);
	*first = start;
	if (kind >= ACCESS_ATOMIC && packet->n_rounds > 1)
		start = serve_further(slice, timing, kind, packet, now + between, start);
	slice->free = start;
	return start;
}

/* Work of `time` that fits between what is waited for, or takes its turn: returns when it is done. */
static Tick pass(Slice *slice, Tick now, Tick time)
{
	Tick within;

	if (slice->free < now) {
		slice->slack = 0;
		slice->free = now;
	}
	within = MIN(slice->slack, time);
	slice->slack -= within;
	slice->free += time - within;
	return MAX(slice->free, now + time);
}

Tick slice_forward(Slice *slice, const SliceTiming *timing, const Packet *packet, Tick now)
{
	Tick time = timing->forward_packet + packet->flits * timing->forward_flit;

	return pass(slice, now, packet->n_rounds * time) - (packet->n_rounds - 1) * time;
}

Tick slice_cross(Tick *link, const SliceTiming *timing, const Packet *packet, Tick now)
{
	const int n_sectors = (int)packet_sectors(packet);
	const int n_full = __builtin_popcount(packet->full);
	/* Beside the first of each sector; a sector that is asked for as a whole costs as one of two words (whole-line). */
	const int further = packet->n_lanes - n_sectors - n_full * (SECTOR_WORDS - 2);
	Tick start = MAX(*link, now);

	*link = start + packet->n_rounds * ((Tick)n_sectors * timing->link_sector +
					    (Tick)MAX(further, 0) * timing->link_word);
	return start;
}
