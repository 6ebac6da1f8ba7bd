/* SPDX-License-Identifier: MIT */
/* Parameters of the combiner `buffer`, as its keys fill them. Who may include it: combine-buffer*.c. */
#ifndef ATOMSIM_MODEL_ATOMIC_COMBINE_BUFFER_H
#define ATOMSIM_MODEL_ATOMIC_COMBINE_BUFFER_H

#include "base/key.h"
#include "model/cost-row.h"

typedef enum { PER_SM, PER_SCHEDULER, PER_WARP, N_PERS } Per;
typedef enum { ENTRY_WORD, ENTRY_LINE, N_ENTRY_KINDS } EntryKind;
typedef enum { EVICT_ALL, EVICT_OLDEST, N_EVICTIONS } Eviction;
typedef enum { ORDER_ARRIVAL, ORDER_ADDRESS, N_BUFFER_ORDERS } BufferOrder;

typedef struct {
	uint32_t entries; /* 0: none */
	Per per;
	EntryKind entry;
	uint32_t fuse;
	Eviction evict;
	BufferOrder order;
	uint32_t lane_cycles;
} Buffering;

/* Rows of global.atomic.buffer. */
extern const KeyTable buffer_key_table;
extern const CostRow buffer_cost;

#endif
