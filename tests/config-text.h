/* SPDX-License-Identifier: MIT */
/* What the tests of configs share. */
#ifndef ATOMSIM_TESTS_CONFIG_TEXT_H
#define ATOMSIM_TESTS_CONFIG_TEXT_H

#include "config/config.h"

/* The config of a text, called t.json, that must load. */
Config *load_text(const char *text, const char *const *settings);

/* The message of a text that must not load. g_free. */
char *failure_of_text(const char *text, gsize length, const char *const *settings);

#endif
