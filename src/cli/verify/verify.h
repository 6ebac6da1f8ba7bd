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

#endif
