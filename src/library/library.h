/* SPDX-License-Identifier: MIT */
/* What the parts of the library's door share. Only src/library includes it. */
#ifndef ATOMSIM_LIBRARY_LIBRARY_H
#define ATOMSIM_LIBRARY_LIBRARY_H

#include <cjson/cJSON.h>
#include <glib.h>

#include "atomsim.h"
#include "config/config.h"
#include "trace/reader.h"

/* A config that keeps its own name, for reports. */
struct AtomsimConfig {
	Config *config;
	char *name;
	GPtrArray *settings; /* "key=value" of the user, NULL-terminated */
	Config *shipped;     /* without them; NULL: there are none */
};

struct AtomsimTrace {
	TraceReader *reader;
	char *name;    /* without folders */
	char *asked;   /* the same as the user gave it */
	GBytes *bytes; /* NULL: a file */
};

struct AtomsimResult {
	cJSON *report;
	char *page;	  /* NULL: none was asked for */
	GPtrArray *notes; /* of char * */
};

/* Hands `problem` over to the caller: an AtomsimError is a GError that says nothing of GLib. */
void library_fail(AtomsimError **error, GError *problem);

/* Whether a caller has given an argument that must be; if not, ATOMSIM_USAGE names it, and what is allowed. */
bool library_given(const void *argument, const char *name, const char *allowed,
		   AtomsimError **error);

/* What the caller's struct has, which may be of an older version; the rest is zero but `threads`, which is 1 or more. `alone`: the
   function knows what is of atomsim_run alone; else to ask for that is an error. */
bool library_options(const AtomsimOptions *given, bool alone, AtomsimOptions *options,
		     AtomsimError **error);

/* Takes report and page. */
AtomsimResult *library_result(cJSON *report, char *page);

#endif
