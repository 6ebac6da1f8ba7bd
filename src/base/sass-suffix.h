/* SPDX-License-Identifier: MIT */
/*
 * What the suffixes of a machine instruction's name say: ATOMS.ADD.S32, LDG.E.64, ATOMS.POPC.INC.32.
 * NVIDIA, CUDA Binary Utilities, "Instruction Set Reference", has the words; the forms were seen in
 * code of nvcc 13.0 for sm_75 to sm_100. A leaf: every layer above sim may include it.
 */
#ifndef ATOMSIM_BASE_SASS_SUFFIX_H
#define ATOMSIM_BASE_SASS_SUFFIX_H

#include <stdbool.h>

#include "base/words.h"

/* Whether one of the suffixes of `opcode` is `suffix`, which has no dot. */
bool sass_has_suffix(const char *opcode, const char *suffix);

/* What an atomic does, and to what. False where the name has no such word, or the type is none of
   a record's: one of half precision, other vectors. An atomic that names no type works on u32. */
bool sass_operation(const char *opcode, Operation *operation);
bool sass_value_type(const char *opcode, ValueType *type);

#endif
