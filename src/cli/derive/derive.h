/* SPDX-License-Identifier: MIT */
/* What atomsim derive says. Who may include it: this folder. */
#ifndef ATOMSIM_CLI_DERIVE_DERIVE_H
#define ATOMSIM_CLI_DERIVE_DERIVE_H

#include "validate/frame/derive.h"

/* A row a key. g_free. */
char *derive_to_csv(const Derived *derived);

/* On stderr: what stays inherited, and why; how many values there are of each kind. */
void derive_report(const Derived *derived);

/*
 * Whether the config's values are the derived ones, and all that it has measured or fitted is derived, but what `list` (a CSV; NULL: none)
 * names: key, derived, why. A line of it that does not hold any more is wrong, too. Says on stderr what is not so; its number goes to *n.
 */
gboolean derive_check(const Derived *derived, const Config *config, const char *list, guint *n,
		      GError **error);

#endif
