/* SPDX-License-Identifier: MIT */
/*
 * An SM's ports to the network: packets out, results in.
 *
 * Modelled, from measurements/h200/global-atomics.csv, one block of 1,024 threads:
 * - Packets leave one after the other, a flit in 1.003 cycles (red_add_u32, targets 128 and more: 33.1
 *   cycles a warp instruction for 32 x 1 flit, 40.7 for 8 x 5, 5.5 for 1 x 5).
 * - Results of atomics come in through four banks, by the sector of the line: one lane's in 2.02 cycles
 *   (atom_add_u32, spacing 32, all in sector 0: 65 a warp instruction; random, spacing 8, all four
 *   sectors: 43.3), several lanes' in 2.45 and 0.075 a lane; and through a port, 1.12 cycles each.
 * - Data of a load come in through the port alone (ld_cg, spacing 32: 1.02 a line).
 * Who may include it: model, sim.
 */
#ifndef ATOMSIM_MODEL_LINK_H
#define ATOMSIM_MODEL_LINK_H

#include "model/coalesce.h"
#include "model/memory-parameters.h"

/* NetworkParameters in ticks. */
typedef struct {
	Tick flit, packet, instruction, load, group_flit;
	Tick reply_word, reply_sector, reply_lane, reply_packet, reply_load, reply_load_sector;
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

#endif
