/* SPDX-License-Identifier: MIT */
/*
 * Loads that miss an SM's first cache, and those of others that find their sectors on the way: they are answered together
 * (measurements/h200/issue/issue-l1.csv: a second warp on a line in flight ends when the first does).
 *
 * A load that misses is a miss, with a number, until the reply of its access is there. A load that asks for sectors on their way follows
 * the misses that have asked for them; if it misses others itself, it follows its own miss, too. Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_MEMORY_MISSES_H
#define ATOMSIM_SIM_MEMORY_MISSES_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "model/shared/shared.h"

/* Numbers of misses: 1 to this one, 0 is none. */
#define MISS_LAST UINT16_MAX

typedef struct {
	GArray *misses, *followers, *links, *answers; /* NULL: there was none yet */
	uint32_t spare_miss, spare_follower, spare_link;
} Misses;

/* A load all of whose misses have been answered. */
typedef struct {
	uint64_t id;
	Cycle at;  /* it has all then */
	bool dram; /* what came last came from there */
} MissAnswer;

void misses_clear(Misses *misses);

/* A load misses; returns its number, 0 if there are as many as there can be. */
uint16_t misses_begin(Misses *misses);
/* It asks for sectors of this line; at most MAX_LANES. */
void misses_add_line(Misses *misses, uint16_t miss, uint64_t line);

/* A load follows these misses; own: its own one, or 0. at: when what it has found in the cache is there; 0: nothing. */
void misses_follow(Misses *misses, const uint16_t *followed, uint32_t n, uint16_t own,
		   uint64_t id, Cycle at);
/* Whether the miss is one of a load that follows others. */
bool misses_is_joined(const Misses *misses, uint16_t miss);

/* The lines that it has asked for sectors of, until one is added to any: returns how many. */
uint32_t misses_lines(const Misses *misses, uint16_t miss, const uint64_t **lines);
/* The miss's access has been answered at `at`: it is one no longer. Returns the loads that have all now, MissAnswer, until the next call. */
const GArray *misses_end(Misses *misses, uint16_t miss, Cycle at, bool dram);

#endif
