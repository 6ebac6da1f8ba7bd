/* SPDX-License-Identifier: MIT */
/*
 * When the blocks of a run had their room: who asks gives a run a log, and looks into it while blocks are dispatched, or
 * afterwards. Who may include it: sim, and what asks for runs.
 */
#ifndef ATOMSIM_SIM_RUN_BLOCK_LOG_H
#define ATOMSIM_SIM_RUN_BLOCK_LOG_H

#include <glib.h>

#include "model/shared/shared.h"

/* Of a block. */
typedef struct {
	uint32_t sm;	/* that it was dispatched to */
	uint32_t place; /* it was the SM's so manieth block, from 0 */
	Cycle start;	/* it may start from here on */
	Cycle end;	/* 0: it has not ended, or another SM did what its SM does */
} BlockTimes;

typedef struct {
	BlockTimes *blocks; /* of each that the source has */
	GPtrArray *of_sms;  /* of GArray of uint64_t: each SM's blocks as they came */
	const uint32_t *
		leads; /* of each SM the one that does what it does; the run's own, while it lasts */
} BlockLog;

BlockLog *block_log_new(uint64_t n_blocks);
void block_log_free(BlockLog *log);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BlockLog, block_log_free)

/* From the run's thread. */
void block_log_dispatched(BlockLog *log, uint64_t block, uint32_t sm, Cycle start);
/* From whichever thread runs the SM. log: may be NULL. */
void block_log_ended(BlockLog *log, uint64_t block, Cycle end);
/* For how many cycles the block had its room; 0: it has it still, or has not come. When no SM runs. */
Cycle block_log_cycles(const BlockLog *log, uint64_t block);
/* The run is over: what followers did is noted. */
void block_log_close(BlockLog *log);

#endif
