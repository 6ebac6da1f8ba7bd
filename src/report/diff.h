/* SPDX-License-Identifier: MIT */
/*
 * Two runs, or two lists of runs, side by side: what was gained, which cause it was, which lines, and
 * what stayed as it was. Works on JSON reports, so that it can compare what was run long ago.
 * Who may include it: report and cli.
 */
#ifndef ATOMSIM_REPORT_DIFF_H
#define ATOMSIM_REPORT_DIFF_H

#include <glib.h>
#include <cjson/cJSON.h>

#include "base/json-shape.h"

/* A run before and after: two reports, as report_object or a line of a sweep has them. */
typedef struct {
	char *label; /* what the two have in common: a trace, the values of a point */
	const cJSON *before, *after;
} DiffPair;

/* Of how many runs there is nothing to say. */
typedef struct {
	guint unpaired;	  /* of A or B, with no other */
	guint incomplete; /* pairs of which one or both did not come to their end */
} DiffLeftOut;

/*
 * That what comes from a file is a report, and each of its figures that is read here such as a run has:
 * counts whole numbers of 64 bits, and of a run that came to its end cycles from 1 to 2^53 and a time
 * above 0. place: "FILE:LINE", which errors (ATOMSIM_ERROR_INPUT) begin with. What follows takes
 * reports of which this is true.
 */
gboolean diff_check(const cJSON *report, const char *place, GError **error);

/* Before that: gives what an older atomsim wrote the names of today. Errors: ATOMSIM_ERROR_INPUT, a newer one wrote it. */
gboolean diff_renew(cJSON *report, const char *place, GError **error);

/*
 * Pairs the reports of two lists (of cJSON): one with one in any case, else by the values that a sweep
 * varied, else by the trace's name, and those of one name in their order. Errors: ATOMSIM_ERROR_INPUT if
 * no two that came to their end belong together. The pairs live as long as the lists.
 * g_ptr_array_unref.
 */
GPtrArray *diff_pairs(const GPtrArray *before, const GPtrArray *after, DiffLeftOut *left_out,
		      GError **error);

/* By how many per cent the time of the pair that fared worst grew; negative if all became faster. */
double diff_worst(const GPtrArray *pairs);

/* For people: one pair in full, several as a row each. names: what A and B are. g_free. */
char *diff_text(const GPtrArray *pairs, const char *const names[2],
		const DiffLeftOut *left_out);
#define DIFF_COLUMNS                                                                           \
	"label,before_cycles,after_cycles,before_time_us,after_time_us,change_percent,"        \
	"largest_change"
/* A row for each pair. g_free. */
char *diff_csv(const GPtrArray *pairs);
extern const Shape diff_shape;
/* A line for each pair, with every count that differs. g_free. */
char *diff_json(const GPtrArray *pairs);

/* --- What these share --- */

/* Of both runs; `name` is a path of the JSON report. */
typedef struct {
	char *name;
	double before, after;
} DiffRow;

static inline gboolean diff_row_differs(const DiffRow *row)
{
	return row->before != row->after;
}

typedef enum {
	DIFF_CAUSES, /* causes[].saves_cycles: what each costs */
	DIFF_STATES, /* warp_cycles.*: where the warps' time went */
	DIFF_COUNTS, /* the other counts of what happened */
	DIFF_LINES,  /* lines of the program, by the warps' time spent there */
} DiffPart;

/* The rows of a part in which both are not zero together; by the size of the change, but for counts, which
   keep the order of the report. Of DiffRow; g_ptr_array_unref. */
GPtrArray *diff_rows(const DiffPair *pair, DiffPart part);
/* "key: before -> after" for each key of the configs that differs. g_ptr_array_unref. */
GPtrArray *diff_config(const DiffPair *pair);
/* An item of a report by its path; NULL if there is none. */
const cJSON *diff_item(const cJSON *report, const char *path);
/* Whether the run came to its end. */
gboolean diff_is_complete(const cJSON *report);
/* A number of a report; 0 if it has none of that path. */
double diff_number(const cJSON *report, const char *path);
/* The interval that the cycles lie in; their number twice where they were counted. TRUE: they are an estimate. */
gboolean diff_interval(const cJSON *report, double *low, double *high);
/* The change of the time in per cent, and how many times faster it became. */
double diff_percent(const DiffPair *pair);
double diff_speedup(const DiffPair *pair);

#endif
