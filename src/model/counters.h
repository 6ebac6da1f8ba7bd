/* SPDX-License-Identifier: MIT */
/*
 * Counters that the model itself keeps, lanes and words being known only there.
 * Who may include it: model, sim, and layers above.
 */
#ifndef ATOMSIM_MODEL_COUNTERS_H
#define ATOMSIM_MODEL_COUNTERS_H

#include <stdint.h>

#define DEGREE_BINS 65 /* degrees 0 .. 64 */

typedef struct {
	uint64_t accesses;	   /* trips of a warp instruction through the load/store unit */
	uint64_t passes;	   /* trips through the banks: accesses + conflict_passes */
	uint64_t conflict_passes;  /* passes after the first of an access */
	uint64_t bank_busy_cycles; /* in which the banks served a pass */
	uint64_t degree[DEGREE_BINS]; /* accesses by passes */
} SharedCounters;

typedef struct {
	uint64_t warp_instructions; /* atom records */
	uint64_t lane_operations;   /* lanes of those records */
	uint64_t rounds;	    /* LK instructions executed, or what stands for one */
	uint64_t attempts;	    /* lanes that tried, over all rounds */
	uint64_t retries;	    /* attempts after a lane's first */
	uint64_t successes;	    /* lanes whose operation was done */
	uint64_t lock_degree[DEGREE_BINS]; /* atom records by rounds they took (64: or more) */
	/* Lanes that failed, by cause. Intra: a lane of the same warp won the lock in the same
	   round; inter: another warp held it. Position: for the same word; alias: another word. */
	struct {
		uint64_t intra_position;
		uint64_t intra_alias;
		uint64_t inter_position;
		uint64_t inter_alias;
		uint64_t full; /* nobody's: the word has no entry of a full table */
	} failures;
} AtomicCounters;

/* What the memory side that SMs share has done. */
typedef struct {
	uint64_t accesses;	     /* warp instructions */
	uint64_t packets;	     /* that left an SM, each round one */
	uint64_t sectors;	     /* that slices served */
	uint64_t far_packets;	     /* that went through the other partition's mirror */
	uint64_t missed_sectors;     /* that came from DRAM */
	uint64_t complete_accesses;  /* of accesses: on the slow one of two paths */
	uint64_t failed_lanes;	     /* whose swap failed */
	uint64_t wait_loop_accesses; /* a warp's looks at what it has asked a coordinator for */
	uint64_t coordinator_rounds;
	uint64_t
		sent_lanes; /* of atomics, that left an SM, each for all that it was merged of there */
	uint64_t served_lanes; /* of them, that slices operated for, */
	uint64_t merged_lanes; /* and those merged with one that waited at its slice */
} MemoryCounters;

#endif
