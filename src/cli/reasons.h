/* SPDX-License-Identifier: MIT */
/* Why keys had no effect on any of several runs of a trace. Any thread may add. Only src/cli includes it. */
#ifndef ATOMSIM_CLI_REASONS_H
#define ATOMSIM_CLI_REASONS_H

#include <glib.h>

#include "config/acts.h"

typedef struct Reasons Reasons;

Reasons *reasons_new(void);
void reasons_free(Reasons *reasons); /* NULL: nothing */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Reasons, reasons_free)

/* A run of the trace; one that did not end says nothing of any key. path: of the key; one that no table has acts. */
void reasons_see(Reasons *reasons, const char *path, const char *trace, const KeyRun *run);

/* Why the key acted in none of the runs of the trace, which it was of the first; NULL: it may have acted, or there was no run. */
const char *reasons_of(const Reasons *reasons, const char *path, const char *trace);

#endif
