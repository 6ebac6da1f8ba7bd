/* SPDX-License-Identifier: MIT */
/*
 * A team of threads that does n independent pieces of work, again and again. Who may include it: sim.
 */
#ifndef ATOMSIM_SIM_TEAM_H
#define ATOMSIM_SIM_TEAM_H

#include <stdint.h>

typedef struct Team Team;

/* n_threads 1 or more, the caller's included. */
Team *team_new(uint32_t n_threads);
void team_free(Team *team);

/* Calls work(data, i) for i = 0 .. n-1, each once, on any thread, and returns when all are done. */
void team_do(Team *team, uint32_t n, void (*work)(void *data, uint32_t i), void *data);

#endif
