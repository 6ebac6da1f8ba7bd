/* SPDX-License-Identifier: MIT */
/*
 * What a part of an SM's future depends on, as numbers that are the same whenever it comes back to the
 * same situation: times are kept as what is left of them. Written down once, and then compared with what
 * the parts say later. Who may include it: model, sim.
 */
#ifndef ATOMSIM_MODEL_SNAPSHOT_H
#define ATOMSIM_MODEL_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
	uint64_t *numbers;
	size_t n, room;
	size_t at; /* of the next number to compare */
	bool comparing;
	bool differs; /* comparing: something is not as it was */
	bool never;   /* what is written down can never be again */
} Snapshot;

/* Begins to write another one down, or, if `comparing`, to compare with the last one. */
void snapshot_begin(Snapshot *snapshot, bool comparing);
void snapshot_clear(Snapshot *snapshot);
/* Writes the next number down, or compares it. */
void snapshot_add(Snapshot *snapshot, uint64_t number);
/* The same of `size` bytes. */
void snapshot_add_bytes(Snapshot *snapshot, const void *bytes, size_t size);
/* What is written down, or compared, never comes back. */
static inline void snapshot_never(Snapshot *snapshot)
{
	snapshot->never = true;
}
/* Compared, all of it, and no difference found. */
bool snapshot_equals(const Snapshot *snapshot);

/* What is left of a time at `now`; 0 if it is over. */
static inline uint64_t snapshot_left(uint64_t time, uint64_t now)
{
	return time > now ? time - now : 0;
}

/* A time that is not over at `now` comes `by` later. */
static inline void snapshot_put_off(uint64_t *time, uint64_t now, uint64_t by)
{
	*time += *time > now ? by : 0;
}

#endif
