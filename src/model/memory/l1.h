/* SPDX-License-Identifier: MIT */
/*
 * An SM's first cache of global memory, as tags: which sectors of which lines are there, or on their
 * way, and since when. Lines of 128 bytes, sectors of 32; in a set the least recently used goes. A store writes through; a
 * caller for which it leaves its words here says so (l1_store: words that are stored whole, measurements/h200/issue/issue-written.csv).
 * A miss fetches the missing sectors only (sectored since Volta; our
 * measurements of an H200, measurements/h200/issue/issue-l1.csv: sectors within a line are free, and a second
 * warp on a line in flight ends when the first does).
 * What shared memory leaves of it: sim/sm/blocks.h. Not modelled: banks of the cache, replacement by anything but age.
 * Who may include it: model, sim.
 */
#ifndef ATOMSIM_MODEL_MEMORY_L1_H
#define ATOMSIM_MODEL_MEMORY_L1_H

#include <stdbool.h>
#include <stdint.h>

#include "model/shared/shared.h"

#define L1_LINE_BYTES	128
#define L1_SECTOR_BYTES 32
#define L1_LINE_SECTORS (L1_LINE_BYTES / L1_SECTOR_BYTES)
#define L1_WORD_BYTES	4
#define L1_SECTOR_WORDS (L1_SECTOR_BYTES / L1_WORD_BYTES)
#define L1_MAX_WAYS	256

typedef struct {
	uint64_t tag; /* line number + 1, of all buffers; 0: free */
	uint64_t used;
	Cycle ready_at;			    /* of the last sector asked for, or answered */
	uint16_t asked_by[L1_LINE_SECTORS]; /* of each; 0: whoever did has been answered */
	uint32_t words;			    /* bit w: that word of the line was stored */
	uint8_t sectors;		    /* bit s: there, or on its way */
	uint8_t last; /* bit s: of those asked for one by one, ready_at is this one's */
} L1Line;

typedef struct {
	uint32_t n_sets; /* 0: there is no such cache */
	uint32_t n_ways;
	uint64_t n_looks;
	L1Line *lines; /* n_sets * n_ways; NULL: nobody has looked yet */
	L1Line *last;  /* found last; NULL: none was yet */
	bool stored;   /* some word was */
} L1;

/* ways: 1 .. L1_MAX_WAYS; all lines are one set where there are no more lines than that. */
void l1_init(L1 *l1, uint32_t bytes, uint32_t ways);
void l1_clear(L1 *l1);

/* Looks for sectors (bits) of a line (its number among all lines of all buffers). Those that are missing are
   then on their way: the caller says by l1_filled when they come. Returns the missing ones; *ready_at: when
   those come that are on their way, 0 if all that were asked for are there at `now`. */
uint32_t l1_look(L1 *l1, uint64_t line, uint32_t sectors, Cycle now, Cycle *ready_at);
void l1_filled(L1 *l1, uint64_t line, Cycle at);

/* The same of one sector whose coming nobody knows yet. Returns whether it is missing; if not, *ready_at is as above, and *asked_by who has asked
   for it without an answer so far, 0: nobody. */
bool l1_misses(L1 *l1, uint64_t line, uint32_t sector, Cycle now, Cycle *ready_at,
	       uint16_t *asked_by);
/* One that is missing is asked for, by a number that the caller gives, 1 or more. If some of its words were stored, those of the whole line
   are there no longer (issue-under-way.csv, `earlier`). */
void l1_ask(L1 *l1, uint64_t line, uint32_t sector, uint16_t asked_by);
/* What that number has asked for of the line is there at `at`, unless a store came in between. */
void l1_arrived(L1 *l1, uint64_t line, uint16_t asked_by, Cycle at);

/* A store writes to a line, before l1_store says what. If a load's answer is under way, that will not stay, and what of the line was there is
   there no longer (measurements/h200/issue/issue-under-way.csv). */
void l1_write(L1 *l1, uint64_t line, Cycle now);
/* Words (bits) of a line are stored: there from now on. */
void l1_store(L1 *l1, uint64_t line, uint32_t words);
/* The sectors (bits) of which words are wanted, and all that are were stored. The line counts as used if there is one. */
uint32_t l1_stored(L1 *l1, uint64_t line, uint32_t words);
/* What is there of these sectors (bits) is there no longer. */
void l1_drop(L1 *l1, uint64_t line, uint32_t sectors);

#endif
