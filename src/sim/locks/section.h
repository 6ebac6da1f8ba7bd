/* SPDX-License-Identifier: MIT */
/*
 * The divergent lanes of a warp whose trace has locks as operations (KernelInfo.lock_sections): each lane goes through the
 * critical section in its own round, and lanes that have released their lock go on while the others try. So lanes of a
 * warp are at different records. Records that were read and that some lane has still to execute are kept.
 * Who may include it: sim only.
 *
 * Lanes at the same instruction execute it together, also if it is the record of one iteration to some and that of
 * another to the others.
 */
#ifndef ATOMSIM_SIM_LOCKS_SECTION_H
#define ATOMSIM_SIM_LOCKS_SECTION_H

#include <glib.h>

#include "sim/locks/global-locks.h"
#include "sim/sm/record-log.h"

/* What a warp that wants a lock executes next. */
typedef enum {
	LOCK_ATTEMPT,
	LOCK_ANSWER, /* looks at the result of its attempt */
	LOCK_YIELD,  /* before the next attempt, or before lanes that go on */
} LockPhase;

/* How far the running lanes go. */
typedef enum {
	RUN_INSIDE,   /* through the critical section, up to its unlock */
	RUN_OUT,      /* out of the loop around the lock: one gap */
	RUN_AHEAD,    /* to their next lock */
	RUN_TOGETHER, /* all lanes, until they are where the trace is read */
} SectionRun;

/* Lanes at the same record. */
typedef struct {
	LaneMask lanes;
	uint64_t at; /* place of the record */
} Split;

typedef struct {
	RecordLog *
		log; /* records read and ahead of some lane: places count from the first lock on */
	uint64_t n_counted; /* in the statistics */
	LaneMask
		inside; /* lanes of the section that the record counted last is in; outside of all: any */
	uint64_t furthest; /* of the splits, where that matters */
	Split splits[MAX_LANES];
	uint32_t n_splits;
	Record lock;	  /* of those that try, each lane at its own */
	LaneMask trying;  /* lanes that want a lock */
	LaneMask running; /* lanes that execute; 0: those that want a lock try */
	uint64_t
		runners; /* while lanes run: their splits; RUN_INSIDE: those that have not released yet */
	LaneMask
		waiting; /* have released their lock, and wait behind their section for others that have not */
	LaneMask ahead[2]; /* go on when the warp yields: first, and at the next yield */
	LaneMask last; /* those that went on last, to the lock that they try or are through */
	SectionRun run;
	bool out;	 /* they have come further; RUN_OUT: out of the loop */
	LockPhase phase; /* trying */
	bool diverged;	 /* since all of the warp tried last */
	uint32_t yields; /* LOCK_YIELD: still to make */
	/* LOCK_ANSWER, in shared memory; bit i: lane i of those that try. */
	uint32_t answer_cycles; /* from the service of the last lane to the result */
	LaneMask won, open;	/* got a lock; found it held, so far */
	uint32_t before
		[MAX_LANES]; /* service of the last lane: of this one, so many cycles earlier */
	/* In global memory: the attempt that is outstanding or answered, and all requests ever made. */
	LockRequest *asked;
	GPtrArray *requests;
} Section;

static inline const Record *section_record(const Section *section, uint64_t place)
{
	return record_log_at(section->log, place);
}

/* Bounds how many lie open: those that were looked at before may lie elsewhere from now on. */
static inline void section_keep_open(Section *section)
{
	/* Where each split is and what it comes to next, and what was read last. */
	record_log_keep_open(section->log, 2 * section->n_splits + 8);
}

Section *section_new(void);

void section_free(Section *section); /* NULL: nothing */

/* Afterwards no split has lanes both in `lanes` and not. */
void section_split_off(Section *section, LaneMask lanes);
/* Afterwards lanes at the same record are one split. */
void section_join(Section *section);
/* Has the record at that place read; false: the stream is broken. Records that were looked at may lie elsewhere then. */
bool section_read_to(Section *section, WarpStream *stream, uint64_t place);
/* Whether all of a warp execute it together. */
bool section_joins_warp(const Record *record);

/* All of `lanes` are at this lock, and those that it is for try. */
void section_begin(Section *section, const Record *lock, LaneMask lanes);

/* These run from now on; none of them tries. */
void section_run(Section *section, LaneMask lanes, SectionRun run);

typedef enum {
	SECTION_RECORD, /* *record was filled */
	SECTION_ARRIVED, /* RUN_OUT: all are out; RUN_AHEAD: at locks; RUN_TOGETHER: where the trace is read */
	SECTION_NEVER,	/* RUN_INSIDE: an unlock passed lanes of its lock over */
	SECTION_BROKEN, /* the stream is */
} SectionNext;

/* The next record of the running lanes, with those that take part. Keeps what it reads of the
   stream. */
SectionNext section_next(Section *section, WarpStream *stream, Record *record);

/* Of lanes that are behind their unlock those that come to another lock before they meet the rest of their warp. The
   stream may be read for it; *broken: it is. */
LaneMask section_go_on(Section *section, WarpStream *stream, LaneMask lanes, bool *broken);

/* The running lanes have arrived at locks: they want them, as those do that try, and `lock` becomes the record of all
   that can be tried together. Of the others those wait that come to a lock, for which the stream may be read. Nobody runs
   any more. False: the stream is broken. */
bool section_want(Section *section, WarpStream *stream);
/* All lanes are where the trace is read. */
bool section_is_over(const Section *section);

/* A request for the words of a record's lanes, at these addresses; it is the section's. */
LockRequest *section_request(Section *section, GlobalLocks *locks, bool release,
			     uint32_t n_lanes, const uint64_t *addresses);

/* *to becomes what *from says; what is not defined there is not copied. */
void section_copy(Record *to, const Record *from);

/* Leaves of a record those lanes that are in `lanes`. False if there are none. Records without lanes
   stay as they are. */
bool section_select(Record *record, LaneMask lanes);

/* Whether one record can hold the addresses of both. */
bool section_can_be_one(const Record *a, const Record *b);
/* Whether they are the same instruction, if perhaps of another iteration. */
bool section_is_same(const Record *a, const Record *b);
/* *record becomes that of these splits (bit k: splits[k]; one or more), which are at the same instruction. */
void section_put_together(const Section *section, uint64_t members, Record *record);

#endif
