/* SPDX-License-Identifier: MIT */
/*
 * The simulated machine as plain data: what a config file says, checked and resolved.
 *
 * A field's path here is its key's path in the JSON (machine.sm.max_warps is sm.max_warps); the
 * table in config/keys-own.c documents each one with unit, range, default and source. Names of
 * plug-ins have become pointers, and what belongs to one plug-in is in a struct of its own that a
 * pointer leads to (atomic.own, sm.own): copies of a machine share it. The state that a launch finds is
 * in the same file, but no part of the GPU (launch-state.h). Who may include it: sim and every layer above.
 */
#ifndef ATOMSIM_SIM_RUN_MACHINE_H
#define ATOMSIM_SIM_RUN_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/cost.h"
#include "model/ideals.h"
#include "model/memory/global-mechanism.h"
#include "model/shared/hash.h"
#include "model/issue/issue.h"
#include "model/atomic/combiner.h"
#include "model/atomic/mechanism.h"
#include "model/memory/memory-parameters.h"
#include "model/issue/scheduler.h"
#include "model/shared/shared.h"
#include "sim/run/launch-state.h"

typedef struct {
	uint32_t count;		      /* SMs */
	uint32_t max_warps;	      /* resident, per SM: 1 .. 64 */
	uint32_t max_blocks;	      /* resident, per SM: 1 .. 64 */
	uint32_t registers;	      /* of 32 bits, per SM; 0: they limit no block */
	uint32_t register_allocation; /* a warp gets a multiple of so many */
	uint32_t schedulers; /* warp schedulers: 1 .. 8; warp slot w belongs to w mod this */
	const Scheduler *scheduler;    /* policy */
	const void *own[N_SCHEDULERS]; /* each policy's parameters, as its keys fill them */
	uint32_t issue_cycles;	       /* of a scheduler, per warp instruction */
	uint32_t alu_latency_cycles;   /* issue to the dependent instruction's issue */
	uint32_t
		scoreboard; /* 1: a warp waits for results at its next arithmetic, not before */
	uint32_t
		independent_thread_scheduling; /* 1: lanes that released a lock go on at once */
	uint32_t barrier_cycles;	       /* of the barrier unit, per arriving warp */
	uint32_t barrier_latency_cycles;       /* last arrival to release */
	uint32_t launch_cycles;	     /* that an SM is busy in a launch beside its blocks */
	uint32_t dispatch_cycles;    /* end of a block to the start of the block in its place */
	uint32_t block_end_mcycles;  /* the GPU takes for the end of each block, one by one */
	uint32_t block_start_cycles; /* between the starts of blocks on an SM, at least */
	uint32_t warp_start_cycles;  /* between the starts of a block's warps */
} SmParameters;

#define MAX_STORE_LINES 64

/* How accesses to global memory are timed whose addresses a trace says; others are timed flat. */
typedef enum {
	GLOBAL_FLAT,   /* a latency and an even share of a bandwidth */
	GLOBAL_SLICES, /* sim/memory/memory.h */
	N_GLOBAL_MODELS,
} GlobalModel;

extern const char *const global_model_names[N_GLOBAL_MODELS];

/* What of an SM's memory is its first cache. */
typedef enum {
	L1_SPLIT_NONE,	 /* global.l1_bytes */
	L1_SPLIT_HOPPER, /* what the blocks' shared memory leaves of that */
	N_L1_SPLITS,
} L1Split;

extern const char *const l1_split_names[N_L1_SPLITS];

/* What the first cache makes of a store. */
typedef enum {
	L1_STORES_IGNORED,
	L1_STORES_WORDS, /* it has the words that are stored whole; and no longer what atomics operate on */
	N_L1_STORES,
} L1Stores;

extern const char *const l1_stores_names[N_L1_STORES];

typedef struct {
	GlobalModel model;
	L1Split l1_split;
	L1Stores l1_stores;
	uint32_t latency_cycles; /* of a load with nothing queued */
	uint32_t load_cycles; /* the same where the trace says what waits for it; 0: as above */
	uint32_t
		store_cycles; /* a block waits so long for a store when it ends; 0: it does not */
	uint32_t bandwidth_mb_per_s; /* of the whole GPU, 1e6 bytes a second */
	uint32_t l1_bytes;	 /* an SM's first cache, of traces with addresses; 0: none */
	uint32_t l1_ways;	 /* lines of a set of it */
	uint32_t l1_cycles;	 /* latency of a hit */
	uint32_t l1_tags;	 /* lines that it looks for at a time */
	uint32_t line_cycles;	 /* that a line of a load or reduction takes of its SM */
	uint32_t l1_line_cycles; /* more for each line beyond two */
	uint32_t sm_store_bytes_per_cycle; /* of its egress, for stores; 0: any number */
	uint32_t sm_store_lines; /* that wait for it, which other stores join; 0: none joins */
	uint32_t sm_bytes_per_cycle; /* of an SM's way to it; 0: its share alone limits it */
} GlobalParameters;

typedef struct {
	uint64_t watchdog_cycles; /* an SM without any progress for this long has failed */
} SimParameters;

typedef struct {
	const char *name; /* of the GPU or design; for reports */
	/* For reports: what was found of this machine's errors (config/expected.h; NULL: nothing), and whether that is because a key
	   has another value than in the config that was compared with measurements. */
	const struct ExpectedErrors *expected;
	bool changed;
	uint32_t clock_mhz; /* of the cycles below: Fermi's shader clock */
	uint32_t launch_ns; /* of a launch in a sequence, before its first block starts */
	SmParameters sm;
	SharedParameters shared;      /* model/shared/shared.h */
	AtomicParameters atomic;      /* model/atomic/mechanism.h */
	const IssueParameters *issue; /* as its keys, sm.issue.*, fill it */
	GlobalParameters global;
	GlobalAtomicParameters global_atomic;	     /* model/memory/global-mechanism.h */
	CombinerParameters combine[N_MEMORY_SPACES]; /* model/atomic/combiner.h */
	/* Of GLOBAL_SLICES: model/memory/memory-parameters.h. */
	const L2Parameters *l2;
	const NetworkParameters *network;
	const DramParameters *dram;
	const TlbParameters *tlb;
	const PathParameters *paths;
	LaunchState launch; /* what its launches find */
	SimParameters sim;
	const CostWeights *cost; /* of its hardware; no run depends on them */
	Ideals ideal;		 /* model/ideals.h */
} Machine;

/* The same machine with one more thing ideal, IDEAL_*. It shares the plug-ins' parameters. */
Machine machine_with_ideal(const Machine *machine, unsigned i);
/* With the first n of them, N_CONTENTION_IDEALS or N_IDEALS. */
Machine machine_with_ideals(const Machine *machine, unsigned n);

/* The same machine, whose launches find that. It shares the plug-ins' parameters. */
Machine machine_in_state(const Machine *machine, const LaunchState *launch);

/* The same, as its hardware is counted. It shares what the machine points to. */
CostMachine machine_hardware(const Machine *machine);

/* SMs that take blocks of a launch. */
uint32_t machine_launch_sms(const Machine *machine);

#endif
