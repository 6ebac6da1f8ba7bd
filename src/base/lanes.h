/* SPDX-License-Identifier: MIT */
/* What lanes of a warp access; as people write it: "0 1024 - 3". A leaf: every layer above sim may include it. */
#ifndef ATOMSIM_BASE_LANES_H
#define ATOMSIM_BASE_LANES_H

#include <glib.h>

#include "base/words.h"

/* One access of a warp. */
typedef struct {
	LaneMask mask;		   /* active lanes */
	guint n_words;		   /* their number */
	uint32_t words[MAX_LANES]; /* of the active lanes, from the lowest up */
} Lanes;

typedef enum {
	LANES_GOOD,
	LANES_TOO_MANY,	 /* over n_lanes */
	LANES_NO_NUMBER, /* fault->lane has fault->found */
	LANES_NONE,	 /* no lane is active */
} LanesProblem;

typedef struct {
	guint lane;	/* the one that was being read; LANES_GOOD: how many were written */
	char found[64]; /* what is there, cut off if it is longer */
} LanesFault;

/*
 * Reads numbers 0 .. max between any of the separators, one for each of up to n_lanes (1 .. MAX_LANES)
 * lanes from lane 0 on; - is an idle lane. What is wrong is for the caller to put into words: it knows the place.
 */
LanesProblem lanes_read(const char *text, const char *separators, guint n_lanes, uint32_t max,
			Lanes *lanes, LanesFault *fault);

/* 128-byte segments that n (up to MAX_LANES) accesses of `width` bytes touch; each touches two at most. */
uint32_t lanes_segments(const uint64_t *address, guint n, uint32_t width);

#endif
