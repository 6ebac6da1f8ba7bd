/* SPDX-License-Identifier: MIT */
/*
 * What the files that skip loops share: loops.c is the source that leaves records out, loops-content.c says what the records of a
 * block are, loops-steady.c when what they take is known. Only they include it.
 */
#ifndef ATOMSIM_REPLAY_LOOPS_INTERNAL_H
#define ATOMSIM_REPLAY_LOOPS_INTERNAL_H

#include <glib.h>

#include "replay/loops.h"

#define N_BATCHES 96 /* the records of each warp are so many batches of about one size */
/* What the method may be off by beyond chance, as a share of what was asked: most of it is the end, where some warps are ahead of others. */
#define LOOPS_METHOD_ERROR  0.6
#define LAST_BATCHES	    2 /* of the launch are always simulated, with its end */
#define LEAST_BATCH_RECORDS 4 /* of a warp; of fewer no time is known */

/* What the records of a batch are: their number by kind, and what they ask for. */
enum {
	CONTENT_RECORDS, /* the first N_RECORD_KINDS: by kind */
	CONTENT_INSTRUCTIONS = N_RECORD_KINDS,
	CONTENT_LANES,
	CONTENT_PASSES, /* of the banks of shared memory, each access by itself */
	CONTENT_SAME,	/* lanes of the word that most lanes of an atomic want */
	CONTENT_BYTES,	/* of global memory, */
	CONTENT_LINES,	/* and its lines, by lanes that are on another than the lane before */
	CONTENT_NEW_LINES, /* the same, lines that no batch before asked for counted so often more */
	N_CONTENTS
};

#define NEW_LINE_WEIGHT 4

/* Where a warp's batches begin. */
typedef struct {
	uint64_t begin[N_BATCHES + 1]; /* record; the last: their number */
	uint64_t key
		[N_BATCHES +
		 1]; /* which instructions are about there: equal where a loop is at the same place */
} WarpBatches;

typedef struct {
	WarpBatches *warps;
	double batches[N_BATCHES][N_CONTENTS]; /* of all warps */
} BlockContent;

/* What each block of a source is; blocks with equal records share it. */
typedef struct {
	uint32_t n_warps;    /* of each block */
	bool have_barriers;  /* some block in each batch */
	uint32_t *content;   /* of each block: entry of `contents` */
	GPtrArray *contents; /* of BlockContent */
} Contents;

/* NULL: *why says why records of these blocks cannot be left out, constant. */
Contents *contents_new(const SimRequest *request, TraceReader *reader, const char **why);
void contents_free(Contents *contents);
static inline const BlockContent *content_of(const Contents *contents, uint64_t block)
{
	return g_ptr_array_index(contents->contents, contents->content[block]);
}

/* Of the buffers of a kernel. */
typedef struct AskedLines AskedLines;
AskedLines *asked_lines_new(const KernelInfo *kernel);
void asked_lines_free(AskedLines *lines);
/* Notes what a record of that batch of that content asks for. Returns how many lines. */
uint32_t asked_lines_of(AskedLines *lines, uint32_t content, uint32_t batch,
			const Record *record);
/* Counts in each batch, NEW_LINE_WEIGHT each, the lines that none before asked for. */
void asked_lines_count_new(const AskedLines *lines, Contents *contents);

/* A warp on its way through its records. */
typedef struct {
	const WarpBatches *batches;
	uint32_t block; /* of the SM's, in order */
	bool ended;
	double pace;	   /* records in the measured time, and what it will do */
	uint32_t batch;	   /* that its last record was in */
	uint32_t from, to; /* it leaves out batches from .. to-1; N_BATCHES: none */
	uint64_t index;	   /* records that it has come by, those left out included */
} WarpProgress;

/* An SM: notes the time each so many records of all its warps. */
typedef struct {
	uint32_t n_warps;   /* 0: it has not begun */
	uint32_t n_left;    /* have not ended, */
	uint32_t n_to_skip; /* and of these: have come to no `from` yet */
	WarpProgress *warps;
	double batches[N_BATCHES][N_CONTENTS]; /* of its blocks */
	uint64_t n_records, mark_records;      /* simulated; from one mark to the next */
	uint32_t n_marks;
	uint64_t mark_at[N_BATCHES + 2];     /* cycle */
	uint32_t mark_batch[N_BATCHES + 2];  /* the least that a warp was in */
	uint64_t *mark_index[N_BATCHES + 2]; /* of each warp */
	uint32_t phase;	   /* what is known of the time begins with this mark */
	uint32_t n_looked; /* marks of the phase when it was last looked at */
	/* What was left out: records, their cycles, the square of half of their interval. */
	uint64_t skipped_records;
	double skipped_cycles, squared;
} Progress;

/* SMs that leave out the same time: all that share a memory, else one. */
typedef struct {
	Progress *sms;
	uint32_t n_sms;
	uint32_t n_measured; /* marks, the last ones of each, that count */
} Group;

/* Cycles that a record of the SM took on average in the last `from` marks but the last `to`. */
double loops_rate(const Progress *sm, uint32_t from, uint32_t to);

/* Sets each warp's pace, in records of the measured time. Warps that are ahead of others by chance will not be for ever: a pace is kept as
   far as what warps did in both halves of that time correlates. */
void skip_find_paces(Progress *sm, uint32_t n_measured);
/* Sets what each warp may leave out from: its next batch; where loops have barriers, the next one of its block. */
void skip_set_from(Progress *sm, bool have_barriers);
/* For how many measured times all warps of the SM can go on at their paces until one comes to the batch `limit`; `most` at most. */
double skip_times_left(const Progress *sm, uint32_t limit, double most);
/* Says of each warp what it leaves out of so many measured times, `n_together` warps of a block the same, and books what that takes.
   half_width: of a record's cycles, as a share. */
void skip_leave_out(Progress *sm, uint32_t n_measured, uint32_t n_together, double times,
		    double half_width);

/* Whether what follows takes a time that is known: says of each warp which batches it leaves out, and books that in each SM. To be
   asked when there is another mark; no record may be asked for meanwhile. */
void steady_look(Group *group, const Contents *contents, double within);

#endif
