/* SPDX-License-Identifier: MIT */
/* Warp instructions of an atomic that only take their time, in one number. Who may include it: model, sim, and layers above. */
#ifndef ATOMSIM_MODEL_ATOMIC_SILENT_H
#define ATOMSIM_MODEL_ATOMIC_SILENT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Up to MAX_SILENT warp instructions of an atomic that only take their time: they need an issue slot, and
 * nothing that they do depends on when they get it. Packed, the next one lowest: of each the cycles to the
 * next instruction, and whether it belongs to a round after the first. 0: none.
 */
typedef uint64_t Silent;
#define MAX_SILENT	  3
#define SILENT_BITS	  21
#define SILENT_MAX_CYCLES ((1u << (SILENT_BITS - 1)) - 1)

/* An instruction of 1 .. SILENT_MAX_CYCLES, and behind it `others`, MAX_SILENT - 1 at most. */
static inline Silent silent_before(uint32_t cycles, bool retry, Silent others)
{
	return others << SILENT_BITS | (Silent)retry << (SILENT_BITS - 1) | cycles;
}

static inline uint32_t silent_cycles(Silent silent)
{
	return silent & SILENT_MAX_CYCLES;
}

static inline bool silent_is_retry(Silent silent)
{
	return silent >> (SILENT_BITS - 1) & 1;
}

/* Not of the last of an atomic. */
static inline Silent silent_next(Silent silent)
{
	return silent >> SILENT_BITS;
}

/* Set in one that is alone: the atomic is complete once it has been issued. */
#define SILENT_TRAILS (UINT64_C(1) << 63)
static inline bool silent_trails(Silent silent)
{
	return silent >> 63;
}

/* The same, all of them of a round after the first. */
static inline Silent silent_retried(Silent silent)
{
	return silent ? silent_before(silent_cycles(silent), true,
				      silent_retried(silent_next(silent)))
		      : 0;
}

/* The same with what they take beyond their issue slots: those of a first round, those of later ones. */
typedef struct {
	Silent silent;
	uint32_t first_cycles, retry_cycles;
} SilentRun;
SilentRun silent_run(Silent silent, uint32_t issue_cycles);

#endif
