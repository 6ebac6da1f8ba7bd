/* SPDX-License-Identifier: MIT */
/*
 * Little programs whose blocks all do the same, as those behind measurements/h200/issue: made as a trace with data flow in
 * memory, and replayed. Only the files beside it that add points may include it.
 */
#ifndef ATOMSIM_VALIDATE_FORMS_ISSUE_PROGRAM_H
#define ATOMSIM_VALIDATE_FORMS_ISSUE_PROGRAM_H

#include <glib.h>

#include "base/record.h"
#include "sim/run/machine.h"
#include "sim/run/statistics.h"
#include "trace/writer.h"

/* What a link of a chain, or a piece of straight code, is made of: at most two instructions. */
#define ISSUE_MAX_PARTS 2

typedef struct {
	RecordKind kind;     /* RECORD_CODE, or an access */
	CodeClass class;     /* code */
	gboolean predicated; /* code: guarded by the part before it, which is a comparison */
	uint8_t width;	     /* accesses: bytes a lane */
	Operation operation; /* atom, atomg */
	gboolean result;     /* atom, atomg */
	CacheHint cache;     /* accesses to global memory */
	ValueType type;	     /* atom, atomg */
} IssuePart;

typedef struct {
	const char *name; /* as the files have it */
	IssuePart parts[ISSUE_MAX_PARTS];
	guint n_parts;
} IssueLink;

/* NULL: the files have it, but no program here. */
const IssueLink *issue_link(const char *name);

typedef struct IssueProgram IssueProgram;

/* Warps 0 .. n_warps-1 of each block, each without an instruction yet. */
IssueProgram *issue_program_new(guint n_blocks, guint n_warps);
/* Appends n copies of a link to a warp: in a chain each part waits for the one before it; else none waits, and
   results go to values in turn. uniform: an access's lanes name one word, else each its own. */
void issue_program_links(IssueProgram *program, guint warp, const IssueLink *link, guint n,
			 gboolean chain, gboolean uniform);
/* Appends n accesses whose guard no lane fulfils. */
void issue_program_empty_accesses(IssueProgram *program, guint warp, guint n);
/* How many different values the lanes of the matches that follow hold: 1 .. 32, which it is at first. */
void issue_program_match_values(IssueProgram *program, guint n_values);

#define ISSUE_MAX_STRIDE 128

/* An access of all lanes, which waits for what it stores, and else for nothing unless it is said. */
typedef struct {
	guint value; /* what it loads, and what it stores or is the operand: 0 .. ISSUE_MAX_LOADS-1 */
	guint stride; /* bytes from a lane to the next; 0: one word; in shared memory at most ISSUE_MAX_STRIDE */
	guint wrap;  /* bytes after which lanes begin anew; 0: never */
	guint lines; /* of 128 bytes that words are spread over, as many in each, in a row from its begin; 0: stride says */
	gboolean waits;	 /* its address is made of `value` */
	uint64_t offset; /* in the block's buffer; shared memory is the warp's own 512 bytes */
} IssueAccess;

void issue_program_access(IssueProgram *program, guint warp, const IssuePart *part,
			  const IssueAccess *access);
/* An access of n lanes, those of the mask, to these bytes of the block's shared memory, all lanes' below its least size. */
#define ISSUE_SHARED_BYTES 16384
void issue_program_words(IssueProgram *program, guint warp, const IssuePart *part,
			 const uint32_t *address, guint n, LaneMask mask);
/* Bytes of global memory that each block has of its own; before the first access to it. */
void issue_program_buffer(IssueProgram *program, uint64_t block_bytes);
/* The same for all of them together: each finds the same bytes at an offset. */
void issue_program_common_buffer(IssueProgram *program, uint64_t bytes);
/* The next access is watched: the program's run gives the cycles from its issue to the issue of its warp's next instruction. */
void issue_program_watch(IssueProgram *program);
/* Appends up to ISSUE_MAX_LOADS loads of width bytes a lane from global memory, past the first cache, each of its own lines;
   and instructions that use what so many of them got. */
#define ISSUE_MAX_LOADS 32
void issue_program_loads(IssueProgram *program, guint warp, guint n, guint width);
void issue_program_uses(IssueProgram *program, guint warp, guint n);
/* A barrier of the block, a fence. */
void issue_program_record(IssueProgram *program, guint warp, const Record *record);
/* Cycles from the start of the blocks until all has arrived, or only to the end of the last warp; negative: it failed. Frees
   the program. */
double issue_program_run(IssueProgram *program, const Machine *machine, gboolean until_end,
			 const char *place, GError **error);
/* The same for all that the run counts. */
gboolean issue_program_count(IssueProgram *program, const Machine *machine, const char *place,
			     Statistics *statistics, GError **error);

#endif
