/* SPDX-License-Identifier: MIT */
/*
 * One atomic of one warp or of several, or spin locks that they take, round by round: who tried, who won, who lost to whom and why.
 * Or a load or store of theirs, pass by pass: a pass is a round then. A simulation of a handful of warps, watched. Who may include it: answer, cli.
 */
#ifndef ATOMSIM_EXPLORE_EXPLAIN_EXPLAIN_H
#define ATOMSIM_EXPLORE_EXPLAIN_EXPLAIN_H

#include <glib.h>

#include "sim/run/machine.h"
#include "sim/run/observer.h"

#define EXPLAIN_MAX_WARPS 32

/* What the warps do with their words: X(constant, name) */
#define EXPLAIN_ACCESSES(X)                                                                    \
	X(ATOMIC, "atomic")                                                                    \
	X(LOAD, "load")                                                                        \
	X(STORE, "store")                                                                      \
	X(LOCK, "lock") /* take them as spin locks, at once, hold and release them */

typedef enum {
#define X(constant, name) EXPLAIN_##constant,
	EXPLAIN_ACCESSES(X)
#undef X
		N_EXPLAIN_ACCESSES,
} ExplainAccess;

extern const char *const explain_access_names[N_EXPLAIN_ACCESSES];

/* What became of a lane in a round. X(constant, name, letter, words) */
#define LANE_FATES(X)                                                                          \
	X(IDLE, "idle", '-', "takes no part")                                                  \
	X(DONE, "done", '.', "was done before")                                                \
	X(WINS, "wins", 'W', "its operation is done")                                          \
	X(POSITION, "position", 'p', "lost to a lane of its warp, for the same word")          \
	X(ALIAS, "alias", 'a',                                                                 \
	  "lost to a lane of its warp, for another word of the same lock")                     \
	X(BANK, "bank", 'b', "lost to a lane of its warp, for another word of the same bank")  \
	X(OTHER_POSITION, "inter_position", 'P',                                               \
	  "another warp holds the lock, for the same word")                                    \
	X(OTHER_ALIAS, "inter_alias", 'A', "another warp holds the lock, for another word")    \
	X(FULL, "full", 'f', "its word has no entry of the lock table, and none is free")      \
	X(OVERTAKEN, "overtaken", 'o', "another warp changed the word meanwhile")              \
	X(QUEUED, "queued", 'q', "does not try: its lock is held, or another lane's turn")     \
	X(MERGED, "merged", 'm', "a lane of its warp operates for it, too")                    \
	X(WAITS, "waits", 'w', "its spin lock is free, but that of another lane is not")

typedef enum {
#define X(constant, name, letter, words) FATE_##constant,
	LANE_FATES(X)
#undef X
		N_LANE_FATES,
} LaneFate;

extern const char *const lane_fate_names[N_LANE_FATES];
extern const char lane_fate_letters[N_LANE_FATES];
extern const char *const lane_fate_words[N_LANE_FATES];

typedef struct {
	LaneFate fate;
	int by_lane; /* of its own warp that it lost to; -1: none */
	int by_warp; /* that it lost to; -1: none, or not known */
} LaneOutcome;

/* An instruction of a round. */
typedef struct {
	const char *name; /* constant: "LK", "CAS", ... */
	Cycle start, ready;
	uint32_t passes; /* through the banks; 0: none */
} RoundInstruction;

#define ROUND_INSTRUCTIONS 8

typedef struct {
	uint32_t warp, number; /* from 0 */
	Cycle begin, end;
	uint32_t n_instructions;
	RoundInstruction instructions[ROUND_INSTRUCTIONS];
	Cycle decided; /* its last instruction was issued */
	Cycle locked,
		freed; /* lanes that win hold their lock bits from, until; 0, 0: there are none */
	uint32_t tried, won; /* lanes */
	uint32_t merged;     /* lanes that another one operates for, in all rounds */
	LaneOutcome lanes[TRACE_MAX_LANES];
} ExplainRound;

typedef struct {
	uint32_t mask; /* active lanes */
	uint32_t word[TRACE_MAX_LANES];
	uint32_t lock[TRACE_MAX_LANES], bank[TRACE_MAX_LANES];
} ExplainWarp;

typedef struct {
	const Machine *machine;
	Operation operation;
	ValueType type;
	bool result; /* the program uses the old values */
	ExplainAccess
		access; /* spin locks of a warp are different; the three above are of atomics */
	guint64 seed;
	uint32_t n_warps;		      /* 1 .. EXPLAIN_MAX_WARPS, one block */
	ExplainWarp warps[EXPLAIN_MAX_WARPS]; /* mask and word: given; the rest is filled in */
} ExplainRequest;

/* Whether it is a load or a store. */
static inline bool explain_is_plain(const ExplainRequest *request)
{
	return request->access == EXPLAIN_LOAD || request->access == EXPLAIN_STORE;
}

typedef struct {
	const Mechanism *mechanism; /* NULL: a load or store has none */
	bool has_locks;		    /* the mechanism's lock bits count */
	uint64_t cycles;	    /* until the last lane is done */
	GArray *rounds; /* of ExplainRound: instructions in the order of their issue, each one's passes in a row */
} Explanation;

/* Errors: ATOMSIM_ERROR_USAGE for words that no block can have (words.h), ATOMSIM_ERROR_RUN. */
gboolean explain(ExplainRequest *request, Explanation *explanation, GError **error);
void explanation_clear(Explanation *explanation);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Explanation, explanation_clear)

#endif
