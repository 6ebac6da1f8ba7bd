/* SPDX-License-Identifier: MIT */
/*
 * Random configs, for tests.
 */
#ifndef ATOMSIM_TESTS_RANDOM_CONFIG_H
#define ATOMSIM_TESTS_RANDOM_CONFIG_H

#include "config/config.h"

/* One to eight keys of the base with values within their ranges, the ends among them; of those that may_change allows,
   NULL: of all. NULL: the checks refuse it. *text: the settings, g_free. config_free. */
Config *random_config(GRand *rand, const char *base, gboolean (*may_change)(const char *path),
		      char **text);

#endif
