/* SPDX-License-Identifier: MIT */
/* Advice for people and for programs. Only cli includes it. */
#ifndef ATOMSIM_CLI_ADVISE_H
#define ATOMSIM_CLI_ADVISE_H

#include <cjson/cJSON.h>

#include "explore/advise/advise.h"

/* g_free. trace: its name, as the user gave it. */
char *advice_to_text(const AdviceReport *report, const char *trace, const Config *config);
char *advice_to_json(const AdviceReport *report, const char *trace, const Config *config);

/* cJSON_Delete. */
cJSON *advice_to_cjson(const AdviceReport *report, const char *trace, const Config *config);

#endif
