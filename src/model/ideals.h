/* SPDX-License-Identifier: MIT */
/*
 * What of a machine is ideal: runs with one thing ideal at a time say what that thing costs (replay/causes.h).
 *
 * Each flag is honoured by the part of the model that it is of, in that part's own file, by the rule that is there. An
 * ideal takes waits away and nothing else: what the program asks for stays, and so does the order of each warp.
 * Who may include it: model and every layer above.
 */
#ifndef ATOMSIM_MODEL_IDEALS_H
#define ATOMSIM_MODEL_IDEALS_H

#include <stddef.h>
#include <stdint.h>

/* In the order of reports. Contention first: what is waited for because another lane, warp or SM wants it, too. */
#define IDEALS(X)                                                                              \
	X(bank_conflicts)                                                                      \
	X(same_word)                                                                           \
	X(lock_aliases)                                                                        \
	X(spin_locks)                                                                          \
	X(l2_atomics)                                                                          \
	X(global_latency)                                                                      \
	X(global_bandwidth)                                                                    \
	X(barriers)                                                                            \
	X(issue)                                                                               \
	X(instruction_latency)

/* 1: it costs nothing. Of any value but 0 and 1 the meaning is open. */
typedef struct {
	uint32_t bank_conflicts;   /* different words of a bank: model/shared, model/atomic */
	uint32_t same_word;	   /* lanes of any warp that want a word: model/atomic */
	uint32_t lock_aliases;	   /* different words of a lock bit: model/shared/locks.c */
	uint32_t spin_locks;	   /* locks as operations: sim/locks */
	uint32_t l2_atomics;	   /* atomics where the memory serves them: model/memory */
	uint32_t global_latency;   /* round trips: model/memory/memory-ideal.c, sim/memory */
	uint32_t global_bandwidth; /* ports, links, slices, DRAM: the same places */
	uint32_t barriers;	   /* warps that wait for others: sim/sm/barriers.c */
	uint32_t issue;		   /* slots and pipes: sim/sm/events.c, sim/sm/scoreboard.c */
	uint32_t instruction_latency; /* results of arithmetic, and stalls behind instructions:
					 model/issue/issue.c, sim/run/ideal-machine.c */
} Ideals;

enum {
#define X(name) IDEAL_##name,
	IDEALS(X)
#undef X
		N_IDEALS,
	N_CONTENTION_IDEALS = IDEAL_l2_atomics + 1, /* the first so many are contention */
};

/* Of Ideals.issue, of no config: slots and pipes alone. Accesses go through the ports to the load/store unit, which decide what
   comes to the banks first (replay/ideal-runs.h). */
#define IDEAL_BUT_PORTS 2

/* By IDEAL_*: as in keys and JSON, and for people. */
extern const char *const ideal_names[N_IDEALS];
extern const char *const ideal_words[N_IDEALS];

/* Turns one more on. i: below N_IDEALS. */
void ideals_set(Ideals *ideals, unsigned i);
/* Whether it is on. */
uint32_t ideals_has(const Ideals *ideals, unsigned i);

#endif
