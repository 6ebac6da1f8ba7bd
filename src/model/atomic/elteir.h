/* SPDX-License-Identifier: MIT */
/*
 * Equations 1 to 4 of Elteir, Lin and Feng, "Performance Characterization and Optimization of Atomic
 * Operations on AMD GPUs" (IEEE Cluster 2011, section V): what an atomic of every lane on one word costs by
 * the GPU's own atomics and by the software scheme of a coordinator. Their law as it is, beside the
 * simulation and never inside it: it takes a whole transaction for every lane of the system's atomics, and so
 * predicts speed-ups some hundred times the published ones. Pure. Who may include it: layers above model, and
 * tests.
 */
#ifndef ATOMSIM_MODEL_ATOMIC_ELTEIR_H
#define ATOMSIM_MODEL_ATOMIC_ELTEIR_H

/* All times in one unit, whichever; each above 0. One wavefront a workgroup. */
typedef struct {
	double t_complete; /* a memory transaction on the CompletePath */
	double t_fast;	   /* one on the FastPath */
	double t_local;	   /* an update of a word in local memory */
	double lanes;	   /* N_c: that execute in a workgroup */
	double at_once;	   /* N_cwg: workgroups that execute at once */
	double groups;	   /* N_wg: workgroups */
} ElteirInput;

typedef struct {
	double request;	   /* RWGI: a requester's ingress */
	double coordinate; /* CWG: the coordinator's turn */
	double reply;	   /* RWGP: a requester's egress */
	double equation[4];
	double speedup; /* equation 1 over equation 2 */
} ElteirTimes;

ElteirTimes elteir_times(const ElteirInput *input);

#endif
