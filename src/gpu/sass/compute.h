/* SPDX-License-Identifier: MIT */
/*
 * What a warp calculates, as far as it is known: from the kernel's parameters, the lanes' places, and
 * the values that loads got, through the integer, logic, float and lane-exchange instructions. What an
 * instruction that is not read here writes is unknown, and so is what is made of it; nothing fails.
 * Transcendental functions are those of libm, right but for the last bits.
 *
 * Nothing is calculated before somebody asks for a value below.
 *
 * A capture uses it to tell which way lanes went where their events leave that open. For capture/ and
 * its tests.
 */
#ifndef ATOMSIM_GPU_SASS_COMPUTE_H
#define ATOMSIM_GPU_SASS_COMPUTE_H

#include "gpu/sass/sass.h"

#define COMPUTE_LANES 32

/* What a launch's code can ask for. */
typedef struct {
	uint32_t grid[3], block[3], cluster[3];
	const unsigned char *parameters;	      /* NULL: not known */
	uint32_t parameters_offset, parameters_bytes; /* in constant bank 0 */
} ComputeLaunch;

/* A function's instructions, read for computing. */
typedef struct ComputeCode ComputeCode;
/* The values of one warp. */
typedef struct ComputeWarp ComputeWarp;

/* `function` and `launch` must live as long. `asked`, by instruction: the branches that compute_branch is for; NULL: all. */
ComputeCode *compute_code_new(const SassFunction *function, const ComputeLaunch *launch,
			      const bool *asked);
void compute_code_free(ComputeCode *code);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ComputeCode, compute_code_free)

/* A warp at its begin. `block` counts x, then y, then z. */
ComputeWarp *compute_warp_new(ComputeCode *code, uint64_t block, uint32_t warp);
void compute_warp_free(ComputeWarp *warp);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ComputeWarp, compute_warp_free)

/* The lanes of `mask` come to the instruction together. Those of `executing` pass its guard, if
   `is_known`; else the guard's value says. `loaded`: what a load got, NULL if that is not known:
   `words` words of each executing lane, from the lowest;
   they must live until the warp is freed. */
void compute_execute(ComputeWarp *warp, int index, uint32_t mask, bool is_known,
		     uint32_t executing, const uint32_t *loaded, guint words);

/* The lanes have executed code that is not known: no register of theirs is empty any more. */
void compute_passed_over(ComputeWarp *warp, uint32_t mask);

/* A branch: those of the lanes that take it. *known: lanes of which that is known; none if it was not asked for. */
uint32_t compute_branch(ComputeWarp *warp, int index, uint32_t mask, uint32_t *known);

/* Of an instruction that goes by value: the index of the instruction that each of the lanes goes to. Returns those of which
   that is known. */
uint32_t compute_targets(ComputeWarp *warp, int index, uint32_t mask,
			 int targets[COMPUTE_LANES]);

/* Lanes of `mask` went on or took the branch, as `taken` says: its guard is known then. */
void compute_learn(ComputeWarp *warp, int index, uint32_t mask, uint32_t taken);

/* How many different values the lanes hold in the first register that the instruction reads; 0 if
   one is not known. *value: the lower half of the lowest lane's, if all are. */
guint compute_distinct(ComputeWarp *warp, int index, uint32_t mask, uint32_t *value);

/* Those of the lanes `mask`, one at least, for which its first input is what it is for the lowest of them; 0: it is not known of all. */
uint32_t compute_alike(ComputeWarp *warp, int index, uint32_t mask);

/* What the lanes' floating-point addition `add` will add to what `load` gets: kept, and its number from 1
   returned; 0 if that of a lane is not known. */
guint compute_note_addend(ComputeWarp *warp, int load, int add, uint32_t mask);
/* By lane, bits of a number of 32 or 64; valid until the next is kept. NULL for number 0. */
const uint64_t *compute_noted(const ComputeWarp *warp, guint number);

#endif
