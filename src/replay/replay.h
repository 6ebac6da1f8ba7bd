/* SPDX-License-Identifier: MIT */
/*
 * A replay: a machine and a trace in, a result or an error out. The one place where a simulation is
 * asked for and where its failure is put into words: every command, sweep, search and fit comes
 * through here, and so does who uses atomsim as a library.
 * Who may include it: report, explore, cli, and the library's door.
 */
#ifndef ATOMSIM_REPLAY_REPLAY_H
#define ATOMSIM_REPLAY_REPLAY_H

#include <glib.h>

#include "replay/causes.h"
#include "replay/estimate.h"
#include "sim/run/run.h"
#include "trace/reader.h"

/* What to run. Owns nothing; zero or NULL means what the field says. */
typedef struct {
	const Machine *machine; /* must have passed config's checks */
	/* The trace, which keeps why it could not be read. NULL: the records are in no file, and
	   source, name and n_sites are given. */
	TraceReader *reader;
	/* The records that run: a transform around the reader's source. NULL: that source. */
	RecordSource *source;
	const char *name; /* what errors begin with; NULL: the reader's path */
	uint32_t n_sites; /* without a reader: records name sites 0 .. this */
	uint64_t seed;	  /* of the random winner rule */
	bool all_sms;	  /* as in SimRequest */
	guint n_threads;  /* 1 or more; the result does not depend on it */
	bool baseline;	  /* run it without contention, too */
	Wanted causes;	  /* and without each thing that it may have waited for */
	bool sites;	  /* say what each instruction of the program cost */
	bool utilization; /* and how busy units were; of an estimate nobody knows */
	bool sampled; /* of a trace that has a sample of its launch's blocks: estimate the launch, on its own; false: refuse it */
	double within; /* above 0: an estimate that may be off by this share of its cycles; 0: the whole launch */
	Observer *observer; /* of the run, not of the baseline; NULL: none */
	/* Called from the caller's thread now and then, in the baseline and in each run for a cause from block 0
	   again; returning false interrupts. NULL: none. */
	bool (*progress)(void *data, uint64_t blocks_done, uint64_t n_blocks);
	void *progress_data;
} Replay;

/* What it gave. Zero before its first use; replay_result_clear at the end. */
typedef struct {
	SimResult run; /* of a run that failed too, as far as it came: run.status says how */
	Estimate estimate; /* what of it is estimated; counts only if has_estimate */
	bool has_estimate;
	/* The same records where no atomic waits for another and no access for a bank: the cost of
	   the program itself. Counts only if has_baseline. */
	SimResult baseline;
	bool has_baseline;
	Causes causes; /* counts only if has_causes */
	bool has_causes, causes_interrupted;
	/* Of HotSpot: the program's instructions that cost anything, costliest first, and at 0 those that name none. They add
	   up to the run's. NULL: nobody asked. */
	GArray *sites;
	Utilization utilization; /* counts only if has_utilization */
	bool has_utilization;
	GError *baseline_error; /* why there is none although it was asked for; NULL otherwise */
	double wall_s;		/* of the run alone */
} ReplayResult;

/*
 * Runs. FALSE if the run did not reach its end; a baseline that did not leaves baseline_error alone.
 * Of a sample no baseline and no causes are looked for. Errors: those of the trace, and ATOMSIM_ERROR_TRACE for a sample that
 * cannot be estimated or where a whole launch is needed; ATOMSIM_ERROR_RUN, which begins with the name: a block that fits no
 * SM, a record that the machine cannot execute, deadlock, livelock (several lines, with who waits
 * for what), an interruption.
 */
gboolean replay_run(const Replay *replay, ReplayResult *result, GError **error);

/* Whether progress ended the run, its baseline or the search for its causes. */
gboolean replay_interrupted(const ReplayResult *result);

void replay_result_clear(ReplayResult *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ReplayResult, replay_result_clear)

#endif
