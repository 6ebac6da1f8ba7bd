/* SPDX-License-Identifier: MIT */
/*
 * Which lines the L2 holds during a launch that loads and stores more than it has room for.
 *
 * Modelled: such a launch finds nothing of what it loads and stores, as what was touched last before it is what it touches last. What it
 * brings itself stays until as many bytes have been brought after it as the L2 holds. A stored line is written back once in that time.
 * Measured (measurements/h200/transfers.csv, DRAM's bytes counted by ncu): `sum`, a second walk through 61 MiB and more, reads all of it
 * from DRAM, one through 31 MiB nothing; `fill` and `update` write all of 61 MiB and more back; between them it depends on the walk.
 * Not modelled: walks in another order than the one before; lines that are used again and so stay longer.
 * Atomics are left to what dram.h says of lines: on random lines they hit by the share that has room (global-atomics.csv).
 */
#ifndef ATOMSIM_SIM_RESIDENCY_H
#define ATOMSIM_SIM_RESIDENCY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/memory/memory-parameters.h"

typedef struct Residency Residency;

/* capacity_bytes: of the L2, at least a line. */
Residency *residency_new(uint64_t capacity_bytes);
/* NULL does nothing. */
void residency_free(Residency *residency);

/* When the line that this launch has brought is or was there; 0: it is not. */
Tick residency_there_at(const Residency *residency, uint64_t line);
/* It is there from `at` on, 1 or later. */
void residency_bring(Residency *residency, uint64_t line, Tick at);
/* Whether a line that is there was stored to since it came; from now on it was. */
bool residency_store(Residency *residency, uint64_t line);

#endif
