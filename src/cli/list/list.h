/* SPDX-License-Identifier: MIT */
/* The parts of `atomsim list`. Who may include it: cli/list. */
#ifndef ATOMSIM_CLI_LIST_LIST_H
#define ATOMSIM_CLI_LIST_LIST_H

#include <cjson/cJSON.h>

#include "cli/cli.h"

/* What can be named; `list` adds a row of texts for each, the first one "name". */
typedef struct {
	const char *name;    /* of the table */
	const char *heading; /* with where it is named */
	void (*list)(cJSON *table);
} ListTable;

extern const ListTable list_tables[]; /* ends with name NULL */

/* What is asked about one hash. */
typedef struct {
	char *hash;    /* a name, JSON as in a config, or a file that holds it */
	char *target;  /* NULL: lock */
	char *format;  /* of hash_exports; NULL: none */
	gint64 size;   /* 0: of a matrix its own, else 32 banks or 1,024 locks */
	gint64 inputs; /* 0: 14, which address the 48 KB of Fermi */
	gboolean json;
} HashQuestion;

/* Prints a JSON Schema on stdout. Errors: ATOMSIM_ERROR_USAGE, none of that name. */
gboolean list_schema(const char *name, GError **error);

/* Prints the answer, or its export, on stdout; a warning on stderr. */
gboolean list_hash(const HashQuestion *question, GError **error);

#endif
