/* SPDX-License-Identifier: MIT */
/* Candidates that are values, by the tables that hold them. Who may include it: complete.c. */
#ifndef ATOMSIM_CLI_COMPLETE_VALUES_H
#define ATOMSIM_CLI_COMPLETE_VALUES_H

#include <glib.h>

/* What follows is for this word. */
void offer_for(const char *word);

/* Prints the three together if the word begins them; what: NULL: nothing is said of it. */
void offer(const char *before, const char *name, const char *after, const char *what);

void offer_traces(void);
void offer_workloads(void);
/* Those of a few words that a text names: what values an option's help says. */
void offer_named(const char *help);
/* What an option can be. */
void offer_value(const GOptionEntry *entry);

#endif
