/* SPDX-License-Identifier: MIT */
/* Published figures in what validate reports. Only it includes this. */
#ifndef ATOMSIM_CLI_VALIDATE_PUBLISHED_H
#define ATOMSIM_CLI_VALIDATE_PUBLISHED_H

#include <cjson/cJSON.h>

#include "explore/measured/validate.h"

/* A line for each published figure, and how many hold; nothing if there are none. */
void validate_append_published(GString *text, const GPtrArray *points);
/* The same as an array "published"; nothing if there are none. */
void validate_add_published(cJSON *root, const GPtrArray *points);
/* "holds", "misses", or "shown" where nothing is allowed. */
const char *validate_verdict_name(Verdict verdict);

#endif
