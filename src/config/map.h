/* SPDX-License-Identifier: MIT */
/* A map of the L2 (SliceMap) as JSON: docs/reference/configs.md has its members. Who may include it: config. */
#ifndef ATOMSIM_CONFIG_MAP_H
#define ATOMSIM_CONFIG_MAP_H

#include <cjson/cJSON.h>
#include <glib.h>

#include "model/memory/memory-parameters.h"

#define MAP_WALK "walk" /* there is none */

/* Reads an object or MAP_WALK. False, and nothing changed, if it is no map; then *why says what of `*at`, which is the item or
   one in it, is wrong and what is allowed (g_free). */
gboolean map_set(SliceMap *map, const cJSON *item, char **why, const cJSON **at);

/* As map_set reads it. cJSON_Delete. */
cJSON *map_get(const SliceMap *map);

#endif
