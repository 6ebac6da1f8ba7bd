/* SPDX-License-Identifier: MIT */
/*
 * What a shell can complete a word to, by the program's own tables: `atomsim --complete WORD...`, where the last word is the one to
 * complete. The functions in completions/ ask it, and so never go stale. Who may include it: main.
 */
#ifndef ATOMSIM_CLI_COMPLETE_H
#define ATOMSIM_CLI_COMPLETE_H

#include <glib.h>

#include "cli/cli.h"

/* Prints a candidate a line, "NAME" or "NAME\tWHAT IT IS"; nothing where files are meant. A candidate that ends in = or , wants
   more. words: behind the program's name; one at least. */
CliStatus complete(int n, char **words);

/* --- Candidates that are values, by the tables that hold them, for complete.c (complete-values.c) --- */

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
