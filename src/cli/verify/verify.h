/* SPDX-License-Identifier: MIT */
/* What the files of atomsim verify share. Only they include it. */
#ifndef ATOMSIM_CLI_VERIFY_VERIFY_H
#define ATOMSIM_CLI_VERIFY_VERIFY_H

#include <glib.h>

#include "base/output.h"

/* What the user asked for. */
typedef struct {
	char *kernel, *with, *before, *keep, *format, *output, *fail_above;
	char **reports, **program;
	double limit; /* per cent; negative: none */
	gboolean limit_is_expected, any_gpu;
	int launch;
} VerifyOptions;

extern const OutputKind verify_kind;
extern const OutputKind verify_table_kind; /* of --keep */

/* That they can be done, and what --fail-above says. Errors: ATOMSIM_ERROR_USAGE, ATOMSIM_ERROR_IO. */
gboolean verify_check_options(VerifyOptions *options, GError **error);

#define VERIFY_EXAMPLES                                                                        \
	"atomsim verify report.json -- ./program\n"                                            \
	"atomsim verify --fail-above expected report.json -- ./program"

/* --- A program measured on this machine's GPU, unchanged (measure.c, ncu.c, nsys.c) --- */

/* What to measure. */
typedef struct {
	const char *name;   /* the kernel's, as the report has it */
	const char *kernel; /* regular expression of mangled names; NULL: those of that name */
	guint launch;	    /* of the matching ones, from 1; 0: all */
	char **program;	    /* and its arguments */
} Measuring;

/* What has measured. */
typedef enum { MEASURED_BY_NCU, MEASURED_BY_NSYS } MeasuredBy;

/* That one of this machine's GPUs is the machine of a config, by its name. Errors: ATOMSIM_ERROR_IO, there is none;
   ATOMSIM_ERROR_INPUT, another. */
gboolean measure_check_gpu(const char *machine, GError **error);

/*
 * The text of a table of ncu. Errors: ATOMSIM_ERROR_IO with what the tool said: it failed, or there was no such launch.
 * *refused: ncu may not read the GPU's counters.
 */
char *measure_by_ncu(const char *ncu, const Measuring *measuring, gboolean *refused,
		     GError **error);
/* The same table, of times and grids alone, which need no counters. */
char *measure_by_nsys(const char *nsys, const Measuring *measuring, GError **error);

#endif
