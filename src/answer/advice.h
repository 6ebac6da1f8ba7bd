/* SPDX-License-Identifier: MIT */
/* Advice for programs. Who may include it: answer, cli, library. */
#ifndef ATOMSIM_ANSWER_ADVICE_H
#define ATOMSIM_ANSWER_ADVICE_H

#include <cjson/cJSON.h>

#include "base/json-shape.h"
#include "explore/advise/advise.h"
#include "trace/reader.h"

/* Names the places of advice as reports do. Takes back the expected errors of gains where a report says that the unchanged run's is unknown, and keeps why. */
void advice_judge(AdviceReport *report, const Config *config, const TraceReader *reader);

extern const Shape advice_shape;
/* What `atomsim advise --format json` prints. trace: its name, as the user gave it. cJSON_Delete. */
cJSON *advice_object(const AdviceReport *report, const char *trace, const Config *config);

#endif
