/* SPDX-License-Identifier: MIT */
/* What the files of `atomsim run` share. Only they include it. */
#ifndef ATOMSIM_CLI_RUN_RUN_H
#define ATOMSIM_CLI_RUN_RUN_H

#include "answer/run.h"
#include "base/csv-columns.h"
#include "report/timeline/timeline.h"

/* --- What watches a run: --timeline and --report (watch.c) --- */

/* What the user asked for. */
typedef struct {
	char *timeline, *window, *page, *advice;
	guint advice_wanted; /* Wanted: what --advice says, on the page */
} WatchOptions;

/* Before the work. Errors: ATOMSIM_ERROR_USAGE. */
gboolean watch_check(const WatchOptions *options, guint n_traces, GError **error);

/* What watches one run. All zero: nothing. */
typedef struct {
	Observer all; /* first: hands on to each of them */
	Observer *each[2];
	guint n;
	Timeline *timeline;
	HtmlWatch *page;
} Watch;

gboolean watch_begin(Watch *watch, const WatchOptions *options, const Machine *machine,
		     const TraceReader *reader, GError **error);
/* NULL: nobody watches. */
Observer *watch_observer(Watch *watch);
/* Writes what there is to write of a run that is over. */
gboolean watch_end(Watch *watch, const WatchOptions *options, const RunRequest *request,
		   const RunAnswer *answer, GError **error);
/* Frees it; what has not been written is not. */
void watch_clear(Watch *watch);

/* --- The run --- */

/* What the user asked for. */
typedef struct {
	char *config, *format, *output, *plot, *causes, *utilization, *columns_text;
	CsvColumns *columns; /* NULL: all */
	char **settings, **traces, **changes;
	guint writer;		  /* of report_formats: what --format says */
	guint causes_wanted;	  /* Wanted: what --causes says */
	guint utilization_wanted; /* Wanted: no, or any other */
	WhatIf *what_if;	  /* NULL: none is asked for */
	WatchOptions watch;
	char *within_text;
	const char *
		not_estimated; /* of the options, what an estimate has none of, and why; NULL: nothing */
	double within; /* share of the cycles; 0: the whole launch is simulated */
	gint64 seed;
	int jobs;
	gboolean sequence, reproducible, no_baseline, all_sms, help_config;
} RunOptions;

extern const OutputKind run_report_kind;

/* What there is to run on. */
typedef struct {
	const Config *config;  /* with all that is asked for */
	const Config *plain;   /* without what the what-ifs change of it */
	const Config *shipped; /* without --set; NULL: that is none */
} RunConfigs;

/* Replays each trace, the unchanged one on the plain config if there are what-ifs, and writes the
   reports; all that is asked for has been checked. Errors: as replay_run, and ATOMSIM_ERROR_IO. */
gboolean run_traces(const RunConfigs *configs, const RunOptions *options, GError **error);

/* performance.c: says how fast a run was, and what memory it took. */
void run_report_performance(const ReplayResult *result, const char *trace);

#endif
