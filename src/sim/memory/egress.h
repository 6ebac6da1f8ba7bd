/* SPDX-License-Identifier: MIT */
/*
 * The queue in which an SM's stores and reductions wait to leave it for the memory side (network.way_flits): a warp whose last access
 * has no room there begins no other. Positions are numbers of flits ever put in. Only this header reads or writes the fields. Who may
 * include it: sim only.
 */
#ifndef ATOMSIM_SIM_MEMORY_EGRESS_H
#define ATOMSIM_SIM_MEMORY_EGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
	uint64_t asked, left; /* flits that have ever been put in, that have left */
	uint64_t waiting;     /* slots that wait for room */
} Egress;

static inline void egress_init(Egress *egress)
{
	*egress = (Egress){0};
}

/* Puts an access of so many flits in; returns its end. */
static inline uint64_t egress_put(Egress *egress, uint32_t flits)
{
	return egress->asked += flits;
}

/* Whether an access with this end has room in a queue of `capacity` flits. */
static inline bool egress_has_room(const Egress *egress, uint64_t end, uint32_t capacity)
{
	return egress->asked == 0 || end <= egress->left + capacity;
}

/* So many flits have left. */
static inline void egress_leave(Egress *egress, uint32_t flits)
{
	egress->left += flits;
}

static inline void egress_wait(Egress *egress, uint32_t slot)
{
	egress->waiting |= UINT64_C(1) << slot;
}

static inline void egress_wait_no_more(Egress *egress, uint32_t slot)
{
	egress->waiting &= ~(UINT64_C(1) << slot);
}

static inline uint64_t egress_waiting(const Egress *egress)
{
	return egress->waiting;
}

#endif
