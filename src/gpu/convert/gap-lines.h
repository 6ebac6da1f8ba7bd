/* SPDX-License-Identifier: MIT */
/* Lines of 64 bytes of constants that a kernel's instructions read, as its trace numbers them. For convert/. */
#ifndef ATOMSIM_GPU_CONVERT_GAP_LINES_H
#define ATOMSIM_GPU_CONVERT_GAP_LINES_H

#include "gpu/sass/flow.h"

typedef struct GapLines GapLines;

/* The function must live as long. */
GapLines *gap_lines_new(const SassFunction *function);
void gap_lines_free(GapLines *lines);

/* The number, from 1, of the line at that byte of a bank. 0: none has been given, or there are no more. */
uint16_t gap_lines_find(const GapLines *lines, int bank, uint32_t offset);
uint16_t gap_lines_give(GapLines *lines, int bank, uint32_t offset);

/* All that were given, by number: ConstantPlace. It stays `lines`'. */
const GArray *gap_lines_places(const GapLines *lines);

/* The number of the line that a load of constants reads whose address is `value` in a register; 0: it is none of a bank
   of constants, or too many gaps name such lines. */
uint16_t gap_lines_at(GapLines *lines, int index, uint32_t value);
/* How many addresses a lookup names, to the next of a few numbers: at random ones each time would be another gap. */
uint8_t gap_lines_about(uint8_t n);
/* A new gap of n operations names such lines. */
void gap_lines_spend(GapLines *lines, uint32_t n);

#endif
