/* SPDX-License-Identifier: MIT */
/* Which bytes a record of each kind has, by version. For decode.c. */
#ifndef ATOMSIM_TRACE_DECODE_SHAPE_H
#define ATOMSIM_TRACE_DECODE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/words.h"
#include "trace/codec.h"

typedef enum {
	HEAD_NONE,
	HEAD_COUNT,
	HEAD_WIDTH,
	HEAD_ATOM,
	HEAD_GLOBAL_1,
	HEAD_GLOBAL,
	HEAD_ATOMG,
	HEAD_BARRIER_1,
	HEAD_BARRIER,
	HEAD_LOCK_1,
	HEAD_LOCK,
	HEAD_GAP,
	HEAD_SCOPE,
} Head;

typedef enum { ADDRESSES_NONE, ADDRESSES_SHARED, ADDRESSES_BUFFER, ADDRESSES_EITHER } Addresses;

typedef struct {
	uint8_t head;	   /* Head */
	bool lanes;	   /* has a mask */
	uint8_t addresses; /* Addresses */
	uint8_t forbidden; /* bits of the tag that must be 0 */
} Shape;

#define ADDRESS_BITS (3 << TAG_ADDRESS_SHIFT)
#define PLAIN	     (ADDRESS_BITS | TAG_FULL_MASK)
#define NO_KIND	     0xff

/* Kinds whose bytes are the same in all versions. */
#define COMMON_SHAPES                                                                          \
	[RECORD_EXIT] = {HEAD_NONE, false, ADDRESSES_NONE, PLAIN | TAG_SITE},                  \
	[RECORD_ALU] = {HEAD_COUNT, false, ADDRESSES_NONE, PLAIN},                             \
	[RECORD_LDS] = {HEAD_WIDTH, true, ADDRESSES_SHARED, 0},                                \
	[RECORD_STS] = {HEAD_WIDTH, true, ADDRESSES_SHARED, 0},                                \
	[RECORD_ATOM] = {HEAD_ATOM, true, ADDRESSES_SHARED, 0},                                \
	[RECORD_UNKNOWN] = {HEAD_COUNT, false, ADDRESSES_NONE, PLAIN}

static const Shape shapes_1[TAG_KIND_MASK + 1] = {
	COMMON_SHAPES,
	[RECORD_LDG] = {HEAD_GLOBAL_1, true, ADDRESSES_NONE, ADDRESS_BITS},
	[RECORD_STG] = {HEAD_GLOBAL_1, true, ADDRESSES_NONE, ADDRESS_BITS},
	[RECORD_ATOMG] = {HEAD_GLOBAL_1, true, ADDRESSES_NONE, ADDRESS_BITS},
	[RECORD_BAR] = {HEAD_BARRIER_1, false, ADDRESSES_NONE, PLAIN},
	[RECORD_LOCK] = {HEAD_LOCK_1, true, ADDRESSES_SHARED, 0},
	[RECORD_UNLOCK] = {HEAD_LOCK_1, true, ADDRESSES_SHARED, 0},
	[RECORD_CODE] = {.forbidden = NO_KIND},
	[RECORD_SHFL] = {.forbidden = NO_KIND},
	[RECORD_VOTE] = {.forbidden = NO_KIND},
	[RECORD_FENCE] = {.forbidden = NO_KIND},
};

static const Shape shapes_2[TAG_KIND_MASK + 1] = {
	COMMON_SHAPES,
	[RECORD_LDG] = {HEAD_GLOBAL, true, ADDRESSES_BUFFER, 0},
	[RECORD_STG] = {HEAD_GLOBAL, true, ADDRESSES_BUFFER, 0},
	[RECORD_ATOMG] = {HEAD_ATOMG, true, ADDRESSES_BUFFER, 0},
	[RECORD_BAR] = {HEAD_BARRIER, false, ADDRESSES_NONE, PLAIN},
	[RECORD_LOCK] = {HEAD_LOCK, true, ADDRESSES_EITHER, 0},
	[RECORD_UNLOCK] = {HEAD_LOCK, true, ADDRESSES_EITHER, 0},
	[RECORD_CODE] = {HEAD_GAP, false, ADDRESSES_NONE, PLAIN | TAG_SITE},
	[RECORD_SHFL] = {HEAD_COUNT, false, ADDRESSES_NONE, PLAIN},
	[RECORD_VOTE] = {HEAD_COUNT, false, ADDRESSES_NONE, PLAIN},
	[RECORD_FENCE] = {HEAD_SCOPE, false, ADDRESSES_NONE, PLAIN},
};

#endif
