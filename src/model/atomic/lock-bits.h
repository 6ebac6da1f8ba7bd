/* SPDX-License-Identifier: MIT */
/*
 * The parameters of mechanism `lock-bits`, and of what is derived from it: Algorithm 1.
 * Who may include it: those two, and tests.
 */
#ifndef ATOMSIM_MODEL_ATOMIC_LOCK_BITS_H
#define ATOMSIM_MODEL_ATOMIC_LOCK_BITS_H

#include "model/atomic/mechanism.h"
#include "model/atomic/retry.h"
#include "model/atomic/winner.h"

/* What an SM keeps its locks in. */
typedef enum {
	LOCK_TABLE_BITS,     /* a bit for each value of a hash of words */
	LOCK_TABLE_CAM,	     /* entries that any word can have */
	LOCK_TABLE_BANK_CAM, /* the same beside each bank, for its words */
	N_LOCK_TABLES
} LockTable;

typedef struct {
	WinnerRule winner;
	uint32_t t_base_cycles;	    /* one warp, one round, no conflict */
	uint32_t t_position_cycles; /* each further round: t_base plus the branch back */
	uint32_t lk_cycles;	    /* of t_base: load-and-lock until its data are there */
	uint32_t operation_cycles;  /* of t_base: the operation; the rest is store-and-unlock */
	uint32_t hold_cycles; /* a lock stays set for this long after its unlocking store */
	RetryParameters retry;
	uint32_t ports; /* of the lock array, beside each bank; of a CAM; 0: never short */
	LockTable table;
	uint32_t cam_entries; /* of an SM */
} LockBitsParameters;

#define N_LOCK_BITS_KEYS 12
extern const Key lock_bits_keys[N_LOCK_BITS_KEYS];
#define N_LOCK_BITS_COSTS 6
extern const CostRow lock_bits_costs[N_LOCK_BITS_COSTS];
#define N_LOCK_BITS_RULES 7
extern const MechanismRule lock_bits_rules[N_LOCK_BITS_RULES];

/* Entries of the table where it is a CAM; 0: it has bits. */
static inline uint32_t lock_bits_cam_entries(const LockBitsParameters *p)
{
	return p->table != LOCK_TABLE_BITS ? p->cam_entries : 0;
}

/* The part of the table that has a lock, by what its ports serve in a pass: bits lie in as many parts as there are banks. */
static inline uint32_t lock_bits_part(LockTable table, uint32_t lock, uint32_t bank,
				      uint32_t n_banks)
{
	if (table == LOCK_TABLE_BITS)
		return lock % n_banks;
	return table == LOCK_TABLE_CAM ? 0 : bank;
}

/* Latency of store-and-unlock of one pass: what LK, operation and the issue slot of the branch leave
   of t_base. */
static inline uint32_t lock_bits_ul_cycles(const LockBitsParameters *p, uint32_t issue_cycles)
{
	return p->t_base_cycles - p->lk_cycles - p->operation_cycles - issue_cycles;
}

#endif
