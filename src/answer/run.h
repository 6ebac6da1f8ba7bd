/* SPDX-License-Identifier: MIT */
/*
 * A run as a user asks for it: a trace on a machine, perhaps changed by what-ifs and then compared with itself without them,
 * and its report. `atomsim run` and the library ask here, so that both say the same.
 * Who may include it: cli, library.
 */
#ifndef ATOMSIM_ANSWER_RUN_H
#define ATOMSIM_ANSWER_RUN_H

#include "config/acts.h"
#include "replay/what-if.h"
#include "report/html/html.h"
#include "report/report.h"

/* Owns nothing; zero or NULL means what the field says. */
typedef struct {
	const Config *config;	 /* with what the what-ifs change of it: replay_config */
	const Config *plain;	 /* without that; looked at only with what-ifs */
	const char *config_name; /* as the user gave it */
	TraceReader *reader;
	const char *trace_name; /* NULL: the reader's path */
	const WhatIf *what_if;	/* NULL: none */
	uint64_t seed;
	guint n_threads; /* 1 or more */
	bool all_sms, baseline, no_utilization;
	Wanted causes;
	double within;	    /* as in Replay */
	Observer *observer; /* NULL: none */
	bool (*progress)(void *data, uint64_t blocks_done, uint64_t n_blocks);
	void *progress_data;
} RunRequest;

/* What it gave. Zero before its first use. */
typedef struct {
	RunReport *report; /* points into the rest */
	ReplayResult result;
	ChangedSource changed;	 /* by the what-ifs */
	ReplayResult *unchanged; /* without them; NULL: there are none */
} RunAnswer;

/*
 * Runs. FALSE for whatever leaves no report. One that progress interrupted leaves the report of its part: then
 * *interruption says so. Errors: those of replay_run, replay_change and report_new.
 */
gboolean run_answer(const RunRequest *request, RunAnswer *answer, GError **interruption,
		    GError **error);
void run_answer_clear(RunAnswer *answer);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RunAnswer, run_answer_clear)

/*
 * Appends to `notes` (of char *) what of a run's settings ("key=value", NULL-terminated; NULL: none) and what-ifs had no effect
 * on it, and why. shipped: the config without the settings; NULL: none.
 */
void run_notes(const RunRequest *request, const RunAnswer *answer, const char *const *settings,
	       const Config *shipped, GPtrArray *notes);

/* The same of the settings of a run that came to its end; shipped: the machine without them, NULL: none. */
void settings_notes(const char *const *settings, const char *trace, const KeyRun *run,
		    const Machine *shipped, GPtrArray *notes);

/*
 * The page of a run that `watch` has seen, with what advise says (Wanted: none of a run with what-ifs or that did not end).
 * left_out (of char *): as report_html. g_free.
 */
char *run_page(const RunRequest *request, const RunAnswer *answer, const HtmlWatch *watch,
	       Wanted advice, GPtrArray *left_out);

#endif
