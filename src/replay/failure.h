/* SPDX-License-Identifier: MIT */
/* The words of a run that did not reach its end. Only src/replay and its test include it. */
#ifndef ATOMSIM_REPLAY_FAILURE_H
#define ATOMSIM_REPLAY_FAILURE_H

#include <cjson/cJSON.h>
#include <glib.h>

#include "sim/run/run.h"

/* Sets an ATOMSIM_ERROR_RUN for a status other than SIM_OK; `place` begins the message, which for
   a deadlock has several lines: the warps that wait and who holds what. Where `metadata`, the trace's, says that it lacks
   what warps wait for, that is the message instead. NULL: it is not known. */
void replay_set_failure(const char *place, const Machine *machine, const SimResult *result,
			const cJSON *metadata, GError **error);

#endif
