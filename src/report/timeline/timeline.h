/* SPDX-License-Identifier: MIT */
/*
 * Timelines: the instructions of a run, written while it goes on. FILE.json is the trace-event format
 * that Perfetto (ui.perfetto.dev) and chrome://tracing show; FILE.kanata that of the pipeline viewer
 * Konata. A cycle is a microsecond there. Who may include it: cli, report.
 */
#ifndef ATOMSIM_REPORT_TIMELINE_TIMELINE_H
#define ATOMSIM_REPORT_TIMELINE_TIMELINE_H

#include <cjson/cJSON.h>
#include <glib.h>

#include "base/output.h"
#include "sim/run/machine.h"
#include "sim/run/observer.h"

#define TIMELINE_EVENTS 200000 /* unless the window says otherwise */

/* What is written of a run: instructions issued within, the first so many. */
typedef struct {
	guint64 first_cycle, last_cycle;
	guint64 first_block, last_block;
	guint64 first_sm, last_sm; /* Konata shows one SM: the first */
	guint64 events;		   /* 1 or more */
} TimelineWindow;

/*
 * Reads "cycles=0..9999,blocks=0..3,sms=0..0,events=100000"; each part may be missing, NULL is all.
 * Errors: ATOMSIM_ERROR_USAGE.
 */
gboolean timeline_window_parse(const char *text, TimelineWindow *window, GError **error);

extern const OutputKind timeline_kind;

typedef struct Timeline Timeline;

/* Whether the name says a format. */
gboolean timeline_has_format(const char *path);
/* metadata: the trace's, which names its instructions; NULL: none. Errors: of base/output.h. */
Timeline *timeline_open(const char *path, const Machine *machine, const cJSON *metadata,
			const TimelineWindow *window, GError **error);
/* For a replay; owned by the timeline. */
Observer *timeline_observer(Timeline *timeline);
/* Ends the file and frees the timeline. *left_out: instructions of the window beyond its events. */
gboolean timeline_close(Timeline *timeline, guint64 *left_out, GError **error);
/* Frees it, and nothing has been written. */
void timeline_abandon(Timeline *timeline);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Timeline, timeline_abandon)

#endif
