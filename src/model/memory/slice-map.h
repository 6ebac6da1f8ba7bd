/* SPDX-License-Identifier: MIT */
/*
 * Where a line of global memory lives: its partition and its slice; and which partition an SM is near to.
 *
 * Modelled: pages of up to two partitions, each of which has slices of its own; a line's mirror in the other partition has the
 * number of its slice.
 * - A map (SliceMap) says where lines and SMs of one GPU were measured to lie: the slices of its first pages, and its groups
 *   of SMs (GPCs). configs/h200/map.json is one, after measurements/h200/l2; docs/reference/configs.md says what each member means.
 *   A line's number in its page picks one of the page's slices; its partition is the parity of some bits of the page's number.
 *   Assumed: further pages are those of the map in another order and with other slices, by a hash of the upper bits (round
 *   trips to 4,096 pages of an H200 say that the same slices come again, but not in an order that is a XOR of the first).
 * - The first blocks of a launch go to some SMs of the first group, the others in equal shares to all groups, and there to each
 *   TPC before any gets a second one (measurements/h200/l2: placement.csv, launches of 1 to 528 blocks, all the same way).
 * - TPCs of a group share egresses, every third one of an H200 with its like (l2-clusters.csv: the 1st, 4th and 7th TPC of a GPC
 *   take 1.7 times as long together as alone, as many SMs of three such clusters 1.0 times, in five GPCs alike). A cluster has
 *   two ways by address: with 128 KiB and less all its SMs are on one, with more a quarter of the packets take the other (1.7
 *   and 1.3 times). Inferred: upper halves of every other 32 pages (two pages 0 and p: 1.7 for most p, 1.3 to 1.4 for pages 32,
 *   36, 48, 56, 72, 80).
 * - Results of the other partition come by links, a link for two pages in a row (l2-links.csv; slices that two pairs of
 *   pages share give them one link in part: which is not modelled).
 * - Without a map pages walk through the slices of their partition round robin, and SMs are near to one partition in runs of 8.
 *   All of it is assumed.
 * Not modelled: which physical page an address has; the base of an allocation is taken to be even.
 * Which GPC the ninth block goes to, which depends on the launches before.
 * Who may include it: model, sim.
 */
#ifndef ATOMSIM_MODEL_MEMORY_SLICE_MAP_H
#define ATOMSIM_MODEL_MEMORY_SLICE_MAP_H

#include "model/memory/memory-parameters.h"

#define MAX_PARTITIONS	 2
#define MAX_SLICES	 256 /* of a partition */
#define CLUSTER_EGRESSES 2   /* out of a cluster, by address */
#define MAX_LINKS	 64

typedef struct {
	uint32_t partition; /* 0 .. partitions - 1 */
	uint32_t slice;	    /* of the partition: 0 .. slices - 1 */
} SlicePlace;

typedef struct {
	uint32_t partition; /* that it is near to */
	uint32_t group;	    /* of SMs that share an ingress, from 0 */
	uint32_t cluster;   /* of SMs that share egresses, from 0 */
} SmPlace;

/* Of the line with that number (byte address / LINE_BYTES). */
SlicePlace slice_place(const L2Parameters *parameters, uint64_t line);

/* Of an SM, numbered in the order in which they get blocks; n_sms: those that get any, `sm` is one of them. */
SmPlace slice_sm_place(const L2Parameters *parameters, uint32_t group_sms, uint32_t n_sms,
		       uint32_t sm);
/* Of the GPU's own number of an SM (%smid) its group and its cluster: TPCs are numbered round robin over the groups that have one left,
   but for those of the first SMs, which come last (measurements/h200/l2: l2-sms.csv). sm: below slice_map_sms. */
void slice_map_gpu_sm(const SliceMap *map, uint32_t sm, uint32_t *group, uint32_t *cluster);
/* SMs of all groups; 0: there is no map. */
uint32_t slice_map_sms(const SliceMap *map);

/* Which of its cluster's egresses a packet for that line takes: 0 .. CLUSTER_EGRESSES - 1. */
uint32_t slice_egress(const L2Parameters *parameters, uint64_t line);
/* By which of the links between the partitions its results come: 0 .. links - 1. */
uint32_t slice_link(const L2Parameters *parameters, uint64_t line);

/* A number of -spread .. +spread for the way from a group of SMs to a slice, the same every time: the
   measured latencies of an SM and a line differ by a hash of both and by no sum of two parts
   (issue-l2-by-sm.csv of the same GPU, 132 SMs by 32 lines). */
int32_t slice_distance(uint32_t group, uint32_t slice, uint32_t spread);

#endif
