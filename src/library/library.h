/* SPDX-License-Identifier: MIT */
/* What the parts of the library's door share. Only src/library includes it. */
#ifndef ATOMSIM_LIBRARY_LIBRARY_H
#define ATOMSIM_LIBRARY_LIBRARY_H

#include <glib.h>

#include "atomsim.h"
#include "config/config.h"
#include "trace/reader.h"

/* A config that keeps its own name, for reports. */
struct AtomsimConfig {
	Config *config;
	char *name;
};

struct AtomsimTrace {
	TraceReader *reader;
	char *name;    /* without folders */
	GBytes *bytes; /* NULL: a file */
};

/* Hands `problem` over to the caller: an AtomsimError is a GError that says nothing of GLib. */
void library_fail(AtomsimError **error, GError *problem);

/* Whether a caller has given an argument that must be; if not, ATOMSIM_USAGE names it, and what is allowed. */
bool library_given(const void *argument, const char *name, const char *allowed,
		   AtomsimError **error);

#endif
