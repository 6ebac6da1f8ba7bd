/* SPDX-License-Identifier: MIT */
/*
 * Changes to a trace on its way to a replay: src/transform on a TraceReader.
 * Who may include it: report, explore, cli.
 */
#ifndef ATOMSIM_REPLAY_WHAT_IF_H
#define ATOMSIM_REPLAY_WHAT_IF_H

#include "config/config.h"
#include "trace/reader.h"
#include "transform/what-if.h"

/* The line of the program of each site, from the metadata; 0: unknown. As many as trace_n_sites.
   g_free. */
uint32_t *replay_site_lines(TraceReader *reader);

/* The config with what the what-ifs change of the machine. Errors: those of config_with. */
Config *replay_config(const Config *config, const WhatIf *what_if, GError **error);

/*
 * Wraps the trace's source in all changes; reader and what_if must outlive the result, which runs on a
 * machine of replay_config. Errors: those of
 * what_if_apply and of the trace.
 */
gboolean replay_change(TraceReader *reader, const WhatIf *what_if, ChangedSource *changed,
		       GError **error);

#endif
