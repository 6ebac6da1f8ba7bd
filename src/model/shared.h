/* SPDX-License-Identifier: MIT */
/*
 * One SM's shared memory as the model sees it: the load/store unit in front of the banks, and
 * the time that an access takes. Who may include it: model, sim, and layers above.
 */
#ifndef ATOMSIM_MODEL_SHARED_H
#define ATOMSIM_MODEL_SHARED_H

#include <stdint.h>

#include "model/hash.h"

typedef struct {
	uint32_t bytes;            /* per SM, for all resident blocks */
	uint32_t allocation_bytes; /* a block's share is rounded up to a multiple of this */
	uint32_t reserved_bytes;   /* in front of each block's share, taken by the system */
	uint32_t banks;            /* each one 32-bit word wide: 1 .. 64 */
	HashSpec bank_hash;        /* word -> bank */
	uint32_t pass_cycles;      /* the banks are busy for this long with one pass */
	uint32_t t_bank_cycles;    /* latency that each pass after the first adds to its warp */
	uint32_t load_cycles;      /* latency of a load of one pass */
	uint32_t store_cycles;     /* latency of a store of one pass */
} SharedParameters;

#endif
