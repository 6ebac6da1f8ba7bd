/* SPDX-License-Identifier: MIT */
/*
 * What the name of a machine instruction says of its place in the data flow: its class, and how many
 * registers its operands mean. The forms are those of nvdisasm 13.0 for sm_75 to sm_100. A leaf: every
 * layer above sim may include it.
 */
#ifndef ATOMSIM_BASE_SASS_CLASS_H
#define ATOMSIM_BASE_SASS_CLASS_H

#include <stdbool.h>

#include "base/dataflow.h"
#include "base/words.h"

/* Whether the word before the suffixes is one of a list that ends with NULL. */
bool sass_is_one_of(const char *opcode, const char *const *words);

/* Accesses, barriers and fences: records of their own, or without a class. */
bool sass_is_access(const char *opcode);
/* CODE_OTHER for accesses and what is not known. A branch is CODE_BRANCH, taken or not; CS2R, which can
   also read a clock, CODE_MOVE. */
CodeClass sass_class(const char *opcode);

/* Whether none of its operands is a result: stores, branches, barriers. */
bool sass_writes_none(const char *opcode);
/* Registers of one datum of an access: 1, 2 or 4. */
unsigned sass_access_registers(const char *opcode);
/* Registers that operand `i`, from 0, of an instruction means that is no access: 1, 2 or 4. The
   first `written` operands are its results. */
unsigned sass_operand_registers(const char *opcode, unsigned i, unsigned written);

/* What a load or store asks of the caches. */
CacheHint sass_cache_hint(const char *opcode);
/* Of MEMBAR.SC.CTA, .GPU, .SYS. */
Scope sass_fence_scope(const char *opcode);

#endif
