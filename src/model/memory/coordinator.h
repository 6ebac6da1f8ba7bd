/* SPDX-License-Identifier: MIT */
/*
 * The workgroup that serves the others' atomic adds in Elteir, Lin and Feng, "Performance Characterization and
 * Optimization of Atomic Operations on AMD GPUs" (IEEE Cluster 2011), sections IV.B and V: in turns, from
 * one array of requests.
 *
 * Modelled, of their figure 7 (coordinate()):
 * - A turn reads the addresses and sums that all wavefronts have posted; looks, for each request, for the lowest
 *   wavefront that names the same word, one slot after the other, all requests at a time; adds the sums of
 *   one word, one after the other; reads the words, writes what each request finds, writes the words, and
 *   takes the requests away, which lets the requesters go. These are five memory transactions one after the
 *   other (equation 2). A turn without a request is the first of them.
 * - At its end it counts the wavefronts that have finished, reading their flags one after the other; with
 *   scan 0 each of its threads reads one.
 * - Words, sums and what each request finds are kept, so that a test can hold them to account.
 * Ours differs in one thing: a sum of 0 or below is written too (theirs loses it).
 * Not modelled: the coordinator's place on an SM and what its accesses and theirs cost each other.
 * Pure. Who may include it: model, sim, and tests.
 */
#ifndef ATOMSIM_MODEL_MEMORY_COORDINATOR_H
#define ATOMSIM_MODEL_MEMORY_COORDINATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "model/shared/shared.h"

typedef struct {
	uint32_t threads;    /* of its workgroup: wavefronts that it can serve */
	uint32_t turn_trips; /* memory transactions of a turn that serves somebody: 2 or more */
	uint32_t turn_cycles;	/* of each turn besides */
	uint32_t search_cycles; /* for each slot looked at */
	uint32_t update_cycles; /* for each request's sum */
	uint32_t scan;		/* 1: each flag is read by itself */
	uint32_t
		poll_cycles; /* from a requester's look at its request to the next, besides the trip */
} CoordinatorParameters;

typedef struct Coordinator Coordinator;

/* n_warps: requesters, 1 .. threads; trip_cycles: a memory transaction. Parameters outlive it. */
Coordinator *coordinator_new(const CoordinatorParameters *parameters, uint32_t n_warps,
			     uint32_t trip_cycles);
void coordinator_free(Coordinator *coordinator);

/* The request of a warp that has none is in memory at `at`. */
void coordinator_post(Coordinator *coordinator, uint32_t warp, uint64_t word, uint64_t sum,
		      Cycle at);
/* Whether it has been taken away by `at`. Calls come in order of `at`, those of post too. */
bool coordinator_is_done(Coordinator *coordinator, uint32_t warp, Cycle at);
/* What the word held before the warp's last request was added, once that is done. */
uint64_t coordinator_found(const Coordinator *coordinator, uint32_t warp);
/* All requesters have ended, the last at `last`, and no request is left: when the coordinator ends. */
Cycle coordinator_end(Coordinator *coordinator, Cycle last);
uint64_t coordinator_n_turns(const Coordinator *coordinator);

#endif
