/* SPDX-License-Identifier: MIT */
/* One key's value: from JSON into a Machine, back, and in words. Who may include it: config. */
#ifndef ATOMSIM_CONFIG_VALUE_H
#define ATOMSIM_CONFIG_VALUE_H

#include <cjson/cJSON.h>
#include <glib.h>

#include "config/keys.h"
#include "model/shared/hash.h"

/* Puts the item into the machine's field. False, and nothing changed, if the key cannot have it;
   then *why may say more than what was found and value_allowed (g_free), and *at of which item in this one.
   A text is copied into `texts`. */
gboolean value_set(Machine *machine, const Key *key, const cJSON *item, GStringChunk *texts,
		   char **why, const cJSON **at);

/* The field as JSON. cJSON_Delete. */
cJSON *value_get(const Machine *machine, const Key *key);

/* The field as --set takes it. g_free. */
char *value_text(const Machine *machine, const Key *key);

/* Whether two machines have the same value. */
gboolean value_same(const Machine *a, const Machine *b, const Key *key);

/* A number's field. The key must be one. */
guint64 value_number(const Machine *machine, const Key *key);

/* "a whole number from 1 to 64"; "lrr", "gto" or "two-level"; ... g_free. */
char *value_allowed(const Key *key);

/* --- A hash of addresses: a name, shifts or a matrix (hash-value.c) --- */

/* False, and nothing changed, if the item is no hash; then *why may say more than hash_value_allowed (g_free). */
gboolean hash_value_set(HashSpec *hash, const cJSON *item, char **why);

/* As hash_value_set reads it. cJSON_Delete. */
cJSON *hash_value_get(const HashSpec *hash);

/* "\"mod\", \"xor\", ...". g_free. */
char *hash_value_allowed(void);

#endif
