/* SPDX-License-Identifier: MIT */
/*
 * A warp's next record, and when it can begin. Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_SM_FETCH_H
#define ATOMSIM_SIM_SM_FETCH_H

#include <glib.h>

#include "sim/sm/sm.h"

/* What the launch finds of code and constants. The scoreboard is new. */
void fetch_open(Sm *sm);

/* Fetches the warp's next record and makes it due at `ready`, or when what it needs is there. Behind it, and behind whatever
   calls it, no field of a warp is read that was looked up before: tests/after-fetch.pl. */
void fetch_next(Sm *sm, uint32_t slot, Cycle ready);

/* The same of a parked warp whose record is complete by an answer from outside. Between two windows. */
void fetch_answered(Sm *sm, uint32_t slot, Cycle ready);

/* The warp's record ends with its next instruction: asks for the lines of the simulating processor's cache that the next record
   comes from and goes to. */
static inline void fetch_soon(const Warp *warp)
{
	const char *record = (const char *)&warp->record;

	__builtin_prefetch(warp->stream, 1);
	for (uint32_t i = 1; i <= 3; i++) /* up to the address of lane 32 */
		__builtin_prefetch(record + i * HOST_LINE_BYTES, 1);
}

/* A result is on its way to a warp that runs ahead; `is_load`: of a load. */
void fetch_expect(Sm *sm, Warp *warp, const Result *result, bool is_load);

/* Of traces that say what waits for what: the warp's next instruction is ready at `ready` but for values, which *wait says
   all of. Returns when it can be issued, and books the wait. NEVER: nobody knows yet, and the warp is parked. */
Cycle fetch_wait_out(Sm *sm, uint32_t slot, Cycle ready, Result *wait);
/* A value has come for a warp that is parked so: wakes it if it was the last. Returns whether. */
bool fetch_value_arrived(Sm *sm, uint32_t slot);

/* Whether warps go on before the results of their accesses are there. */
static inline bool fetch_runs_ahead(const Sm *sm)
{
	return sm->machine->sm.scoreboard || sm->scoreboard.dataflow;
}

/* A warp issues nothing for so long after an access. */
static inline uint32_t fetch_access_stall(const Sm *sm)
{
	uint32_t issue = sm->machine->sm.issue_cycles;

	return sm->scoreboard.dataflow ? MAX(sm->machine->issue->access_stall_cycles, issue)
				       : issue;
}

#endif
