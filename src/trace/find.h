/* SPDX-License-Identifier: MIT */
/* The files that names of traces mean. Who may include it: those that may include trace. */
#ifndef ATOMSIM_TRACE_FIND_H
#define ATOMSIM_TRACE_FIND_H

#include <glib.h>

/* The folders searched for shipped traces, NULL-terminated. g_strfreev. */
char **trace_search_path(void);

/* The file that a name means: itself, or the shipped trace of that name (histogram.bin, or histogram);
   NULL if there is none. g_free. */
char *trace_find(const char *name);

/* The name of a shipped trace that may have been meant by one that is none; or NULL. g_free. */
char *trace_similar(const char *name);

#endif
