/* SPDX-License-Identifier: MIT */
/*
 * One slice of the L2: how long its atomic unit, its data and its way through take for a packet.
 *
 * Modelled, from measurements/h200/global-atomics.csv (132 blocks and more, L2 clocks a warp instruction):
 * - A slice's port loses a clock where a packet of several flits follows one of a flit, or the other way round (l2/l2-ways.csv,
 *   16-lone-8-pairs, 33 SMs of one side, 64 and 256 lines: 244 and 131 cycles, simulated 194 and 98 without, 245 and 124 with).
 * - Packets are served one after the other, sector by sector. A sector takes 1.25 clocks, 1.0 when
 *   all of its words take part (red_add_u32, spacing 1, targets 1 to 32: 40, 20, 10.03, 4.10, 4.03, 4.05). After another
 *   line a partly written one takes less, after the other of an aligned pair more (l2/l2-patterns.csv: lines=0-4 and lines=0-1, where half of the
 *   packets follow one of their own line: 1, 2, 4 sectors in 1.19, 2.36, 4.55 and 1.45, 2.45, 5.07 clocks).
 * - A compare-and-swap by several lanes takes 2.0 a sector (atom_cas_u32, targets 2 to 32: 32.2, 16.1,
 *   8.05, 8.2, 8.2), by one lane what an add takes.
 * - Float adds of one sector start 3 clocks apart; nothing that is behind them is served meanwhile (red_add_f32, targets
 *   8: 12.03, targets 16, where two sectors take turns: 6.03). So do adds of doubles, but one of both halves of a sector takes the
 *   slice for 2 clocks and the sector for 4 (l2-patterns.csv, one-line: k=1 m=1, 2, 4: 96, 48, 32; k=4 m=4: 16; red_add_f64, 2 words apart: 2 clocks a sector).
 * - Packets of several SMs take turns by rounds, so a round waits for its sector only if the one before it is of that sector, too
 *   (l2/l2-warp-words.csv, red_add_f32, shared, all SMs, 4 warps: of one sector of a slice 3.0 clocks a round, of two 2.19, of the four of a line 1.65;
 *   rounds of 1 clock in random order take 3, 2.17 and 1.65). A packet's rounds are taken to alternate with those of the packets that
 *   the slice has from other SMs when it comes; what comes later does not shorten its waits.
 * - A load takes 1 clock or half a clock a sector, and half a clock if the last load of the same line
 *   asked for the same sectors and is remembered: a slice remembers sectors, not lines (ld_cg, 132 x 1,024 threads: 48
 *   lines of a slice repeat with one sector each, 16 with four do not; l2-rules.csv, load-sectors).
 * - A packet for the other partition takes time of the slice that it passes (the mirror): an inference from the factor of 1.4 that
 *   appears as soon as the pages of both partitions are used, whatever their number.
 * - Its result takes no slice's time: on one line or one page all SMs, half of them far, get results as fast as they add without
 *   (l2/l2-patterns.csv, mirror far, pages=1). Pages of both partitions together are up to 1.7 times slower with results,
 *   the more sectors the more: a link takes a lone word in a quarter of a clock (l2/l2-ways.csv, lone, 64 lines: 3.97 a clock; pairs 3.3,
 *   four words of a sector 2.6, of four sectors 0.98; of 4,096 lines five times as many, in the same proportions).
 * Who may include it: model, sim.
 */
#ifndef ATOMSIM_MODEL_MEMORY_SLICE_H
#define ATOMSIM_MODEL_MEMORY_SLICE_H

#include <stdbool.h>

#include "model/memory/coalesce.h"
#include "model/memory/memory-parameters.h"
#include "model/memory/slice-merge.h"

#define SLICE_RECENT	4 /* sectors, the last ones of a slice */
#define SLICE_FLOATS	8 /* packets of floats, the last ones */
#define SLICE_LOAD_SETS 4
#define SLICE_LOAD_WAYS 32

/* L2Parameters in ticks. */
typedef struct {
	Tick port_flit, port_mix, sector, full_sector, cas_sector, double_sector, float_gap,
		double_gap;
	Tick same_line, neighbour, other_line, store_sector;
	Tick load_request, load_sector, repeat_request, repeat_sector;
	Tick forward_packet, forward_flit, group_packet, link_sector, link_word;
	uint32_t repeat_ways;	/* sectors of a set of loads */
	uint32_t merge_packets; /* that a slice knows of those that wait */
} SliceTiming;

typedef struct {
	uint64_t sector; /* its number in memory; UINT64_MAX: none */
	Tick until;
} BusySector;

typedef struct {
	uint64_t line;
	Tick done;
	uint32_t sm; /* that sent them */
	uint8_t sectors, n_rounds;
} SliceFloats;

typedef struct {
	uint64_t line;
	uint8_t sectors;
} SliceLoad;

/* The last loads of some of the lines, the latest first. */
typedef struct {
	SliceLoad loads[SLICE_LOAD_WAYS + 1];
	uint32_t n, n_sectors; /* of all of them */
} SliceLoadSet;

typedef struct {
	Tick free; /* all that has been taken on is done */
	Tick slack; /* of the time until then, waited for sectors: what passes through can use it */
	uint64_t last_line; /* of an atomic */
	BusySector recent[SLICE_RECENT];
	uint32_t n_recent; /* ever */
	SliceFloats floats[SLICE_FLOATS];
	uint32_t n_floats; /* ever */
	SliceLoadSet loads[SLICE_LOAD_SETS];
	SliceMerge *merge;		     /* NULL: nothing has waited to be merged */
	uint64_t served_lanes, merged_lanes; /* of atomics, ever */
	Tick busy, busy_atomics;	     /* so far: with all that it serves; with atomics */
} Slice;

/* A port by which a slice's packets enter. */
typedef struct {
	Tick free;
	bool several; /* flits had the last packet */
} SlicePort;

SliceTiming slice_timing(const L2Parameters *parameters, uint32_t clock_mhz);
void slice_init(Slice *slice);
void slice_clear(Slice *slice);

/* A packet takes its turn at a port, where packets of one flit and of several hold each other up (port_mix), at `now` or later: returns
   when its first round is through. */
Tick slice_enter(SlicePort *port, const SliceTiming *timing, const Packet *packet, Tick now);
/* Serves a packet of an SM whose first round is there at `now`, further ones a flit's time each behind: returns when
   all are done, and when the first was. Calls for one slice come in order of `now`. */
Tick slice_serve(Slice *slice, const SliceTiming *timing, AccessKind kind, const Packet *packet,
		 uint32_t sm, Tick now, Tick *first);
/* Passes a packet on to the other partition; returns when its first round has left. */
Tick slice_forward(Slice *slice, const SliceTiming *timing, const Packet *packet, Tick now);
/* A packet's result crosses between the partitions by a link that is free at *link; returns when it begins to. */
Tick slice_cross(Tick *link, const SliceTiming *timing, const Packet *packet, Tick now);

#endif
