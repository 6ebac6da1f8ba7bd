/* SPDX-License-Identifier: MIT */
/*
 * Reports of finished runs: everything that a report says is in a RunReport, and a format turns
 * that into text. Nothing here prints; cli does. Who may include it: report and cli.
 */
#ifndef ATOMSIM_REPORT_REPORT_H
#define ATOMSIM_REPORT_REPORT_H

#include <glib.h>
#include <cjson/cJSON.h>

#include "config/config.h"
#include "replay/replay.h"
#include "transform/what-if.h"

/* One run. The report owns nothing of it; what may be NULL says so. */
typedef struct {
	const char *version;	 /* of atomsim */
	const char *config_name; /* as the user gave it */
	const Machine *machine;
	const Config *config;		/* effective; NULL: none */
	const char *const *assumptions; /* "key = value", NULL-terminated; NULL: none */
	const char *trace_name;	  /* base name, so that reports do not depend on folders */
	const char *trace_sha256; /* NULL: not known */
	const cJSON *metadata;	  /* of the trace, an object; NULL: none */
	const KernelInfo *kernel; /* of the trace; NULL: not known */
	uint64_t trace_blocks;	  /* in the trace; more than ran if interrupted */
	uint64_t seed;
	const SimResult *result;
	const GArray *sites;	   /* of HotSpot, as ReplayResult has them; NULL: none */
	const SimResult *baseline; /* the same run without contention; NULL: not simulated */
	const Causes *causes;	   /* NULL: not looked for */
	const Utilization *utilization; /* NULL: nobody asked */
	const Estimate *estimate;	/* how much of it is estimated; NULL: all is counted */
	const WhatIf *what_if;		/* changes to the trace; NULL: none */
	const SimResult *unchanged;	/* with what_if: the run without them */
	double wall_s; /* of the simulation alone; negative: leave performance out */
	uint32_t threads;
} RunReport;

/*
 * The report of a replay that reached its end or was interrupted, and has its sites; its config, its result and its reader
 * must outlive it. Without performance and what-ifs, which the caller may add. config_name: as the user gave it.
 * Errors: a trace that cannot be read any more.
 */
RunReport *report_new(const Config *config, const char *config_name, const Replay *replay,
		      const ReplayResult *result, GError **error);
void report_free(RunReport *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RunReport, report_free)

/* What of the program's operations the run does not have: unknown records, and what the capture dropped, "12 unknown
   records, 12 out_of_range" by the names of docs/guide/capture.md. NULL: nothing. g_free. */
char *report_missing(const RunReport *report);
/* Warp instructions of a capture that go to textures or surfaces, whose places are not known. */
uint64_t report_texture_accesses(const RunReport *report);

/* The class of launches that it belongs to; NULL: of none, as its trace does not say what waits for what, or lacks something. */
const char *report_expected_class(const RunReport *report);

/* How far off the busy cycles of such a launch were; NULL: nothing is promised. What was measured are captured programs. */
const struct ExpectedError *report_expected_error(const RunReport *report);

/* Why nothing is promised, in words that follow "none"; NULL: something is. g_free. */
char *report_expected_none(const RunReport *report);

/* A format: one row of the table that --format chooses from. */
typedef struct {
	const char *name;
	const char *summary;
	/* Appends a report, ending in a newline, to a text that need not hold those before it. `first`: there are none. */
	void (*append)(GString *text, const RunReport *report, gboolean first);
} ReportFormat;

/* The first is the default. */
#define N_REPORT_FORMATS 3
extern const ReportFormat *const report_formats[N_REPORT_FORMATS];

extern const ReportFormat report_text, report_json, report_csv;

/* The report as JSON, by the table in report/fields.h; CSV is the same, flattened. cJSON_Delete. */
cJSON *report_object(const RunReport *report);
/* It on one line, which ends in a newline. g_free. */
char *report_json_text(const cJSON *object);
/* The same, and the object is deleted. */
char *report_json_take(cJSON *object);

/* The names of all columns that a row of CSV can have, parted by commas; what a run leaves out its row has not. g_free. */
char *report_csv_columns(void);

/* Appends an object's scalars as a row of CSV, after their paths as a header if asked for. */
void report_csv_append(GString *text, const cJSON *object, gboolean with_header);

/* "file:line function" of a site, or what of it the metadata knows. g_free. */
char *report_site_label(const RunReport *report, uint32_t site);

/* Whether only some figures are of the whole launch: report_field_within says which. */
gboolean report_is_sampled(const RunReport *report);

/* How many times faster the what-ifs make it. */
double report_gain(const RunReport *report);

/* What the launch found, in the words of its keys: "L2 warm, place round_robin"; NULL: the run asked the memory side for nothing, and all
   else is as by default. g_free. */
char *report_launch(const RunReport *report);

/* "code is cold: SMs must fetch it"; NULL: neither code nor parameters are cold. g_free. */
char *report_cold(const RunReport *report);

/* "4 of 132 SMs have a block, 128 have none"; NULL: all have one. g_free. */
char *report_idle_sms(const RunReport *report);

/* Whether the machine knows more of global memory than the trace: accesses without addresses take a time that is fixed. */
gboolean report_is_flat(const RunReport *report);

/* Simulated time in microseconds. */
double report_time_us(const RunReport *report, uint64_t cycles);

/*
 * Draws the cycle breakdown and the conflict degrees to `svg`, which must have a format of gnuplot.h. Its data
 * and gnuplot script are left beside it with .csv and .gp, also when gnuplot is missing or fails.
 * Errors: ATOMSIM_ERROR_IO.
 */
gboolean report_plot(const RunReport *report, const char *svg, GError **error);

#endif
