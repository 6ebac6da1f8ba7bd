/* SPDX-License-Identifier: MIT */
/* The shipped configs, and which share of many runs a test does. Only tests include it. */
#ifndef ATOMSIM_TESTS_SHIPPED_H
#define ATOMSIM_TESTS_SHIPPED_H

#include <glib.h>

/* All that are in configs/ now: "fermi", "h200", "designs/arc", in the order of their names. NULL-terminated; g_strfreev. */
char **shipped_configs(void);

/* A test of many runs does one in so many: 1, or what TEST_SHARE says (.ci/run, where instrumented programs are slow). */
guint test_share(void);

#endif
