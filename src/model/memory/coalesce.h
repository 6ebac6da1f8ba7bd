/* SPDX-License-Identifier: MIT */
/*
 * Coalescing: a warp's access to global memory as the packets that leave its SM.
 *
 * Modelled, from our measurements of an H200 (measurements/h200/global-atomics.csv, 8 blocks of 256
 * threads unless said otherwise; L2 clocks a warp instruction):
 * - Memory is lines of four sectors; a packet goes to one line, and carries any of its lanes.
 * - Loads and stores: one packet a line, lanes of one word together.
 * - An atomic goes out in rounds, each with one lane of every distinct word: lanes of one word are never
 *   merged (red_add_u32, spacing 1, 1 to 8 targets: 32 lanes make 32, 16, 8, 4 rounds).
 * - A packet is a header flit and a flit for each sector of data; a lane alone needs one flit for both
 *   (red_add_u32, spacing 1, targets 2 to 32: 32, 16.1, 8, 5.96, 4.96 = packets x flits 16x2, 8x2,
 *   4x2, 2x3, 1x5). Sectors that are not asked for cost nothing (l2/l2-patterns.csv, two-lanes).
 * - A compare-and-swap carries two values: its sectors count twice, and a packet takes half a line
 *   (atom_cas_u32, spacing 1, targets 2 to 32: 48.1, 24, 12, 10, 10; spacing 8, 8 targets: 80 = 16x5;
 *   random, spacing 8, 128 targets: any two sectors would be a fifth too slow).
 * - A load asks with one flit.
 * - A store of whole sectors is their flits alone (transfers.csv: `fill` of all SMs, 264 blocks, 2,157 to 2,268 bytes a cycle; with a header
 *   1,880 would be the most. `part`, 8 bytes of each sector, is within 5 % with one).
 * Not modelled: accesses of 1 and 2 bytes as anything but their 4-byte word; merged lanes of one word, which
 * other GPUs are said to have.
 * Who may include it: model, sim, and layers above.
 */
#ifndef ATOMSIM_MODEL_MEMORY_COALESCE_H
#define ATOMSIM_MODEL_MEMORY_COALESCE_H

#include <stdbool.h>
#include <stdint.h>

#define SECTOR_BYTES	   32 /* NVIDIA since Fermi; Nsight Compute's guide, "sector" */
#define SECTOR_WORDS	   8
#define LINE_SECTORS	   4
#define LINE_BYTES	   (SECTOR_BYTES * LINE_SECTORS)
#define COALESCE_MAX_LANES 64
#define MIX_UNIT	   4

/* What memory does for a lane. */
typedef enum {
	ACCESS_LOAD,
	ACCESS_STORE,
	ACCESS_ATOMIC, /* integer arithmetic, exchange */
	ACCESS_FLOAT,  /* arithmetic on floats, */
	ACCESS_DOUBLE, /* on doubles */
	ACCESS_CAS,
} AccessKind;

typedef struct {
	uint64_t line;			 /* byte address / LINE_BYTES */
	unsigned sectors : LINE_SECTORS; /* bit s: some lane's word is in sector s; never 0 */
	unsigned full : LINE_SECTORS;	 /* of these: all of its words are asked for, */
	unsigned both : LINE_SECTORS;	 /* some of either half of it */
	unsigned word : 3;		 /* of a lane alone: which of its sector's */
	uint8_t n_lanes;		 /* 1 or more: load and store: different words */
	uint8_t flits;			 /* on the way to memory */
	uint8_t n_rounds; /* so many packets like this one follow each other: 1 or more */
	uint8_t mix; /* the access' first: MIX_UNIT v s (v + 4 s) / (v + s)^2, v lines of several words and s of one */
} Packet;

/* How many sectors it is for. Without a call where the processor may have no instruction for it. */
static inline uint32_t packet_sectors(const Packet *packet)
{
	return UINT64_C(0x4332322132212110) >> (4 * packet->sectors) & 7;
}

/* Lanes in all of its rounds. */
static inline uint32_t packet_lanes(const Packet *packet)
{
	return (uint32_t)packet->n_lanes * packet->n_rounds;
}

/* Most packets of a warp access: each lane alone, and none split further. */
#define COALESCE_MAX_PACKETS COALESCE_MAX_LANES

/* Writes the packets of an access in the order in which they leave and returns their number, 1 ..
   n_lanes. width: bytes a lane, a power of two, 4 .. 16 (atomics 4 or 8); addresses: byte addresses, multiples
   of width; n_lanes: 1 .. COALESCE_MAX_LANES. */
uint32_t coalesce(AccessKind kind, uint32_t width, uint32_t n_lanes, const uint64_t *addresses,
		  Packet *packets);
/* The same of 2 lanes or more, the first at `address`, each other one behind the one before. */
uint32_t coalesce_row(AccessKind kind, uint32_t width, uint32_t n_lanes, uint64_t address,
		      Packet *packets);

#endif
