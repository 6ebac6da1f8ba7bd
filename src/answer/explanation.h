/* SPDX-License-Identifier: MIT */
/* An explanation for programs. Who may include it: answer, cli. */
#ifndef ATOMSIM_ANSWER_EXPLANATION_H
#define ATOMSIM_ANSWER_EXPLANATION_H

#include <cjson/cJSON.h>

#include "base/json-shape.h"
#include "explore/explain/explain.h"

extern const Shape explanation_shape;
/* What `atomsim explain --format json` prints. cJSON_Delete. */
cJSON *explanation_object(const ExplainRequest *request, const Explanation *explanation);

#endif
