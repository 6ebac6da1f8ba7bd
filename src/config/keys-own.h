/* SPDX-License-Identifier: MIT */
/* Rows of the keys that no part brings along (keys.h). Only keys.c may include it. */
#ifndef ATOMSIM_CONFIG_KEYS_OWN_H
#define ATOMSIM_CONFIG_KEYS_OWN_H

#include <glib.h>

#include "base/key.h"
#include "sim/run/machine.h"

/* In the order of help and reports, section by section. */
extern const Key own_keys[];
extern const guint n_own_keys;

/* keys-ideal.c; by IDEAL_*. */
extern const Key ideal_keys[N_IDEALS];

#endif
