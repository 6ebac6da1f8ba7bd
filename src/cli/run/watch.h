/* SPDX-License-Identifier: MIT */
/* What watches a run: --timeline and --report. Only cli includes it. */
#ifndef ATOMSIM_CLI_RUN_WATCH_H
#define ATOMSIM_CLI_RUN_WATCH_H

#include "answer/run.h"
#include "report/timeline/timeline.h"

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

#endif
