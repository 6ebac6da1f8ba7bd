/* SPDX-License-Identifier: MIT */
/* What the hardware of a machine that carries out atomics costs (model/cost.h), row by row. Who may include it: report and cli. */
#ifndef ATOMSIM_REPORT_COST_H
#define ATOMSIM_REPORT_COST_H

#include <cjson/cJSON.h>

#include "base/json-shape.h"
#include "sim/run/machine.h"

/* For people. g_free. */
char *cost_text(const Machine *machine);
extern const Shape cost_shape;
/* All rows with their sum, cost_bits. cJSON_Delete. */
cJSON *cost_object(const Machine *machine);
/* The sum. */
uint64_t cost_bits(const Machine *machine);

#endif
