/* SPDX-License-Identifier: MIT */
/* The hashes that a search simulates. Who may include it: the files of the search. */
#ifndef ATOMSIM_EXPLORE_SEARCH_HASHES_H
#define ATOMSIM_EXPLORE_SEARCH_HASHES_H

#include "explore/search/pairs.h"
#include "explore/search/search.h"
#include "explore/search/xor-search.h"

typedef struct {
	const SearchRequest *request;
	SearchResult *result;
	Machine machine;
	PairCounts pairs;
	XorProblem problem;
} Search;

/* Pairs of words count by what they differ in, which says where they lie only if the hash is linear. */
gboolean search_is_matrix(const HashSpec *spec, uint32_t size);

/* Named hashes, and the configured one; those that cost too much left out. */
void search_add_named(Search *search);
/* Found ones. */
void search_add_found(Search *search);

/* GDestroyNotify of a SearchCandidate. */
void search_candidate_free(gpointer data);

#endif
