/* SPDX-License-Identifier: MIT */
/* Advice as JSON. Only cli includes it. */
#ifndef ATOMSIM_CLI_ADVISE_H
#define ATOMSIM_CLI_ADVISE_H

#include <cjson/cJSON.h>

#include "explore/advise/advise.h"

/* cJSON_Delete. */
cJSON *advice_to_cjson(const AdviceReport *report, const char *trace, const Config *config);

#endif
