/* SPDX-License-Identifier: MIT */
/*
 * Little programs whose blocks all do the same, as those behind measurements/h200/issue: made as a trace with data flow in
 * memory, and replayed. Only the files beside it that add points may include it.
 */
#ifndef ATOMSIM_EXPLORE_MEASURED_ISSUE_PROGRAM_H
#define ATOMSIM_EXPLORE_MEASURED_ISSUE_PROGRAM_H

#include <glib.h>

#include "base/record.h"
#include "sim/machine.h"
#include "trace/writer.h"

/* What a link of a chain, or a piece of straight code, is made of: at most two instructions. */
#define ISSUE_MAX_PARTS 2

typedef struct {
	RecordKind kind;     /* RECORD_CODE, or an access to shared memory */
	CodeClass class;     /* code */
	gboolean predicated; /* code: guarded by the part before it, which is a comparison */
	uint8_t width;	     /* accesses: bytes a lane */
	Operation operation; /* atom */
	gboolean result;     /* atom */
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
/* Appends up to ISSUE_MAX_LOADS loads of width bytes a lane from global memory, past the first cache, each of its own lines;
   and instructions that use what so many of them got. */
#define ISSUE_MAX_LOADS 32
void issue_program_loads(IssueProgram *program, guint warp, guint n, guint width);
void issue_program_uses(IssueProgram *program, guint warp, guint n);
/* A barrier of the block, a fence. */
void issue_program_record(IssueProgram *program, guint warp, const Record *record);
/* Cycles from the start of the blocks to their end; negative: it failed. Frees the program. */
double issue_program_run(IssueProgram *program, const Machine *machine, const char *place,
			 GError **error);

#endif
