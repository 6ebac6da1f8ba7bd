/* SPDX-License-Identifier: MIT */
/*
 * Room that is taken bit by bit and given back all at once: in large pieces, which a system with pages of several
 * sizes is asked to back by large ones. A grid's state is tens of megabytes that are walked in no order: small pages
 * cost a fault each at the start and misses of the address cache later. Who may include it: sim.
 */
#ifndef ATOMSIM_SIM_RUN_ARENA_H
#define ATOMSIM_SIM_RUN_ARENA_H

#include <glib.h>

typedef struct {
	GMutex lock;
	GPtrArray *pieces;
	char *at, *end; /* free, of the last piece */
} Arena;

void arena_init(Arena *arena);
void arena_clear(Arena *arena);

/* So many bytes, of undefined content, that begin with a line of the processor's cache. From any thread. */
void *arena_take(Arena *arena, size_t bytes);

#endif
