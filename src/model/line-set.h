/* SPDX-License-Identifier: MIT */
/*
 * A set of lines, by number: grows with what is put in. Who may include it: model, sim.
 */
#ifndef ATOMSIM_MODEL_LINE_SET_H
#define ATOMSIM_MODEL_LINE_SET_H

#include <stdbool.h>
#include <stdint.h>

/* All zero: empty. */
typedef struct {
	uint64_t *lines;  /* line + 1; 0: free */
	uint32_t n, size; /* of lines: a power of two, or 0 */
} LineSet;

/* Puts a line in (not UINT64_MAX); false: it was there. */
bool line_set_add(LineSet *set, uint64_t line);
void line_set_clear(LineSet *set);

#endif
