/* SPDX-License-Identifier: MIT */
/* The parts of `atomsim trace info`. Only they include it. */
#ifndef ATOMSIM_CLI_TRACE_INFO_INFO_H
#define ATOMSIM_CLI_TRACE_INFO_INFO_H

#include "trace/summary.h"

/* All that is said of a trace; arrays: SharedArray. g_free. */
char *info_to_json(TraceReader *reader, const char *sha256, const TraceSummary *summary,
		   const GPtrArray *arrays);
char *info_to_text(TraceReader *reader, const char *sha256, const TraceSummary *summary,
		   const GPtrArray *arrays);

#endif
