/* SPDX-License-Identifier: MIT */
/*
 * What to change, in a kernel or in a design, so that a trace costs less: what-ifs and settings that
 * fit the causes found, each simulated; changes that fit but cannot be simulated, with what they could gain at most; and those that
 * cannot be made, with why. Who may include it: cli.
 */
#ifndef ATOMSIM_EXPLORE_ADVISE_ADVISE_H
#define ATOMSIM_EXPLORE_ADVISE_ADVISE_H

#include <glib.h>

#include "config/config.h"
#include "replay/replay.h"
#include "replay/what-if.h"
#include "sim/run/run.h"

#define ADVICE_LEAST_GAIN 1.05 /* smaller ones are not advised */

/* Why time is lost. X(constant, name, words) */
#define ADVICE_CAUSES(X)                                                                       \
	X(WORDS, "same_word", "lanes access the same word")                                    \
	X(LOCKS, "spin_locks", "lanes wait for spin locks held by other lanes")                \
	X(ALIAS, "alias", "different words share a lock")                                      \
	X(BANKS, "banks", "different words share a bank")                                      \
	X(LOOP, "loop",                                                                        \
	  "this type's atomics compile to CAS loops; 32-bit integer atomics are native")       \
	X(WIDE_LOOP, "wide_loop",                                                              \
	  "this type's atomics compile to CAS loops, which are shorter for 32 bits")           \
	X(L2, "l2_atomics", "atomics of many warps are serialized at the L2")                  \
	X(LATENCY, "global_latency", "warps wait for global memory")                           \
	X(BANDWIDTH, "global_bandwidth", "accesses to global memory queue for bandwidth")      \
	X(BARRIERS, "barriers", "warps wait at barriers")                                      \
	X(ISSUE, "issue", "issue slots and pipes are busy")                                    \
	X(RESULTS, "instruction_latency", "warps wait for results of instructions")

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
	char *words; /* plain ones, a sentence without its full stop */
	uint32_t
		site; /* the costliest instruction that reaches the array; 0: none is known, or a design */
	uint32_t line; /* of the program, of that; 0: not known */
	char *place; /* of that, as reports name it (answer/advice.h); NULL: nobody has asked, or no site */
	uint32_t buffer; /* that the array is in; 0: shared memory, or a design */
	uint32_t first_byte, last_byte; /* of an array of shared memory; 0 otherwise */
	uint64_t cycles;
	uint64_t
		behind_cycles; /* that a further kernel takes, which the change needs; 0: none */
	double gain;	       /* the trace's cycles over all these: above 1 */
	double duration_us; /* gpu__time_duration with the change, of all launches; 0: not known */
	uint32_t shared_bytes;	  /* of the largest block, with the change */
	uint32_t resident_blocks; /* of such blocks, on an SM */
	uint64_t cost_bits; /* of the hardware of the machine's atomics, with the change */
	/* What measurement says of gains predicted for such changes on this machine, as shares of the gain;
	   expected_points is 0 where nothing does. */
	guint expected_points;
	double expected_median, expected_max;
} Advice;

/* A change that fits a cause but that no what-if makes. */
typedef struct {
	AdviceCause cause;
	const char *words; /* a sentence without its full stop */
	double most_gain;  /* without the cause at all */
} AdviceLimit;

/* A change that cannot be made. */
typedef struct {
	char *change; /* as --what-if takes it */
	char *why;
} AdviceRefusal;

/* Loads from and stores to global memory. */
typedef struct {
	uint64_t accesses;
	uint64_t sectors;	/* of 32 bytes, that they reach, */
	uint64_t least_sectors; /* and that would hold the bytes they ask for */
} Coalescing;

typedef struct {
	uint64_t cycles, contention_free_cycles;
	double duration_us; /* gpu__time_duration; 0: what a launch costs is not known of the machine */
	uint64_t cost_bits;			/* of the hardware of the machine's atomics */
	uint32_t shared_bytes, resident_blocks; /* of the largest block, as it is */
	bool bound_by_shared; /* without its shared memory an SM would hold more blocks */
	Causes causes;	      /* of the unchanged run */
	Statistics statistics;
	Coalescing coalescing;
	GPtrArray *advice;  /* of Advice: of the program, the largest gain first */
	GPtrArray *designs; /* of Advice: of the machine, the same */
	GArray *limits;	    /* of AdviceLimit, the largest gain first */
	GPtrArray *refused; /* of AdviceRefusal, one a kind of change and array */
	char *nothing; /* why there is no advice, a sentence without its full stop; NULL: there is some */
	/* Why nothing is known of the errors of gains, as nothing is of the unchanged run's; NULL: it is. answer/advice.h fills it in. */
	char *no_error;
	guint tried;   /* changes that were simulated */
	bool too_long; /* none was, as all together execute more than most_instructions */
} AdviceReport;

typedef struct {
	const Config *config;
	TraceReader *reader;
	guint64 seed;
	guint n_threads;
	bool (*progress)(void *data, uint64_t blocks_done, uint64_t n_blocks); /* NULL: none */
	void *progress_data;
	/* The trace on the machine as they are, with baseline, causes and sites. NULL: it is run. */
	const ReplayResult *unchanged;
	/* Called with the run of the trace as it is, once it came to its end. NULL: none. */
	void (*seen)(void *data, const SimResult *unchanged);
	void *seen_data;
	/* Try changes only if they execute no more warp instructions together than this, each taken for as long as the
	   trace as it is; 0: whatever they take. */
	guint64 most_instructions;
} AdviceRequest;

/* Under two seconds on an ordinary machine: PyTorch's bincount on an H200 takes 0.6 s for 4.3 million. */
#define ADVICE_MOST_INSTRUCTIONS CAUSES_MOST_INSTRUCTIONS

/* Errors: those of the trace and of a replay, the unchanged one. */
gboolean advise(const AdviceRequest *request, AdviceReport *report, GError **error);
void advice_report_clear(AdviceReport *report);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AdviceReport, advice_report_clear)

#endif
