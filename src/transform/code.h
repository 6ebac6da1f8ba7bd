/* SPDX-License-Identifier: MIT */
/*
 * A data flow with more code in it: what a change makes a warp compute, that its atomics then wait for.
 * Only files of transform include it.
 */
#ifndef ATOMSIM_TRANSFORM_CODE_H
#define ATOMSIM_TRANSFORM_CODE_H

#include "base/dataflow.h"

typedef struct Code Code;

/* Around another data flow, which must outlive it. */
Code *code_new(const Dataflow *below);
void code_free(Code *code);

typedef enum {
	CODE_BEFORE,  /* the site's operands wait for it */
	CODE_ADDRESS, /* its addresses do */
	CODE_BEHIND,  /* it waits for the site's result, and who uses that waits for it */
	CODE_APART,   /* operations that wait for the site's operands, and nothing for them */
} CodePlace;

/* Adds a gap of n operations (1 or more), each waiting for the one before but for CODE_APART. distinct: of a match or a sync
   among them, the different values that its lanes hold. Returns the gap's number. */
uint32_t code_add(Code *code, uint32_t site, CodePlace place, const uint8_t *classes,
		  uint32_t n, uint32_t distinct);

/* The same for several sites at a time: each operation for all of them, one behind the other, before the next. */
uint32_t code_add_for(Code *code, const uint32_t *sites, uint32_t n_sites, CodePlace place,
		      const uint8_t *classes, uint32_t n);

/* The class of an addition of such a type: bits ValueType. */
uint8_t code_class_of(uint32_t types);

/* The whole, once all is added; it lives as long as `code`. */
const Dataflow *code_dataflow(Code *code);

#endif
