/* SPDX-License-Identifier: MIT */
/*
 * The table of keys. It drives parsing, errors, --help-config, the JSON Schema and the manual: a new
 * key is a field of Machine and a row in keys-own.c, or a field of a mechanism's own struct and a row
 * beside it. Who may include it: config.
 */
#ifndef ATOMSIM_CONFIG_KEYS_H
#define ATOMSIM_CONFIG_KEYS_H

#include <glib.h>

#include "base/key.h"
#include "sim/run/machine.h"

typedef enum {
	KEY_OWNER_OTHER,
	KEY_OWNER_MECHANISM,	    /* mechanisms[i] */
	KEY_OWNER_GLOBAL_MECHANISM, /* global_mechanisms[i] */
} KeyOwnerKind;

/* A part that brings rows of its own: a mechanism, a scheduler. */
typedef struct {
	const KeyTable *table;
	size_t block; /* where in Machine the pointer to its struct is */
	/* Whether the machine makes use of it: if not, its keys have no effect. */
	gboolean (*in_use)(const Machine *machine, guint i);
	guint i;	   /* which of them, for in_use */
	KeyOwnerKind kind; /* in acts.c's words */
	uint64_t acts_on;  /* KEY_ACTS_*, one of which a run must have had; 0: any run */
	/* Why the machine makes no use of it, in words; NULL: that is for its kind to say. g_free. */
	char *(*why)(const Machine *machine, guint i);
} KeyOwner;

/* All rows, in the order of help and reports; put together at first use. */
guint key_count(void);
const Key *key_at(guint i);
/* The row's place. */
guint key_index(const Key *key);

/* The parts, in the order of their rows. */
guint key_owner_count(void);
const KeyOwner *key_owner_at(guint i);

/* The row of a dotted path, also of one that it had before it was renamed; or NULL. */
const Key *key_find(const char *path);

/* The number of one of the names that a key takes (Key.names), today's or that of an older version. FALSE: it takes none so called. */
gboolean key_value_number(const Key *key, const char *name, guint *number);

/* The row that replaces a key with other values, which is gone; or NULL. */
const Key *key_find_replacing(const char *path);

/* Why a path that older configs used is no key any more, nor another one: its rule was removed; or NULL. */
const char *key_why_removed(const char *path);

/* True for "sm", "atomic.native", ...: what keys begin with, before a dot. */
gboolean key_is_section(const char *path);

/* "atomic.native" of atomic.native.cycles; "" of clock_mhz. g_free. */
char *key_section(const Key *key);

/* A section's meaning in a few words, for help. */
const char *section_doc(const char *section);

/* A JSON pointer, /sm/max_warps. g_free. */
char *key_pointer(const Key *key);

#endif
