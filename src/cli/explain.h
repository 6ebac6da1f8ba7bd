/* SPDX-License-Identifier: MIT */
/* An explanation as JSON. Only cli includes it. */
#ifndef ATOMSIM_CLI_EXPLAIN_H
#define ATOMSIM_CLI_EXPLAIN_H

#include <cjson/cJSON.h>

#include "explore/explain/explain.h"

/* cJSON_Delete. */
cJSON *explanation_to_cjson(const ExplainRequest *request, const Explanation *explanation);

#endif
