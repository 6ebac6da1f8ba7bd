/* SPDX-License-Identifier: MIT */
/*
 * An SM's ports to the network: packets out, results in.
 *
 * Modelled, from measurements/h200/global-atomics.csv, one block of 1,024 threads:
 * - Packets leave one after the other, a flit in 1.003 cycles (red_add_u32, targets 128 and more: 33.1
 *   cycles a warp instruction for 32 x 1 flit, 40.7 for 8 x 5, 5.5 for 1 x 5).
 * - Results of atomics come in through a port, and through banks. One lane's: which bank is decided by the parity of
 *   the sector's number and by the word's within four (l2/l2-ways.csv, lone, cycles of 32 lanes: always one word 65, one
 *   of two or of two sectors 50, of four 40, of 16 34). A bank that gives the same word of a line once more
 *   takes 2.02 cycles, another one about 1.4 (words 0 and 4: 57; walks of global-atomics.csv, random, 8 words
 *   apart: 44 to 46). Not explained: sectors 0 and 3, or 1 and 2, in turn take as long as one.
 *   Several lanes': four banks by sector, 2.5 cycles and 0.6 a sector (l2/l2-rules.csv, replies).
 * - A compare-and-swap of one lane takes the port out 1.4 cycles, 1.3 to 1.5 by where its words are (l2-ways.csv).
 * - Where an access has lines of which one word is wanted and others of which several are, the two kinds of packets
 *   get in each other's way (l2/l2-patterns.csv, two-lanes-of-32 and random: least squares over 33 families).
 * - The SMs of a GPC share a way out and one in: eight of one send 6.9 packets of a flit a cycle where eight of different
 *   ones send 7.7 (l2-ways.csv, 4,096 lines); they take in four lines a cycle (l2-patterns.csv, ways). Contradicted, and not mended:
 *   sixteen send 11.3 flits a cycle, whatever their packets, which here is 6.8 packets of one; what holds up eight is that they
 *   get in each other's way on their way to a slice, more the fewer slices there are (64 lines: 36 % longer than eight of different
 *   ones).
 * - Data of a load come in through the port alone (ld_cg, spacing 32: 1.02 a line).
 * Who may include it: model, sim.
 */
#ifndef ATOMSIM_MODEL_LINK_H
#define ATOMSIM_MODEL_LINK_H

#include "model/coalesce.h"
#include "model/memory-parameters.h"

/* NetworkParameters in ticks. */
typedef struct {
	Tick flit, packet, instruction, load, mix;
	Tick group_packet, group_flit, group_reply_sector, group_reply_word;
	Tick swap, reply_word, reply_other_word, reply_lanes, reply_sector, reply_packet,
		reply_load, reply_load_sector;
} LinkTiming;

#define LINK_BANKS 8 /* for results of one lane */

typedef struct {
	Tick begin;    /* of the last result, */
	uint32_t word; /* which of the line's it was */
} LinkBank;

typedef struct {
	Tick out_free;
	Tick in_free;
	Tick bank_free[LINE_SECTORS];
	LinkBank words[LINK_BANKS];
} Link;

LinkTiming link_timing(const NetworkParameters *parameters);

/* Sends a packet at `now`, when the port is free; n_first: packets of its warp instruction if it is the
   first, else 0. Returns when the port is free again. */
Tick link_send(Link *link, const LinkTiming *timing, AccessKind kind, const Packet *packet,
	       uint32_t n_first, Tick now);
/* Takes in what comes back: of a packet's rounds the first at `now`, the last `last` later. Returns when the
   SM has it all. Calls for one SM come in order of `now`. */
Tick link_receive(Link *link, const LinkTiming *timing, AccessKind kind, const Packet *packet,
		  Tick now, Tick last);

/* The same of the ways that a group's SMs share: a packet of an atomic or store out, a load's data in. `group`: when that way
   is free. Return when it has begun. */
Tick link_group_send(Tick *group, const LinkTiming *timing, const Packet *packet, Tick now);
Tick link_group_receive(Tick *group, const LinkTiming *timing, const Packet *packet, Tick now);

#endif
