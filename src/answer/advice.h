/* SPDX-License-Identifier: MIT */
/* Advice for programs. Who may include it: answer, cli, library. */
#ifndef ATOMSIM_ANSWER_ADVICE_H
#define ATOMSIM_ANSWER_ADVICE_H

#include <cjson/cJSON.h>

#include "base/json-shape.h"
#include "explore/advise/advise.h"

extern const Shape advice_shape;
/* What `atomsim advise --format json` prints. trace: its name, as the user gave it. cJSON_Delete. */
cJSON *advice_object(const AdviceReport *report, const char *trace, const Config *config);

#endif
