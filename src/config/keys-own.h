/* SPDX-License-Identifier: MIT */
/* Rows of the keys that no part brings along (keys.h), and of combiners. Only keys.c and the files of rows may include it. */
#ifndef ATOMSIM_CONFIG_KEYS_OWN_H
#define ATOMSIM_CONFIG_KEYS_OWN_H

#include <glib.h>

#include "base/key.h"
#include "sim/run/machine.h"
#include "config/keys.h"

/* keys-own.c: what comes before the keys of schedulers and of issue; and before those of mechanisms. */
extern const Key sm_keys[], shared_keys[];
extern const guint n_sm_keys, n_shared_keys;

/* keys-global.c: before the keys of the memory side; and behind those. */
extern const Key global_keys[], launch_keys[];
extern const guint n_global_keys, n_launch_keys;

/* keys-ideal.c; by IDEAL_*. */
extern const Key ideal_keys[N_IDEALS];

/* Path, offset and the field's type from one word; the type is checked by the compiler. */
#define FIELD(kind, ctype, field) .path = #field, KEY_FIELD(kind, ctype, Machine, field)
#define UINT32(field, from, to)	  FIELD(KEY_UINT32, uint32_t, field), .min = (from), .max = (to)
#define UINT64(field, from, to)	  FIELD(KEY_UINT64, uint64_t, field), .min = (from), .max = (to)
#define CYCLES(field, from)	  UINT32(field, from, KEY_MAX_CYCLES), .unit = "cycles"

/* keys-combine.c: the keys of combiners (model/atomic/combiner.h). */

/* Of combiner `c` for shared memory, or for global memory, where it acts if SMs share one. Not from two threads at once; valid until
   the next call. */
const KeyOwner *combiner_key_owner(MemorySpace space, guint c);

#endif
