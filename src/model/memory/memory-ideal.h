/* SPDX-License-Identifier: MIT */
/*
 * What ideals make of the memory side's numbers:
 * - global_latency: a round trip takes a cycle, the least that SMs which run side by side allow, wherever the SM, the line
 *   and the fence are; DRAM has no latency.
 * - global_bandwidth: ports, ways, links, banks of replies and DRAM are never busy, slices not with loads and stores; any number of
 *   packets waits at a port, and of tries in an SM. Atomics keep their slices, but in whatever order they come.
 * - l2_atomics: each sector of an atomic takes what one of a load takes, and nothing waits for a sector. Lanes of one word go
 *   as one (sim/memory/memory.c), swaps do not fail (global-cas-loop.c), and a coordinator answers at once.
 * Who may include it: model, sim.
 */
#ifndef ATOMSIM_MODEL_MEMORY_MEMORY_IDEAL_H
#define ATOMSIM_MODEL_MEMORY_MEMORY_IDEAL_H

#include "model/ideals.h"
#include "model/memory/memory-parameters.h"

void memory_make_ideal(const Ideals *ideals, L2Parameters *l2, NetworkParameters *network,
		       DramParameters *dram);

#endif
