/* SPDX-License-Identifier: MIT */
/*
 * Translations of addresses: a TLB for each cluster of SMs and one for all SMs.
 *
 * Modelled: which entries they have when the launch begins, and what the first use of the others costs. Measured
 * (measurements/h200/translation.csv): an access waits for its own entry alone, warps with other entries go on; walks for different
 * entries take place at the same time; the first SM of each of 24 clusters waits again, the others do not.
 * Not modelled: that TLBs lose entries (none of 35 on an H200), the walk's accesses to memory, translations of code and constants.
 */
#ifndef ATOMSIM_SIM_TLB_H
#define ATOMSIM_SIM_TLB_H

#include <stdbool.h>
#include <stdint.h>

#include "model/memory/memory-parameters.h"

typedef struct Tlb Tlb;

/* All lines before `end`, from the end of those before on: whether a kernel had used them. */
typedef struct {
	uint64_t end;
	bool used;
} TlbBuffer;

/* is_empty: no TLB has any entry. Else all have those in which a kernel had used a buffer, and the TLB of all SMs the others, too.
   parameters->entry_kib: not 0. Takes `buffers`, n of them, the last end behind all lines. */
Tlb *tlb_new(const TlbParameters *parameters, bool is_empty, TlbBuffer *buffers, uint32_t n);
/* NULL does nothing. */
void tlb_free(Tlb *tlb);

/* When an SM of the cluster has the translation of a line that it asks for at `at`: then, or later. */
Tick tlb_translate(Tlb *tlb, uint32_t cluster, uint64_t line, Tick at);

#endif
