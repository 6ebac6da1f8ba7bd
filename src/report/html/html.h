/* SPDX-License-Identifier: MIT */
/*
 * A report as one page of HTML that needs nothing else: the figures of the other formats, and pictures.
 * Who may include it: cli.
 */
#ifndef ATOMSIM_REPORT_HTML_HTML_H
#define ATOMSIM_REPORT_HTML_HTML_H

#include <glib.h>
#include <cjson/cJSON.h>

#include "base/output.h"
#include "report/report.h"
#include "sim/run/observer.h"

extern const OutputKind html_kind;

#define HTML_ATOMICS 6 /* the costliest, shown round by round */

/* An atomic that cost much: what its warp asked for. */
typedef struct {
	Record record;
	uint64_t rounds; /* it took */
	uint64_t cycles; /* from its first instruction to its end */
} HtmlAtomic;

/* Gathers from a run what pictures need. */
typedef struct HtmlWatch HtmlWatch;
HtmlWatch *html_watch_new(const Machine *machine);
void html_watch_free(HtmlWatch *watch);
Observer *html_watch_observer(HtmlWatch *watch);
/* The costliest atomics, one a site, costliest first; *n of them. Owned by the watch. */
const HtmlAtomic *html_watch_atomics(const HtmlWatch *watch, guint *n);
/* {"banks": ..., "locks": ...}: counts by row and stretch of time. cJSON_Delete. */
cJSON *html_watch_heat(const HtmlWatch *watch);

/*
 * The page. atomics: an array of what explain says of each atomic, with "where"; advice: what advise
 * says, or NULL; folder: of the trace, in which sources are looked for; left_out (of char *): gets
 * "FILE: WHY" of each that lies there and is not quoted. Takes atomics and advice. g_free.
 */
char *report_html(const RunReport *report, const HtmlWatch *watch, cJSON *atomics,
		  cJSON *advice, const char *folder, GPtrArray *left_out);

/* For report_html: of each source file that can be found the text about its costly lines (GPtrArray of ReportLine). */
cJSON *html_sources(const RunReport *report, const GPtrArray *costly, const char *folder,
		    GPtrArray *left_out);

#endif
