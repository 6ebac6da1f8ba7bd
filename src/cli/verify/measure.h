/* SPDX-License-Identifier: MIT */
/* A program measured on this machine's GPU, unchanged. Who may include it: cli/verify/. */
#ifndef ATOMSIM_CLI_VERIFY_MEASURE_H
#define ATOMSIM_CLI_VERIFY_MEASURE_H

#include <glib.h>

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
