/* SPDX-License-Identifier: MIT */
/* A config with the provenance of each value, for people and as a config file again. Who may include it: cli. */
#ifndef ATOMSIM_CONFIG_EXPLAIN_H
#define ATOMSIM_CONFIG_EXPLAIN_H

#include "config/config.h"

/* How many values come from where, then a line for each value. g_free. */
char *config_explain(const Config *config);

/* The effective config, whole, with a "provenance" in each section: a file with the same values and the same provenance. g_free. */
char *config_explain_json(const Config *config);

#endif
