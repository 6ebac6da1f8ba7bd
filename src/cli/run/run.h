/* SPDX-License-Identifier: MIT */
/* What the files of `atomsim run` share. Only they include it. */
#ifndef ATOMSIM_CLI_RUN_RUN_H
#define ATOMSIM_CLI_RUN_RUN_H

#include "cli/run/watch.h"
#include "replay/what-if.h"

/* What the user asked for. */
typedef struct {
	char *config, *format, *output, *plot;
	char **settings, **traces, **changes;
	guint writer;	 /* of report_formats: what --format says */
	WhatIf *what_if; /* NULL: none is asked for */
	WatchOptions watch;
	gint64 seed;
	int jobs;
	gboolean sequence, reproducible, no_baseline, all_sms, help_config, help_json;
} RunOptions;

extern const OutputKind run_report_kind;

/* Replays each trace on the config, the unchanged one on `plain` if there are what-ifs, and writes the
   reports; all that is asked for has been checked. Errors: as replay_run, and ATOMSIM_ERROR_IO. */
gboolean run_traces(const Config *plain, const Config *config, const RunOptions *options,
		    GError **error);

#endif
