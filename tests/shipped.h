/* SPDX-License-Identifier: MIT */
/* The shipped configs. Only tests include it. */
#ifndef ATOMSIM_TESTS_SHIPPED_H
#define ATOMSIM_TESTS_SHIPPED_H

#include <glib.h>

/* All that are in configs/ now: "fermi", "h200", "designs/arc", in the order of their names. NULL-terminated; g_strfreev. */
char **shipped_configs(void);

#endif
