/* SPDX-License-Identifier: MIT */
/* Reading of known-errors.json. Who may include it: config. */
#ifndef ATOMSIM_CONFIG_KNOWN_FILE_H
#define ATOMSIM_CONFIG_KNOWN_FILE_H

#include "config/known.h"
#include "config/problems.h"

/* The file beside a config.json; NULL: it has none, or a bad one, of which `problems` hears. known_errors_free. */
KnownErrors *known_errors_beside(const char *config_path, Problems *problems);
void known_errors_free(gpointer known);

#endif
