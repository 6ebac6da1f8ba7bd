/* SPDX-License-Identifier: MIT */
/*
 * Translations of addresses that no TLB has when the launch begins.
 *
 * Modelled: the first use of an entry waits for a page walk, and so do others until it ends. Measured (measurements/h200/translation.csv): an
 * access waits for its own entry alone, warps with other entries go on; walks for different entries take place at the same time.
 * Not modelled: that TLBs lose entries (none of 35 on an H200), the walk's accesses to memory, translations of code and constants, and that
 * each cluster of SMs has a TLB of its own, whose misses are over before the walk is (with them 0 of 400 launches of programs changed).
 */
#ifndef ATOMSIM_SIM_TLB_H
#define ATOMSIM_SIM_TLB_H

#include <stdint.h>

#include "model/memory/memory-parameters.h"

typedef struct Tlb Tlb;

/* Without any entry. parameters->entry_kib: not 0. */
Tlb *tlb_new(const TlbParameters *parameters);
/* NULL does nothing. */
void tlb_free(Tlb *tlb);

/* When the translation of a line is there for who asks at `at`: then, or later. */
Tick tlb_translate(Tlb *tlb, uint64_t line, Tick at);

#endif
