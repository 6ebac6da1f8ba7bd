/* SPDX-License-Identifier: MIT */
/*
 * The list of everything that is wrong, gathered so that a user hears of all of it at once.
 * Who may include it: config.
 */
#ifndef ATOMSIM_CONFIG_PROBLEMS_H
#define ATOMSIM_CONFIG_PROBLEMS_H

#include <glib.h>

#define PROBLEMS_SHOWN 100 /* further ones are only counted */

typedef struct {
	GPtrArray *lines;
	guint n_problems;
	gboolean is_usage; /* the command line itself is malformed */
} Problems;

void problems_init(Problems *problems);
void problems_clear(Problems *problems);

/* False when further problems are only counted: what costs time to word can be spared. */
gboolean problems_wanted(const Problems *problems);

/* Adds "PLACE: TEXT", or "PLACE: POINTER: TEXT" when there is a JSON pointer. */
void problems_add(Problems *problems, const char *place, const char *pointer,
		  const char *format, ...) G_GNUC_PRINTF(4, 5);

/* One line each. NULL if there are none. g_free. */
char *problems_text(const Problems *problems);

/* A JSON pointer: `parent` followed by `name`, escaped and fit for a line. g_free. */
char *pointer_join(const char *parent, const char *name);

#endif
