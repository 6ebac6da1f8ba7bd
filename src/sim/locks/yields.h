/* SPDX-License-Identifier: MIT */
/*
 * Which divergent lanes of a warp under locks go on, and which try, between two rounds of sim/locks/section.h. Who may
 * include it: sim only.
 *
 * The loop around a lock ends at a convergence barrier (BSYNC) of the lanes that began it together. The barrier's mask is in
 * a register of the warp, so it is that of the lanes that began last: these wait there while any of them still tries, and
 * others pass. A yield with no other lanes to go to releases them; so does the next round. Lanes that go on come to the
 * attempt at their next lock, and try together with the others, each lane at its own place of the program
 * (measurements/h200/issue/issue-lock-turns.csv).
 */
#ifndef ATOMSIM_SIM_LOCKS_YIELDS_H
#define ATOMSIM_SIM_LOCKS_YIELDS_H

#include "sim/locks/section.h"

/* Lanes have released a lock, and those in `goes_on` come to another: chooses the lanes that go on when the warp yields.
   False: none. */
bool yields_choose(Section *section, LaneMask goes_on);

/* Yields of the lanes that try again until those that have released run. */
uint32_t yields_count(Section *section, LaneMask through);

#endif
