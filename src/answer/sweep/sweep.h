/* SPDX-License-Identifier: MIT */
/*
 * A sweep as a user asks for it, from words to results: `atomsim sweep` and the library ask here, so that both give the same
 * lines. Who may include it: cli, library.
 */
#ifndef ATOMSIM_ANSWER_SWEEP_SWEEP_H
#define ATOMSIM_ANSWER_SWEEP_SWEEP_H

#include <cjson/cJSON.h>

#include "base/json-shape.h"
#include "explore/sweep/file.h"
#include "explore/sweep/run.h"

/* job.c: what runs. Opens or generates the traces, makes the plan and checks every point. */
typedef struct {
	Sweep sweep;
	SweepPlan *plan;
	Config *config;
	guint *input_of;
	GPtrArray *settings; /* of the config, "key=value" */
} SweepJob;

/* What a program has that words cannot name; NULL: nothing. */
typedef struct {
	const Config *config; /* in place of one by name; NULL: none */
	GPtrArray *
		inputs; /* of SweepInput, in place of traces by name; taken where it is not empty */
} SweepAtHand;

/* That the words go together, and there are enough of them. at_hand: NULL: nothing. Errors: ATOMSIM_ERROR_USAGE. */
gboolean sweep_words_check(const SweepWords *words, const SweepAtHand *at_hand, GError **error);

/* Takes the axes out of the words, which have been checked. check: that each point has a config; else whoever runs them
   sees to it. */
gboolean sweep_job_init(SweepJob *job, SweepWords *words, const SweepAtHand *at_hand,
			gboolean check, GError **error);
void sweep_job_clear(SweepJob *job);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SweepJob, sweep_job_clear)

extern const Shape sweep_shape;
/* line.c: a point as a line of results, and that as a row of CSV. */
cJSON *sweep_result(const SweepPoint *point);
void sweep_row(GString *text, cJSON *line, gboolean with_header);
/* For results.c: a point's line of a journal, and the line of results that is made of it; `sweep` is the Sweep. */
char *sweep_brief(const SweepPoint *point);
cJSON *sweep_whole(gpointer sweep, guint number, const cJSON *brief, GError **error);

/* results.c: how to run it. */
typedef struct {
	guint n_threads;
	gboolean resume; /* go on with what the folder has */
	/* From the caller's thread, now and then; FALSE interrupts. */
	gboolean (*progress)(gpointer data, guint64 done, guint64 total);
	gpointer progress_data;
	/* As in SweepHooks. */
	void (*seen)(gpointer data, const SweepPoint *point);
	gpointer seen_data;
} SweepHow;

typedef struct {
	SweepTally tally;
	guint n_failed; /* points that did not come to their end */
} SweepDone;

/* Runs what the folder does not have and writes the results there. Errors: those of sweep_check, where resume puts
   that off, of sweep_run and of the folder. */
gboolean sweep_job_run(SweepJob *job, const char *folder, const SweepHow *how, SweepDone *done,
		       GError **error);

#endif
