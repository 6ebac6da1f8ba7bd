/* SPDX-License-Identifier: MIT */
/*
 * What each line of the program cost: its instructions summed up, for the text report and the page. Who may include it:
 * report.
 */
#ifndef ATOMSIM_REPORT_LINES_H
#define ATOMSIM_REPORT_LINES_H

#include "report/report.h"

/* A line, or an instruction of which no line is known; costs as those of its sites, HotSpot. */
typedef struct {
	char *label;		 /* "kernel.cu:27 function", "pc 0x70 function"; see below */
	const char *file;	 /* the metadata's; NULL: not known */
	guint line;		 /* of it, from 1; 0: not known */
	GPtrArray *instructions; /* names of all that the trace has of it, in its order */
	uint64_t cycles, failures, passes, lane_operations, local_segments;
	CombineCounters combined;
} ReportLine;

/* The labels of what is no line: the time of warps that come to no instruction which the trace names, and that of warps that
   have ended before their blocks. */
#define LINE_NONE  "(of no line)"
#define LINE_ENDED "(after a warp's end)"

/* All lines, costliest first; they add up to the run. Empty if the trace names no instruction that cost
   anything. GPtrArray of ReportLine; g_ptr_array_unref. */
GPtrArray *report_lines(const RunReport *report);

/* What timelines call each site, 0 included: "kernel.cu:27 function: LDS", or what of it the metadata knows, printable. Of char *;
   g_ptr_array_unref. */
GPtrArray *report_site_names(const cJSON *metadata);

/* The entries of the metadata's sites, of cJSON: site k is entry k - 1. g_ptr_array_unref. */
GPtrArray *report_site_entries(const RunReport *report);

#endif
