/* SPDX-License-Identifier: MIT */
/* The parts of loop.c. Who may include it: those. */
#ifndef ATOMSIM_GPU_SASS_LOOP_INTERNAL_H
#define ATOMSIM_GPU_SASS_LOOP_INTERNAL_H

#include "gpu/sass/sass.h"

/* The operand's register without its suffixes: "R8" of " -R8.reuse ". The caller frees it. */
char *sass_register_of(const char *operand);

/* Whether the register is read, before it is written, behind `index` in the text's order. */
bool sass_is_read_behind(const SassFunction *function, int index, const char *name);

/* The first recorded instruction from `from` to before `to` whose opcode begins so, -1 if there is none. */
int sass_find_load(const SassFunction *function, int from, int to, const char *prefix);

/* Fills what is to be known of a loop that the compiler made, from `top` on, with the swap `store`. False: it is none. */
bool sass_made_loop(const SassFunction *function, int top, int store, SassLoop *loop);

#endif
