/* SPDX-License-Identifier: MIT */
/* Reading of expected-errors.json. Who may include it: config. */
#ifndef ATOMSIM_CONFIG_EXPECTED_FILE_H
#define ATOMSIM_CONFIG_EXPECTED_FILE_H

#include "config/expected.h"
#include "config/problems.h"

/* The file beside a config.json; NULL: it has none, or a bad one, of which `problems` hears. expected_errors_free. */
ExpectedErrors *expected_errors_beside(const char *config_path, Problems *problems);
void expected_errors_free(gpointer errors);

#endif
