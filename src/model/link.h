/* SPDX-License-Identifier: MIT */
/*
 * An SM's ports to the network: packets out, results in.
 *
 * Modelled, from measurements/h200/global-atomics.csv, one block of 1,024 threads:
 * - Packets leave one after the other, a flit in 1.003 cycles (red_add_u32, targets 128 and more: 33.1
 *   cycles a warp instruction for 32 x 1 flit, 40.7 for 8 x 5, 5.5 for 1 x 5).
 * - Results of atomics come in through four banks, by the sector of the line: one lane's in 2.02 cycles
 *   (atom_add_u32, spacing 32, all in sector 0: 65 a warp instruction; random, spacing 8, all four
 *   sectors: 43.3), several lanes' in 2.5 and 0.6 a sector (l2/l2-rules.csv, replies); and through a port, 1.12 cycles each.
 * - Where an access has lines of which one word is wanted and others of which several are, the two kinds of packets
 *   get in each other's way (l2/l2-patterns.csv, two-lanes-of-32 and random: least squares over 33 families).
 * - The SMs of a GPC share a way out and one in (l2-patterns.csv, ways): eight SMs of one send 6.8 packets of a flit a
 *   cycle where eight of different ones send 7.2, sixteen 11.4; they take in four lines a cycle.
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
	Tick reply_word, reply_lanes, reply_sector, reply_packet, reply_load, reply_load_sector;
} LinkTiming;

typedef struct {
	Tick out_free;
	Tick in_free;
	Tick bank_free[LINE_SECTORS];
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
