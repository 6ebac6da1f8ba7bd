/* SPDX-License-Identifier: MIT */
/*
 * A critical section of a warp whose trace tells locks as operations (KernelInfo.lock_sections): the
 * records from a lock up to its unlock, which every lane passes once, and not all in one round. They are kept
 * until the last lane is through. Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_SECTION_H
#define ATOMSIM_SIM_SECTION_H

#include <glib.h>

#include "sim/global-locks.h"

/* What a warp that wants a lock executes next. */
typedef enum {
	LOCK_TRY,
	LOCK_ANSWER, /* looks at what its try has brought */
	LOCK_YIELD,  /* on its way to the next try */
} LockPhase;

typedef struct {
	Record lock;	  /* with all lanes that want one */
	GArray *records;  /* Record: what was read of the section so far */
	guint at;	  /* of the next one of this round */
	bool complete;	  /* the unlock has been read */
	LaneMask pending; /* lanes that have not been inside */
	LaneMask inside;  /* lanes of this round; 0: they are trying */
	LockPhase phase;  /* trying */
	uint32_t yields;  /* LOCK_YIELD: still to make */
	/* LOCK_ANSWER, in shared memory; bit i: lane i of those that try. */
	uint32_t answer_cycles;	    /* from the last lane's turn to the answer */
	LaneMask won, open;	    /* got a lock; found it held, so far */
	uint32_t before[MAX_LANES]; /* the last one's turn at the bank: its own */
	/* In global memory: the try on its way or answered, and all requests ever made. */
	LockRequest *asked;
	GPtrArray *requests;
} Section;

Section *section_new(void);

void section_free(Section *section); /* NULL: nothing */

/* A request for the words of a record's lanes, at these addresses; it is the section's. */
LockRequest *section_request(Section *section, GlobalLocks *locks, bool release,
			     uint32_t n_lanes, const uint64_t *addresses);

/* Leaves of a record those lanes that are in `lanes`. False if there are none. Records without lanes
   stay as they are. */
bool section_select(Record *record, LaneMask lanes);

#endif
