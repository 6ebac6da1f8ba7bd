/* SPDX-License-Identifier: MIT */
#include "model/memory/slice.h"

#include <glib.h>
#include <string.h>

#include "model/memory/slice-loads.h"

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
		.merge_packets = p->merge_packets,
	};
}

void slice_init(Slice *slice)
{
	memset(slice, 0, sizeof *slice);
	slice->last_line = UINT64_MAX;
	for (uint32_t i = 0; i < SLICE_RECENT; i++)
		slice->recent[i].sector = UINT64_MAX;
}

void slice_clear(Slice *slice)
{
	g_free(slice->merge);
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

/* One that a sector is busy with for longer than the slice. */
static bool takes_sector(AccessKind kind)
{
	return kind == ACCESS_FLOAT || kind == ACCESS_DOUBLE;
}

static Tick gap_of(const SliceTiming *timing, AccessKind kind, const Packet *packet, uint32_t s)
{
	return kind == ACCESS_DOUBLE && packet->both >> s & 1 ? timing->double_gap
							      : timing->float_gap;
}

/* A round of floats: the sector that can start first. */
static Tick serve_floats(Slice *slice, const SliceTiming *timing, AccessKind kind,
			 const Packet *packet, Tick free)
{
	const uint64_t first_sector = packet->line * LINE_SECTORS;
	const Tick turn = turn_around(slice, timing, packet);

	for (uint32_t left = packet->sectors; left;) {
		uint32_t best = 0;
		Tick start = UINT64_MAX;

		for (uint32_t rest = left; rest && start > free; rest &= rest - 1) {
			uint32_t s = (uint32_t)__builtin_ctz(rest);
			Tick can = start_of(slice, first_sector + s, free);

			if (can < start) {
				start = can;
				best = s;
			}
		}
		remember(slice, first_sector + best,
			 start + gap_of(timing, kind, packet, best));
		slice->slack += start - free;
		free = start + sector_time(timing, kind, packet, best, turn);
		left &= ~(1u << best);
	}
	slice->last_line = packet->line;
	return free;
}

/* For how long a round takes the slice, without waits for sectors. */
static Tick round_time(Slice *slice, const SliceTiming *timing, AccessKind kind,
		       const Packet *packet)
{
	Tick turn = turn_around(slice, timing, packet), time = 0;

	slice->last_line = packet->line;
	for (uint32_t left = packet->sectors; left; left &= left - 1)
		time += sector_time(timing, kind, packet, (uint32_t)__builtin_ctz(left), turn);
	return time;
}

/* One round, sector by sector. */
static Tick serve_round(Slice *slice, const SliceTiming *timing, AccessKind kind,
			const Packet *packet, Tick free)
{
	return takes_sector(kind) ? serve_floats(slice, timing, kind, packet, free)
				  : free + round_time(slice, timing, kind, packet);
}

/* How many of a packet's `n` further rounds follow one of another SM and for other sectors. */
static uint32_t rounds_apart(const Slice *slice, const Packet *packet, uint32_t sm, Tick now,
			     uint32_t n)
{
	uint32_t others = 0, apart = 0;

	for (uint32_t i = 0; i < SLICE_FLOATS; i++) {
		const SliceFloats *floats = &slice->floats[i];

		if (floats->done <= now || floats->sm == sm)
			continue;
		others += floats->n_rounds;
		if (floats->line != packet->line || !(floats->sectors & packet->sectors))
			apart += floats->n_rounds;
	}
	return others ? (MIN(n, others) * apart + others / 2) / others : 0;
}

/* So many rounds that follow those for other sectors, there from `now` on: all take the slice alike. */
static Tick serve_apart(Slice *slice, const SliceTiming *timing, AccessKind kind,
			const Packet *packet, uint32_t n, Tick now, Tick free)
{
	const Tick between = packet->flits * timing->port_flit;
	const Tick time = round_time(slice, timing, kind, packet);

	/* So long after the one before, or the last or the first of them so long after it is there. */
	free = MAX(MAX(free, now) + n * time, now + (n - 1) * between + time);
	for (uint32_t left = takes_sector(kind) ? packet->sectors : 0; left; left &= left - 1) {
		uint32_t s = (uint32_t)__builtin_ctz(left);

		remember(slice, packet->line * LINE_SECTORS + s,
			 free - time + gap_of(timing, kind, packet, s));
	}
	return free;
}

/* The rounds behind the first one of a packet, which is done at `free`: they are there from `now` on, a flit's time
   each behind the other. */
static Tick serve_further(Slice *slice, const SliceTiming *timing, AccessKind kind,
			  const Packet *packet, uint32_t sm, Tick now, Tick free)
{
	const Tick between = packet->flits * timing->port_flit;
	const uint32_t n = packet->n_rounds - 1u;
	const uint32_t apart = takes_sector(kind) ? rounds_apart(slice, packet, sm, now, n) : n;

	if (apart > 0)
		free = serve_apart(slice, timing, kind, packet, apart, now, free);
	for (uint32_t round = apart; round < n; round++)
		free = serve_round(slice, timing, kind, packet,
				   MAX(free, now + round * between));
	return free;
}

static Tick serve_atomic(Slice *slice, const SliceTiming *timing, AccessKind kind,
			 const Packet *packet, uint32_t sm, Tick now, Tick *first)
{
	Tick done = *first = serve_round(slice, timing, kind, packet, MAX(slice->free, now));

	slice->served_lanes += packet_lanes(packet);
	if (packet->n_rounds > 1)
		done = serve_further(slice, timing, kind, packet, sm,
				     now + packet->flits * timing->port_flit, done);
	if (takes_sector(kind))
		slice->floats[slice->n_floats++ % SLICE_FLOATS] = (SliceFloats){
			packet->line, done, sm, packet->sectors, packet->n_rounds};
	return done;
}

/* The same where packets that wait merge: of this one's rounds those do that do not begin at once. */
static Tick serve_merged(Slice *slice, const SliceTiming *timing, AccessKind kind,
			 const Packet *packet, uint32_t sm, Tick now, Tick *first)
{
	const bool waits = slice->free > now;
	const Tick begin = MAX(slice->free, now);
	Packet few = *packet;
	Tick done;

	if (!slice->merge)
		slice->merge = g_new0(SliceMerge, 1);
	if (slice_merge_find(slice->merge, timing->merge_packets, kind, packet, now, &done)) {
		slice->merged_lanes += packet_lanes(packet);
		*first = done;
		return done;
	}
	few.n_rounds = (uint8_t)MIN(packet->n_rounds, waits ? 1 : 2);
	slice->merged_lanes +=
		(uint64_t)packet->n_lanes * (uint32_t)(packet->n_rounds - few.n_rounds);
	slice->free = serve_atomic(slice, timing, kind, &few, sm, now, first);
	slice_merge_add(slice->merge, kind, packet, few.n_rounds > 1 ? *first : begin,
			slice->free);
	return slice->free;
}

Tick slice_serve(Slice *slice, const SliceTiming *timing, AccessKind kind, const Packet *packet,
		 uint32_t sm, Tick now, Tick *first)
{
	Tick start = MAX(slice->free, now);

	if (slice->free < now)
		slice->slack = 0;
	if (kind >= ACCESS_ATOMIC && timing->merge_packets > 0 && kind != ACCESS_CAS)
		return serve_merged(slice, timing, kind, packet, sm, now, first);
	if (kind >= ACCESS_ATOMIC) {
		slice->free = serve_atomic(slice, timing, kind, packet, sm, now, first);
		return slice->free;
	}
	if (kind == ACCESS_LOAD)
		start += slice_load_time(slice, timing, packet);
	else
		start += (Tick)packet_sectors(packet) * timing->store_sector;
	slice->free = *first = start;
	return start;
}
