/* SPDX-License-Identifier: MIT */
/* The candidates of a search, simulated on the blocks that it did not see. Who may include it: search.c. */
#ifndef ATOMSIM_EXPLORE_SEARCH_JUDGE_H
#define ATOMSIM_EXPLORE_SEARCH_JUDGE_H

#include "explore/search/search.h"

/* Fills in what runs say of each candidate and sorts them, fewest cycles first. The machine's hash of the target changes.
   Errors: those of replay_run, ATOMSIM_ERROR_RUN if interrupted. */
gboolean search_judge(const SearchRequest *request, Machine *machine, SearchResult *result,
		      GError **error);

#endif
