/* SPDX-License-Identifier: MIT */
/*
 * What a shell can complete a word to, by the program's own tables: `atomsim --complete WORD...`, where the last word is the one to
 * complete. The functions in completions/ ask it, and so never go stale. Who may include it: main.
 */
#ifndef ATOMSIM_CLI_COMPLETE_H
#define ATOMSIM_CLI_COMPLETE_H

#include "cli/cli.h"

/* Prints a candidate a line, "NAME" or "NAME\tWHAT IT IS"; nothing where files are meant. A candidate that ends in = or , wants
   more. words: behind the program's name; one at least. */
CliStatus complete(int n, char **words);

#endif
