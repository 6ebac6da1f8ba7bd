/* SPDX-License-Identifier: MIT */
/* The kernels of a captured program, the costliest first. Only cli includes it. */
#ifndef ATOMSIM_CLI_CAPTURE_RANK_H
#define ATOMSIM_CLI_CAPTURE_RANK_H

#include "config/config.h"

/* Replays what convert_folder made (of ConvertedTrace) on the config, tries advice on each, and says in a table
   for people what each kernel takes and what advice would save. g_free; NULL: with no error there is no trace to rank. Errors: those of
   a trace, and an interruption. */
char *capture_rank(const GPtrArray *traces, const Config *config, GError **error);

#endif
