/* SPDX-License-Identifier: MIT */
/*
 * Which lanes of a warp under locks go on, and which try: between two rounds of sim/locks/section.h. Who may include
 * it: sim only.
 *
 * The loop around a lock ends with a join (BSYNC) of the lanes that began it together. Its mask is in a register of
 * the warp, so it is that of those that began last: these wait there while any of them still tries, and others pass.
 * A yield with nobody else to go to lets them go; so does the next round. Who goes on comes to the try of the next
 * lock, and tries together with the others, each lane at its own place of the program
 * (measurements/h200/issue/issue-lock-turns.csv).
 */
#ifndef ATOMSIM_SIM_LOCKS_YIELDS_H
#define ATOMSIM_SIM_LOCKS_YIELDS_H

#include "sim/locks/section.h"

/* Lanes are through a lock, and those in `goes_on` come to another: says who goes on when the warp yields. False:
   nobody. */
bool yields_choose(Section *section, LaneMask goes_on);

/* Yields of those that try again until lanes that are through run. */
uint32_t yields_count(Section *section, LaneMask through);

#endif
