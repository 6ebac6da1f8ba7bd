/* SPDX-License-Identifier: MIT */
/* A hash of addresses as JSON: a name, shifts or a matrix. Who may include it: config. */
#ifndef ATOMSIM_CONFIG_HASH_VALUE_H
#define ATOMSIM_CONFIG_HASH_VALUE_H

#include <cjson/cJSON.h>
#include <glib.h>

#include "model/shared/hash.h"

/* False, and nothing changed, if the item is no hash; then *why may say more than hash_value_allowed (g_free). */
gboolean hash_value_set(HashSpec *hash, const cJSON *item, char **why);

/* As hash_value_set reads it. cJSON_Delete. */
cJSON *hash_value_get(const HashSpec *hash);

/* "\"mod\", \"xor\", ...". g_free. */
char *hash_value_allowed(void);

#endif
