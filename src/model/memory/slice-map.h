/* SPDX-License-Identifier: MIT */
/*
 * Where a line of global memory lives: its partition and its slice; and which partition an SM is near to.
 *
 * Modelled, after our measurements of an H200 (measurements/h200/l2: l2-slices.csv, a pairwise search for the lines that
 * slow each other down, l2-pages.csv, l2-pairs.csv, l2-sms.csv): two partitions of 47 slices.
 * - A page of 4 KiB lies in one partition, by the parity of bits 0, 1, 3, 5 and 7 of its number, and in eight
 *   slices there: lines 0, 1, 4, 5 in one, 2, 3, 6, 7 in the next, 8, 9, 12, 13 in the third, and so on.
 * - A line's mirror in the other partition is the partner of its slice, which has the same number here.
 * - The map `h200` has the slices of 64 pages as they were measured. The first eight blocks of a launch go to eight
 *   SMs of one GPC, the others in equal shares to all GPCs, and there to each TPC before any gets a second one
 *   (placement.csv: launches of 1 to 528 blocks, all the same way). An SM's side is its GPC's.
 * - Every third TPC of a GPC shares a way out with its like, six SMs in all (l2-clusters.csv: the 1st, 4th and 7th TPC of a GPC
 *   take 1.7 times as long together as alone, as many SMs of three such clusters 1.0 times, in five GPCs alike). It is two ways
 *   by address: with 128 KiB and less all six SMs are on one, with more a quarter of the packets take the other (1.7 and 1.3 times).
 *   Inferred: upper halves of every other 32 pages (two pages 0 and p: 1.7 for most p, 1.3 to 1.4 for pages 32, 36, 48, 56, 72, 80).
 * - Results of the other partition come by links, a link for two pages in a row (l2-links.csv; slices that two pairs of
 *   pages share give them one link in part: which is not modelled). Assumed: further pages are these 64 in another order, by a hash of the upper bits (round trips to 4,096
 *   pages say that the same slices come again, but not in an order that is a XOR of the first).
 * - The map `walk` is for GPUs whose map nobody knows: pages walk through the slices of their partition in turn, and
 *   SMs are near to one partition in runs of 8. All of it is assumed.
 * Not modelled: which physical page an address has; the base of an allocation is taken to be even.
 * Which GPC the ninth block goes to, which depends on the launches before.
 * Who may include it: model, sim.
 */
#ifndef ATOMSIM_MODEL_MEMORY_SLICE_MAP_H
#define ATOMSIM_MODEL_MEMORY_SLICE_MAP_H

#include "model/memory/memory-parameters.h"

#define MAX_PARTITIONS 2
#define MAX_SLICES     256 /* of a partition */
#define H200_SLICES    47  /* what the map h200 needs */
#define CLUSTER_WAYS   2   /* out of a cluster, by address */
#define MAX_LINKS      64

typedef struct {
	uint32_t partition; /* 0 .. partitions - 1 */
	uint32_t slice;	    /* of the partition: 0 .. slices - 1 */
} SlicePlace;

typedef struct {
	uint32_t partition; /* that it is near to */
	uint32_t group;	    /* of SMs that share a way in, from 0 */
	uint32_t cluster;   /* of SMs that share ways out, from 0 */
} SmPlace;

/* Of the line with that number (byte address / LINE_BYTES). */
SlicePlace slice_place(const L2Parameters *parameters, uint64_t line);

/* Of an SM, numbered in the order in which blocks are dealt; n_sms: those that get any, `sm` is one of them. */
SmPlace slice_sm_place(const L2Parameters *parameters, uint32_t group_sms, uint32_t n_sms,
		       uint32_t sm);
/* Which of its cluster's ways a packet for that line takes: 0 .. CLUSTER_WAYS - 1. */
uint32_t slice_way(const L2Parameters *parameters, uint64_t line);
/* By which of the links between the partitions its results come: 0 .. links - 1. */
uint32_t slice_link(const L2Parameters *parameters, uint64_t line);

/* A number of -spread .. +spread for the way from a group of SMs to a slice, the same every time: the
   measured latencies of an SM and a line differ by a hash of both and by no sum of two parts
   (issue-l2-by-sm.csv of the same GPU, 132 SMs by 32 lines). */
int32_t slice_distance(uint32_t group, uint32_t slice, uint32_t spread);

#endif
