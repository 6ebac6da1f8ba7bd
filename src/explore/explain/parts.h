/* SPDX-License-Identifier: MIT */
/* What the parts of explain share: explain.c runs and watches, source.c has the warps' records, judge.c says who
   was in the way. Nobody else may include it. */
#ifndef ATOMSIM_EXPLORE_EXPLAIN_PARTS_H
#define ATOMSIM_EXPLORE_EXPLAIN_PARTS_H

#include "explore/explain/explain.h"

/* The warps of a request as records: an atomic, or locks with their section, and the end. */
typedef struct {
	RecordSource source; /* first */
	const ExplainRequest *request;
	uint32_t shared_bytes;
} ExplainSource;

/* Bytes of a lane's value, 4 or 8. */
uint32_t explain_width(const ExplainRequest *request);

ExplainSource explain_source(const ExplainRequest *request, uint32_t shared_bytes);

/* Puts instructions together to rounds. */
typedef struct {
	Observer observer; /* first */
	const ExplainRequest *request;
	GArray *rounds; /* of ExplainRound */
	uint64_t cycles;
	bool has_locks;
	/* Of spin locks: a warp's exchanges before the present one, and when it released its own. */
	uint32_t exchanges[EXPLAIN_MAX_WARPS];
	bool exchanged[EXPLAIN_MAX_WARPS]; /* the present one is complete */
	Cycle released[EXPLAIN_MAX_WARPS];
} ExplainWatcher;

/* Of each lane of a round, once all rounds are known: what became of it, and whose doing that was. The first is for
   atomics, with a mechanism that has lock bits or not; the other for spin locks. */
void explain_judge(const ExplainWatcher *watcher, ExplainRound *round, bool has_locks);
void explain_judge_locks(const ExplainWatcher *watcher, ExplainRound *round);

#endif
