/* SPDX-License-Identifier: MIT */
/*
 * Files that are found by name: the shipped configs and traces, what captures. Who may include it: all
 * but sim and model.
 */
#ifndef ATOMSIM_BASE_INSTALLED_H
#define ATOMSIM_BASE_INSTALLED_H

#include <glib.h>

/*
 * Where files of a kind ("configs", "traces", "capture") are: the folders of the environment's
 * `variable`, a list with colons; `source` in the checkout, where the program was built and not
 * installed; that of the installation which the program, or the library that this is part of, lies in;
 * the one that configure was given. NULL-terminated. g_strfreev.
 */
char **installed_folders(const char *kind, const char *source, const char *variable);

/* The file that a name without '/' means in the folders, as it is or with `suffix` added; NULL
   if there is none. g_free. */
char *installed_find(char **folders, const char *name, const char *suffix);

/* Names of the files with the suffix in the folders, each once, sorted. g_ptr_array_unref. */
GPtrArray *installed_names(char **folders, const char *suffix);

/* The same without the suffix, NULL at the end. */
GPtrArray *installed_short_names(char **folders, const char *suffix);

#endif
