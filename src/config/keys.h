/* SPDX-License-Identifier: MIT */
/*
 * The table of keys. It drives parsing, errors, --help-config, the JSON Schema and the manual: a new
 * key is a field of Machine and a row here. Who may include it: config.
 */
#ifndef ATOMSIM_CONFIG_KEYS_H
#define ATOMSIM_CONFIG_KEYS_H

#include <glib.h>

#include "sim/machine.h"

typedef enum {
	KEY_UINT32,
	KEY_UINT64, /* of no more than 15 digits, which is what cJSON writes */
	KEY_TEXT,
	KEY_CHOICE, /* one of a list of names, kept as its number (an enum) */
	KEY_PLUGIN, /* one of a list of names, kept as a pointer to its struct */
	KEY_HASH,
} KeyType;

/* The names that a choice or a plug-in can have. */
typedef struct {
	const char *(*name)(guint i);	/* NULL after the last */
	const void *(*plugin)(guint i); /* KEY_PLUGIN */
} KeyNames;

typedef struct {
	const char *path; /* sm.max_warps; the field's path in Machine */
	KeyType type;
	const char *unit;	    /* NULL: none */
	guint64 min, max, multiple; /* numbers; multiple 0: any */
	const KeyNames *names;	    /* KEY_CHOICE, KEY_PLUGIN */
	const char *preset;	    /* the default, as --set takes it */
	gboolean assumption;	    /* the literature does not fix it */
	const char *doc;	    /* one sentence or two */
	const char *source;	    /* of the default */
	gsize offset;		    /* into Machine */
} Key;

extern const Key keys[];
extern const guint n_keys;

/* The row of a dotted path, or NULL. */
const Key *key_find(const char *path);

/* True for "sm", "shared", ...: what keys begin with, before their dot. */
gboolean key_is_section(const char *path);

/* A section's meaning in a few words, for help. */
const char *section_doc(const char *section);

/* A JSON pointer, /sm/max_warps. g_free. */
char *key_pointer(const Key *key);

#endif
