/* SPDX-License-Identifier: MIT */
/* What the id of an access to the shared memory side says of it, for its reply. Only exec-memory.c and exec-replies.c may include it. */
#ifndef ATOMSIM_SIM_MEMORY_EXEC_REPLY_ID_H
#define ATOMSIM_SIM_MEMORY_EXEC_REPLY_ID_H

#include "sim/memory/memory.h"
#include "sim/sm/sm.h"

/* A reply names the slot, whether its warp wanted a result, how long that takes behind it (Use), the epoch that counts
   it, if one does, the warp that had the slot, and the site whose values it brings. */
#define SLOT_BITS  6
#define WANTED	   (1u << SLOT_BITS)
#define USE_SHIFT  (SLOT_BITS + 1)
#define USE_BITS   2
#define SENT_SHIFT (USE_SHIFT + USE_BITS)
#define COUNTED	   (1u << (SENT_SHIFT + EPOCH_BITS))
#define WARP_SHIFT (SENT_SHIFT + EPOCH_BITS + 1)
#define SITE_SHIFT MEMORY_ID_SITE

/* From a reply to the first use of what it brings. */
typedef enum {
	USE_AT_ONCE,
	USE_WORD, /* of a load whose lanes all name one word */
	USE_WARP, /* of any other */
} Use;

/* So long after the reply. */
static inline uint32_t use_cycles(const NetworkParameters *network, Use use)
{
	switch (use) {
	case USE_WORD:
		return network->writeback_cycles;
	case USE_WARP:
		return network->writeback_cycles + network->writeback_nonuniform_cycles;
	default:
		return 0;
	}
}

static inline uint32_t slot_of(uint64_t id)
{
	return id & (WANTED - 1);
}

/* The part of the id that says which of the warps that have been in its slot. */
static inline uint32_t warp_id(const Sm *sm, uint32_t slot)
{
	return (uint32_t)(sm->age[slot] << WARP_SHIFT);
}

static inline uint64_t reply_id(const Sm *sm, uint32_t slot, bool wanted, Use use)
{
	return (uint64_t)sm->warps[slot].record.site << SITE_SHIFT | warp_id(sm, slot) |
	       (uint32_t)use << USE_SHIFT | (wanted ? WANTED : 0) | slot;
}

#endif
