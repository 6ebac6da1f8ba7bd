/* SPDX-License-Identifier: MIT */
/*
 * What to change, in a kernel or in a design, so that a trace costs less: what-ifs and settings that
 * fit the causes found, each simulated. Who may include it: cli.
 */
#ifndef ATOMSIM_EXPLORE_ADVISE_ADVISE_H
#define ATOMSIM_EXPLORE_ADVISE_ADVISE_H

#include <glib.h>

#include "config/config.h"
#include "replay/what-if.h"
#include "sim/run/run.h"

/* Why time is lost. X(constant, name, words) */
#define ADVICE_CAUSES(X)                                                                       \
	X(POSITION, "position", "lanes of a warp want the same word")                          \
	X(LOCKS, "spin_locks", "lanes wait for spin locks that others hold")                   \
	X(BETWEEN_WARPS, "between_warps", "warps want the same word at the same time")         \
	X(ALIAS, "alias", "different words share a lock")                                      \
	X(BANKS, "banks", "different words share a bank")                                      \
	X(LOOP, "loop", "float atomics are loops of this machine, integer ones are not")

typedef enum {
#define X(constant, name, words) CAUSE_##constant,
	ADVICE_CAUSES(X)
#undef X
		N_ADVICE_CAUSES,
} AdviceCause;

extern const char *const advice_cause_names[N_ADVICE_CAUSES];
extern const char *const advice_cause_words[N_ADVICE_CAUSES];

/* A change that pays. */
typedef struct {
	AdviceCause cause;
	char *change; /* as --what-if or, of a design, --set takes it */
	bool of_design;
	char *words;   /* plain ones, a sentence without its full stop */
	uint32_t line; /* of the program that reaches the array; 0: not known, or a design */
	uint32_t first_byte, last_byte; /* of the array; 0 for a design */
	uint64_t cycles;
	double gain;		  /* the trace's cycles over these: above 1 */
	uint32_t shared_bytes;	  /* of the largest block, with the change */
	uint32_t resident_blocks; /* of such blocks, on an SM */
	/* What measurement says of gains foretold for such changes on this machine, as shares of the gain;
	   known_points is 0 where nothing does. */
	guint known_points;
	double known_median, known_max;
} Advice;

typedef struct {
	uint64_t cycles, contention_free_cycles;
	/* Of the atomics if their lanes wanted random words of their arrays; 0: not simulated. */
	uint64_t random_cycles;
	uint32_t shared_bytes, resident_blocks; /* of the largest block, as it is */
	GPtrArray *advice;			/* of Advice, the largest gain first */
	char *nothing; /* why there is none, a sentence without its full stop; NULL: there is some */
	char *refused; /* why changes could not be tried; NULL: all that fit were */
	guint tried;   /* changes that were simulated */
} AdviceReport;

typedef struct {
	const Config *config;
	TraceReader *reader;
	guint64 seed;
	guint n_threads;
	bool (*progress)(void *data, uint64_t blocks_done, uint64_t n_blocks); /* NULL: none */
} AdviceRequest;

/* Errors: those of the trace and of a replay, the unchanged one. */
gboolean advise(const AdviceRequest *request, AdviceReport *report, GError **error);
void advice_report_clear(AdviceReport *report);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AdviceReport, advice_report_clear)

#endif
