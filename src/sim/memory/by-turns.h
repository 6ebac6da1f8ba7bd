/* SPDX-License-Identifier: MIT */
/*
 * What waits for a slice, by clusters of SMs: these take turns, and what is of one cluster keeps its order. Who may include it: sim/memory.
 */
#ifndef ATOMSIM_SIM_MEMORY_BY_TURNS_H
#define ATOMSIM_SIM_MEMORY_BY_TURNS_H

#include <stddef.h>
#include <stdint.h>

/* A member of what waits, which gets it back as it gave it. */
typedef struct Waiter Waiter;
struct Waiter {
	Waiter *next;
};

/* What has it as its member `waiter`. */
#define WAITER_OF(type, pointer) ((type *)(void *)((char *)(pointer)-offsetof(type, waiter)))

typedef struct ClusterLine ClusterLine;

typedef struct {
	ClusterLine *lines; /* of each cluster */
	ClusterLine *first,
		*last; /* of those of which something waits, in the order of their turns; NULL: nothing waits */
} ByTurns;

/* n of them, for so many clusters each. */
ByTurns *by_turns_new(uint32_t n, uint32_t n_clusters);
void by_turns_free(ByTurns *turns);
/* waiter: not waiting. */
void by_turns_wait(ByTurns *turns, uint32_t cluster, Waiter *waiter);
/* Takes the one whose turn it is; something waits. */
Waiter *by_turns_take(ByTurns *turns);

#endif
