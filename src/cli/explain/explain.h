/* SPDX-License-Identifier: MIT */
/* An explanation as text and as JSON. Only cli includes it. */
#ifndef ATOMSIM_CLI_EXPLAIN_EXPLAIN_H
#define ATOMSIM_CLI_EXPLAIN_EXPLAIN_H

#include <cjson/cJSON.h>

#include "explore/explain/explain.h"

/* g_free. */
char *explanation_to_text(const ExplainRequest *request, const Explanation *explanation);
char *explanation_to_json(const ExplainRequest *request, const Explanation *explanation);
/* cJSON_Delete. */
cJSON *explanation_to_cjson(const ExplainRequest *request, const Explanation *explanation);

#endif
