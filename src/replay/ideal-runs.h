/* SPDX-License-Identifier: MIT */
/*
 * Runs of a machine with things ideal, side by side, each no longer than the run where there is an order of warps that makes
 * it so.
 *
 * With less to wait for warps come in another order, and that can take longer, on any machine (R. L. Graham, Bounds on
 * Multiprocessing Timing Anomalies, 1969). That does not say what a thing costs: so such a run is made again in the order
 * of the run itself (ORDER_KEPT), one that takes longer all the same with its instructions paced as there, too
 * (ORDER_PACED), and then each at its time there (ORDER_TIMED; sim/sm/turns.h). From ORDER_PACED on an ideal issue leaves the ports
 * to the load/store unit as they are. What takes longer even so stays as the shortest has it; a machine with less to wait for can
 * do what the run did, when it did, and so replay/causes.h says.
 * Who may include it: replay only.
 */
#ifndef ATOMSIM_REPLAY_IDEAL_RUNS_H
#define ATOMSIM_REPLAY_IDEAL_RUNS_H

#include "sim/run/run.h"

typedef struct {
	Machine machine;
	SimResult result; /* of the shortest; result.order says whose order it is in */
} IdealRun;

typedef struct {
	const SimRequest *request; /* of the run; of its observer and sites nothing is asked */
	const SimResult *run;	   /* what it gave */
	RunOrder *order;	   /* of the run; NULL: nobody needed it so far */
} IdealRuns;

void ideal_runs_clear(IdealRuns *runs);

/* Makes n runs, of the machines that `all` says, on request->n_threads threads. False: progress ended one, and no result is of
   use. */
bool ideal_runs_make(IdealRuns *runs, IdealRun *all, uint32_t n);

#endif
