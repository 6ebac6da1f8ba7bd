/* SPDX-License-Identifier: MIT */
/*
 * An SM's ports to the network: packets out, results in.
 *
 * Modelled, from measurements/h200/global-atomics.csv, one block of 1,024 threads:
 * - Packets leave one after the other, a flit in 1.025 cycles (red_add_u32, targets 128 and more: 33.1
 *   cycles a warp instruction for 32 x 1 flit, 40.7 for 8 x 5, 5.5 for 1 x 5; least squares of the three).
 * - Results of atomics come in through a port, and through banks. One lane's: which bank is decided by the parity of
 *   the sector's number and by the word's within four (l2/l2-ways.csv, lone, cycles of 32 lanes: always one word 65, one
 *   of two or of two sectors 50, of four 40, of 16 34). A bank that gives the same word of a line once more
 *   takes 2.02 cycles, another one about 1.4 (words 0 and 4: 57; walks of global-atomics.csv, random, 8 words
 *   apart: 44 to 46). Not explained: sectors 0 and 3, or 1 and 2, in turn take as long as one.
 *   Several lanes': four banks by sector, 2.02 cycles each, as a lane's of one word.
 * - Where an access has lines of which one word is wanted and others of which several are, the two kinds of packets
 *   get in each other's way (l2/l2-ways.csv, mixed: 1, 2, 4, 8, 12 and 15 lines of two words among 30 to 2 of one, in random order, 2.6, 4.9,
 *   8.3, 10, 7 and 2.1 cycles more than their flits).
 * - Six SMs of a GPC share an egress, which takes 3.3 flits a cycle whatever their packets (l2/l2-clusters.csv: 1.7 times as long as
 *   one SM for 32 to 1,024 lines). A GPC's packets for one slice are a clock apart (`to_slices` in sim/memory/state.h): eight of its
 *   SMs that send lone words to 64 lines take 1.35 times as long as eight of different ones. Less than measured: 3 or 4 SMs of such
 *   six that send lone words, 1.14 and 1.27 times as long as one.
 * - The SMs of a GPC share an ingress: they take in some 4.9 lines a cycle (issue-shares.csv: 16 SMs 38 to 40 bytes a cycle each,
 *   18 SMs 34 to 36, where one alone takes in 115; SMs of one TPC hold each other up no more than others).
 * - Data of a load come in through the port alone (ld_cg, spacing 32: 1.02 a line; issue-shares.csv: 1.10 a whole one).
 * Who may include it: model, sim.
 */
#ifndef ATOMSIM_MODEL_MEMORY_LINK_H
#define ATOMSIM_MODEL_MEMORY_LINK_H

#include "model/memory/coalesce.h"
#include "model/memory/memory-parameters.h"

/* NetworkParameters in ticks. */
typedef struct {
	Tick flit, mix;
	Tick group_packet, group_flit, group_reply_sector, group_reply_word;
	Tick reply_word, reply_other_word, reply_packet, reply_load;
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

/* Sends a packet at `now`, when the port is free. Returns when the port is free again. */
Tick link_send(Link *link, const LinkTiming *timing, AccessKind kind, const Packet *packet,
	       Tick now);
/* Takes in what comes back: of a packet's rounds the first at `now`, the last `last` later. Returns when the
   SM has it all. Calls for one SM come in order of `now`. */
Tick link_receive(Link *link, const LinkTiming *timing, AccessKind kind, const Packet *packet,
		  Tick now, Tick last);

/* The same of the ways that SMs share, whose *way, *group says when it is free: a packet of an atomic or store out, a load's data in.
   Return when it has begun. */
Tick link_group_send(Tick *way, const LinkTiming *timing, const Packet *packet, Tick now);
Tick link_group_receive(Tick *group, const LinkTiming *timing, const Packet *packet, Tick now);

#endif
