/* SPDX-License-Identifier: MIT */
/*
 * A kernel and functions of other sections, which programs of several linked files have, as one text: the kernel's instructions,
 * then those of each function. For convert/ and its tests.
 */
#ifndef ATOMSIM_GPU_SASS_LINK_H
#define ATOMSIM_GPU_SASS_LINK_H

#include "gpu/sass/sass.h"

/* A copy of the kernel's text, for functions to be appended to. What is said of it lives as long as the Sass of all of them. */
SassFunction *sass_link_begin(const SassFunction *kernel);
/* Appends a function that lies at the program counter `pc`. Returns the index of its first instruction. */
int sass_link_append(SassFunction *linked, const SassFunction *function, uint64_t pc);

/* The name of the function that a call names and that is not in the call's text; NULL if it is no such call. Free with g_free. */
char *sass_called_name(const SassInstruction *instruction);

/* The instruction at a program counter; the kernel's text begins at `function_pc`. -1 if there is none. */
int sass_find_pc(const SassFunction *function, uint64_t function_pc, uint64_t pc);

#endif
