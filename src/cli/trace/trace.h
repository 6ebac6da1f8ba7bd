/* SPDX-License-Identifier: MIT */
/* The sub-commands of atomsim trace: one file each, one row in trace.c. Only src/cli includes it. */
#ifndef ATOMSIM_CLI_TRACE_TRACE_H
#define ATOMSIM_CLI_TRACE_TRACE_H

#include "base/dataflow.h"
#include "cli/cli.h"

/* Their names are "trace WORD". */
extern const Command command_trace_assemble;
extern const Command command_trace_check;
extern const Command command_trace_dump;
extern const Command command_trace_import;
extern const Command command_trace_info;
extern const Command command_trace_pack;

extern const Command *const trace_commands[]; /* all of them, NULL-terminated */

/* Prints what waits for what, for `trace dump`. */
void dump_dataflow(const Dataflow *dataflow);

#endif
