/* SPDX-License-Identifier: MIT */
/*
 * The best hash of banks or locks for given traces. Candidates come from xor-search.h, by the pairs
 * in conflict on half of the blocks; pairs are not cycles, so the best few and the named hashes are
 * then simulated on the other half. Who may include it: explore and cli.
 */
#ifndef ATOMSIM_EXPLORE_SEARCH_SEARCH_H
#define ATOMSIM_EXPLORE_SEARCH_SEARCH_H

#include <glib.h>

#include "config/acts.h"
#include "sim/run/machine.h"
#include "trace/reader.h"

typedef enum { SEARCH_BANK, SEARCH_LOCK } SearchTarget;

typedef struct {
	TraceReader *const *readers;
	guint n_readers;       /* 1 or more */
	uint32_t max_inputs;   /* of an output bit; 0: any number */
	gboolean per_bank;     /* each bank has locks of its own, for its words alone */
	uint64_t max_cost;     /* of the machine with a hash, in bits (model/cost.h); 0: any */
	uint32_t n_candidates; /* found hashes to simulate: 1 or more */
	uint32_t n_restarts;
	uint64_t max_nodes; /* of branch and bound */
	uint32_t seed;
	uint32_t n_threads;
	/* Called after each simulation; returning false interrupts. NULL: none. */
	bool (*progress)(void *data, uint64_t done, uint64_t total);
	void *progress_data;
	/* Called with each run, and of which reader. NULL: none. */
	void (*seen)(void *data, guint reader, const KeyRun *run);
	void *seen_data;
} SearchRequest;

/* A hash and what it costs. Counts of runs are summed over the traces. */
typedef struct {
	char *name; /* "found 1", "mod", ... */
	HashSpec spec;
	gboolean configured; /* what the machine has */
	gboolean found;	     /* by the search, and no named hash */
	uint32_t max_inputs; /* of an output bit */
	uint32_t n_gates;    /* XORs of two inputs */
	uint64_t cost_bits;  /* of the machine with it */
	uint64_t pairs;	     /* in conflict, on the blocks of the search */
	uint64_t cycles;     /* on the others, as all that follows */
	uint64_t conflict_passes;
	uint64_t aliases; /* lanes that found their lock taken for another word */
	uint64_t retries;
} SearchCandidate;

typedef struct {
	SearchTarget target;
	uint32_t size;	   /* banks or locks */
	uint32_t per_bank; /* locks of each bank's own; 0: they are for all words */
	uint32_t n_bits;   /* of a word's index that the traces use; 0: not searched, every word
			    has an entry of its own */
	uint64_t blocks_searched, blocks_judged;
	gboolean
		held_out; /* false: a trace of one block was searched and judged on that block */
	uint64_t pairs;	  /* pairs of different words of an access */
	gboolean proved;  /* no hash of the kind has fewer pairs in conflict than `fewest` */
	uint64_t fewest, bound, n_nodes;
	GPtrArray *candidates; /* SearchCandidate, fewest cycles first */
	uint64_t max_cost;     /* as in the request */
	gboolean idle;	       /* all of them cost the same */
	char *why_idle; /* a sentence of which "it" is a trace, if that had to be so; NULL: it is not known */
} SearchResult;

/* Whether the machine can have an XOR hash there, with locks for each bank if per_bank. Errors: ATOMSIM_ERROR_CONFIG. */
gboolean search_check(const Machine *machine, SearchTarget target, gboolean per_bank,
		      GError **error);

/*
 * Searches for one target on a machine, whose other hash stays. search_result_clear in any case.
 * Errors: those of search_check and of replay_run, ATOMSIM_ERROR_RUN if interrupted.
 */
gboolean search_run(const Machine *machine, SearchTarget target, const SearchRequest *request,
		    SearchResult *result, GError **error);
void search_result_clear(SearchResult *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SearchResult, search_result_clear)

/* "shared.bank_hash" */
const char *search_key(SearchTarget target);
/* The machine's hash of the target. */
HashSpec *search_hash(Machine *machine, SearchTarget target);
/* The candidate that the machine has. */
const SearchCandidate *search_configured(const SearchResult *result);
/* Of a candidate, what the target's hash is to avoid: extra passes, or aliases. */
uint64_t search_conflicts(const SearchResult *result, const SearchCandidate *candidate);
/*
 * Whether `a` beats `b`: by 1 % of the cycles or more, and by so many conflicts that chance does not explain
 * it (2 % of them, and three times their square root). Cycles alone vary by a few per cent
 * with any change of the order of warps.
 */
gboolean search_beats(const SearchResult *result, const SearchCandidate *a,
		      const SearchCandidate *b);
/* The hash to take: the fastest of those that beat the configured one, or that one; if that one costs more than allowed the fastest
   that does not. */
const SearchCandidate *search_chosen(const SearchResult *result);

#endif
