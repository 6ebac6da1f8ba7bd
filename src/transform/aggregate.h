/* SPDX-License-Identifier: MIT */
/* The codes of aggregation in a warp. Only files of transform include it. */
#ifndef ATOMSIM_TRANSFORM_AGGREGATE_H
#define ATOMSIM_TRANSFORM_AGGREGATE_H

#include "transform/change.h"

/* Instructions where the trace has no data flow to put them into. */
#define ONES_INSTRUCTIONS	4
#define REDUCE_INSTRUCTIONS	11
#define MATCH_INSTRUCTIONS	10
#define MATCH_WORD_INSTRUCTIONS 4 /* for each different word */
#define STEP_INSTRUCTIONS	9
#define BEHIND_INSTRUCTIONS	4

#define CHECK_INSTRUCTIONS  5
#define SERIAL_INSTRUCTIONS 2
#define TURN_INSTRUCTIONS   6
#define RUNS_INSTRUCTIONS   12 /* finding runs of lanes of one word */

#define NO_CODE UINT32_MAX

/* The last three by words: of the atomic, or that the lanes still at work want. */
enum {
	CODES_ONES,
	CODES_REDUCE,
	CODES_BEHIND,
	CODES_SERIAL,
	CODES_TURN,
	CODES_RUNS,
	CODES_MATCH,
	CODES_STEP = CODES_MATCH + MAX_LANES + 1,
	CODES_CHECK = CODES_STEP + MAX_LANES + 1,
	N_CODES = CODES_CHECK + MAX_LANES + 1,
};

/* As ChangeKind.add_code. A site whose sums are made with those of one before it has NO_CODE in place of CODES_REDUCE. */
void aggregate_add_code(Change *change, const SharedArray *array, Code *code);

#endif
